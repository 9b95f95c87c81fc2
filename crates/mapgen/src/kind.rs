//! The kinds of maps and their names.

/// What a map looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Every cell is walkable.
    Open,
    /// Every cell is blocked by chance, on its own. Parts may be cut off from each other.
    Clutter {
        /// Chance of a cell to be blocked, in percent, 0 to 100.
        percent: u8,
    },
    /// Rectangular rooms of 7 to 15 cells a side between walls of one cell, joined by doors of
    /// one or two cells: a door between every two rooms of a spanning tree, and between every
    /// fourth pair of neighbours beyond it. Sides up to 15 make one room.
    Rooms,
    /// Smooth caves of a cellular automaton, joined by tunnels of one cell where it left them
    /// apart.
    Caves,
    /// Corridors of one cell between walls of one cell with exactly one way from any cell to
    /// any other, made depth-first, so corridors wind long before they end. Odd sides are
    /// framed by walls.
    Maze,
    /// A world of districts, some 70 cells across and less on small maps: rooms, caves, fields
    /// of 8 to 28 percent clutter, and open ground with lakes, between winding ridges with wide
    /// gaps.
    Mixed,
}

impl Kind {
    /// The names of all kinds, in the order of the variants.
    pub const NAMES: [&'static str; 6] = ["open", "clutter", "rooms", "caves", "maze", "mixed"];

    /// The share of blocked cells in clutter when none is given, in percent.
    pub const PERCENT_DEFAULT: u8 = 20;

    /// The kind of this name; `percent` belongs to `clutter` alone.
    ///
    /// # Errors
    ///
    /// [`KindError`] when no kind has this name, it takes no percentage but one is given, or
    /// the percentage is above 100.
    pub fn from_name(name: &str, percent: Option<u8>) -> Result<Self, KindError> {
        let kind = match name {
            "open" => Self::Open,
            "clutter" => {
                let percent = percent.unwrap_or(Self::PERCENT_DEFAULT);
                return match percent {
                    0..=100 => Ok(Self::Clutter { percent }),
                    _ => Err(KindError::PercentOutOfRange { percent }),
                };
            }
            "rooms" => Self::Rooms,
            "caves" => Self::Caves,
            "maze" => Self::Maze,
            "mixed" => Self::Mixed,
            _ => return Err(KindError::Unknown { name: name.into() }),
        };
        match percent {
            None => Ok(kind),
            Some(_) => Err(KindError::PercentNotTaken { name: kind.name() }),
        }
    }

    /// The name, without the percentage.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Clutter { .. } => "clutter",
            Self::Rooms => "rooms",
            Self::Caves => "caves",
            Self::Maze => "maze",
            Self::Mixed => "mixed",
        }
    }
}

/// A name and a percentage do not make a kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KindError {
    /// No kind has this name.
    #[error("unknown kind of map '{}'; expected one of {}", name.escape_debug(), Kind::NAMES.join(", "))]
    Unknown {
        /// The name given.
        name: String,
    },
    /// Only clutter has a share of blocked cells.
    #[error("a map of kind {name} takes no percentage; only clutter does")]
    PercentNotTaken {
        /// The kind.
        name: &'static str,
    },
    /// More cells are to be blocked than there are.
    #[error("{percent} percent of the cells cannot be blocked; expected 0 to 100")]
    PercentOutOfRange {
        /// The share asked for.
        percent: u8,
    },
}
