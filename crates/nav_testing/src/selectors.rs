//! Ways to say whom a call of the harness means, and where.

use crate::names::Names;
use bevy_ecs::prelude::*;
use nav::CellPosition;
use nav_grid::{Area, Cell};

/// Whom a call means: a letter stands for all agents that are drawn with it, in reading order; an
/// [`Entity`] for itself; a slice, an array or a vector for all in it.
///
/// A call that is about one agent panics where several are meant.
pub trait Agents {
    /// All of them, or a sentence that says what is wrong.
    #[doc(hidden)]
    fn find_agents(&self, names: &Names) -> Result<Vec<Entity>, String>;
}

impl Agents for char {
    fn find_agents(&self, names: &Names) -> Result<Vec<Entity>, String> {
        names.agents(*self)
    }
}

impl Agents for Entity {
    fn find_agents(&self, _: &Names) -> Result<Vec<Entity>, String> {
        Ok(vec![*self])
    }
}

impl<T: Agents> Agents for [T] {
    fn find_agents(&self, names: &Names) -> Result<Vec<Entity>, String> {
        let each: Result<Vec<_>, _> = self
            .iter()
            .map(|agents| agents.find_agents(names))
            .collect();
        each.map(|each| each.concat())
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

/// Which cells a call means: a small letter stands for all cells that are drawn with it, in reading
/// order; a capital letter, a digit or an [`Entity`] for where these agents are now; a [`Cell`] or a pair
/// of column and row for itself; an [`Area`] for all cells in it.
///
/// A call that is about one cell panics where several are meant.
pub trait Cells {
    /// All of them, or a sentence that says what is wrong.
    #[doc(hidden)]
    fn find_cells(&self, names: &Names, world: &World) -> Result<Vec<Cell>, String>;
}

impl Cells for char {
    fn find_cells(&self, names: &Names, world: &World) -> Result<Vec<Cell>, String> {
        if self.is_ascii_lowercase() {
            return names.cells(*self);
        }
        let each = names.agents(*self)?.into_iter();
        let each: Result<Vec<_>, _> = each.map(|agent| agent.find_cells(names, world)).collect();
        each.map(|each| each.concat())
    }
}

impl Cells for Entity {
    fn find_cells(&self, names: &Names, world: &World) -> Result<Vec<Cell>, String> {
        let place = world.get::<CellPosition>(*self);
        let found = place.map(|place| vec![place.cell]);
        found.ok_or_else(|| match names.letter(*self) {
            Some(letter) => format!("agent {letter:?} has no place: it has no CellPosition"),
            None => format!("agent {self} has no place: it has no CellPosition"),
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
