//! One connection: reads what the client says within limits, and writes the frames of its queue.

use super::{
    frame::{Closing, Frame},
    link::{Link, QUEUE, View},
    order::{LinkId, Order},
    said::ClientSays,
};
use axum::extract::ws::{Message, WebSocket};
use std::{sync::mpsc::SyncSender, time::Duration};
use tokio::{
    sync::mpsc,
    time::{self, Instant, MissedTickBehavior},
};

/// Bytes of a message of a client at most.
pub(super) const MESSAGE_MAX: usize = 4096;

/// Messages of a client in a second at most, and in a burst.
const RATE: u32 = 20;
const BURST: u32 = 60;

/// A client from which nothing was received for so long is closed; it is asked three times before.
const IDLE: Duration = Duration::from_secs(30);
const PING: Duration = Duration::from_secs(9);

/// How long a closing client has to take its last frame.
const GOODBYE: Duration = Duration::from_secs(2);

/// Serves a connection until either end closes it.
pub(super) async fn run(
    mut socket: WebSocket,
    id: LinkId,
    (view, is_local): (View, bool),
    orders: SyncSender<Order>,
) {
    let (frames, queue) = mpsc::channel(QUEUE);
    let link = Link::new(view, is_local, frames);
    if orders.try_send(Order::Join(id, link)).is_err() {
        return;
    }
    let closing = talk(&mut socket, id, queue, &orders).await;
    if let Some(closing) = closing {
        let goodbye = async {
            // What the client still sends is read, or the system would reset the connection and the reason
            // be lost.
            if socket.send(Frame::Close(closing).into()).await.is_ok() {
                while let Some(Ok(_)) = socket.recv().await {}
            }
        };
        // A client that does not take it is gone either way.
        let _ = time::timeout(GOODBYE, goodbye).await;
    }
    // The host notices by the queue if it is too busy to hear this.
    let _ = orders.try_send(Order::Leave(id));
}

/// Reads and writes until the connection ends. Returns the reason if the client does not know it yet.
async fn talk(
    socket: &mut WebSocket,
    id: LinkId,
    mut queue: mpsc::Receiver<Frame>,
    orders: &SyncSender<Order>,
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
                    // A write that waits keeps the queue waiting, which the host sees.
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
                        let Ok(says) = serde_json::from_str::<ClientSays>(&text) else {
                            return Some(Closing::Malformed);
                        };
                        // A host that is too busy for this client's wish does not hear it.
                        let _ = orders.try_send(Order::Said(id, says));
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

/// How many messages a client may send: a bucket of [`BURST`] that fills at [`RATE`].
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

    /// Takes one; says whether there was one.
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
