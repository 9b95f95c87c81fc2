//! Judges an answer by the length in the file, by its own path, and by the answers of other
//! methods.

use super::Line;
use nav_grid::{
    Cell, Grid, Limits, Metric, Outcome, Path, Status,
    path::BrokenPathError,
    query::{Feature, Stopped},
    rules::Cost,
};
use std::fmt;

/// Greatest difference in cells between a true length and the one in a scenario file. Older files
/// round to two decimals, so the error is half of this.
pub const ROUNDING: f64 = 0.01;

/// An answer to a line. Its path was walked and is not kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) outcome: Outcome,
    /// Cost of the path, or its error. `None` without a path to the goal.
    pub(super) walked: Option<Result<Cost, Wrong>>,
}

impl Answer {
    pub(super) fn new(grid: &Grid, line: &Line, outcome: Outcome, path: &Path) -> Self {
        let walked = match outcome.status {
            Status::Found | Status::AlreadyThere => Some(walk(grid, line, &outcome, path)),
            _ => None,
        };
        Self { outcome, walked }
    }

    /// Returns the cost of the path, if it can be walked.
    pub(super) fn cost(&self) -> Option<Cost> {
        self.walked?.ok()
    }
}

fn walk(grid: &Grid, line: &Line, outcome: &Outcome, path: &Path) -> Result<Cost, Wrong> {
    let query = line.query;
    let walked = path.walk(grid, query.start, query.rules)?;
    let end = path.end().unwrap_or(query.start);
    if end != query.goal {
        return Err(Wrong::EndsElsewhere { end });
    }
    if walked != outcome.cost {
        let said = outcome.cost;
        return Err(Wrong::Misstated { said, walked });
    }
    Ok(walked)
}

/// An answer that is right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Accepted {
    /// A path, and its cost as a multiple of the best one. `None` if the best one costs nothing.
    Solved { ratio: Option<f64> },
    /// No path, because an end is blocked.
    NoPath,
    /// The method reports that it cannot serve the query.
    Refused(Feature),
    /// The limit on expansions was reached.
    GaveUp,
}

/// The promises of a method.
#[derive(Clone, Copy, Debug)]
pub(super) struct Promise {
    /// Whether paths are cheapest.
    pub(super) exact: bool,
    /// The limits of its searches.
    pub(super) limits: Limits,
}

impl Promise {
    /// Returns whether every shortest path for `line` lies within the window, so that the method
    /// must find one.
    ///
    /// If start and goal are `d` columns or rows apart, a path that goes `r` columns or rows away
    /// from the start is at least `r + (r - d)` long.
    pub(super) fn covers(&self, line: &Line) -> bool {
        let distance = f64::from(line.query.start.chebyshev(line.query.goal));
        let length = line.length.unwrap_or(distance).max(distance);
        let farthest = ((length + distance + ROUNDING) / 2.0).floor();
        farthest <= f64::from(self.limits.radius)
    }

    fn is_capped(&self) -> bool {
        self.limits.expansions < u32::MAX
    }
}

/// Judges an answer of a method with a `promise`.
///
/// `best` is the cost of the cheapest path of all methods for the line.
pub(super) fn judge(
    line: &Line,
    answer: &Answer,
    promise: Promise,
    best: Option<Cost>,
) -> Result<Accepted, Wrong> {
    let status = answer.outcome.status;
    if let Status::Unsupported(feature) = status {
        return Ok(Accepted::Refused(feature));
    }
    let Some(listed) = line.length else {
        return match status {
            // A start in a wall is left, toward a goal that no path ends at.
            Status::Invalid(..) | Status::Partial(_) => Ok(Accepted::NoPath),
            _ => Err(Wrong::EndIsBlocked { status }),
        };
    };
    let Some(walked) = answer.walked else {
        let spent = matches!(
            status,
            Status::BudgetSpent | Status::Partial(Stopped::BudgetSpent)
        );
        return if spent && promise.is_capped() {
            Ok(Accepted::GaveUp)
        } else {
            Err(Wrong::Denied { status, listed })
        };
    };
    let cost = walked?;
    let best = best.unwrap_or(cost);
    let found = length(cost);
    if found + ROUNDING < listed {
        return Err(Wrong::Shorter { found, listed });
    }
    if promise.exact && found > listed + ROUNDING {
        return Err(Wrong::Longer { found, listed });
    }
    if promise.exact && cost > best {
        return Err(Wrong::Dearer { cost, best });
    }
    // Whole numbers compare better than a rounded length, unless no method comes close to it.
    let best = length(best);
    let shortest = if best > listed + ROUNDING {
        listed
    } else {
        best
    };
    let ratio = (shortest > 0.0).then(|| found / shortest);
    Ok(Accepted::Solved { ratio })
}

