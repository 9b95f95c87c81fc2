//! How far ahead points are given, and which ones: a setting of the plugin.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;

/// What [`PointsAhead::points`](super::PointsAhead::points) gives of every chaser: a game says it once, and
/// its clients, animation and scripts ask for points without a number of their own.
///
/// Only what is read depends on it. It steers no chaser, and does not count in the
/// [digest](crate::digest()).
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(default, deny_unknown_fields))]
#[cfg_attr(
    feature = "reflect",
    derive(bevy_reflect::Reflect),
    reflect(Resource, Default)
)]
pub struct AheadSettings {
    /// How many steps are looked ahead, at most; 20 by default, which is five seconds at the default pace,
    /// and the [radius](nav_grid::Limits::radius) within which chasers search by default. With 0 nobody has
    /// points.
    pub steps: u16,
    /// Which points of these steps are given.
    pub points: AheadForm,
}

impl Default for AheadSettings {
    fn default() -> Self {
        Self {
            steps: 20,
            points: AheadForm::Cells,
        }
    }
}

/// Which points of the steps ahead are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum AheadForm {
    /// Every cell, as [`ahead`](super::PointsAhead::ahead) gives them: the default, since a chaser is at
    /// each of them at a move tick, and whoever draws it needs to know no more.
    #[default]
    Cells,
    /// The turning points, as [`turns_ahead`](super::PointsAhead::turns_ahead) gives them: the same way in
    /// fewer points.
    Turns,
    /// The ends of straight lines in any direction, as
    /// [`straightened_ahead`](super::PointsAhead::straightened_ahead) gives them: for those who are shown
    /// off the middles of cells.
    Straightened,
    /// The farthest point to which the chaser could go straight, as
    /// [`straight_ahead`](super::PointsAhead::straight_ahead) gives it, and no other: for steering and for
    /// eyes.
    Farthest,
}
