//! Watchers, and the packets that wait for them.

use bevy_ecs::prelude::*;
use nav_protocol::{Ask, Packet, Request};
use std::collections::VecDeque;

/// Most packets sent again to a watcher in a tick: two full requests.
const AGAIN_MAX: usize = 32;

/// A player or a camera whose client receives the agents around it: in its screen and the eight
/// screens around, on its floor.
///
/// Needs [`OnMap`](nav::OnMap) and [`CellPosition`](nav::CellPosition). Its map gets
/// [`Screens`](nav::Screens) if it has none.
///
/// In every tick, [`drain`](Self::drain) it, and pass requests of the client to
/// [`receive`](Self::receive).
#[derive(Component, Debug)]
pub struct Watcher {
    /// Most agents in the view, the nearest ones; 500 by default. Up to 511, a view starts with a
    /// single packet.
    pub most: u16,
    pub(crate) outbox: VecDeque<Packet>,
    /// The last packets, kept in case they are lost.
    pub(crate) history: VecDeque<Packet>,
    /// Sequence of the last packet.
    pub(crate) sequence: u32,
    pub(crate) wants_resync: bool,
    pub(crate) again: Vec<u32>,
}

impl Default for Watcher {
    fn default() -> Self {
        Self {
            most: 500,
            outbox: VecDeque::new(),
            history: VecDeque::new(),
            sequence: 0,
            wants_resync: false,
            again: Vec::new(),
        }
    }
}

impl Watcher {
    /// Removes and returns the packets to send, oldest first.
    pub fn drain(&mut self) -> impl Iterator<Item = Packet> + '_ {
        self.outbox.drain(..)
    }

    /// Returns the number of packets that wait to be sent.
    pub fn waiting(&self) -> usize {
        self.outbox.len()
    }

    /// Requests that the view starts again, in the next tick or as soon as
    /// [`resync_interval`](crate::SyncSettings::resync_interval) allows.
    pub const fn resync(&mut self) {
        self.wants_resync = true;
    }

    /// Accepts a request of the client. Sequences beyond the limit of a tick are ignored: the
    /// client asks again.
    pub fn receive(&mut self, request: &Request) {
        match &request.ask {
            Ask::Resync => self.resync(),
            Ask::Again(sequences) => {
                let room = AGAIN_MAX.saturating_sub(self.again.len());
                self.again.extend(sequences.iter().take(room));
            }
        }
    }

    /// Puts requested packets into the outbox again. If one is no longer kept, the whole view
    /// starts again.
    pub(crate) fn send_again(&mut self) {
        for sequence in self.again.drain(..) {
            let kept = self
                .history
                .binary_search_by_key(&sequence, |packet| packet.sequence);
            match kept {
                Ok(place) => self.outbox.push_back(self.history[place].clone()),
                // A sequence that was never sent needs no answer.
                Err(_) => self.wants_resync |= sequence <= self.sequence,
            }
        }
    }

    /// Puts a packet into the outbox, and keeps the last `history` packets.
    pub(crate) fn send(&mut self, packet: Packet, history: usize) {
        while self.history.len() >= history.max(1) {
            self.history.pop_front();
        }
        if history > 0 {
            self.history.push_back(packet.clone());
        }
        self.outbox.push_back(packet);
    }
}
