//! The outcome of a search: status, cost and work.

use super::{feature::Feature, method::Method};
use crate::rules::Cost;

/// The answer to a query, with what it took to find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Outcome {
    /// How the search ended.
    pub status: Status,
    /// Cost of the path in the units of the query's metric; 0 without a path.
    pub cost: Cost,
    /// The work done.
    pub counters: Counters,
    /// The method that answered.
    pub method: Method,
}

impl Outcome {
    /// An answer without cost and without work, for searches outside of this crate.
    pub const fn new(method: Method, status: Status) -> Self {
        Self::without_path(method, status, Counters::NONE)
    }

    /// With another status.
    #[must_use]
    pub const fn with_status(self, status: Status) -> Self {
        Self { status, ..self }
    }

    /// With another cost.
    #[must_use]
    pub const fn with_cost(self, cost: Cost) -> Self {
        Self { cost, ..self }
    }

    /// With other counters, such as those of several searches together.
    #[must_use]
    pub const fn with_counters(self, counters: Counters) -> Self {
        Self { counters, ..self }
    }

    /// The answer of a method that cannot serve something.
    pub(crate) fn unsupported(method: Method, feature: Feature) -> Self {
        Self::without_path(method, Status::Unsupported(feature), Counters::default())
    }

    /// An answer without a path.
    pub(crate) const fn without_path(method: Method, status: Status, counters: Counters) -> Self {
        Self {
            status,
            cost: 0,
            counters,
            method,
        }
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Status {
    /// The path leads to the goal.
    Found,
    /// The path leads as near to the goal as the search came, for the reason given.
    Partial(Stopped),
    /// Everything that can be reached inside the window was seen, and the goal is not among it.
    Unreachable,
    /// The goal lies outside the window, and
    /// [no way that only leads nearer](crate::query::Fallback::ClosestReached) was asked for or can
    /// be found by the method; nothing was searched.
    TooFar,
    /// The limit on expansions or on [cost](crate::Limits::cost) was reached first: there may be a
    /// path beyond it.
    BudgetSpent,
    /// Start and goal are one cell.
    AlreadyThere,
    /// The query makes no sense on this map; nothing was searched.
    Invalid(QueryEnd, Fault),
    /// The method cannot serve maps or queries with this; nothing was searched.
    Unsupported(Feature),
}

impl Status {
    /// Whether there is a path to follow.
    pub const fn has_path(self) -> bool {
        matches!(self, Self::Found | Self::Partial(_))
    }

    /// Whether any ground was looked at for it: not where the answer is known from start and goal, or the
    /// method cannot serve the query.
    pub const fn was_searched(self) -> bool {
        matches!(
            self,
            Self::Found | Self::Partial(_) | Self::Unreachable | Self::BudgetSpent
        )
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Found => f.write_str("found"),
            Self::Partial(Stopped::Unreachable) => {
                f.write_str("partial: the goal is unreachable inside the window")
            }
            Self::Partial(Stopped::BudgetSpent) => f.write_str("partial: the budget is spent"),
            Self::Unreachable => f.write_str("the goal is unreachable inside the window"),
            Self::TooFar => f.write_str("the goal is outside the window"),
            Self::BudgetSpent => f.write_str("the budget is spent"),
            Self::AlreadyThere => f.write_str("already there"),
            Self::Unsupported(feature) => write!(f, "the method cannot serve {feature}"),
            Self::Invalid(end, fault) => {
                let end = match end {
                    QueryEnd::Start => "start",
                    QueryEnd::Goal => "goal",
                };
                match fault {
                    Fault::OutsideMap => write!(f, "the {end} is outside the map"),
                    Fault::Blocked => write!(f, "the {end} is inside a wall"),
                }
            }
        }
    }
}

/// Why a partial path does not go all the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Stopped {
    /// The goal cannot be reached inside the window.
    Unreachable,
    /// The budget of expansions or cost was spent first.
    BudgetSpent,
}

impl From<Stopped> for Status {
    /// The answer without a path.
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Unreachable => Self::Unreachable,
            Stopped::BudgetSpent => Self::BudgetSpent,
        }
    }
}

/// One end of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum QueryEnd {
    /// Where the walker stands.
    Start,
    /// Where it wants to be.
    Goal,
}

/// What is wrong with one end of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Fault {
    /// It is not on the map.
    OutsideMap,
    /// It is not walkable, or the walker's body does not fit there.
    Blocked,
}

/// The work a search did: reproducible where time is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Counters {
    /// Cells whose neighbours were looked at, or what a method has in their place: waves, jump
    /// points, portals, blocks. Never above [`Limits::expansions`](crate::Limits), but for sweeps,
    /// which are bounded by their window.
    pub expanded: u32,
    /// Work that grows with distances and windows, next to what was expanded: one for every
    /// [`CELLS_PER_SCAN`](Self::CELLS_PER_SCAN) cells that are walked in a straight line, passed by
    /// a scan for jump points, or copied and prepared for one, and one for each piece of a path
    /// over portals that is laid or pulled tight. Takes about as long as an expansion.
    #[cfg_attr(feature = "serde", serde(default))]
    pub scanned: u32,
    /// Cells that were given a cost.
    pub touched: u32,
    /// Entries put on the queue.
    pub pushed: u32,
    /// Entries taken off the queue, outdated ones included.
    pub popped: u32,
}

impl Counters {
    /// Cells that count as one scan.
    pub const CELLS_PER_SCAN: u32 = 64;

    /// No work at all.
    pub const NONE: Self = Self {
        expanded: 0,
        scanned: 0,
        touched: 0,
        pushed: 0,
        popped: 0,
    };

    /// Adds the work of another search.
    pub const fn add(&mut self, other: &Self) {
        self.expanded += other.expanded;
        self.scanned += other.scanned;
        self.touched += other.touched;
        self.pushed += other.pushed;
        self.popped += other.popped;
    }

    /// What was expanded and what was scanned: by this, slices are cut and budgets kept.
    #[inline]
    pub const fn work(&self) -> u32 {
        self.expanded.saturating_add(self.scanned)
    }
}
