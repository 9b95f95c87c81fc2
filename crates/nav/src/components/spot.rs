//! Places near a target, as the end of a path.

use super::chaser::Reach;

/// How near to its goal a path leads: to the cheapest place from which the goal is near enough.
///
/// As for a [`Chaser`](crate::Chaser) with this [`stop_distance`](crate::Chaser::stop_distance) and
/// [`reach`](crate::Chaser::reach), after a goal of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct Spot {
    /// The greatest distance to the goal, in cells. By steps at most 48 count.
    pub distance: u16,
    /// How the distance is measured.
    pub reach: Reach,
}

impl Spot {
    /// A place from which a shot of up to `distance` columns or rows hits: [`Reach::Sight`].
    pub const fn within_sight(distance: u16) -> Self {
        Self {
            distance,
            reach: Reach::Sight,
        }
    }

    /// A place from which up to `distance` legal steps lead to the goal: [`Reach::Steps`].
    pub const fn within_steps(distance: u16) -> Self {
        Self {
            distance,
            reach: Reach::Steps,
        }
    }
}
