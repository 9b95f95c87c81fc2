//! How agents move and what their steps cost.
//!
//! - [`Rules`] of one walker: [`Metric`] (cost of a straight and of a diagonal step),
//!   [`CornerRule`] (which diagonals walls forbid), [`Footprint`] (its size in cells) and
//!   [`BodyPolicy`] (which bodies count as walls), [`ClassCosts`] (which terrain [`Class`]es it may
//!   enter), [`LinkKinds`] (which [kinds](LinkKind) of links it may take).
//! - [`Heuristic`]: the estimate of the remaining cost in best-first searches.
//! - [`Cost`], the unit of all path costs, and [`COST_MAX`].

/// Defines a type of numbers from 0 to 15, and the error of a greater one.
macro_rules! number_type {
    (
        $(#[$doc:meta])* $name:ident, $error:ident, $what:literal,
        $(#[$default:meta])* DEFAULT,
        $(#[$greatest:meta])* NUMBER_MAX,
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(try_from = "u8", into = "u8"))]
        pub struct $name(u8);

        impl $name {
            $(#[$default])*
            pub const DEFAULT: Self = Self(0);
            $(#[$greatest])*
            pub const NUMBER_MAX: u8 = 15;

            /// The value with a number, or `None` above 15.
            pub const fn new(number: u8) -> Option<Self> {
                if number <= Self::NUMBER_MAX {
                    Some(Self(number))
                } else {
                    None
                }
            }

            /// All of them, by number.
            pub fn all() -> impl DoubleEndedIterator<Item = Self> {
                (0..=Self::NUMBER_MAX).map(Self)
            }

            /// The number, 0 to 15.
            #[inline]
            pub const fn number(self) -> u8 {
                self.0
            }
        }

        impl From<$name> for u8 {
            fn from(value: $name) -> Self {
                value.0
            }
        }

        impl TryFrom<u8> for $name {
            type Error = $error;

            fn try_from(number: u8) -> Result<Self, $error> {
                Self::new(number).ok_or($error { number })
            }
        }

        impl std::fmt::Display for $name {
            /// Writes the number.
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        #[doc = concat!("The number of a ", $what, " is too large.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
        #[error("there is no {} {number}: it must be 0 to {}", $what, $name::NUMBER_MAX)]
        #[non_exhaustive]
        pub struct $error {
            /// The number asked for.
            pub number: u8,
        }
    };
}

mod classes;
mod heuristic;
mod link_kinds;
mod metric;
mod moves;
mod walker;

pub use classes::{Class, ClassCosts, ClassCostsError, ClassError};
pub use heuristic::Heuristic;
pub use link_kinds::{LinkKind, LinkKindError, LinkKinds};
pub use metric::{COST_MAX, Cost, Metric, StepCosts, StepCostsError};
pub use walker::{BodyPolicy, CornerRule, Footprint, FootprintError, Rules};

pub(crate) use heuristic::Estimate;
pub(crate) use metric::IntegerCosts;
pub(crate) use moves::{FreshTable, MoveTable, NO_STEP, around_bit};
pub(crate) use walker::Passable;
