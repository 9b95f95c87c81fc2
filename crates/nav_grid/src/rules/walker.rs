//! The rules of a walker: metric, corners, footprint, bodies, terrain classes and links.

use super::{classes::ClassCosts, link_kinds::LinkKinds, metric::Metric};

/// Which diagonal steps walls forbid: see [`Rules`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum CornerRule {
    /// A diagonal step needs both straight neighbours beside it walkable: bodies have width.
    /// The default, and what the `MovingAI` benchmarks assume.
    #[default]
    Strict,
    /// A diagonal step needs only its end walkable; it may cut corners and pass between two
    /// walls that touch.
    Cut,
}

impl CornerRule {
    /// Both rules.
    pub const ALL: [Self; 2] = [Self::Strict, Self::Cut];
}

/// Which [bodies](crate::map::Bodies) a search treats as walls. The cells of the walker and of the
/// body at the goal never block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum BodyPolicy {
    /// None: the default.
    #[default]
    Ignore,
    /// Bodies at most this number of columns and rows from the cells of the walker, on its floor.
    /// Bodies further away will have moved before the walker gets there.
    AvoidNear(u8),
    /// All.
    AvoidAll,
}

/// How an agent moves: which [steps](crate::Grid::steps) it may take, and their cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Rules {
    /// Cost of steps; [`Metric::Unit`] by default.
    pub metric: Metric,
    /// Which diagonals walls forbid; [`CornerRule::Strict`] by default.
    pub corners: CornerRule,
    /// The cells that the agent's body covers; one by default.
    pub footprint: Footprint,
    /// Which bodies in the way count as walls; none by default.
    pub bodies: BodyPolicy,
    /// Which terrain classes the agent may enter, and what each costs it; all at their step cost
    /// by default.
    pub classes: ClassCosts,
    /// Which kinds of [links](crate::Link) the agent may take; all by default.
    pub links: LinkKinds,
}

/// The ground and the links that some walkers find: walkers with equal ones share views of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Passable {
    pub(crate) classes: ClassCosts,
    pub(crate) links: LinkKinds,
}

impl Passable {
    /// All ground at its step cost, and all links.
    pub(crate) const ALL: Self = Self {
        classes: ClassCosts::ALL,
        links: LinkKinds::ALL,
    };
}

impl Rules {
    /// Rules of a metric and a corner rule, for a body of one cell that ignores other bodies.
    pub const fn new(metric: Metric, corners: CornerRule) -> Self {
        Self {
            metric,
            corners,
            footprint: Footprint::ONE,
            bodies: BodyPolicy::Ignore,
            classes: ClassCosts::ALL,
            links: LinkKinds::ALL,
        }
    }

    setters! {
        /// Replaces the footprint.
        with_footprint(footprint: Footprint);
        /// Replaces the policy toward bodies.
        with_bodies(bodies: BodyPolicy);
        /// Replaces the terrain classes that the agent may enter, and their costs.
        with_classes(classes: ClassCosts);
        /// Replaces the kinds of links that the agent may take.
        with_links(links: LinkKinds);
    }

    /// The ground and the links that the agent may pass.
    #[inline]
    pub(crate) const fn passable(self) -> Passable {
        Passable {
            classes: self.classes,
            links: self.links,
        }
    }

    /// Replaces what the agent may pass.
    pub(crate) const fn with_passable(self, passable: Passable) -> Self {
        self.with_classes(passable.classes)
            .with_links(passable.links)
    }
}

impl From<Footprint> for Rules {
    /// The default rules with this footprint.
    fn from(footprint: Footprint) -> Self {
        Self::default().with_footprint(footprint)
    }
}

/// The square of cells that a body covers: 1×1 to 8×8.
///
/// In paths and queries a body is at one cell: its *anchor*, the upper left cell of the square.
/// Here a 3×3 body stands at `A`:
///
/// ```text
///     . . . . . .
///     . A b b . .
///     . b b b . .
///     . b b b . .
///     . . . . . .
/// ```
///
/// The body fits where all cells that it covers are walkable. Under [`CornerRule::Strict`] it may
/// take a diagonal step if it could stand on both straight neighbours of its anchor. It may leave
/// in a direction if all cells that it covers may be left that way. A step costs as much as the
/// dearest cell that the body covers afterwards.
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

/// The side of a [`Footprint`] is 0 or too large.
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
