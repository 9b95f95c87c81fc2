//! Waiting requests: their order, their share of the budget, and changes meanwhile.

use super::{answer, answered, ask, dijkstra, loaded, long_way, to, wall_with_gap};
use bevy_app::App;
use bevy_ecs::prelude::*;
use nav::{
    Chaser, Chasing, NavBudget, NavMap, OnMap,
    requests::{FindPathError, PathAnswer, PathRequest, ReachRequest, Want},
};
use nav_drawn::{
    Draw,
    tape::{Tape, replay},
};
use nav_grid::{
    Cell, Direction, Grid,
    query::{Fault, QueryEnd},
};
use nav_tests::{TestWorld, by_tier, scenes::app_with_behaviours};
use nav_trace::TracePlugin;

#[test]
fn removal_cancels() {
    let (mut world, request) = long_way();
    let [first, second, third] = [0; 3].map(|_| ask(&mut world, &request));
    world.tick(2);
    // One is searched, and the others wait.
    world.world().entity_mut(first).remove::<PathRequest>();
    world.world().despawn(second);
    world.tick_until(|world| answer(world, third).is_some());
    assert_eq!(answer(&world, first), None);
    world.tick(2);
    let expanded = world.diagnostics().last_tick.expanded;
    assert_eq!(expanded, 0, "nothing is searched for who is gone");
}

#[test]
fn edits_begin_again() {
    let (mut world, request) = long_way();
    let asker = ask(&mut world, &request);
    world.tick(3);
    assert_eq!(answer(&world, asker), None);
    // First a wall beside the start with one gap, and then an entirely different map.
    let beside = wall_with_gap(&mut world);
    world.tick(3);
    assert_eq!(answer(&world, asker), None);
    let grid = Grid::open(150, 90).expect("a map of this size");
    world.nav_map().set_walkable(beside, true).expect("a part");
    world.tick(2);
    *world.nav_map() = NavMap::plain(grid.clone());
    world.tick_until(|world| answer(world, asker).is_some());
    let cost = answer(&world, asker).map(|answer| answer.clone().map(|route| route.outcome.cost));
    assert_eq!(cost.and_then(Result::ok), dijkstra(&grid, &request));
}

#[test]
fn changes_keep_the_turn() {
    let (mut world, request) = long_way();
    let first = ask(&mut world, &request);
    world.tick(1);
    let second = ask(&mut world, &request);
    world.tick(1);
    let off = Cell::new(900, 900);
    world.get_mut::<PathRequest>(first).to = off;
    world.tick(1);
    let expected = Err(FindPathError::Invalid(QueryEnd::Goal, Fault::OutsideMap));
    assert_eq!(answer(&world, first), Some(&expected));
    assert_eq!(answer(&world, second), None);
    let asked = &world.get::<PathAnswer>(first).request;
    assert_eq!(asked, &to(&request, off));
}

#[test]
fn digest_covers_waiting_requests() {
    let (mut world, request) = long_way();
    let (mut other, _) = long_way();
    let asker = ask(&mut world, &request);
    ask(&mut other, &to(&request, request.from));
    let digests = |world: &mut TestWorld, other: &mut TestWorld| (world.digest(), other.digest());
    let (one, two) = digests(&mut world, &mut other);
    assert_ne!(one, two, "another goal");
    world.tick(2);
    let waits = world.digest();
    world.world().entity_mut(asker).remove::<PathRequest>();
    assert_ne!(world.digest(), waits);
}

/// Spawns near and far requests, some from NPCs, on a map that prepares itself, under a small
/// budget.
fn busy(budget: u32, near: usize) -> (TestWorld, Vec<Entity>, Draw) {
    busy_in(nav_testing::app(), budget, near)
}

fn busy_in(app: App, budget: u32, near: usize) -> (TestWorld, Vec<Entity>, Draw) {
    let mut draw = Draw::new(5);
    let grid = mapgen::generate(mapgen::Kind::Rooms, 150, 90, 7).expect("a map of this size");
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    let mut world = TestWorld::with_app(app, grid);
    world.world().insert_resource(NavBudget::Units(budget));
    let player = world.target(cells[40]);
    let npcs: Vec<Entity> = (0..20)
        .map(|n| world.chaser(cells[n * 600 % cells.len()], player))
        .collect();
    let mut askers = Vec::new();
    for n in 0..near {
        let from = draw.one_of(&cells);
        let to = if n % 4 == 0 {
            draw.one_of(&cells)
        } else {
            let close = |cell: &&Cell| cell.chebyshev(from) < 12;
            *cells.iter().rfind(close).expect("itself")
        };
        let request = PathRequest::new(from, to);
        if let Some(&npc) = npcs.get(n).filter(|_| n % 3 == 0) {
            world.insert(npc, request);
            askers.push(npc);
        } else {
            askers.push(ask(&mut world, &request));
        }
    }
    (world, askers, draw)
}

