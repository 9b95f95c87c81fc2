//! The call shape of all searches.
//!
//! - [`PathQuery`]: start, goal, [`Rules`](crate::Rules), heuristic, [`Limits`] and [`Fallback`].
//! - [`Terrain`]: the input of a search: a map, its indexes, and the bodies on it.
//! - [`Search`]: a method with its scratch memory. [`Support`] lists the [`Feature`]s that it
//!   serves, and [`Method`] names it.
//! - [`Outcome`]: [`Status`], cost, and [`Counters`] of the work done. [`Stopped`], [`QueryEnd`]
//!   and [`Fault`] say why there is no path.
//! - [`Sliced`] searches are suspended and resumed, with a [`Progress`] each time.

mod grid_view;
mod method;
mod outcome;
mod path_query;
mod search_trait;
mod slices;
mod terrain;

pub use method::{Feature, Method, MethodError};
pub use outcome::{Counters, Fault, Outcome, QueryEnd, Status, Stopped};
pub use path_query::{Fallback, Limits, PathQuery};
pub use search_trait::{Search, Support};
pub use slices::{Progress, Sliced};
pub use terrain::Terrain;

pub(crate) use grid_view::{GridView, UniformView, WeightedView};
pub(crate) use path_query::TieBreakLine;
pub(crate) use search_trait::{answer_at_once, answer_unless_closest, index_for};
pub(crate) use slices::{PendingSearch, Resumable, SliceResult, stop_after};
pub(crate) use terrain::BodyFilter;
