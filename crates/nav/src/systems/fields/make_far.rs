//! Search: the far fields that are asked for.

use super::{
    Fields, Made,
    aims::Aims,
    far::{Drift, FAR_CHASERS_MIN, FAR_DRIFT_SHARE, Far, FarNotes, terrain},
    ration::{Grant, Ration},
};
use crate::{
    NavMap, NavTime,
    systems::{decide::Summons, reach::covering, threads::Threads},
};
use bevy_ecs::prelude::*;
use nav_grid::{Rules, fields::PortalField};

/// A far field to make, or to look further with.
pub(crate) struct FarJob {
    kind: usize,
    slot: usize,
    rules: Rules,
    /// What it is to be made for.
    made: Made,
    /// When its anchor was set.
    since: NavTime,
    /// Whether it is made for something else.
    is_new: bool,
    /// Whether it waits for the budget of a later tick.
    waits: bool,
    /// What it may expand to look at the ground.
    allowed: u32,
    far: Box<Far>,
    expanded: u32,
}

/// What it takes at most to look at the ground around a chaser.
const AROUND: u32 = PortalField::CLUSTERS_AROUND * PortalField::CLUSTER_EXPANSIONS;

/// Makes the far fields that chasers ask for, and has them look at the ground around those who
/// ask.
///
/// With a [budget](crate::NavBudget), those whose anchors are oldest go first, those that no longer
/// fit the tick wait, and those that fit none are not made.
pub(crate) fn make_far_fields(
    mut aims: Aims,
    maps: Query<&NavMap>,
    mut fields: ResMut<Fields>,
    summons: Res<Summons>,
    mut asked_for: Local<Vec<(usize, usize)>>,
    mut jobs: Local<Vec<FarJob>>,
) {
    let Fields {
        shapes,
        made,
        expanded,
        ration,
        ..
    } = &mut *fields;
    for ask in &summons.far.asks {
        let shared = &mut shapes[ask.kind].shared[ask.slot];
        let far = shared.far.get_or_insert_default();
        if far.asked.is_empty() {
            asked_for.push((ask.kind, ask.slot));
        }
        far.asked.push(ask.cell);
    }
    for (kind, slot) in asked_for.drain(..) {
        let anchor = aims.targets.at(slot).anchor;
        let (place, since) = anchor.far.unwrap_or_else(|| aims.aim_far(slot));
        let target = aims.targets.at(slot);
        let far = shapes[kind].shared[slot].far.take();
        if let (Some(far), Ok(map)) = (far, maps.get(target.seen.map)) {
            jobs.push(FarJob {
                kind,
                slot,
                rules: shapes[kind].kind.rules,
                made: Made::new(target, place, map.grid().version()),
                since,
                is_new: far.made_for(target, map).is_none(),
                waits: false,
                allowed: u32::MAX,
                far,
                expanded: 0,
            });
        }
    }
    jobs.sort_unstable_by_key(|job| (job.since, job.made.target, job.kind));
    for job in &mut jobs {
        if let Ok(map) = maps.get(job.made.map) {
            job.waits = job.is_new && !job.is_granted(map, ration);
            let askers = u32::try_from(job.far.asked.len()).unwrap_or(u32::MAX);
            job.allowed = ration.take(AROUND.saturating_mul(askers));
            *made += u64::from(job.is_new && !job.waits);
        }
    }
    let threads = Threads::for_work(jobs.len(), 1);
    threads.share_out(&mut jobs, &mut Vec::new(), |job, ()| {
        if let Ok(map) = maps.get(job.made.map) {
            job.make(map);
        }
    });
    for job in jobs.drain(..) {
        *expanded += u64::from(job.expanded);
        shapes[job.kind].shared[job.slot].far = Some(job.far);
    }
}

impl FarJob {
    /// Whether it is made in this tick. One that no tick has room for is noted to be of no use.
    fn is_granted(&mut self, map: &NavMap, ration: &mut Ration) -> bool {
        if ration.whole().is_none() {
            return true;
        }
        let portals = map.portals();
        // Each is met from both sides, in most cases once.
        let most = portals.map_or(0, |portals| 2 * portals.count() as u32);
        let grant = ration.ask(most);
        if grant == Grant::Never {
            self.far.made = Some(self.made);
        }
        grant == Grant::Now
    }

    fn make(&mut self, map: &NavMap) {
        if self.is_new && !self.waits {
            self.aim(map);
        }
        let Far { field, asked, .. } = &mut *self.far;
        if !self.waits {
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

    fn aim(&mut self, map: &NavMap) {
        let Far { field, made, .. } = &mut *self.far;
        // A field knows maps by their versions only.
        if made.is_none_or(|made| made.map != self.made.map) {
            *field = PortalField::new();
        }
        // The place from which a large body covers the target, nearest to its own anchor.
        let target = self.made.place.cell;
        let place = covering(map.grid(), self.rules.footprint, target)
            .min_by_key(|&anchor| (anchor.chebyshev(target), anchor));
        let place = place.unwrap_or(target);
        self.made.serves = field.aim(terrain(map), self.rules, place).is_ok();
        *made = Some(self.made);
        self.expanded = field.counters().expanded;
    }
}

/// Aims far fields anew that lead too far beside their targets for so many chasers that their own
/// searches cost more. The fields are made when somebody asks for them next.
pub(crate) fn aim_far(mut aims: Aims, mut summons: ResMut<Summons>, mut heard: Local<Vec<u64>>) {
    let FarNotes { asks, drifts } = &mut summons.far;
    asks.clear();
    heard.clear();
    heard.resize(aims.targets.slots(), 0);
    // Each is heard once in its period, and stands for those who are heard in other ticks.
    let tick = aims.tick();
    for Drift { slot, period } in drifts.drain(..) {
        let chasers = aims.targets.at(slot).chasers;
        let worth = u64::from(FAR_CHASERS_MIN.max(chasers / FAR_DRIFT_SHARE)) * tick;
        let before = heard[slot];
        heard[slot] += period.nanos().max(tick);
        if before < worth && heard[slot] >= worth {
            aims.aim_far(slot);
        }
    }
}
