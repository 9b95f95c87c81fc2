//! The slots of one formation: by its shape where there is room, else along the leader's way.

use super::FormationShape;
use crate::Activity;
use bevy_ecs::prelude::*;
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav_grid::{
    Area, Cell, Direction, Footprint, Grid, PathQuery, Rules, rules::BodyPolicy,
    smoothing::LineOfSight,
};
use std::collections::VecDeque;

/// Makes an agent the leader of those who are [`InFormation`](super::InFormation) with it.
///
/// Each member has a slot, in the order of [`AgentId`](nav::AgentId)s. Where the shape has no room for
/// it, as in a door, or the leader does not see it, the slot lies on the way that the leader took:
/// a formation goes through a door in a column, and spreads behind it.
#[derive(Component, Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "reflect",
    reflect(opaque, Component, Clone, Debug, PartialEq)
)]
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
#[require(Activity)]
pub struct Formation {
    /// How the members stand.
    pub shape: FormationShape,
    /// Cells from one slot to the next, at least 1.
    pub spacing: u16,
    /// Which way the leader goes, or last went.
    heading: Direction,
    /// The cells where the leader was, the last one first; it itself stands on the first.
    trail: VecDeque<Cell>,
}

impl Formation {
    /// A formation of a shape, one cell apart.
    pub const fn new(shape: FormationShape) -> Self {
        Self {
            shape,
            spacing: 1,
            heading: Direction::North,
            trail: VecDeque::new(),
        }
    }

    /// How many cells back the heading of the leader is taken from: one step more or less to the side
    /// does not turn the formation.
    const HEADING_CELLS: usize = 4;

    /// Most cells of the leader's way that are kept.
    const TRAIL_MAX: usize = 256;

    /// Notes where the leader of so many members is.
    pub(super) fn follow(&mut self, leader: Cell, members: usize) {
        let last = self.trail.front().copied();
        if last == Some(leader) {
            return;
        }
        if last.is_some_and(|last| last.floor != leader.floor || last.chebyshev(leader) > 1) {
            self.trail.clear();
        }
        self.trail.push_front(leader);
        let kept = (members + 1) * usize::from(self.spacing.max(1)) + Self::HEADING_CELLS;
        self.trail.truncate(kept.min(Self::TRAIL_MAX));
        let behind = Self::HEADING_CELLS.min(self.trail.len() - 1);
        if let Some(heading) = heading(self.trail[behind], leader) {
            self.heading = heading;
        }
    }

    /// Appends the slots of members who move by some rules, in their order. One for whom there is no
    /// room anywhere gets none.
    pub(super) fn place(
        &self,
        grid: &Grid,
        members: impl ExactSizeIterator<Item = Rules>,
        slots: &mut Vec<Option<Cell>>,
        areas: &mut Vec<Area>,
    ) {
        let Some(&leader) = self.trail.front() else {
            return;
        };
        areas.clear();
        areas.push(Footprint::ONE.area(leader));
        let count = members.len();
        let spacing = self.spacing.max(1);
        for (number, rules) in members.enumerate() {
            let rules = rules.with_bodies(BodyPolicy::Ignore);
            let has_room = |cell: &Cell| {
                let area = rules.footprint.area(*cell);
                grid.fits(*cell, rules.footprint) && !areas.iter().any(|taken| taken.meets(area))
            };
            let sees = |cell: &Cell| {
                let query = PathQuery::new(leader, *cell).with_rules(rules);
                LineOfSight::new(grid, &query).sees(leader, *cell)
            };
            let by_shape = self
                .shape
                .slot(leader, self.heading, spacing, (number, count))
                .filter(|cell| has_room(cell) && sees(cell));
            let behind = (number + 1) * usize::from(spacing);
            let slot = by_shape.or_else(|| {
                let mut trail = self.trail.iter().copied();
                trail.by_ref().take(behind).for_each(drop);
                trail.find(has_room)
            });
            areas.extend(slot.map(|cell| rules.footprint.area(cell)));
            slots.push(slot);
        }
    }
}

/// The direction nearest to that from one cell to another.
fn heading(from: Cell, to: Cell) -> Option<Direction> {
    let delta = |from: u16, to: u16| i32::from(to) - i32::from(from);
    let (x, y) = (delta(from.x, to.x), delta(from.y, to.y));
    // A slope below one half is nearer to straight on.
    let part = |along: i32, across: i32| {
        if 2 * along.abs() > across.abs() {
            along.signum()
        } else {
            0
        }
    };
    Direction::from_delta(part(x, y), part(y, x))
}
