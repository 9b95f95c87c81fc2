//! The agents of [`Screens`], kept up to date: each has a seat in the screens of its map.

use super::{
    CellPosition, NavMap, OnMap,
    screens::{NO_SIZE, Screens},
};
use bevy_ecs::{
    entity::EntityHashMap, entity_disabling::Disabled, prelude::*, query::Allow,
    world::DeferredWorld,
};
use nav_grid::{Cell, Size};

/// Where an agent is in the lists of [`Screens`].
///
/// The screens may have been removed, emptied or replaced since. The seat is valid only if they
/// have the agent there.
#[derive(Clone, Copy)]
struct Seat {
    map: Entity,
    screen: u32,
    /// The index in the screen.
    place: u32,
}

impl Screens {
    /// Empties the screens, to be filled with the agents on a map of some size.
    fn begin(&mut self, size: Size, filling: u64) {
        if self.size != size {
            self.size = size;
            self.across = size.width.div_ceil(self.columns());
            self.down = size.height.div_ceil(self.rows());
            let floor = usize::from(self.across) * usize::from(self.down);
            self.agents = vec![Vec::new(); floor * usize::from(size.floors)];
        }
        self.agents.iter_mut().for_each(Vec::clear);
        self.len = 0;
        self.filling = filling;
    }

    /// Gives an agent that is in no screen of the map a seat, if its cell is on the map.
    fn enter(&mut self, (agent, map, cell): Sighting) -> Option<Seat> {
        let screen = self.number_of(cell)?;
        let agents = self.agents.get_mut(screen as usize)?;
        let place = agents.len() as u32;
        agents.push((agent, cell));
        self.len += 1;
        Some(Seat { map, screen, place })
    }

    /// Removes an agent from its seat. Returns the agent that has the seat from now on, or the same
    /// agent if the seat is gone; `None` if the agent was not there.
    fn exit(&mut self, agent: Entity, seat: Seat) -> Option<Entity> {
        self.cell_mut(agent, seat)?;
        let agents = &mut self.agents[seat.screen as usize];
        agents.swap_remove(seat.place as usize);
        self.len -= 1;
        let heir = agents.get(seat.place as usize);
        Some(heir.map_or(agent, |&(heir, _)| heir))
    }

    /// Sets the cell of an agent. Returns whether that is still in the agent's screen.
    #[inline]
    fn follow(&mut self, agent: Entity, seat: Seat, cell: Cell) -> bool {
        let stays = self.number_of(cell) == Some(seat.screen);
        let known = self.cell_mut(agent, seat).filter(|_| stays);
        known.map(|known| *known = cell).is_some()
    }

    /// The cell of an agent; `None` if it is not in its seat.
    #[inline]
    fn cell_mut(&mut self, agent: Entity, seat: Seat) -> Option<&mut Cell> {
        let agents = self.agents.get_mut(seat.screen as usize)?;
        let (seated, cell) = agents.get_mut(seat.place as usize)?;
        (*seated == agent).then_some(cell)
    }
}

/// The seats of all agents in the [`Screens`] of their maps.
#[derive(Resource, Default)]
pub(crate) struct ScreenSeats {
    /// By the index of an entity.
    seats: Vec<Option<Seat>>,
    /// The last filling of the screens of each map. Seats do not refer to screens with another
    /// number. Only looked up, never iterated where order could show.
    fillings: EntityHashMap<u64>,
    last_filling: u64,
}

/// An agent that moved, or may have, with its map and its cell.
type Sighting = (Entity, Entity, Cell);

type Maps<'w, 's> = Query<'w, 's, (Entity, Option<&'static NavMap>, &'static mut Screens)>;

impl ScreenSeats {
    /// Empties screens that are new, or to which no seat refers. Returns whether it did.
    fn renew(&mut self, map: Entity, size: Option<Size>, mut screens: Mut<Screens>) -> bool {
        let size = size.unwrap_or(NO_SIZE);
        if screens.size == size && self.fillings.get(&map) == Some(&screens.filling) {
            return false;
        }
        self.last_filling += 1;
        screens.begin(size, self.last_filling);
        self.fillings.insert(map, self.last_filling);
        true
    }

    fn of_mut(&mut self, agent: Entity) -> Option<&mut Option<Seat>> {
        self.seats.get_mut(agent.index_u32() as usize)
    }

