//! Players owned by clients, and the paths that they walk.

use crate::{
    connection::ClientId,
    messages::{Answer, ServerMessage, triple},
};
use bevy_ecs::prelude::*;
use nav::{CellPosition, NavClock, NavMap, NavTime, OnMap, Period};
use nav_grid::{Cell, Limits, Path, PathQuery, Planner, Rules, Search, Status};
use nav_sim::{Scenario, sim::Wanderer};
use std::{collections::BTreeMap, time::Duration};

/// Greatest distance in columns or rows of a cell to which a client may send its player:
/// more than a screen, and a search of at most 257×257 cells.
const RANGE: u16 = 128;

/// A player that a client owns or has owned. It stays when the client leaves, so that a client that
/// gives a player back and takes it again gains no step.
#[derive(Component)]
pub(crate) struct Walk {
    path: Path,
    next_step: NavTime,
    period: Period,
    /// Its behaviour while it has no owner.
    wanderer: Option<Wanderer>,
}

/// The players in order, each with the client that owns it.
pub(crate) struct Players {
    owners: BTreeMap<Entity, Option<ClientId>>,
    /// Time of a step.
    period: Period,
    planner: Planner,
}

impl Players {
    /// Creates it for the targets of a scenario.
    pub(crate) fn new(players: impl Iterator<Item = Entity>, scenario: &Scenario) -> Self {
        let period = Duration::try_from_secs_f64(scenario.target.step_seconds);
        Self {
            owners: players.map(|player| (player, None)).collect(),
            period: period.unwrap_or_default().into(),
            planner: Planner::new(),
        }
    }

    /// Returns the first player, if there is any.
    pub(crate) fn first(&self) -> Option<Entity> {
        self.owners.keys().next().copied()
    }

    /// Returns the number of players with an owner, and of all.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.owners.values().flatten().count(), self.owners.len())
    }

    /// Gives the first free player to a client. An error is a sentence.
    pub(crate) fn take(&mut self, world: &mut World, client: ClientId) -> Result<Entity, String> {
        let count = self.owners.len();
        let mut players = self.owners.iter_mut();
        let free = players.find(|(_, owner)| owner.is_none());
        let (&player, owner) = free.ok_or_else(|| format!("all {count} players are taken"))?;
        *owner = Some(client);
        let mut entity = world.entity_mut(player);
        let wanderer = entity.take::<Wanderer>();
        let wandered = wanderer.as_ref().map(Wanderer::next_step);
        let walked = entity.get::<Walk>().map(|walk| walk.next_step);
        entity.insert(Walk {
            path: Path::new(),
            next_step: wandered.max(walked).unwrap_or(NavTime(0)),
            period: self.period,
            wanderer,
        });
        Ok(player)
    }

    /// Takes a player back from its client. It resumes its own behaviour.
    pub(crate) fn release(&mut self, world: &mut World, player: Entity) {
        if let Some(owner) = self.owners.get_mut(&player) {
            *owner = None;
        }
        let Some(mut walk) = world.get_mut::<Walk>(player) else {
            return;
        };
        walk.path.clear();
        let (next_step, wanderer) = (walk.next_step, walk.wanderer.take());
        if let Some(mut wanderer) = wanderer {
            wanderer.wait_until(next_step);
            world.entity_mut(player).insert(wanderer);
        }
    }

    /// Sends a player to a cell. Returns its path, and the work of the search.
    pub(crate) fn walk(
        &mut self,
        world: &mut World,
        player: Option<Entity>,
        to: Cell,
    ) -> (Answer, u64) {
        let mut path = Path::new();
        let work = match self.search(world, player, to, &mut path) {
            Ok(work) => work,
            Err((why, work)) => return (Err(why), work),
        };
        let cells = path.iter().map(triple).collect();
        if let Some(mut walk) = player.and_then(|player| world.get_mut::<Walk>(player)) {
            walk.path = path;
        }
        (Ok(Some(ServerMessage::Course(cells))), work)
    }

    /// Searches for the path of a player to a cell. Returns the work, beside it why there is no
    /// path.
    fn search(
        &mut self,
        world: &World,
        player: Option<Entity>,
        to: Cell,
        path: &mut Path,
    ) -> Result<u64, (String, u64)> {
        let owned = player.and_then(|player| {
            let map = world.get::<OnMap>(player)?.0;
            let from = world.get::<CellPosition>(player)?.cell;
            Some((from, world.get::<NavMap>(map)?.grid()))
        });
        let Some((from, grid)) = owned else {
            return Err(("you own no player: take one first".to_owned(), 1));
        };
        if !grid.contains(to) || !grid.is_walkable(to) {
            return Err((format!("{to} is no ground of the map"), 1));
        }
        if from.chebyshev(to) > RANGE {
            return Err((format!("{to} is more than {RANGE} columns or rows away"), 1));
        }
        let query = PathQuery::new(from, to).with_limits(Limits::window(RANGE));
        let outcome = self.planner.search(grid, &query, path);
        let work = outcome.counters.work().into();
        match outcome.status {
            Status::Found | Status::AlreadyThere => Ok(work),
            _ => Err((format!("no way leads to {to}"), work)),
        }
    }
}

/// Moves every owned player whose next step is due. A step that an edit forbids ends the path.
pub(crate) fn walk_paths(
    clock: Res<NavClock>,
    maps: Query<&NavMap>,
    mut players: Query<(&mut Walk, &OnMap, &mut CellPosition)>,
) {
    let now = clock.now();
    for (mut walk, on_map, mut position) in &mut players {
        if now < walk.next_step {
            continue;
        }
        let Some(to) = walk.path.peek() else {
            continue;
        };
        let may_step = maps
            .get(on_map.0)
            .is_ok_and(|map| map.grid().allows_move(position.cell, to, Rules::default()));
        if !may_step {
            walk.path.clear();
            continue;
        }
        walk.path.pop();
        *position = CellPosition::at(to);
        walk.next_step = now.after(walk.period);
    }
}
