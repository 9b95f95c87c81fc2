//! One field to make, and how much it may expand.

use super::{
    budget::{FieldBudget, Grant},
    group::FieldKey,
    origin::FieldOrigin,
    target_fields::NearField,
    worth,
};
use crate::NavTime;
use nav_grid::{
    Footprint, Grid, Metric,
    fields::{FieldLimits, FieldQuery, FieldStatus, FlowMaker, WeightedField},
};

/// A field to make.
pub(super) struct FieldJob {
    pub(super) group: usize,
    pub(super) slot: usize,
    pub(super) made: FieldOrigin,
    /// When its anchor was set.
    pub(super) since: NavTime,
    pub(super) key: FieldKey,
    pub(super) body: Footprint,
    pub(super) chasers: u32,
    pub(super) limits: FieldLimits,
    pub(super) grant: Grant,
    pub(super) field: Option<NearField>,
    pub(super) expanded: u32,
}

impl FieldJob {
    /// Limits it to what it may take at most, by a budget of which fields have so much in a tick.
    pub(super) fn limit(&mut self, grid: &Grid, whole: u32, budget: &mut FieldBudget) {
        /// Steps that ways may have for each cell of the radius. Beyond are mazes.
        const STEPS: u32 = 4;
        let radius = u32::from(self.key.radius);
        let rules = self.key.rules;
        let even = matches!(rules.metric, Metric::Unit | Metric::FourWay);
        let is_plain = even && !grid.has_costs() && grid.links().is_empty();
        let steps = STEPS * radius;
        // Waves: one for each step, and the one that finds nothing.
        let waves = steps + 1;
        let most = match self.weighted_cells() {
            Some(cells) if !is_plain => {
                let side = 2 * radius + 1;
                cells.min(side * side).min(whole).max(waves)
            }
            _ => waves,
        };
        self.limits.cost = steps * rules.metric.straight();
        self.limits.cells = most;
        self.grant = budget.ask(most);
    }

    /// How many cells of a weighted field are worth what they cost, if any are.
    fn weighted_cells(&self) -> Option<u32> {
        if worth::whole_weighted_field(self.chasers) {
            Some(u32::MAX)
        } else {
            self.key.has_bodies.then_some(worth::CLOSE_CELLS)
        }
    }

    pub(super) fn make(&mut self, grid: &Grid, maker: &mut FlowMaker) {
        let FieldKey { rules, .. } = self.key;
        let query = FieldQuery::new(self.made.place.cell)
            .with_target_body(self.body)
            .with_rules(rules)
            .with_limits(self.limits);
        // Memory of the field before, of whichever sort it was.
        let (mut flow, weighted) = match self.field.take() {
            Some(NearField::Flow(flow)) => (flow, None),
            Some(NearField::Weighted(weighted)) => (Box::default(), Some(weighted)),
            None => (Box::default(), None),
        };
        let outcome = maker.make(grid, &query, &mut flow);
        self.expanded = outcome.counters.expanded;
        self.made.serves = outcome.status == FieldStatus::Whole;
        let refused = matches!(outcome.status, FieldStatus::Unsupported(_));
        self.made.wants_more = refused && !worth::whole_weighted_field(self.chasers);
        let Some(cells) = self.weighted_cells().filter(|_| refused) else {
            self.field = Some(NearField::Flow(flow));
            return;
        };
        let limits = FieldLimits {
            cells: self.limits.cells.min(cells),
            ..self.limits
        };
        let mut field: Box<WeightedField> = weighted.unwrap_or_default();
        let outcome = field.compute(grid, &query.with_limits(limits));
        self.expanded += outcome.counters.expanded;
        self.made.serves = matches!(outcome.status, FieldStatus::Whole | FieldStatus::CellsSpent);
        self.field = Some(NearField::Weighted(field));
    }
}
