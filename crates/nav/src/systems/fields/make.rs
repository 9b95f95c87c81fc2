//! Search: the fields that are asked for.

use super::{Field, Fields, Kind, Made, WEIGHTED_CHASERS_MIN};
use crate::{
    FieldAnchor, NavClock, NavMap,
    systems::{targets::Targets, threads::Threads},
};
use bevy_ecs::prelude::*;
use nav_grid::{FieldLimits, FieldQuery, FieldStatus, FlowMaker, Footprint, Grid, WeightedField};

/// A field to make.
pub(super) struct Job {
    shape: usize,
    slot: usize,
    made: Made,
    kind: Kind,
    body: Footprint,
    chasers: u32,
    field: Option<Field>,
    expanded: u32,
}

/// Makes the fields that chasers ask for.
pub(crate) fn make_fields(
    clock: Res<NavClock>,
    maps: Query<&NavMap>,
    mut targets: ResMut<Targets>,
    mut anchors: Query<&mut FieldAnchor>,
    mut fields: ResMut<Fields>,
) {
    let Fields {
        shapes,
        makers,
        jobs,
        made,
        expanded,
    } = &mut *fields;
    for (index, shape) in shapes.iter_mut().enumerate() {
        let Kind {
            interval,
            displacement,
            ..
        } = shape.kind;
        for (slot, shared) in shape.shared.iter_mut().enumerate() {
            if !std::mem::take(shared.asked.get_mut()) {
                continue;
            }
            let target = *targets.at(slot);
            let mut anchor = target.anchor;
            if anchor.aimed.is_none() {
                anchor = FieldAnchor {
                    aimed: Some((target.seen.position, clock.now())),
                    interval,
                    displacement,
                };
            }
            anchor.interval = anchor.interval.min(interval);
            anchor.displacement = anchor.displacement.min(displacement);
            if anchor != target.anchor {
                targets.aim(slot, anchor);
                if let Ok(mut stored) = anchors.get_mut(target.entity) {
                    *stored = anchor;
                }
            }
            let (Some((place, _)), Ok(map)) = (anchor.aimed, maps.get(target.seen.map)) else {
                continue;
            };
            jobs.push(Job {
                shape: index,
                slot,
                made: Made {
                    target: target.entity,
                    map: target.seen.map,
                    place,
                    version: map.grid().version(),
                    serves: false,
                    wants_more: false,
                },
                kind: shape.kind,
                body: target.seen.body,
                chasers: target.chasers,
                field: shared.field.take(),
                expanded: 0,
            });
        }
    }
    let threads = Threads::for_work(jobs.len(), FIELDS_PER_TASK_MIN);
    threads.share_out(jobs, makers, |job, maker: &mut FlowMaker| {
        if let Ok(map) = maps.get(job.made.map) {
            job.make(map.grid(), maker);
        }
    });
    for job in jobs.drain(..) {
        *made += 1;
        *expanded += u64::from(job.expanded);
        let shared = &mut shapes[job.shape].shared[job.slot];
        shared.made = Some(job.made);
        shared.field = job.field;
        shared.note_leads(targets.at(job.slot));
    }
}

/// Fewer fields than this are not worth a task.
const FIELDS_PER_TASK_MIN: usize = 16;

impl Job {
    fn make(&mut self, grid: &Grid, maker: &mut FlowMaker) {
        let Kind { rules, radius, .. } = self.kind;
        let query = FieldQuery::new(self.made.place.cell)
            .with_target_body(self.body)
            .with_rules(rules)
            .with_limits(FieldLimits::window(radius));
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
        self.made.serves = outcome.status == FieldStatus::Whole;
        self.field = Some(Field::Weighted(field));
    }
}
