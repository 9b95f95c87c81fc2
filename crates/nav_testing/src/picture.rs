//! The picture of a scene as text.

use crate::scene::Scene;
use bevy_ecs::prelude::*;
use nav::{
    Body, CellPosition, ChasedBy, Chaser, Chasing, Crowding, NavMap, NavTimer, OnMap, PathCursor,
    explain, explain::Standing,
};
use nav_grid::{Area, Cell, Directions, Grid};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::{self, Formatter},
    iter::once,
    ops::Range,
};

/// The sign of agents without a letter.
const NAMELESS: char = '@';
/// The sign of ground on which steps cost more.
const COSTLY: char = '~';
/// The sign of ground that cannot be left in all directions.
const FENCED: char = '+';

/// Columns or rows of a map that is drawn as a whole; a larger one is cut to its agents: it fits
/// a wide terminal.
const SIDE_MAX: u16 = 100;
/// Cells that are drawn around the agents of a map that is cut. A guess.
const MARGIN: u16 = 4;
/// Agents that have a line in the legend; others are counted: they fit a screen.
const LINES_MAX: usize = 40;

/// An agent in the picture.
struct Agent {
    entity: Entity,
    sign: char,
    /// The map and the cells that it covers.
    place: Option<(Entity, Area)>,
}

impl fmt::Display for Scene {
    /// Writes the maps with agents, floor by floor, with the signs of a
    /// [`Drawing`](crate::Drawing). Then a line about each agent: its place, and for chasers the
    /// target, state and guidance, waits and failures, the reason of the last failed search, and
    /// why they [stand](nav::explain()).
    ///
    /// Agents without a letter are `@`, ground of higher step costs is `~`, and ground with fewer
    /// exits `+`. Of several agents on one cell the first in alphabetical order is drawn. Maps of
    /// more than 100 columns or rows are cut to their agents; more than 40 agents are counted.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "after tick {}:", self.ticks())?;
        let agents = agents(self);
        let places = agents.iter().filter_map(|agent| agent.place);
        let mut others: BTreeSet<Entity> = places.map(|(map, _)| map).collect();
        others.remove(&self.map);
        for map in once(self.map).chain(others) {
            write_map(f, self, map, &agents)?;
        }
        for agent in agents.iter().take(LINES_MAX) {
            write_agent(f, self, agent.entity)?;
        }
        match agents.len().saturating_sub(LINES_MAX) {
            0 => Ok(()),
            more => writeln!(f, "and {more} more agents"),
        }
    }
}

/// All agents that are on a map or have a letter, by letter. Agents without one come last.
fn agents(scene: &Scene) -> Vec<Agent> {
    let world = scene.app.world();
    let named = scene.names.agents.values().flatten().copied();
    let mut found: BTreeSet<Entity> = named.collect();
    found.retain(|&agent| world.get_entity(agent).is_ok());
    if let Some(mut query) = world.try_query::<(Entity, &CellPosition, &OnMap)>() {
        found.extend(query.iter(world).map(|(agent, ..)| agent));
    }
    let agents = found.into_iter().map(|entity| {
        let body = world.get::<Body>(entity).map(|body| body.footprint);
        let chaser = world.get::<Chaser>(entity);
        let footprint = body.or(chaser.map(|chaser| chaser.rules.footprint));
        let place = world.get::<OnMap>(entity).zip(world.get(entity));
        Agent {
            entity,
            sign: scene.names.letter(entity).unwrap_or(NAMELESS),
            place: place.map(|(map, at): (_, &CellPosition)| {
                (map.0, footprint.unwrap_or_default().area(at.cell))
            }),
        }
    });
    let mut agents: Vec<Agent> = agents.collect();
    agents.sort_by_key(|agent| {
        let place = agent.place.map(|(map, area)| (map, area.first()));
        (agent.sign == NAMELESS, agent.sign, place)
    });
    agents
}

/// Writes the floors of a map, and what the drawing cannot show.
fn write_map(f: &mut Formatter<'_>, scene: &Scene, map: Entity, agents: &[Agent]) -> fmt::Result {
    let Some(nav_map) = scene.app.world().get::<NavMap>(map) else {
        return Ok(());
    };
    let grid = nav_map.grid();
    if map != scene.map {
        writeln!(f, "map {map}:")?;
    }
    let mut signs: BTreeMap<Cell, char> = BTreeMap::new();
    for agent in agents {
        if let Some((_, area)) = agent.place.filter(|(on, _)| *on == map) {
            for cell in area.cells() {
                signs.entry(cell).or_insert(agent.sign);
            }
        }
    }
    let columns = drawn_range(grid.width(), signs.keys().map(|cell| cell.x));
    let rows = drawn_range(grid.height(), signs.keys().map(|cell| cell.y));
    if map == scene.map {
        for (&name, cells) in &scene.names.cells {
            for &cell in cells {
                signs.entry(cell).or_insert(name);
            }
        }
    }
    if (columns.len(), rows.len()) != (grid.width().into(), grid.height().into()) {
        let (from, to) = ((columns.start, rows.start), (columns.end - 1, rows.end - 1));
        writeln!(
            f,
            "columns {} to {}, rows {} to {}:",
            from.0, to.0, from.1, to.1
        )?;
    }
    let mut picture = String::new();
    for floor in 0..grid.floors() {
        if floor > 0 {
            picture.push('\n');
        }
        for y in rows.clone() {
            let cells = columns.clone().map(|x| Cell::new(x, y).on_floor(floor));
            picture.extend(cells.map(|cell| sign_of(grid, cell, signs.get(&cell).copied())));
            picture.push('\n');
        }
    }
    f.write_str(&picture)?;
    write_ground(f, grid, &picture)
}

