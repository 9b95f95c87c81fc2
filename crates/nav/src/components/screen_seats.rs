//! The agents of [`Screens`], kept up to date: each has a seat in the screens of its map.

use super::{
    CellPosition, NavMap, OnMap,
    screens::{Entry, FREE, NO_SIZE, PAGE, Screens, Seat},
};
use bevy_ecs::{
    entity::EntityHashMap, entity_disabling::Disabled, prelude::*, query::Allow,
    world::DeferredWorld,
};
use nav_grid::{Cell, Size};

/// The functions that return an option return `None` if the agent is not where the caller looks for
/// it.
impl Screens {
    /// Empties the screens, to be filled with the agents on a map of some size.
    fn begin(&mut self, size: Size, filling: u64) {
        if self.size == size {
            let pages = self.pages.iter_mut().flatten();
            pages.flat_map(|page| page.iter_mut()).for_each(Vec::clear);
        } else {
            self.size = size;
            self.across = size.width.div_ceil(self.columns());
            self.down = size.height.div_ceil(self.rows());
            let floor = usize::from(self.across) * usize::from(self.down);
            let pages = (floor * usize::from(size.floors)).div_ceil(PAGE);
            self.pages = std::iter::repeat_with(|| None).take(pages).collect();
        }
        self.seats.clear();
        self.free.clear();
        self.filling = filling;
    }

    /// Gives an agent that is in no screen a seat, if its cell is on the map.
    fn enter(&mut self, agent: Entity, cell: Cell) -> Option<u32> {
        let screen = self.number_of(cell)?;
        let page = self.pages.get_mut(screen as usize / PAGE)?;
        let page = page.get_or_insert_with(|| Box::new([const { Vec::new() }; PAGE]));
        let entries = &mut page[screen as usize % PAGE];
        let seat = match self.free.pop() {
            Some(seat) => seat,
            None => u32::try_from(self.seats.len()).ok()?,
        };
        let taken = Seat {
            agent,
            screen,
            place: entries.len() as u32,
            cell,
        };
        entries.push(Entry { agent, seat });
        match self.seats.get_mut(seat as usize) {
            Some(free) => *free = taken,
            None => self.seats.push(taken),
        }
        Some(seat)
    }

    /// Removes an agent from its screen.
    fn exit(&mut self, agent: Entity, seat: u32) -> Option<()> {
        let left = self.seat_mut(agent, seat)?;
        let (screen, place) = (left.screen as usize, left.place as usize);
        left.place = FREE;
        self.free.push(seat);
        let page = self.pages.get_mut(screen / PAGE)?.as_mut()?;
        let entries = &mut page[screen % PAGE];
        if place < entries.len() {
            entries.swap_remove(place);
        }
        // The last agent of the screen has moved into the gap.
        let moved = entries.get(place).map(|moved| moved.seat as usize);
        if let Some(moved) = moved.and_then(|moved| self.seats.get_mut(moved)) {
            moved.place = place as u32;
        }
        Some(())
    }

    /// Sets the cell of an agent, if that is still in the agent's screen.
    #[inline]
    fn follow(&mut self, agent: Entity, seat: u32, cell: Cell) -> Option<()> {
        let screen = self.number_of(cell);
        let seat = self.seat_mut(agent, seat)?;
        if screen != Some(seat.screen) {
            return None;
        }
        seat.cell = cell;
        Some(())
    }

    #[inline]
    fn seat_mut(&mut self, agent: Entity, seat: u32) -> Option<&mut Seat> {
        let seat = self.seats.get_mut(seat as usize)?;
        (seat.agent == agent && seat.place != FREE).then_some(seat)
    }
}

/// The seats of all agents in the [`Screens`] of their maps.
///
/// A record may refer to screens that were removed, emptied or replaced since. It is valid only if
/// the seat belongs to the agent.
#[derive(Resource, Default)]
pub(crate) struct ScreenSeats {
    /// The map and the seat of an agent, by the index of its entity.
    records: Vec<Option<(Entity, u32)>>,
    /// The last filling of the screens of each map. Records do not refer to screens with another
    /// number. Only looked up, never iterated where order could show.
    fillings: EntityHashMap<u64>,
    last_filling: u64,
}

