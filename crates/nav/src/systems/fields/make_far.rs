//! Making the far fields that chasers ask for, and aiming those anew that lead beside the target.

use super::{
    anchors::Anchors,
    far_job::{AROUND, FarJob},
    far_sharing::{Drift, FarRequests},
    origin::FieldOrigin,
    store::Fields,
    worth::{FAR_CHASERS_MIN, FAR_DRIFT_SHARE},
};
use crate::{NavMap, state::Fingerprint, systems::storage::threads::Threads};
use bevy_ecs::prelude::*;

pub(crate) fn some_see_far(requests: Res<FarRequests>) -> bool {
    !requests.is_empty()
}

/// Makes the far fields that chasers ask for, and prepares the ground around those who ask.
///
/// With a [budget](crate::NavBudget), those whose anchors are oldest go first, those that no longer
/// fit the tick wait, and those that fit none are not made.
pub(crate) fn make_far_fields(
    mut anchors: Anchors,
    maps: Query<&NavMap>,
    mut fields: ResMut<Fields>,
    requests: Res<FarRequests>,
    mut asked_for: Local<Vec<(usize, usize)>>,
    mut jobs: Local<Vec<FarJob>>,
) {
    let Fields {
        groups,
        made,
        expanded,
        budget,
        ..
    } = &mut *fields;
    for ask in &requests.asks {
        let fields = &mut groups[ask.group].targets[ask.slot];
        let far = fields.far.get_or_insert_default();
        if far.asked.is_empty() {
            asked_for.push((ask.group, ask.slot));
        }
        far.asked.push(ask.cell);
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
                waits: false,
                allowed: u32::MAX,
                far,
                expanded: 0,
            });
        }
    }
    // By their keys where all else is equal: numbers of groups depend on who came before.
    let key = |job: &FarJob| Fingerprint::of(&groups[job.group].key);
    jobs.sort_unstable_by_key(|job| (job.since, job.made.target, key(job)));
    for job in &mut jobs {
        if let Ok(map) = maps.get(job.made.map) {
            job.waits = job.is_new && !job.is_granted(map, budget);
            let askers = u32::try_from(job.far.asked.len()).unwrap_or(u32::MAX);
            job.allowed = budget.take(AROUND.saturating_mul(askers));
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
        groups[job.group].targets[job.slot].far = Some(job.far);
    }
}

/// Aims far fields anew that lead too far beside their targets for so many chasers that their own
/// searches cost more. The fields are made when somebody asks for them next.
pub(crate) fn aim_far(
    mut anchors: Anchors,
    mut requests: ResMut<FarRequests>,
    mut counted: Local<Vec<u64>>,
) {
    let FarRequests { asks, drifts } = &mut *requests;
    asks.clear();
    counted.clear();
    counted.resize(anchors.targets.slots(), 0);
    // Each is counted once in its period, for those who are counted in other ticks.
    let tick = anchors.tick();
    for Drift { slot, period } in drifts.drain(..) {
        let chasers = anchors.targets.at(slot).chasers;
        let worth = u64::from(FAR_CHASERS_MIN.max(chasers / FAR_DRIFT_SHARE)) * tick;
        let before = counted[slot];
        counted[slot] += period.nanos().max(tick);
        if before < worth && counted[slot] >= worth {
            anchors.aim_far(slot);
        }
    }
}
