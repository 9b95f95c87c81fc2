//! The ends of chases that are set: a leash, times to give up, and the record by which they end.

use crate::{Activity, Home};
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{Chaser, NavTime, Period};
use nav_grid::Cell;

/// How far from a cell a chaser follows a target. On the first cell beyond, it gives up and
/// [returns](crate::Returning).
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component))]
#[require(Activity, ChaseRecord, Chaser)]
pub struct Leash {
    /// Columns and rows from the tied cell to the farthest cells within the leash, on the same
    /// floor.
    pub range: u16,
    /// The cell to which it is tied.
    pub from: LeashFrom,
    /// Whether the agent notices targets on its way back. Off by default, since two players could
    /// lead it to and fro otherwise.
    pub notices_on_return: bool,
}

impl Leash {
    /// A leash tied where each chase begins.
    pub const fn new(range: u16) -> Self {
        Self {
            range,
            from: LeashFrom::ChaseStart,
            notices_on_return: false,
        }
    }

    /// Whether an agent may be on a cell in a chase that began on another one.
    pub(super) fn allows(&self, home: Option<&Home>, began_at: Cell, cell: Cell) -> bool {
        let tied_to = match (self.from, home) {
            (LeashFrom::Home, Some(home)) => home.0,
            _ => began_at,
        };
        tied_to.floor == cell.floor && tied_to.chebyshev(cell) <= self.range
    }
}

/// The cell to which a [`Leash`] is tied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect))]
pub enum LeashFrom {
    /// The start of the chase: the default.
    #[default]
    ChaseStart,
    /// The agent's [`Home`], if it has one; else the start of the chase.
    Home,
}

/// The time after which a chaser gives up and [returns](crate::Returning). Until then it does what
/// its [`fallback`](nav::Chaser::fallback) says: it comes as near as it can, or waits.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component, Default))]
#[require(Activity, ChaseRecord, Chaser)]
pub struct GiveUp {
    /// How long its searches may fail: the target, or the end of a walk, is unreachable. On a walk
    /// also how long bodies may [keep it where it is](nav::Crowding::is_blocked), which no search
    /// tells. `None`, the default, for no limit.
    pub unreachable: Option<Period>,
    /// How long it may be out of reach of its target, for targets that it cannot catch. `None`, the
    /// default, for no limit.
    pub out_of_reach: Option<Period>,
    /// How long it neither [notices](crate::Notice) nor chases by [threat](crate::Threat) an
    /// unreachable target that is still at its place: see [`GivenUp`](crate::GivenUp).
    ///
    /// A minute by default, after which failed searches are repeated without a change, too. With 0
    /// the agent leaves for the target again as soon as it is back, and so on without end.
    pub ignores_for: Period,
}

impl Default for GiveUp {
    fn default() -> Self {
        Self {
            unreachable: None,
            out_of_reach: None,
            ignores_for: Period::from_millis(60_000),
        }
    }
}

/// Where and when the chase of an agent began, and how it went since: the input of [`Leash`] and
/// [`GiveUp`], which require it. Saved with them.
///
/// A switch to another target continues the chase. Walks to places are no chases, but record for
/// how long their end was unreachable.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Default, Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
pub struct ChaseRecord {
    /// The agent's cell at the beginning of the chase; `None` without a chase.
    pub began_at: Option<Cell>,
    /// The last time at which it was within reach of its target, or else the start of that chase.
    pub out_of_reach_since: NavTime,
    /// The first of its searches that failed in a row, or when bodies blocked its walk; `None`
    /// after a success.
    pub failing_since: Option<NavTime>,
    /// The target to which this applies; `None` before the plugin has seen it.
    #[entities]
    pub target: Option<Entity>,
}

impl ChaseRecord {
    /// Begins a chase.
    pub(super) fn begin(&mut self, cell: Cell, now: NavTime) {
        self.began_at = Some(cell);
        self.out_of_reach_since = now;
    }

    /// Continues with another target, if it is another one.
    pub(super) fn see_target(&mut self, target: Entity, now: NavTime) {
        if self
            .target
            .replace(target)
            .is_some_and(|before| before != target)
        {
            self.failing_since = None;
            self.out_of_reach_since = now;
        }
    }
}
