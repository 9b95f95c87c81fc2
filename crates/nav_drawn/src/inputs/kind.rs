//! Kinds of inputs, and how often each comes.

/// A kind of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An agent is despawned.
    Despawn,
    /// A chaser, a target or an idle agent is spawned anywhere: in a wall, off the map, on top of
    /// another.
    Spawn,
    /// A target goes one step.
    Walk,
    /// An agent is moved: onto a floor cell, into a wall, off the map, or onto a floor that the map
    /// does not have.
    Teleport,
    /// A target gets a world position: a place, none, or values that are not numbers.
    WorldPlace,
    /// An agent gets a world position on the map, or loses it.
    Coordinates,
    /// A few cells are closed or opened.
    Door,
    /// Walls are put around an agent, or on top of it.
    WallIn,
    /// Cells are closed and opened again within a tick.
    Undo,
    /// The cost of a cell is raised or reset.
    Mud,
    /// A cell can be left in some directions only.
    Ledge,
    /// A link is added.
    Link,
    /// A link is removed.
    Unlink,
    /// Cells get another class.
    Class,
    /// Cells can be seen through, or not, whatever their ground.
    Sight,
    /// The map is reset to its start, with or without its indexes.
    ReplaceMap,
    /// The map is despawned, or loses its component, for a few ticks.
    RemoveMap,
    /// The map is replaced by another, or all agents are moved to another.
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
    /// A chaser is tuned again.
    Retune,
    /// A chaser gets an invalid setting.
    Nonsense,
    /// A chaser loses the component, and gets it back at once.
    Renew,
    /// A body is removed, inserted, or gets another size or kind.
    Body,
    /// The period of steps changes, or a step is put off.
    Period,
    /// A component of the plugin is removed.
    Strip,
    /// A path is dropped, as by a stun.
    Interrupt,
    /// An agent is paused, for a while or without an end, or resumed.
    Pause,
    /// An agent is disabled or enabled.
    Disable,
    /// A behaviour is inserted or removed.
    Behave,
    /// The budget changes: 1, some, none.
    Budget,
    /// The next tick takes minutes.
    JumpClock,
    /// The next frame runs no fixed step, or fifty.
    Frames,
    /// The world is saved and continues in another app.
    Restore,
}

/// The number of inputs in a tick, and their kinds.
#[derive(Clone, Debug)]
pub struct Mix {
    /// The most inputs in a tick.
    pub most: u16,
    /// Kinds with their weights.
    pub weights: Vec<(u32, Kind)>,
}

impl Mix {
    /// Returns a mix of all kinds, for injecting faults.
    pub fn faults(most: u16) -> Self {
        let weights = vec![
            (6, Kind::Despawn),
            (8, Kind::Spawn),
            (60, Kind::Walk),
            (12, Kind::Teleport),
            (6, Kind::WorldPlace),
            (30, Kind::Door),
            (6, Kind::WallIn),
            (4, Kind::Mud),
            (2, Kind::Ledge),
            (2, Kind::Link),
            (2, Kind::Unlink),
            (3, Kind::Class),
            (3, Kind::Sight),
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

    /// Returns a mix of walking targets only.
    pub fn walks(most: u16) -> Self {
        Self {
            most,
            weights: vec![(60, Kind::Walk)],
        }
    }

    /// Returns the mix without a kind.
    #[must_use]
    pub fn without(mut self, kind: Kind) -> Self {
        self.weights.retain(|&(_, other)| other != kind);
        self
    }

    /// Returns the mix with more kinds.
    #[must_use]
    pub fn with(mut self, weights: &[(u32, Kind)]) -> Self {
        self.weights.extend(weights);
        self
    }
}
