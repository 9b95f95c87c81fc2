//! A client of a broker that knows nothing of zones, for messages that no process of a world would
//! send.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::Duration,
};

/// A connection, one request at a time.
pub struct Raw {
    reader: BufReader<TcpStream>,
}

impl Raw {
    /// Connects to `nats://HOST:PORT`, or `nats://USER:PASSWORD@HOST:PORT`.
    pub fn open(url: &str) -> Self {
        let address = url.strip_prefix("nats://").expect("the URL of a broker");
        let (user, address) = address.rsplit_once('@').unwrap_or(("", address));
        let (user, password) = user.split_once(':').unwrap_or_default();
        let stream = TcpStream::connect(address).expect("the broker runs");
        stream.set_nodelay(true).expect("a socket");
        let mut raw = Self {
            reader: BufReader::new(stream),
        };
        raw.line();
        raw.write(
            format!(
                "CONNECT {{\"verbose\":false,\"headers\":true,\"user\":\"{user}\",\"pass\":\"{password}\"}}\r\n"
            )
            .as_bytes(),
        );
        raw.write(b"SUB answers 1\r\n");
        raw
    }

    /// Publishes bytes, and waits until the broker has them.
    pub fn publish(&mut self, subject: &str, bytes: &[u8]) {
        self.send(subject, "", bytes);
        self.write(b"PING\r\n");
        while self.line() != "PONG" {}
    }

    /// Publishes bytes with a header.
    pub fn publish_with(&mut self, subject: &str, header: &str, bytes: &[u8]) {
        let head = format!("NATS/1.0\r\n{header}\r\n\r\n");
        let all = head.len() + bytes.len();
        let mut message = format!("HPUB {subject} {} {all}\r\n{head}", head.len()).into_bytes();
        message.extend_from_slice(bytes);
        message.extend_from_slice(b"\r\nPING\r\n");
        self.write(&message);
        while self.line() != "PONG" {}
    }

    /// Sends a request and returns the answer.
    pub fn request(&mut self, subject: &str, bytes: &[u8]) -> String {
        self.try_request(subject, bytes).expect("the broker runs")
    }

    /// Sends a request, and returns the answer if it comes within the time that reads may take.
    pub fn try_request(&mut self, subject: &str, bytes: &[u8]) -> io::Result<String> {
        self.send(subject, "answers ", bytes);
        loop {
            let mut line = String::new();
            self.reader.read_line(&mut line)?;
            let line = line.trim_end();
            if line == "PING" {
                self.write(b"PONG\r\n");
            } else if line.starts_with("MSG ") {
                let bytes = line.rsplit(' ').next().and_then(|bytes| bytes.parse().ok());
                let mut answer = vec![0; bytes.expect("a number of bytes")];
                self.reader.read_exact(&mut answer)?;
                self.line();
                return Ok(String::from_utf8_lossy(&answer).into_owned());
            }
        }
    }

    /// Bounds the time that reads may take.
    pub fn wait_at_most(&self, time: Duration) {
        let set = self.reader.get_ref().set_read_timeout(Some(time));
        set.expect("a socket");
    }

    /// Returns the number of consumers of a stream.
    pub fn consumers(&mut self, stream: &str) -> u32 {
        let info = self.request(&format!("$JS.API.STREAM.INFO.{stream}"), b"");
        let (_, count) = info.split_once("\"consumer_count\":").expect(&info);
        let digits = count.split(|sign: char| !sign.is_ascii_digit()).next();
        digits.and_then(|digits| digits.parse().ok()).expect(&info)
    }

    fn send(&mut self, subject: &str, reply: &str, bytes: &[u8]) {
        // In one write, which is sent at once.
        let mut message = format!("PUB {subject} {reply}{}\r\n", bytes.len()).into_bytes();
        message.extend_from_slice(bytes);
        message.extend_from_slice(b"\r\n");
        self.write(&message);
    }

    fn write(&mut self, bytes: &[u8]) {
        self.reader
            .get_mut()
            .write_all(bytes)
            .expect("the broker runs");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("the broker runs");
        line.trim_end().to_owned()
    }
}
