//! Assertions that print the scene when they fail, and the tests of nearness behind them.

use crate::{
    oracle::{Goal, is_within_reach, touches},
    scene::Scene,
    selectors::{Agents, Cells},
};
use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, ChaseState, Chaser, Destination, NavMap, OnMap};
use nav_grid::{Cell, Grid};
use std::fmt::Display;

/// A name and a test for being near. The test takes a grid, a chaser with its cell, and a goal; it
/// knows nothing of the state of the plugin.
type Near = (&'static str, fn(&Grid, &Chaser, Cell, Goal) -> bool);

const BESIDE: Near = ("beside", is_beside);
const WITHIN_REACH: Near = ("within reach of", is_within_reach);

fn is_beside(grid: &Grid, chaser: &Chaser, at: Cell, goal: Goal) -> bool {
    let own = chaser.rules.footprint.area(at);
    !own.meets(goal.area()) && touches(grid, chaser.rules, at, goal)
}

impl Scene {
    /// Returns whether each agent is beside one of the others: on other cells, and one legal step
    /// of a single cell away by its own rules, or by default ones if it is no chaser. Links do not
    /// count.
    ///
    /// # Panics
    ///
    /// When there is no agent with a letter.
    #[track_caller]
    pub fn is_beside(&self, agents: impl Agents, others: impl Agents) -> bool {
        let (agents, others) = (self.agents(agents), self.agents(others));
        self.first_far(&agents, &others, BESIDE).is_none()
    }

    /// Returns whether each chaser is within reach of one of the targets.
    ///
    /// That is no more legal steps away than its stop distance, and in sight if its tuning asks for
    /// that; on the cell of a [`Destination`]; or at the beginning of a link if its tuning allows
    /// that. Slack does not count.
    ///
    /// # Panics
    ///
    /// When there is no agent with a letter.
    #[track_caller]
    pub fn is_within_reach(&self, chasers: impl Agents, targets: impl Agents) -> bool {
        let (chasers, targets) = (self.agents(chasers), self.agents(targets));
        let found = self.first_far(&chasers, &targets, WITHIN_REACH);
        found.is_none()
    }

    /// The first agent that is near none of the others.
    fn first_far(&self, agents: &[Entity], others: &[Entity], near: Near) -> Option<Entity> {
        let mut agents = agents.iter().copied();
        agents.find(|&agent| {
            let mut others = others.iter();
            !others.any(|&other| self.test(agent, other, near) == Some(true))
        })
    }

    /// Tests two agents; `None` unless both have a place on one map.
    fn test(&self, agent: Entity, other: Entity, (_, is_near): Near) -> Option<bool> {
        let world = self.app.world();
        let map = world.get::<OnMap>(agent)?;
        if map != world.get::<OnMap>(other)? {
            return None;
        }
        let mut chaser = world.get::<Chaser>(agent).copied().unwrap_or_default();
        if let Some(body) = world.get::<Body>(agent) {
            chaser.rules.footprint = body.footprint;
        }
        let body = world.get::<Body>(other);
        let goal = Goal {
            cell: world.get::<CellPosition>(other)?.cell,
            body: body.map(|body| body.footprint).unwrap_or_default(),
            is_entered: world.get::<Destination>(other).is_some(),
        };
        let at = world.get::<CellPosition>(agent)?.cell;
        let grid = world.get::<NavMap>(map.0)?.grid();
        Some(is_near(grid, &chaser, at, goal))
    }

    /// Asserts that each agent is beside one of the others: see [`Scene::is_beside`].
    ///
    /// # Panics
    ///
    /// When one is not, or there is no agent with a letter.
    #[track_caller]
    pub fn assert_beside(&self, agents: impl Agents, others: impl Agents) {
        self.assert_near(agents, others, BESIDE);
    }

    /// Asserts that each chaser is within reach of one of the targets: see
    /// [`Scene::is_within_reach`].
    ///
    /// # Panics
    ///
    /// When one is not, or there is no agent with a letter.
    #[track_caller]
    pub fn assert_within_reach(&self, chasers: impl Agents, targets: impl Agents) {
        self.assert_near(chasers, targets, WITHIN_REACH);
    }

    #[track_caller]
    fn assert_near(&self, agents: impl Agents, others: impl Agents, near: Near) {
        let (agents, others) = (self.agents(agents), self.agents(others));
        if let Some(agent) = self.first_far(&agents, &others, near) {
            let others: Vec<String> = others.iter().map(|&other| self.place_of(other)).collect();
            let (agent, others) = (self.place_of(agent), one_of(&others));
            self.fail(&format!("{agent} is not {} {others}", near.0));
        }
    }

    /// Asserts that each agent is on one of the cells.
    ///
    /// # Panics
    ///
    /// When one is not, there is no agent with the letter, or no cell is meant.
    #[track_caller]
    pub fn assert_at(&self, agents: impl Agents, cells: impl Cells) {
        let cells = self.cells(cells);
        for agent in self.agents(agents) {
            if !cells.contains(&self.cell(agent)) {
                let (agent, cells) = (self.place_of(agent), one_of(&cells));
                self.fail(&format!("{agent} is not at {cells}"));
            }
        }
    }

    /// Asserts the state of the chase of each chaser.
    ///
    /// # Panics
    ///
    /// When one is in another state or no chaser, or there is no agent with the letter.
    #[track_caller]
    pub fn assert_state(&self, chasers: impl Agents, state: ChaseState) {
        for chaser in self.agents(chasers) {
            let found = self.cursor(chaser).state();
            if found != state {
                let chaser = self.place_of(chaser);
                self.fail(&format!("{chaser} is {found:?}, not {state:?}"));
            }
        }
    }

    /// Asserts anything else.
    ///
    /// # Panics
    ///
    /// When it does not hold; `words` are the message.
    #[track_caller]
    pub fn check(&self, holds: bool, words: impl Display) {
        if !holds {
            self.fail(&words.to_string());
        }
    }

    /// Panics with a message and the picture of the scene.
    #[track_caller]
    pub(super) fn fail(&self, words: &str) -> ! {
        panic!("{words}\n{self}");
    }
}

/// Names some alternatives, and counts the others.
fn one_of(choices: &[impl Display]) -> String {
    // With more, a line of a report is hard to read.
    const NAMED_MAX: usize = 4;
    let named: Vec<String> = choices
        .iter()
        .take(NAMED_MAX)
        .map(ToString::to_string)
        .collect();
    let names = named.join(" or ");
    match choices.len().saturating_sub(NAMED_MAX) {
        0 => names,
        more => format!("{names} or {more} others"),
    }
}
