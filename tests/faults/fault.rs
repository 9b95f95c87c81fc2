//! What can happen to a world.

use nav_tests::drawn::Draw;

/// Something that a game, or its operator, does between two ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Somebody is despawned.
    Despawn,
    /// A chaser, a target or somebody who stands about comes into the world, anywhere: in a wall, off the map,
    /// on top of somebody.
    Spawn,
    /// A target goes one step.
    Walk,
    /// Somebody is put elsewhere: on a floor cell, in a wall, off the map, or on a floor that there is not.
    Teleport,
    /// A target gets a world position: a place, none, or what is no number.
    WorldPlace,
    /// A few cells are closed or opened.
    Door,
    /// Walls are put around somebody, or on top.
    WallIn,
    /// The map is exchanged for what it was at the start, with or without its indexes.
    ReplaceMap,
    /// The map is despawned, or no map any longer, for a few ticks.
    RemoveMap,
    /// Somebody goes to another map, or to none.
    ChangeMap,
    /// An index is built.
    Build,
    /// A chaser chases somebody else: a target, one who stands about, a chaser, itself.
    Switch,
    /// A chase is called off.
    CallOff,
    /// A chaser is tuned anew.
    Retune,
    /// A chaser's setting makes no sense.
    Nonsense,
    /// A body is taken, given, or gets another size or kind.
    Body,
    /// The period of steps is another one, or a step is put off.
    Period,
    /// A component of the plugin is taken away.
    Strip,
    /// A path is dropped, as by a stun.
    Interrupt,
    /// Somebody is paused, for a while or for good, or goes on.
    Pause,
    /// Somebody is disabled or enabled.
    Disable,
    /// A behaviour is given or taken.
    Behave,
    /// The budget is another one: 1, some, none.
    Budget,
    /// The next tick takes minutes.
    JumpClock,
    /// The next frame runs no fixed step, or fifty.
    Frames,
    /// The world is saved and goes on in another app.
    Restore,
}

impl Fault {
    /// One of all, the commoner ones more often.
    pub fn draw(draw: &mut Draw) -> Self {
        draw.weighted(&[
            (6, Self::Despawn),
            (8, Self::Spawn),
            (60, Self::Walk),
            (12, Self::Teleport),
            (6, Self::WorldPlace),
            (30, Self::Door),
            (6, Self::WallIn),
            (1, Self::ReplaceMap),
            (1, Self::RemoveMap),
            (3, Self::ChangeMap),
            (1, Self::Build),
            (8, Self::Switch),
            (3, Self::CallOff),
            (6, Self::Retune),
            (2, Self::Nonsense),
            (6, Self::Body),
            (6, Self::Period),
            (2, Self::Strip),
            (6, Self::Interrupt),
            (6, Self::Pause),
            (4, Self::Disable),
            (12, Self::Behave),
            (6, Self::Budget),
            (1, Self::JumpClock),
            (4, Self::Frames),
            (1, Self::Restore),
        ])
    }
}
