//! Kinds of inputs, and how often each comes.

/// A kind of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An agent is despawned.
    Despawn,
    /// A chaser, a target or an idle agent is spawned anywhere: in a wall, off the map, on top of another.
    Spawn,
    /// A target goes one step.
    Walk,
    /// An agent is put elsewhere: on a floor cell, in a wall, off the map, or on a floor that there is not.
    Teleport,
    /// A target gets a world position: a place, none, or what is no number.
    WorldPlace,
    /// An agent gets a world position on the map, or loses it.
    Coordinates,
    /// A few cells are closed or opened.
    Door,
    /// Walls are put around an agent, or on top.
    WallIn,
    /// Cells are closed and opened again within a tick.
    Undo,
    /// A cell costs more, or as little as before.
    Mud,
    /// A cell can be left in some directions only.
    Ledge,
    /// A link.
    Link,
    /// The map is replaced by what it was at the start, with or without its indexes.
    ReplaceMap,
    /// The map is despawned, or no map any longer, for a few ticks.
    RemoveMap,
    /// The map is another one, or everybody is on another one.
    OtherGround,
    /// The map is replaced by its copy.
    CopyMap,
    /// An agent goes to another map, or to none.
    ChangeMap,
    /// An index is built.
    Build,
    /// A chaser chases another agent: a target, an idle one, a chaser, itself.
    Switch,
    /// A chase is called off.
    CallOff,
    /// A chaser is tuned anew.
    Retune,
    /// A chaser's setting makes no sense.
    Nonsense,
    /// A chaser loses the component, and gets it back at once.
    Renew,
    /// A body is taken, given, or gets another size or kind.
    Body,
    /// The period of steps is another one, or a step is put off.
    Period,
    /// A component of the plugin is taken away.
    Strip,
    /// A path is dropped, as by a stun.
    Interrupt,
    /// An agent is paused, for a while or for good, or goes on.
    Pause,
    /// An agent is disabled or enabled.
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

/// How many inputs of which kinds come in a tick.
#[derive(Clone, Debug)]
pub struct Mix {
    /// How many at most.
    pub most: u16,
    /// Kinds, the commoner ones with more weight.
    pub weights: Vec<(u32, Kind)>,
}

impl Mix {
    /// Everything that can happen to a world, as faults are injected.
    pub fn faults(most: u16) -> Self {
        let weights = vec![
            (6, Kind::Despawn),
            (8, Kind::Spawn),
            (60, Kind::Walk),
            (12, Kind::Teleport),
            (6, Kind::WorldPlace),
            (30, Kind::Door),
            (6, Kind::WallIn),
            (1, Kind::ReplaceMap),
            (1, Kind::RemoveMap),
            (3, Kind::ChangeMap),
            (1, Kind::Build),
            (8, Kind::Switch),
            (3, Kind::CallOff),
            (6, Kind::Retune),
            (2, Kind::Nonsense),
            (6, Kind::Body),
            (6, Kind::Period),
            (2, Kind::Strip),
            (6, Kind::Interrupt),
            (6, Kind::Pause),
            (4, Kind::Disable),
            (12, Kind::Behave),
            (6, Kind::Budget),
            (1, Kind::JumpClock),
            (4, Kind::Frames),
            (1, Kind::Restore),
        ];
        Self { most, weights }
    }

    /// Targets that walk, and nothing else.
    pub fn walks(most: u16) -> Self {
        Self {
            most,
            weights: vec![(60, Kind::Walk)],
        }
    }

    /// The same without a kind.
    #[must_use]
    pub fn without(mut self, kind: Kind) -> Self {
        self.weights.retain(|&(_, other)| other != kind);
        self
    }

    /// The same with more kinds.
    #[must_use]
    pub fn with(mut self, weights: &[(u32, Kind)]) -> Self {
        self.weights.extend(weights);
        self
    }
}