fn length(cost: Cost) -> f64 {
    Metric::Octile.length(cost)
}

/// An error of an answer. Prints as a clause. Lengths are in cells, costs in units of
/// [`Metric::Octile`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wrong {
    /// The path cannot be walked.
    Broken(BrokenPathError),
    /// The path ends elsewhere.
    EndsElsewhere {
        /// Where it ends.
        end: Cell,
    },
    /// The path costs something else than the answer states.
    Misstated {
        /// Cost in the answer.
        said: Cost,
        /// Cost of the path.
        walked: Cost,
    },
    /// The start or the goal is blocked, and the answer does not report it.
    EndIsBlocked {
        /// Status of the answer.
        status: Status,
    },
    /// The answer has no path.
    Denied {
        /// Status of the answer.
        status: Status,
        /// Length in the file.
        listed: f64,
    },
    /// The path can be walked and is shorter than the file allows: the file belongs to another map.
    Shorter {
        /// Length of the path.
        found: f64,
        /// Length in the file.
        listed: f64,
    },
    /// The path is longer than the file allows.
    Longer {
        /// Length of the path.
        found: f64,
        /// Length in the file.
        listed: f64,
    },
    /// Another method has a cheaper path.
    Dearer {
        /// Cost of the path.
        cost: Cost,
        /// Cost of the cheaper path.
        best: Cost,
    },
    /// The method gave another answer when it was asked again.
    Changed,
}

