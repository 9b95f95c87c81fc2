//! Making near fields after an aim or at a chaser's request, within the budget.

use super::{
    aim::{Anchors, CROWDED_AIMS, Wish},
    shared_field::WHOLE_COST_FIELD_CHASERS_MIN,
    store::{FieldBudget, FieldGroup, Fields, Grant},
    target_fields::{FieldKey, FieldOrigin, FieldRequests, NearField},
};
use crate::{
    NavMap, NavTime, budget::TickWork, state::Fingerprint, systems::storage::threads::Threads,
};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav_grid::{
    Footprint, Grid, Metric,
    fields::{CostField, FieldLimits, FieldQuery, FieldStatus, FlowMaker},
};
use std::mem::take;

/// Fields from which on a task is worth it: a flow field takes about three microseconds.
const FIELDS_PER_TASK_MIN: usize = Threads::least_of(3_000);

/// Cells of a cost field for fewer chasers than a [whole](WHOLE_COST_FIELD_CHASERS_MIN) one is
/// worth, if these have bodies: the cells nearest to the target, seven steps around it on open
/// ground.
///
/// They cost some ten searches, and save the bodies that would queue behind each other.
const CLOSE_CELLS: u32 = 225;

/// Steps of a way for each cell of the radius. Only ways of mazes are longer.
///
/// Measured: with 1 the scenario `crowd-10k` takes 83 % more searches, with 2 4 % more. With 8 a
/// field sets so much work aside that some have to wait, and `maze` takes a quarter more searches.
const WAY_STEPS: u32 = 4;

/// The inputs and the stores of fields that are made.
#[derive(SystemParam)]
pub(crate) struct Making<'w, 's> {
    anchors: Anchors<'w, 's>,
    maps: Query<'w, 's, &'static NavMap>,
    fields: ResMut<'w, Fields>,
    requests: ResMut<'w, FieldRequests>,
    asked: Local<'s, AskedFields>,
}

/// Makes the fields that were aimed again, before chasers decide by them, and the fields that
/// waited for budget.
pub(super) fn make_aimed(work: Res<TickWork>, mut making: Making) {
    making.fields.budget = FieldBudget::of(&work);
    make_all(making);
}

/// Makes the fields that chasers ask for.
pub(crate) fn make_asked_for(making: Making) {
    make_all(making);
}

/// The fields asked for in a tick. Keeps its buffers.
#[derive(Default)]
pub(crate) struct AskedFields {
    /// Fields: their groups, and the slots of their targets.
    fields: Vec<(usize, usize)>,
    /// The slots of targets without any aimed field.
    first: Vec<usize>,
    wishes: Vec<Wish>,
    jobs: Vec<FieldJob>,
}

impl AskedFields {
    /// Collects the fields that are asked for, and aims those of targets without any.
    fn collect(
        &mut self,
        groups: &mut [FieldGroup],
        anchors: &mut Anchors,
        requests: &mut FieldRequests,
    ) {
        let Self {
            fields: asked_for,
            first,
            wishes,
            ..
        } = self;
        for (number, group) in groups.iter_mut().enumerate() {
            for (slot, of) in group.targets.iter_mut().enumerate() {
                // A slot may become free while its field waits.
                if take(of.asked.get_mut()) && anchors.targets.is_chased(slot) {
                    asked_for.push((number, slot));
                }
            }
        }
        for (target, interval, repath_distance) in requests.wishes.drain(..) {
            let slot = anchors.targets.slot(target);
            wishes.extend(slot.map(|slot| (slot, interval, repath_distance)));
        }
        // Fields that are made again, as in a loaded world, do not count.
        for &(_, slot) in asked_for.iter() {
            if anchors.targets.at(slot).anchor.aimed.is_none() {
                first.push(slot);
            }
        }
        first.sort_unstable();
        first.dedup();
        let crowded = first.len() >= CROWDED_AIMS;
        // All wishes for one target together, since the first ones replace what the anchor says.
        wishes.sort_unstable_by_key(|&(slot, ..)| slot);
        wishes.dedup_by(|next, least| {
            let is_same = next.0 == least.0;
            if is_same {
                *least = (least.0, least.1.min(next.1), least.2.min(next.2));
            }
            is_same
        });
        for wish in wishes.drain(..) {
            anchors.follow_closer(wish);
        }
        for slot in first.drain(..) {
            anchors.aim(slot, crowded);
        }
    }
}

