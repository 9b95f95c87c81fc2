//! What differs between a tick and its record.

use crate::{
    repeat::Repeated,
    sketch::{Recovered, Sketch},
    state::{State, TracedParts},
};
use bevy_ecs::prelude::*;
use nav::{
    AgentId, AgentIds, CellPosition, NavBudget, NavClock, NavMap, OnMap, state::Fingerprint,
};
use std::fmt;

/// The first tick after which a replay differs from what was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The tick, from 1 on.
    pub tick: u64,
    /// The digest that was recorded.
    pub recorded: u64,
    /// The digest of the replay.
    pub replayed: u64,
    /// What differs, as far as it is known, by agents in the order of their numbers in the trace.
    pub parts: Vec<DifferentPart>,
    /// Of the 96 sums that a trace keeps of all parts, those that differ by more than [`Self::parts`]. More
    /// than 0 if some 60 components and more differ.
    pub untold: usize,
}

/// A component, or a part of the state beside components, that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferentPart {
    /// The number of the agent, if it is of one and has one.
    pub agent: Option<AgentId>,
    /// The entity of the agent or map, where the trace was recorded; `None` if it is of neither, or was
    /// spawned by the plugin.
    pub entity: Option<Entity>,
    /// The same in the replay.
    pub replayed_entity: Option<Entity>,
    /// The name of the component, of the resource, or what it is.
    pub part: String,
    /// Whether it was there when the trace was recorded.
    pub was_there: bool,
    /// What it was then, if that is known: a [`CellPosition`] is found again by trying.
    pub recorded: Option<String>,
    /// What it is in the replay; `None` if it is not there.
    pub replayed: Option<String>,
}

impl Difference {
    /// Finds out what differs.
    pub(super) fn of(
        tick: u64,
        world: &mut World,
        (repeated, parts): (&Repeated, &TracedParts),
        recorded: &State,
        replayed: &State,
    ) -> Self {
        let numbers = repeated.numbers();
        let can_be = |number| {
            parts
                .part_of(number)
                .is_some_and(|(of, _)| of <= numbers.last())
        };
        let difference = replayed.sketch.minus(&recorded.sketch);
        let Recovered { mut found, left } = difference.recover(can_be);
        found.sort_unstable();
        let differing = found.into_iter().filter_map(|(number, by)| {
            let (of, part) = parts.part_of(number)?;
            let replayed = State::part(world, numbers, parts, number);
            let spread = replayed.map_or(0, |fingerprint| Sketch::spread(number, fingerprint));
            let entity = repeated.here(of);
            let agent = entity.and_then(|entity| world.get_entity(entity).ok());
            let was = spread.wrapping_sub(by);
            Some(DifferentPart {
                agent: agent.and_then(|agent| agent.get::<AgentId>().copied()),
                entity: repeated.there(of),
                replayed_entity: entity,
                part: part.into(),
                was_there: was != 0,
                recorded: position_of(world, entity, part, |fingerprint| {
                    Sketch::spread(number, fingerprint) == was
                }),
                replayed: describe(world, repeated, entity, part).filter(|_| replayed.is_some()),
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

/// What a part of the state looks like.
fn describe(world: &World, repeated: &Repeated, of: Option<Entity>, part: &str) -> Option<String> {
    fn resource<R: Resource + fmt::Debug>(world: &World) -> Option<String> {
        world.get_resource::<R>().map(|value| format!("{value:?}"))
    }
    match part {
        "NavClock" => resource::<NavClock>(world),
        "AgentIds" => resource::<AgentIds>(world),
        "NavBudget" => resource::<NavBudget>(world),
        _ => {
            let column = repeated
                .columns()
                .iter()
                .find(|column| column.name() == part)?;
            column.describe(world.get_entity(of?).ok()?)
        }
    }
}

/// The place that was recorded, if it is a place and one of the map has that fingerprint: another cell, or
/// another place in the cell.
fn position_of(
    world: &World,
    agent: Option<Entity>,
    part: &str,
    is_it: impl Fn(u64) -> bool,
) -> Option<String> {
    let agent = world
        .get_entity(agent?)
        .ok()
        .filter(|_| part == "CellPosition")?;
    let now = *agent.get::<CellPosition>()?;
    let map = world.get::<NavMap>(agent.get::<OnMap>()?.0)?;
    let size = map.grid().size();
    let cells = (0..size.floors).flat_map(|floor| {
        let rows = (0..size.height).map(move |y| (y, floor));
        let cells = rows.flat_map(move |(y, floor)| (0..size.width).map(move |x| (x, y, floor)));
        cells.map(|(x, y, floor)| nav_grid::Cell::new(x, y).on_floor(floor))
    });
    let elsewhere = cells.map(|cell| CellPosition { cell, ..now });
    let offsets = (0..=u8::MAX).flat_map(|x| (0..=u8::MAX).map(move |y| [x, y]));
    let within = offsets.map(|offset| CellPosition { offset, ..now });
    let centres = CellPosition {
        offset: [128; 2],
        ..now
    };
    let mut places = elsewhere
        .chain(within)
        .chain([centres, CellPosition::OUTSIDE]);
    let place = places.find(|place| is_it(Fingerprint::of(place)))?;
    Some(format!("{place:?}"))
}

impl fmt::Display for DifferentPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            agent,
            entity,
            replayed_entity,
            part,
            was_there,
            recorded,
            replayed,
        } = self;
        match (agent, entity, replayed_entity) {
            (Some(AgentId(id)), Some(entity), _) => write!(f, "agent {id} (entity {entity}): ")?,
            (Some(AgentId(id)), None, _) => write!(f, "agent {id}: ")?,
            (None, Some(entity), _) => write!(f, "entity {entity}: ")?,
            (None, None, Some(entity)) => write!(f, "entity {entity} of the replay: ")?,
            (None, None, None) => {}
        }
        write!(f, "{part}")?;
        match (was_there, recorded) {
            (_, Some(recorded)) => write!(f, " was {recorded}")?,
            (true, None) => {}
            (false, None) => write!(f, " was not there")?,
        }
        match replayed {
            Some(replayed) => write!(f, ", is {replayed}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Difference {
    /// A line for the tick, and one for each part.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            tick,
            recorded,
            replayed,
            parts,
            untold,
        } = self;
        writeln!(
            f,
            "tick {tick} differs: digest {recorded:016x} was recorded, {replayed:016x} replayed"
        )?;
        for part in parts {
            writeln!(f, "  {part}")?;
        }
        if *untold > 0 {
            writeln!(f, "  and more than can be told: {untold} sums of 96 differ")?;
        }
        Ok(())
    }
}
