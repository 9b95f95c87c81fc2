//! What the blocks of a trace hold.

use bevy_ecs::prelude::*;
use nav::{AgentIds, NavBudget, NavClock, NavMap, saving::NavSave};
use nav_grid::{Edit, index::BuiltIndexes, map::Tile};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::io;

/// The state in which a trace begins.
#[derive(Serialize, Deserialize)]
pub(super) struct Start {
    /// The names of all components, in their order.
    pub(super) components: Vec<String>,
    /// The names of the parts of a sketch, in the order of their numbers.
    pub(super) parts: Vec<String>,
    pub(super) save: NavSave,
}

/// A tick.
#[derive(Serialize, Deserialize)]
pub(super) struct TickRecord {
    /// What the game changed before behaviours acted, if it did.
    pub(super) early: Option<Inputs>,
    /// What it changed after that.
    pub(super) late: Option<Inputs>,
    /// By how much the clock is advanced, in nanoseconds.
    pub(super) delta: u64,
    /// That of the state after the tick.
    pub(super) digest: u64,
    /// The sketch of the same, as bytes.
    pub(super) sketch: Vec<u8>,
}

/// What a game changed. Agents and maps go by numbers.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Inputs {
    /// Who is new, and the entity that it was where the trace was recorded.
    pub(super) born: Vec<(u32, Entity)>,
    /// Who was despawned.
    pub(super) gone: Vec<u32>,
    /// Who has other components than before, and which: a bit for each column, and those of
    /// [`masks`](crate::masks).
    pub(super) masks: Vec<(u32, u64)>,
    /// Components that were removed and inserted anew: the column, and of whom.
    pub(super) renewed: Vec<(u8, u32)>,
    /// The values that were written: the column, and a list of numbers and values.
    pub(super) columns: Vec<(u8, Vec<u8>)>,
    pub(super) maps: Vec<(u32, MapChange)>,
    pub(super) clock: Option<NavClock>,
    pub(super) ids: Option<AgentIds>,
    pub(super) budget: Option<NavBudget>,
    /// The last number that was given.
    pub(super) last: u32,
}

/// How a map changed.
#[derive(Serialize, Deserialize)]
pub(super) enum MapChange {
    /// It is another one. `is_added` is whether there was none before.
    Other {
        /// What it is now.
        map: Box<NavMap>,
        /// Whether there was none before.
        is_added: bool,
    },
    /// It was edited, or written to.
    Edited {
        /// What changed, in the end.
        edits: Vec<Edit>,
        /// The tiles that count as edited.
        tiles: Vec<Tile>,
        /// What is built of it, if that changed.
        built: Option<BuiltIndexes>,
        /// Whether an index was built.
        has_new_index: bool,
    },
}

impl Inputs {
    /// Whether the game changed nothing.
    pub(super) fn is_empty(&self) -> bool {
        let Self {
            born,
            gone,
            masks,
            renewed,
            columns,
            maps,
            clock,
            ids,
            budget,
            last: _,
        } = self;
        born.is_empty()
            && gone.is_empty()
            && masks.is_empty()
            && renewed.is_empty()
            && columns.is_empty()
            && maps.is_empty()
            && (clock, ids, budget) == (&None, &None, &None)
    }
}

/// What a block holds, as bytes.
pub(super) fn to_bytes(value: &impl Serialize) -> io::Result<Vec<u8>> {
    postcard::to_allocvec(value).map_err(io::Error::other)
}

/// The same from bytes: all of them, and no more.
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (value, rest) = postcard::take_from_bytes(bytes).ok()?;
    rest.is_empty().then_some(value)
}