#[test]
fn saved_while_they_wait() {
    for at in [0, 1, 7, 30] {
        let (mut original, askers, _) = busy(300, 60);
        original.tick(at);
        assert!(answered(&original, &askers) < askers.len(), "at {at}");
        let (mut loaded, entities) = loaded(&mut original);
        for tick in 0..150 {
            assert_eq!(
                loaded.digest(),
                original.digest(),
                "saved at {at}, {tick} later"
            );
            for &asker in &askers {
                let there = loaded.app.world().get::<PathAnswer>(entities[&asker]);
                assert_eq!(there, original.app.world().get(asker));
            }
            original.tick(1);
            loaded.tick(1);
        }
        assert!(answered(&original, &askers) > 10);
    }
}

#[test]
fn traces_replay_requests() {
    let mut app = app_with_behaviours();
    app.add_plugins(TracePlugin::default());
    let (mut world, askers, mut draw) = busy_in(app, 300, 60);
    let tape = Tape::start(&mut world.app);
    // The recording begins after this tick.
    world.tick(1);
    let ground: Vec<Cell> = world.grid().walkable_cells().collect();
    for n in 0..120 {
        let request = PathRequest::new(draw.one_of(&ground), draw.one_of(&ground));
        let asker = askers[n % askers.len()];
        if n % 5 == 0 {
            world.world().entity_mut(asker).remove::<PathAnswer>();
            world.insert(asker, request);
        } else if n % 11 == 3 {
            world.insert(asker, request.within_sight(6));
            world.insert(asker, ReachRequest::new(draw.one_of(&ground), 12));
        } else if n % 7 == 0 {
            world.world().entity_mut(asker).remove::<PathRequest>();
            ask(&mut world, &request);
        }
        world.tick(1);
    }
    let (trace, _) = tape.finish(&mut world.app);
    if let Err(difference) = replay(&trace) {
        panic!("{difference}");
    }
}

#[test]
fn neither_side_starves() {
    // Many far chasers of a walking target each, and many far requests.
    for budget in [60, 400, 2_000] {
        let (mut world, askers, mut draw) = busy(budget, 400);
        let map = world.map;
        let ground: Vec<Cell> = world.grid().walkable_cells().collect();
        for _ in 0..200 {
            let at = nav::CellPosition::at(draw.one_of(&ground));
            let alone = world.world().spawn((OnMap(map), at)).id();
            world.chaser(draw.one_of(&ground), alone);
        }
        world.seconds(by_tier(20, 60));
        let searches = world.diagnostics().total.searches();
        let count = answered(&world, &askers);
        assert!(count > 10, "{budget}: {count} requests are answered");
        assert!(searches > 10, "{budget}: {searches} searches of chasers");
    }
}

#[test]
fn near_requests_pass_far_ones() {
    // So small a budget holds no whole near search for certain.
    let (mut world, far) = long_way();
    let before: Vec<Entity> = (0..3).map(|_| ask(&mut world, &far)).collect();
    world.tick(1);
    let beside = far.from.step(Direction::East).expect("a cell of the map");
    let near = ask(&mut world, &to(&far, beside));
    let mut after = Vec::new();
    for _ in 0..2_000 {
        after.push(ask(&mut world, &far));
        world.tick(1);
        if answer(&world, near).is_some() {
            assert_eq!(answered(&world, &before), before.len());
            assert_eq!(answered(&world, &after), 0);
            return;
        }
    }
    panic!("the near one is not answered");
}

#[test]
fn budget_bounds_the_work() {
    let (mut world, askers, _) = busy(300, 200);
    let mut taken = 0;
    for _ in 0..400 {
        world.tick(1);
        let expanded = world.diagnostics().last_tick.expanded;
        assert!(expanded <= 300, "{expanded}");
        taken += expanded;
        if answered(&world, &askers) == askers.len() {
            return;
        }
    }
    assert!(
        taken > 300 * 400 * 9 / 10,
        "{taken}: it is used while somebody waits"
    );
}

#[test]
fn first_asked_is_first() {
    let (mut world, far) = long_way();
    let near = PathRequest::new(far.from, far.from);
    let mut askers: Vec<Vec<Entity>> = vec![Vec::new(), Vec::new()];
    for _ in 0..20 {
        for (kind, request) in [&near, &far].into_iter().enumerate() {
            let mut request = request.clone();
            // Their goals lie side by side, so that all take about as long.
            request.to.x = request.to.x.saturating_sub(u16::from(kind == 1));
            askers[kind].push(ask(&mut world, &request));
        }
        world.tick(1);
    }
    for _ in 0..2_000 {
        world.tick(1);
        for asked in &askers {
            let count = answered(&world, asked);
            let first = answered(&world, &asked[..count]);
            assert_eq!(first, count, "those who asked first");
        }
    }
    for asked in &askers {
        assert_eq!(answered(&world, asked), asked.len());
    }
}

#[test]
fn chasers_walk_while_they_ask() {
    let mut world = TestWorld::open(40, 40);
    let player = world.target((30, 20));
    let npc = world.chaser((4, 20), player);
    world.tick(20);
    let before = world.cell(npc);
    let request = PathRequest::new(Cell::new(0, 0), Cell::new(39, 39));
    world.insert(npc, request.clone().wanting(Want::Cost));
    world.tick(20);
    assert!(answer(&world, npc).is_some_and(Result::is_ok));
    assert!(world.cell(npc).x > before.x);
    assert!(world.app.world().entity(npc).contains::<Chasing>());
    assert!(world.app.world().entity(npc).contains::<Chaser>());
}
