//! One change that a game, or its operator, makes to a world between two ticks.
//!
//! An input names agents by their place in the lists of a [`Stage`](super::Stage). So the same list
//! of inputs means the same in a restored world and in a replayed one.

use nav::{Body, Chaser, GoTo, MoveTimer, Paused};
use nav_behaviour::{
    Approach, CatchUp, Confused, Formation, GiveUp, Home, Intercept, KeepDistance, Leash, Memory,
    Notice, Noticeable, Patrol, StepAside, StuckWatch, ViewCone, Wander,
};
use nav_grid::{Cell, Edit, Footprint};
use std::time::Duration;

/// An agent, by its place in a list of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Of [`Stage::targets`](super::Stage::targets).
    Target(usize),
    /// Of [`Stage::npcs`](super::Stage::npcs).
    Npc(usize),
    /// Of [`Stage::idle`](super::Stage::idle).
    Idle(usize),
}

/// The role of a spawned agent.
#[derive(Clone, Debug)]
pub enum Role {
    /// A target.
    Target,
    /// A chaser.
    Npc(Box<Chaser>, Who),
    /// An idle body.
    Idle,
}

/// A map of the stage.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// The map of the game.
    Map,
    /// The small map beside it.
    Away,
}

/// A component that a game inserts, sets or removes.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "they are the components of their names")]
pub enum Part {
    Anchor,
    Body(Body),
    Cell(Cell),
    Chaser(Box<Chaser>),
    Chasing(Who),
    Cursor,
    Disabled,
    Formation(Formation),
    GiveUp(GiveUp),
    GoTo(GoTo),
    Home(Home),
    InFormation(Who),
    Intercept(Intercept),
    KeepDistance(KeepDistance),
    Leash(Leash),
    Memory(Memory),
    MoveTimer(MoveTimer),
    NavTimer,
    Notice(Notice),
    Noticeable(Noticeable),
    OnMap(Place),
    Patrol(Patrol),
    Paused(Paused),
    StepAside(StepAside),
    StuckWatch(StuckWatch),
    Approach(Approach),
    CatchUp(CatchUp),
    Confused(Confused),
    Flee(Who, u16, bool),
    Threat(Who, u32),
    ViewCone(ViewCone),
    Wander(Wander),
    World([f64; 3]),
}

/// An index of the map.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "they are the indexes of their names")]
pub enum Index {
    Regions,
    Portals,
    Mosaic,
    Jumps,
}

/// A change between two ticks.
#[derive(Clone, Debug)]
pub enum Input {
    /// An agent is spawned, with a body or without.
    Spawn(Cell, Role, Option<Body>),
    /// An agent is despawned, and keeps its place in the lists.
    Despawn(Who),
    /// A component is inserted or set.
    Give(Who, Part),
    /// A component is removed, whatever its value.
    Take(Who, Part),
    /// A path is dropped, as by a stun.
    Interrupt(Who),
    /// The map is edited.
    Edit(Edit),
    /// The map becomes another one of the same size, drawn from a seed.
    Ground {
        /// The seed.
        seed: u64,
        /// Whether the old map is despawned and all agents are put onto a new one.
        moves: bool,
    },
    /// The map is replaced by a copy.
    CopyMap,
    /// The map is reset to its start, with regions or without an index.
    ResetMap {
        /// Whether regions are built.
        regions: bool,
    },
    /// The map is removed: its entity, or its component.
    RemoveMap {
        /// Whether the entity is despawned.
        despawns: bool,
    },
    /// A removed map is back, as it was at the start.
    BringMapBack,
    /// An index is built.
    Build(Index, Footprint),
    /// The budget changes.
    Budget(Option<u32>),
    /// The next frame runs a number of ticks of a given length.
    Frame(u32, Duration),
    /// The world is saved and restored in another app, and runs a tick.
    Restore,
}
