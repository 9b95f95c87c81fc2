//! Drawings of a few rows, by which tests set bodies on ground and look where they are afterwards.
//!
//! `#` is wall, `.` free ground, and `=` ground that the gate closes. `o` and `T` mark free ground
//! for a test, and `?` ground that the gate closes. Any other sign is a body on all cells with that
//! sign: a digit a soft one, any other a solid one.

use super::{ground::StripGround, outcomes::Outcomes, proposals::Proposal};
use crate::{
    Body, BodyKind, Chaser, Chasing,
    components::Tuning,
    occupancy::{BodyPlaces, Gate, OccupancyRows},
    systems::{
        guidance::Ranked,
        storage::columns::{ChaserData, ChaserView},
    },
};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Footprint, Grid};
use std::sync::Arc;

/// The map of all drawings.
pub(super) const MAP: Entity = Entity::PLACEHOLDER;

pub(super) struct Drawing {
    rows: Vec<Vec<char>>,
    pub(super) grid: Grid,
    pub(super) places: BodyPlaces,
    pub(super) outcomes: Outcomes,
}

/// Opens all cells but some.
struct Closed(Vec<Cell>);

impl Gate for Closed {
    fn is_inner(&self, _: Cell) -> bool {
        self.0.is_empty()
    }

    fn is_open(&self, cell: Cell) -> bool {
        !self.0.contains(&cell)
    }

    fn admits(&self, _: Entity, _: Cell) -> bool {
        false
    }
}

/// The body that a sign stands for.
pub(super) fn agent(sign: char) -> Entity {
    Entity::from_raw_u32(sign.into()).expect("a valid index")
}

impl Drawing {
    pub(super) fn new<R: AsRef<str>>(rows: &[R]) -> Self {
        let rows: Vec<Vec<char>> = rows
            .iter()
            .map(|row| row.as_ref().chars().collect())
            .collect();
        let (width, height) = (rows[0].len() as u16, rows.len() as u16);
        let sign = |cell: Cell| rows[usize::from(cell.y)][usize::from(cell.x)];
        let grid = Grid::from_fn(width, height, |cell| sign(cell) != '#');
        let mut drawing = Self {
            grid: grid.expect("sides of a map"),
            rows,
            places: BodyPlaces::default(),
            outcomes: Outcomes::default(),
        };
        let closed = drawing.cells().filter(|&(_, sign)| "=?".contains(sign));
        let closed = Closed(closed.map(|(cell, _)| cell).collect());
        drawing.places.set_gate(Some(Arc::new(closed)));
        let size = drawing.grid.size();
        for sign in drawing.signs() {
            let (footprint, cell) = (drawing.body(sign).footprint, drawing.find(sign));
            drawing.places.put(agent(sign), MAP, size, footprint, cell);
        }
        drawing.outcomes.begin_tick(drawing.places.agents());
        drawing
    }

    /// Returns all cells with their signs, in reading order.
    fn cells(&self) -> impl Iterator<Item = (Cell, char)> {
        let rows = (0..).zip(&self.rows);
        rows.flat_map(|(y, row)| {
            (0..)
                .zip(row)
                .map(move |(x, &sign)| (Cell::new(x, y), sign))
        })
    }

    /// Returns the signs of bodies, each once.
    pub(super) fn signs(&self) -> Vec<char> {
        let mut signs: Vec<char> = self.cells().map(|(_, sign)| sign).collect();
        signs.retain(|&sign| !"#.=o?T".contains(sign));
        signs.sort_unstable();
        signs.dedup();
        signs
    }

    /// Returns the first cell with a sign, if it is drawn.
    pub(super) fn first(&self, sign: char) -> Option<Cell> {
        let mut cells = self.cells();
        Some(cells.find(|&(_, other)| other == sign)?.0)
    }

    pub(super) fn find(&self, sign: char) -> Cell {
        self.first(sign).expect("a sign of the drawing")
    }

    /// Returns a body as it is drawn.
    pub(super) fn body(&self, sign: char) -> Body {
        let row = self.find(sign).y;
        let cells = self.cells();
        let side = cells.filter(|&(cell, other)| (cell.y, other) == (row, sign));
        Body {
            kind: if sign.is_ascii_digit() {
                BodyKind::Soft
            } else {
                BodyKind::Solid
            },
            footprint: Footprint::new(side.count() as u8).expect("a side"),
        }
    }

    /// Returns the proposal of a body that waited and pushes.
    pub(super) fn proposal(&self, sign: char, ranked: Ranked) -> Proposal {
        Proposal {
            rank: sign.into(),
            agent: agent(sign),
            target: MAP,
            map: MAP,
            from: self.find(sign),
            body: self.body(sign),
            tuning: Tuning::default(),
            ranked,
            waits: 3,
            pushes: true,
            field: None,
            is_in_front: false,
            presses: true,
            is_under: false,
            minds_stayers: true,
        }
    }

    pub(super) fn floor(&mut self) -> OccupancyRows<'_> {
        self.places.floor(MAP, 0).expect("a map with bodies")
    }

    pub(super) fn ground(&mut self) -> StripGround<'_> {
        StripGround {
            rows: self.places.floor(MAP, 0).expect("a map with bodies"),
            outcomes: &self.outcomes,
        }
    }

    /// Draws the bodies where they are now.
    pub(super) fn picture(&self) -> Vec<String> {
        let map = self.places.of(MAP).expect("a map with bodies");
        let sign = |(x, y), sign: char| {
            let holder = map.holder(Cell::new(x, y));
            let holder = holder.and_then(|holder| char::from_u32(holder.index()));
            holder.unwrap_or(if "#=".contains(sign) { sign } else { '.' })
        };
        let row = |(y, row): (u16, &Vec<char>)| {
            let cells = (0..).zip(row);
            cells.map(|(x, &drawn)| sign((x, y), drawn)).collect()
        };
        (0..).zip(&self.rows).map(row).collect()
    }
}

/// Passes the view of a chaser on no map, which has further components, to a function. Returns it
/// with its world.
pub(super) fn visit(components: impl Bundle, visit: impl FnMut(ChaserView)) -> (World, Entity) {
    let mut world = World::new();
    let target = world.spawn_empty().id();
    let chaser = (Chaser::default(), Tuning::default(), Chasing(target));
    let chaser = world.spawn(chaser).insert(components).id();
    let mut chasers = world.query::<ChaserData>();
    chasers
        .get_mut(&mut world, chaser)
        .expect("the components of a chaser")
        .visit(visit);
    (world, chaser)
}
