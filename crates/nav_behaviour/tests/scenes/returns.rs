//! Returns at the end of a leash, and the walks of a game around them.

use super::scene::{TestWorld, changes, open_with_behaviours};
use bevy_app::Last;
use bevy_ecs::prelude::*;
use nav::{CellPosition, Chaser, Chasing, GoTo, GoToEnd, GoToEnded, OnMap, Period};
use nav_behaviour::{
    Activity, ActivityCause, GiveUp, Leash, Patrol, PatrolOrder, ReturnEnd, ReturnEnded, Returning,
    StuckWatch,
};
use nav_grid::{Cell, Grid};

fn is_returning(world: &TestWorld, npc: Entity) -> bool {
    world.app.world().get::<Returning>(npc).is_some()
}

/// The ends of walks and of returns that an agent reported, by messages and to observers.
#[derive(Resource, Default)]
struct Ends {
    walks: Vec<(Cell, GoToEnd)>,
    returns: Vec<(Cell, GoToEnd)>,
}

fn listen(world: &mut TestWorld) {
    let app = &mut world.app;
    app.init_resource::<Ends>()
        .add_observer(|ended: On<GoToEnded>, mut ends: ResMut<Ends>| {
            ends.walks.push((ended.cell, ended.end));
        })
        .add_observer(|ended: On<ReturnEnded>, mut ends: ResMut<Ends>| {
            ends.returns.push((ended.cell, ended.end));
        })
        .add_systems(
            Last,
            |mut messages: MessageReader<ReturnEnded>, mut read: Local<usize>, ends: Res<Ends>| {
                *read += messages.read().count();
                assert_eq!(*read, ends.returns.len(), "a message for each event");
            },
        );
}

/// An agent with an order to walk that it chases from.
fn walker(world: &mut TestWorld, to: (u16, u16)) -> Entity {
    let place = (CellPosition::new(5, 5), OnMap(world.map));
    let npc = (
        Chaser::default(),
        GoTo(to.into()),
        Leash::new(6),
        Activity::default(),
    );
    world.world().spawn((npc, place)).id()
}

/// Lets a walker chase until its leash ends that. Returns the cell where the chase began.
fn lure_away(world: &mut TestWorld, npc: Entity) -> Cell {
    world.seconds(3);
    let began = world.cell(npc);
    let player = world.target((began.x + 3, 25));
    world.chase(npc, player);
    world.tick_until(|world| is_returning(world, npc));
    began
}

#[test]
fn walk_goes_on_after_return() {
    let mut world = open_with_behaviours(60, 30);
    listen(&mut world);
    let npc = walker(&mut world, (50, 5));
    let began = lure_away(&mut world, npc);
    assert_eq!(
        world.get::<GoTo>(npc).0,
        Cell::new(50, 5),
        "the order stays"
    );
    world.tick_until(|world| !is_returning(world, npc));
    assert_eq!(world.cell(npc), began);
    world.tick_until(|world| world.app.world().get::<GoTo>(npc).is_none());
    let ends = world.app.world().resource::<Ends>();
    assert_eq!(ends.walks, [(Cell::new(50, 5), GoToEnd::Arrived)]);
    assert_eq!(ends.returns, [(began, GoToEnd::Arrived)]);
    let causes = changes(&world, npc);
    assert!(
        causes.contains(&(Activity::Walking, ActivityCause::Arrived)),
        "{causes:?}"
    );
    world.tick(2);
    assert_eq!(return_ends(&mut world), 0);
}

fn return_ends(world: &mut TestWorld) -> usize {
    let mut ends = world.world().query::<&ReturnEnd>();
    ends.iter(world.app.world()).count()
}

