//! The contents of the blocks of a trace, and how they are rewritten for tests.

use crate::{
    blocks::{BlockWriter, Kind, unchecked},
    sketch::Sketch,
};
use bevy_ecs::prelude::*;
use nav::{NavBudget, NavClock, NavMap, extend::AgentIds, saving::NavSave};
use nav_grid::{Edit, index::BuiltIndexes, map::Tile};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::io;

/// The state in which a trace begins.
#[derive(Serialize, Deserialize)]
pub(super) struct Start {
    /// The names of all columns, in their order.
    pub(super) components: Vec<String>,
    /// The names of the parts of a sketch, in the order of their numbers.
    pub(super) parts: Vec<String>,
    pub(super) save: NavSave,
}

/// The place of inputs from before behaviours act, in [`TickRecord::inputs`].
pub(super) const EARLY: usize = 0;
/// The place of inputs from after that.
pub(super) const LATE: usize = 1;

/// A tick.
#[derive(Serialize, Deserialize)]
pub(super) struct TickRecord {
    /// The changes of the game, [`EARLY`] and [`LATE`].
    pub(super) inputs: [Option<Inputs>; 2],
    /// The step of the clock, in nanoseconds.
    pub(super) delta: u64,
    /// The digest of the state after the tick.
    pub(super) digest: u64,
    /// The [`Sketch`] of the state after the tick, as bytes.
    pub(super) sketch: Vec<u8>,
}

/// The changes of a game. Agents and maps go by [numbers](crate::numbers).
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Inputs {
    /// New agents and maps, each with its entity in the recorded world.
    pub(super) born: Vec<(u32, Entity)>,
    /// Despawned agents and maps.
    pub(super) gone: Vec<u32>,
    /// Entities with other components than before: the new [`Mask`](crate::components::Mask).
    pub(super) masks: Vec<(u32, u64)>,
    /// Components that were removed and inserted again: the column and the agent.
    pub(super) renewed: Vec<(u8, u32)>,
    /// Written values: the column, and a list of agents and values.
    pub(super) columns: Vec<(u8, Vec<u8>)>,
    pub(super) maps: Vec<(u32, MapChange)>,
    pub(super) clock: Option<NavClock>,
    pub(super) ids: Option<AgentIds>,
    pub(super) budget: Option<NavBudget>,
    /// The last number that was assigned.
    pub(super) last: u32,
}

/// A change of a map.
#[derive(Serialize, Deserialize)]
pub(super) enum MapChange {
    /// The map was replaced.
    Other {
        /// The new map.
        map: Box<NavMap>,
        /// Whether the entity had no map before.
        is_added: bool,
    },
    /// The map was edited, or written to without effect.
    Edited(MapEdits),
}

/// The edits of a map.
#[derive(Serialize, Deserialize)]
pub(super) struct MapEdits {
    /// The difference, as edits.
    pub(super) edits: Vec<Edit>,
    /// Edited tiles. A tile may be among them without a difference.
    pub(super) tiles: Vec<Tile>,
    /// Those of them in which ways were edited.
    pub(super) ways: Vec<Tile>,
    /// The indexes of the map, if they changed.
    pub(super) built: Option<Box<BuiltIndexes>>,
    /// Whether the game built an index.
    pub(super) was_built: bool,
}

impl Inputs {
    /// Returns whether the game changed nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.born.is_empty()
            && self.gone.is_empty()
            && self.masks.is_empty()
            && self.renewed.is_empty()
            && self.columns.is_empty()
            && self.maps.is_empty()
            && (self.clock, self.ids, self.budget) == (None, None, None)
    }
}

/// The contents of a block.
pub(super) fn to_bytes(value: &impl Serialize) -> io::Result<Vec<u8>> {
    postcard::to_allocvec(value).map_err(io::Error::other)
}

/// Reads the contents of a block. `None` unless they are exactly one value.
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (value, rest) = postcard::take_from_bytes(bytes).ok()?;
    rest.is_empty().then_some(value)
}

/// The state after a tick or at the start, as a trace records it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateRecord {
    /// The digest of the state.
    pub digest: u64,
    /// The sketch of its parts: [`Self::SKETCH_BYTES`] after a tick, empty at the start.
    pub sketch: Vec<u8>,
}

impl StateRecord {
    /// The size of a sketch. A replay refuses other sizes.
    pub const SKETCH_BYTES: usize = Sketch::BYTES;
}

/// Rewrites a trace with correct checksums, however damaged it is: for tests of contents that make
/// no sense.
///
/// `change` may modify each state. Its first argument is the number of the tick, 0 for the start.
/// Blocks that cannot be parsed are copied.
///
/// # Errors
///
/// A record of 4 GiB and more.
pub fn rewrite(trace: &[u8], mut change: impl FnMut(u64, &mut StateRecord)) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut writer = BlockWriter::begin(&mut out)?;
    for ((kind, contents), tick) in unchecked(trace).zip(0..) {
        let rewritten = match kind {
            Kind::Start => parse(contents).map(|mut start: Start| {
                let mut state = StateRecord {
                    digest: start.save.digest(),
                    sketch: Vec::new(),
                };
                change(tick, &mut state);
                start.save = start.save.with_digest(state.digest);
                to_bytes(&start)
            }),
            Kind::Tick => parse(contents).map(|mut record: TickRecord| {
                let TickRecord { digest, sketch, .. } = record;
                let mut state = StateRecord { digest, sketch };
                change(tick, &mut state);
                (record.digest, record.sketch) = (state.digest, state.sketch);
                to_bytes(&record)
            }),
            Kind::End => None,
        };
        writer.write(kind, rewritten.transpose()?.as_deref().unwrap_or(contents))?;
    }
    Ok(out)
}
