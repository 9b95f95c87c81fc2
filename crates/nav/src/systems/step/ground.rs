//! The ground of a strip while its cells are given out: the bodies on it, and their outcomes.

use super::outcomes::Outcomes;
use crate::occupancy::{Footing, OccupancyRows};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Directions, Footprint};

/// A strip of ground where bodies stand, while its cells are given out.
pub(super) struct StripGround<'a> {
    pub(super) rows: OccupancyRows<'a>,
    pub(super) outcomes: &'a Outcomes,
}

impl StripGround<'_> {
    /// Moves a body to a cell beside it that is free for it.
    pub(super) fn step(&mut self, agent: Entity, footprint: Footprint, from: Cell, to: Cell) {
        self.rows.step(agent, footprint, from, to);
        self.note_step(agent, footprint, from, to);
    }

    /// Records the step of a body that was moved, and wakes the bodies behind it that it kept from
    /// going the same way. Others see the free cell when their idle period is over.
    pub(super) fn note_step(&mut self, agent: Entity, footprint: Footprint, from: Cell, to: Cell) {
        self.outcomes.step(agent, Footing::new(to, footprint));
        self.rows.note_move();
        let asleep = self.rows.sleepers_at(from);
        // Nearly all steps.
        if asleep.is_empty() {
            return;
        }
        let behind = from.direction_to(to).map_or(Directions::NONE, |way| {
            let back = way.opposite() as u32;
            Directions(0b1000_0011_u8.rotate_left(back))
        });
        let woken = asleep.intersection(behind);
        for cell in woken.into_iter().filter_map(|way| from.step(way)) {
            if let Some(sleeper) = self.rows.holder(cell) {
                self.outcomes.wake(sleeper);
            }
            // Woken once is enough.
            self.rows.wake(cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawing::{Drawing, agent};
    use super::*;

    /// Returns the bodies that still sleep after `A` stepped in a direction among sleepers.
    fn asleep(rows: [&str; 3], way: nav_grid::Direction) -> String {
        let mut drawing = Drawing::new(&rows);
        let sleepers = drawing.signs().into_iter().filter(|&sign| sign != 'A');
        let sleepers: Vec<(char, Cell)> = sleepers.map(|sign| (sign, drawing.find(sign))).collect();
        for &(_, at) in &sleepers {
            drawing.floor().sleep(at);
        }
        let from = drawing.find('A');
        let to = from.step(way).expect("a cell of the drawing");
        drawing.ground().step(agent('A'), Footprint::ONE, from, to);
        assert!(drawing.outcomes.has_stepped(agent('A')));
        let floor = drawing.floor();
        let asleep = sleepers.into_iter().filter(|&(_, at)| floor.is_asleep(at));
        asleep.map(|(sign, _)| sign).collect()
    }

    #[test]
    fn step_wakes_the_bodies_behind() {
        use nav_grid::Direction::{East, NorthEast, South};
        let rows = ["BC.", "DA.", "EF."];
        // The bodies that wanted to go the same way, or an eighth beside it.
        assert_eq!(asleep(rows, East), "CF");
        assert_eq!(asleep(["BCG", "DA.", "E.."], South), "DE");
        assert_eq!(asleep(rows, NorthEast), "BC");
    }

    #[test]
    fn bodies_further_off_sleep_on() {
        assert_eq!(
            asleep(["B....", "..A..", "B...."], nav_grid::Direction::East),
            "B"
        );
    }
}
