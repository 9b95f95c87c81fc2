//! The paths of all chasers in a part of the map.

use crate::{
    overview::number,
    said::{WaysAsk, WaysSays, triple},
};
use bevy_ecs::{prelude::*, system::SystemState};
use nav::{CellPosition, UpcomingPath};
use nav_grid::{Area, Cell};

/// Most paths in an answer. With more chasers, every second, every third and so on is sent. A
/// guess: more lines cannot be told apart.
const WAYS_MAX: usize = 300;

/// Steps of each path. A guess, equal to the default of `nav_sync`.
const STEPS: u16 = 24;

/// Returns the paths of the agents in a part of the map.
pub(crate) fn ways_in(
    world: &World,
    upcoming: &mut SystemState<UpcomingPath<'static, 'static>>,
    agents: impl Iterator<Item = Entity>,
    ask: WaysAsk,
) -> WaysSays {
    let WaysAsk {
        x,
        y,
        width,
        height,
        floor,
    } = ask;
    let first = Cell::new(x, y).on_floor(floor);
    let last = Cell {
        x: x.saturating_add(width),
        y: y.saturating_add(height),
        ..first
    };
    let area = Area::new(first, last);
    let place = |agent: Entity| world.get::<CellPosition>(agent).map(|place| place.cell);
    let here = agents.filter_map(|agent| Some((agent, place(agent)?)));
    let here: Vec<_> = here.filter(|(_, at)| area.contains(*at)).collect();
    let every = here.len().div_ceil(WAYS_MAX).max(1);
    let Ok(upcoming) = upcoming.get(world) else {
        return WaysSays::default();
    };
    let ways = here.iter().step_by(every).filter_map(|&(agent, at)| {
        let mut cells = vec![triple(at)];
        cells.extend(upcoming.cells(agent, STEPS).map(|point| triple(point.cell)));
        (cells.len() > 1).then(|| (number(agent), cells))
    });
    WaysSays {
        floor,
        ways: ways.collect(),
    }
}
