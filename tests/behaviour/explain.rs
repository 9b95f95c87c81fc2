//! Why agents stand, as [`explain`] says it: a scene for each reason.

use bevy_ecs::{entity_disabling::Disabled, prelude::*};
use nav::{
    Body, Chaser, Chasing, GoTo, Guidance, OnMap, Paused, Period, explain,
    explain::{MissingWay, Standing, Task, explain_way},
};
use nav_behaviour::{Flee, Leash};
use nav_grid::{Cell, Limits, Link, rules::LinkKind};
use nav_tests::{TestWorld, scenes::app_with_behaviours};

fn why(world: &TestWorld, agent: Entity) -> Option<Standing> {
    explain(world.app.world(), agent).stands
}

/// A wall with a gap below, a player on the right and a chaser on the left.
fn wall() -> (TestWorld, Entity, Entity) {
    let rows = [
        "......#......",
        "......#......",
        "......#......",
        "......#......",
    ];
    let mut world = TestWorld::with_app(app_with_behaviours(), &rows[..]);
    let player = world.target((10, 1));
    let npc = world.chaser((2, 1), player);
    (world, npc, player)
}

#[test]
fn agents_without_what_they_need() {
    type Change = fn(&mut World, [Entity; 3]);
    let cases: [(Change, &str); 8] = [
        (|world, [npc, ..]| _ = world.despawn(npc), "it is no agent"),
        (
            |world, [npc, ..]| _ = world.entity_mut(npc).insert(Disabled),
            "it is disabled",
        ),
        (
            |world, [npc, ..]| _ = world.entity_mut(npc).remove::<Chaser>(),
            "it is no chaser",
        ),
        (
            |world, [npc, ..]| _ = world.entity_mut(npc).remove::<Chasing>(),
            "nobody to chase",
        ),
        (
            |world, [npc, ..]| _ = world.entity_mut(npc).remove::<OnMap>(),
            "the chaser is on no map",
        ),
        (
            |world, [_, player, _]| _ = world.entity_mut(player).remove::<OnMap>(),
            "the target is on no map",
        ),
        (
            |world, [_, player, away]| _ = world.entity_mut(player).insert(OnMap(away)),
            "on different maps",
        ),
        (
            |world, [npc, ..]| _ = world.entity_mut(npc).insert(Paused::default()),
            "it is paused",
        ),
    ];
    for (change, words) in cases {
        let (mut world, npc, player) = wall();
        let away = world.add_map(&["....."][..]);
        change(world.world(), [npc, player, away]);
        let said = explain(world.app.world(), npc).to_string();
        assert!(said.contains(words), "{said}");
    }
    let (world, _, player) = wall();
    assert_eq!(explain(world.app.world(), player).task, Task::None);
}

#[test]
fn walls_and_limits() {
    let (mut world, npc, player) = wall();
    world.seconds(4);
    assert_eq!(why(&world, npc), Some(Standing::NoWay));
    let missing = explain_way(world.app.world(), npc);
    assert!(
        matches!(missing, Some(MissingWay::Everywhere(_))),
        "{missing:?}"
    );
    let said = explain(world.app.world(), npc);
    assert_eq!(
        said.task,
        Task::Chase {
            target: player,
            at: Some(Cell::new(10, 1))
        }
    );
    let said = said.to_string();
    assert!(
        said.contains("once the target, the map or its rules change"),
        "{said}"
    );
    // Another end of a corridor, beyond the window of the chaser.
    let mut world = TestWorld::open(60, 3);
    let player = world.target((55, 1));
    let tuning = Chaser {
        limits: Limits::window(9),
        method: nav_grid::Method::AStar,
        ..Chaser::default()
    };
    let npc = world.chaser_with(tuning, (2, 1), player);
    world.tune(npc, |chaser| {
        chaser.fallback = nav_grid::query::Fallback::None;
    });
    world.seconds(3);
    assert_eq!(why(&world, npc), Some(Standing::NoWay));
    let missing = explain_way(world.app.world(), npc);
    assert!(
        matches!(missing, Some(MissingWay::WithinLimits(_))),
        "{missing:?}"
    );
    assert_eq!(explain_way(world.app.world(), player), None);
}

#[test]
fn steps_and_reach() {
    let mut world = TestWorld::open(20, 5);
    let player = world.target((15, 2));
    let npc = world.chaser((2, 2), player);
    assert_eq!(why(&world, npc), Some(Standing::NotSearched));
    world.seconds(1);
    let said = explain(world.app.world(), npc);
    assert_eq!((said.stands, said.follows), (None, Some(Guidance::OwnPath)));
    world.seconds(5);
    assert_eq!(why(&world, npc), Some(Standing::Reached(1)));
    world.stop(npc);
    world.insert(npc, GoTo(Cell::new(1, 2)));
    world.tick(2);
    assert_eq!(
        explain(world.app.world(), npc).task,
        Task::Walk(Some(Cell::new(1, 2)))
    );
}

#[test]
fn bodies_and_links() {
    let mut world = TestWorld::new(&["############", "............", "############"]);
    let player = world.target((11, 1));
    let rock = world.target((6, 1));
    world.insert(rock, Body::default());
    let npc = world.chaser((3, 1), player);
    world.insert(npc, Body::default());
    world.seconds(4);
    assert_eq!(why(&world, npc), Some(Standing::Bodies(vec![rock])));

    let mut world = TestWorld::new(&["....#....", "....#...."]);
    let kind = LinkKind::new(1).unwrap();
    let ladder = Link::new(Cell::new(3, 1), Cell::new(5, 1))
        .with_kind(kind)
        .with_millis(3000);
    world.nav_map().set_link(ladder).unwrap();
    let player = world.target((8, 1));
    let npc = world.chaser((2, 1), player);
    world.seconds(1);
    let said = explain(world.app.world(), npc);
    assert_eq!(said.stands, Some(Standing::OnLink(Cell::new(5, 1))));
    let left = said.until.unwrap().0 - said.now.0;
    assert!((1_000_000_000..3_000_000_000).contains(&left), "{left}");
}

#[test]
fn behaviours_add_a_line() {
    let (mut world, npc, player) = wall();
    world.insert(npc, Leash::new(9));
    world.insert(
        npc,
        Flee::from_danger(player).for_period(Period::from_millis(60_000)),
    );
    world.tick(3);
    let said = explain(world.app.world(), npc).to_string();
    assert!(
        said.contains("It flees from") && said.contains("afterwards"),
        "{said}"
    );
}
