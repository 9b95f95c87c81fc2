//! A walk of a chaser from cell to cell, for a target that stands and without bodies in the way.

use crate::{
    Chaser, PathCursor,
    systems::{
        fields::{FarSharer, FieldAnswer},
        guidance::{
            Guide, TargetView,
            reach::{Approach, overlaps},
        },
    },
};
use nav_grid::{Cell, Rules};

/// A walk, cell by cell. Clone it to look ahead.
///
/// At each cell it asks the same as a move tick: the contact with the target, and then the guide.
#[derive(Clone)]
pub(super) struct Walk<'a> {
    pub(super) view: TargetView<'a>,
    walker: Walker<'a>,
    /// The present cell.
    pub(super) at: Cell,
    follows: Follows,
}

/// The chaser of a walk.
#[derive(Clone)]
pub(super) struct Walker<'a> {
    pub(super) chaser: &'a Chaser,
    pub(super) cursor: &'a PathCursor,
    pub(super) has_body: bool,
    /// Whether its own search is running: then it waits where the search began.
    pub(super) is_searching: bool,
}

/// The guidance of a walk.
#[derive(Clone, Copy, PartialEq)]
enum Follows {
    /// The guidance of the cursor; of a path, the waypoints from this number on.
    Own(usize),
    Near,
    Far,
    /// Nothing: the walk ends here.
    Nothing,
}

impl<'a> Walk<'a> {
    pub(super) fn new(view: TargetView<'a>, walker: Walker<'a>, at: Cell) -> Self {
        let cursor = walker.cursor;
        let follows = if cursor.shares_near() {
            Follows::Near
        } else if cursor.shares_far() {
            Follows::Far
        } else if walker.is_searching && cursor.is_queued() {
            Follows::Nothing
        } else {
            Follows::Own(0)
        };
        Self {
            view,
            walker,
            at,
            follows,
        }
    }

    pub(super) const fn rules(&self) -> Rules {
        self.walker.chaser.rules
    }

    /// The next cell; `None` where the walk ends.
    fn step(&mut self) -> Option<Cell> {
        let (at, rules) = (self.at, self.rules());
        let follows = std::mem::replace(&mut self.follows, Follows::Nothing);
        if follows == Follows::Nothing {
            return None;
        }
        // Only the first step may go alongside the target, which stands from then on.
        let cursor = self.walker.cursor;
        if self.walker.has_body && cursor.is_reached() && follows != Follows::Far {
            let along = self.view.step_along(cursor, at);
            if along.is_some() {
                return along;
            }
        }
        let approach = Approach::from(self.walker.chaser);
        if self.view.may_be_reached(at) && self.view.is_within_reach(approach, cursor, at) {
            let is_under = overlaps(rules, at, &self.view.target.seen);
            let aside = is_under.then(|| self.view.aside(at, rules));
            return aside.and_then(|aside| aside.first(at));
        }
        self.follows = self.guide_from(follows)?;
        let guide = match self.follows {
            Follows::Near => self.view.field.map(Guide::Near),
            Follows::Far => Some(Guide::Far),
            Follows::Own(waypoint) => {
                self.follows = Follows::Own(waypoint + 1);
                Guide::of(cursor, cursor.path().iter().nth(waypoint), &self.view)
            }
            Follows::Nothing => None,
        }?;
        let ranked = guide.next(&self.view, at, || rules)?;
        let ranked = self.view.clear_of_target(ranked, at, rules);
        let to = ranked.first(at)?;
        if guide.ends_at(&self.view, at) {
            // The field is aimed again before more than the straight step is taken.
            self.follows = Follows::Nothing;
        }
        Some(to)
    }

    /// Returns the guidance of the walk from its present cell; `None` if that is not known yet.
    fn guide_from(&self, follows: Follows) -> Option<Follows> {
        let (target, view) = (self.view.target, &self.view);
        if follows == Follows::Near {
            let field = view.field.filter(|field| field.leads());
            return field.map(|_| Follows::Near);
        }
        let own = || matches!(follows, Follows::Own(_)).then_some(follows);
        let Some(field) = view.shared_field() else {
            return own();
        };
        match field.look(target, self.at) {
            FieldAnswer::Leads => return Some(Follows::Near),
            FieldAnswer::Pending => return None,
            FieldAnswer::Nothing if !field.sees_far() => return own(),
            FieldAnswer::Nothing => {}
        }
        let sharer = FarSharer {
            chaser: self.walker.chaser,
            cell: self.at,
            shares: follows == Follows::Far,
        };
        match view.fields.far_look(view, sharer) {
            FieldAnswer::Leads => Some(Follows::Far),
            FieldAnswer::Pending => None,
            FieldAnswer::Nothing => own(),
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let to = self.step();
        match to {
            Some(to) => self.at = to,
            None => self.follows = Follows::Nothing,
        }
        to
    }
}
