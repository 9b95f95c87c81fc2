//! Far fields: fields over the portals of a map, for chasers beyond the near field. What such a
//! field has for a chaser, and how it is aimed and spread to the cells of chasers.

use super::{
    aim::Anchors,
    shared_field::FieldAnswer,
    store::Fields,
    target_fields::{FarField, FieldOrigin, FieldRequests},
};
use crate::{
    Chaser, NavMap, NavTime, Period,
    state::Fingerprint,
    systems::{
        guidance::{
            Ranked, TargetView,
            reach::{ends_of_links_onto, place_over},
        },
        storage::{targets::Target, threads::Threads},
    },
};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Footprint, Grid, Rules, Terrain, fields::PortalField, query::Fallback};

/// From this many chasers on, a far field costs less than a path over portals for each of them: it
/// spreads to all sides of the target.
const FAR_CHASERS_MIN: u32 = 8;

/// The work that a far field gets at a time, so that all of a tick share its budget: as much as
/// most searches over portals take.
const SLICE: u32 = 1024;

/// A chaser that may share a far field.
#[derive(Clone, Copy)]
pub(crate) struct FarSharer<'a> {
    pub(crate) chaser: &'a Chaser,
    pub(crate) cell: Cell,
    /// Whether the chaser follows the field already.
    pub(crate) shares: bool,
}

/// The use of a far field to a chaser.
enum FarState {
    /// Nothing: the chaser may not share it, or no way leads from there.
    Nothing,
    /// A way that leads too far beside the target; with the time at which the field was aimed.
    Drifted(NavTime),
    /// Nothing yet: it has not spread so far.
    Unspread,
    Leads,
}

// Decision 10: docs/decisions/0010-far-fields-tolerate-drift.md
impl FarSharer<'_> {
    /// Whether a far field serves the chaser, if one is made.
    fn may_share(&self, view: &TargetView) -> bool {
        let Chaser {
            limits,
            rules,
            fallback,
            ..
        } = *self.chaser;
        // Without a fallback it stands where its window shows no way.
        let may_leave = fallback != Fallback::None || view.away(self.cell) <= limits.radius;
        let map = view.map.indexed();
        // To find out that no way leads there the field would have to spread over the whole map.
        view.target.chasers >= FAR_CHASERS_MIN
            && may_leave
            && map.indexes().ready_portals(rules).is_some()
            && (self.shares
                || (map.indexes().ready_regions(rules))
                    .is_none_or(|regions| regions.same(self.cell, view.cell())))
    }

    /// Returns when the field was aimed, if it leads too far beside the target for this chaser;
    /// otherwise `None`.
    fn drifted_since(&self, view: &TargetView, far: Option<&FarField>) -> Option<NavTime> {
        let (anchor, since) = view.target.anchor.far?;
        let is_beyond = |steps: u32| {
            let share = self.chaser.share_of(steps as usize);
            let drift = self.chaser.repath_distance.max(share);
            view.target.seen.position.displaced(&anchor, drift)
        };
        if !is_beyond(view.away(self.cell).into()) {
            return None;
        }
        // The way is longer than the straight one, if the field knows it.
        let way = far.and_then(|far| far.field.known_distance(terrain(view.map), self.cell));
        let straight = self.chaser.rules.metric.straight();
        is_beyond(way.unwrap_or(0) / straight).then_some(since)
    }
}

impl Fields {
    /// Returns what the far field of a target has for a chaser that decides once in a period. Asks
    /// for the field if it is missing, and notes if it leads too far beside the target for this
    /// chaser.
    #[inline(never)]
    pub(crate) fn far_answer(
        &self,
        view: &TargetView,
        sharer: FarSharer<'_>,
        period: Period,
        requests: &mut FieldRequests,
    ) -> FieldAnswer {
        let state = self.far_state(view, sharer);
        match state {
            FarState::Drifted(since) if view.now >= since.after(sharer.chaser.repath_interval) => {
                requests.drifts.push((view.slot, period));
            }
            FarState::Unspread => {
                let group = view.tuning.group();
                let ask = group.map(|group| (group, view.slot, sharer.cell));
                requests.asks.extend(ask);
            }
            _ => {}
        }
        self.answer_of(view, &state)
    }

    /// Returns what the far field of a target has for a chaser, as the field is now.
    pub(crate) fn far_look(&self, view: &TargetView, sharer: FarSharer<'_>) -> FieldAnswer {
        self.answer_of(view, &self.far_state(view, sharer))
    }

    /// The far field of a target, if one was asked for.
    fn far(&self, view: &TargetView) -> Option<&FarField> {
        self.of(view)?.far.as_deref()
    }

