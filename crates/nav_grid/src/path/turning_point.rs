//! A point of a path at which it turns.

use crate::cell::Cell;

/// A point of a path, and how one gets there from the point before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TurningPoint {
    /// Where it is.
    pub cell: Cell,
    /// Whether a link leads here: at once, and not over the cells between.
    #[cfg_attr(feature = "serde", serde(default))]
    pub by_link: bool,
}
