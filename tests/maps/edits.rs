//! Edits of the map around chasers: doors that close, walls that fall.

use bevy_ecs::prelude::*;
use nav::{
    Chaser, MapCommands, MoveTimer, NavMap, Period,
    maps::{EditMap, EditRefusal},
};
use nav_grid::{Area, Cell, Directions, Edit, Grid, Link};
use nav_tests::{REPATH_TICKS, STEP_TICKS, TestWorld, before_nav};

/// Two rooms with two doors, at rows 2 and 8 of column 5.
const ROOMS: [&str; 9] = [
    ".....#.....",
    ".....#.....",
    "...........",
    ".....#.....",
    ".....#.....",
    ".....#.....",
    ".....#.....",
    ".....#.....",
    "...........",
];
const NEAR_DOOR: Cell = Cell::new(5, 2);
const FAR_DOOR: Cell = Cell::new(5, 8);

/// Sets up a chaser in the left room and its target in the right one.
fn rooms() -> (TestWorld, Entity, Entity) {
    let mut world = TestWorld::new(&ROOMS);
    let target = world.target((10, 2));
    let chaser = world.chaser((0, 2), target);
    (world, chaser, target)
}

fn crosses(world: &TestWorld, chaser: Entity, cell: Cell) -> bool {
    world.cursor(chaser).path().iter().any(|at| at == cell)
}

