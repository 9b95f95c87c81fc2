//! The kinds of maps and their names.

/// The look of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Every cell is walkable.
    Open,
    /// Every cell is blocked at random, independent of the others. Parts may be cut off from each
    /// other.
    Clutter {
        /// Probability of a blocked cell, in percent, 0 to 100.
        percent: u8,
    },
    /// Rectangular rooms of 7 to 15 cells a side between walls of one cell, joined by doors of one
    /// or two cells. There is a door between every two rooms of a spanning tree, and between every
    /// fourth pair of other neighbours. A map with sides up to 15 is one room.
    Rooms,
    /// Smooth caves of a cellular automaton, joined by tunnels of one cell where they are apart.
    Caves,
    /// Corridors of one cell between walls of one cell, with exactly one path between any two
    /// cells. Made depth-first, so corridors wind long before they end. Odd sides are framed by
    /// walls.
    Maze,
    /// Districts some 70 cells across, less on small maps, between winding ridges with wide gaps. A
    /// district is rooms, caves, clutter of 8 to 28 percent, or open ground with lakes.
    Mixed,
}

impl Kind {
    /// Names of all kinds, in the order of the variants.
    pub const NAMES: [&'static str; 6] = ["open", "clutter", "rooms", "caves", "maze", "mixed"];

    /// Default percentage of blocked cells in clutter: half of the 40 at which open ground falls
    /// apart into islands, the percolation threshold of a grid of squares.
    pub const PERCENT_DEFAULT: u8 = 20;

    /// Returns the kind of a name. `percent` is for `clutter` alone.
    ///
    /// # Errors
    ///
    /// [`KindError`] if no kind has this name, it takes no percentage but one is given, or the
    /// percentage is above 100.
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

    /// Returns the name, without the percentage.
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

/// The error of a name and a percentage that make no kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KindError {
    /// No kind has this name.
    #[error("unknown kind of map '{}'; expected one of {}", name.escape_debug(), Kind::NAMES.join(", "))]
    Unknown {
        /// The given name.
        name: String,
    },
    /// Only clutter takes a percentage.
    #[error("a map of kind {name} takes no percentage; only clutter does")]
    PercentNotTaken {
        /// The kind.
        name: &'static str,
    },
    /// The percentage is above 100.
    #[error("{percent} percent of the cells cannot be blocked; expected 0 to 100")]
    PercentOutOfRange {
        /// The given percentage.
        percent: u8,
    },
}