    fn far_state(&self, view: &TargetView, sharer: FarSharer<'_>) -> FarState {
        if self.of(view).is_none() || !sharer.may_share(view) {
            return FarState::Nothing;
        }
        let (far, terrain) = (self.far(view), terrain(view.map));
        if let Some(since) = sharer.drifted_since(view, far) {
            return FarState::Drifted(since);
        }
        let footprint = sharer.chaser.rules.footprint;
        let barred = barred_at(view.target, view.map.grid(), footprint, view.now);
        let takes_links = barred.is_some() && view.tuning.reaches_through_links();
        match far.and_then(|far| Some((far, far.made_for(view.target, view.map, barred)?))) {
            Some((_, made)) if !made.serves || takes_links => FarState::Nothing,
            Some((far, _)) if far.field.is_prepared(terrain, sharer.cell) => {
                // A chaser that shares the field already finds out when it steps.
                if sharer.shares || far.field.look(terrain, sharer.cell).is_some() {
                    FarState::Leads
                } else {
                    FarState::Nothing
                }
            }
            _ => FarState::Unspread,
        }
    }

    /// The answer to a chaser by what a far field has for it. Where the budget of a tick ended
    /// first, the chaser searches until the field has spread so far.
    fn answer_of(&self, view: &TargetView, state: &FarState) -> FieldAnswer {
        match state {
            FarState::Leads => FieldAnswer::Leads,
            FarState::Unspread if !self.far(view).is_some_and(FarField::waits) => {
                FieldAnswer::Pending
            }
            FarState::Nothing | FarState::Drifted(_) | FarState::Unspread => FieldAnswer::Nothing,
        }
    }

    /// Returns the moves from a cell along the far field of a target, without the direction of the
    /// target.
    ///
    /// Unspecified except for cells from which a chaser [asked](Self::far_answer), and their
    /// neighbours.
    #[cold]
    pub(crate) fn far_next_cells(&self, view: &TargetView, cell: Cell) -> Option<Ranked> {
        let far = self.far(view)?;
        far.made
            .filter(|made| made.serves && made.is_of(view.target))?;
        let flow = far.field.look(terrain(view.map), cell)?;
        // Where both lead on, a body takes the link, and a ghost the step.
        Some(Ranked::ways(flow.nearer, flow.level, flow.link))
    }
}

/// A map with its indexes and without bodies: these do not block fields.
fn terrain(map: &NavMap) -> Terrain<'_> {
    Terrain::from(map.indexed())
}

/// Where a target stands if links end there, which its chasers may not take onto it. A target that
/// goes on will have left the place.
fn barred_at(target: &Target, grid: &Grid, footprint: Footprint, now: NavTime) -> Option<Cell> {
    let (anchor, seen) = (&target.anchor, &target.seen);
    let is_barred = !seen.is_entered
        && !grid.links().is_empty()
        && anchor.is_standing(now)
        && ends_of_links_onto(grid, footprint, seen.area())
            .next()
            .is_some();
    is_barred.then_some(seen.position.cell)
}

/// Spreads far fields to the chasers that ask.
///
/// Fields with the oldest anchors go first, each for a slice of the budget in turn. What does not
/// fit the tick goes on in the next one.
pub(crate) fn make_far_fields(
    mut anchors: Anchors,
    maps: Query<&NavMap>,
    mut fields: ResMut<Fields>,
    requests: Res<FieldRequests>,
    mut jobs: Local<Vec<FarJob>>,
) {
    let fields = &mut *fields;
    for &(group, slot, cell) in &requests.asks {
        let far = fields.groups[group].targets[slot]
            .far
            .get_or_insert_default();
        if !std::mem::replace(&mut far.is_asked, true) {
            // These ask again, unless they found a way of their own.
            far.asked.clear();
            fields.unserved.push((group, slot));
        }
        far.asked.push(cell);
    }
    fields.unserved.sort_unstable();
    fields.unserved.dedup();
    list_jobs(fields, &mut anchors, &maps, &mut jobs);
    let groups = &mut fields.groups;
    // The key decides between equals: numbers of groups depend on the groups before.
    jobs.sort_unstable_by_key(|job| {
        let key = Fingerprint::of(&groups[job.group].key);
        (job.since, job.made.target, key)
    });
    let all = fields.budget.for_far();
    let left = spread(&mut jobs, &maps, all);
    fields.expanded += u64::from(fields.budget.take_far(all - left));
    for mut job in jobs.drain(..) {
        job.far.is_asked = false;
        job.far.asked.drain(..job.served);
        if job.far.waits() {
            fields.unserved.push((job.group, job.slot));
        }
        fields.made += u64::from(job.is_aimed && job.made.serves);
        groups[job.group].targets[job.slot].far = Some(job.far);
    }
}

/// Lists the far fields that have not spread to all who ask.
fn list_jobs(
    fields: &mut Fields,
    anchors: &mut Anchors,
    maps: &Query<&NavMap>,
    jobs: &mut Vec<FarJob>,
) {
    let groups = &mut fields.groups;
    for (group, slot) in fields.unserved.drain(..) {
        // Its fields may have been dropped since, and the slot given to another target.
        let of = groups[group].targets.get_mut(slot);
        let far = of.filter(|_| anchors.targets.is_chased(slot));
        let Some(mut far) = far.and_then(|of| of.far.take()) else {
            continue;
        };
        let anchor = anchors.targets.at(slot).anchor;
        let (place, since) = anchor.far.unwrap_or_else(|| anchors.aim_far(slot));
        let target = anchors.targets.at(slot);
        if let Ok(map) = maps.get(target.seen.map) {
            // The field spreads to the nearest first. Where the budget ends must not show in which
            // order chasers are stored.
            let rules = groups[group].key.rules;
            let now = anchors.clock.now();
            let barred = barred_at(target, map.grid(), rules.footprint, now);
            let asked = &mut far.asked;
            asked.sort_unstable_by_key(|&cell| (cell.chebyshev(place.cell), cell));
            asked.dedup();
            jobs.push(FarJob {
                group,
                slot,
                rules,
                body: target.seen.body,
                is_new: far.made_for(target, map, barred).is_none(),
                made: FieldOrigin {
                    barred,
                    ..FieldOrigin::new(target, place, map.grid().version())
                },
                since,
                is_aimed: false,
                served: 0,
                allowed: 0,
                far,
            });
        }
    }
}

