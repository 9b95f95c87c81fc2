//! The agents in the view of a watcher.

use super::scene::{Watched, app_with_sync, appeared, id_of, vanished};
use bevy_ecs::prelude::*;
use nav::{CellPosition, NavMap, OnMap};
use nav_grid::{
    Cell, Frame, Grid, Size,
    map::{Axes, FloorHeights},
};
use nav_protocol::{AgentKind, Ask, Request, Update};
use nav_sync::{SyncId, Watcher};

fn start_of(updates: &[Update]) -> usize {
    let starts = updates
        .iter()
        .filter(|update| matches!(update, Update::Start(_)));
    starts.count()
}

#[test]
fn chaser_out_of_view() {
    // The watcher is in the screen of columns 23 to 45 and rows 14 to 27, so it sees columns 0 to
    // 68 and rows 0 to 41.
    let mut watched = Watched::open(120, 80, (30, 20));
    let mut resting = |at, target| {
        let target = watched.world.target(target);
        watched.world.chaser(at, target)
    };
    let seen = resting((68, 41), (67, 41));
    let beyond = resting((69, 41), (70, 41));
    let below = resting((68, 42), (68, 43));
    let updates = watched.ticks(3);
    assert_eq!(start_of(&updates), 1);
    assert!(appeared(&updates).contains(&id_of(seen)));
    assert_eq!(appeared(&updates).len(), 2, "it and its target");
    for away in [beyond, below] {
        assert!(!appeared(&updates).contains(&id_of(away)));
    }
}

#[test]
fn chaser_leaves_view() {
    let mut watched = Watched::open(120, 40, (10, 10));
    let target = watched.world.target((100, 10));
    let chaser = watched.world.chaser((44, 10), target);
    let updates = watched.ticks(60);
    assert_eq!(appeared(&updates), [id_of(chaser)]);
    assert_eq!(vanished(&updates), [id_of(chaser)]);
    assert!(watched.world.cell(chaser).x > 45);
}

#[test]
fn chaser_enters_view_in_time() {
    let mut watched = Watched::open(120, 40, (10, 10));
    let target = watched.world.target((20, 10));
    let chaser = watched.world.chaser((50, 10), target);
    let mut updates = Vec::new();
    for _ in 0..60 {
        updates.extend(watched.ticks(1));
        let x = watched.world.cell(chaser).x;
        let is_seen = appeared(&updates).contains(&id_of(chaser));
        assert_eq!(is_seen, x <= 45, "at {x}");
    }
}

#[test]
fn late_watcher_sees_standing_agents() {
    let mut watched = Watched::open(60, 40, (10, 10));
    let target = watched.world.target((20, 10));
    let chaser = watched.world.chaser((15, 10), target);
    watched.ticks(60);
    let map = watched.world.map;
    let late = (Watcher::default(), OnMap(map), CellPosition::new(12, 12));
    watched.watcher = watched.world.world().spawn(late).id();
    let updates = watched.ticks(2);
    let mut expected = [id_of(target), id_of(chaser)];
    expected.sort_unstable();
    assert_eq!(appeared(&updates), expected);
}

#[test]
fn client_asks_for_whole_view() {
    let mut watched = Watched::open(60, 40, (10, 10));
    let target = watched.world.target((20, 10));
    watched.world.chaser((15, 10), target);
    watched.ticks(20);
    let watcher = watched.watcher;
    let mut starts = 0;
    for _ in 0..30 {
        let request = Request::from(Ask::Resync);
        watched.world.get_mut::<Watcher>(watcher).receive(&request);
        let updates = watched.ticks(1);
        starts += start_of(&updates);
        if start_of(&updates) == 1 {
            assert_eq!(appeared(&updates).len(), 2);
        }
    }
    assert_eq!(starts, 3, "every half second");
}

#[test]
fn despawned_agent_vanishes() {
    let mut watched = Watched::open(60, 40, (10, 10));
    let target = watched.world.target((20, 10));
    let chaser = watched.world.chaser((15, 10), target);
    watched.ticks(5);
    watched.world.world().despawn(chaser);
    let updates = watched.ticks(1);
    assert_eq!(vanished(&updates), [id_of(chaser)]);
}

#[test]
fn watcher_changes_map() {
    let mut watched = Watched::open(60, 40, (10, 10));
    let target = watched.world.target((20, 10));
    watched.world.chaser((15, 10), target);
    watched.ticks(5);
    let other = NavMap::new(Grid::open(30, 30).unwrap());
    let other = watched.world.world().spawn(other).id();
    let watcher = watched.watcher;
    watched
        .world
        .world()
        .entity_mut(watcher)
        .insert(OnMap(other));
    let updates = watched.ticks(3);
    assert_eq!(start_of(&updates), 1, "which forgets everybody");
    assert_eq!(appeared(&updates), [0; 0]);
    // Off all maps.
    let map = watched.world.map;
    watched.world.world().entity_mut(watcher).insert(OnMap(map));
    watched.ticks(3);
    watched.world.world().entity_mut(watcher).remove::<OnMap>();
    let updates = watched.ticks(3);
    assert_eq!(vanished(&updates).len(), 2);
}

