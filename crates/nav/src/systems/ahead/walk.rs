//! The walk of a chaser from cell to cell, by what it follows, as long as its target stands and nobody
//! is in its way.

use crate::{
    CellPosition, Chaser, NavMap, NavTime, PathCursor, Period,
    systems::{
        directions::nearest,
        fields::{FarLook, FarSharer, FieldAnswer, Fields, NextCells},
        reach::{Approach, overlaps},
        target_view::TargetView,
    },
};
use nav_grid::{Cell, Rules};

/// A walk, cell by cell, to be copied where it is looked at twice. It makes the decisions of each move tick for the cell that it has come to.
#[derive(Clone)]
pub(super) struct Walk<'a> {
    fields: &'a Fields,
    view: TargetView<'a>,
    chaser: &'a Chaser,
    cursor: &'a PathCursor,
    has_body: bool,
    now: NavTime,
    at: Cell,
    follows: Follows,
}

/// What a walk follows.
#[derive(Clone, Copy)]
enum Follows {
    /// Nothing yet.
    Undecided,
    /// The path, from this waypoint on.
    Path(usize),
    NearField,
    FarField,
    /// The straight way, while the chaser waits for a search.
    Straight,
    /// The way around others: not known in advance.
    Detour,
    /// A step off the cells of the target.
    Aside,
    /// A step along with the target.
    Along(Cell),
    /// It ends here.
    End,
}

