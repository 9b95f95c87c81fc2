//! Steps of ghosts who have nothing to mind but the way, by rows.

use super::{Course, Steps};
use crate::{
    NavMap,
    systems::{
        compass::{heading, nearest},
        rows::Rows,
        scene::{Outlooks, Scene, Scenes},
        turns::{RUN, Turns},
    },
};
use nav_grid::{Cell, Direction, FlowField, Rules};

/// What all step by who are of one kind and after one target.
struct Lane<'a> {
    map: &'a NavMap,
    rules: Rules,
    place: Cell,
    /// Who is so many cells from the target or less has more to mind than the way.
    near: u16,
    /// The field that they share around the target.
    flow: Option<&'a FlowField>,
}

impl<'a> Lane<'a> {
    fn of(scene: &Scene<'a>) -> Option<Self> {
        let common = scene.common?;
        Some(Self {
            map: scene.map,
            rules: common.rules(),
            place: scene.place(),
            near: scene.near().saturating_add(1),
            flow: common.flow(),
        })
    }

    /// Whether a cell is so far from the target that nothing but the way matters there.
    #[inline]
    fn is_far(&self, from: Cell) -> bool {
        from.chebyshev(self.place) > self.near
    }

    /// Where the field leads from a cell far from the target, if it does.
    #[inline]
    fn next(&self, from: Cell) -> Option<Cell> {
        let flow = self.flow.filter(|_| self.is_far(from))?;
        let wished = heading(from, self.place).unwrap_or(Direction::North);
        from.step(nearest(flow.look(from)?.nearer, wished)?)
    }

    /// Whether a step far from the target may be taken. Links may lead there from anywhere.
    #[inline]
    fn allows(&self, from: Cell, to: Cell) -> bool {
        self.is_far(from) && self.is_far(to) && self.map.grid().allows_move(from, to, self.rules)
    }
}

impl Course<'_, '_> {
    /// Has those of some ghosts step who have only the way to mind, as most of a horde, and takes
    /// them off the turns. They do as by [`walk`](Self::walk).
    #[inline]
    pub(super) fn walk_rows(
        &self,
        rows: &mut Rows,
        turns: &mut Turns,
        scenes: &mut Scenes,
        steps: &mut Steps,
    ) {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        let Some(mut walkers) = rows.walkers() else {
            return;
        };
        let mut sharers = turns.split(|row| walkers.cursor(row).shares_near());
        let resting = turns.split(|row| walkers.cursor(row).rests());
        for row in resting.iter() {
            walkers.beat_mut(row).tick(now, previous, false);
        }
        let mut lanes = Outlooks::new(scenes, Lane::of);
        sharers.retain(|row| {
            if !walkers.has(row) {
                return false;
            }
            let lane = lanes.of(walkers.chase(row));
            let next = lane.and_then(|lane| Some((lane.map, lane.next(walkers.cell(row))?)));
            if let Some((map, to)) = next {
                walkers.beat_mut(row).tick(now, previous, true);
                walkers.put(row, map, to);
                steps.taken += 1;
            }
            next.is_none()
        });
        // All waypoints first: each lies somewhere else in memory, and many are fetched at a time.
        let mut waypoints = [None; RUN];
        for (row, waypoint) in turns.iter().zip(&mut waypoints) {
            *waypoint = walkers.cursor(row).waypoint();
        }
        let mut waypoints = waypoints.into_iter();
        turns.retain(|row| {
            let Some(to) = waypoints.next().flatten() else {
                return true;
            };
            let lane = lanes.of(walkers.chase(row));
            let Some(lane) = lane.filter(|lane| lane.allows(walkers.cell(row), to)) else {
                return true;
            };
            walkers.beat_mut(row).tick(now, previous, true);
            walkers.cursor_mut(row).advance();
            walkers.put(row, lane.map, to);
            steps.taken += 1;
            false
        });
        turns.append(&sharers);
    }
}
