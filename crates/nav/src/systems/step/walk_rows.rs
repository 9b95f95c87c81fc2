//! Steps of ghosts who have nothing to mind but the way, by rows.

use super::{Course, Steps};
use crate::systems::{
    compass::{heading, nearest},
    rows::Rows,
    scene::{Outlooks, Scene, Scenes},
    turns::{RUN, Turns},
};
use nav_grid::{Cell, Direction, Rules, fields::FlowField};

/// What all step by who are of one kind and after one target.
struct Lane<'a> {
    scene: Scene<'a>,
    rules: Rules,
    /// The field that they share around the target.
    flow: Option<&'a FlowField>,
}

impl<'a> Lane<'a> {
    fn of(scene: &Scene<'a>) -> Option<Self> {
        let common = scene.common?;
        Some(Self {
            scene: *scene,
            rules: common.rules(),
            flow: common.flow(),
        })
    }

    /// Whether nothing but the way matters at a cell, nor a step from there.
    #[inline]
    fn is_far(&self, cell: Cell) -> bool {
        !self.scene.is_near(cell, 1)
    }

    /// Where the field leads from a cell far from the target, if it does.
    #[inline]
    fn next(&self, from: Cell) -> Option<Cell> {
        let flow = self.flow.filter(|_| self.is_far(from))?;
        let wished = heading(from, self.scene.place()).unwrap_or(Direction::North);
        from.step(nearest(flow.look(from)?.nearer, wished)?)
    }

    /// Whether a step far from the target may be taken. Links may lead there from anywhere.
    #[inline]
    fn allows(&self, from: Cell, to: Cell) -> bool {
        let grid = self.scene.grid();
        self.is_far(from) && self.is_far(to) && grid.allows_move(from, to, self.rules)
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
        let clock = &*self.clock;
        let Some(mut walkers) = rows.walkers() else {
            return;
        };
        let mut sharers = turns.split(|row| walkers.cursor(row).shares_near());
        let resting = turns.split(|row| walkers.cursor(row).rests());
        for row in resting.iter() {
            let beat = walkers.beat_mut(row);
            beat.tick(clock.now(), clock.previous(), false);
        }
        let mut lanes = Outlooks::new(scenes, Lane::of);
        sharers.retain(|row| {
            if !walkers.has(row) {
                return false;
            }
            let lane = lanes.of(walkers.chase(row));
            let next = lane.and_then(|lane| Some((lane.scene.map, lane.next(walkers.cell(row))?)));
            if let Some((map, to)) = next {
                walkers.step(row, map, to, clock);
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
            walkers.cursor_mut(row).advance();
            walkers.step(row, lane.scene.map, to, clock);
            steps.taken += 1;
            false
        });
        turns.append(&sharers);
    }
}
