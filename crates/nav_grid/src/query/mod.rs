//! The one call shape of all searches.
//!
//! - [`PathQuery`]: start, goal, [`Rules`](crate::Rules), heuristic, [`Limits`] and [`Fallback`].
//! - [`Terrain`]: what a search looks at: a map, who stands on it, and what was prepared of it.
//! - [`Search`]: a method with its scratch memory; [`Support`] says what it can serve, in terms of
//!   [`Feature`]s, and [`Method`] names it.
//! - [`Outcome`]: [`Status`], cost, [`Counters`] of the work done. [`Stopped`], [`QueryEnd`] and
//!   [`Fault`] say why there is no path.
//! - [`Sliced`] searches are suspended and resumed; [`Progress`] says how far one is.

mod body_filter;
mod feature;
mod grid_view;
mod limits;
mod method;
mod outcome;
mod path_query;
mod search;
mod slices;
mod support;
mod terrain;
mod tie_break;

pub use feature::Feature;
pub use limits::{Fallback, Limits};
pub use method::{Method, MethodError};
pub use outcome::{Counters, Fault, Outcome, QueryEnd, Status, Stopped};
pub use path_query::PathQuery;
pub use search::Search;
pub use slices::{Progress, Sliced};
pub use support::Support;
pub use terrain::Terrain;

pub(crate) use body_filter::BodyFilter;
pub(crate) use grid_view::{GridView, UniformView, WeightedView};
pub(crate) use search::{SearchValid, answer_at_once, answer_unless_closest, index_for};
pub(crate) use slices::{PendingSearch, Resumable, SliceResult, stop_after};
pub(crate) use tie_break::TieBreakLine;
