//! The turning points of a walk, one by one.

use super::{path_step::PathStep, turning_point::TurningPoint};
use crate::{
    cell::{Cell, Direction},
    map::Grid,
    rules::Rules,
};

/// The turning points of a walk over some cells: where its direction changes, both ends of every
/// link, and where it ends. Made by [`turns`].
#[derive(Clone, Debug)]
pub struct Turns<'a, I> {
    grid: &'a Grid,
    rules: Rules,
    cells: I,
    before: Cell,
    /// The way to the cell before, while it is no point.
    heading: Option<Direction>,
    /// The end of a link that comes after the point that was given last.
    link: Option<Cell>,
}

/// The turning points of a walk from `start`, which is not one of them, over some cells in walking
/// order: [`TurningPoints`](super::TurningPoints) without memory.
///
/// A cell counts as reached by a link if [`takes_link`] says so. Cells that cannot be walked have
/// turning points like others.
pub fn turns<I: IntoIterator<Item = Cell>>(
    grid: &Grid,
    start: Cell,
    rules: Rules,
    cells: I,
) -> Turns<'_, I::IntoIter> {
    Turns {
        grid,
        rules,
        cells: cells.into_iter(),
        before: start,
        heading: None,
        link: None,
    }
}

/// Whether a walker comes from one cell to the next by a link: they are no neighbours on one floor, or
/// a link leads there where `rules` allow no step or only a dearer one. Bodies are not looked at.
pub fn takes_link(grid: &Grid, from: Cell, to: Cell, rules: Rules) -> bool {
    from.direction_to(to).is_none()
        || PathStep::between(grid, from, to, rules).is_some_and(|step| step.by_link)
}

impl<I: Iterator<Item = Cell>> Iterator for Turns<'_, I> {
    type Item = TurningPoint;

    fn next(&mut self) -> Option<TurningPoint> {
        let by_link = |cell| TurningPoint {
            cell,
            by_link: true,
        };
        if let Some(end) = self.link.take() {
            return Some(by_link(end));
        }
        for cell in self.cells.by_ref() {
            let before = std::mem::replace(&mut self.before, cell);
            let is_link = takes_link(self.grid, before, cell, self.rules);
            let way = before.direction_to(cell).filter(|_| !is_link);
            let heading = std::mem::replace(&mut self.heading, way);
            if heading.is_some() && heading != way {
                self.link = way.is_none().then_some(cell);
                return Some(TurningPoint {
                    cell: before,
                    by_link: false,
                });
            }
            if way.is_none() {
                return Some(by_link(cell));
            }
        }
        self.heading.take().map(|_| TurningPoint {
            cell: self.before,
            by_link: false,
        })
    }
}
