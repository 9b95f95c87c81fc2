//! How other bodies hinder a body, and whether it stands where its components say.

use super::{Body, CellPosition, MoveTimer, OnMap, PathCursor};
use crate::{
    NavTime,
    occupancy::{BodyPlaces, Stand},
};
use bevy_ecs::{entity_disabling::Disabled, prelude::*};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;

/// How other bodies hinder this one on its chase. Comes with [`Body`](super::Body).
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component, Default))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts of different moments, each read alone"
)]
pub struct Crowding {
    /// Move ticks at which bodies were in the way, since the chase began or the target was last
    /// within reach, up to [`WAITS_MAX`](Self::WAITS_MAX). A greater number counts as that.
    ///
    /// From two on the body asks others to make room, and searches for a way past them
    /// ([`Guidance::Detour`](crate::Guidance::Detour)). The longest wait comes first. A body that
    /// gets to no place beside its target counts two waits at most, so that it makes room for
    /// others.
    pub waits: u8,
    /// Attempts to clear its way that moved no body, since the chase began or the target was last
    /// within reach. Of two bodies on their way to different targets the one with fewer goes first:
    /// where one cannot make room, as in a dead end, the other one has to.
    pub failed_pushes: u8,
    /// Searches for a way past bodies since its last step. Each doubles the time to the next one,
    /// up to eight intervals.
    pub looks: u8,
    /// Whether it took no step at its last move tick, and so may be asked to make room at any time.
    pub stands: bool,
    /// Whether a body kept it from its last step that stays there: within reach of another target,
    /// or without one. Noted while its target moves.
    pub held: bool,
    /// Whether it came within reach since its target stands: it may make room and return, which
    /// prolongs no pushing.
    pub arrived: bool,
    /// Whether its last step made room for another body, in no need of room itself: it lets a move
    /// tick pass, so that the other one gets past.
    pub made_room: bool,
    /// Whether its last search for a way past bodies found none, and it took no step since. On the
    /// way to a
    /// [`Destination`](super::Destination) of its own that another body holds: whether it comes no
    /// nearer.
    pub no_place: bool,
}

impl Crowding {
    /// Greatest number of waits that is counted: from there on nothing depends on it.
    pub const WAITS_MAX: u8 = 7;

    /// How often a body waits before it asks others to make room, or treats standing bodies as
    /// walls: after one move tick the body in front may not have set off yet.
    pub(crate) const WAITS_MIN: u8 = 2;

    /// The waits that count, also where a game or a save says more.
    pub(crate) fn counted_waits(&self) -> u8 {
        self.waits.min(Self::WAITS_MAX)
    }

    /// Whether bodies were in the way [often enough](Self::WAITS_MIN).
    pub(crate) const fn has_waited(&self) -> bool {
        self.waits >= Self::WAITS_MIN
    }

    /// Whether bodies keep it where it is: it waited twice or more, and took no step at its last
    /// move tick.
    pub const fn is_blocked(&self) -> bool {
        self.has_waited() && self.stands
    }

    /// Records a search for a way past bodies. A body without a place to get to has the lowest
    /// priority: all others go first.
    pub(crate) fn look(&mut self, has_no_place: bool) {
        self.looks = self.looks.saturating_add(1);
        self.no_place = has_no_place;
        if has_no_place {
            self.waits = self.waits.min(Self::WAITS_MIN);
        }
    }

    /// Records a step.
    pub(crate) fn step(&mut self) {
        *self = Self {
            waits: self.waits,
            failed_pushes: self.failed_pushes,
            arrived: self.arrived,
            ..Self::default()
        };
    }
}

/// The components from which it follows whether a chaser sleeps.
pub(crate) type SleepInputs<'a> = (&'a Crowding, &'a MoveTimer, &'a PathCursor);

/// Whether a chaser stands and waits for a neighbouring cell to become free, by its timers. Hardly
/// any chaser sleeps otherwise: see [`BodyMismatch`](super::BodyMismatch).
pub(crate) fn derives_asleep((crowding, moves, cursor): SleepInputs, now: NavTime) -> bool {
    crowding.stands && !cursor.is_reached() && !moves.is_due(now)
}

/// Where the components of an agent put its body; `None` without a body, and for a disabled agent.
pub(crate) fn stand_of(agent: EntityRef) -> Option<Stand> {
    let footprint = agent.get::<Body>()?.footprint;
    let place = agent.get::<OnMap>().zip(agent.get::<CellPosition>());
    let (map, cell) = place.map(|(on_map, position)| (on_map.0, position.cell))?;
    let stand = Stand {
        map,
        cell,
        footprint,
    };
    (!agent.contains::<Disabled>()).then_some(stand)
}

/// A difference between the occupancy's data of a body and its components.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum BodyMismatch {
    /// The game moved it since the last tick, or took it away: where it is still put down, if
    /// anywhere, and whether it sleeps.
    Elsewhere(Option<Stand>, bool),
    /// Whether it sleeps, against its timers.
    Asleep(bool),
}

/// Compares where an agent is put down and whether it sleeps with what its components say. An
/// agent that is no chaser does not sleep.
pub(crate) fn body_mismatch(
    occupancy: &BodyPlaces,
    agent: EntityRef,
    is_map: impl Fn(Entity) -> bool,
    now: NavTime,
) -> Option<BodyMismatch> {
    let put = occupancy.stand(agent.id()).filter(|put| is_map(put.map));
    let sleeps = put.is_some_and(|put| occupancy.sleeps(put));
    if put != stand_of(agent) {
        return Some(BodyMismatch::Elsewhere(put, sleeps));
    }
    put?;
    let inputs = agent.get_components::<SleepInputs>();
    let derived = inputs.is_ok_and(|inputs| derives_asleep(inputs, now));
    (sleeps != derived).then_some(BodyMismatch::Asleep(sleeps))
}
