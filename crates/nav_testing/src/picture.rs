//! A scene as text.

use crate::scene::Scene;
use bevy_ecs::prelude::*;
use nav::{
    Body, BodyKind, CellPosition, ChasedBy, Chaser, Chasing, NavMap, NavTimer, OnMap, PathCursor,
};
use nav_grid::{Area, Cell, Directions, Footprint, Grid};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// Agents that have no letter.
const NAMELESS: char = '@';
/// Ground on which steps cost more.
const COSTLY: char = '~';
/// Ground that cannot be left in all directions.
const FENCED: char = '+';

/// What signs of ground mean that a drawing does not have.
const GROUND: [(char, &str); 2] = [
    (COSTLY, "ground on which steps cost more"),
    (FENCED, "ground that cannot be left in all directions"),
];

/// A map that is wider or higher is cut to where somebody is.
const SIDE_MAX: u16 = 100;
/// Cells that are left around those on a map that is cut.
const MARGIN: u16 = 4;
/// Lines of the legend about agents.
const LINES_MAX: usize = 40;

/// An agent in the picture.
struct Agent {
    entity: Entity,
    sign: char,
    /// The cells that it covers, and their map.
    place: Option<(Entity, Area)>,
}

impl fmt::Display for Scene {
    /// Writes the maps on which somebody is, floor by floor, with the signs of a
    /// [`Drawing`](crate::Drawing), then a line about each agent: where it is, and for chasers the target,
    /// state and guidance, waits and failures, and why the last search failed.
    ///
    /// Agents without a letter are `@`, ground of higher step costs is `~`, and ground with fewer exits
    /// `+`. Of several agents on one cell the first in alphabetical order is drawn. Maps of more than 100
    /// columns or rows are cut to where somebody is; more than 40 agents are counted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "after tick {}:", self.ticks())?;
        let agents = agents(self);
        let others = agents.iter().filter_map(|agent| agent.place);
        let mut maps: Vec<Entity> = others.map(|(map, _)| map).collect();
        maps.retain(|&map| map != self.map);
        maps.sort_unstable();
        maps.dedup();
        maps.insert(0, self.map);
        for map in maps {
            if let Some(shown) = self.app.world().get::<NavMap>(map) {
                if map != self.map {
                    writeln!(f, "map {map}:")?;
                }
                write_map(f, self, map, shown.grid(), &agents)?;
            }
        }
        for agent in agents.iter().take(LINES_MAX) {
            write_agent(f, self, agent)?;
        }
        if agents.len() > LINES_MAX {
            writeln!(f, "and {} more agents", agents.len() - LINES_MAX)?;
        }
        Ok(())
    }
}

/// Everybody who lives and is on a map or has a letter, by letter, those without one last.
fn agents(scene: &Scene) -> Vec<Agent> {
    let world = scene.app.world();
    let mut found: Vec<Entity> = Vec::new();
    if let Some(mut query) = world.try_query::<(Entity, &CellPosition, &OnMap)>() {
        found.extend(query.iter(world).map(|(agent, ..)| agent));
    }
    let letters: BTreeMap<Entity, char> = scene.names.letters().collect();
    found.extend(
        letters
            .keys()
            .filter(|&&agent| world.get_entity(agent).is_ok()),
    );
    let mut agents: Vec<Agent> = found
        .into_iter()
        .map(|entity| {
            let at = world.get::<CellPosition>(entity).map(|place| place.cell);
            let map = world.get::<OnMap>(entity).map(|map| map.0);
            let covers = |at| footprint(world, entity).area(at);
            Agent {
                entity,
                sign: letters.get(&entity).copied().unwrap_or(NAMELESS),
                place: map.zip(at.map(covers)),
            }
        })
        .collect();
    agents.sort_unstable_by_key(|agent| {
        let place = agent.place.map(|(map, area)| (map, area.first()));
        (agent.sign == NAMELESS, agent.sign, place, agent.entity)
    });
    agents.dedup_by_key(|agent| agent.entity);
    agents
}

fn footprint(world: &World, agent: Entity) -> Footprint {
    let body = world.get::<Body>(agent).map(|body| body.footprint);
    let tuning = world.get::<Chaser>(agent);
    body.or(tuning.map(|tuning| tuning.rules.footprint))
        .unwrap_or(Footprint::ONE)
}

