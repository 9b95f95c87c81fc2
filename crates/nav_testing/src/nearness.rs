//! Who is beside whom, judged by the ground and not by what the plugin says.

use crate::{
    oracle::{Goal, is_within_reach, touches},
    scene::Scene,
    selectors::Agents,
};
use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, Chaser, Destination, NavMap, OnMap};
use nav_grid::{Footprint, Grid};

/// Two agents on one map.
struct Pair<'a> {
    grid: &'a Grid,
    at: CellPosition,
    tuning: Chaser,
    goal: Goal,
}

impl Scene {
    /// Whether each of some agents is beside one of some others: on other cells, and one legal step of a
    /// single cell away by its own rules, or default ones if it is no chaser. Links do not count.
    ///
    /// # Panics
    ///
    /// When there is no agent with a letter.
    #[track_caller]
    pub fn is_beside(&self, agents: impl Agents, others: impl Agents) -> bool {
        let others = self.agents(others);
        self.first_not_beside(&self.agents(agents), &others)
            .is_none()
    }

    /// Whether each of some chasers is within reach of one of some targets: no more legal steps away
    /// than its stop distance, and in sight if its tuning asks for that; on the cell of a
    /// [`Destination`]; or at the beginning of a link if its tuning says that this will do. Slack does
    /// not count.
    ///
    /// # Panics
    ///
    /// When there is no agent with a letter.
    #[track_caller]
    pub fn is_within_reach(&self, chasers: impl Agents, targets: impl Agents) -> bool {
        let targets = self.agents(targets);
        self.first_out_of_reach(&self.agents(chasers), &targets)
            .is_none()
    }

    /// The first of some agents that is beside none of others.
    pub(super) fn first_not_beside(&self, agents: &[Entity], others: &[Entity]) -> Option<Entity> {
        self.first_without(agents, others, |pair| {
            let Pair {
                grid,
                at,
                tuning,
                goal,
                ..
            } = pair;
            let own = tuning.rules.footprint.area(at.cell);
            !own.meets(goal.area()) && touches(grid, tuning.rules, at.cell, goal)
        })
    }

    /// The first of some chasers that is within reach of none of some targets.
    pub(super) fn first_out_of_reach(
        &self,
        chasers: &[Entity],
        targets: &[Entity],
    ) -> Option<Entity> {
        self.first_without(chasers, targets, |pair| {
            let Pair {
                grid,
                at,
                tuning,
                goal,
            } = pair;
            is_within_reach(grid, &tuning, at.cell, goal)
        })
    }

    fn first_without(
        &self,
        agents: &[Entity],
        others: &[Entity],
        holds: impl Fn(Pair) -> bool,
    ) -> Option<Entity> {
        let pairs = |agent| {
            let of = move |&other: &Entity| self.pair(agent, other);
            others.iter().filter_map(of)
        };
        let found = agents.iter().find(|&&agent| !pairs(agent).any(&holds));
        found.copied()
    }

    /// Two agents, if both have a place on one map.
    fn pair(&self, agent: Entity, other: Entity) -> Option<Pair<'_>> {
        let world = self.app.world();
        let map = world.get::<OnMap>(agent)?;
        if map != world.get::<OnMap>(other)? {
            return None;
        }
        let body = |agent| world.get::<Body>(agent).map(|body| body.footprint);
        let mut tuning = world.get::<Chaser>(agent).copied().unwrap_or_default();
        if let Some(footprint) = body(agent) {
            tuning.rules.footprint = footprint;
        }
        Some(Pair {
            grid: world.get::<NavMap>(map.0)?.grid(),
            at: *world.get(agent)?,
            tuning,
            goal: Goal {
                cell: world.get::<CellPosition>(other)?.cell,
                body: body(other).unwrap_or(Footprint::ONE),
                is_entered: world.get::<Destination>(other).is_some(),
            },
        })
    }
}
