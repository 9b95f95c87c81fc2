//! The maker of flow fields: checks the ground, and spreads waves backwards from the target.

use super::{
    field_query::{FieldOutcome, FieldQuery, FieldStatus},
    flow::{FlowField, OnwardSteps},
};
use crate::{
    map::{Area, Grid},
    query::{Counters, Feature, Terrain},
    rules::{BodyPolicy, Metric, Rules},
    window::{
        CENTER, DistanceMod3, ExitPlanes, FloodMask, RADIUS_MAX, WaveBounds, WindowBits, area,
    },
};

/// Computes [`FlowField`]s. One maker serves all fields that a thread computes.
///
/// # Memory
///
/// Some 8 KiB, none of it on the heap.
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct FlowMaker {
    /// Where walkers may stand in the window; bodies do not count.
    bits: WindowBits,
    /// From which neighbours a cell may be entered, in windows with exits.
    entrances: ExitPlanes,
    distances: DistanceMod3,
}

impl FlowMaker {
    /// A maker that has read nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Computes a field, whatever it held before. It is empty after every status but
    /// [`FieldStatus::Whole`].
    ///
    /// [`Counters::expanded`] counts waves, [`Counters::touched`] the cells from which a way leads
    /// to the target.
    pub fn make<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &FieldQuery,
        field: &mut FlowField,
    ) -> FieldOutcome {
        let terrain = terrain.into().for_rules(query.rules);
        let refusal = (query.answer_at_once(terrain))
            .or_else(|| unserved(terrain, query).map(FieldStatus::Unsupported));
        let (status, counters) = match refusal {
            None => (FieldStatus::Whole, self.run(terrain.grid, query, field)),
            Some(status) => {
                field.clear();
                (status, Counters::NONE)
            }
        };
        FieldOutcome { status, counters }
    }

    fn run(&mut self, grid: &Grid, query: &FieldQuery, field: &mut FlowField) -> Counters {
        let Rules {
            metric,
            footprint,
            corners,
            ..
        } = query.rules;
        let (radius, _, covered) = window_of(grid, query);
        self.bits.load(grid, query.target, radius, footprint, None);
        let fenced = grid.has_exits() && grid.has_exits_in(covered);
        if fenced {
            self.entrances.load(grid, &self.bits, footprint);
            self.entrances.reverse();
        }
        let mask = FloodMask {
            free: self.bits.free(),
            exits: fenced.then_some(&self.entrances),
            corners,
        };
        let diagonals = metric.diagonal().is_some();
        let rows = self.bits.rows();
        let above = CENTER.row.abs_diff(rows.start);
        let below = rows.end.saturating_sub(CENTER.row + 1);
        let bounds = WaveBounds {
            rows: above.max(below),
            steps: query.limits.cost,
        };
        let (expanded, touched) = if fenced {
            let passes = field
                .passes
                .get_or_insert_with(|| Box::new(OnwardSteps::NONE));
            **passes = OnwardSteps::NONE;
            self.distances.flood(mask, diagonals, bounds, |frontier| {
                passes.note(mask, &self.entrances, diagonals, frontier);
            })
        } else {
            self.distances.flood(mask, diagonals, bounds, |_| {})
        };
        field.fill(grid, query, fenced, &self.distances);
        Counters {
            expanded,
            touched,
            ..Counters::NONE
        }
    }
}

/// The radius of the window, which is no larger than the map, its cells, and the cells that bodies
/// in it cover.
fn window_of(grid: &Grid, query: &FieldQuery) -> (u16, Area, Area) {
    let radius = query.limits.radius.min(grid.radius_max());
    let window = area(grid, query.target, radius);
    let covered = query.rules.footprint.area_from(window);
    (radius, window, covered.clipped(grid.size()))
}

/// The first thing about a query that flow fields cannot serve.
fn unserved(terrain: Terrain<'_>, query: &FieldQuery) -> Option<Feature> {
    let (grid, metric) = (terrain.grid, query.rules.metric);
    let (radius, window, covered) = window_of(grid, query);
    let ignores_bodies = query.rules.bodies == BodyPolicy::Ignore;
    if !matches!(metric, Metric::Unit | Metric::FourWay) {
        Some(Feature::Metric(metric))
    } else if radius > RADIUS_MAX {
        Some(Feature::Window)
    } else if grid.has_costs() && grid.has_costs_in(covered) {
        Some(Feature::Costs)
    } else if !grid.links().is_empty() && grid.links.leave_from(window) {
        Some(Feature::Links)
    } else {
        (terrain.bodies.is_some() && !ignores_bodies).then_some(Feature::Bodies)
    }
}
