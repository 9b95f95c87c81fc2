//! Players owned by clients, and the paths that they walk.

use bevy_ecs::prelude::*;
use nav::{CellPosition, NavClock, NavMap, NavTime, OnMap, Period};
use nav_grid::{Cell, Limits, Outcome, Path, PathQuery, Planner, Rules, Search, Status};
use nav_sim::sim::Wanderer;

/// Greatest distance in columns or rows of a cell that a client may order its player to. A guess:
/// more than a screen, and cheap enough to search.
pub(crate) const RANGE: u16 = 128;

/// A player that a client owns or has owned. It stays when the client leaves, so that a client that gives a
/// player back and takes it again gains no step.
#[derive(Component)]
pub(crate) struct Seat {
    way: Path,
    next_step: NavTime,
    period: Period,
    /// Its behaviour while it has no owner.
    wanderer: Option<Wanderer>,
}

/// The reason why a player does not walk as ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoCourse {
    #[error("you own no player: take one first")]
    NoPlayer,
    #[error("{0} is no ground of the map")]
    NoGround(Cell),
    #[error("{cell} is more than {RANGE} columns or rows away")]
    TooFar { cell: Cell },
    #[error("no way leads to {0}")]
    NoWay(Cell),
}

/// Gives a player to a client.
pub(crate) fn take(world: &mut World, player: Entity, period: Period) {
    let mut player = world.entity_mut(player);
    let wanderer = player.take::<Wanderer>();
    let wandered = wanderer.as_ref().map(Wanderer::next_step);
    let sat = player.get::<Seat>().map(|seat| seat.next_step);
    player.insert(Seat {
        way: Path::new(),
        next_step: wandered.max(sat).unwrap_or(NavTime(0)),
        period,
        wanderer,
    });
}

/// Takes a player back from its client. It resumes its own behaviour.
pub(crate) fn release(world: &mut World, player: Entity) {
    let Ok(mut player) = world.get_entity_mut(player) else {
        return;
    };
    let Some(mut seat) = player.get_mut::<Seat>() else {
        return;
    };
    seat.way.clear();
    let (next_step, wanderer) = (seat.next_step, seat.wanderer.take());
    if let Some(mut wanderer) = wanderer {
        wanderer.wait_until(next_step);
        player.insert(wanderer);
    }
}

/// Orders a player to walk to a cell. Returns its path, and the work of the search.
pub(crate) fn set_course(
    world: &mut World,
    planner: &mut Planner,
    player: Entity,
    to: Cell,
) -> (Result<Vec<Cell>, NoCourse>, u64) {
    let mut way = Path::new();
    let (found, work) = match search(world, planner, player, to, &mut way) {
        Ok(outcome) => (
            matches!(outcome.status, Status::Found | Status::AlreadyThere),
            outcome.counters.work().into(),
        ),
        Err(why) => return (Err(why), 1),
    };
    if !found {
        return (Err(NoCourse::NoWay(to)), work);
    }
    let cells = way.iter().collect();
    let Some(mut seat) = world.get_mut::<Seat>(player) else {
        return (Err(NoCourse::NoPlayer), work);
    };
    seat.way = way;
    (Ok(cells), work)
}

/// Searches for the way of a player to a cell.
fn search(
    world: &World,
    planner: &mut Planner,
    player: Entity,
    to: Cell,
    way: &mut Path,
) -> Result<Outcome, NoCourse> {
    let place = world
        .get::<CellPosition>(player)
        .ok_or(NoCourse::NoPlayer)?;
    let from = place.cell;
    let map = world.get::<OnMap>(player).ok_or(NoCourse::NoPlayer)?.0;
    let grid = world.get::<NavMap>(map).ok_or(NoCourse::NoPlayer)?.grid();
    if !grid.contains(to) || !grid.is_walkable(to) {
        return Err(NoCourse::NoGround(to));
    }
    if from.chebyshev(to) > RANGE {
        return Err(NoCourse::TooFar { cell: to });
    }
    let query = PathQuery::new(from, to)
        .with_rules(Rules::default())
        .with_limits(Limits::window(RANGE));
    Ok(planner.search(grid, &query, way))
}

/// Moves every owned player whose next step is due. A step that an edit forbids ends the path.
pub(crate) fn walk_courses(
    clock: Res<NavClock>,
    maps: Query<&NavMap>,
    mut players: Query<(&mut Seat, &OnMap, &mut CellPosition)>,
) {
    let now = clock.now();
    for (mut seat, on_map, mut position) in &mut players {
        if now < seat.next_step {
            continue;
        }
        let Some(to) = seat.way.peek() else {
            continue;
        };
        let may_step = maps
            .get(on_map.0)
            .is_ok_and(|map| map.grid().allows_move(position.cell, to, Rules::default()));
        if !may_step {
            seat.way.clear();
            continue;
        }
        seat.way.pop();
        *position = CellPosition::at(to);
        seat.next_step = now.after(seat.period);
    }
}
