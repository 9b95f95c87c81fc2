//! Who is in whose view.

use crate::{
    agents::Agents, clock::SyncClock, read::speed, settings::SyncSettings, sync_id::SyncId,
    watcher::Watcher,
};
use bevy_ecs::{prelude::*, query::QueryData};
use nav::{
    CellPosition, ChasedBy, Chaser, Chasing, Destination, MoveTimer, NavMap, OnMap, Screens,
    WorldPosition,
};
use nav_grid::Frame;
use nav_protocol::AgentKind;

/// What is in the view of a watcher.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) watcher: Entity,
    /// The map that it is on.
    pub(crate) map: Option<Entity>,
    /// The slots of those in view.
    pub(crate) seen: Vec<u32>,
    /// Who came and who left in this tick: slots, and numbers of those who may be nowhere by now.
    pub(crate) came: Vec<u32>,
    pub(crate) left: Vec<u64>,
    /// Whether it is to begin anew.
    pub(crate) is_new: bool,
    /// The ticks in which it was looked at, began, and had a packet last; 0 for none.
    looked: u32,
    pub(crate) began: u32,
    pub(crate) written: u32,
    /// The length of a tick that was sent last.
    pub(crate) tick_micros: u32,
}

/// The views of all watchers, in the order of their entities.
#[derive(Resource, Debug, Default)]
pub(crate) struct Views {
    pub(crate) all: Vec<View>,
    marks: Marks,
    /// Those in the view that is looked at.
    here: Vec<u32>,
    order: Vec<(u32, usize)>,
    /// Slots of those of whom something is written: scratch memory.
    pub(crate) slots: Vec<u32>,
}

/// By slot, when it was seen last: tells who is new in a view and who is gone.
#[derive(Debug, Default)]
struct Marks {
    marks: Vec<u32>,
    last: u32,
}

impl Marks {
    /// Two marks that nobody has.
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

/// What is looked up of watchers.
type WatcherColumns = (
    Entity,
    Option<(&'static OnMap, &'static CellPosition)>,
    &'static Watcher,
);

/// What is looked up of somebody who comes into the first view.
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

/// Gives the maps of watchers screens.
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

/// Looks who is in the view of each watcher, as many as a tick may, longest not looked at first.
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
        let (before, now) = marks.two_new(agents.len());
        for &slot in &view.seen {
            *marks.mark(slot) = before;
        }
        for &slot in &*here {
            if *marks.mark(slot) != before {
                agents.enter(slot);
                view.came.push(slot);
            }
            *marks.mark(slot) = now;
        }
        for &slot in &view.seen {
            if *marks.mark(slot) == before {
                view.left.push(agents.get(slot).id);
                agents.leave(slot);
            }
        }
        std::mem::swap(&mut view.seen, here);
    }
    agents.free_unseen();
}

/// Has a view for each watcher, and for nobody else.
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

/// Keeps the `most` nearest of those in view.
fn keep_nearest(here: &mut Vec<u32>, most: usize, position: &CellPosition, agents: &Agents) {
    if here.len() > most {
        let distance = |&slot: &u32| {
            let agent = agents.get(slot);
            (agent.cell.chebyshev(position.cell), agent.id)
        };
        if most > 0 {
            here.select_nth_unstable_by_key(most - 1, distance);
        }
        here.truncate(most);
    }
}

/// Gives somebody a slot, if it is to be shown.
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
    agent.at = place_of(map.frame(), newcomer.position, newcomer.world);
    agent.stand.speed = newcomer.timer.map_or(0.0, |timer| speed(map, timer));
    agent.stand.chases = newcomer.chasing.map(|chasing| {
        let given = people.get(chasing.0).ok().and_then(|target| target.id);
        SyncId::of(chasing.0, given.copied()).0
    });
    agent.stands(clock.tick, false);
    Some(slot)
}

/// Where somebody is in the world: where the game says, or in the middle of its cell.
pub(crate) fn place_of(
    frame: &Frame,
    position: &CellPosition,
    world: Option<&WorldPosition>,
) -> [f32; 3] {
    let place = world.map_or_else(|| frame.world_of(position.cell), |world| world.0);
    place.map(|part| part as f32)
}
