//! Places of agents between two cells, for films.

use super::scene::Placed;
use crate::{
    Scenario,
    sim::{Figure, Role},
};
use bevy_ecs::entity::Entity;
use nav_grid::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Follows agents from tick to tick. An agent that takes a step is drawn between the cells for the
/// duration of its step, so that it does not jump.
#[derive(Clone, Debug)]
pub struct Motion {
    /// Ticks of a step of a chaser, and of a target.
    ticks: [f32; 2],
    tracks: BTreeMap<Entity, Track>,
}

#[derive(Clone, Copy, Debug)]
struct Track {
    from: (f32, f32),
    to: Cell,
    /// Tick in which it was first seen there.
    since: u64,
}

impl Motion {
    /// Creates it for a run of a scenario.
    pub fn of(scenario: &Scenario) -> Self {
        let hz = f64::from(scenario.hz);
        Self::new(
            scenario.chaser.step_seconds * hz,
            scenario.target.step_seconds * hz,
        )
    }

    /// Creates it without agents. Steps of chasers and targets take this many ticks, at least one.
    pub fn new(chaser_ticks: f64, target_ticks: f64) -> Self {
        Self {
            ticks: [chaser_ticks, target_ticks].map(|ticks| ticks.max(1.0) as f32),
            tracks: BTreeMap::new(),
        }
    }

    /// Computes where agents are drawn in a tick, in their order. Ticks must not decrease. Missing
    /// agents are forgotten when the tracks exceed twice the number of agents.
    pub fn place(&mut self, tick: u64, figures: &[Figure], placed: &mut Vec<Placed>) {
        placed.clear();
        for figure in figures {
            let ticks = match figure.role {
                Role::Target => self.ticks[1],
                _ => self.ticks[0],
            };
            let middle = middle(figure.cell);
            let track = self.tracks.entry(figure.agent).or_insert(Track {
                from: middle,
                to: figure.cell,
                since: tick,
            });
            if track.to != figure.cell {
                let is_step = track.to.floor == figure.cell.floor
                    && track.to.chebyshev(figure.cell) <= MOST_CELLS;
                *track = Track {
                    from: if is_step {
                        track.at(tick, ticks)
                    } else {
                        middle
                    },
                    to: figure.cell,
                    // The step began one tick before it was seen.
                    since: tick.saturating_sub(1),
                };
            }
            let (x, y) = track.at(tick, ticks);
            placed.push(Placed {
                x,
                y,
                floor: figure.cell.floor,
                side: figure.side,
                role: figure.role,
                leads: figure.leads,
            });
        }
        if self.tracks.len() > 2 * figures.len() {
            let here: BTreeSet<Entity> = figures.iter().map(|one| one.agent).collect();
            self.tracks.retain(|agent, _| here.contains(agent));
        }
    }
}

/// An agent that moves farther than this many cells in a tick did not walk. A guess.
const MOST_CELLS: u16 = 3;

impl Track {
    fn at(&self, tick: u64, ticks: f32) -> (f32, f32) {
        let done = ((tick - self.since) as f32 / ticks).min(1.0);
        let ((x, y), (to_x, to_y)) = (self.from, middle(self.to));
        (x + (to_x - x) * done, y + (to_y - y) * done)
    }
}

/// Returns the middle of a cell, in cells.
fn middle(cell: Cell) -> (f32, f32) {
    (f32::from(cell.x) + 0.5, f32::from(cell.y) + 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(motion: &mut Motion, tick: u64, x: u16) -> f32 {
        let figure = Figure {
            agent: Entity::from_raw_u32(1).unwrap(),
            cell: Cell::new(x, 0),
            side: 1,
            role: Role::Chasing,
            leads: false,
        };
        let mut placed = Vec::new();
        motion.place(tick, &[figure], &mut placed);
        placed[0].x
    }

    fn is(one: f32, other: f32) -> bool {
        (one - other).abs() < 1e-4
    }

    #[test]
    fn step_over_several_ticks() {
        let mut motion = Motion::new(4.0, 1.0);
        assert!(is(place(&mut motion, 1, 3), 3.5));
        for (tick, expected) in (2..).zip([3.75, 4.0, 4.25, 4.5]) {
            assert!(is(place(&mut motion, tick, 4), expected), "tick {tick}");
        }
        assert!(is(place(&mut motion, 6, 5), 4.75));
    }

    #[test]
    fn moved_agents_jump() {
        let mut motion = Motion::new(4.0, 1.0);
        place(&mut motion, 1, 3);
        assert!(is(place(&mut motion, 2, 30), 30.5));
    }
}
