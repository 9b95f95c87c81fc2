//! Which agents are in which view.

use crate::{
    agents::Agents, clock::SyncClock, read::speed, settings::SyncSettings, sync_id::SyncId,
    watcher::Watcher, wire,
};
use bevy_ecs::{prelude::*, query::QueryData};
use nav::{
    CellPosition, ChasedBy, Chaser, Chasing, Destination, MoveTimer, NavMap, OnMap, Screens,
    WorldPosition,
};
use nav_grid::{Cell, Frame};
use nav_protocol::AgentKind;

/// The view of one watcher.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) watcher: Entity,
    /// The map of the watcher.
    pub(crate) map: Option<Entity>,
    /// Slots of the agents in view.
    pub(crate) seen: Vec<u32>,
    /// Agents that entered (slots) and left (ids) in this tick. Slots of agents that left may be
    /// free.
    pub(crate) came: Vec<u32>,
    pub(crate) left: Vec<u64>,
    /// Whether the view must start again.
    pub(crate) is_new: bool,
    /// Ticks of the last look, the last start and the last packet; 0 for none.
    looked: u32,
    pub(crate) began: u32,
    pub(crate) written: u32,
    /// The tick length that was last sent.
    pub(crate) tick_micros: u32,
}

/// The views of all watchers, ordered by entity.
#[derive(Resource, Debug, Default)]
pub(crate) struct Views {
    pub(crate) all: Vec<View>,
    marks: Marks,
    /// Scratch memory: agents in the view being updated.
    here: Vec<u32>,
    order: Vec<(u32, usize)>,
    /// Scratch memory: slots to write about.
    pub(crate) slots: Vec<u32>,
}

/// The time at which each slot was last seen. Shows which agents entered or left a view.
#[derive(Debug, Default)]
struct Marks {
    marks: Vec<u32>,
    last: u32,
}

impl Marks {
    /// Returns two marks that no slot has.
    fn two_new(&mut self, slots: u32) -> (u32, u32) {
        self.marks.resize(slots as usize, 0);
        if self.last >= u32::MAX - 2 {
            self.marks.fill(0);
            self.last = 0;
        }
        self.last += 2;
        (self.last - 1, self.last)
    }

    fn mark(&mut self, slot: u32) -> &mut u32 {
        let slot = slot as usize;
        if self.marks.len() <= slot {
            self.marks.resize(slot + 1, 0);
        }
        &mut self.marks[slot]
    }
}

/// Components of watchers.
type WatcherColumns = (
    Entity,
    Option<(&'static OnMap, &'static CellPosition)>,
    &'static Watcher,
);

/// Components of an agent that enters its first view.
#[derive(QueryData)]
pub(crate) struct Newcomer {
    id: Option<&'static SyncId>,
    position: &'static CellPosition,
    world: Option<&'static WorldPosition>,
    is_chaser: Has<Chaser>,
    is_chased: Has<ChasedBy>,
    is_destination: Has<Destination>,
    chasing: Option<&'static Chasing>,
    timer: Option<&'static MoveTimer>,
}

/// Inserts [`Screens`] on the maps of watchers.
pub(crate) fn give_screens(
    watchers: Query<&OnMap, With<Watcher>>,
    maps: Query<(), (With<NavMap>, Without<Screens>)>,
    mut commands: Commands,
) {
    for on_map in &watchers {
        if maps.contains(on_map.0) {
            commands.entity(on_map.0).insert(Screens::default());
        }
    }
}

/// Updates the views of watchers within the limit, the longest not updated first.
pub(crate) fn update_views(
    clock: Res<SyncClock>,
    settings: Res<SyncSettings>,
    mut views: ResMut<Views>,
    mut agents: ResMut<Agents>,
    watchers: Query<WatcherColumns>,
    maps: Query<(&NavMap, &Screens)>,
    people: Query<Newcomer>,
) {
    let Views {
        all: views,
        marks,
        here,
        order,
        ..
    } = &mut *views;
    keep_to(views, &watchers, &mut agents);
    order.clear();
    let looked = views.iter().map(|view| view.looked);
    order.extend(looked.enumerate().map(|(number, looked)| (looked, number)));
    order.sort_unstable();
    let mut looks = settings.looks;
    for &(_, number) in &*order {
        if looks == 0 {
            break;
        }
        let view = &mut views[number];
        let Ok((_, place, watcher)) = watchers.get(view.watcher) else {
            continue;
        };
        view.looked = clock.tick;
        let map = place.map(|(on_map, _)| on_map.0);
        if view.map != map {
            view.map = map;
            view.is_new = true;
        }
        here.clear();
        if let Some((on_map, position)) = place
            && let Ok((nav_map, screens)) = maps.get(on_map.0)
        {
            let screen = screens.screen_of(position.cell);
            for entity in screens.around(screen) {
                looks = looks.saturating_sub(1);
                let known = agents.slot_of(entity);
                let slot = known.or_else(|| {
                    let newcomer = people.get(entity).ok()?;
                    add(&mut agents, entity, &newcomer, nav_map, &clock, &people)
                });
                here.extend(slot);
            }
            keep_nearest(here, usize::from(watcher.most), position, &agents);
        }
        view.see(here, marks, &mut agents);
    }
    agents.free_unseen();
}

