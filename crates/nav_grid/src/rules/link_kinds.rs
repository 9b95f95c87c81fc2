//! Kinds of links, and which of them an agent may take.

use std::fmt;

number_type! {
    /// The kind of a [link](crate::Link), 0 to 15: stairs, a ladder, a jump, the teleporter of a
    /// faction. What a number means is up to the game; a link has kind 0 until it is given another.
    ///
    /// ```
    /// use nav_grid::{Cell, Grid, Link, Rules, rules::{LinkKind, LinkKinds}};
    ///
    /// const LADDER: LinkKind = LinkKind::new(1).unwrap();
    ///
    /// let mut grid = Grid::open(9, 1)?;
    /// grid.set_walkable(Cell::new(4, 0), false)?;
    /// let (below, above) = (Cell::new(3, 0), Cell::new(5, 0));
    /// grid.set_link(Link::new(below, above).with_kind(LADDER))?;
    /// let climber = Rules::default();
    /// let wolf = climber.with_links(LinkKinds::ALL.without(LADDER));
    /// assert!(grid.allows_move(below, above, climber) && !grid.allows_move(below, above, wolf));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    LinkKind, LinkKindError, "link kind",
    /// The kind of all links that were given none.
    DEFAULT,
    /// The greatest number: a bit a kind makes [`LinkKinds`] 16 bits, for which
    /// [`Rules`](crate::Rules) have room.
    NUMBER_MAX,
}

/// Which kinds of links an agent may take. The others do not exist for it.
///
/// With serde the list of the kinds that it may not take, so that the default is an empty list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(from = "Vec<LinkKind>", into = "Vec<LinkKind>")
)]
pub struct LinkKinds(
    /// A bit a kind, kind 0 lowest.
    u16,
);

impl LinkKinds {
    /// Every kind: the default.
    pub const ALL: Self = Self(u16::MAX);
    /// No kind: for this agent there are no links.
    pub const NONE: Self = Self(0);

    /// Allows a kind.
    #[must_use]
    pub const fn with(self, kind: LinkKind) -> Self {
        Self(self.0 | 1 << kind.0)
    }

    /// Forbids a kind.
    #[must_use]
    pub const fn without(self, kind: LinkKind) -> Self {
        Self(self.0 & !(1 << kind.0))
    }

    /// Whether a kind may be taken.
    #[inline]
    pub const fn allows(self, kind: LinkKind) -> bool {
        self.0 >> kind.0 & 1 != 0
    }

    /// Whether all of some kinds may be taken.
    #[inline]
    pub(crate) const fn allows_all(self, kinds: Self) -> bool {
        kinds.0 & !self.0 == 0
    }
}

impl Default for LinkKinds {
    fn default() -> Self {
        Self::ALL
    }
}

impl fmt::Debug for LinkKinds {
    /// The kinds that may be taken, or `all`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALL {
            return f.write_str("all");
        }
        let allowed = LinkKind::all().filter(|&kind| self.allows(kind));
        f.debug_set()
            .entries(allowed.map(LinkKind::number))
            .finish()
    }
}

impl From<LinkKinds> for Vec<LinkKind> {
    /// The kinds that may not be taken, by number.
    fn from(kinds: LinkKinds) -> Self {
        LinkKind::all()
            .filter(|&kind| !kinds.allows(kind))
            .collect()
    }
}

impl From<Vec<LinkKind>> for LinkKinds {
    /// All kinds but some.
    fn from(forbidden: Vec<LinkKind>) -> Self {
        forbidden.into_iter().fold(Self::ALL, Self::without)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_by_number() {
        let [stairs, ladder, jump] = [0, 1, 15].map(|number| LinkKind::new(number).unwrap());
        let kinds = LinkKinds::ALL.without(ladder);
        assert_eq!(
            [stairs, ladder, jump].map(|kind| kinds.allows(kind)),
            [true, false, true]
        );
        assert_eq!(kinds.with(ladder), LinkKinds::ALL);
        assert!(kinds.allows_all(LinkKinds::NONE.with(jump)) && !kinds.allows_all(LinkKinds::ALL));
        assert_eq!(format!("{:?}", LinkKinds::NONE.with(jump)), "{15}");
        assert_eq!(LinkKind::new(16), None);
        assert_eq!(
            LinkKind::try_from(16).unwrap_err().to_string(),
            "there is no link kind 16: it must be 0 to 15"
        );
    }

    #[test]
    fn lists_round_trip() {
        let kinds = LinkKinds::ALL.without(LinkKind(3)).without(LinkKind(9));
        assert_eq!(Vec::from(kinds), [LinkKind(3), LinkKind(9)]);
        assert_eq!(LinkKinds::from(Vec::from(kinds)), kinds);
        assert_eq!(LinkKinds::from(Vec::new()), LinkKinds::ALL);
    }
}
