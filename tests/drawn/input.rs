//! What a game, or its operator, does to a world between two ticks: one thing at a time.
//!
//! An input names agents by their place in the lists of a [`Stage`](super::Stage), so that the same list of inputs
//! means the same in a world that was restored, and in one that is played again.

use nav::{Body, Chaser, GoTo, MoveTimer, Paused};
use nav_behaviour::{
    Formation, GiveUp, Home, Intercept, KeepDistance, Leash, Notice, Noticeable, Patrol, StuckWatch,
};
use nav_grid::{Area, Cell, Directions, Footprint, Link};
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

/// What an agent that is spawned is there for.
#[derive(Clone, Debug)]
pub enum Role {
    /// Somebody to chase.
    Target,
    /// It chases somebody.
    Npc(Box<Chaser>, Who),
    /// It stands about.
    Idle,
}

/// A map of the stage.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// The one on which the game takes place.
    Map,
    /// The small one beside it.
    Away,
}

/// A component that a game gives, sets or takes.
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
    MoveTimer(MoveTimer),
    NavTimer,
    Notice(Notice),
    Noticeable(Noticeable),
    OnMap(Place),
    Patrol(Patrol),
    Paused(Paused),
    StuckWatch(StuckWatch),
    World([f64; 3]),
}

/// An index that is built of the map.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "they are the indexes of their names")]
pub enum Index {
    Regions,
    Portals,
    Mosaic,
    Jumps,
}

/// Something that is done between two ticks.
#[derive(Clone, Debug)]
pub enum Input {
    /// An agent comes, with a body or without.
    Spawn(Cell, Role, Option<Body>),
    /// An agent is despawned, and keeps its place in the lists.
    Despawn(Who),
    /// A component is given or set.
    Give(Who, Part),
    /// A component is taken away, whatever its value.
    Take(Who, Part),
    /// A path is dropped, as by a stun.
    Interrupt(Who),
    /// Cells are closed or opened.
    Walkable(Area, bool),
    /// A step onto a cell has another cost.
    Cost(Cell, u8),
    /// A cell can be left in some directions only.
    Exits(Cell, Directions),
    /// A link is there.
    Link(Link),
    /// The map is another one of the same size, drawn from a seed; a map of its own if the old one is despawned.
    Ground {
        /// The seed.
        seed: u64,
        /// Whether the old map is despawned and everybody put onto a new one.
        moves: bool,
    },
    /// The map is a copy of what it is.
    CopyMap,
    /// The map is what it was at the start, with regions or without an index.
    ResetMap {
        /// Whether regions are built.
        regions: bool,
    },
    /// There is no map any longer: its entity is gone, or its component.
    RemoveMap {
        /// Whether the entity is despawned.
        despawns: bool,
    },
    /// The map is back, as it was at the start, if it was away.
    BringMapBack,
    /// An index is built.
    Build(Index, Footprint),
    /// Another budget.
    Budget(Option<u32>),
    /// The next frame runs so many ticks of such a length.
    Frame(u32, Duration),
    /// The world is saved, and goes on in another app with a tick.
    Restore,
}