impl View {
    /// Replaces the agents in view, and notes those that came and left.
    fn see(&mut self, here: &mut Vec<u32>, marks: &mut Marks, agents: &mut Agents) {
        // Marks find arrivals and departures in O(agents), without sorting either list.
        let (before, now) = marks.two_new(agents.len());
        for &slot in &self.seen {
            *marks.mark(slot) = before;
        }
        for &slot in &*here {
            if *marks.mark(slot) != before {
                agents.enter(slot);
                self.came.push(slot);
            }
            *marks.mark(slot) = now;
        }
        for &slot in &self.seen {
            if *marks.mark(slot) == before {
                self.left.push(agents.get(slot).id);
                agents.leave(slot);
            }
        }
        std::mem::swap(&mut self.seen, here);
    }
}

/// Keeps exactly one view for each watcher.
fn keep_to(views: &mut Vec<View>, watchers: &Query<WatcherColumns>, agents: &mut Agents) {
    views.retain(|view| {
        let stays = watchers.contains(view.watcher);
        if !stays {
            view.seen.iter().for_each(|&slot| agents.leave(slot));
        }
        stays
    });
    if watchers.iter().len() == views.len() {
        return;
    }
    for (watcher, ..) in watchers {
        let place = views.binary_search_by_key(&watcher, |view| view.watcher);
        if let Err(place) = place {
            let view = View {
                watcher,
                map: None,
                seen: Vec::new(),
                came: Vec::new(),
                left: Vec::new(),
                is_new: true,
                looked: 0,
                began: 0,
                written: 0,
                tick_micros: 0,
            };
            views.insert(place, view);
        }
    }
}

/// Keeps the `most` nearest agents.
fn keep_nearest(here: &mut Vec<u32>, most: usize, position: &CellPosition, agents: &Agents) {
    if here.len() > most {
        if most > 0 {
            here.select_nth_unstable_by_key(most - 1, |&slot| {
                let agent = agents.get(slot);
                (agent.cell.chebyshev(position.cell), agent.id)
            });
        }
        here.truncate(most);
    }
}

/// Assigns a slot to an agent, if it is to be shown.
fn add(
    agents: &mut Agents,
    entity: Entity,
    newcomer: &NewcomerItem,
    map: &NavMap,
    clock: &SyncClock,
    people: &Query<Newcomer>,
) -> Option<u32> {
    let is_chased = newcomer.is_chased && !newcomer.is_destination;
    if !newcomer.is_chaser && !is_chased && newcomer.id.is_none() {
        return None;
    }
    let kind = if newcomer.is_chaser {
        AgentKind::Chaser
    } else {
        AgentKind::Player
    };
    let id = SyncId::of(entity, newcomer.id.copied());
    let slot = agents.add(entity, id.0, kind, clock.tick);
    let agent = agents.get_mut(slot);
    agent.cell = newcomer.position.cell;
    agent.at = place_of(map.frame(), newcomer.position, newcomer.world, None);
    agent.stand.speed = newcomer.timer.map_or(0.0, |timer| speed(map, timer));
    agent.stand.chases = newcomer.chasing.map(|chasing| {
        let given = people.get(chasing.0).ok().and_then(|target| target.id);
        SyncId::of(chasing.0, given.copied()).0
    });
    agent.stands(clock.tick, false);
    Some(slot)
}

/// Returns the place of an agent in the world: its [`WorldPosition`], or the middle of its cell.
///
/// `last` are the cell and the place that were known before. A world position that is not finite
/// leaves the agent there, as [`nav`] leaves it in its cell.
pub(crate) fn place_of(
    frame: &Frame,
    position: &CellPosition,
    world: Option<&WorldPosition>,
    last: Option<(Cell, [f32; 3])>,
) -> [f32; 3] {
    if let Some(world) = world {
        if let Some(place) = wire::place(world.0) {
            return place;
        }
        if let Some((_, place)) = last.filter(|&(cell, _)| cell == position.cell) {
            return place;
        }
    }
    frame.world_of(position.cell).map(wire::coordinate)
}
