//! The seam between what shows the way and what takes steps.

use super::{
    ranked::{Ranked, heading},
    target_view::TargetView,
};
use crate::{PathCursor, systems::fields::SharedField};
use nav_grid::{Cell, Direction, Directions, Rules};

/// The source of a chaser's moves.
///
/// Stepping, making room, the points ahead and the recorder ask [`Guide::next`] and nothing else,
/// so none of them knows methods, metrics or fields.
#[derive(Clone, Copy)]
pub(crate) enum Guide<'a> {
    /// The next waypoint of a path of its own.
    Path(Cell),
    /// The shared field around the target.
    Near(SharedField<'a>),
    /// The shared field over the portals of the map.
    Far,
    /// Straight toward the target, while a search is queued.
    Straight,
}

/// The shared field that a chaser follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldKind {
    /// Around the target.
    Near,
    /// Over the portals of the map.
    Far,
}

impl FieldKind {
    /// The field of a cursor, if it follows one.
    #[inline]
    pub(crate) fn of(cursor: &PathCursor) -> Option<Self> {
        if cursor.shares_near() {
            Some(Self::Near)
        } else if cursor.shares_far() {
            Some(Self::Far)
        } else {
            None
        }
    }

    /// The field as a guide.
    #[inline]
    pub(crate) fn guide<'a>(self, view: &TargetView<'a>) -> Option<Guide<'a>> {
        match self {
            Self::Near => view.field.map(Guide::Near),
            Self::Far => Some(Guide::Far),
        }
    }
}

impl<'a> Guide<'a> {
    /// The guide of a cursor with its next waypoint; `None` if there is nothing to follow.
    #[inline(always)]
    pub(crate) fn of(
        cursor: &PathCursor,
        waypoint: Option<Cell>,
        view: &TargetView<'a>,
    ) -> Option<Self> {
        if let Some(field) = FieldKind::of(cursor) {
            field.guide(view)
        } else if cursor.is_queued() {
            Some(Self::Straight)
        } else {
            waypoint.map(Self::Path)
        }
    }

    /// The moves that lead on from a cell of the map toward the target of a view. `None` where the
    /// guide does not lead on.
    #[inline(always)]
    pub(crate) fn next(
        self,
        view: &TargetView,
        from: Cell,
        rules: impl Fn() -> Rules,
    ) -> Option<Ranked> {
        match self {
            Self::Near(_) | Self::Far => {
                let ranked = self.by_shared_field(view, from)?;
                Some(straight_at_end(ranked, view, from, rules))
            }
            Self::Path(to) => {
                // A path can lie beside its chaser after a teleport, or behind a door that closed.
                let leads_on = view.grid().allows_move(from, to, rules());
                leads_on.then(|| Ranked::to(from, to))
            }
            Self::Straight => {
                let toward = heading(from, view.cell())?;
                let is_legal = view.grid().steps(from, rules()).contains(toward);
                is_legal.then(|| Ranked::steps(toward.into(), toward))
            }
        }
    }

    /// The moves by which a shared field leads on from a cell; none where it ends. `None` where it
    /// does not lead on, and for other guides.
    #[inline(always)]
    fn by_shared_field(self, view: &TargetView, from: Cell) -> Option<Ranked> {
        match self {
            Self::Near(field) => field.next_cells(from, || Some(view.grid())),
            Self::Far => view.fields.far_next_cells(view, from),
            _ => None,
        }
    }

    /// Whether a shared field ends at a cell, from which the straight way leads on.
    pub(crate) fn ends_at(self, view: &TargetView, at: Cell) -> bool {
        let ranked = self.by_shared_field(view, at);
        ranked.is_some_and(|ranked| ranked.is_empty())
    }
}

/// Adds the direction of the target. Where a field ends, which is where the target was when it was
/// aimed, the straight way leads on.
#[inline(always)]
fn straight_at_end(
    mut ranked: Ranked,
    view: &TargetView,
    from: Cell,
    rules: impl Fn() -> Rules,
) -> Ranked {
    ranked.toward = heading(from, view.cell()).unwrap_or(Direction::North);
    if ranked.is_empty() {
        let legal = view.grid().steps(from, rules());
        ranked.tiers[0] = legal.intersection(Directions::from(ranked.toward));
    }
    ranked
}