/// Who walks.
pub(super) struct Walker<'a> {
    pub(super) chaser: &'a Chaser,
    pub(super) cursor: &'a PathCursor,
    pub(super) position: &'a CellPosition,
    pub(super) has_body: bool,
    /// Whether a search of its own is under way: it stays where that began.
    pub(super) is_searching: bool,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        fields: &'a Fields,
        view: TargetView<'a>,
        walker: Walker<'a>,
        now: NavTime,
    ) -> Self {
        let Walker {
            chaser,
            cursor,
            position,
            has_body,
            is_searching,
        } = walker;
        let at = position.cell;
        let along = || view.step_along(cursor, at).map(Follows::Along);
        let follows = if cursor.shares_far() {
            Follows::FarField
        } else if cursor.is_sharing() {
            let along = (has_body && cursor.is_beside()).then(along).flatten();
            along.unwrap_or(Follows::NearField)
        } else if cursor.is_on_path() {
            Follows::Path(0)
        } else if cursor.is_queued() && is_searching {
            Follows::End
        } else if cursor.is_queued() {
            Follows::Straight
        } else if cursor.is_on_detour() {
            Follows::Detour
        } else if cursor.goes_along() {
            along().unwrap_or(Follows::End)
        } else {
            Follows::Undecided
        };
        Self {
            fields,
            view,
            chaser,
            cursor,
            has_body,
            now,
            at,
            follows,
        }
    }

    /// Where it has come to.
    pub(super) const fn at(&self) -> Cell {
        self.at
    }

    pub(super) const fn nav_map(&self) -> &'a NavMap {
        self.view.map
    }

    pub(super) const fn rules(&self) -> Rules {
        self.chaser.rules
    }

    /// Where the target is.
    pub(super) const fn target(&self) -> Cell {
        self.view.cell()
    }

    fn is_reached(&self) -> bool {
        let approach = Approach::from(self.chaser);
        self.view.may_be_reached(self.at)
            && self.view.is_within_reach(approach, self.cursor, self.at)
    }

    fn is_over_target(&self) -> bool {
        overlaps(self.rules(), self.at, &self.view.target.seen)
    }

    /// Decides what is followed from where it has come to, by the rules of
    /// [`decide`](crate::systems::decide) that hold for a target that stands.
    fn decide(&mut self) {
        self.follows = match self.follows {
            Follows::NearField if self.view.field.is_none_or(|field| !field.leads()) => {
                Follows::End
            }
            Follows::NearField | Follows::Aside | Follows::Along(_) | Follows::End => return,
            _ if self.is_reached() && self.is_over_target() => Follows::Aside,
            _ if self.is_reached() => Follows::End,
            // Who has no body leaves the cells of its target by it.
            Follows::Detour if !self.has_body => Follows::Aside,
            Follows::Path(_)
            | Follows::Straight
            | Follows::FarField
            | Follows::Detour
            | Follows::Undecided => match self.shared_field() {
                Some(field) => field,
                // Its own way is known as far as no field takes over.
                None if matches!(self.follows, Follows::Path(_) | Follows::Straight) => return,
                None => Follows::End,
            },
        };
    }

    /// The shared field that a chaser joins here, or the end of what is known if that has to be made;
    /// `None` if there is none for it.
    fn shared_field(&self) -> Option<Follows> {
        let (target, field) = (self.view.target, self.view.shared_field()?);
        match field.look(target, self.at) {
            FieldAnswer::Leads => return Some(Follows::NearField),
            FieldAnswer::Pending => return Some(Follows::End),
            FieldAnswer::Nothing if !field.sees_far() => return None,
            FieldAnswer::Nothing => {}
        }
        let sharer = FarSharer {
            chaser: self.chaser,
            cell: self.at,
            map: self.view.map,
            now: self.now,
            // For those who are counted when they ask.
            period: Period::default(),
            shares: matches!(self.follows, Follows::FarField),
        };
        let named = (self.view.tuning.group(), self.view.slot);
        match self.fields.far_look(named, target, sharer) {
            FarLook::Leads => Some(Follows::FarField),
            FarLook::Pending { .. } => Some(Follows::End),
            FarLook::Drifted { .. } | FarLook::Nothing => None,
        }
    }

    /// The next cell, once it is decided what is followed.
    fn step(&mut self) -> Option<Cell> {
        let (at, rules) = (self.at, self.rules());
        let to = match self.follows {
            Follows::Path(waypoint) => {
                self.follows = Follows::Path(waypoint + 1);
                let to = self.cursor.path().iter().nth(waypoint)?;
                self.view.grid().allows_move(at, to, rules).then_some(to)
            }
            Follows::NearField | Follows::FarField => {
                if self.view.is_near(self.view.away(at), 1) && self.is_reached() {
                    return self.is_over_target().then(|| self.step_aside()).flatten();
                }
                self.step_by_field()
            }
            Follows::Straight => self.view.straight_on(at, rules),
            Follows::Aside => self.step_aside(),
            Follows::Along(to) => {
                self.follows = Follows::End;
                Some(to)
            }
            Follows::Undecided | Follows::Detour | Follows::End => None,
        }?;
        (!overlaps(rules, to, &self.view.target.seen)).then_some(to)
    }

    /// The first of the cells that a field ranks.
    fn step_by_field(&mut self) -> Option<Cell> {
        let (at, rules) = (self.at, self.rules());
        let next = match (self.follows, self.view.tuning.group()) {
            (Follows::FarField, group) => {
                let named = (group?, self.view.slot);
                let (target, map) = (self.view.target, self.view.map);
                self.fields.far_next_cells(named, target, map, at)
            }
            _ => self.view.next_cells(at),
        }?;
        if next.is_end() {
            // The field is aimed anew before more than the straight step is taken.
            self.follows = Follows::End;
        }
        let (next, wished) = self.view.lead_on(next, at, || rules);
        let next = if self.has_body {
            let away = self.view.away(at);
            NextCells {
                best: self.view.off_target(next.best, (at, away), rules),
                ..next
            }
        } else {
            next
        };
        next.first(at, wished).0
    }

    /// Off the cells of the target, beside which it rests.
    fn step_aside(&mut self) -> Option<Cell> {
        self.follows = Follows::End;
        let (ways, wished) = self.view.aside(self.at, self.rules());
        self.at.step(nearest(ways, wished)?)
    }
}

impl Iterator for Walk<'_> {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        self.decide();
        let to = self.step();
        match to {
            Some(to) => self.at = to,
            None => self.follows = Follows::End,
        }
        to
    }
}
