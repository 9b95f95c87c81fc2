//! Which body stands where, for systems of a game; and steps that the game takes for its own
//! agents.

use super::{map::MapOccupancy, rows::Entry, store::BodyPlaces};
use crate::{
    AgentId, Body, CellPosition, Chaser, NavClock, NavMap, NavTime, OnLink, OnMap, WorldPosition,
    links::{Traffic, slow_link},
    systems::storage::tick_events::TickEvents,
};
use bevy_ecs::{entity::Entities, prelude::*, query::QueryData, system::SystemParam};
use nav_grid::{Area, Cell, Rules};

/// Which bodies stand where: the parameter of a system of the game.
///
/// It answers what the plugin would in its next step. Bodies that the game spawned or moved are
/// seen from [`NavSystems::Observe`](crate::NavSystems::Observe) on, and steps of the plugin after
/// [`NavSystems::Step`](crate::NavSystems::Step). Only agents with a [`Body`] stand in the way.
///
/// A lookup takes constant time, a footprint or an area the time of its cells.
#[derive(SystemParam)]
pub struct Occupancy<'w, 's> {
    places: Res<'w, BodyPlaces>,
    entities: &'w Entities,
    maps: Query<'w, 's, &'static NavMap>,
    agents: Query<'w, 's, (Mover, &'static CellPosition)>,
    clock: Res<'w, NavClock>,
    traffic: Res<'w, Traffic>,
}

/// The components that decide a step.
#[derive(QueryData)]
struct Mover {
    entity: Entity,
    id: Option<&'static AgentId>,
    chaser: Option<&'static Chaser>,
    body: Option<&'static Body>,
    on_map: &'static OnMap,
    on_link: Option<&'static OnLink>,
}

/// Why an agent may not take a step, by [`Occupancy`](super::Occupancy).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StepRefusal {
    /// The entity has no place on a map.
    #[error(
        "it is no agent on a map: give it `OnMap`, of an entity with a `NavMap`, and `CellPosition`"
    )]
    NoAgent,
    /// The ground allows no such step: the cells are not beside each other, a wall, an exit or a
    /// corner is in the way, or the body does not fit.
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
    /// The agent is on a link.
    #[error("it is on a link until {0:?}")]
    OnLink(NavTime),
    /// As many walkers as the link holds are on it.
    #[error("the link is taken by as many as it holds")]
    LinkFull,
}

impl Occupancy<'_, '_> {
    /// The body on a cell of a map. Of several on one cell, as after a teleport, the first that
    /// came.
    pub fn who(&self, map: Entity, cell: Cell) -> Option<Entity> {
        let index = self.places.of(map)?.holder(cell)?;
        Some(self.entities.resolve_from_index(index))
    }

    /// The bodies that cover a cell of an area of a map, each once, in reading order of the first
    /// such cell.
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

    /// Whether a body of some rules, or of a [`Footprint`](nav_grid::Footprint) that all classes
    /// suit, may stand at a place of a map: it fits, and no body is there.
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
            let mut square = Area::new(near, near).grown(distance, distance).cells();
            square
                .find(|&place| place.chebyshev(near) == distance && self.is_free(map, place, rules))
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
        let others = Others {
            places: &self.places,
            entities: self.entities,
            traffic: &self.traffic,
        };
        check(
            &mover,
            (position.cell, to),
            &self.maps,
            others,
            self.clock.now(),
        )?;
        Ok(())
    }
}

/// Steps of agents that the game moves itself, such as players: checked as those of chasers, and
/// taken at once, so that no body steps onto the same cell in the same tick.
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
    clock: Res<'w, NavClock>,
    traffic: ResMut<'w, Traffic>,
    events: ResMut<'w, TickEvents>,
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
        let (from, now) = (position.cell, self.clock.now());
        let others = Others {
            places: &self.places,
            entities: self.entities,
            traffic: &self.traffic,
        };
        let map = check(&mover, (from, to), &self.maps, others, now)?;
        *position = CellPosition::at(to);
        if let Some(mut world) = world {
            *world = WorldPosition::of(map.frame(), to);
        }
        let (size, on_map) = (map.grid().size(), mover.on_map.0);
        if let Some(body) = mover.body {
            (self.places).put(agent, on_map, size, body.footprint, to);
        }
        if slow_link(map, from, to, || mover.rules()).is_some() {
            self.traffic.enter(agent, on_map, (from, to));
            let id = mover.id.copied().unwrap_or_default();
            self.events.entered.push((id, agent, (on_map, from, to)));
        }
        Ok(())
    }
}

impl MoverItem<'_, '_> {
    /// The rules of a chaser; the default ones for another agent. Of the size of its body.
    fn rules(&self) -> Rules {
        let rules = self
            .chaser
            .map_or_else(Rules::default, |chaser| chaser.rules);
        let footprint = self.body.map_or(rules.footprint, |body| body.footprint);
        rules.with_footprint(footprint)
    }
}

/// The obstacles of an agent.
struct Others<'a> {
    places: &'a BodyPlaces,
    entities: &'a Entities,
    traffic: &'a Traffic,
}

/// Checks a step of an agent on its map, which it returns.
fn check<'a>(
    mover: &MoverItem,
    (from, to): (Cell, Cell),
    maps: &'a Query<&NavMap>,
    others: Others,
    now: NavTime,
) -> Result<&'a NavMap, StepRefusal> {
    let (agent, on_map, rules) = (mover.entity, mover.on_map.0, mover.rules());
    let map = maps.get(on_map).map_err(|_| StepRefusal::NoAgent)?;
    if let Some(on) = mover.on_link
        && now < on.until()
        && (on_map, from) == (on.map(), on.to())
    {
        return Err(StepRefusal::OnLink(on.until()));
    }
    if !map.grid().allows_move(from, to, rules) {
        return Err(StepRefusal::Ground { from, to });
    }
    if slow_link(map, from, to, || rules).is_some_and(|link| others.traffic.is_full(on_map, link)) {
        return Err(StepRefusal::LinkFull);
    }
    let (Some(&body), Some(bodies)) = (mover.body, others.places.of(on_map)) else {
        return Ok(map);
    };
    match bodies.entry(agent, body, to) {
        Entry::Free => Ok(map),
        Entry::Closed => Err(StepRefusal::Closed),
        Entry::Taken => {
            let cells = body.footprint.area(to).clipped(bodies.size()).cells();
            let mut holders = cells.filter_map(|cell| bodies.holder(cell));
            let first = holders.find(|&other| other != agent.index());
            let other = first.unwrap_or_else(|| agent.index());
            Err(StepRefusal::Taken(
                others.entities.resolve_from_index(other),
            ))
        }
    }
}
