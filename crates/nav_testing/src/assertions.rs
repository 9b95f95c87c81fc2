//! Assertions that print the scene when they fail.

use crate::{
    scene::Scene,
    selectors::{Agents, Cells},
};
use bevy_ecs::prelude::*;
use nav::ChaseState;
use std::fmt::Display;

impl Scene {
    /// Asserts that each of some agents is beside one of some others: see [`Scene::is_beside`].
    ///
    /// # Panics
    ///
    /// When one is not, or there is no agent with a letter.
    #[track_caller]
    pub fn assert_beside(&self, agents: impl Agents, others: impl Agents) {
        let (agents, others) = (self.agents(agents), self.agents(others));
        if let Some(agent) = self.first_not_beside(&agents, &others) {
            let (agent, others) = (self.place_of(agent), self.places_of(&others));
            self.fail(&format!("{agent} is not beside {others}"));
        }
    }

    /// Asserts that each of some chasers is within reach of one of some targets: see
    /// [`Scene::is_within_reach`].
    ///
    /// # Panics
    ///
    /// When one is not, or there is no agent with a letter.
    #[track_caller]
    pub fn assert_within_reach(&self, chasers: impl Agents, targets: impl Agents) {
        let (chasers, targets) = (self.agents(chasers), self.agents(targets));
        if let Some(chaser) = self.first_out_of_reach(&chasers, &targets) {
            let (chaser, targets) = (self.place_of(chaser), self.places_of(&targets));
            self.fail(&format!("{chaser} is not within reach of {targets}"));
        }
    }

    /// Asserts that each of some agents is on one of some cells.
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

    /// Asserts how the chase of each of some chasers stands.
    ///
    /// # Panics
    ///
    /// When it stands otherwise, or there is no agent with the letter, or one is no chaser.
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
    /// When it does not hold; `words` say what that means.
    #[track_caller]
    pub fn check(&self, holds: bool, words: impl Display) {
        if !holds {
            self.fail(&words.to_string());
        }
    }

    /// Panics with words and the picture of the scene.
    #[track_caller]
    pub(super) fn fail(&self, words: &str) -> ! {
        panic!("{words}\n{self}");
    }

    /// Some agents and where they are, in words.
    fn places_of(&self, agents: &[Entity]) -> String {
        let places: Vec<String> = agents.iter().map(|&agent| self.place_of(agent)).collect();
        one_of(&places)
    }
}

/// What may be one of several, in words; many are counted.
fn one_of(choices: &[impl Display]) -> String {
    const MAX: usize = 4;
    let named = choices.iter().take(MAX).map(ToString::to_string);
    let named = named.collect::<Vec<_>>().join(" or ");
    match choices.len().saturating_sub(MAX) {
        0 => named,
        more => format!("{named} or {more} others"),
    }
}
