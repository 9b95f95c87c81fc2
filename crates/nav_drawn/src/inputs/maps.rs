//! Inputs about maps: cells open and close, maps are removed and come back.

use super::{Inputs, View};
use crate::input::{Index, Input};
use nav::{CellPosition, NavMap};
use nav_grid::{
    Area, Cell, Directions, Edit, Link,
    map::Sight,
    rules::{Class, LinkKind},
};

impl Inputs {
    /// Returns the part of an area that is on the map.
    fn on_map(view: &View, first: Cell, last: Cell) -> Area {
        Area::new(first, last).clipped(view.scene.grid.size())
    }

    pub(super) fn door(&mut self, view: &View) -> Input {
        let area = self.patch(view, 2);
        let opens = self.draw.percent(55);
        Input::Edit(Edit::Walkable(area, opens))
    }

    pub(super) fn wall_in(&mut self, view: &mut View) -> Option<Input> {
        let who = self.anybody(view);
        let world = view.stage.world.app.world();
        // A target that is not spawned yet has no cell.
        let agent = view.inputs.is_empty().then(|| view.stage.who(who))?;
        let at = world.get::<CellPosition>(agent)?.cell;
        let on_top = self.draw.percent(40);
        let reach = u16::from(!on_top);
        let first = Cell {
            x: at.x.saturating_sub(reach),
            y: at.y.saturating_sub(reach),
            ..at
        };
        let last = Cell {
            x: at.x.saturating_add(reach),
            y: at.y.saturating_add(reach),
            ..at
        };
        let walls = Input::Edit(Edit::Walkable(Self::on_map(view, first, last), false));
        if on_top {
            return Some(walls);
        }
        view.inputs.push(walls);
        Some(Input::Edit(Edit::Walkable(
            Self::on_map(view, at, at),
            true,
        )))
    }

    pub(super) fn undo(&mut self, view: &mut View) -> Input {
        let at = self.cell(view);
        let last = Cell {
            x: at.x.saturating_add(3),
            ..at
        };
        let area = Self::on_map(view, at, last);
        view.inputs.push(Input::Edit(Edit::Walkable(area, false)));
        Input::Edit(Edit::Walkable(area, true))
    }

    pub(super) fn mud(&mut self, view: &View) -> Input {
        Input::Edit(Edit::Cost(
            self.cell(view).into(),
            self.draw.number(1, 7) as u8,
        ))
    }

    pub(super) fn ledge(&mut self, view: &View) -> Input {
        let exits = self.draw.one_of(&[Directions::STRAIGHT, Directions::ALL]);
        Input::Edit(Edit::Exits(self.cell(view).into(), exits))
    }

    pub(super) fn link(&mut self, view: &View) -> Input {
        let link = Link::new(self.cell(view), self.cell(view));
        // By its ends, for an equal game whatever links can be.
        let number = usize::from(link.from.x ^ link.to.y);
        let kind = LinkKind::new((number % 3) as u8).expect("0 to 15");
        let link = link.with_kind(kind).with_capacity([0, 0, 1][number % 3]);
        Input::Edit(Edit::Link(link.with_millis([0, 300, 0, 1500][number % 4])))
    }

    pub(super) fn unlink(view: &View) -> Option<Input> {
        let map = view
            .stage
            .world
            .app
            .world()
            .get::<NavMap>(view.stage.world.map)?;
        let &Link { from, to, .. } = map.grid().links().first()?;
        Some(Input::Edit(Edit::Unlink { from, to }))
    }

    pub(super) fn class(&mut self, view: &View) -> Input {
        let area = self.patch(view, 3);
        let class = Class::new(self.draw.number(0, 3) as u8).expect("a class");
        Input::Edit(Edit::Class(area, class))
    }

    pub(super) fn sight(&mut self, view: &View) -> Input {
        let area = self.patch(view, 3);
        let sight = [Sight::Clear, Sight::Blocked, Sight::AsGround];
        Input::Edit(Edit::Sight(area, self.draw.one_of(&sight)))
    }

    /// A cell, or a square with up to `more` columns and rows beside it.
    fn patch(&mut self, view: &View, more: u16) -> Area {
        let at = self.cell(view);
        let side = self.draw.number(0, more);
        let last = Cell {
            x: at.x.saturating_add(side),
            y: at.y.saturating_add(side),
            ..at
        };
        Self::on_map(view, at, last)
    }

    pub(super) fn reset_map(&mut self) -> Input {
        Input::ResetMap {
            regions: self.draw.percent(50),
        }
    }

    pub(super) fn remove_map(&mut self) -> Input {
        let back = self.now + u64::from(self.draw.number(1, 40));
        self.map_is_back = Some(back);
        Input::RemoveMap {
            despawns: self.draw.percent(50),
        }
    }

    pub(super) fn other_ground(&mut self) -> Input {
        Input::Ground {
            seed: u64::from(self.draw.number(0, 999)),
            moves: self.draw.percent(50),
        }
    }

    pub(super) fn build(&mut self, view: &View) -> Input {
        let footprint = self.footprint(view);
        let index = match self.draw.number(0, 3) {
            0 => Index::Regions,
            1 => Index::Portals,
            2 => Index::Mosaic,
            _ => Index::Jumps,
        };
        Input::Build(index, footprint)
    }
}
