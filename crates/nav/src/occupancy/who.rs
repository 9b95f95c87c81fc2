//! Which body stands where, for systems of a game; and steps that the game takes for its own agents.

use super::{map::MapOccupancy, rows::Entry, store::BodyPlaces};
use crate::{Body, CellPosition, Chaser, NavMap, OnMap, WorldPosition};
use bevy_ecs::{entity::Entities, prelude::*, system::SystemParam};
use nav_grid::{Area, Cell, Rules};

/// Which bodies stand where: the parameter of a system of the game.
///
/// It answers what the plugin would in its next step. Bodies that the game spawned or moved are seen
/// from [`NavSystems::Observe`](crate::NavSystems::Observe) on, and steps of the plugin after
/// [`NavSystems::Step`](crate::NavSystems::Step). Only agents with a [`Body`] stand in the way.
///
/// A lookup takes constant time, a footprint or an area the time of its cells.
#[derive(SystemParam)]
pub struct Occupancy<'w, 's> {
    places: Res<'w, BodyPlaces>,
    entities: &'w Entities,
    maps: Query<'w, 's, &'static NavMap>,
    agents: Query<'w, 's, (Mover, &'static CellPosition)>,
}

/// By what an agent steps.
type Mover = (
    Option<&'static Chaser>,
    Option<&'static Body>,
    &'static OnMap,
);

/// Why an agent may not take a step, by [`Occupancy`](super::Occupancy).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StepRefusal {
    /// The entity has no place on a map.
    #[error(
        "it is no agent on a map: give it `OnMap`, of an entity with a `NavMap`, and `CellPosition`"
    )]
    NoAgent,
    /// The ground allows no such step: the cells are not beside each other, a wall, an exit or a corner
    /// is in the way, or the body does not fit.
    #[error("the ground allows no step from {from} to {to}")]
    Ground {
        /// Where the agent stands.
        from: Cell,
        /// Where it was to step.
        to: Cell,
    },
    /// Another body is in the way.
    #[error("a body is in the way: {0}")]
    Taken(Entity),
    /// The gate has to admit the agent first.
    #[error("the cell is closed for it")]
    Closed,
}

impl Occupancy<'_, '_> {
    /// The body on a cell of a map. Of several on one cell, as after a teleport, the first that came.
    pub fn who(&self, map: Entity, cell: Cell) -> Option<Entity> {
        let index = self.places.of(map)?.holder(cell)?;
        Some(self.entities.resolve_from_index(index))
    }

    /// The bodies that cover a cell of an area of a map, each once, in reading order of the first such
    /// cell.
    pub fn within(&self, map: Entity, area: Area) -> impl Iterator<Item = Entity> {
        let size = self.places.of(map).map(MapOccupancy::size);
        let area = size.map(|size| area.clipped(size));
        let cells = area.into_iter().flat_map(Area::cells);
        cells.filter_map(move |cell| {
            let body = self.who(map, cell)?;
            let (at, corner) = (self.places.stand(body)?.cell, area?.first());
            let is_first = cell.x == at.x.max(corner.x) && cell.y == at.y.max(corner.y);
            is_first.then_some(body)
        })
    }

    /// Whether a body of some rules, or of a [`Footprint`](nav_grid::Footprint) that all classes suit,
    /// may stand at a place of a map: it fits, and no body is there.
    pub fn is_free(&self, map: Entity, place: Cell, rules: impl Into<Rules>) -> bool {
        let rules = rules.into();
        let fits = |map: &NavMap| map.grid().for_rules(rules).fits(place, rules.footprint);
        self.maps.get(map).is_ok_and(fits)
            && rules
                .footprint
                .area(place)
                .cells()
                .all(|cell| self.who(map, cell).is_none())
    }