#[test]
fn players_are_shown() {
    let mut watched = Watched::open(60, 40, (10, 10));
    let bystander = watched.world.target((11, 10));
    let player = watched.world.target((20, 10));
    watched.world.world().entity_mut(player).insert(SyncId(77));
    let updates = watched.ticks(2);
    assert_eq!(
        appeared(&updates),
        [77],
        "{bystander} has no number, and nobody chases it"
    );
    let kind = updates.iter().find_map(|update| match update {
        Update::Appear(appear) => Some(appear.kind),
        _ => None,
    });
    assert_eq!(kind, Some(AgentKind::Player));
    let mut places = Vec::new();
    for n in 0..20 {
        watched.world.put(player, (20 + n, 10));
        places.extend(
            watched
                .ticks(1)
                .into_iter()
                .filter_map(|update| match update {
                    Update::Place(place) => Some((place.id, place.at)),
                    _ => None,
                }),
        );
    }
    places.extend(
        watched
            .ticks(2)
            .into_iter()
            .filter_map(|update| match update {
                Update::Place(place) => Some((place.id, place.at)),
                _ => None,
            }),
    );
    assert!((9..=12).contains(&places.len()), "{places:?}");
    assert_eq!(
        places.last(),
        Some(&(77, [39.0, 0.0, 10.0])),
        "the last one is not forgotten"
    );
}

#[test]
fn height_of_storeys() {
    let grid = Grid::build(Size::new(30, 20).with_floors(2), |_| true).unwrap();
    let mut watched = Watched::on(grid, (10, 10));
    let frame = Frame::new([5.0, 1.0, 9.0], 1.0, Axes::Y_UP).unwrap();
    let frame = frame
        .with_heights(FloorHeights::Each(vec![1.0, 4.5]))
        .unwrap();
    {
        let mut map = watched.world.nav_map();
        let grid = map.grid().clone();
        *map = NavMap::with_frame(grid, frame);
    }
    let up = |x, y| Cell::new(x, y).on_floor(1);
    let below = watched.world.target((3, 3));
    let target = watched.world.target(up(20, 10));
    let chaser = watched.world.chaser(up(10, 10), target);
    let watcher = watched.watcher;
    watched.world.put(watcher, up(10, 10));
    let updates = watched.ticks(4);
    let ids = appeared(&updates);
    assert!(ids.contains(&id_of(chaser)) && !ids.contains(&id_of(below)));
    let paths = super::scene::paths_of(&updates, chaser);
    let path = paths.first().expect("it sets off");
    assert!(
        path.nav_path
            .iter()
            .all(|at| at[1].to_bits() == 4.5_f32.to_bits()),
        "{path:?}"
    );
    assert!(
        path.nav_path
            .iter()
            .all(|at| at[2].to_bits() == (-1.0_f32).to_bits()),
        "{path:?}"
    );
}

#[test]
fn large_crowd_in_view() {
    let mut watched = Watched::open(60, 40, (10, 10));
    let target = watched.world.target((50, 30));
    let chasers: Vec<Entity> = (0..40)
        .map(|n| watched.world.chaser((10 + n, 10), target))
        .collect();
    let watcher = watched.watcher;
    watched.world.get_mut::<Watcher>(watcher).most = 10;
    let updates = watched.ticks(1);
    let nearest: Vec<u64> = chasers[..10].iter().map(|&chaser| id_of(chaser)).collect();
    assert_eq!(appeared(&updates), nearest);
}

#[test]
fn unread_packets_are_bounded() {
    let mut watched = Watched::open(60, 40, (10, 10));
    watched.settings().heartbeat = 1;
    watched.world.tick(1000);
    let watcher = watched.watcher;
    assert!(watched.world.get::<Watcher>(watcher).waiting() <= 130);
    let packets = watched.tick();
    let first = packets.first().and_then(|packet| packet.updates.first());
    assert!(matches!(first, Some(Update::Start(_))), "{first:?}");
}

#[test]
fn no_ambiguous_systems() {
    let mut app = app_with_sync();
    nav_tests::forbid_ambiguity(&mut app, bevy_app::FixedUpdate);
    let mut watched = Watched::in_app(app, Grid::open(20, 20).unwrap(), (10, 10));
    watched.ticks(3);
}
