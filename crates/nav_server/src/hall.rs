//! All connections: the view of each client, and the player that it owns.

use crate::{
    frame::{Closing, Frame},
    link::{Encoding, Link, LinkId, Sent, View},
    metrics::Metrics,
    overview::Overview,
    said::ServerSays,
};
use axum::body::Bytes;
use bevy_ecs::prelude::*;
use nav::{CellPosition, OnMap};
use nav_grid::Cell;
use nav_protocol::{Packet, Request};
use nav_sync::Watcher;
use std::collections::BTreeMap;

/// A client.
pub(crate) struct Guest {
    pub(crate) link: Link,
    /// The entity of its [`Watcher`], if it sees what is near.
    watcher: Option<Entity>,
    /// Its player.
    pub(crate) player: Option<Entity>,
    /// Whether the next frame must contain all agents, not only changes.
    needs_all: bool,
    /// Its request about its view, until that is due.
    request: Option<Request>,
    /// The tick from which on the next request counts.
    next_request: u64,
}

/// All connections.
#[derive(Default)]
pub(crate) struct Hall {
    pub(crate) guests: BTreeMap<LinkId, Guest>,
}

/// Seconds between two requests of a client for its whole view, which costs as much as twenty ticks of
/// changes. A guess: a connection that loses nothing needs none.
const REQUEST: u64 = 5;

/// Seconds after which a client that misses frames is closed. A guess.
const STUCK: u64 = 10;

impl Hall {
    /// Adds a client. If it sees what is near, its camera starts at a cell.
    pub(crate) fn join(
        &mut self,
        world: &mut World,
        id: LinkId,
        link: Link,
        map: Entity,
        at: Cell,
    ) {
        let watcher = match link.view {
            View::All => None,
            View::Near(_) => {
                let camera = (Watcher::default(), OnMap(map), CellPosition::at(at));
                Some(world.spawn(camera).id())
            }
        };
        let guest = Guest {
            link,
            watcher,
            player: None,
            needs_all: true,
            request: None,
            next_request: 0,
        };
        self.guests.insert(id, guest);
    }

    /// Removes a client. Returns its player.
    pub(crate) fn leave(&mut self, world: &mut World, id: LinkId) -> Option<Entity> {
        let guest = self.guests.remove(&id)?;
        if let Some(watcher) = guest.watcher {
            world.despawn(watcher);
        }
        guest.player
    }

    /// Moves the camera of a client.
    pub(crate) fn look(&mut self, world: &mut World, id: LinkId, at: Cell) {
        let watcher = self.guests.get(&id).and_then(|guest| guest.watcher);
        if let Some(watcher) = watcher
            && let Some(mut place) = world.get_mut::<CellPosition>(watcher)
            && place.cell != at
        {
            *place = CellPosition::at(at);
        }
    }

    /// Notes what a client asks of its view. The last request counts, once it is due.
    pub(crate) fn request(&mut self, id: LinkId, request: Request) {
        if let Some(guest) = self.guests.get_mut(&id) {
            guest.request = Some(request);
        }
    }

    /// Moves the cameras of clients to their players.
    pub(crate) fn follow_players(&mut self, world: &mut World) {
        for guest in self.guests.values() {
            if let (Some(watcher), Some(player)) = (guest.watcher, guest.player)
                && let Some(&place) = world.get::<CellPosition>(player)
                && let Some(mut camera) = world.get_mut::<CellPosition>(watcher)
                && camera.cell != place.cell
            {
                *camera = place;
            }
        }
    }

    /// Sends a message to a client.
    pub(crate) fn say(&mut self, id: LinkId, says: &ServerSays, tick: u64) {
        if let (Some(guest), Ok(text)) = (self.guests.get_mut(&id), serde_json::to_string(says)) {
            guest.link.send(Frame::Text(text.into()), tick);
        }
    }

