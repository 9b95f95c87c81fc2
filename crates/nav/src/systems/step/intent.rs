//! The intent of a chaser at its move tick: by its contact with the target, and then by its guide.

use super::apply::{arrive, leave_if_out_of_reach};
use crate::{
    BodyKind, NavClock, NavMap, NavTime, NavTimer,
    components::Event,
    systems::{
        fields::Fields,
        guidance::{Contact, Guide, Ranked, TargetView, TargetViews},
        search::LongSearch,
        storage::{columns::ChaserView, targets::Targets, tick_events::TickEvents},
    },
};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav_grid::Cell;

/// The common inputs of all steps of a tick.
#[derive(SystemParam)]
pub(crate) struct StepParams<'w, 's> {
    clock: Res<'w, NavClock>,
    fields: Res<'w, Fields>,
    long_search: Res<'w, LongSearch>,
    maps: Query<'w, 's, &'static NavMap>,
}

/// The intent of a chaser at its move tick.
pub(super) enum Intent {
    /// Asks again in the next tick: what it followed no longer leads on.
    Again,
    /// Nothing; looks again after its chasing period.
    Hold,
    /// Rests within reach of the target from now on.
    Arrive,
    /// A step or a link. Empty where the way is known only once others have stepped, or is taken.
    Go(Ranked),
}

impl StepParams<'_, '_> {
    #[inline]
    pub(super) fn now(&self) -> NavTime {
        self.clock.now()
    }

    pub(super) fn views<'a>(&'a self, targets: &'a Targets) -> TargetViews<'a> {
        TargetViews::new(targets, &self.fields, &self.maps, self.now())
    }

    pub(super) fn map(&self, map: Option<Entity>) -> Option<&NavMap> {
        self.maps.get(map?).ok()
    }

    /// Sets the next move tick of a chaser after its chasing period, or its idle one. Returns
    /// whether it was due.
    #[inline(always)]
    pub(super) fn tick(&self, chaser: &mut ChaserView, is_chasing: bool) -> bool {
        let (now, previous) = (self.now(), self.clock.previous());
        chaser.move_timer.tick(now, previous, is_chasing)
    }

    /// Lets a chaser stand for its idle period, or its chasing one.
    #[inline(always)]
    pub(super) fn stand(&self, chaser: &mut ChaserView, is_chasing: bool) {
        self.tick(chaser, is_chasing);
        chaser.set_stands();
    }

    /// Keeps a chaser that wants nothing where it is.
    #[inline(always)]
    pub(super) fn hold(&self, view: &TargetView, chaser: &mut ChaserView) {
        leave_if_out_of_reach(view, chaser);
        self.stand(chaser, true);
    }

    /// Rests within reach: for the idle period, or the chasing one if the target moves about.
    #[inline(always)]
    pub(super) fn rest(&self, view: &TargetView, chaser: &mut ChaserView, events: &mut TickEvents) {
        arrive(view, chaser, events);
        self.stand(chaser, !view.is_standing);
    }

    /// Returns the intent of a chaser, and its contact with the target. Drops a guide that no
    /// longer leads on.
    #[inline(always)]
    pub(super) fn intent(&self, view: &TargetView, chaser: &mut ChaserView) -> (Contact, Intent) {
        let from = chaser.cell();
        let away = view.away(from);
        if chaser.cursor.is_sharing() {
            view.want_field(away);
        }
        let contact = view.contact(chaser, from);
        let intent = match contact {
            Contact::Alongside(to) => {
                if !chaser.cursor.is_sharing() {
                    chaser.apply(Event::Rests(Some(view.target.seen.position)));
                }
                Intent::Go(Ranked::to(from, to))
            }
            Contact::Under => Intent::Go(view.aside(from, view.approach(chaser).rules)),
            Contact::Reached => Intent::Arrive,
            Contact::Apart => self.follow(view, chaser, (from, away)),
        };
        (contact, intent)
    }

    /// Returns the intent of a chaser out of reach of its target.
    #[inline(always)]
    fn follow(
        &self,
        view: &TargetView,
        chaser: &mut ChaserView,
        (from, away): (Cell, u16),
    ) -> Intent {
        let is_ghost = chaser.body.is_none();
        if chaser.cursor.is_reached() {
            // The target just left its reach. On the field it follows at once; others decide first.
            let waits = !is_ghost && view.goes_to_and_fro(from);
            if waits || !chaser.cursor.shares_near() {
                return Intent::Hold;
            }
        }
        if chaser.cursor.is_queued() && self.long_search.asker() == Some(*chaser.entity) {
            // It stays where its search began.
            return self.wait_for_search(&chaser.search_timer);
        }
        let guide = Guide::of(&chaser.cursor, chaser.cursor.waypoint(), view);
        let ranked = guide.and_then(|guide| guide.next(view, from, || view.approach(chaser).rules));
        match ranked {
            Some(ranked) if view.is_near(away) || ranked.link.is_some() => {
                self.keep_off_target(view, chaser.reborrow(), from, ranked)
            }
            Some(ranked) => Intent::Go(ranked),
            None if chaser.cursor.is_queued() => self.wait_for_search(&chaser.search_timer),
            None => {
                chaser.apply(Event::LostWay);
                Intent::Again
            }
        }
    }

    /// A search is queued, and no straight step leads on.
    #[cold]
    fn wait_for_search(&self, timer: &NavTimer) -> Intent {
        // Keeps the phase of its move ticks.
        let now = self.now();
        if timer.waits_for_turn(now) || timer.next_search() > now {
            Intent::Hold
        } else {
            Intent::Again
        }
    }

    /// Moves near the target that do not end on it. Where all do, as by a link, the next
    /// search is for another place beside the target; a solid body on a field waits, and is led
    /// around by a detour.
    #[inline(never)]
    fn keep_off_target(
        &self,
        view: &TargetView,
        mut chaser: ChaserView,
        from: Cell,
        ranked: Ranked,
    ) -> Intent {
        let off = view.clear_of_target(ranked, from, view.approach(&chaser).rules);
        let is_solid = chaser.body.is_some_and(|body| body.kind == BodyKind::Solid);
        if !off.is_empty() || ranked.is_empty() || is_solid && chaser.cursor.is_sharing() {
            return Intent::Go(off);
        }
        if !chaser.cursor.is_queued() {
            let (now, interval) = (self.now(), chaser.chaser.repath_interval);
            chaser.apply(Event::LedOntoTarget { now, interval });
        }
        Intent::Hold
    }
}
