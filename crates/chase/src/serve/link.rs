//! The host's end of a connection: a bounded queue of frames.

use super::frame::{Closing, Frame};
use tokio::sync::mpsc::{Sender, error::TrySendError};

/// Frames that wait for one client at most: more than three seconds at 20 ticks a second.
pub(super) const QUEUE: usize = 64;

/// What a client wants to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// All agents, as the page draws them.
    All,
    /// Those around its player or camera, as packets of `nav_protocol`.
    Near(Encoding),
}

/// How packets are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Encoding {
    #[default]
    Json,
    Postcard,
}

/// The host's end of a connection. Nobody waits for a client: one whose queue is full misses frames.
pub(super) struct Link {
    pub(super) view: View,
    /// Whether the client is on this machine, and may pause the simulation.
    pub(super) is_local: bool,
    frames: Sender<Frame>,
    /// Since which tick frames were missed.
    misses_since: Option<u64>,
    is_closed: bool,
}

/// How sending went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    /// It is in the queue.
    Queued,
    /// The queue is full: this frame is lost.
    Missed,
    /// The client is gone.
    Gone,
}

impl Link {
    pub(super) const fn new(view: View, is_local: bool, frames: Sender<Frame>) -> Self {
        Self {
            view,
            is_local,
            frames,
            misses_since: None,
            is_closed: false,
        }
    }

    /// Puts a frame into the queue, in a tick.
    pub(super) fn send(&mut self, frame: Frame, tick: u64) -> Sent {
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

    /// Whether frames were missed and half of the queue is free again: what was missed can be made good.
    pub(super) fn caught_up(&mut self) -> bool {
        if self.misses_since.is_none() || self.frames.capacity() < QUEUE / 2 {
            return false;
        }
        self.misses_since = None;
        true
    }

    /// Whether frames have been missed since the last good moment.
    pub(super) const fn misses(&self) -> bool {
        self.misses_since.is_some()
    }

    /// Whether frames were missed for so many ticks.
    pub(super) fn is_stuck(&self, tick: u64, ticks: u64) -> bool {
        self.misses_since
            .is_some_and(|since| tick.saturating_sub(since) > ticks)
    }

    /// Frames that wait.
    pub(super) fn waiting(&self) -> usize {
        QUEUE - self.frames.capacity().min(QUEUE)
    }

    /// Ends the connection. A client whose queue is full finds it closed.
    pub(super) fn close(&mut self, closing: Closing, tick: u64) {
        self.send(Frame::Close(closing), tick);
        self.is_closed = true;
    }
}
