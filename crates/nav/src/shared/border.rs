//! Which cells are this process's own, and what its solid bodies may do beyond.

use bevy_ecs::{entity::EntityHashMap, prelude::*};
use nav_grid::{Area, Cell};

/// How far from its target, in columns and rows, a body looks for a way around others: further than
/// default searches see, so that another door is found which is not in the same wall. So far beyond their borders
/// processes that share a world have to know who stands where.
pub const DETOUR_RADIUS: u16 = 48;

/// The cells of which this process decides who stands on them; without this resource, all.
///
/// Cells beyond are closed to solid bodies: each covers new ones only by a step that was lent to it, by the processes
/// that have them. Soft bodies and ghosts step as ever, and what a body covers already it may go on covering.
///
/// A solid body that has no cell to step to, and would have one if it were lent, wishes for that step. It looks again
/// at its chasing period, and in the tick in which the step is lent; bodies did not keep it from one, so that it
/// counts no wait. Set what is lent before [`NavSystems::Observe`](crate::NavSystems::Observe), and read the wishes
/// after [`NavSystems::Report`](crate::NavSystems::Report).
///
/// Not part of a save or a [digest](crate::digest()): who has no loan wishes for one again.
#[derive(Resource, Clone, Debug)]
pub struct Border {
    own: Area,
    wishes: EntityHashMap<BorderStep>,
    loans: Vec<BorderStep>,
}

/// A step of a solid body onto cells of other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BorderStep {
    /// Who steps.
    pub agent: Entity,
    /// The map that it is on.
    pub map: Entity,
    /// Where it stands: the upper left cell of its footprint.
    pub from: Cell,
    /// Where it is after the step; anywhere on the map, if it goes there by a link.
    pub to: Cell,
}

impl Border {
    /// The border around the columns and rows of an area, on all maps and floors. A side at the end of the range of
    /// coordinates, 0 or `u16::MAX`, has no border.
    pub fn around(own: Area) -> Self {
        Self {
            own,
            wishes: EntityHashMap::default(),
            loans: Vec::new(),
        }
    }

    /// The columns and rows that are this process's own, on any floor.
    pub const fn own(&self) -> Area {
        self.own
    }

    /// The steps that bodies wait for, in the order of their entities. Each is wished from the move tick at which
    /// nothing else was free until the next one, or until the body is elsewhere.
    pub fn wishes(&self) -> Vec<BorderStep> {
        let mut wishes: Vec<BorderStep> = self.wishes.values().copied().collect();
        wishes.sort_unstable_by_key(|step| step.agent);
        wishes
    }

    /// Lends steps for the next tick, and no others. Only those count that are still wished then.
    pub fn lend(&mut self, steps: impl IntoIterator<Item = BorderStep>) {
        self.loans.clear();
        self.loans.extend(steps);
    }

    /// The steps that are lent and still wished.
    pub(crate) fn loans(&self) -> Vec<BorderStep> {
        let is_wished = |step: &&BorderStep| self.wishes.get(&step.agent) == Some(step);
        self.loans.iter().filter(is_wished).copied().collect()
    }

    /// Notes what a body waits for.
    pub(crate) fn wish(&mut self, step: BorderStep) {
        self.wishes.insert(step.agent, step);
    }

    /// Keeps the wishes for which something holds.
    pub(crate) fn keep(&mut self, mut is_kept: impl FnMut(&BorderStep) -> bool) {
        self.wishes.retain(|_, step| is_kept(step));
    }
}
