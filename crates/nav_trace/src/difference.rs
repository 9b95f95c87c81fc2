//! The difference between a replayed tick and its record.

use crate::{
    components::Components,
    repeat::Repeated,
    sketch::{Recovered, Sketch},
    state::{State, TracedParts},
};
use bevy_ecs::prelude::*;
use nav::{
    AgentId, CellPosition, NavBudget, NavClock, NavMap, OnMap,
    extend::{AgentIds, Fingerprint},
};
use nav_grid::{Area, Cell};
use std::{collections::BTreeMap, fmt};

/// The first tick after which a replay differs from the recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The tick, from 1 on.
    pub tick: u64,
    /// The digest of the recording.
    pub recorded: u64,
    /// The digest of the replay.
    pub replayed: u64,
    /// The differing parts as far as they are known, by agents in the order of their numbers in the
    /// trace.
    pub parts: Vec<DifferentPart>,
    /// Of the 96 sums in which a trace keeps all parts, the number that differ by more than
    /// [`Self::parts`]. Above 0 from about 60 differing
    /// components on.
    pub untold: usize,
}

/// A differing component, or another differing part of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferentPart {
    /// The number of the agent, if the part belongs to an agent with a number.
    pub agent: Option<AgentId>,
    /// The entity of the agent or map in the recorded world. `None` for a part of the world itself,
    /// and for an entity that the plugin spawned.
    pub entity: Option<Entity>,
    /// The entity in the replay.
    pub replayed_entity: Option<Entity>,
    /// The name of the component or the resource, or of another part of the state.
    pub part: String,
    /// Whether the recorded world had the part.
    pub was_there: bool,
    /// The value in the recorded world, if it is known: a [`CellPosition`] is found again by
    /// trying.
    pub recorded: Option<String>,
    /// The value in the replay; `None` if it is not there.
    pub replayed: Option<String>,
}

impl Difference {
    /// Compares the state of a replayed world with the recorded one.
    pub(super) fn of(
        tick: u64,
        world: &mut World,
        (repeated, parts): (&Repeated, &TracedParts),
        recorded: &State,
        replayed: State,
    ) -> Self {
        let (numbers, known) = (&repeated.numbers, &repeated.components);
        let difference = replayed.sketch.minus(&recorded.sketch);
        let Recovered { mut found, left } = difference.recover(|number| {
            let part = parts.part_of(number);
            part.is_some_and(|(of, _)| of <= numbers.last)
        });
        found.sort_unstable();
        let mut fingerprints = BTreeMap::new();
        parts.visit(world, numbers, |number, fingerprint| {
            if found.binary_search_by_key(&number, |found| found.0).is_ok() {
                fingerprints.insert(number, fingerprint);
            }
        });
        let differing = found.into_iter().filter_map(|(number, by)| {
            let (of, part) = parts.part_of(number)?;
            let fingerprint = fingerprints.get(&number).copied();
            // The sketches tell by how much the part differs, and the replay has its fingerprint.
            let is = fingerprint.map_or(0, |print| Sketch::spread(number, print));
            let was = is.wrapping_sub(by);
            let entity = repeated.here(of);
            let agent = entity.and_then(|entity| world.get_entity(entity).ok());
            let placed = agent.filter(|_| part == "CellPosition");
            let replayed = fingerprint.and_then(|_| describe(world, known, agent, part));
            let recorded = placed.and_then(|agent| {
                position(world, agent, |print| Sketch::spread(number, print) == was)
            });
            Some(DifferentPart {
                agent: agent.and_then(|agent| agent.get().copied()),
                entity: repeated.there(of),
                replayed_entity: entity,
                part: part.into(),
                was_there: was != 0,
                recorded,
                replayed,
            })
        });
        Self {
            tick,
            recorded: recorded.digest,
            replayed: replayed.digest,
            parts: differing.collect(),
            untold: left,
        }
    }
}

/// The value of a part of the state as text.
fn describe(world: &World, all: &Components, of: Option<EntityRef>, part: &str) -> Option<String> {
    fn resource<R: Resource + fmt::Debug>(world: &World) -> Option<String> {
        world.get_resource::<R>().map(|value| format!("{value:?}"))
    }
    match part {
        "NavClock" => resource::<NavClock>(world),
        "AgentIds" => resource::<AgentIds>(world),
        "NavBudget" => resource::<NavBudget>(world),
        _ => {
            let mut columns = all.columns.iter();
            (columns.find(|column| column.name == part)?.describe)(of?)
        }
    }
}

/// Searches for a recorded place by its fingerprint: another cell of the map, or another place in
/// the cell.
fn position(world: &World, agent: EntityRef, is_it: impl Fn(u64) -> bool) -> Option<String> {
    let now = *agent.get::<CellPosition>()?;
    let size = world.get::<NavMap>(agent.get::<OnMap>()?.0)?.grid().size();
    let last = Cell::new(size.width - 1, size.height - 1);
    let floors = (0..size.floors).map(|floor| Area::new(Cell::new(0, 0).on_floor(floor), last));
    let cells = floors.flat_map(Area::cells);
    let elsewhere = cells.map(|cell| CellPosition { cell, ..now });
    let offsets = (0..=u8::MAX).flat_map(|x| (0..=u8::MAX).map(move |y| [x, y]));
    let within = offsets.map(|offset| CellPosition { offset, ..now });
    let mut places = elsewhere.chain(within).chain([CellPosition::OUTSIDE]);
    let place = places.find(|place| is_it(Fingerprint::of(place)))?;
    Some(format!("{place:?}"))
}

impl fmt::Display for DifferentPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.agent, self.entity, self.replayed_entity) {
            (Some(AgentId(id)), Some(entity), _) => write!(f, "agent {id} (entity {entity}): ")?,
            (Some(AgentId(id)), None, _) => write!(f, "agent {id}: ")?,
            (None, Some(entity), _) => write!(f, "entity {entity}: ")?,
            (None, None, Some(entity)) => write!(f, "entity {entity} of the replay: ")?,
            (None, None, None) => {}
        }
        f.write_str(&self.part)?;
        match &self.recorded {
            Some(recorded) => write!(f, " was {recorded}")?,
            None if !self.was_there => f.write_str(" was not there")?,
            None => {}
        }
        match &self.replayed {
            Some(replayed) => write!(f, ", is {replayed}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Difference {
    /// Writes a line for the tick, and one for each part.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "tick {} differs: digest {:016x} was recorded, {:016x} replayed",
            self.tick, self.recorded, self.replayed
        )?;
        for part in &self.parts {
            writeln!(f, "  {part}")?;
        }
        match self.untold {
            0 => Ok(()),
            sums => writeln!(f, "  and more than can be told: {sums} sums of 96 differ"),
        }
    }
}
