//! Checks and scratch memory of fields over windows.

use super::query::{FieldQuery, FieldStatus};
use crate::{
    query::{Feature, Terrain},
    rules::{IntegerCosts, Rules},
    window::{CENTER, ExitPlanes, FloodMask, RADIUS_MAX, WindowBits, area},
};

/// A window around a target, read from the map.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldWindow {
    /// Where walkers may stand; bodies do not count.
    pub(crate) bits: WindowBits,
    /// From where places may be come to, in windows with exits.
    pub(crate) entrances: ExitPlanes,
}

/// What a field is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldSetup {
    pub(crate) query: FieldQuery,
    pub(crate) step_costs: IntegerCosts,
    /// Whether there are exits that count.
    pub(crate) fenced: bool,
    pub(crate) version: u64,
}

impl FieldWindow {
    /// Looks whether waves over a window can answer a query, and reads the window.
    pub(crate) fn prepare(
        &mut self,
        terrain: Terrain<'_>,
        query: &FieldQuery,
    ) -> Result<FieldSetup, FieldStatus> {
        let grid = terrain.grid;
        if let Some(status) = query.answer_at_once(terrain) {
            return Err(status);
        }
        let unsupported = |feature| Err(FieldStatus::Unsupported(feature));
        let Rules {
            metric, footprint, ..
        } = query.rules;
        let Some(step_costs) = IntegerCosts::of(metric) else {
            return unsupported(Feature::Metric(metric));
        };
        let side = grid.width().max(grid.height());
        let radius = query.limits.radius.min(side - 1);
        if radius > RADIUS_MAX {
            return unsupported(Feature::Window);
        }
        let window = area(grid, query.target, radius);
        let covered = window.grown(0, u16::from(footprint.side()) - 1);
        let covered = covered.clipped(grid.size());
        if grid.has_costs() && grid.has_costs_in(covered) {
            return unsupported(Feature::Costs);
        }
        if !grid.links().is_empty() && grid.has_links_from(window) {
            return unsupported(Feature::Links);
        }
        self.bits.load(grid, query.target, radius, footprint, None);
        let fenced = grid.has_exits() && grid.has_exits_in(covered);
        if fenced {
            self.entrances.load(grid, &self.bits, footprint);
            self.entrances.reverse();
        }
        Ok(FieldSetup {
            query: *query,
            step_costs,
            fenced,
            version: grid.version(),
        })
    }

    /// What waves backwards from the target spread over.
    pub(crate) fn mask(&self, setup: &FieldSetup) -> FloodMask<'_> {
        FloodMask {
            free: self.bits.free(),
            exits: setup.fenced.then_some(&self.entrances),
            corners: setup.query.rules.corners,
        }
    }
}

/// Columns and rows of the largest window.
pub(crate) const SIDE: usize = 2 * RADIUS_MAX as usize + 1;

/// The row of a wave's boards that is the first one of the largest window.
pub(crate) const FIRST_ROW: usize = CENTER.row - RADIUS_MAX as usize;