    /// The place nearest to a cell where such a body may stand, at most some columns and rows
    /// away. Of several the first in reading order.
    pub fn nearest_free(
        &self,
        map: Entity,
        near: Cell,
        rules: impl Into<Rules>,
        within: u16,
    ) -> Option<Cell> {
        let rules = rules.into();
        (0..=within).find_map(|distance| {
            let ring = Area::new(near, near).grown(distance, distance).cells();
            let mut ring = ring.filter(|cell| cell.chebyshev(near) == distance);
            ring.find(|&place| self.is_free(map, place, rules))
        })
    }

    /// Whether an agent may step onto a cell now, by a step or a link.
    ///
    /// A chaser steps by its rules, another agent by the default ones and the size of its body. An
    /// agent without a body blocks no other, and no other blocks it.
    ///
    /// # Errors
    ///
    /// [`StepRefusal`] says why it may not.
    pub fn may_step(&self, agent: Entity, to: Cell) -> Result<(), StepRefusal> {
        let (mover, position) = self.agents.get(agent).map_err(|_| StepRefusal::NoAgent)?;
        let bodies = (&*self.places, self.entities);
        check((agent, mover), (position.cell, to), &self.maps, bodies)?;
        Ok(())
    }
}

/// Steps of agents that the game moves itself, such as players: checked as those of chasers, and taken
/// at once, so that no body steps onto the same cell in the same tick.
///
/// Take them before [`NavSystems::Observe`](crate::NavSystems::Observe).
#[derive(SystemParam)]
pub struct PlayerSteps<'w, 's> {
    places: ResMut<'w, BodyPlaces>,
    entities: &'w Entities,
    maps: Query<'w, 's, &'static NavMap>,
    agents: Query<
        'w,
        's,
        (
            Mover,
            &'static mut CellPosition,
            Option<&'static mut WorldPosition>,
        ),
    >,
}

impl PlayerSteps<'_, '_> {
    /// Moves an agent onto a cell, if it [may step](Occupancy::may_step) there.
    ///
    /// # Errors
    ///
    /// [`StepRefusal`] if it may not; then nothing changes.
    pub fn step(&mut self, agent: Entity, to: Cell) -> Result<(), StepRefusal> {
        let (mover, mut position, world) = self
            .agents
            .get_mut(agent)
            .map_err(|_| StepRefusal::NoAgent)?;
        let (bodies, (_, body, on_map)) = ((&*self.places, self.entities), mover);
        let map = check((agent, mover), (position.cell, to), &self.maps, bodies)?;
        *position = CellPosition::at(to);
        if let Some(mut world) = world {
            *world = WorldPosition::of(map.frame(), to);
        }
        if let Some(body) = body {
            let size = map.grid().size();
            (self.places).put(agent, on_map.0, size, body.footprint, to);
        }
        Ok(())
    }
}

/// Checks a step of an agent on its map, which it returns.
fn check<'a>(
    (agent, (chaser, body, on_map)): (Entity, (Option<&Chaser>, Option<&Body>, &OnMap)),
    (from, to): (Cell, Cell),
    maps: &'a Query<&NavMap>,
    (places, entities): (&BodyPlaces, &Entities),
) -> Result<&'a NavMap, StepRefusal> {
    let map = maps.get(on_map.0).map_err(|_| StepRefusal::NoAgent)?;
    let mut rules = chaser.map_or_else(Rules::default, |chaser| chaser.rules);
    rules.footprint = body.map_or(rules.footprint, |body| body.footprint);
    if !map.grid().allows_move(from, to, rules) {
        return Err(StepRefusal::Ground { from, to });
    }
    let (Some(&body), Some(bodies)) = (body, places.of(on_map.0)) else {
        return Ok(map);
    };
    match bodies.entry(agent, body, to) {
        Entry::Free => Ok(map),
        Entry::Closed => Err(StepRefusal::Closed),
        Entry::Taken => {
            let others = body.footprint.area(to).clipped(bodies.size()).cells();
            let mut others = others.filter_map(|cell| bodies.holder(cell));
            let other = others.find(|&other| other != agent.index());
            let other = other.unwrap_or_else(|| agent.index());
            Err(StepRefusal::Taken(entities.resolve_from_index(other)))
        }
    }
}
