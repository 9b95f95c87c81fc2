//! Which letter names whom, and which name stands for which cells.

use bevy_ecs::prelude::*;
use nav_grid::Cell;
use std::collections::BTreeMap;

/// The letters of a scene.
#[derive(Clone, Debug, Default)]
pub struct Names {
    agents: BTreeMap<char, Vec<Entity>>,
    markers: BTreeMap<char, Vec<Cell>>,
}

impl Names {
    /// Names one more agent.
    pub(super) fn add_agent(&mut self, letter: char, agent: Entity) {
        self.agents.entry(letter).or_default().push(agent);
    }

    /// Names one more cell.
    pub(super) fn add_marker(&mut self, name: char, cell: Cell) {
        self.markers.entry(name).or_default().push(cell);
    }

    /// Those with a letter, in the order in which they were named, or a sentence that says who there
    /// is.
    pub(super) fn agents(&self, letter: char) -> Result<Vec<Entity>, String> {
        let found = self.agents.get(&letter).cloned();
        found.ok_or_else(|| {
            let others = list(self.agents.keys());
            format!("no agent is drawn as {letter:?}: there is {others}")
        })
    }

    /// The cells of a name, likewise.
    pub(super) fn cells(&self, name: char) -> Result<Vec<Cell>, String> {
        let found = self.markers.get(&name).cloned();
        found.ok_or_else(|| {
            let others = list(self.markers.keys());
            format!("no cell is drawn as {name:?}: there is {others}")
        })
    }

    /// The letter of an agent.
    pub(super) fn letter(&self, agent: Entity) -> Option<char> {
        let mut all = self.agents.iter();
        let found = all.find(|(_, agents)| agents.contains(&agent));
        found.map(|(&letter, _)| letter)
    }

    /// All agents that have a letter.
    pub(super) fn letters(&self) -> impl Iterator<Item = (Entity, char)> + '_ {
        let all = self.agents.iter();
        all.flat_map(|(&letter, agents)| agents.iter().map(move |&agent| (agent, letter)))
    }

    /// All cells that have a name.
    pub(super) fn markers(&self) -> impl Iterator<Item = (char, Cell)> + '_ {
        let all = self.markers.iter();
        all.flat_map(|(&name, cells)| cells.iter().map(move |&cell| (name, cell)))
    }
}

fn list<'a>(letters: impl Iterator<Item = &'a char>) -> String {
    let letters: Vec<String> = letters.map(|letter| format!("{letter:?}")).collect();
    if letters.is_empty() {
        "none".to_owned()
    } else {
        letters.join(", ")
    }
}
