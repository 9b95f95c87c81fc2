//! Far fields: fields over the portals of a map, for chasers beyond the near field. What such a
//! field has for a chaser, and how it is made and aimed.

use super::{
    aim::Anchors,
    shared_field::FieldAnswer,
    store::{FieldBudget, Fields, Grant},
    target_fields::{FarField, FieldOrigin, FieldRequests},
};
use crate::{
    Chaser, NavMap, NavTime, Period,
    state::Fingerprint,
    systems::{
        guidance::{Ranked, TargetView, reach::covering},
        storage::threads::Threads,
    },
};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Rules, Terrain, fields::PortalField, query::Fallback};

/// From this many chasers on, a far field costs less than a path over portals for each of them. One
/// aim costs about as much as three paths across a map, and chasers far apart need clusters of
/// their own to be prepared.
const FAR_CHASERS_MIN: u32 = 8;

/// A far field is aimed again when one in this many chasers would search otherwise. Another aim
/// prepares the ground around all other chasers again, and each of them costs a part of a search.
const FAR_DRIFT_SHARE: u32 = 8;

/// The greatest work of preparing the ground around a chaser.
const AROUND: u32 = PortalField::CLUSTERS_AROUND * PortalField::CLUSTER_EXPANSIONS;

/// A chaser that may share a far field.
#[derive(Clone, Copy)]
pub(crate) struct FarSharer<'a> {
    pub(crate) chaser: &'a Chaser,
    pub(crate) cell: Cell,
    /// Whether the chaser follows the field already.
    pub(crate) shares: bool,
}

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
        view.target.chasers >= FAR_CHASERS_MIN
            && may_leave
            && view.map.indexed().ready_portals(rules).is_some()
    }

    /// Returns when the field was aimed, if it leads too far beside the target for this chaser; otherwise
    /// `None`.
    fn drifted_since(&self, view: &TargetView) -> Option<NavTime> {
        let (anchor, since) = view.target.anchor.far?;
        let drift = self.chaser.share_of(view.away(self.cell).into());
        let drift = self.chaser.repath_distance.max(drift);
        let place = view.target.seen.position;
        place.displaced(&anchor, drift).then_some(since)
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
        let answer = self.far_look(view, sharer);
        let Some(group) = view.tuning.group() else {
            return answer;
        };
        let may_ask = answer == FieldAnswer::Nothing && sharer.may_share(view);
        let waits = || self.of(view)?.far.as_ref().map(|far| far.waits);
        if answer == FieldAnswer::Pending || may_ask && waits() == Some(true) {
            requests.asks.push((group, view.slot, sharer.cell));
        } else if may_ask
            && let Some(since) = sharer.drifted_since(view)
            && view.now >= since.after(sharer.chaser.repath_interval)
        {
            requests.drifts.push((view.slot, period));
        }
        answer
    }

    /// Returns what the far field of a target has for a chaser, as the field is now.
    pub(crate) fn far_look(&self, view: &TargetView, sharer: FarSharer<'_>) -> FieldAnswer {
        let fields = self.of(view);
        let fields = fields.filter(|_| sharer.may_share(view));
        let Some(fields) = fields.filter(|_| sharer.drifted_since(view).is_none()) else {
            return FieldAnswer::Nothing;
        };
        let (far, terrain) = (fields.far.as_ref(), terrain(view.map));
        let made = far.and_then(|far| Some((far, far.made_for(view.target, view.map)?)));
        match made {
            Some((_, made)) if !made.serves => FieldAnswer::Nothing,
            Some((far, _)) if far.field.is_prepared(terrain, sharer.cell) => {
                // A chaser that shares the field already finds out when it steps.
                if sharer.shares || far.field.look(terrain, sharer.cell).is_some() {
                    FieldAnswer::Leads
                } else {
                    FieldAnswer::Nothing
                }
            }
            // Until it is aimed the chaser searches for itself.
            None if far.is_some_and(|far| far.waits) => FieldAnswer::Nothing,
            _ => FieldAnswer::Pending,
        }
    }

    /// Returns the moves from a cell along the far field of a target, without the direction of the
    /// target.
    ///
    /// Unspecified except for cells from which a chaser [asked](Self::far_answer), and their
    /// neighbours.
    #[cold]
    pub(crate) fn far_next_cells(&self, view: &TargetView, cell: Cell) -> Option<Ranked> {
        let far = self.of(view)?.far.as_ref()?;
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

/// Makes the far fields that chasers ask for, and prepares the ground around these chasers.
///
/// Fields with the oldest anchors go first. What does not fit the tick goes on in the next one.
pub(crate) fn make_far_fields(
    mut anchors: Anchors,
    maps: Query<&NavMap>,
    mut fields: ResMut<Fields>,
    requests: Res<FieldRequests>,
    mut asked_for: Local<Vec<(usize, usize)>>,
    mut jobs: Local<Vec<FarJob>>,
) {
    let fields = &mut *fields;
    let groups = &mut fields.groups;
    for &(group, slot, cell) in &requests.asks {
        let far = groups[group].targets[slot].far.get_or_insert_default();
        if far.asked.is_empty() {
            asked_for.push((group, slot));
        }
        far.asked.push(cell);
    }
    for (group, slot) in asked_for.drain(..) {
        let anchor = anchors.targets.at(slot).anchor;
        let (place, since) = anchor.far.unwrap_or_else(|| anchors.aim_far(slot));
        let target = anchors.targets.at(slot);
        let far = groups[group].targets[slot].far.take();
        if let (Some(far), Ok(map)) = (far, maps.get(target.seen.map)) {
            jobs.push(FarJob {
                group,
                slot,
                rules: groups[group].key.rules,
                made: FieldOrigin::new(target, place, map.grid().version()),
                since,
                is_new: far.made_for(target, map).is_none(),
                aiming: 0,
                spare: 0,
                allowed: u32::MAX,
                far,
                expanded: 0,
            });
        }
    }
    // The key decides between equals: numbers of groups depend on the groups before.
    let key = |job: &FarJob| Fingerprint::of(&groups[job.group].key);
    jobs.sort_unstable_by_key(|job| (job.since, job.made.target, key(job)));
    for job in &mut jobs {
        if let Ok(map) = maps.get(job.made.map) {
            job.limit(map, &mut fields.budget);
        }
    }
    let threads = Threads::for_work(jobs.len(), 1);
    threads.share_out(&mut jobs, &mut Vec::new(), |job, ()| {
        if let Ok(map) = maps.get(job.made.map) {
            job.make(map);
        }
    });
    for job in jobs.drain(..) {
        fields.expanded += u64::from(job.expanded);
        fields.made += u64::from(job.is_new && job.far.made.is_some_and(|made| made.serves));
        groups[job.group].targets[job.slot].far = Some(job.far);
    }
}

/// Aims a far field again once the searches of chasers that left it cost more than the field. It is
/// made at the next request.
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
    let tick = anchors.tick();
    for (slot, period) in requests.drifts.drain(..) {
        let chasers = anchors.targets.at(slot).chasers;
        let worth = u64::from(FAR_CHASERS_MIN.max(chasers / FAR_DRIFT_SHARE)) * tick;
        let before = counted[slot];
        counted[slot] += period.nanos().max(tick);
        if before < worth && counted[slot] >= worth {
            anchors.aim_far(slot);
        }
    }
}