/// Spreads fields by slices of an allowance, all in turn. Returns what is left of it.
fn spread(jobs: &mut [FarJob], maps: &Query<&NavMap>, all: u32) -> u32 {
    let mut left = all;
    while left > 0 {
        let count = jobs.iter().filter(|job| !job.is_done()).count() as u32;
        let Some(slice) = left.checked_div(count) else {
            break;
        };
        let slice = slice.max(SLICE);
        for job in jobs.iter_mut().filter(|job| !job.is_done()) {
            job.allowed = slice.min(left);
            left -= job.allowed;
        }
        let threads = Threads::for_work(count as usize, 1);
        threads.share_out(jobs, &mut Vec::new(), |job, ()| {
            if job.allowed > 0
                && let Ok(map) = maps.get(job.made.map)
            {
                job.make(map);
            }
        });
        left += jobs
            .iter_mut()
            .map(|job| std::mem::take(&mut job.allowed))
            .sum::<u32>();
    }
    left
}

/// Aims a far field again once as many chasers left it as one is worth for. It is made at the next
/// request.
pub(crate) fn aim_far(
    mut anchors: Anchors,
    mut requests: ResMut<FieldRequests>,
    mut counted: Local<Vec<u64>>,
) {
    requests.asks.clear();
    counted.clear();
    counted.resize(anchors.targets.slots(), 0);
    // Each chaser is counted once in its period and stands for chasers of other ticks as well, so
    // it weighs its period.
    let tick = anchors.clock.tick();
    let worth = u64::from(FAR_CHASERS_MIN) * tick;
    for (slot, period) in requests.drifts.drain(..) {
        let before = counted[slot];
        counted[slot] += period.nanos().max(tick);
        if before < worth && counted[slot] >= worth {
            anchors.aim_far(slot);
        }
    }
}

/// A far field to spread further, and how much it may expand.
pub(crate) struct FarJob {
    group: usize,
    slot: usize,
    rules: Rules,
    /// The body of the target.
    body: Footprint,
    /// The origin to make the field for.
    made: FieldOrigin,
    /// The time at which its anchor was set.
    since: NavTime,
    /// Whether the field was made for another origin before.
    is_new: bool,
    /// Whether it was aimed since.
    is_aimed: bool,
    /// The number of cells asked from that were prepared.
    served: usize,
    /// Expansions that are left of those allowed.
    allowed: u32,
    far: Box<FarField>,
}

impl FarJob {
    fn is_done(&self) -> bool {
        self.served == self.far.asked.len()
    }

    /// Prepares the ground around chasers that ask, as far as its work goes.
    fn make(&mut self, map: &NavMap) {
        if self.is_new && !std::mem::replace(&mut self.is_aimed, true) {
            self.aim(map);
        }
        let FarField {
            field, asked, made, ..
        } = &mut *self.far;
        if !made.is_some_and(|made| made.serves) {
            self.served = asked.len();
            return;
        }
        while let Some(&cell) = asked.get(self.served) {
            let before = field.counters().expanded;
            let is_ready = field.prepare_within(terrain(map), cell, self.allowed);
            let looked = field.counters().expanded - before;
            self.allowed = self.allowed.saturating_sub(looked);
            if !is_ready {
                break;
            }
            if field.bars_links() && field.look(terrain(map), cell).is_none() {
                // The chaser can only come to the start of a link, and waits there.
                let place = place_over(map.grid(), self.rules, self.made.place.cell);
                _ = field.aim(terrain(map), self.rules, place);
                continue;
            }
            self.served += 1;
        }
    }

    /// Aims the field at its new origin.
    fn aim(&mut self, map: &NavMap) {
        let FarField { field, made, .. } = &mut *self.far;
        let target = self.made.place.cell;
        // By itself a field tells maps apart by their versions and portals, not by every cell.
        if made.is_none_or(|before| before.map != self.made.map) {
            *field = PortalField::new();
        }
        let mut barred = Vec::new();
        if let Some(at) = self.made.barred {
            let (own, area) = (self.rules.footprint, self.body.area(at));
            barred.extend(ends_of_links_onto(map.grid(), own, area));
        }
        let place = place_over(map.grid(), self.rules, target);
        let aimed = field.aim_barring(terrain(map), self.rules, place, &barred);
        self.made.serves = aimed.is_ok();
        *made = Some(self.made);
    }
}
