//! The plugin's time: whole nanoseconds and microseconds of its schedule's clock.

use bevy_ecs::prelude::*;
use std::time::Duration;

/// A moment of the [clock](NavClock), in nanoseconds since the plugin's first tick.
///
/// The sum of the schedule's time steps, which are whole nanoseconds, so it is exact for 584 years.
/// Sums of floats would depend on how long a server has run, and periods in ticks on the tick rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct NavTime(pub u64);

impl NavTime {
    /// The moment `period` later; saturates after 584 years.
    #[inline]
    #[must_use]
    pub fn after(self, period: impl Into<Period>) -> Self {
        Self(self.0.saturating_add(period.into().nanos()))
    }

    /// Later by a part of `period` that depends on `number`.
    ///
    /// Spreads any run of consecutive numbers evenly over the period, where everything would fall
    /// into one tick otherwise, such as the first [move ticks](crate::MoveTimer::next_step) of a
    /// crowd.
    ///
    /// Multiplicative hashing by the golden ratio: Knuth, volume 3 of "The Art of
    /// Computer Programming".
    #[must_use]
    pub fn put_off(self, number: u64, period: Period) -> Self {
        let part = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let micros = (part * u64::from(period.micros)) >> 32;
        self.after(Period::from_micros(micros as u32))
    }
}

/// A length of time in whole microseconds, up to 71 minutes.
///
/// In 4 bytes, since every chaser carries several; a [`Duration`] takes 16. Milliseconds would be
/// too coarse for one tick at 60 Hz. Functions that take a period take a [`Duration`], too: it is
/// rounded down to microseconds, and a longer one becomes the longest period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct Period {
    /// Microseconds.
    pub micros: u32,
}

impl Period {
    /// A period in microseconds.
    pub const fn from_micros(micros: u32) -> Self {
        Self { micros }
    }

    /// A period in milliseconds; saturates at 71 minutes.
    pub const fn from_millis(millis: u32) -> Self {
        Self::from_micros(millis.saturating_mul(1000))
    }

    /// The multiple of the period; saturates at 71 minutes.
    pub(crate) const fn times(self, factor: u32) -> Self {
        Self::from_micros(self.micros.saturating_mul(factor))
    }

    /// The period in nanoseconds.
    pub const fn nanos(self) -> u64 {
        self.micros as u64 * 1000
    }
}

impl From<Duration> for Period {
    /// Rounds down to microseconds, so that a period of one tick is never longer than the tick.
    /// Saturates at [`u32::MAX`] microseconds, 71 minutes.
    ///
    /// ```
    /// # use nav::Period;
    /// # use std::time::Duration;
    /// assert_eq!(Period::from(Duration::from_millis(250)), Period::from_millis(250));
    /// assert_eq!(Period::from(Duration::MAX).micros, u32::MAX);
    /// ```
    fn from(duration: Duration) -> Self {
        Self::from_micros(u32::try_from(duration.as_micros()).unwrap_or(u32::MAX))
    }
}

impl From<Period> for Duration {
    fn from(period: Period) -> Self {
        Self::from_micros(period.micros.into())
    }
}

/// The plugin's clock, which follows the [`Time`](bevy_time::Time) of the plugin's schedule.
///
/// Saved together with the components, whose deadlines refer to it.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Resource))]
pub struct NavClock {
    now: NavTime,
    previous: NavTime,
}

impl NavClock {
    /// The moment of the current tick.
    pub const fn now(&self) -> NavTime {
        self.now
    }

    /// The moment of the previous tick.
    pub const fn previous(&self) -> NavTime {
        self.previous
    }

    /// The length of the tick, in nanoseconds.
    pub(crate) const fn tick(&self) -> u64 {
        self.now.0.saturating_sub(self.previous.0)
    }

    pub(crate) fn advance(&mut self, delta: Duration) {
        self.previous = self.now;
        let nanos = u64::try_from(delta.as_nanos()).unwrap_or(u64::MAX);
        self.now.0 = self.now.0.saturating_add(nanos);
    }
}
