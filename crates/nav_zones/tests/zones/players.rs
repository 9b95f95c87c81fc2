//! Players that walk about.

use bevy_ecs::prelude::*;
use nav::{AgentId, CellPosition, NavMap, OnMap, extend::Mirror};
use nav_grid::Cell;
use serde::{Deserialize, Serialize};

/// The component of the game that players keep from zone to zone: the number of their steps.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Player {
    pub steps: u32,
}

/// The players that live here.
pub type Players<'w, 's> = Query<
    'w,
    's,
    (
        &'static AgentId,
        &'static mut Player,
        &'static OnMap,
        &'static mut CellPosition,
    ),
    Without<Mirror>,
>;

/// Moves every player a step in a drawn direction. Without a direction, or into a wall, a player
/// stays.
pub fn step_all(maps: &Query<&NavMap>, players: &mut Players, draw: impl Fn(AgentId) -> u64) {
    for (&id, mut player, on_map, mut position) in players {
        let Ok(map) = maps.get(on_map.0) else {
            continue;
        };
        let draw = draw(id);
        let (across, down) = (draw % 3, draw / 3 % 3);
        let to = Cell::new(
            (position.cell.x + across as u16).wrapping_sub(1),
            (position.cell.y + down as u16).wrapping_sub(1),
        );
        if map.grid().is_walkable(to) {
            position.cell = to;
            player.steps += 1;
        }
    }
}
