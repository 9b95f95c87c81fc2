//! The directions of a chaser's field around a cell.

use crate::{overview::number, said::FieldSays};
use bevy_ecs::{prelude::*, system::SystemState};
use nav::{NavMap, OnMap, Screens, UpcomingPath};
use nav_grid::Cell;

/// Columns and rows in an answer: a screen and the eight around it.
const COLUMNS: u16 = Screens::COLUMNS * 3;
const ROWS: u16 = Screens::ROWS * 3;

/// Characters for a cell where the field does not continue, and for one where a link does.
const NOTHING: u8 = b'.';
const LINK: u8 = b'L';

/// Returns the directions of a chaser's field around a cell; `None` for a missing agent.
pub(crate) fn field_around(
    world: &World,
    upcoming: &mut SystemState<UpcomingPath<'static, 'static>>,
    agent: Entity,
    around: Cell,
) -> Option<FieldSays> {
    let grid = world.get::<NavMap>(world.get::<OnMap>(agent)?.0)?.grid();
    let (x, width) = span(around.x, COLUMNS, grid.width());
    let (y, height) = span(around.y, ROWS, grid.height());
    let cells = (y..y + height).flat_map(|y| (x..x + width).map(move |x| Cell { x, y, ..around }));
    let upcoming = upcoming.get(world).ok()?;
    let mut signs = Vec::new();
    for (from, to) in upcoming.field_steps(agent, cells) {
        signs.resize(usize::from(width) * usize::from(height), NOTHING);
        let at = usize::from(from.y - y) * usize::from(width) + usize::from(from.x - x);
        signs[at] = sign(from, to);
    }
    Some(FieldSays {
        id: number(agent).into(),
        x,
        y,
        floor: around.floor,
        width,
        height,
        ways: String::from_utf8(signs).ok()?,
    })
}

/// Returns start and length of a span around `middle`, moved and cut to fit the map.
fn span(middle: u16, length: u16, end: u16) -> (u16, u16) {
    let length = length.min(end);
    let from = middle.saturating_sub(length / 2).min(end - length);
    (from, length)
}

/// Returns the character of a step: 0 for up, clockwise to 7, or that of a link.
fn sign(from: Cell, to: Cell) -> u8 {
    from.direction_to(to).map_or(LINK, |way| b'0' + way as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn view_stays_on_map() {
        assert_eq!(span(30, 10, 100), (25, 10));
        assert_eq!(span(2, 10, 100), (0, 10));
        assert_eq!(span(99, 10, 100), (90, 10));
        assert_eq!(span(u16::MAX, 10, 6), (0, 6));
    }
}
