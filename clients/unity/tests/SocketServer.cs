#if !UNITY_5_3_OR_NEWER
using System;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;

/// A WebSocket server of one connection: sends texts, and returns the first one that it gets.
sealed class SocketServer
{
    // The constant of RFC 6455, section 1.3.
    const string Salt = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    readonly TcpListener listener = new TcpListener(IPAddress.Loopback, 0);

    public readonly Task<string> Answer;

    public SocketServer(string[] texts)
    {
        listener.Start();
        Answer = Task.Run(() => Serve(texts));
    }

    public string Address
    {
        get { return "ws://127.0.0.1:" + ((IPEndPoint)listener.LocalEndpoint).Port + "/ws"; }
    }

    string Serve(string[] texts)
    {
        using (TcpClient client = listener.AcceptTcpClient())
        using (NetworkStream stream = client.GetStream())
        {
            string key = "";
            for (string line = ReadLine(stream); line != ""; line = ReadLine(stream))
            {
                const string Name = "sec-websocket-key:";
                key = line.ToLowerInvariant().StartsWith(Name)
                    ? line.Substring(Name.Length).Trim()
                    : key;
            }
            byte[] hash = SHA1.Create().ComputeHash(Encoding.ASCII.GetBytes(key + Salt));
            byte[] head = Encoding.ASCII.GetBytes(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: " + Convert.ToBase64String(hash) + "\r\n\r\n");
            stream.Write(head, 0, head.Length);
            foreach (string text in texts)
            {
                // In two parts, as a server or a proxy may send it.
                byte[] bytes = Encoding.UTF8.GetBytes(text);
                int half = bytes.Length / 2;
                WriteFrame(stream, 0x01, bytes, 0, half);
                WriteFrame(stream, 0x80, bytes, half, bytes.Length - half);
            }
            return ReadFrame(stream);
        }
    }

    static string ReadLine(Stream stream)
    {
        var line = new StringBuilder();
        for (int next = stream.ReadByte(); next != '\n'; next = stream.ReadByte())
        {
            if (next < 0)
            {
                throw new EndOfStreamException();
            }
            line.Append((char)next);
        }
        return line.ToString().TrimEnd('\r');
    }

    static void WriteFrame(Stream stream, byte head, byte[] bytes, int from, int length)
    {
        stream.WriteByte(head);
        if (length < 126)
        {
            stream.WriteByte((byte)length);
        }
        else
        {
            stream.WriteByte(126);
            stream.WriteByte((byte)(length >> 8));
            stream.WriteByte((byte)length);
        }
        stream.Write(bytes, from, length);
    }

    // Clients mask what they send. The requests are shorter than 126 bytes.
    static string ReadFrame(Stream stream)
    {
        stream.ReadByte();
        var rest = new byte[4 + (stream.ReadByte() & 0x7f)];
        for (int read = 0; read < rest.Length;)
        {
            int part = stream.Read(rest, read, rest.Length - read);
            if (part <= 0)
            {
                throw new EndOfStreamException();
            }
            read += part;
        }
        for (int n = 4; n < rest.Length; n++)
        {
            rest[n] ^= rest[n % 4];
        }
        return Encoding.UTF8.GetString(rest, 4, rest.Length - 4);
    }
}
#endif
