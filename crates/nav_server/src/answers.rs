//! Answers to the page about agents: what one does and why, the directions of its field, and the
//! paths of many.

use crate::{
    messages::{
        AgentDetails, Answer, FieldPart, FieldRequest, Paths, PathsRequest, ServerMessage, triple,
    },
    searches::SearchLog,
};
use bevy_ecs::{entity::EntityIndex, prelude::*, system::SystemState};
use nav::{CellPosition, Chasing, NavDiagnostics, NavMap, OnMap, Screens, UpcomingPath, explain};
use nav_grid::Cell;
use nav_sim::{report::Way, sim::Shown};

/// Steps listed of the path of an agent: more than a screen.
const STEPS: u16 = 64;

/// Columns and rows of a part of a field: a screen and the eight around it.
const COLUMNS: u16 = Screens::COLUMNS * 3;
const ROWS: u16 = Screens::ROWS * 3;

/// Characters for a cell where the field does not continue, and for one where a link does.
const NOTHING: u8 = b'.';
const LINK: u8 = b'L';

/// Most paths in an answer. With more chasers, every second, every third and so on is sent, since
/// more lines cannot be told apart.
const PATHS_MAX: usize = 300;

/// Steps of each of these, as many as `nav_sync` sends by default.
const PATH_STEPS: u16 = 24;

/// Work of a part of a field: as many expansions take as long as looking at its cells. A guess.
const FIELD_WORK: u64 = 500;

/// Agents that are looked at in the time of an expansion. A guess.
const AGENTS_A_UNIT: u64 = 10;

/// Reads a world for answers.
pub(crate) struct Answers {
    agents: QueryState<Entity, With<CellPosition>>,
    upcoming: SystemState<UpcomingPath<'static, 'static>>,
}

impl Answers {
    pub(crate) fn new(world: &mut World) -> Self {
        Self {
            agents: QueryState::new(world),
            upcoming: SystemState::new(world),
        }
    }

    /// Returns the number of agents.
    pub(crate) fn count(&mut self, world: &World) -> usize {
        self.agents.iter(world).count()
    }

    /// Returns what is known about an agent.
    pub(crate) fn agent(&mut self, world: &World, number: u64) -> Result<AgentDetails, String> {
        let (agent, at) = find(world, number)?;
        let chases = world.get::<Chasing>(agent).map(|chasing| chasing.0);
        let explained = explain(world, agent);
        let doing = if world.get::<Shown>(agent).is_some() {
            "lives in another process".to_owned()
        } else {
            explained.doing()
        };
        let ahead = match self.upcoming.get(world) {
            Ok(upcoming) if chases.is_some() => upcoming
                .cells(agent, STEPS)
                .map(|point| triple(point.cell))
                .collect(),
            _ => Vec::new(),
        };
        let ticks = world.resource::<NavDiagnostics>().ticks;
        Ok(AgentDetails {
            id: number,
            at: triple(at),
            doing,
            notes: explained.notes,
            chases: chases.map(Entity::index_u32),
            way: world.get(agent).and_then(Way::of).map(Way::name),
            search: world.resource::<SearchLog>().last(agent, ticks),
            ahead,
        })
    }

    /// Returns the directions of a chaser's field around a cell, and the work: a look at each cell.
    pub(crate) fn field(&mut self, world: &World, request: FieldRequest) -> (Answer, u64) {
        let part = find(world, request.id).map(|(agent, _)| self.field_of(world, agent, request));
        (part.map(|part| part.map(ServerMessage::Field)), FIELD_WORK)
    }

    fn field_of(
        &mut self,
        world: &World,
        agent: Entity,
        request: FieldRequest,
    ) -> Option<FieldPart> {
        let around = request.around();
        let grid = world.get::<NavMap>(world.get::<OnMap>(agent)?.0)?.grid();
        let (x, width) = span(around.x, COLUMNS, grid.width());
        let (y, height) = span(around.y, ROWS, grid.height());
        let rows = y..y + height;
        let cells = rows.flat_map(|y| (x..x + width).map(move |x| Cell { x, y, ..around }));
        let upcoming = self.upcoming.get(world).ok()?;
        let mut signs = Vec::new();
        for (from, to) in upcoming.field_steps(agent, cells) {
            signs.resize(usize::from(width) * usize::from(height), NOTHING);
            let at = usize::from(from.y - y) * usize::from(width) + usize::from(from.x - x);
            // 0 for up, clockwise to 7.
            signs[at] = from.direction_to(to).map_or(LINK, |way| b'0' + way as u8);
        }
        Some(FieldPart {
            id: request.id,
            x,
            y,
            floor: around.floor,
            width,
            height,
            ways: String::from_utf8(signs).ok()?,
        })
    }

    /// Returns the paths of the agents in a part of the map, and the work: all agents are looked
    /// at.
    pub(crate) fn paths(&mut self, world: &World, area: PathsRequest) -> (Answer, u64) {
        self.agents.update_archetypes(world);
        let agents = self.agents.iter_manual(world);
        let work = 1 + agents.len() as u64 / AGENTS_A_UNIT;
        let floor = area.floor;
        let seen = area.area();
        let mut here = Vec::new();
        for agent in agents {
            if let Some(place) = world.get::<CellPosition>(agent)
                && seen.contains(place.cell)
            {
                here.push((agent, place.cell));
            }
        }
        let every = here.len().div_ceil(PATHS_MAX).max(1);
        let Ok(upcoming) = self.upcoming.get(world) else {
            return (Ok(None), work);
        };
        let paths = here.iter().step_by(every).filter_map(|&(agent, at)| {
            let mut cells = vec![triple(at)];
            let ahead = upcoming.cells(agent, PATH_STEPS);
            cells.extend(ahead.map(|point| triple(point.cell)));
            (cells.len() > 1).then(|| (agent.index_u32(), cells))
        });
        let paths = Paths {
            floor,
            ways: paths.collect(),
        };
        (Ok(Some(ServerMessage::Ways(paths))), work)
    }
}

/// Returns the agent of a number, which is the index of its entity, and its place. An error is a
/// sentence.
fn find(world: &World, number: u64) -> Result<(Entity, Cell), String> {
    let index = u32::try_from(number)
        .ok()
        .and_then(EntityIndex::from_raw_u32);
    let agent = index.map(|index| world.entities().resolve_from_index(index));
    let found = agent.and_then(|agent| Some((agent, world.get::<CellPosition>(agent)?.cell)));
    found.ok_or_else(|| format!("there is no agent {number}"))
}

/// Returns start and length of a span around `middle`, moved and cut to fit the map.
fn span(middle: u16, length: u16, end: u16) -> (u16, u16) {
    let length = length.min(end);
    let from = middle.saturating_sub(length / 2).min(end - length);
    (from, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_stays_on_map() {
        assert_eq!(span(30, 10, 100), (25, 10));
        assert_eq!(span(2, 10, 100), (0, 10));
        assert_eq!(span(99, 10, 100), (90, 10));
        assert_eq!(span(u16::MAX, 10, 6), (0, 6));
    }
}
