//! What holds in every tick whatever happens: beside what the harness judges of every step.

use bevy_ecs::prelude::*;
use nav::{Body, BodyKind, CellPosition, NavBudget, NavDiagnostics, OnMap, WorldPosition};
use nav_grid::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// The rules, and what they remember of the ticks before.
#[derive(Default)]
pub struct Rules {
    /// Work that was done in ticks under the same budget beyond what it allows.
    owed: u64,
    budget: Option<u32>,
}

/// The world before a tick.
pub struct Before {
    ticks: u64,
    work: u64,
    overlaps: BTreeSet<(Entity, Entity)>,
}

impl Rules {
    /// Looks at the world before a tick, when the game has done what it does.
    pub fn begin(&mut self, world: &mut World) -> Before {
        let NavDiagnostics { ticks, total, .. } = *world.resource::<NavDiagnostics>();
        let budget = world.resource::<NavBudget>().expansions;
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
        if let Some(budget) = self.budget {
            let allowed = ticks * u64::from(budget);
            assert!(
                work + self.owed <= allowed,
                "{work} of a budget of {budget} in {ticks} ticks, {} owed",
                self.owed
            );
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

/// Pairs of solid bodies that have a cell in common.
fn overlaps(world: &mut World) -> BTreeSet<(Entity, Entity)> {
    // Who has a world position is put where that is during the tick.
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
