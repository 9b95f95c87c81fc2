//! Searches by outcome.

use nav_grid::Status;
use serde::{Deserialize, Serialize};

/// Numbers of searches by outcome; see [`Status`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Searches {
    /// A path to the goal.
    pub found: u64,
    /// A path to a cell nearer to the goal.
    pub partial: u64,
    /// No path to the goal in the window.
    pub unreachable: u64,
    /// The goal is outside the window.
    pub too_far: u64,
    /// The limit on expansions was reached.
    pub budget_spent: u64,
    /// Start and goal are the same cell.
    pub already_there: u64,
    /// An end of the query is not walkable, or the outcome is unknown to this program.
    pub invalid: u64,
    /// The method cannot serve the map or the query; [`Report::refusal`](super::Report::refusal)
    /// tells why.
    pub unsupported: u64,
}

impl Searches {
    /// Counts one search.
    pub fn count(&mut self, status: Status) {
        let counter = match status {
            Status::Found => &mut self.found,
            Status::Partial(_) => &mut self.partial,
            Status::Unreachable => &mut self.unreachable,
            Status::TooFar => &mut self.too_far,
            Status::BudgetSpent => &mut self.budget_spent,
            Status::AlreadyThere => &mut self.already_there,
            Status::Unsupported(_) => &mut self.unsupported,
            _ => &mut self.invalid,
        };
        *counter += 1;
    }

    /// Returns the number of searches.
    pub fn total(&self) -> u64 {
        self.rows(0).iter().map(|(_, count)| count).sum()
    }

    /// Returns all outcomes with their labels in the summary. `at_once` of the found paths needed
    /// no expansion.
    pub(super) fn rows(&self, at_once: u64) -> [(&'static str, u64); 9] {
        let Self {
            found,
            partial,
            unreachable,
            too_far,
            budget_spent,
            already_there,
            invalid,
            unsupported,
        } = *self;
        [
            ("answered at once, such as a straight way", at_once),
            (
                "searched, and led to the target",
                found.saturating_sub(at_once),
            ),
            ("searched, and led nearer", partial),
            ("no way in the window", unreachable),
            ("target beyond the window, not searched", too_far),
            ("gave up at the limit on expansions", budget_spent),
            ("began on their goal", already_there),
            ("an end in a wall or off the map", invalid),
            ("not for this method", unsupported),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::query::{Fault, Feature, QueryEnd, Stopped};

    #[test]
    fn counter_for_every_status() {
        let mut searches = Searches::default();
        for status in [
            Status::Found,
            Status::Partial(Stopped::BudgetSpent),
            Status::Unreachable,
            Status::TooFar,
            Status::BudgetSpent,
            Status::AlreadyThere,
            Status::Invalid(QueryEnd::Start, Fault::Blocked),
            Status::Unsupported(Feature::Window),
        ] {
            searches.count(status);
        }
        assert_eq!(searches.total(), 8);
        searches.count(Status::Found);
        let rows = searches.rows(1);
        assert!(rows.iter().all(|&(_, count)| count == 1), "{rows:?}");
    }
}
