//! Observe and Search: the fields that are aimed anew, and those that are asked for.

use super::{
    Field, Fields, Kind, Made, Shape, WEIGHTED_CHASERS_MIN,
    aims::{Aims, CROWDED},
    ration::{Grant, Ration},
};
use crate::{NavBudget, NavMap, NavTime, systems::threads::Threads};
use bevy_ecs::prelude::*;
use nav_grid::{
    Footprint, Grid, Metric,
    fields::{FieldLimits, FieldQuery, FieldStatus, FlowMaker, WeightedField},
};

/// A field to make.
pub(super) struct Job {
    shape: usize,
    slot: usize,
    made: Made,
    /// When its anchor was set.
    since: NavTime,
    kind: Kind,
    body: Footprint,
    chasers: u32,
    limits: FieldLimits,
    grant: Grant,
    field: Option<Field>,
    expanded: u32,
}

/// Makes those fields anew that are aimed anew, before chasers decide by them, and those that had to
/// wait.
pub(crate) fn make_aimed(
    aims: Aims,
    budget: Res<NavBudget>,
    maps: Query<&NavMap>,
    mut fields: ResMut<Fields>,
    asked_for: Local<Vec<(usize, usize)>>,
) {
    fields.ration = Ration::of(*budget);
    make(aims, maps, &mut fields, asked_for);
}

/// Makes the fields that chasers ask for.
pub(crate) fn make_asked_for(
    aims: Aims,
    maps: Query<&NavMap>,
    mut fields: ResMut<Fields>,
    asked_for: Local<Vec<(usize, usize)>>,
) {
    make(aims, maps, &mut fields, asked_for);
}

/// Makes fields.
///
/// With a [budget](NavBudget), those whose anchors are oldest go first, those that no longer fit
/// the tick wait, and those that fit none are not made.
fn make(
    mut aims: Aims,
    maps: Query<&NavMap>,
    fields: &mut Fields,
    mut asked_for: Local<Vec<(usize, usize)>>,
) {
    let Fields {
        shapes,
        makers,
        jobs,
        ration,
        made,
        expanded,
    } = fields;
    for (kind, shape) in shapes.iter_mut().enumerate() {
        for (slot, shared) in shape.shared.iter_mut().enumerate() {
            // Slots may be given up while a field waits.
            if std::mem::take(shared.asked.get_mut()) && aims.targets.is_chased(slot) {
                asked_for.push((kind, slot));
            }
        }
    }
    // Those that are made again, as in a world that was loaded, do not count.
    let is_first = |&&(_, slot): &&(_, usize)| aims.targets.at(slot).anchor.aimed.is_none();
    let crowded = asked_for.iter().filter(is_first).count() >= CROWDED;
    for (shape, slot) in asked_for.drain(..) {
        let Shape { kind, shared } = &mut shapes[shape];
        let target = aims.join(slot, *kind, crowded);
        let aimed = target.anchor.aimed;
        let (Some((place, since)), Ok(map)) = (aimed, maps.get(target.seen.map)) else {
            continue;
        };
        jobs.push(Job {
            shape,
            slot,
            made: Made::new(&target, place, map.grid().version()),
            since,
            kind: *kind,
            limits: FieldLimits::window(kind.radius),
            grant: Grant::Now,
            body: target.seen.body,
            chasers: target.chasers,
            field: shared[slot].field.take(),
            expanded: 0,
        });
    }
    if let Some(whole) = ration.whole() {
        jobs.sort_unstable_by_key(|job| (job.since, job.made.target, job.shape));
        for job in &mut *jobs {
            if let Ok(map) = maps.get(job.made.map) {
                job.limit(map.grid(), whole, ration);
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
        let shared = &mut shapes[job.shape].shared[job.slot];
        let target = aims.targets.at(job.slot);
        shared.field = job.field;
        if job.grant == Grant::Later {
            *shared.asked.get_mut() = true;
            shared.lead_on(target);
            continue;
        }
        *made += u64::from(job.grant == Grant::Now);
        *expanded += u64::from(job.expanded);
        shared.made = Some(job.made);
        shared.note_leads(target);
    }
}

/// Fewer fields than this are not worth a task.
const FIELDS_PER_TASK_MIN: usize = 16;

impl Job {
    /// Limits it to what it may take at most, by a budget of which fields have so much in a tick.
    fn limit(&mut self, grid: &Grid, whole: u32, ration: &mut Ration) {
        /// Steps that ways may have for each cell of the radius. Beyond are mazes.
        const STEPS: u32 = 4;
        let radius = u32::from(self.kind.radius);
        let rules = self.kind.rules;
        let even = matches!(rules.metric, Metric::Unit | Metric::FourWay);
        let is_plain = even && !grid.has_costs() && grid.links().is_empty();
        let steps = STEPS * radius;
        let most = if is_plain || self.chasers < WEIGHTED_CHASERS_MIN {
            // Waves: one for each step, and the one that finds nothing.
            steps + 1
        } else {
            let side = 2 * radius + 1;
            (side * side).min(whole).max(steps + 1)
        };
        self.limits.cost = steps * rules.metric.straight();
        self.limits.cells = most;
        self.grant = ration.ask(most);
    }

    fn make(&mut self, grid: &Grid, maker: &mut FlowMaker) {
        let Kind { rules, .. } = self.kind;
        let query = FieldQuery::new(self.made.place.cell)
            .with_target_body(self.body)
            .with_rules(rules)
            .with_limits(self.limits);
        // Memory of the field before, of whichever sort it was.
        let (mut flow, weighted) = match self.field.take() {
            Some(Field::Flow(flow)) => (flow, None),
            Some(Field::Weighted(weighted)) => (Box::default(), Some(weighted)),
            None => (Box::default(), None),
        };
        let outcome = maker.make(grid, &query, &mut flow);
        self.expanded = outcome.counters.expanded;
        self.made.serves = outcome.status == FieldStatus::Whole;
        let refused = matches!(outcome.status, FieldStatus::Unsupported(_));
        self.made.wants_more = refused && self.chasers < WEIGHTED_CHASERS_MIN;
        if !refused || self.made.wants_more {
            self.field = Some(Field::Flow(flow));
            return;
        }
        let mut field: Box<WeightedField> = weighted.unwrap_or_default();
        let outcome = field.compute(grid, &query);
        self.expanded += outcome.counters.expanded;
        self.made.serves = matches!(outcome.status, FieldStatus::Whole | FieldStatus::CellsSpent);
        self.field = Some(Field::Weighted(field));
    }
}