/// Makes fields.
///
/// Fields with the oldest anchors go first. Fields that do not fit the
/// tick wait, and fields that fit no tick are not made.
fn make_all(making: Making) {
    let Making {
        mut anchors,
        maps,
        mut fields,
        mut requests,
        mut asked,
    } = making;
    let fields = &mut *fields;
    asked.collect(&mut fields.groups, &mut anchors, &mut requests);
    let groups = &mut fields.groups;
    let AskedFields {
        fields: asked_for,
        jobs,
        ..
    } = &mut *asked;
    for (group, slot) in asked_for.drain(..) {
        let FieldGroup { key, targets, .. } = &mut groups[group];
        let target = anchors.targets.at(slot);
        let aimed = target.anchor.aimed;
        let (Some((place, since)), Ok(map)) = (aimed, maps.get(target.seen.map)) else {
            continue;
        };
        jobs.push(FieldJob {
            group,
            slot,
            made: FieldOrigin::new(target, place, map.grid().version()),
            since,
            key: *key,
            limits: FieldLimits::window(key.radius),
            grant: Grant::Later,
            body: target.seen.body,
            chasers: target.chasers,
            field: targets[slot].near.take(),
            expanded: 0,
        });
    }
    jobs.sort_unstable_by_key(|job| (job.since, job.made.target, Fingerprint::of(&job.key)));
    make_within(jobs, &mut fields.budget, &mut fields.makers, &maps);
    for job in jobs.drain(..) {
        let of = &mut groups[job.group].targets[job.slot];
        let target = anchors.targets.at(job.slot);
        of.near = job.field;
        if job.grant == Grant::Later {
            *of.asked.get_mut() = true;
            of.keep_leading(target);
            continue;
        }
        fields.made += u64::from(job.grant == Grant::Now);
        fields.expanded += u64::from(job.expanded);
        of.made = Some(job.made);
        of.update_leads(target);
    }
}

/// Makes as many fields as a budget allows in the worst case, in parallel. Most take a third of
/// that: what is left goes to the next ones.
fn make_within(
    jobs: &mut [FieldJob],
    budget: &mut FieldBudget,
    makers: &mut Vec<FlowMaker>,
    maps: &Query<&NavMap>,
) {
    let mut next = 0;
    while next < jobs.len() {
        let fit = jobs[next..].iter_mut().position(|job| {
            let map = maps.get(job.made.map);
            map.is_ok_and(|map| job.limit(map.grid(), budget) == Grant::Later)
        });
        let end = fit.map_or(jobs.len(), |fit| next + fit);
        if end == next {
            break;
        }
        let now = &mut jobs[next..end];
        let threads = Threads::for_work(now.len(), FIELDS_PER_TASK_MIN);
        threads.share_out(now, makers, |job, maker: &mut FlowMaker| {
            if job.grant == Grant::Now
                && let Ok(map) = maps.get(job.made.map)
            {
                job.make(map.grid(), maker);
            }
        });
        let made = now.iter().filter(|job| job.grant == Grant::Now);
        made.for_each(|job| budget.give_back(job.limits.cells, job.expanded));
        next = end;
    }
}

/// A field to make, and how much it may expand.
struct FieldJob {
    group: usize,
    slot: usize,
    made: FieldOrigin,
    /// The time at which its anchor was set.
    since: NavTime,
    key: FieldKey,
    body: Footprint,
    chasers: u32,
    limits: FieldLimits,
    grant: Grant,
    field: Option<NearField>,
    expanded: u32,
}

impl FieldJob {
    /// Limits the field to its greatest work, and sets that aside from a budget.
    fn limit(&mut self, grid: &Grid, budget: &mut FieldBudget) -> Grant {
        let (radius, metric) = (u32::from(self.key.radius), self.key.rules.metric);
        let even = matches!(metric, Metric::Unit | Metric::FourWay);
        let is_plain = even && !grid.has_costs() && grid.links().is_empty();
        let steps = WAY_STEPS * radius;
        // One wave for each step, and a last wave that finds nothing.
        let waves = steps + 1;
        let most = match self.cost_field_cells() {
            Some(cells) if !is_plain => {
                let side = 2 * radius + 1;
                cells.min(side * side).min(budget.whole).max(waves)
            }
            _ => waves,
        };
        self.limits.cost = steps * metric.straight();
        self.limits.cells = most;
        self.grant = budget.ask(most);
        self.grant
    }

    /// The number of cells of a cost field that are worth their work, if any are.
    fn cost_field_cells(&self) -> Option<u32> {
        if self.chasers >= WHOLE_COST_FIELD_CHASERS_MIN {
            Some(u32::MAX)
        } else {
            self.key.has_bodies.then_some(CLOSE_CELLS)
        }
    }

    /// Makes a flow field, or a cost field on ground that a flow field refuses.
    fn make(&mut self, grid: &Grid, maker: &mut FlowMaker) {
        let query = FieldQuery::new(self.made.place.cell)
            .with_target_body(self.body)
            .with_rules(self.key.rules)
            .with_limits(self.limits);
        // Memory of the field before, of either kind, is used again.
        let (mut flow, cost) = match self.field.take() {
            Some(NearField::Flow(flow)) => (flow, None),
            Some(NearField::Cost(cost)) => (Box::default(), Some(cost)),
            None => (Box::default(), None),
        };
        let outcome = maker.make(grid, &query, &mut flow);
        self.expanded = outcome.counters.expanded;
        self.made.serves = outcome.status == FieldStatus::Whole;
        let refused = matches!(outcome.status, FieldStatus::Unsupported(_));
        self.made.wants_more = refused && self.chasers < WHOLE_COST_FIELD_CHASERS_MIN;
        let Some(cells) = self.cost_field_cells().filter(|_| refused) else {
            self.field = Some(NearField::Flow(flow));
            return;
        };
        let mut limits = self.limits;
        limits.cells = limits.cells.min(cells);
        let mut cost: Box<CostField> = cost.unwrap_or_default();
        let outcome = cost.compute(grid, &query.with_limits(limits));
        self.expanded += outcome.counters.expanded;
        self.made.serves = matches!(outcome.status, FieldStatus::Whole | FieldStatus::CellsSpent);
        self.field = Some(NearField::Cost(cost));
    }
}
