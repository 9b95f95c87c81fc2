//! The border of a process: solid bodies keep to its own cells, and to cells beyond that were lent.

use bevy_ecs::prelude::*;
use nav::{Body, Crowding, extend::DETOUR_RADIUS};
use nav_grid::{Area, Cell, Footprint, Grid};
use nav_tests::{STEP_TICKS, TestWorld};
use nav_zones::{Border, BorderPlugin, BorderStep};

/// Makes open ground whose first ten columns belong to this process.
fn bordered() -> TestWorld {
    let mut app = nav_tests::app();
    app.add_plugins(BorderPlugin::default());
    let mut world = TestWorld::with_app(app, Grid::open(40, 9).expect("a size that there is"));
    let own = Area::new(Cell::new(0, 0), Cell::new(9, u16::MAX));
    world.world().insert_resource(Border::around(own));
    world
}

fn solid(side: u8) -> Body {
    Body::solid(Footprint::new(side).expect("a size that there is"))
}

fn spawn(world: &mut TestWorld, at: (u16, u16), body: Body, target: Entity) -> Entity {
    let chaser = world.chaser(at, target);
    world.insert(chaser, body);
    chaser
}

fn wishes(world: &mut TestWorld) -> Vec<BorderStep> {
    world.world().resource::<Border>().wishes()
}

fn lend(world: &mut TestWorld, steps: &[BorderStep]) {
    let mut border = world.world().resource_mut::<Border>();
    border.lend(steps.iter().copied());
}

#[test]
fn waits_for_loan() {
    let mut world = bordered();
    let target = world.target((20, 4));
    let body = spawn(&mut world, (5, 4), solid(1), target);
    world.seconds(5);
    assert_eq!(world.cell(body), Cell::new(9, 4));
    let wished = wishes(&mut world);
    let step = BorderStep {
        agent: body,
        map: world.map,
        from: Cell::new(9, 4),
        to: Cell::new(10, 4),
    };
    assert_eq!(wished, [step]);
    // Its way was free: it neither pushes nor sleeps.
    assert_eq!(world.get::<Crowding>(body).waits, 0);
    // The loan comes between two of its move ticks.
    world.tick(2);
    lend(&mut world, &wished);
    world.tick(1);
    assert_eq!(world.cell(body), Cell::new(10, 4));
}

#[test]
fn late_loan_keeps_pace() {
    let mut world = bordered();
    // The steps as they would be without a border.
    let target = world.target((30, 4));
    let body = spawn(&mut world, (5, 4), solid(1), target);
    let mut cells = Vec::new();
    for _ in 0..20 * STEP_TICKS {
        world.tick(1);
        cells.push(world.cell(body).x);
        let wished = wishes(&mut world);
        if world.ticks().is_multiple_of(2) {
            lend(&mut world, &wished);
        }
    }
    let left = *cells.first().expect("some ticks");
    let went = world.cell(body).x - left;
    assert!((19..=20).contains(&went), "{went} steps: {cells:?}");
}

#[test]
fn withdrawn_request_stays_closed() {
    let mut world = bordered();
    let target = world.target((20, 4));
    let body = spawn(&mut world, (5, 4), solid(1), target);
    world.seconds(5);
    let [wished] = wishes(&mut world)[..] else {
        panic!("it waits");
    };
    for other in [Cell::new(10, 3), Cell::new(10, 5)] {
        lend(
            &mut world,
            &[BorderStep {
                to: other,
                ..wished
            }],
        );
        world.tick(2 * STEP_TICKS);
        assert_eq!(
            world.cell(body),
            Cell::new(9, 4),
            "{other} is not what it wants"
        );
    }
    world.put(body, (9, 7));
    world.tick(1);
    lend(&mut world, &[wished]);
    world.tick(1);
    assert!(world.cell(body).x <= 9, "it is elsewhere");
}