/// What a game does to an agent on its way back, and whether that ends the return.
type Order = (&'static str, fn(&mut TestWorld, Entity), bool);

#[test]
fn orders_on_the_way_back() {
    let orders: [Order; 6] = [
        ("nothing", |_, _| {}, false),
        (
            "another walk",
            |world, npc| world.insert(npc, GoTo(Cell::new(40, 20))),
            false,
        ),
        (
            "no mark",
            |world, npc| _ = world.world().entity_mut(npc).remove::<Returning>(),
            true,
        ),
        (
            "no chase",
            |world, npc| _ = world.world().entity_mut(npc).remove::<Chasing>(),
            true,
        ),
        (
            "no walk",
            |world, npc| _ = world.world().entity_mut(npc).remove::<GoTo>(),
            false,
        ),
        (
            "to another map",
            |world, npc| {
                let map = world.add_map(Grid::open(60, 30).unwrap());
                world.get_mut::<OnMap>(npc).0 = map;
            },
            false,
        ),
    ];
    for (name, order, ends_return) in orders {
        let mut world = open_with_behaviours(60, 30);
        listen(&mut world);
        let npc = walker(&mut world, (50, 5));
        let began = lure_away(&mut world, npc);
        world.tick(7);
        order(&mut world, npc);
        world.tick(1);
        assert_eq!(is_returning(&world, npc), !ends_return, "{name}");
        let goal = world.app.world().get::<GoTo>(npc).map(|go_to| go_to.0);
        world.seconds(20);
        let ends = world.app.world().resource::<Ends>();
        let back = [(began, GoToEnd::Arrived)];
        assert_eq!(ends.returns, back[..usize::from(!ends_return)], "{name}");
        let walks: Vec<_> = goal
            .into_iter()
            .map(|goal| (goal, GoToEnd::Arrived))
            .collect();
        assert_eq!(ends.walks, walks, "{name}");
        assert_eq!(world.cell(npc), goal.unwrap_or(began), "{name}");
        assert_eq!(return_ends(&mut world), 0, "{name}");
    }
}

/// A return that cannot end where it leads says why, and the walk goes on.
#[test]
fn returns_that_fail() {
    for gives_up in [true, false] {
        let mut world = open_with_behaviours(60, 30);
        listen(&mut world);
        let npc = walker(&mut world, (50, 5));
        if gives_up {
            let give_up = GiveUp {
                unreachable: Some(Period::from_millis(2000)),
                ..GiveUp::default()
            };
            world.insert(npc, give_up);
        } else {
            world.insert(npc, StuckWatch::default());
        }
        let began = lure_away(&mut world, npc);
        if gives_up {
            for cell in (0..9).map(|n| Cell::new(began.x - 1 + n % 3, began.y - 1 + n / 3)) {
                world.edit(cell, cell == began);
            }
        } else {
            // Held where it is, without its searches failing.
            world.judges_steps = false;
            let at = world.cell(npc);
            for _ in 0..400 {
                world.put(npc, at);
                world.tick(1);
                if !is_returning(&world, npc) {
                    break;
                }
            }
        }
        world.seconds(30);
        let ends = world.app.world().resource::<Ends>();
        let end = if gives_up {
            GoToEnd::Unreachable
        } else {
            GoToEnd::Stuck
        };
        assert_eq!(ends.returns, [(began, end)]);
        assert_eq!(ends.walks, [(Cell::new(50, 5), GoToEnd::Arrived)]);
    }
}

/// A patrol takes only the walks of its stops for visits.
#[test]
fn patrol_after_return() {
    let mut world = open_with_behaviours(60, 30);
    let stops = [Cell::new(40, 5), Cell::new(5, 5)];
    let place = (CellPosition::new(5, 5), OnMap(world.map));
    let npc = (
        Chaser::default(),
        Leash::new(6),
        Patrol::new(PatrolOrder::Loop, stops),
    );
    let npc = world.world().spawn((npc, place)).id();
    world.tick(3);
    let player = world.target((8, 25));
    world.chase(npc, player);
    world.tick_until(|world| is_returning(world, npc));
    world.tick_until(|world| !is_returning(world, npc));
    assert_eq!(
        world.get::<Patrol>(npc).next_stop().map(|stop| stop.cell),
        Some(stops[0])
    );
    world.tick_until(|world| world.cell(npc) == stops[0]);
}
