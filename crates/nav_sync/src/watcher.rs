//! Who watches, and what waits to be sent to it.

use bevy_ecs::prelude::*;
use nav_protocol::{Ask, Packet, Request};
use std::collections::VecDeque;

/// Sent again in a tick at most.
const AGAIN_MAX: usize = 32;

/// A player or a camera whose client is sent what happens around it: in its screen and the eight around,
/// on its floor. Needs [`OnMap`](nav::OnMap) and [`CellPosition`](nav::CellPosition); its map gets
/// [`Screens`](nav::Screens) if it has none.
///
/// [`drain`](Self::drain) it in every tick, and [`receive`](Self::receive) what the client asks for.
#[derive(Component, Debug)]
pub struct Watcher {
    /// So many agents are in its view at most, those nearest to it; 500 by default. Up to 511 a view begins
    /// with a single packet.
    pub most: u16,
    pub(crate) outbox: VecDeque<Packet>,
    /// The last packets, in case that they are lost.
    pub(crate) history: VecDeque<Packet>,
    /// The sequence of the last packet.
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
    /// The packets that wait to be sent, oldest first.
    pub fn drain(&mut self) -> impl Iterator<Item = Packet> + '_ {
        self.outbox.drain(..)
    }

    /// How many packets wait to be sent.
    pub fn waiting(&self) -> usize {
        self.outbox.len()
    }

    /// Has the view begin anew in the next tick, or as soon as
    /// [`resync_interval`](crate::SyncSettings::resync_interval) allows.
    pub const fn resync(&mut self) {
        self.wants_resync = true;
    }

    /// Takes what a client asks for. More than a tick can do is left out: the client asks again.
    pub fn receive(&mut self, request: &Request) {
        match &request.ask {
            Ask::Resync => self.resync(),
            Ask::Again(sequences) => {
                let room = AGAIN_MAX.saturating_sub(self.again.len());
                self.again.extend(sequences.iter().take(room));
            }
        }
    }

    /// Puts the packets that were asked for into the outbox once more; if one is gone, the whole view is to
    /// begin anew.
    pub(crate) fn send_again(&mut self) {
        for sequence in self.again.drain(..) {
            let kept = self
                .history
                .binary_search_by_key(&sequence, |packet| packet.sequence);
            match kept {
                Ok(place) => self.outbox.push_back(self.history[place].clone()),
                // A packet that was never sent is nothing to answer.
                Err(_) => self.wants_resync |= sequence <= self.sequence,
            }
        }
    }

    /// Puts a packet into the outbox; keeps `history` of them.
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