impl From<BrokenPathError> for Wrong {
    fn from(error: BrokenPathError) -> Self {
        Self::Broken(error)
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken(error) => error.fmt(f),
            Self::EndsElsewhere { end } => write!(f, "the path ends at {end}, not at the goal"),
            Self::Misstated { said, walked } => {
                write!(f, "the path costs {walked}, not {said} as the answer says")
            }
            Self::EndIsBlocked { status } => {
                write!(f, "an end is inside a wall, but the answer is: {status}")
            }
            Self::Denied { status, listed } => {
                write!(
                    f,
                    "a path of length {listed:.5} is listed, but the answer is: {status}"
                )
            }
            Self::Shorter { found, listed } | Self::Longer { found, listed } => {
                write!(
                    f,
                    "the path has length {found:.5}, but {listed:.5} is listed"
                )
            }
            Self::Dearer { cost, best } => {
                write!(
                    f,
                    "the path costs {cost}, but another method has one for {best}"
                )
            }
            Self::Changed => f.write_str("the answer was another one when asked again"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scen::methods::RULES;
    use nav_grid::{
        Method, PathQuery,
        query::{Fault, QueryEnd},
    };

    const STRAIGHT: Cost = Metric::Octile.straight();
    const EXACT: Promise = Promise {
        exact: true,
        limits: Limits::UNBOUNDED,
    };
    const NEAR: Promise = Promise {
        exact: false,
        ..EXACT
    };

    /// A query over three cells in a row, from the first to the last.
    fn line(length: Option<f64>) -> Line {
        let query = PathQuery::new(Cell::new(0, 0), Cell::new(2, 0))
            .with_rules(RULES)
            .with_limits(Limits::UNBOUNDED);
        Line {
            number: 2,
            query,
            length,
        }
    }

    fn answer(status: Status, cost: Cost, path: &[(u16, u16)]) -> Answer {
        let grid = Grid::open(9, 9).unwrap();
        let outcome = Outcome::new(Method::AStar, status).with_cost(cost);
        let path = path.iter().copied().map(Cell::from).collect();
        Answer::new(&grid, &line(None), outcome, &path)
    }

    fn straight() -> Answer {
        answer(Status::Found, 2 * STRAIGHT, &[(1, 0), (2, 0)])
    }

    fn detour() -> Answer {
        let cost = 2 * 3363;
        answer(Status::Found, cost, &[(1, 1), (2, 0)])
    }

    fn ratio(line: &Line, answer: &Answer, promise: Promise, best: Option<Cost>) -> f64 {
        match judge(line, answer, promise, best) {
            Ok(Accepted::Solved { ratio: Some(ratio) }) => ratio,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn shortest_path_up_to_rounding() {
        for listed in [2.0, 1.995, 2.005] {
            let ratio = ratio(&line(Some(listed)), &straight(), EXACT, Some(2 * STRAIGHT));
            assert!((ratio - 1.0).abs() < 1e-12, "{listed}");
        }
    }

    #[test]
    fn detours_of_exact_methods() {
        let line = line(Some(2.0));
        let wrong = judge(&line, &detour(), EXACT, None).unwrap_err();
        assert!(matches!(wrong, Wrong::Longer { .. }), "{wrong}");
        for best in [None, Some(2 * 3363), Some(2 * STRAIGHT)] {
            let ratio = ratio(&line, &detour(), NEAR, best);
            assert!((ratio - 2f64.sqrt()).abs() < 1e-6, "{best:?}");
        }
    }

    #[test]
    fn cheaper_path_of_another_method() {
        let line = line(Some(2.0));
        let best = 2 * STRAIGHT - 1;
        let wrong = judge(&line, &straight(), EXACT, Some(best)).unwrap_err();
        let cost = 2 * STRAIGHT;
        assert_eq!(wrong, Wrong::Dearer { cost, best });
    }

    #[test]
    fn shorter_path_than_listed() {
        for promise in [NEAR, EXACT] {
            let wrong = judge(&line(Some(2.02)), &straight(), promise, None).unwrap_err();
            assert!(matches!(wrong, Wrong::Shorter { .. }), "{wrong}");
        }
    }

    #[test]
    fn paths_are_walked() {
        let broken = answer(Status::Found, 2 * STRAIGHT, &[(2, 0)]);
        let elsewhere = answer(Status::Found, STRAIGHT, &[(1, 0)]);
        let misstated = answer(Status::Found, STRAIGHT, &[(1, 0), (2, 0)]);
        for (answer, words) in [
            (broken, "waypoint 0 is broken"),
            (elsewhere, "the path ends at 1,0, not at the goal"),
            (
                misstated,
                "the path costs 4756, not 2378 as the answer says",
            ),
        ] {
            let wrong = judge(&line(Some(2.0)), &answer, NEAR, None).unwrap_err();
            assert!(wrong.to_string().starts_with(words), "{wrong}");
        }
    }

    #[test]
    fn blocked_end() {
        let invalid = answer(Status::Invalid(QueryEnd::Goal, Fault::Blocked), 0, &[]);
        assert_eq!(
            judge(&line(None), &invalid, EXACT, None),
            Ok(Accepted::NoPath),
            "no path"
        );
        let unreachable = answer(Status::Unreachable, 0, &[]);
        for wrong in [&unreachable, &straight()] {
            let wrong = judge(&line(None), wrong, EXACT, None).unwrap_err();
            assert!(matches!(wrong, Wrong::EndIsBlocked { .. }), "{wrong}");
        }
        for denied in [&unreachable, &invalid] {
            let wrong = judge(&line(Some(2.0)), denied, NEAR, None).unwrap_err();
            assert!(matches!(wrong, Wrong::Denied { .. }), "{wrong}");
        }
    }

    #[test]
    fn unsupported_is_not_wrong() {
        let refused = answer(Status::Unsupported(Feature::Window), 0, &[]);
        for line in [line(None), line(Some(2.0))] {
            let right = judge(&line, &refused, EXACT, None);
            assert_eq!(right, Ok(Accepted::Refused(Feature::Window)));
        }
        let spent = answer(Status::BudgetSpent, 0, &[]);
        let capped = Promise {
            limits: Limits::default(),
            ..EXACT
        };
        let line = line(Some(2.0));
        assert_eq!(judge(&line, &spent, capped, None), Ok(Accepted::GaveUp));
        let wrong = judge(&line, &spent, EXACT, None).unwrap_err();
        assert!(matches!(wrong, Wrong::Denied { .. }), "{wrong}");
    }

    #[test]
    fn lines_covered_by_a_window() {
        let within = |radius, length| {
            let limits = Limits::window(radius);
            Promise { limits, ..EXACT }.covers(&line(length))
        };
        assert!(within(2, Some(2.0)));
        assert!(!within(1, Some(2.0)), "the goal is outside");
        assert!(within(2, Some(2.83)));
        // Two cells beyond the goal, and back.
        assert!(!within(3, Some(6.0)));
        assert!(within(4, Some(6.0)));
        assert!(within(2, None), "an end is blocked");
        assert!(!within(1, None));
    }
}
