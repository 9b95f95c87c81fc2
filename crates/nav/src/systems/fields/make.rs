//! Making the fields that are aimed anew, and those that chasers ask for.

use super::{
    anchors::{Anchors, CROWDED, Wish},
    budget::{FieldBudget, Grant},
    group::FieldGroup,
    job::FieldJob,
    origin::FieldOrigin,
    store::Fields,
};
use crate::{
    NavBudget, NavMap, shared::CountKind, state::Fingerprint, systems::storage::threads::Threads,
};
use bevy_ecs::prelude::*;
use nav_grid::fields::{FieldLimits, FlowMaker};

/// Makes those fields anew that are aimed anew, before chasers decide by them, and those that had to
/// wait.
pub(crate) fn make_aimed(
    anchors: Anchors,
    budget: Res<NavBudget>,
    maps: Query<&NavMap>,
    mut fields: ResMut<Fields>,
    asked: Local<AskedFields>,
) {
    fields.budget = FieldBudget::of(*budget);
    make_all(anchors, maps, &mut fields, asked, CountKind::AskedBefore);
}

/// Makes the fields that chasers ask for.
pub(crate) fn make_asked_for(
    anchors: Anchors,
    maps: Query<&NavMap>,
    mut fields: ResMut<Fields>,
    asked: Local<AskedFields>,
) {
    make_all(anchors, maps, &mut fields, asked, CountKind::Asked);
}

/// What is asked for in a tick.
#[derive(Default)]
pub(crate) struct AskedFields {
    /// The fields: their groups, and the slots of their targets.
    fields: Vec<(usize, usize)>,
    /// The slots of the targets at which none was aimed before.
    first: Vec<usize>,
    wishes: Vec<Wish>,
}

/// Makes fields.
///
/// With a [budget](NavBudget), those whose anchors are oldest go first, those that no longer fit
/// the tick wait, and those that fit none are not made.
fn make_all(
    mut anchors: Anchors,
    maps: Query<&NavMap>,
    fields: &mut Fields,
    mut asked: Local<AskedFields>,
    counted: CountKind,
) {
    let AskedFields {
        fields: asked_for,
        first,
        wishes,
    } = &mut *asked;
    let Fields {
        groups,
        makers,
        jobs,
        budget,
        made,
        expanded,
        ..
    } = fields;
    for (number, group) in groups.iter_mut().enumerate() {
        for (slot, of) in group.targets.iter_mut().enumerate() {
            // Slots may be given up while a field waits.
            let is_chased = || anchors.targets.is_chased(slot);
            if std::mem::take(of.asked.get_mut()) && is_chased() {
                asked_for.push((number, slot));
            }
            let wish = of.wish.take().filter(|_| is_chased());
            wishes.extend(wish.map(|(interval, displacement)| (slot, interval, displacement)));
        }
    }
    // Those that are made again, as in a world that was loaded, do not count.
    let is_first = |slot: &usize| anchors.targets.at(*slot).anchor.aimed.is_none();
    first.extend(asked_for.iter().map(|&(_, slot)| slot).filter(is_first));
    first.sort_unstable();
    first.dedup();
    let crowded = anchors.merge_with_others(counted, first, wishes) >= CROWDED;
    follow_closer(wishes, &mut anchors);
    for slot in first.drain(..) {
        anchors.aim(slot, crowded);
    }
    for (group, slot) in asked_for.drain(..) {
        let FieldGroup { key, targets, .. } = &mut groups[group];
        let target = *anchors.targets.at(slot);
        let aimed = target.anchor.aimed;
        let (Some((place, since)), Ok(map)) = (aimed, maps.get(target.seen.map)) else {
            continue;
        };
        jobs.push(FieldJob {
            group,
            slot,
            made: FieldOrigin::new(&target, place, map.grid().version()),
            since,
            key: *key,
            limits: FieldLimits::window(key.radius),
            grant: Grant::Now,
            body: target.seen.body,
            chasers: target.chasers,
            field: targets[slot].near.take(),
            expanded: 0,
        });
    }
    if let Some(whole) = budget.whole() {
        jobs.sort_unstable_by_key(|job| (job.since, job.made.target, Fingerprint::of(&job.key)));
        for job in &mut *jobs {
            if let Ok(map) = maps.get(job.made.map) {
                job.limit(map.grid(), whole, budget);
            }
        }
    }
    let threads = Threads::for_work(jobs.len(), FIELDS_PER_TASK_MIN);
    threads.share_out(jobs, makers, |job, maker: &mut FlowMaker| {
        if job.grant == Grant::Now
            && let Ok(map) = maps.get(job.made.map)
        {
            job.make(map.grid(), maker);
        }
    });
    for job in jobs.drain(..) {
        let of = &mut groups[job.group].targets[job.slot];
        let target = anchors.targets.at(job.slot);
        of.near = job.field;
        if job.grant == Grant::Later {
            *of.asked.get_mut() = true;
            of.lead_on(target);
            continue;
        }
        *made += u64::from(job.grant == Grant::Now);
        *expanded += u64::from(job.expanded);
        of.made = Some(job.made);
        of.update_leads(target);
    }
}

/// Has the fields of targets follow them as closely as chasers of all groups ask for.
fn follow_closer(wishes: &mut Vec<Wish>, anchors: &mut Anchors) {
    // Those of one target together: the first of a tick may be of several groups.
    wishes.sort_unstable_by_key(|&(slot, ..)| slot);
    let same = |one: &Wish, other: &Wish| one.0 == other.0;
    for of_target in wishes.chunk_by(same) {
        let least = of_target
            .iter()
            .copied()
            .reduce(|least, other| (least.0, least.1.min(other.1), least.2.min(other.2)));
        if let Some((slot, interval, displacement)) = least {
            anchors.follow_closer(slot, interval, displacement);
        }
    }
    wishes.clear();
}

/// Fewer fields than this are not worth a task.
const FIELDS_PER_TASK_MIN: usize = 16;
