//! A client that a test drives.

use serde_json::Value;
use std::{
    collections::BTreeMap,
    net::{SocketAddr, TcpStream},
    time::Duration,
};
use tungstenite::{
    Message, WebSocket,
    client::IntoClientRequest,
    handshake::client::generate_key,
    http::{Request, StatusCode},
};

/// A connection.
pub struct Client {
    pub socket: WebSocket<TcpStream>,
    /// The column, row and role of each agent by number, for a client that sees all.
    pub agents: BTreeMap<u32, (u16, u16, u8)>,
    /// The tick of the last frame.
    pub tick: u32,
}

/// The role of a player in frames.
pub const TARGET: u8 = 4;

impl Client {
    /// Connects a client that sees all agents, and reads the server's first message.
    pub fn of_all(addr: SocketAddr) -> Self {
        let mut client = Self::connect(addr, "view=all");
        client.receive("hello");
        client
    }

    pub fn connect(addr: SocketAddr, query: &str) -> Self {
        Self::try_connect(addr, query, None).unwrap()
    }

    /// Connects with the control token.
    pub fn in_control(addr: SocketAddr, query: &str, token: &str) -> Self {
        let protocols = format!("chase, control.{token}");
        let headers = [("Sec-WebSocket-Protocol", protocols.as_str())];
        Self::open(addr, &addr.to_string(), query, &headers).unwrap()
    }

    /// Connects with the origin that a browser would send. An error is the server's status.
    pub fn try_connect(
        addr: SocketAddr,
        query: &str,
        origin: Option<&str>,
    ) -> Result<Self, StatusCode> {
        Self::try_connect_as(addr, &addr.to_string(), query, origin)
    }

    /// Connects as [`Client::try_connect`], with a host name for the server.
    pub fn try_connect_as(
        addr: SocketAddr,
        host: &str,
        query: &str,
        origin: Option<&str>,
    ) -> Result<Self, StatusCode> {
        let headers: Vec<_> = origin
            .map(|origin| ("Origin", origin))
            .into_iter()
            .collect();
        Self::open(addr, host, query, &headers)
    }

    fn open(
        addr: SocketAddr,
        host: &str,
        query: &str,
        headers: &[(&str, &str)],
    ) -> Result<Self, StatusCode> {
        let stream = TcpStream::connect(addr).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        stream.set_nodelay(true).unwrap();
        let mut request = Request::builder()
            .uri(format!("ws://{addr}/ws?{query}"))
            .header("Host", host)
            .header("Connection", "Upgrade")
            .header("Upgrade", "websocket")
            .header("Sec-WebSocket-Version", "13")
            .header("Sec-WebSocket-Key", generate_key());
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(()).unwrap().into_client_request().unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Self {
                socket,
                agents: BTreeMap::new(),
                tick: 0,
            }),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
                Err(response.status())
            }
            Err(other) => panic!("{other}"),
        }
    }

    pub fn say(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    /// Reads the next message and notes its agents. Returns `None` if the server closed the
    /// connection.
    pub fn read(&mut self) -> Option<Message> {
        let message = self.socket.read().ok()?;
        match &message {
            Message::Binary(bytes) => {
                self.note(bytes);
            }
            Message::Close(_) => return None,
            _ => {}
        }
        Some(message)
    }

    /// Reads until the next message of a kind.
    pub fn receive(&mut self, kind: &str) -> Value {
        loop {
            let message = self.read().expect("the connection is open");
            if let Message::Text(text) = message {
                let said: Value = serde_json::from_str(&text).unwrap();
                if let Some(said) = said.get(kind) {
                    return said.clone();
                }
            }
        }
    }

    /// Waits for the next frame of agents.
    pub fn next_frame(&mut self) {
        while !matches!(
            self.read().expect("the connection is open"),
            Message::Binary(_)
        ) {}
    }

    /// Returns the code with which the server closes the connection.
    pub fn closed_with(&mut self) -> u16 {
        loop {
            match self.socket.read() {
                Ok(Message::Close(Some(frame))) => return frame.code.into(),
                Ok(Message::Close(None)) => return 0,
                Ok(_) => {}
                Err(error) => panic!("closed without a reason: {error}"),
            }
        }
    }

    fn note(&mut self, bytes: &[u8]) {
        let u16_at = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let u32_at = |at: usize| u32::from(u16_at(at)) | u32::from(u16_at(at + 2)) << 16;
        if bytes[0] == 1 {
            self.agents.clear();
        }
        self.tick = u32_at(4);
        for entry in 0..u32_at(8) as usize {
            let at = 12 + entry * 12;
            let role = bytes[at + 9];
            if role == 255 {
                self.agents.remove(&u32_at(at));
            } else {
                self.agents
                    .insert(u32_at(at), (u16_at(at + 4), u16_at(at + 6), role));
            }
        }
    }
}
