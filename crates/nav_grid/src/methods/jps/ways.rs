//! Directions as numbers, which code is made for one by one.

use crate::cell::Direction;

pub(crate) const NORTH: u8 = Direction::North as u8;
pub(crate) const EAST: u8 = Direction::East as u8;
pub(crate) const SOUTH: u8 = Direction::South as u8;
pub(crate) const WEST: u8 = Direction::West as u8;

pub(crate) const fn opposite(way: u8) -> u8 {
    (way + 4) % 8
}

/// The diagonal between two straight directions.
pub(crate) const fn between(way: u8, other: u8) -> u8 {
    match (way, other) {
        (EAST, NORTH) | (NORTH, EAST) => Direction::NorthEast as u8,
        (EAST, SOUTH) | (SOUTH, EAST) => Direction::SouthEast as u8,
        (WEST, SOUTH) | (SOUTH, WEST) => Direction::SouthWest as u8,
        _ => Direction::NorthWest as u8,
    }
}

/// The cell so many steps straight ahead.
#[inline]
pub(crate) const fn moved<const WAY: u8>((x, y): (u32, u32), steps: u32) -> (u32, u32) {
    match WAY {
        NORTH => (x, y.wrapping_sub(steps)),
        SOUTH => (x, y.wrapping_add(steps)),
        WEST => (x.wrapping_sub(steps), y),
        _ => (x.wrapping_add(steps), y),
    }
}

/// The direction from one cell toward another.
pub(crate) const fn toward((x, y): (u32, u32), to: (u32, u32)) -> u32 {
    let way = match (to.0 as i32 - x as i32, to.1 as i32 - y as i32) {
        (0, ..=0) => Direction::North,
        (0, _) => Direction::South,
        (1.., 0) => Direction::East,
        (1.., ..0) => Direction::NorthEast,
        (1.., _) => Direction::SouthEast,
        (_, 0) => Direction::West,
        (_, ..0) => Direction::NorthWest,
        _ => Direction::SouthWest,
    };
    way as u32
}
