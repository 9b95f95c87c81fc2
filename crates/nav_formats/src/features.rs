//! Features of a map beyond one floor of cells.

use std::fmt;

/// Set of features that a map has, or a format can hold, beyond one floor of walkable and blocked
/// cells.
///
/// Prints as a list in words, such as `several floors and a frame`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Features(u16);

impl Features {
    /// No features: one floor of cells.
    pub const NONE: Self = Self(0);
    /// More than one floor.
    pub const FLOORS: Self = Self(1);
    /// Cells with different step costs.
    pub const COSTS: Self = Self(1 << 1);
    /// Cells that can be left in some directions only.
    pub const EXITS: Self = Self(1 << 2);
    /// Links between cells that are not neighbours.
    pub const LINKS: Self = Self(1 << 3);
    /// World coordinates: a [`Frame`](nav_grid::Frame).
    pub const FRAME: Self = Self(1 << 4);

    /// Main roads: [`MapFile::roads`](crate::MapFile::roads).
    pub const ROADS: Self = Self(1 << 5);
    /// Heights of floors: [`Frame::heights`](nav_grid::Frame::heights).
    pub const HEIGHTS: Self = Self(1 << 6);
    /// Cells of different terrain classes.
    pub const CLASSES: Self = Self(1 << 7);
    /// Cells that can or cannot be seen through, whatever their ground.
    pub const SIGHT: Self = Self(1 << 8);

    /// Objects: [`MapFile::objects`](crate::MapFile::objects).
    pub const OBJECTS: Self = Self(1 << 9);
    /// Properties of objects that are points or lists.
    pub const LISTS: Self = Self(1 << 10);

    /// All features.
    pub const ALL: Self = Self(0b111_1111_1111);

    const NAMES: [(Self, &'static str); 11] = [
        (Self::FLOORS, "several floors"),
        (Self::COSTS, "step costs"),
        (Self::EXITS, "exits"),
        (Self::CLASSES, "terrain classes"),
        (Self::SIGHT, "sight"),
        (Self::LINKS, "links"),
        (Self::FRAME, "a frame"),
        (Self::ROADS, "main roads"),
        (Self::HEIGHTS, "heights of floors"),
        (Self::OBJECTS, "objects"),
        (Self::LISTS, "points and lists of objects"),
    ];

    /// Returns the features that are in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the features that are in this set and not in `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns whether this set has all features of `other`.
    pub const fn contains(self, other: Self) -> bool {
        other.without(self).is_empty()
    }

    /// Returns whether this is [`Features::NONE`].
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Self::NAMES
            .into_iter()
            .filter(|&(feature, _)| self.contains(feature))
            .map(|(_, name)| name)
            .collect();
        match names.split_last() {
            None => f.write_str("nothing"),
            Some((only, [])) => f.write_str(only),
            Some((last, others)) => write!(f, "{} and {last}", others.join(", ")),
        }
    }
}