/// Writes what the signs of a picture mean, and the links of its map.
fn write_ground(f: &mut Formatter<'_>, grid: &Grid, picture: &str) -> fmt::Result {
    if picture.contains(COSTLY) {
        writeln!(f, "{COSTLY} ground on which steps cost more")?;
    }
    if picture.contains(FENCED) {
        writeln!(f, "{FENCED} ground that cannot be left in all directions")?;
    }
    for link in grid.links() {
        write!(f, "link {} to {}, cost {}", link.from, link.to, link.cost)?;
        for (name, value) in [
            ("kind", link.kind.number().into()),
            ("milliseconds", link.millis),
            ("capacity", link.capacity.into()),
        ] {
            if value > 0 {
                write!(f, ", {name} {value}")?;
            }
        }
        writeln!(f)?;
    }
    Ok(())
}

/// The columns or rows of a map that are drawn. `taken` are those of agents.
fn drawn_range(side: u16, taken: impl Iterator<Item = u16> + Clone) -> Range<u16> {
    let inside = taken.filter(|&at| at < side);
    match (inside.clone().min(), inside.max()) {
        (Some(first), Some(last)) if side > SIDE_MAX => {
            first.saturating_sub(MARGIN)..last.saturating_add(1 + MARGIN).min(side)
        }
        _ => 0..side,
    }
}

fn sign_of(grid: &Grid, cell: Cell, agent_or_name: Option<char>) -> char {
    match agent_or_name {
        // A cell with a name may have been blocked since.
        Some(sign) if grid.is_walkable(cell) || !sign.is_ascii_lowercase() => sign,
        _ if !grid.is_walkable(cell) => '#',
        _ if grid.cost(cell) > 1 => COSTLY,
        _ if grid.exits(cell) != Directions::ALL => FENCED,
        _ => '.',
    }
}

/// Writes the line about an agent.
fn write_agent(f: &mut Formatter<'_>, scene: &Scene, agent: Entity) -> fmt::Result {
    let world = scene.app.world();
    f.write_str(&scene.place_of(agent))?;
    if let Some(body) = world.get::<Body>(agent) {
        let kind = format!("{:?}", body.kind).to_lowercase();
        write!(f, ", {kind} {}", body.footprint)?;
    }
    if let Some(chasers) = world.get::<ChasedBy>(agent) {
        write!(f, ", chased by {}", chasers.len())?;
    }
    if world.get::<Chaser>(agent).is_some() {
        write_chase(f, scene, agent)?;
    }
    writeln!(f)
}

/// Writes the state of a chase.
fn write_chase(f: &mut Formatter<'_>, scene: &Scene, chaser: Entity) -> fmt::Result {
    let world = scene.app.world();
    match world.get::<Chasing>(chaser) {
        Some(chasing) => write!(f, ", chases {}", scene.place_of(chasing.0))?,
        None => f.write_str(", chases nobody")?,
    }
    if let Some(cursor) = world.get::<PathCursor>(chaser) {
        write!(f, ": {:?}", cursor.state())?;
        if let Some(guidance) = cursor.guidance() {
            write!(f, " by {guidance:?}")?;
        }
        match cursor.path().end() {
            Some(end) => write!(f, " to {end}; waypoints {},", cursor.path().len())?,
            None => f.write_str(";")?,
        }
    }
    if let Some(timer) = world.get::<NavTimer>(chaser) {
        let waits = world.get::<Crowding>(chaser).map_or(0, |of| of.waits);
        write!(f, " waits {waits}, failures {}", timer.failures())?;
    }
    let mut failed = scene.failed.iter().rev();
    if let Some((tick, message)) = failed.find(|(_, message)| message.chaser == chaser) {
        write!(f, "; last failure in tick {tick}: {}", message.reason)?;
    }
    let said = explain(world, chaser);
    match &said.stands {
        Some(Standing::Bodies(bodies)) => {
            let names: Vec<String> = bodies.iter().map(|&body| scene.place_of(body)).collect();
            write!(
                f,
                "; stands, since bodies are in its way: {}",
                names.join(", ")
            )?;
        }
        Some(why) => write!(f, "; stands, since {why}")?,
        None => {}
    }
    for note in &said.notes {
        write!(f, ". {}", note.trim_end_matches('.'))?;
    }
    Ok(())
}

impl Scene {
    /// An agent and its place, in words.
    pub(super) fn place_of(&self, agent: Entity) -> String {
        let (world, name) = (self.app.world(), self.name_of(agent));
        if world.get_entity(agent).is_err() {
            return format!("{name}, which is gone");
        }
        let at = match world.get::<CellPosition>(agent) {
            Some(&CellPosition::OUTSIDE) => "outside of its map".to_owned(),
            Some(place) => format!("at {}", place.cell),
            None => "without a place".to_owned(),
        };
        match world.get::<OnMap>(agent) {
            Some(map) if map.0 == self.map => format!("{name} {at}"),
            Some(map) => format!("{name} {at} of map {}", map.0),
            None => format!("{name} {at}, on no map"),
        }
    }
}
