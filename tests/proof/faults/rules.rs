//! Rules that hold in every tick, beside the harness's rules about steps.

use bevy_ecs::prelude::*;
use nav::{Body, BodyKind, CellPosition, NavBudget, NavDiagnostics, OnMap, WorldPosition};
use nav_grid::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// The work by which the last part of a tick may exceed its budget: a block of cells that is
/// scanned at once, or an expansion of a jump point.
const PART_MAX: u64 = 300;

/// The rules, and their memory of earlier ticks.
#[derive(Default)]
pub struct Rules {
    /// Work beyond the budget in ticks since it was set.
    owed: u64,
    budget: NavBudget,
}

/// The world before a tick.
pub struct Before {
    ticks: u64,
    work: u64,
    overlaps: BTreeSet<(Entity, Entity)>,
}

impl Rules {
    /// Records the world before a tick, after the changes of the game.
    pub fn begin(&mut self, world: &mut World) -> Before {
        let NavDiagnostics { ticks, total, .. } = *world.resource::<NavDiagnostics>();
        let budget = *world.resource::<NavBudget>();
        if budget != self.budget {
            *self = Self { owed: 0, budget };
        }
        Before {
            ticks,
            work: total.expanded,
            overlaps: overlaps(world),
        }
    }

    /// Judges a tick, or the ticks of a frame.
    ///
    /// # Panics
    ///
    /// When a rule is broken.
    pub fn check(&mut self, before: Before, world: &mut World) {
        let NavDiagnostics { ticks, total, .. } = *world.resource::<NavDiagnostics>();
        let (ticks, work) = (ticks - before.ticks, total.expanded - before.work);
        if let NavBudget::Units(budget) = self.budget {
            let allowed = ticks * u64::from(budget);
            assert!(
                work + self.owed <= allowed + PART_MAX,
                "{work} of a budget of {budget} in {ticks} ticks, {} owed",
                self.owed
            );
            self.owed = (work + self.owed).saturating_sub(allowed);
        }
        let new: Vec<_> = overlaps(world)
            .difference(&before.overlaps)
            .copied()
            .collect();
        assert!(
            new.is_empty(),
            "solid bodies came to stand on one cell: {new:?}"
        );
    }
}

/// Returns the pairs of solid bodies that have a cell in common.
fn overlaps(world: &mut World) -> BTreeSet<(Entity, Entity)> {
    // A body with a world position is moved there during the tick.
    let mut bodies =
        world.query_filtered::<(Entity, &Body, &OnMap, &CellPosition), Without<WorldPosition>>();
    let mut holders: BTreeMap<(Entity, Cell), Vec<Entity>> = BTreeMap::new();
    let mut pairs = BTreeSet::new();
    for (agent, body, on_map, place) in bodies.iter(world) {
        if body.kind != BodyKind::Solid {
            continue;
        }
        for cell in body.footprint.area(place.cell).cells() {
            let there = holders.entry((on_map.0, cell)).or_default();
            pairs.extend(
                there
                    .iter()
                    .map(|&other| (other.min(agent), other.max(agent))),
            );
            there.push(agent);
        }
    }
    pairs
}
