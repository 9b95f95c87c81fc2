//! Ways to say which agents and which cells a call of the harness means.

use bevy_ecs::prelude::*;
use nav::CellPosition;
use nav_grid::{Area, Cell};
use std::collections::BTreeMap;

/// The meanings of each letter, in the order in which they were named.
pub(super) type Letters<T> = BTreeMap<char, Vec<T>>;

/// The letters of a scene.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub(super) agents: Letters<Entity>,
    pub(super) cells: Letters<Cell>,
}

impl Names {
    /// The letter of an agent; of several, the first in the alphabet.
    pub(super) fn letter(&self, agent: Entity) -> Option<char> {
        let mut all = self.agents.iter();
        let found = all.find(|(_, agents)| agents.contains(&agent));
        found.map(|(&letter, _)| letter)
    }
}

/// Finds what a letter stands for, or says in a sentence which letters there are.
fn find<T: Clone>(letters: &Letters<T>, letter: char, what: &str) -> Result<Vec<T>, String> {
    letters.get(&letter).cloned().ok_or_else(|| {
        let others: Vec<String> = letters.keys().map(|other| format!("{other:?}")).collect();
        let list = match &others[..] {
            [] => "none".to_owned(),
            _ => others.join(", "),
        };
        format!("no {what} is drawn as {letter:?}: there is {list}")
    })
}

/// Agents that a call means.
///
/// A letter stands for all agents that are drawn with it, in reading order; an [`Entity`] for
/// itself; a slice, an array or a vector for everything in it. A call about one agent panics if
/// several are meant.
pub trait Agents {
    /// Returns all of them, or a sentence that says what is wrong.
    #[doc(hidden)]
    fn find_agents(&self, names: &Names) -> Result<Vec<Entity>, String>;
}

impl Agents for char {
    fn find_agents(&self, names: &Names) -> Result<Vec<Entity>, String> {
        find(&names.agents, *self, "agent")
    }
}

impl Agents for Entity {
    fn find_agents(&self, _: &Names) -> Result<Vec<Entity>, String> {
        Ok(vec![*self])
    }
}

impl<T: Agents> Agents for [T] {
    fn find_agents(&self, names: &Names) -> Result<Vec<Entity>, String> {
        let mut all = Vec::new();
        for agents in self {
            all.extend(agents.find_agents(names)?);
        }
        Ok(all)
    }
}

impl<T: Agents, const N: usize> Agents for [T; N] {
    fn find_agents(&self, names: &Names) -> Result<Vec<Entity>, String> {
        self.as_slice().find_agents(names)
    }
}

impl<T: Agents> Agents for Vec<T> {
    fn find_agents(&self, names: &Names) -> Result<Vec<Entity>, String> {
        self.as_slice().find_agents(names)
    }
}

impl<T: Agents + ?Sized> Agents for &T {
    fn find_agents(&self, names: &Names) -> Result<Vec<Entity>, String> {
        (**self).find_agents(names)
    }
}

/// Cells that a call means.
///
/// A small letter stands for all cells that are drawn with it, in reading order; a capital letter,
/// a digit or an [`Entity`] for the present cells of these agents; a [`Cell`] or a pair of column
/// and row for itself; an [`Area`] for all its cells. A call about one cell panics if several are
/// meant.
pub trait Cells {
    /// Returns all of them, or a sentence that says what is wrong.
    #[doc(hidden)]
    fn find_cells(&self, names: &Names, world: &World) -> Result<Vec<Cell>, String>;
}

impl Cells for char {
    fn find_cells(&self, names: &Names, world: &World) -> Result<Vec<Cell>, String> {
        if self.is_ascii_lowercase() {
            return find(&names.cells, *self, "cell");
        }
        let mut all = Vec::new();
        for agent in self.find_agents(names)? {
            all.extend(agent.find_cells(names, world)?);
        }
        Ok(all)
    }
}

impl Cells for Entity {
    fn find_cells(&self, names: &Names, world: &World) -> Result<Vec<Cell>, String> {
        let place = world.get::<CellPosition>(*self);
        let found = place.map(|place| vec![place.cell]);
        found.ok_or_else(|| {
            let letter = names.letter(*self).map(|letter| format!("{letter:?}"));
            let name = letter.unwrap_or_else(|| self.to_string());
            format!("agent {name} has no place: it has no CellPosition")
        })
    }
}

impl Cells for Cell {
    fn find_cells(&self, _: &Names, _: &World) -> Result<Vec<Cell>, String> {
        Ok(vec![*self])
    }
}

impl Cells for (u16, u16) {
    fn find_cells(&self, _: &Names, _: &World) -> Result<Vec<Cell>, String> {
        Ok(vec![Cell::from(*self)])
    }
}

impl Cells for Area {
    fn find_cells(&self, _: &Names, _: &World) -> Result<Vec<Cell>, String> {
        Ok(self.cells().collect())
    }
}

impl<T: Cells + ?Sized> Cells for &T {
    fn find_cells(&self, names: &Names, world: &World) -> Result<Vec<Cell>, String> {
        (**self).find_cells(names, world)
    }
}
