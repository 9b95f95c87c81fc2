//! Where a chaser wants to step at its move tick.

#![expect(
    clippy::inline_always,
    reason = "on the way of every chaser: a view stays in registers only if all of it is inlined"
)]

use crate::{
    NavClock, NavMap, NavTime, PathCursor,
    systems::{
        fields::{Fields, NextCells},
        reach::Approach,
        search::LongSearch,
        storage::{
            chaser::ChaserView,
            targets::{Target, Targets},
        },
        target_view::{TargetView, TargetViews},
    },
};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav_grid::{Cell, Direction};

/// What all steps of a tick are taken by.
#[derive(SystemParam)]
pub(crate) struct StepParams<'w, 's> {
    pub(super) clock: Res<'w, NavClock>,
    fields: Res<'w, Fields>,
    long_search: Res<'w, LongSearch>,
    maps: Query<'w, 's, &'static NavMap>,
}

/// What a chaser wants whose move tick it is.
pub(super) enum NextStep {
    /// There is nothing to follow.
    Rest,
    /// The target came within reach.
    Arrive,
    /// The target left its reach, and may be back in a moment.
    Hold,
    /// It does not know yet, and asks again in the next tick.
    Wait,
    /// The next waypoint of its path.
    To(Cell),
    /// On to a free place beside the target.
    Detour,
    /// Within reach still: along with the target.
    Along(Cell),
    /// Any of the cells that a field ranks, those toward the target first.
    Ranked {
        next: NextCells,
        /// Toward the target.
        wished: Direction,
    },
}

/// Names the field that a chaser follows.
#[derive(Clone, Copy)]
pub(super) struct FieldRef {
    group: u16,
    is_far: bool,
    slot: u32,
}

impl FieldRef {
    /// The slot of the target.
    pub(super) const fn slot(self) -> usize {
        self.slot as usize
    }

    /// The field that a chaser follows, or would if it had to.
    #[inline]
    pub(super) fn of(view: &TargetView, cursor: &PathCursor) -> Option<Self> {
        Some(Self {
            group: view.tuning.group()? as u16,
            is_far: cursor.shares_far(),
            slot: view.slot as u32,
        })
    }
}

impl StepParams<'_, '_> {
    #[inline]
    pub(super) fn now(&self) -> NavTime {
        self.clock.now()
    }

    #[inline]
    pub(super) fn previous(&self) -> NavTime {
        self.clock.previous()
    }

    pub(super) fn views<'a>(&'a self, targets: &'a Targets) -> TargetViews<'a> {
        TargetViews::new(targets, &self.fields, &self.maps, self.now())
    }

    /// Whether steps of some chaser may take as long as they cost.
    pub(super) fn some_step_by_cost(&self) -> bool {
        self.fields.by_cost
    }

    pub(super) fn map(&self, map: Option<Entity>) -> Option<&NavMap> {
        self.maps.get(map?).ok()
    }

    /// What a chaser wants at its move tick, whose target is so far away. Drops what can no longer be
    /// followed.
    #[inline(always)]
    pub(super) fn next_step(
        &self,
        view: &TargetView,
        chaser: &mut ChaserView,
        away: u16,
    ) -> NextStep {
        if !chaser.cursor.is_sharing() {
            return match chaser.waypoint() {
                Some(waypoint) => NextStep::To(waypoint),
                None if chaser.cursor.is_queued() => {
                    let approach = view.approach(chaser);
                    match self.straight_on(view, chaser.cell(), *chaser.entity, approach) {
                        Some(to) => NextStep::To(to),
                        // Keeps the phase of its move ticks: in one of them its turn comes.
                        None if chaser.search_timer.next_search() > self.now() => NextStep::Hold,
                        None => NextStep::Wait,
                    }
                }
                None if chaser.cursor.is_on_detour() => NextStep::Detour,
                None if chaser.cursor.goes_along() => Self::along(view, chaser),
                None => NextStep::Rest,
            };
        }
        let from = chaser.cell();
        view.want_field(away);
        let was_beside = chaser.cursor.is_beside();
        if was_beside
            && chaser.body.is_some()
            && let Some(to) = view.step_along(&chaser.cursor, from)
        {
            return NextStep::Along(to);
        }
        if view.is_near(away, 1) && view.is_reached(chaser, from) {
            return if view.is_over(chaser) {
                NextStep::Detour
            } else {
                NextStep::Arrive
            };
        }
        if was_beside && chaser.body.is_some() && view.goes_to_and_fro(from) {
            return NextStep::Hold;
        }
        let next = if chaser.cursor.shares_far() {
            let field = FieldRef::of(view, &chaser.cursor);
            field.and_then(|field| self.far_next_cells(view.target, field, from))
        } else {
            view.next_cells(from)
        };
        let Some(next) = next else {
            return Self::lose_field(chaser);
        };
        let (next, wished) = view.lead_on(next, from, || view.approach(chaser).rules);
        NextStep::Ranked { next, wished }
    }

    /// A chaser that waits for a search goes straight toward the target where that is possible; one whose
    /// search is under way stays where it began.
    #[cold]
    fn straight_on(
        &self,
        view: &TargetView,
        from: Cell,
        chaser: Entity,
        approach: Approach,
    ) -> Option<Cell> {
        let is_under_way = self.long_search.chaser() == Some(chaser);
        let to = view.straight_on(from, approach.rules);
        to.filter(|_| !is_under_way)
    }

    /// Along with the target, beside which the body rests from then on.
    #[inline(always)]
    fn along(view: &TargetView, chaser: &mut ChaserView) -> NextStep {
        let to = view.step_along(&chaser.cursor, chaser.cell());
        chaser.cursor.rest_beside(view.target.seen.position);
        to.map_or(NextStep::Rest, NextStep::Along)
    }

    /// The field does not lead on from where the chaser is.
    #[inline(always)]
    fn lose_field(chaser: &mut ChaserView) -> NextStep {
        chaser.cursor.drop_path();
        NextStep::Wait
    }

    /// The next cells from one by the field of a target.
    #[inline]
    pub(super) fn next_cells(
        &self,
        target: &Target,
        field: FieldRef,
        cell: Cell,
    ) -> Option<NextCells> {
        if field.is_far {
            return self.far_next_cells(target, field, cell);
        }
        let shared = self.fields.shared(field.group.into(), field.slot())?;
        shared.next_cells(cell, || Some(self.map(Some(target.seen.map))?.grid()))
    }

    /// Whether a side of a cell is nearer to the target than that is, by a field.
    pub(super) fn is_nearer(&self, field: FieldRef, side: Cell, cell: Cell) -> bool {
        let shared = || self.fields.shared(field.group.into(), field.slot());
        !field.is_far && shared().is_some_and(|shared| shared.is_nearer(side, cell))
    }

    #[cold]
    fn far_next_cells(&self, target: &Target, field: FieldRef, cell: Cell) -> Option<NextCells> {
        let map = self.map(Some(target.seen.map))?;
        let group = field.group.into();
        self.fields
            .far_next_cells((group, field.slot()), target, map, cell)
    }
}
