//! Actions of a test in place of a game: spawns, changes and moves agents, starts and stops chases,
//! and edits the map.

use crate::{
    scene::{Scene, or_panic},
    selectors::{Agents, Cells},
};
use bevy_ecs::prelude::*;
use nav::{CellPosition, Chaser, Chasing, NavMap, OnMap, WorldPosition};
use nav_grid::Link;

impl Scene {
    /// Spawns a target in the middle of a cell, without a letter.
    ///
    /// # Panics
    ///
    /// Unless exactly one cell is meant.
    #[track_caller]
    pub fn target(&mut self, at: impl Cells) -> Entity {
        let place = (CellPosition::at(self.cell(at)), OnMap(self.map));
        self.world().spawn(place).id()
    }

    /// Spawns a default chaser with a target, without a letter.
    ///
    /// # Panics
    ///
    /// Unless exactly one cell and one target are meant.
    #[track_caller]
    pub fn chaser(&mut self, at: impl Cells, target: impl Agents) -> Entity {
        self.chaser_with(Chaser::default(), at, target)
    }

    /// Spawns a tuned chaser with a target, without a letter.
    ///
    /// # Panics
    ///
    /// Unless exactly one cell and one target are meant.
    #[track_caller]
    pub fn chaser_with(&mut self, chaser: Chaser, at: impl Cells, target: impl Agents) -> Entity {
        let place = (CellPosition::at(self.cell(at)), OnMap(self.map));
        let chasing = Chasing(self.agent(target));
        self.world().spawn((chaser, place, chasing)).id()
    }

    /// Gives a letter to an agent that a test or a system of the game spawned. Other agents may
    /// have the same letter.
    ///
    /// # Panics
    ///
    /// When the letter is neither one from A to Z nor a digit, or not exactly one agent is meant.
    #[track_caller]
    pub fn name(&mut self, letter: char, agent: impl Agents) {
        assert!(
            letter.is_ascii_uppercase() || letter.is_ascii_digit(),
            "{letter:?} names no agent: take a letter from A to Z or a digit"
        );
        let agent = self.agent(agent);
        self.names.agents.entry(letter).or_default().push(agent);
    }

    /// Inserts components into agents: a body, markers of the game.
    ///
    /// # Panics
    ///
    /// When there is no agent with the letter.
    #[track_caller]
    pub fn insert(&mut self, agents: impl Agents, bundle: impl Bundle + Clone) {
        for agent in self.agents(agents) {
            self.world().entity_mut(agent).insert(bundle.clone());
        }
    }

    /// Changes the tuning of chasers.
    ///
    /// # Panics
    ///
    /// When there is no agent with the letter, or one is no chaser.
    #[track_caller]
    pub fn tune(&mut self, chasers: impl Agents, change: impl Fn(&mut Chaser)) {
        for chaser in self.agents(chasers) {
            change(&mut self.get_mut::<Chaser>(chaser));
        }
    }

    /// Moves an agent to a cell, as a game does with players and with teleports.
    ///
    /// # Panics
    ///
    /// Unless exactly one agent and one cell are meant.
    #[track_caller]
    pub fn put(&mut self, agent: impl Agents, at: impl Cells) {
        let (agent, place) = (self.agent(agent), CellPosition::at(self.cell(at)));
        self.world().entity_mut(agent).insert(place);
    }

    /// Moves an agent to world coordinates; on a default frame these are column and row.
    ///
    /// # Panics
    ///
    /// Unless exactly one agent is meant.
    #[track_caller]
    pub fn put_at(&mut self, agent: impl Agents, column: f64, row: f64) {
        let (agent, place) = (self.agent(agent), WorldPosition([column, 0.0, row]));
        self.world().entity_mut(agent).insert(place);
    }

    /// Lets agents chase a target, whether they chase one already or not. Other agents become
    /// chasers with default tuning.
    ///
    /// # Panics
    ///
    /// When there is no agent with the letter, or not exactly one target is meant.
    #[track_caller]
    pub fn chase(&mut self, chasers: impl Agents, target: impl Agents) {
        let target = self.agent(target);
        for chaser in self.agents(chasers) {
            let mut chaser = self.world().entity_mut(chaser);
            chaser.insert_if_new(Chaser::default());
            chaser.insert(Chasing(target));
        }
    }

    /// Ends the chases of agents.
    ///
    /// # Panics
    ///
    /// When there is no agent with the letter.
    #[track_caller]
    pub fn stop(&mut self, chasers: impl Agents) {
        for chaser in self.agents(chasers) {
            self.world().entity_mut(chaser).remove::<Chasing>();
        }
    }

    /// Opens or blocks cells of the map.
    ///
    /// # Panics
    ///
    /// When no cell is meant, or one is not on the map.
    #[track_caller]
    pub fn edit(&mut self, cells: impl Cells, walkable: bool) {
        for cell in self.cells(cells) {
            let edited = self.nav_map().set_walkable(cell, walkable);
            or_panic(edited.map_err(|error| format!("{cell} cannot be edited: {error}")));
        }
    }

    /// Sets the cost of a step onto cells of the map, from 1, the default, to 64.
    ///
    /// # Panics
    ///
    /// When no cell is meant, one is not on the map, or the cost is out of range.
    #[track_caller]
    pub fn set_cost(&mut self, cells: impl Cells, cost: u8) {
        for cell in self.cells(cells) {
            let edited = self.nav_map().set_cost(cell, cost);
            or_panic(
                edited.map_err(|error| format!("a step onto {cell} cannot cost {cost}: {error}")),
            );
        }
    }

    /// Links two cells of the map one way, at a cost in straight steps of at least 1. A way back
    /// needs another link.
    ///
    /// # Panics
    ///
    /// Unless exactly two cells of the map are meant and the cost is at least 1.
    #[track_caller]
    pub fn link(&mut self, from: impl Cells, to: impl Cells, cost: u16) {
        let link = Link::new(self.cell(from), self.cell(to)).with_cost(cost);
        let Link { from, to, .. } = link;
        let linked = self.nav_map().set_link(link);
        or_panic(linked.map_err(|error| format!("{from} and {to} cannot be linked: {error}")));
    }

    /// Returns the map, to change.
    ///
    /// # Panics
    ///
    /// When the map is gone.
    #[track_caller]
    pub fn nav_map(&mut self) -> Mut<'_, NavMap> {
        self.get_mut(self.map)
    }
}
