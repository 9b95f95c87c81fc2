//! One connection: reads the messages of the client within limits, and writes the frames of its
//! queue.

use crate::{
    connection::{ClientId, Command, Connection, QUEUE, View},
    frame::{Closing, Frame},
    messages::ClientMessage,
};
use axum::extract::ws::{Message, WebSocket};
use std::{sync::mpsc::SyncSender, time::Duration};
use tokio::{
    sync::mpsc,
    time::{self, Instant, MissedTickBehavior},
};

/// Most bytes of a client's message. The longest valid one is far shorter.
pub(crate) const MESSAGE_MAX: usize = 4096;

/// Most messages of a client per second, and in a burst. Guesses: a page sends a few per second.
const RATE: u32 = 20;
const BURST: u32 = 60;

/// Time without any message after which a client is closed, and the interval of pings: it misses
/// three before. Guesses.
const IDLE: Duration = Duration::from_secs(30);
const PING: Duration = Duration::from_secs(9);

/// How long a closing client has to read its last frame. A guess.
const GOODBYE: Duration = Duration::from_secs(2);

/// Serves a connection until either end closes it.
pub(crate) async fn run(
    mut socket: WebSocket,
    id: ClientId,
    (view, may_control): (View, bool),
    commands: SyncSender<Command>,
) {
    let (frames, queue) = mpsc::channel(QUEUE);
    let connection = Connection::new(view, may_control, frames);
    if commands.try_send(Command::Join(id, connection)).is_err() {
        return;
    }
    let closing = talk(&mut socket, id, queue, &commands).await;
    if let Some(closing) = closing {
        let goodbye = async {
            // Remaining messages are read, because the system would otherwise reset the connection
            // and lose the reason.
            if socket.send(Frame::Close(closing).into()).await.is_ok() {
                while let Some(Ok(_)) = socket.recv().await {}
            }
        };
        // A client that does not read it is gone either way.
        let _ = time::timeout(GOODBYE, goodbye).await;
    }
    // If the host is too busy to receive this, it notices by the queue.
    let _ = commands.try_send(Command::Leave(id));
}

/// Reads and writes until the connection ends. Returns the reason if the client does not know it
/// yet.
async fn talk(
    socket: &mut WebSocket,
    id: ClientId,
    mut queue: mpsc::Receiver<Frame>,
    commands: &SyncSender<Command>,
) -> Option<Closing> {
    let mut allowance = Allowance::new();
    let mut received_at = Instant::now();
    let mut ping = time::interval(PING);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            frame = queue.recv() => match frame {
                Some(Frame::Close(closing)) => return Some(closing),
                Some(frame) => {
                    // A slow write fills the queue, which the host notices.
                    if time::timeout(IDLE, socket.send(frame.into())).await.is_err() {
                        return Some(Closing::TooSlow);
                    }
                }
                None => return Some(Closing::Stopping),
            },
            message = socket.recv() => {
                received_at = Instant::now();
                match message {
                    Some(Ok(Message::Text(text))) => {
                        if !allowance.take() {
                            return Some(Closing::TooMany);
                        }
                        let Ok(message) = serde_json::from_str::<ClientMessage>(&text) else {
                            return Some(Closing::Malformed);
                        };
                        // A busy host drops the message.
                        let _ = commands.try_send(Command::Message(id, message));
                    }
                    Some(Ok(Message::Binary(_))) => return Some(Closing::Malformed),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {
                        if !allowance.take() {
                            return Some(Closing::TooMany);
                        }
                    }
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                }
            }
            _ = ping.tick() => {
                if received_at.elapsed() > IDLE {
                    return Some(Closing::Idle);
                }
                if socket.send(Message::Ping(Vec::new().into())).await.is_err() {
                    return None;
                }
            }
        }
    }
}

/// Messages that a client may send: a bucket of [`BURST`] that fills at [`RATE`].
struct Allowance {
    left: f64,
    since: Instant,
}

impl Allowance {
    fn new() -> Self {
        Self {
            left: f64::from(BURST),
            since: Instant::now(),
        }
    }

    /// Takes one. Returns whether there was one.
    fn take(&mut self) -> bool {
        let now = Instant::now();
        let filled = now.duration_since(self.since).as_secs_f64() * f64::from(RATE);
        self.left = (self.left + filled).min(f64::from(BURST));
        self.since = now;
        let has_one = self.left >= 1.0;
        self.left -= f64::from(u8::from(has_one));
        has_one
    }
}