/// Writes the floors of a map, then what the drawing cannot show.
fn write_map(
    f: &mut fmt::Formatter<'_>,
    scene: &Scene,
    map: Entity,
    grid: &Grid,
    agents: &[Agent],
) -> fmt::Result {
    let mut signs: BTreeMap<Cell, char> = BTreeMap::new();
    for agent in agents {
        if let Some((_, area)) = agent.place.filter(|(on, _)| *on == map) {
            for cell in area.cells() {
                signs.entry(cell).or_insert(agent.sign);
            }
        }
    }
    let (columns, rows) = shown(grid, signs.keys());
    if map == scene.map {
        for (name, cell) in scene.names.markers() {
            signs.entry(cell).or_insert(name);
        }
    }
    if (columns.1 - columns.0, rows.1 - rows.0) != (grid.width(), grid.height()) {
        let last = (columns.1 - 1, rows.1 - 1);
        let (from, to) = ((columns.0, rows.0), last);
        writeln!(
            f,
            "columns {} to {}, rows {} to {}:",
            from.0, to.0, from.1, to.1
        )?;
    }
    let mut drawn: BTreeSet<char> = BTreeSet::new();
    for floor in 0..grid.floors() {
        if floor > 0 {
            writeln!(f)?;
        }
        for y in rows.0..rows.1 {
            let cells = (columns.0..columns.1).map(|x| Cell::new(x, y).on_floor(floor));
            let row = cells.map(|cell| sign_of(grid, cell, signs.get(&cell).copied()));
            let row: String = row.collect();
            writeln!(f, "{row}")?;
            drawn.extend(row.chars());
        }
    }
    for (sign, meaning) in GROUND {
        if drawn.contains(&sign) {
            writeln!(f, "{sign} {meaning}")?;
        }
    }
    for link in grid.links() {
        writeln!(f, "link {} to {}, cost {}", link.from, link.to, link.cost)?;
    }
    Ok(())
}

/// The columns and rows that are shown, each from the first to the one after the last.
fn shown<'a>(
    grid: &Grid,
    taken: impl Iterator<Item = &'a Cell> + Clone,
) -> ((u16, u16), (u16, u16)) {
    let range = |side: u16, of: fn(&Cell) -> u16| {
        let inside = || taken.clone().map(of).filter(|&at| at < side);
        match (inside().min(), inside().max()) {
            (Some(first), Some(last)) if side > SIDE_MAX => {
                let end = last.saturating_add(1 + MARGIN).min(side);
                (first.saturating_sub(MARGIN), end)
            }
            _ => (0, side),
        }
    };
    (
        range(grid.width(), |cell| cell.x),
        range(grid.height(), |cell| cell.y),
    )
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
fn write_agent(f: &mut fmt::Formatter<'_>, scene: &Scene, agent: &Agent) -> fmt::Result {
    let (world, entity) = (scene.app.world(), agent.entity);
    write!(f, "{}", scene.place_of(entity))?;
    if let Some(body) = world.get::<Body>(entity) {
        let kind = match body.kind {
            BodyKind::Solid => "solid",
            BodyKind::Soft => "soft",
            _ => "other",
        };
        write!(f, ", {kind} {}", body.footprint)?;
    }
    if let Some(chasers) = world.get::<ChasedBy>(entity) {
        write!(f, ", chased by {}", chasers.len())?;
    }
    if world.get::<Chaser>(entity).is_some() {
        write_chase(f, scene, entity)?;
    }
    writeln!(f)
}

/// Writes how the chase of a chaser stands.
fn write_chase(f: &mut fmt::Formatter<'_>, scene: &Scene, chaser: Entity) -> fmt::Result {
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
        if let Some(end) = cursor.path().end() {
            write!(f, " to {end}; waypoints {},", cursor.path().len())?;
        } else {
            f.write_str(";")?;
        }
    }
    if let Some(timer) = world.get::<NavTimer>(chaser) {
        write!(f, " waits {}, failures {}", timer.waits(), timer.failures())?;
    }
    let mut failed = scene.failed.iter().rev();
    if let Some((tick, message)) = failed.find(|(_, message)| message.chaser == chaser) {
        write!(f, "; last failure in tick {tick}: {}", message.reason)?;
    }
    Ok(())
}

impl Scene {
    /// An agent and where it is, in words.
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