    /// Sends a message to all clients that see all agents.
    pub(crate) fn say_to_all(&mut self, says: &ServerSays, tick: u64) {
        let Ok(text) = serde_json::to_string(says) else {
            return;
        };
        let frame = Frame::Text(text.into());
        for guest in self.guests.values_mut() {
            if guest.link.view == View::All {
                guest.link.send(frame.clone(), tick);
            }
        }
    }

    /// Returns whether any client sees all agents.
    pub(crate) fn sees_all(&self) -> bool {
        self.guests
            .values()
            .any(|guest| guest.link.view == View::All)
    }

    /// Sends the changes of a tick to all clients. Returns the clients that are gone or must be
    /// closed.
    pub(crate) fn send_news(
        &mut self,
        world: &mut World,
        overview: &Overview,
        (tick, hz): (u64, u32),
        metrics: &mut Metrics,
    ) -> Vec<LinkId> {
        let changes = overview.changes(tick);
        // Written once, when a client first needs it.
        let mut all: Option<Bytes> = None;
        let mut ending = Vec::new();
        for (&id, guest) in &mut self.guests {
            let missed = match guest.link.view {
                View::All => guest.send_overview(tick, changes.as_ref(), || {
                    all.get_or_insert_with(|| overview.all(tick)).clone()
                }),
                View::Near(encoding) => guest.send_packets(world, (tick, hz), encoding),
            };
            match missed {
                Sent::Queued => metrics.frames += 1,
                Sent::Missed => metrics.missed += 1,
                Sent::Gone => ending.push(id),
            }
            if guest.link.is_stuck(tick, STUCK * u64::from(hz)) {
                guest.link.close(Closing::TooSlow, tick);
                ending.push(id);
            }
        }
        ending
    }

    /// Closes all connections.
    pub(crate) fn close_all(&mut self, closing: Closing, tick: u64) {
        for guest in self.guests.values_mut() {
            guest.link.close(closing, tick);
        }
    }
}

impl Guest {
    /// Sends the changes, or all agents if the client missed frames.
    fn send_overview(
        &mut self,
        tick: u64,
        changes: Option<&Bytes>,
        all: impl FnOnce() -> Bytes,
    ) -> Sent {
        if self.link.misses() && !self.link.caught_up() {
            self.needs_all = true;
            return Sent::Missed;
        }
        let bytes = if self.needs_all {
            all()
        } else {
            match changes {
                Some(changes) => changes.clone(),
                None => return Sent::Queued,
            }
        };
        let sent = self.link.send(Frame::Binary(bytes), tick);
        self.needs_all = sent != Sent::Queued;
        sent
    }

    /// Sends the waiting packets of its watcher. If one is lost, the view starts again when there
    /// is room.
    fn send_packets(
        &mut self,
        world: &mut World,
        (tick, hz): (u64, u32),
        encoding: Encoding,
    ) -> Sent {
        let Some(mut watcher) = self
            .watcher
            .and_then(|watcher| world.get_mut::<Watcher>(watcher))
        else {
            return Sent::Gone;
        };
        if tick >= self.next_request
            && let Some(request) = self.request.take()
        {
            watcher.receive(&request);
            self.next_request = tick + REQUEST * u64::from(hz);
        }
        if watcher.waiting() == 0 {
            return Sent::Queued;
        }
        if self.link.misses() {
            watcher.drain().for_each(drop);
            if !self.link.caught_up() {
                return Sent::Missed;
            }
            watcher.resync();
            return Sent::Queued;
        }
        for packet in watcher.drain() {
            let Some(frame) = encoded(&packet, encoding) else {
                continue;
            };
            match self.link.send(frame, tick) {
                Sent::Queued => {}
                other => return other,
            }
        }
        Sent::Queued
    }
}

/// Encodes a packet as a frame. `None` if that fails, which the client notices as a loss.
fn encoded(packet: &Packet, encoding: Encoding) -> Option<Frame> {
    Some(match encoding {
        Encoding::Json => Frame::Text(packet.to_json().ok()?.into()),
        Encoding::Postcard => Frame::Binary(packet.to_postcard().ok()?.into()),
    })
}