    /// Takes the seat of an agent.
    fn take(&mut self, agent: Entity) -> Option<Seat> {
        self.of_mut(agent)?.take()
    }

    /// Gives a seat to another agent of the screen.
    fn hand_on(&mut self, seat: Seat, heir: Entity) {
        if let Some(Some(of_heir)) = self.of_mut(heir) {
            *of_heir = seat;
        }
    }

    /// Moves an agent from its screen to the screen of its cell.
    fn cross(&mut self, sighting: Sighting, maps: &mut Maps) {
        let (agent, map, _) = sighting;
        if let Some(seat) = self.take(agent)
            && let Ok((.., mut screens)) = maps.get_mut(seat.map)
            && let Some(heir) = screens.exit(agent, seat)
        {
            self.hand_on(seat, heir);
        }
        if let Ok((.., mut screens)) = maps.get_mut(map)
            && let Some(seat) = screens.enter(sighting)
        {
            let index = agent.index_u32() as usize;
            if self.seats.len() <= index {
                self.seats.resize(index + 1, None);
            }
            self.seats[index] = Some(seat);
        }
    }

    /// Notes where agents are, and lists the agents that left their screen.
    fn follow(
        &self,
        sightings: impl Iterator<Item = Sighting>,
        maps: &mut Maps,
        crossers: &mut Vec<Sighting>,
    ) {
        // Agents in a row tend to be on one map.
        let mut last: Option<(Entity, Mut<Screens>)> = None;
        for sighting in sightings {
            let (agent, map, cell) = sighting;
            if last.as_ref().is_none_or(|&(entity, _)| entity != map) {
                let found = maps.get_mut(map);
                last = found.ok().map(|(map, _, screens)| (map, screens));
            }
            let seat = self.seats.get(agent.index_u32() as usize);
            let followed = match (&mut last, seat.copied().flatten()) {
                (Some((_, screens)), Some(seat)) if seat.map == map => {
                    screens.follow(agent, seat, cell)
                }
                // Neither was nor is in any screen.
                (None, None) => true,
                _ => false,
            };
            if !followed {
                crossers.push(sighting);
            }
        }
    }
}

type Agent = (Entity, &'static CellPosition, &'static OnMap);

/// Disabled agents are included: being disabled moves no agent.
type All = Allow<Disabled>;

type Moved = (Or<(Changed<CellPosition>, Changed<OnMap>)>, All);

/// Updates the screens of all maps.
pub(crate) fn update_screens(
    mut maps: Maps,
    moved: Query<Agent, Moved>,
    all: Query<Agent, All>,
    mut seats: ResMut<ScreenSeats>,
    mut crossers: Local<Vec<Sighting>>,
) {
    let seats = &mut *seats;
    if maps.is_empty() {
        seats.fillings.clear();
        seats.seats = Vec::new();
        return;
    }
    let (mut count, mut any_is_new) = (0, false);
    for (map, nav_map, screens) in &mut maps {
        count += 1;
        any_is_new |= seats.renew(map, nav_map.map(|map| map.grid().size()), screens);
    }
    if seats.fillings.len() > count {
        seats.fillings.retain(|&map, _| maps.contains(map));
    }
    crossers.clear();
    let sighting =
        |(agent, at, on_map): (Entity, &CellPosition, &OnMap)| (agent, on_map.0, at.cell);
    if any_is_new {
        seats.follow(all.iter().map(sighting), &mut maps, &mut crossers);
    } else {
        seats.follow(moved.iter().map(sighting), &mut maps, &mut crossers);
    }
    for &crosser in &*crossers {
        seats.cross(crosser, &mut maps);
    }
}

/// Removes an agent from its screen: called by a hook.
pub(super) fn leave_screen(world: &mut DeferredWorld, agent: Entity) {
    let seats = world.get_resource_mut::<ScreenSeats>();
    let Some(seat) = seats.and_then(|mut seats| seats.take(agent)) else {
        return;
    };
    let screens = world.get_mut::<Screens>(seat.map);
    let left = screens.and_then(|mut screens| screens.exit(agent, seat));
    if let Some(mut seats) = world.get_resource_mut::<ScreenSeats>() {
        match left {
            Some(heir) => seats.hand_on(seat, heir),
            // Screens that the game took away and puts back later must not hold agents that are
            // gone.
            None => _ = seats.fillings.remove(&seat.map),
        }
    }
}
