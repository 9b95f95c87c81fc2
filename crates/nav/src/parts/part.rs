//! What a world's digest consists of.

use bevy_ecs::prelude::*;

/// A part of the state that the digest covers: a component, or what is kept beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    CellPosition,
    WorldPosition,
    OnMap,
    /// Whether a chaser was put onto another map and has not forgotten what it followed on the one before.
    LastMap,
    AgentId,
    Disabled,
    Body,
    Destination,
    FieldAnchor,
    Chaser,
    Chasing,
    PathCursor,
    NavTimer,
    MoveTimer,
    Paused,
    /// Whether a body sleeps though its timers do not say so, or the other way round.
    Asleep,
    /// Where a body is put down while its components say otherwise.
    Elsewhere,
    /// When a body on the map of one who goes around bodies last moved.
    BodiesMoved,
    InFormation,
    GoTo,
    Home,
    Patrol,
    WalkEnd,
    Leash,
    GiveUp,
    GivenUp,
    ChaseRecord,
    Returning,
    Notice,
    Noticeable,
    Formation,
    StuckWatch,
    Intercept,
    KeepDistance,
    Fields,
    NavMap,
    /// The cells of a map on which several bodies stand.
    SharedCells,
    NavClock,
    AgentIds,
    NavBudget,
    LongSearch,
}

/// All parts, each at the place of its number, and the names of components, of resources, or of what they are.
#[cfg(feature = "trace")]
const ALL: [(Part, &str); 41] = [
    (Part::CellPosition, "CellPosition"),
    (Part::WorldPosition, "WorldPosition"),
    (Part::OnMap, "OnMap"),
    (Part::LastMap, "LastMap"),
    (Part::AgentId, "AgentId"),
    (Part::Disabled, "Disabled"),
    (Part::Body, "Body"),
    (Part::Destination, "Destination"),
    (Part::FieldAnchor, "FieldAnchor"),
    (Part::Chaser, "Chaser"),
    (Part::Chasing, "Chasing"),
    (Part::PathCursor, "PathCursor"),
    (Part::NavTimer, "NavTimer"),
    (Part::MoveTimer, "MoveTimer"),
    (Part::Paused, "Paused"),
    (Part::Asleep, "Asleep"),
    (Part::Elsewhere, "Elsewhere"),
    (Part::BodiesMoved, "BodiesMoved"),
    (Part::InFormation, "InFormation"),
    (Part::GoTo, "GoTo"),
    (Part::Home, "Home"),
    (Part::Patrol, "Patrol"),
    (Part::WalkEnd, "WalkEnd"),
    (Part::Leash, "Leash"),
    (Part::GiveUp, "GiveUp"),
    (Part::GivenUp, "GivenUp"),
    (Part::ChaseRecord, "ChaseRecord"),
    (Part::Returning, "Returning"),
    (Part::Notice, "Notice"),
    (Part::Noticeable, "Noticeable"),
    (Part::Formation, "Formation"),
    (Part::StuckWatch, "StuckWatch"),
    (Part::Intercept, "Intercept"),
    (Part::KeepDistance, "KeepDistance"),
    (Part::Fields, "Fields"),
    (Part::NavMap, "NavMap"),
    (Part::SharedCells, "SharedCells"),
    (Part::NavClock, "NavClock"),
    (Part::AgentIds, "AgentIds"),
    (Part::NavBudget, "NavBudget"),
    (Part::LongSearch, "LongSearch"),
];

#[cfg(feature = "trace")]
impl Part {
    /// How many there are.
    pub(crate) const COUNT: usize = ALL.len();

    /// That with a number.
    pub(crate) fn of_number(number: usize) -> Option<Self> {
        ALL.get(number).map(|&(part, _)| part)
    }

    /// The name of the component, of the resource, or of what it is.
    pub(crate) const fn name(self) -> &'static str {
        ALL[self as usize].1
    }
}

/// Who is given the fingerprints of all parts while a digest is taken.
pub(crate) trait Parts {
    /// Whether they are computed at all.
    const COUNTED: bool;

    /// Takes the fingerprint of a part of an agent, a map, or the world.
    fn add(&mut self, of: Option<Entity>, part: Part, fingerprint: u64);

    /// What stands for an entity to which a part refers.
    fn name(&self, entity: Entity) -> u64;
}

/// The whole alone.
pub(crate) struct NoParts;

impl Parts for NoParts {
    const COUNTED: bool = false;

    fn add(&mut self, _: Option<Entity>, _: Part, _: u64) {}

    fn name(&self, _: Entity) -> u64 {
        0
    }
}

#[cfg(all(test, feature = "trace"))]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_at_the_place_of_its_number() {
        for (number, (part, name)) in ALL.into_iter().enumerate() {
            assert_eq!((part as usize, part.name()), (number, name));
            assert_eq!(format!("{part:?}"), name);
        }
    }
}
