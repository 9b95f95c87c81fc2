//! Bodies larger than a cell.

/// The square of cells that a body covers: 1×1 to 8×8.
///
/// Wherever the place of a body is one cell, as in paths and queries, it is the *anchor*, the
/// upper left cell of the square. Here a 3×3 body stands at `A`:
///
/// ```text
///     . . . . . .
///     . A b b . .
///     . b b b . .
///     . b b b . .
///     . . . . . .
/// ```
///
/// The body fits where all cells it covers are walkable. It may take a diagonal step under
/// [`CornerRule::Strict`](crate::CornerRule::Strict) if it could stand on both straight
/// neighbours of its place; it may leave in a direction if all cells it covers may be left in
/// that direction; and a step costs what the dearest cell costs that it covers afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u8", into = "u8"))]
pub struct Footprint(u8);

impl Footprint {
    /// One cell: the default.
    pub const ONE: Self = Self(1);
    /// Greatest number of columns and rows.
    pub const SIDE_MAX: u8 = 8;

    /// A square of `side` columns and rows, or `None` if that is not 1 to 8.
    pub const fn new(side: u8) -> Option<Self> {
        if side >= 1 && side <= Self::SIDE_MAX {
            Some(Self(side))
        } else {
            None
        }
    }

    /// All sizes, the smallest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (1..=Self::SIDE_MAX).map(Self)
    }

    /// Number of columns, and of rows.
    #[inline]
    pub const fn side(self) -> u8 {
        self.0
    }
}

impl Default for Footprint {
    fn default() -> Self {
        Self::ONE
    }
}

impl From<Footprint> for u8 {
    fn from(footprint: Footprint) -> Self {
        footprint.0
    }
}

impl TryFrom<u8> for Footprint {
    type Error = FootprintError;

    fn try_from(side: u8) -> Result<Self, FootprintError> {
        Self::new(side).ok_or(FootprintError { side })
    }
}

impl std::fmt::Display for Footprint {
    /// Writes `2x2`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{0}x{0}", self.0)
    }
}

/// A footprint was asked for that is empty or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a footprint cannot have a side of {side} cells: it must be 1 to {}",
    Footprint::SIDE_MAX
)]
#[non_exhaustive]
pub struct FootprintError {
    /// The side asked for.
    pub side: u8,
}
