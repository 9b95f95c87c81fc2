//! Counters of what the plugin does.

use bevy_ecs::prelude::*;
use nav_grid::Status;

/// What the plugin did, in the last tick and since it was added. Fixed in size; costs a few
/// additions per search and step.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Resource))]
#[non_exhaustive]
pub struct NavDiagnostics {
    /// Ticks run.
    pub ticks: u64,
    /// Work of the last tick.
    pub last_tick: NavCounts,
    /// Work of all ticks.
    pub total: NavCounts,
}

/// Work done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub struct NavCounts {
    /// Searches that led to the target.
    pub found: u64,
    /// Searches that led only nearer.
    pub partial: u64,
    /// Searches that saw all ground within reach, without the target.
    pub unreachable: u64,
    /// Targets outside the window. Those for which nothing is searched count once, when that begins.
    pub too_far: u64,
    /// Searches that ran out of budget.
    pub budget_spent: u64,
    /// Searches that began on their goal. Chasers do not ask for them: they are in reach.
    pub already_there: u64,
    /// Searches that made no sense: an end in a wall, off the map, or on another one. Those that are
    /// not made count once, when that begins.
    pub invalid: u64,
    /// Searches that the chaser's [method](crate::Chaser::method) could not serve: see
    /// [`Status::Unsupported`].
    #[cfg_attr(feature = "serialize", serde(default))]
    pub unsupported: u64,
    /// The [work](nav_grid::query::Counters::work) of all searches and for all fields, cells expanded
    /// and scanned: what [`NavBudget`](crate::NavBudget) bounds.
    pub expanded: u64,
    /// Fields made for targets that several chase.
    #[cfg_attr(feature = "serialize", serde(default))]
    pub fields: u64,
    /// Steps taken.
    pub steps: u64,
    /// Arrivals at a target.
    pub reached: u64,
    /// Paths broken by edits.
    pub broken: u64,
}

impl NavCounts {
    /// Searches of all outcomes.
    pub const fn searches(&self) -> u64 {
        self.found
            + self.partial
            + self.unreachable
            + self.too_far
            + self.budget_spent
            + self.already_there
            + self.invalid
            + self.unsupported
    }

    /// Searches for which any ground was looked at: see [`Status::was_searched`].
    pub const fn searched(&self) -> u64 {
        self.found + self.partial + self.unreachable + self.budget_spent
    }

    pub(crate) fn count_search(&mut self, status: Option<Status>) {
        let counter = match status {
            Some(Status::Found) => &mut self.found,
            Some(Status::Partial(_)) => &mut self.partial,
            Some(Status::Unreachable) => &mut self.unreachable,
            Some(Status::TooFar) => &mut self.too_far,
            Some(Status::BudgetSpent) => &mut self.budget_spent,
            Some(Status::AlreadyThere) => &mut self.already_there,
            Some(Status::Unsupported(_)) => &mut self.unsupported,
            // Kinds of answers that do not exist yet are failures until they are named here.
            _ => &mut self.invalid,
        };
        *counter += 1;
    }

    fn add(&mut self, other: &Self) {
        self.found += other.found;
        self.partial += other.partial;
        self.unreachable += other.unreachable;
        self.too_far += other.too_far;
        self.budget_spent += other.budget_spent;
        self.already_there += other.already_there;
        self.invalid += other.invalid;
        self.unsupported += other.unsupported;
        self.expanded += other.expanded;
        self.fields += other.fields;
        self.steps += other.steps;
        self.reached += other.reached;
        self.broken += other.broken;
    }
}

impl NavDiagnostics {
    pub(crate) fn end_tick(&mut self, counts: NavCounts) {
        self.ticks += 1;
        self.last_tick = counts;
        self.total.add(&counts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::query::{Fault, Feature, QueryEnd, Stopped};

    #[test]
    fn searches_count_as_made_for_the_answers_that_ground_was_looked_at_for() {
        let answers = [
            Status::Found,
            Status::Partial(Stopped::Unreachable),
            Status::Unreachable,
            Status::TooFar,
            Status::BudgetSpent,
            Status::AlreadyThere,
            Status::Invalid(QueryEnd::Goal, Fault::OutsideMap),
            Status::Unsupported(Feature::Costs),
        ];
        for status in answers {
            let mut counts = NavCounts::default();
            counts.count_search(Some(status));
            assert_eq!(counts.searches(), 1, "{status}");
            assert_eq!(
                counts.searched(),
                u64::from(status.was_searched()),
                "{status}"
            );
        }
    }
}
