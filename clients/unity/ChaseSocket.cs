using System;
using System.Collections.Concurrent;
using System.Net.WebSockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace NavChase
{
    /// <summary>A WebSocket of text messages, read in the background and polled by frames.</summary>
    /// <remarks>In WebGL builds the base library has no sockets: pass ChaseView messages yourself.</remarks>
    public sealed class ChaseSocket : IDisposable
    {
        readonly ClientWebSocket socket = new ClientWebSocket();
        readonly CancellationTokenSource stop = new CancellationTokenSource();
        readonly ConcurrentQueue<string> received = new ConcurrentQueue<string>();
        readonly Task reading;
        // Frames of one message at a time: a socket refuses a send during another.
        Task sending = Task.CompletedTask;

        public ChaseSocket(Uri address)
        {
            reading = Task.Run(() => Read(address));
        }

        /// <summary>Whether the connection is over, or was never made.</summary>
        public bool IsClosed
        {
            get { return reading.IsCompleted; }
        }

        /// <summary>Why it closed; null for a server that said good-bye.</summary>
        public string Problem { get; private set; }

        public bool TryRead(out string message)
        {
            return received.TryDequeue(out message);
        }

        /// <summary>Sends a message after those before it. Without a connection it is dropped.</summary>
        public void Send(string message)
        {
            var bytes = new ArraySegment<byte>(Encoding.UTF8.GetBytes(message));
            sending = sending.ContinueWith(_ =>
                socket.State == WebSocketState.Open
                    ? socket.SendAsync(bytes, WebSocketMessageType.Text, true, stop.Token)
                    : Task.CompletedTask).Unwrap();
        }

        async Task Read(Uri address)
        {
            try
            {
                await socket.ConnectAsync(address, stop.Token).ConfigureAwait(false);
                var bytes = new byte[Packet.LengthMax];
                int length = 0;
                while (length < bytes.Length)
                {
                    var room = new ArraySegment<byte>(bytes, length, bytes.Length - length);
                    WebSocketReceiveResult part =
                        await socket.ReceiveAsync(room, stop.Token).ConfigureAwait(false);
                    if (part.MessageType == WebSocketMessageType.Close)
                    {
                        return;
                    }
                    length += part.Count;
                    if (part.EndOfMessage)
                    {
                        received.Enqueue(Encoding.UTF8.GetString(bytes, 0, length));
                        length = 0;
                    }
                }
                Problem = "a message is longer than " + Packet.LengthMax + " bytes";
            }
            catch (Exception error)
            {
                Problem = error.Message;
            }
        }

        public void Dispose()
        {
            stop.Cancel();
            socket.Dispose();
        }
    }
}
