//! The host's end of a connection: a bounded queue of frames, and the commands that come from the
//! other end.

use crate::{
    change::Change,
    frame::{Closing, Frame},
    messages::ClientMessage,
};
use tokio::sync::{
    mpsc::{Sender, error::TrySendError},
    oneshot,
};

/// Most frames that wait for a client: more than three seconds at 20 ticks per second. A guess.
pub(crate) const QUEUE: usize = 64;

/// The part of the world that a client sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// All agents, as the page draws them.
    All,
    /// The agents around its player or camera, as packets of `nav_protocol`.
    Near(Encoding),
}

/// The encoding of packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Encoding {
    #[default]
    Json,
    Postcard,
}

/// The host's end of a connection. The host never waits: a client with a full queue misses frames.
pub(crate) struct Connection {
    pub(crate) view: View,
    /// Whether the client may pause the simulation.
    pub(crate) may_control: bool,
    frames: Sender<Frame>,
    /// The tick since which frames were missed.
    misses_since: Option<u64>,
    is_closed: bool,
}

/// The result of sending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    /// The frame is in the queue.
    Queued,
    /// The queue is full, and the frame is lost.
    Missed,
    /// The client is gone.
    Gone,
}

impl Connection {
    pub(crate) const fn new(view: View, may_control: bool, frames: Sender<Frame>) -> Self {
        Self {
            view,
            may_control,
            frames,
            misses_since: None,
            is_closed: false,
        }
    }

    /// Returns whether the client sees all agents.
    pub(crate) fn sees_all(&self) -> bool {
        self.view == View::All
    }

    /// Puts a frame into the queue.
    pub(crate) fn send(&mut self, frame: Frame, tick: u64) -> Sent {
        if self.is_closed {
            return Sent::Gone;
        }
        match self.frames.try_send(frame) {
            Ok(()) => Sent::Queued,
            Err(TrySendError::Full(_)) => {
                self.misses_since.get_or_insert(tick);
                Sent::Missed
            }
            Err(TrySendError::Closed(_)) => {
                self.is_closed = true;
                Sent::Gone
            }
        }
    }

    /// Returns whether frames were missed and half of the queue is free again, so that they can be
    /// replaced.
    pub(crate) fn caught_up(&mut self) -> bool {
        if self.misses_since.is_none() || self.frames.capacity() < QUEUE / 2 {
            return false;
        }
        self.misses_since = None;
        true
    }

    /// Returns whether frames were missed since it last caught up.
    pub(crate) const fn misses(&self) -> bool {
        self.misses_since.is_some()
    }

    /// Returns whether frames were missed for more than `ticks` ticks.
    pub(crate) fn is_stuck(&self, tick: u64, ticks: u64) -> bool {
        self.misses_since
            .is_some_and(|since| tick.saturating_sub(since) > ticks)
    }

    /// Returns the number of waiting frames.
    pub(crate) fn waiting(&self) -> usize {
        QUEUE - self.frames.capacity().min(QUEUE)
    }

    /// Closes the connection. With a full queue, the client sees it closed without a reason.
    pub(crate) fn close(&mut self, closing: Closing, tick: u64) {
        self.send(Frame::Close(closing), tick);
        self.is_closed = true;
    }
}

/// Number of a client, by its connection.
pub(crate) type ClientId = u64;

/// A command from the web server to the simulation.
pub(crate) enum Command {
    /// A client connected.
    Join(ClientId, Connection),
    /// A client disconnected.
    Leave(ClientId),
    /// A client sent a message.
    Message(ClientId, ClientMessage),
    /// Another world is to be served. The answer has the reason if it cannot be.
    Change(Box<Change>, oneshot::Sender<Result<(), String>>),
    /// Metrics are requested.
    Metrics(oneshot::Sender<String>),
    /// The server stops.
    Stop,
}