#[test]
fn no_request_with_free_cell() {
    let mut world = bordered();
    let target = world.target((9, 4));
    let bodies: Vec<Entity> = (0..4)
        .map(|n| spawn(&mut world, (3, 2 + n), solid(1), target))
        .collect();
    for _ in 0..10 * STEP_TICKS {
        world.tick(1);
        assert_eq!(wishes(&mut world), []);
    }
    assert!(bodies.iter().all(|&body| world.is_beside(body, target)));
    // Five bodies take the five places on this side; the sixth asks for a cell beyond.
    for n in 0..2 {
        spawn(&mut world, (2, 3 + n), solid(1), target);
    }
    world.seconds(10);
    let wished = wishes(&mut world);
    assert_eq!(wished.len(), 1, "{wished:?}");
    assert_eq!(wished[0].to.x, 10);
}

#[test]
fn no_request_for_occupied_cell() {
    let mut world = bordered();
    let target = world.target((20, 4));
    for y in 3..6 {
        let other = world.target((10, y));
        world.insert(other, Body::default());
    }
    spawn(&mut world, (9, 4), solid(1), target);
    world.tick(1);
    assert_eq!(wishes(&mut world), []);
}

#[test]
fn large_body_across_border() {
    let mut world = bordered();
    let target = world.target((2, 4));
    // Two of its three columns lie beyond.
    let body = spawn(&mut world, (9, 3), solid(3), target);
    world.seconds(5);
    assert!(world.is_beside(body, target), "it goes back by itself");
    let mut world = bordered();
    let target = world.target((10, 8));
    let body = spawn(&mut world, (9, 0), solid(3), target);
    world.tick(1);
    let wished = wishes(&mut world);
    assert_eq!(
        wished.len(),
        1,
        "each step along the border covers others' cells: {wished:?}"
    );
    assert_eq!(world.cell(body), Cell::new(9, 0));
}

#[test]
fn soft_bodies_and_ghosts_cross() {
    let mut world = bordered();
    let target = world.target((20, 4));
    let ghost = world.chaser((5, 3), target);
    let soft = spawn(&mut world, (5, 5), Body::soft(Footprint::ONE), target);
    world.seconds(8);
    assert!(world.is_beside(ghost, target) && world.is_beside(soft, target));
    assert_eq!(wishes(&mut world), []);
}

#[test]
fn removed_border() {
    let mut world = bordered();
    let target = world.target((20, 4));
    let body = spawn(&mut world, (5, 4), solid(1), target);
    world.seconds(5);
    assert_eq!(world.cell(body), Cell::new(9, 4));
    world.world().remove_resource::<Border>();
    world.seconds(5);
    assert!(world.is_beside(body, target));
}

#[test]
fn chased_body_waits_for_loan() {
    let mut world = bordered();
    let target = world.target((20, 4));
    let chased = spawn(&mut world, (8, 4), solid(1), target);
    world.chaser((1, 4), chased);
    world.seconds(2);
    let wished = wishes(&mut world);
    assert_eq!(world.cell(chased), Cell::new(9, 4));
    lend(&mut world, &wished);
    world.tick(1);
    assert_eq!(world.cell(chased), Cell::new(10, 4));
}

#[test]
fn no_push_across_border() {
    // The body in front could make room only beyond the border.
    let mut world = TestWorld::new(&["............", "#########..."]);
    let own = Area::new(Cell::new(0, 0), Cell::new(4, u16::MAX));
    world.world().insert_resource(Border::around(own));
    let (near, far) = (world.target((4, 0)), world.target((11, 0)));
    let settled = spawn(&mut world, (3, 0), solid(1), near);
    let behind = spawn(&mut world, (0, 0), solid(1), far);
    for _ in 0..u64::from(DETOUR_RADIUS) * STEP_TICKS {
        world.tick(1);
        assert!(world.cell(settled).x <= 4 && world.cell(behind).x <= 4);
    }
}