#[test]
fn door_closes_on_path() {
    let (mut world, chaser, target) = rooms();
    world.tick(1);
    assert!(crosses(&world, chaser, NEAR_DOOR));
    world.edit(NEAR_DOOR, false);
    world.tick(1);
    // It searches in the same tick, though the interval is far from over.
    assert_eq!(world.searches(chaser), [1, 2]);
    let broken: Vec<_> = world
        .broken
        .iter()
        .map(|&(tick, m)| (tick, m.waypoint))
        .collect();
    assert_eq!(broken, [(2, NEAR_DOOR)]);
    assert_eq!(world.diagnostics().total.broken, 1);
    assert!(crosses(&world, chaser, FAR_DOOR));
    world.seconds(10);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn door_closes_elsewhere() {
    let (mut world, chaser, target) = rooms();
    world.tick(1);
    world.edit(FAR_DOOR, false);
    world.seconds(5);
    assert_eq!(world.searches(chaser), [1]);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn door_closes_and_reopens() {
    let (mut world, chaser, _) = rooms();
    world.tick(1);
    world.edit(NEAR_DOOR, false);
    world.edit(NEAR_DOOR, true);
    world.tick(5);
    assert_eq!(world.searches(chaser), [1]);
}

#[test]
fn door_opens_at_last() {
    let (mut world, chaser, target) = rooms();
    world.edit(NEAR_DOOR, false);
    world.edit(FAR_DOOR, false);
    world.seconds(8);
    assert_eq!(world.cell(chaser).x, 4, "as near as it can come");
    let searches = world.searches(chaser);
    assert!(searches.len() <= 2, "{searches:?}");
    world.edit(NEAR_DOOR, true);
    // It searches within an interval, at its period, and does not wait for the longer back-off. It
    // stands before the door, and may take it in the tick in which it finds the way.
    let waited = world
        .tick_until(|world| crosses(world, chaser, NEAR_DOOR) || world.cell(chaser) == NEAR_DOOR);
    assert!(waited <= REPATH_TICKS + STEP_TICKS, "{waited} ticks");
    world.seconds(5);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn waiting_pack_searches_in_turns() {
    let mut world = TestWorld::new(&ROOMS);
    world.edit(NEAR_DOOR, false);
    world.edit(FAR_DOOR, false);
    let classic = Chaser {
        fallback: nav_grid::query::Fallback::None,
        ..Chaser::default()
    };
    let chases: Vec<(Entity, Entity)> = (0..40)
        .map(|n| {
            let target = world.target((6 + n % 5, n % 9));
            (world.chaser_with(classic, (n % 5, n / 5), target), target)
        })
        .collect();
    world.seconds(10);
    assert_eq!(world.diagnostics().total.searches(), 40, "nothing changed");
    world.edit(NEAR_DOOR, true);
    let mut most = 0;
    for _ in 0..REPATH_TICKS + STEP_TICKS {
        world.tick(1);
        most = most.max(world.diagnostics().last_tick.searches());
    }
    // They step at the same moments, of which an interval has two.
    assert!((1..=25).contains(&most), "{most} searches in one tick");
    for &(chaser, _) in &chases {
        assert_eq!(world.searches(chaser).len(), 2);
    }
    world.seconds(10);
    for (chaser, target) in chases {
        assert!(world.is_beside(chaser, target));
    }
}

/// The game puts off the move tick of a stunned chaser.
#[test]
fn edit_keeps_stun() {
    let mut world = TestWorld::new(&ROOMS);
    world.edit(NEAR_DOOR, false);
    world.edit(FAR_DOOR, false);
    let target = world.target((10, 2));
    let chaser = world.chaser_with(Chaser::classic(), (0, 2), target);
    world.seconds(5);
    let until = world.clock().now().after(Period::from_millis(3000));
    world.get_mut::<MoveTimer>(chaser).next_step = until;
    world.edit(NEAR_DOOR, true);
    world.tick_until(|world| world.cell(chaser) != Cell::new(0, 2));
    assert_eq!(world.clock().now(), until);
}

#[test]
fn door_opens_on_straight_way() {
    let (mut world, chaser, target) = rooms();
    world.edit(NEAR_DOOR, false);
    world.tick(1);
    assert!(crosses(&world, chaser, FAR_DOOR));
    world.edit(NEAR_DOOR, true);
    // Two intervals: one since its last search, and one for its turn.
    let waited = world.tick_until(|world| crosses(world, chaser, NEAR_DOOR));
    assert!(waited <= 2 * REPATH_TICKS, "{waited} ticks");
    assert_eq!(world.searches(chaser).len(), 2);
    world.seconds(6);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn far_edit_wakes_nobody() {
    let grid = Grid::from_fn(400, 9, |cell| cell.x != 20).unwrap();
    let mut world = TestWorld::on(grid);
    let target = world.target((25, 4));
    let chaser = world.chaser_with(Chaser::classic(), (15, 4), target);
    world.seconds(5);
    assert_eq!(world.searches(chaser), [1]);
    // Its window ends in the second tile of 64 columns at the latest.
    world.edit((300, 4), false);
    world.seconds(5);
    assert_eq!(world.searches(chaser), [1]);
    world.edit((20, 4), true);
    world.seconds(5);
    assert_eq!(world.searches(chaser).len(), 2);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn new_corner_forbids_diagonal() {
    let mut world = TestWorld::open(10, 10);
    let target = world.target((7, 7));
    let chaser = world.chaser((1, 1), target);
    world.tick(1);
    // The corner is beside the diagonal, not on it.
    world.edit((4, 5), false);
    world.tick(1);
    assert_eq!(world.searches(chaser), [1, 2]);
    world.seconds(5);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn chaser_without_ground_stays() {
    let mut world = TestWorld::open(9, 9);
    let target = world.target((8, 8));
    let chaser = world.chaser((4, 4), target);
    world.tick(1);
    let at = world.cell(chaser);
    world.edit(Area::new(Cell::new(0, 0), Cell::new(8, 8)), false);
    world.seconds(10);
    assert_eq!(world.cell(chaser), at);
    assert!(!world.failures(chaser).is_empty());
}

#[test]
fn wall_falls_on_target() {
    let mut world = TestWorld::open(20, 5);
    let target = world.target((15, 2));
    let chaser = world.chaser((2, 2), target);
    world.seconds(1);
    world.edit((15, 2), false);
    world.seconds(5);
    assert!(world.arrivals(chaser).is_empty());
    world.edit((15, 2), true);
    world.seconds(5);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn edit_of_another_map() {
    let (mut world, chaser, _) = rooms();
    let elsewhere = world.add_map(&ROOMS);
    let target = world.target((10, 2));
    let other = world.chaser((0, 2), target);
    for agent in [target, other] {
        world
            .world()
            .entity_mut(agent)
            .insert(nav::OnMap(elsewhere));
    }
    world.tick(1);
    world.edit(NEAR_DOOR, false);
    world.tick(1);
    assert_eq!(world.searches(chaser), [1, 2]);
    assert_eq!(world.searches(other), [1]);
}

#[test]
fn door_closes_on_partial_path() {
    let (mut world, chaser, target) = rooms();
    world.edit(NEAR_DOOR, false);
    world.edit(FAR_DOOR, false);
    world.tick(2);
    assert_eq!(world.get::<nav::NavTimer>(chaser).failures(), 1);
    let next = world.cursor(chaser).path().peek().unwrap();
    world.edit(next, false);
    world.edit(FAR_DOOR, true);
    world.tick(1);
    // The back-off belonged to the old ground.
    assert_eq!(world.searches(chaser), [1, 3]);
    world.seconds(10);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn door_closed_by_command() {
    #[derive(Resource)]
    struct Closing(Entity);

    let (mut world, chaser, target) = rooms();
    let map = world.map;
    world.world().insert_resource(Closing(map));
    before_nav(
        &mut world.app,
        |closing: Option<Res<Closing>>, mut commands: Commands, mut ticks: Local<u32>| {
            *ticks += 1;
            if let Some(closing) = closing.filter(|_| *ticks == 3) {
                commands.edit_map(closing.0, Edit::Walkable(NEAR_DOOR.into(), false));
            }
        },
    );
    world.tick(3);
    assert_eq!(world.broken.len(), 1);
    assert!(crosses(&world, chaser, FAR_DOOR));
    world.seconds(10);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn refused_edit_is_reported() {
    let (mut world, chaser, _) = rooms();
    let map = world.map;
    let outside = Edit::Walkable(Cell::new(90, 2).into(), false);
    let dear = Edit::Cost(NEAR_DOOR.into(), 99);
    for (entity, edit) in [(map, outside), (chaser, dear), (map, dear)] {
        EditMap { map: entity, edit }.apply(world.world());
    }
    let gone = world.world().spawn_empty().id();
    world.world().despawn(gone);
    EditMap {
        map: gone,
        edit: dear,
    }
    .apply(world.world());
    world.tick(1);
    let reasons: Vec<String> = world
        .refused
        .iter()
        .map(|(_, m)| m.reason.to_string())
        .collect();
    assert_eq!(
        reasons,
        [
            "90,2 is outside the grid of 11x9 cells",
            "the entity is no map",
            "step cost 99 is out of range: it must be 0, for blocked, to 64",
            "the entity is no map",
        ]
    );
    assert_eq!(world.refused[3].1.reason, EditRefusal::NoMap);
}

#[test]
fn every_kind_of_edit() {
    let edits: [fn(&mut NavMap); 3] = [
        |map| _ = map.set_cost(NEAR_DOOR, 0).unwrap(),
        |map| _ = map.set_exits(NEAR_DOOR, Directions::NONE).unwrap(),
        |map| _ = map.apply(&Edit::Walkable(NEAR_DOOR.into(), false)).unwrap(),
    ];
    for edit in edits {
        let (mut world, chaser, _) = rooms();
        world.tick(1);
        let map = world.map;
        edit(&mut world.get_mut::<NavMap>(map));
        world.tick(1);
        assert_eq!(world.broken.len(), 1);
        assert!(crosses(&world, chaser, FAR_DOOR));
    }
}

#[test]
fn ladder_is_removed() {
    let mut world = TestWorld::new(&["...#...", "...#..."]);
    let (foot, head) = (Cell::new(2, 0), Cell::new(4, 0));
    let map = world.map;
    world
        .get_mut::<NavMap>(map)
        .set_link(Link::new(foot, head))
        .unwrap();
    let target = world.target((6, 1));
    let chaser = world.chaser((0, 0), target);
    world.tick(1);
    assert!(crosses(&world, chaser, head));
    world
        .get_mut::<NavMap>(map)
        .remove_link(foot, head)
        .unwrap();
    world.tick(1);
    assert_eq!(world.broken.len(), 1);
    assert_eq!(world.broken[0].1.waypoint, head);
    world.seconds(5);
    assert!(world.cell(chaser).x < 3);
}

#[test]
fn dearer_ground_breaks_no_path() {
    let (mut world, chaser, _) = rooms();
    world.tick(1);
    let map = world.map;
    let middle = Area::new(Cell::new(3, 0), Cell::new(7, 4));
    world
        .get_mut::<NavMap>(map)
        .set_exits(Cell::new(9, 8), Directions::NONE)
        .unwrap();
    let walkable: Vec<Cell> = middle.cells().filter(|cell| cell.x != 5).collect();
    for cell in walkable {
        world.get_mut::<NavMap>(map).set_cost(cell, 9).unwrap();
    }
    world.tick(1);
    assert_eq!((world.searches(chaser), world.broken.len()), (vec![1], 0));
}

#[test]
fn map_is_replaced() {
    let (mut world, chaser, target) = rooms();
    world.tick(1);
    let map = world.map;
    let mut other = world.get::<NavMap>(map).grid().clone();
    other.set_walkable(NEAR_DOOR, false).unwrap();
    world.world().entity_mut(map).insert(NavMap::new(other));
    world.tick(1);
    assert_eq!(world.broken.len(), 1);
    *world.get_mut::<NavMap>(map) = NavMap::new(Grid::open(11, 9).unwrap());
    world.seconds(8);
    assert!(world.is_beside(chaser, target));
}
