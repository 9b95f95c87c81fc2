//! Deciding for one chaser: contact first, then what it follows; and carrying out the decision.

use super::{
    ask::Ask,
    facts::ChaserFacts,
    guide_table::{NextGuide, next_guide},
    systems::{DecideParams, DecideScratch},
};
use crate::{
    components::Event,
    systems::{
        fields::{FieldAnswer, FieldRequests, SharedField},
        guidance::{Contact, TargetView, TargetViews},
        storage::columns::ChaserView,
    },
};

impl DecideParams<'_, '_> {
    /// Decides for a chaser.
    #[inline(always)]
    pub(super) fn decide_for(
        &self,
        chaser: &mut ChaserView,
        views: &mut TargetViews,
        scratch: &mut DecideScratch,
    ) {
        let Some(view) = views.of(chaser) else {
            let failure = views.why_none(chaser.on_map.map(|of| of.0), chaser.chasing.0);
            self.give_up(chaser.reborrow(), failure, scratch);
            return;
        };
        // Most of a crowd: whether the field leads on for this chaser shows when it steps.
        let shares_near = chaser.cursor.shares_near();
        let may_be_held_up = chaser.cursor.stands() && !chaser.cursor.is_reached();
        let is_blocked = may_be_held_up && chaser.crowding().is_blocked();
        if is_blocked || !(shares_near && view.field.is_some_and(SharedField::leads_on)) {
            self.decide_contact(chaser.reborrow(), view, is_blocked, scratch);
        }
    }

    /// Decides for a chaser that follows no field which leads on: by its contact, and out of reach
    /// by what may guide it.
    #[inline(never)]
    fn decide_contact(
        &self,
        mut chaser: ChaserView,
        view: &TargetView,
        is_blocked: bool,
        scratch: &mut DecideScratch,
    ) {
        let chaser = &mut chaser;
        if !is_prepared(view, chaser) {
            scratch.unprepared.push(*chaser.entity);
            return;
        }
        let keeps_field = chaser.cursor.shares_near() && !is_blocked;
        if let Some(field) = view.shared_field().filter(|_| keeps_field) {
            // Asks for it again.
            let requests = &mut scratch.fields;
            field.answer(view.target, chaser.chaser, chaser.cell(), requests);
            return;
        }
        let place = view.target.seen.position;
        match view.contact(chaser, chaser.cell()) {
            Contact::Under => {
                arrive(chaser, scratch, Event::Under(place));
            }
            Contact::Alongside(_) => view.want_field(view.away(chaser.cell())),
            Contact::Reached if keeps_beside(view, chaser, &mut scratch.fields) => {
                if !chaser.cursor.is_beside() {
                    arrive(chaser, scratch, Event::Beside(Some(place)));
                }
            }
            Contact::Reached => self.rest(chaser, view, scratch),
            Contact::Apart => self.decide_guide(chaser, view, scratch),
        }
    }

    /// Decides what a chaser out of reach follows.
    #[inline]
    fn decide_guide(
        &self,
        chaser: &mut ChaserView,
        view: &TargetView,
        scratch: &mut DecideScratch,
    ) {
        let next = next_guide(&mut ChaserFacts {
            params: self,
            chaser,
            view,
            requests: &mut scratch.fields,
        });
        let place = view.target.seen.position;
        match next {
            NextGuide::KeepDetour => return,
            NextGuide::Await => {
                scratch.awaiting_field.push(*chaser.entity);
                return;
            }
            NextGuide::Join { far } => {
                join(chaser, view, far, &mut scratch.fields);
                return;
            }
            NextGuide::SearchPast => {
                self.request(chaser.reborrow(), view, Ask::Past, scratch);
                return;
            }
            NextGuide::Search
            | NextGuide::SearchAround
            | NextGuide::Extend
            | NextGuide::KeepPath
            | NextGuide::Wait => {}
        }
        chaser.apply(Event::Apart);
        if next == NextGuide::Extend {
            chaser.apply(Event::WalkedOn(place));
        }
        if matches!(next, NextGuide::Search | NextGuide::SearchAround) {
            chaser.apply(Event::Asks);
            let ask = if next == NextGuide::SearchAround {
                Ask::Around
            } else {
                Ask::Way
            };
            self.request(chaser.reborrow(), view, ask, scratch);
        }
    }

    /// Rests within reach: for the idle period, or the chasing one if the target moves about.
    #[inline]
    fn rest(&self, chaser: &mut ChaserView, view: &TargetView, scratch: &mut DecideScratch) {
        let place = view.target.seen.position;
        let has_moved =
            || chaser.cursor.searched_for().map(|before| before.cell) != Some(place.cell);
        let is_noted = chaser.cursor.is_beside() || chaser.body.is_some() && has_moved();
        if is_noted || !chaser.cursor.is_reached() {
            arrive(chaser, scratch, Event::Rests(is_noted.then_some(place)));
        }
        view.want_field(view.away(chaser.cell()));
        let (now, previous) = (self.clock.now(), self.clock.previous());
        let is_due = chaser.move_timer.tick(now, previous, !view.is_standing);
        if is_due {
            // Not between two move ticks, when it may have just stepped: a standing body may be
            // asked to make room.
            chaser.set_stands();
        }
    }
}

/// Whether the map is prepared for the chaser's footprint and classes.
#[inline]
fn is_prepared(view: &TargetView, chaser: &ChaserView) -> bool {
    let rules = match view.field {
        Some(field) => field.rules(),
        None => chaser.chaser.rules,
    };
    view.grid().is_prepared(rules)
}

/// Whether the target moves about, and the near field leads the chaser after it. A field that is
/// made in this tick counts from the next decision on, so that it does not show whether others
/// asked for it before.
#[inline]
fn keeps_beside(view: &TargetView, chaser: &ChaserView, requests: &mut FieldRequests) -> bool {
    let field = view.shared_field().filter(|_| !view.is_standing);
    field.is_some_and(|field| {
        let answer = field.answer(view.target, chaser.chaser, chaser.cell(), requests);
        answer == FieldAnswer::Leads
    })
}

/// Carries out an event within reach of the target, and reports an arrival.
fn arrive(chaser: &mut ChaserView, scratch: &mut DecideScratch, event: Event) {
    if chaser.apply(event) {
        let (id, entity) = (*chaser.id, *chaser.entity);
        scratch.events.arrivals.push((id, entity, chaser.chasing.0));
    }
}

/// Follows a shared field from now on.
fn join(chaser: &mut ChaserView, view: &TargetView, is_far: bool, requests: &mut FieldRequests) {
    // Read first: writing marks the component as changed.
    if !chaser.cursor.is_sharing() || is_far != chaser.cursor.shares_far() {
        let place = view.target.seen.position;
        chaser.apply(Event::Joins { place, is_far });
        if !is_far {
            requests.note_wish(view.target, chaser.chaser);
        }
    }
}
