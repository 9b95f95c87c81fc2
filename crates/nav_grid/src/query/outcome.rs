//! The outcome of a search: status, cost and work.

use super::method::{Feature, Method};
use crate::rules::Cost;

/// The answer to a [query](crate#example), with the work done.
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
    /// An answer without cost and work, for searches outside of this crate.
    pub const fn new(method: Method, status: Status) -> Self {
        Self::without_path(method, status, Counters::NONE)
    }

    setters! {
        /// With another status.
        #[doc(hidden)]
        with_status(status: Status);
        /// With another cost.
        #[doc(hidden)]
        with_cost(cost: Cost);
        /// With other counters, such as those of several searches together.
        #[doc(hidden)]
        with_counters(counters: Counters);
    }

    /// The answer of a method that does not serve a feature.
    pub(crate) fn unsupported(method: Method, feature: Feature) -> Self {
        Self::new(method, Status::Unsupported(feature))
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

/// How a [search](crate#example) ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Status {
    /// The path leads to the goal.
    Found,
    /// The path leads as near to the goal as the search came, with the reason. An end may also
    /// be inside a wall: see [`PathQuery::fault`](crate::PathQuery::fault).
    Partial(Stopped),
    /// The goal cannot be reached inside the window.
    Unreachable,
    /// The goal lies outside the window; nothing was searched. The query does not ask for a path
    /// that [only leads nearer](crate::query::Fallback::ClosestReached), or the method cannot find
    /// one.
    TooFar,
    /// The limit on expansions or on [cost](crate::Limits::cost) was reached first: there may be a
    /// path beyond it. Of [`Method::Auto`] only the limit on cost.
    BudgetSpent,
    /// Start and goal are one cell.
    AlreadyThere,
    /// An end of the query is invalid on this map; nothing was searched.
    Invalid(QueryEnd, Fault),
    /// The method cannot serve maps or queries with this feature; nothing was searched.
    Unsupported(Feature),
}

impl Status {
    /// Whether there is a path to follow.
    pub const fn has_path(self) -> bool {
        matches!(self, Self::Found | Self::Partial(_))
    }

    /// Whether any ground was searched: not if the answer is known from start and goal, or the
    /// method does not serve the query.
    #[doc(hidden)]
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

/// Why a [partial](Status::Partial) path does not reach the goal.
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

/// One end of a [query](super::PathQuery).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum QueryEnd {
    /// The cell of the walker.
    Start,
    /// The cell to reach.
    Goal,
}

/// The fault of an invalid [end](QueryEnd) of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Fault {
    /// It is not on the map.
    OutsideMap,
    /// It is not walkable, or the walker's body does not fit there.
    Blocked,
}

/// The work of a [search](crate#example). Unlike time, it is reproducible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Counters {
    /// Cells whose neighbours were looked at, or the method's counterpart: waves, jump points,
    /// portals, blocks. At most [`Limits::expansions`](crate::Limits), except for sweeps and
    /// [`Method::Auto`], which their window bounds.
    pub expanded: u32,
    /// Further work, which grows with distances and windows. One for every
    /// [`CELLS_PER_SCAN`](Self::CELLS_PER_SCAN) cells that are walked in a straight line, passed by
    /// a scan for jump points, or copied and prepared for one. One for each piece of a path over
    /// portals that is laid or pulled tight. Each takes about as long as an expansion.
    #[cfg_attr(feature = "serde", serde(default))]
    pub scanned: u32,
    /// Cells that were given a cost.
    pub touched: u32,
    /// Entries pushed onto the queue.
    pub pushed: u32,
    /// Entries popped from the queue, including outdated ones.
    pub popped: u32,
}

impl Counters {
    /// Number of cells that count as one scan. Measured by `benches/work.rs`: a scan of 64 cells
    /// takes about as long as an expansion.
    #[doc(hidden)]
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
    #[doc(hidden)]
    pub const fn add(&mut self, other: &Self) {
        self.expanded += other.expanded;
        self.scanned += other.scanned;
        self.touched += other.touched;
        self.pushed += other.pushed;
        self.popped += other.popped;
    }

    /// The sum of expansions and scans: the unit of slices and budgets.
    #[inline]
    pub const fn work(&self) -> u32 {
        self.expanded.saturating_add(self.scanned)
    }
}
