//! Which cell comes next: the choice that steps and the points ahead share, bodies aside.

#![expect(
    clippy::inline_always,
    reason = "on the way of every chaser: a view stays in registers only if all of it is inlined"
)]

use super::{
    directions::{heading, nearest},
    fields::NextCells,
    target_view::TargetView,
};
use nav_grid::{Cell, Direction, Directions, Rules};

impl TargetView<'_> {
    /// The next cells from one as the field around the target ranks them.
    #[inline(always)]
    pub(crate) fn next_cells(&self, from: Cell) -> Option<NextCells> {
        self.field?.next_cells(from, || Some(self.grid()))
    }

    /// The next cells from one as a field ranks them, and the way in which the target lies. Where the
    /// field ends, which is where the target was when it was aimed, the straight way leads on.
    #[inline(always)]
    pub(crate) fn lead_on(
        &self,
        mut next: NextCells,
        from: Cell,
        rules: impl FnOnce() -> Rules,
    ) -> (NextCells, Direction) {
        let wished = heading(from, self.cell()).unwrap_or(Direction::North);
        if next.is_end() {
            let legal = self.grid().steps(from, rules());
            next.best = legal.intersection(Directions::from(wished));
        }
        (next, wished)
    }

    /// The step straight toward the target, if it is legal.
    pub(crate) fn straight_on(&self, from: Cell, rules: Rules) -> Option<Cell> {
        let legal = self.grid().steps(from, rules);
        let way = heading(from, self.cell()).filter(|&way| legal.contains(way));
        way.and_then(|way| from.step(way))
    }

    /// The ways off the cells of the target, and the one that a chaser likes best: that which comes
    /// first clockwise from where the target lies.
    #[cold]
    pub(crate) fn aside(&self, from: Cell, rules: Rules) -> (Directions, Direction) {
        let ways = self.grid().steps(from, rules);
        let ways = self.off_target(ways, (from, self.away(from)), rules);
        let wished = heading(from, self.cell()).unwrap_or(Direction::North);
        (ways, wished)
    }
}

impl NextCells {
    /// The cell that a chaser takes if nobody is in its way, and whether a link leads there: of the
    /// best steps the one toward the target, and only where there is none the link.
    #[inline(always)]
    pub(crate) fn first(self, from: Cell, wished: Direction) -> (Option<Cell>, bool) {
        match nearest(self.best, wished) {
            Some(way) => (from.step(way), false),
            None => (self.link, true),
        }
    }
}
