//! Heights of floors in the world.

use super::frame_error::FrameError;

/// How high the floors of a map lie in the world: part of a [`Frame`](crate::Frame).
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FloorHeights {
    /// All at the height of the frame's origin: the default. World coordinates do not say on which
    /// floor somebody is.
    #[default]
    Origin,
    /// Floor n lies n storeys above the origin. The height of a storey in world units, above 0.
    Storeys(f64),
    /// World heights, those of floor 0 first, each above the one before. Floors beyond the last one
    /// that is given lie at its height.
    Each(Vec<f64>),
}

/// Floors that a map has at most.
const FLOORS_MAX: usize = u8::MAX as usize + 1;

/// Such a part of the way up from the floor below counts as the floor above.
const ROUNDED_UP: f64 = 1.0 / 16.0;

impl FloorHeights {
    /// Whether they tell floors apart, above an origin of this height.
    ///
    /// # Errors
    ///
    /// [`FrameError::StoreyHeight`], [`FrameError::HeightCount`] or [`FrameError::Height`].
    pub(super) fn check(&self, origin: f64) -> Result<(), FrameError> {
        match self {
            Self::Origin => Ok(()),
            &Self::Storeys(height) => {
                let rises = |floor: u8| self.of(floor, origin) > self.of(floor - 1, origin);
                let tells_apart = height > 0.0 && (1..=u8::MAX).all(rises);
                let is_good = tells_apart && self.of(u8::MAX, origin).is_finite();
                is_good
                    .then_some(())
                    .ok_or(FrameError::StoreyHeight(height))
            }
            Self::Each(heights) if heights.is_empty() || heights.len() > FLOORS_MAX => {
                Err(FrameError::HeightCount(heights.len()))
            }
            Self::Each(heights) => {
                let mut below = f64::NEG_INFINITY;
                for (floor, &height) in (0..=u8::MAX).zip(heights) {
                    if !(height.is_finite() && height > below) {
                        return Err(FrameError::Height { floor, height });
                    }
                    below = height;
                }
                Ok(())
            }
        }
    }

    /// The height of a floor, above an origin of this height.
    #[inline]
    pub(super) fn of(&self, floor: u8, origin: f64) -> f64 {
        match self {
            Self::Origin => origin,
            Self::Storeys(height) => origin + f64::from(floor) * height,
            Self::Each(heights) => {
                let at = heights.get(usize::from(floor)).or(heights.last());
                at.copied().unwrap_or(origin)
            }
        }
    }

    /// The floor of a point at this height; `None` where floors are not told apart.
    pub(super) fn floor_of(&self, height: f64, origin: f64) -> Option<u8> {
        let top = match self {
            Self::Origin => return None,
            Self::Storeys(_) => u8::MAX,
            Self::Each(heights) => heights.len().min(FLOORS_MAX).saturating_sub(1) as u8,
        };
        let is_up_to = |floor: u8| {
            let (below, at) = (self.of(floor - 1, origin), self.of(floor, origin));
            height >= at - (at - below) * ROUNDED_UP
        };
        // The lowest floor is left out: it is that of all points below.
        let (mut low, mut high) = (0, top);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if is_up_to(middle) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        Some(low)
    }
}