/// An agent that moved, or may have, with its map and its cell.
type Sighting = (Entity, Entity, Cell);

type Maps<'w, 's> = Query<'w, 's, (Entity, Option<&'static NavMap>, &'static mut Screens)>;

impl ScreenSeats {
    /// Empties screens that are new, or to which no record refers. Returns whether it did.
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

    fn record(&self, agent: Entity) -> Option<(Entity, u32)> {
        let record = self.records.get(agent.index_u32() as usize);
        record.copied().flatten()
    }

    /// Moves an agent from its screen to the screen of its cell.
    fn cross(&mut self, (agent, map, cell): Sighting, maps: &mut Maps) {
        let index = agent.index_u32() as usize;
        if let Some((map, seat)) = self.record(agent) {
            self.records[index] = None;
            if let Ok((_, _, mut screens)) = maps.get_mut(map) {
                // Does nothing in screens that were emptied since.
                screens.exit(agent, seat);
            }
        }
        let Ok((_, _, mut screens)) = maps.get_mut(map) else {
            return;
        };
        if let Some(seat) = screens.enter(agent, cell) {
            if self.records.len() <= index {
                self.records.resize(index + 1, None);
            }
            self.records[index] = Some((map, seat));
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
            let followed = match (&mut last, self.record(agent)) {
                (Some((_, screens)), Some((before, seat))) if before == map => {
                    screens.follow(agent, seat, cell).is_some()
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

/// Disabled agents are included: being disabled moves no agent.
type All = Allow<Disabled>;

type Moved = (Or<(Changed<CellPosition>, Changed<OnMap>)>, All);

/// Updates the screens of all maps.
pub(crate) fn update_screens(
    mut maps: Maps,
    moved: Query<(Entity, &CellPosition, &OnMap), Moved>,
    all: Query<(Entity, Ref<CellPosition>, Ref<OnMap>), All>,
    mut seats: ResMut<ScreenSeats>,
    mut renewed: Local<Vec<Entity>>,
    mut crossers: Local<Vec<Sighting>>,
) {
    let seats = &mut *seats;
    if maps.is_empty() {
        seats.fillings.clear();
        seats.records = Vec::new();
        return;
    }
    renewed.clear();
    let mut count = 0;
    for (map, nav_map, screens) in &mut maps {
        count += 1;
        if seats.renew(map, nav_map.map(|map| map.grid().size()), screens) {
            renewed.push(map);
        }
    }
    if seats.fillings.len() > count {
        seats.fillings.retain(|&map, _| maps.contains(map));
    }
    crossers.clear();
    if renewed.is_empty() {
        let sightings = moved.iter();
        let sightings = sightings.map(|(agent, at, on_map)| (agent, on_map.0, at.cell));
        seats.follow(sightings, &mut maps, &mut crossers);
    } else {
        renewed.sort_unstable();
        let sightings = all.iter().filter(|(_, at, on_map)| {
            let moved = at.is_changed() || on_map.is_changed();
            moved || renewed.binary_search(&on_map.0).is_ok()
        });
        let sightings = sightings.map(|(agent, at, on_map)| (agent, on_map.0, at.cell));
        seats.follow(sightings, &mut maps, &mut crossers);
    }
    for &crosser in &*crossers {
        seats.cross(crosser, &mut maps);
    }
}

/// Removes an agent from its screen: called by a hook.
pub(super) fn leave_screen(world: &mut DeferredWorld, entity: Entity) {
    let Some(mut seats) = world.get_resource_mut::<ScreenSeats>() else {
        return;
    };
    let record = seats.records.get_mut(entity.index_u32() as usize);
    let Some((map, seat)) = record.and_then(Option::take) else {
        return;
    };
    let screens = world.get_mut::<Screens>(map);
    let left = screens.and_then(|mut screens| screens.exit(entity, seat));
    // Screens that the game took away and puts back later must not hold agents that are gone.
    if left.is_none()
        && let Some(mut seats) = world.get_resource_mut::<ScreenSeats>()
    {
        seats.fillings.remove(&map);
    }
}
