//! The clients: the view of each, its player, and what is sent to it after a tick.

use crate::{
    connection::{ClientId, Connection, Encoding, Sent, View},
    frame::{Closing, Frame},
    messages::ServerMessage,
    metrics::Metrics,
    overview::Overview,
};
use axum::body::Bytes;
use bevy_ecs::prelude::*;
use nav::{CellPosition, OnMap};
use nav_grid::Cell;
use nav_protocol::{Packet, Request};
use nav_sim::sim::Figure;
use nav_sync::Watcher;
use std::collections::BTreeMap;

/// A client.
pub(crate) struct Client {
    connection: Connection,
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

/// All clients.
pub(crate) struct Clients {
    by_id: BTreeMap<ClientId, Client>,
    /// All agents, for clients that see all.
    pub(crate) overview: Overview,
}

/// Seconds between two requests of a client for its whole view, which costs as much as twenty ticks
/// of changes: a fifth more at 20 ticks a second. A connection that loses nothing needs none.
const REQUEST: u64 = 5;

/// Seconds after which a client that misses frames is closed. A guess.
const STUCK: u64 = 10;

impl Clients {
    /// Creates it without clients.
    pub(crate) fn new(agents: &[Figure]) -> Self {
        let mut overview = Overview::default();
        overview.update(agents);
        Self {
            by_id: BTreeMap::new(),
            overview,
        }
    }

    /// Adds a client. If it sees what is near, its camera starts at a cell of a map.
    pub(crate) fn join(
        &mut self,
        world: &mut World,
        id: ClientId,
        connection: Connection,
        (map, at): (Entity, Cell),
    ) {
        let camera = (Watcher::default(), OnMap(map), CellPosition::at(at));
        let watcher = (!connection.sees_all()).then(|| world.spawn(camera).id());
        let client = Client {
            connection,
            watcher,
            player: None,
            needs_all: true,
            request: None,
            next_request: 0,
        };
        self.by_id.insert(id, client);
    }

    /// Removes a client. Returns its player.
    pub(crate) fn leave(&mut self, world: &mut World, id: ClientId) -> Option<Entity> {
        let client = self.by_id.remove(&id)?;
        if let Some(watcher) = client.watcher {
            world.despawn(watcher);
        }
        client.player
    }

    pub(crate) fn get_mut(&mut self, id: ClientId) -> Option<&mut Client> {
        self.by_id.get_mut(&id)
    }

    pub(crate) fn count(&self) -> usize {
        self.by_id.len()
    }

    /// Returns the number of frames in the queues of all clients.
    pub(crate) fn waiting(&self) -> usize {
        let clients = self.by_id.values();
        clients.map(|client| client.connection.waiting()).sum()
    }

    /// Returns whether any client sees all agents.
    pub(crate) fn any_sees_all(&self) -> bool {
        let mut clients = self.by_id.values();
        clients.any(|client| client.connection.sees_all())
    }

    /// Moves the cameras of clients to their players.
    pub(crate) fn follow_players(&self, world: &mut World) {
        for client in self.by_id.values() {
            let player = client.player.and_then(|it| world.get::<CellPosition>(it));
            if let Some(&place) = player {
                client.move_camera(world, place);
            }
        }
    }

    /// Sends a message to a client.
    pub(crate) fn send(&mut self, id: ClientId, message: &ServerMessage, tick: u64) {
        if let Some(client) = self.by_id.get_mut(&id)
            && let Ok(text) = serde_json::to_string(message)
        {
            client.connection.send(Frame::Text(text.into()), tick);
        }
    }

    /// Sends a message to all clients that see all agents.
    pub(crate) fn send_to_all(&mut self, message: &ServerMessage, tick: u64) {
        let Ok(text) = serde_json::to_string(message) else {
            return;
        };
        let frame = Frame::Text(text.into());
        for client in self.by_id.values_mut() {
            if client.connection.sees_all() {
                client.connection.send(frame.clone(), tick);
            }
        }
    }

    /// Sends the changes of a tick to all clients. Returns the clients that are gone or must be
    /// closed.
    pub(crate) fn send_changes(
        &mut self,
        world: &mut World,
        (tick, hz): (u64, u32),
        metrics: &mut Metrics,
    ) -> Vec<ClientId> {
        let overview = &self.overview;
        let changes = overview.changes(tick);
        // Written once, when a client first needs it.
        let mut all: Option<Bytes> = None;
        let mut ending = Vec::new();
        for (&id, client) in &mut self.by_id {
            let sent = match client.connection.view {
                View::All => client.send_overview(tick, changes.as_ref(), || {
                    all.get_or_insert_with(|| overview.all(tick)).clone()
                }),
                View::Near(encoding) => client.send_packets(world, (tick, hz), encoding),
            };
            match sent {
                Sent::Queued => metrics.frames += 1,
                Sent::Missed => metrics.missed += 1,
                Sent::Gone => ending.push(id),
            }
            let connection = &mut client.connection;
            if connection.is_stuck(tick, STUCK * u64::from(hz)) {
                connection.close(Closing::TooSlow, tick);
                ending.push(id);
            }
        }
        ending
    }

    /// Closes all connections.
    pub(crate) fn close_all(&mut self, closing: Closing, tick: u64) {
        for client in self.by_id.values_mut() {
            client.connection.close(closing, tick);
        }
    }
}

impl Client {
    pub(crate) const fn may_control(&self) -> bool {
        self.connection.may_control
    }

    /// Notes what the client asks of its view. The last request counts, once it is due.
    pub(crate) fn request(&mut self, request: Request) {
        self.request = Some(request);
    }

    /// Moves the camera to a cell.
    pub(crate) fn look(&self, world: &mut World, at: Cell) {
        self.move_camera(world, CellPosition::at(at));
    }

    fn move_camera(&self, world: &mut World, to: CellPosition) {
        let watcher = self.watcher;
        if let Some(mut camera) = watcher.and_then(|it| world.get_mut::<CellPosition>(it))
            && camera.cell != to.cell
        {
            *camera = to;
        }
    }

    /// Sends the changes, or all agents if the client missed frames.
    fn send_overview(
        &mut self,
        tick: u64,
        changes: Option<&Bytes>,
        all: impl FnOnce() -> Bytes,
    ) -> Sent {
        if self.connection.misses() && !self.connection.caught_up() {
            self.needs_all = true;
            return Sent::Missed;
        }
        let bytes = match changes {
            _ if self.needs_all => all(),
            Some(changes) => changes.clone(),
            None => return Sent::Queued,
        };
        let sent = self.connection.send(Frame::Binary(bytes), tick);
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
        let watcher = self.watcher;
        let Some(mut watcher) = watcher.and_then(|it| world.get_mut::<Watcher>(it)) else {
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
        if self.connection.misses() {
            watcher.drain().for_each(drop);
            if !self.connection.caught_up() {
                return Sent::Missed;
            }
            watcher.resync();
            return Sent::Queued;
        }
        for packet in watcher.drain() {
            let Some(frame) = encoded(&packet, encoding) else {
                continue;
            };
            let sent = self.connection.send(frame, tick);
            if sent != Sent::Queued {
                return sent;
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