/// A far field to make or to extend, and how much it may expand.
pub(crate) struct FarJob {
    group: usize,
    slot: usize,
    rules: Rules,
    /// The origin to make the field for.
    made: FieldOrigin,
    /// The time at which its anchor was set.
    since: NavTime,
    /// Whether the field was made for another origin before.
    is_new: bool,
    /// Expansions allowed for aiming the field; 0 if it waits for a later tick.
    aiming: u32,
    /// Expansions among them that count for no budget.
    spare: u32,
    /// Expansions allowed for preparing the ground around chasers.
    allowed: u32,
    far: Box<FarField>,
    expanded: u32,
}

impl FarJob {
    /// Limits the work of the field, by what a tick has beyond its budget first.
    ///
    /// A field for which no tick has room is aimed over several ticks, if they have such work; otherwise it is noted to
    /// serve nothing.
    fn limit(&mut self, map: &NavMap, budget: &mut FieldBudget) {
        if self.is_new {
            // Each portal is met from both sides, in most cases once; one more to see that none is left.
            let portals = map.portals_for(self.rules);
            let most = portals.map_or(0, |portals| 2 * portals.count() as u32) + 1;
            self.spare = budget.take_spare(most);
            self.aiming = self.spare;
            if self.spare < most {
                match budget.ask(most - self.spare) {
                    Grant::Now => self.aiming = most,
                    Grant::Never if !budget.has_spare => self.far.made = Some(self.made),
                    Grant::Later | Grant::Never => {}
                }
            }
            self.far.waits = budget.has_spare;
        }
        let askers = u32::try_from(self.far.asked.len()).unwrap_or(u32::MAX);
        self.allowed = budget.take(AROUND.saturating_mul(askers));
    }

    /// Aims the field if it is new, and prepares the ground around chasers that ask.
    fn make(&mut self, map: &NavMap) {
        let is_aimed = !self.is_new || self.aiming > 0 && self.aim(map);
        self.far.waits &= !is_aimed;
        let FarField { field, asked, .. } = &mut *self.far;
        // Where the budget ends must not show in which order chasers are stored.
        asked.sort_unstable();
        asked.dedup();
        if is_aimed {
            let begun = field.counters().expanded;
            let looked = |field: &PortalField| field.counters().expanded - begun;
            for &cell in &*asked {
                if looked(field) + AROUND > self.allowed {
                    break;
                }
                field.prepare(terrain(map), cell);
            }
            self.expanded += looked(field);
        }
        asked.clear();
    }

    /// Aims the field, as far as its work goes. Returns whether it is aimed.
    fn aim(&mut self, map: &NavMap) -> bool {
        let FarField {
            field,
            made,
            map: of,
            ..
        } = &mut *self.far;
        // A field tells maps apart by their versions only.
        if of.replace(self.made.map) != Some(self.made.map) {
            *field = PortalField::new();
        }
        // The place from which a large body covers the target, nearest to its own anchor.
        let target = self.made.place.cell;
        let place = covering(map.grid(), self.rules, target)
            .min_by_key(|&anchor| (anchor.chebyshev(target), anchor));
        let place = place.unwrap_or(target);
        let begun = if field.is_under_way() {
            field.counters().expanded
        } else {
            0
        };
        let aimed = field.aim_within(terrain(map), self.rules, place, self.aiming);
        // An edit, or another place, begins again.
        let done = field.counters().expanded;
        let aimed_for = done.checked_sub(begun).unwrap_or(done);
        self.expanded = aimed_for.saturating_sub(self.spare);
        self.made.serves = aimed.is_ok();
        let is_aimed = aimed.unwrap_or(true);
        *made = is_aimed.then_some(self.made);
        is_aimed
    }
}
