//! What the digest covers: everything that a later tick depends on.
//!
//! Components and resources are taken apart as they are saved, and every number, flag and name in
//! them is changed, one at a time: each must give another digest. A field that is added later is
//! found in the same way.

use bevy_ecs::{component::Mutable, entity_disabling::Disabled, prelude::*};
use nav::{
    AgentId, AgentIds, Body, CellPosition, Chaser, Chasing, FieldAnchor, MoveTimer, NavBudget,
    NavClock, NavMap, NavTime, NavTimer, OnMap, PathCursor, Paused, Period, WorldPosition,
    behaviour::{
        ChaseRecord, Formation, FormationShape, GiveUp, GivenUp, GoTo, Home, InFormation,
        Intercept, KeepDistance, Leash, LeashFrom, Notice, Noticeable, Patrol, PatrolOrder,
        PatrolStop, Returning, StuckWatch, WalkEnd,
    },
};
use nav_grid::{
    Cell, Direction, Footprint, Frame, Grid, Limits, Link, Method, Rules, Size,
    map::{Axes, FloorHeights},
    rules::BodyPolicy,
};
use nav_tests::TestWorld;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::{any::type_name, fmt::Debug};

/// A world in which no field of any component is as it is by default.
fn busy() -> (TestWorld, Entity, Entity) {
    let mut grid = Grid::build(Size::new(12, 4).with_floors(2), |_| true).unwrap();
    grid.set_cost(Cell::new(3, 3), 5).unwrap();
    let exits = nav_grid::Directions::from(Direction::North);
    grid.set_exits(Cell::new(9, 3), exits).unwrap();
    grid.set_link(Link::new(Cell::new(1, 1), Cell::new(10, 1)).with_cost(7))
        .unwrap();
    let frame = Frame::new([-30.0, 4.0, 30.0], 0.25, Axes::Y_UP).unwrap();
    let heights = FloorHeights::Storeys(3.0);
    let frame = frame.with_heights(heights).unwrap();
    let mut world = TestWorld::on(Grid::open(1, 1).unwrap());
    world.map = world.world().spawn(NavMap::with_frame(grid, frame)).id();
    let target = world.target((10, 2));
    let mut tuning = Chaser {
        limits: Limits {
            radius: 30,
            ..Limits::default()
        },
        ..Chaser::default()
    };
    tuning.rules.bodies = BodyPolicy::AvoidNear(3);
    let chaser = world.chaser_with(tuning, (2, 2), target);
    let place = (
        WorldPosition([-29.5, 4.0, 29.5]),
        Body::soft(Footprint::ONE),
    );
    world.world().entity_mut(chaser).insert(place);
    world.tick(17);
    let anchor = FieldAnchor {
        aimed: Some((CellPosition::new(3, 4), NavTime(5))),
        far: Some((CellPosition::new(6, 7), NavTime(8))),
        interval: Period::from_millis(9),
        displacement: 1.5,
        still: Some((Cell::new(10, 2), NavTime(6))),
        before: (Cell::new(9, 2), true),
        reached: NavTime(7),
        wanted: true,
    };
    world.world().entity_mut(target).insert(anchor);
    assert!(!world.cursor(chaser).path().is_empty());
    (world, chaser, target)
}

/// What cannot change without something else: the sides of a map, which say how many cells it has, and what
/// is built of it, where nothing is.
const BOUND: [&str; 7] = [
    "/grid/width",
    "/grid/height",
    "/grid/floors",
    "/built/regions",
    "/built/portals",
    "/built/mosaic",
    "/built/roads",
];

/// Every value that differs from one in one place, and what differs as text.
fn variants<T: DeserializeOwned + PartialEq>(value: &Value, original: &T) -> Vec<(String, T)> {
    let mut places = Vec::new();
    list_leaves(value, String::new(), &mut places);
    assert!(!places.is_empty(), "{} has no state", type_name::<T>());
    places
        .into_iter()
        .flat_map(|place| {
            let leaf = value.pointer(&place).expect("a place in the value");
            let others = alternatives::<T>(value, &place, leaf);
            let changed: Vec<(String, T)> = others
                .into_iter()
                .filter_map(|other| {
                    let mut copy = value.clone();
                    let text = format!("{place} = {other}");
                    *copy.pointer_mut(&place).expect("a place in the copy") = other;
                    let changed: T = serde_json::from_value(copy).ok()?;
                    (changed != *original).then_some((text, changed))
                })
                .collect();
            let is_bound = BOUND.contains(&place.as_str());
            assert!(!changed.is_empty() || is_bound, "{place} cannot change");
            changed
        })
        .collect()
}

/// The places of all numbers, flags, names and things that are absent.
fn list_leaves(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                list_leaves(field, format!("{place}/{name}"), places);
            }
        }
        // Layers that are empty are changed by edits.
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                list_leaves(item, format!("{place}/{index}"), places);
            }
        }
        _ => places.push(place),
    }
}

/// What a leaf could be instead.
fn alternatives<T: DeserializeOwned>(value: &Value, place: &str, leaf: &Value) -> Vec<Value> {
    match leaf {
        Value::Bool(flag) => vec![(!flag).into()],
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().expect("a number");
            vec![(number + 0.25).into(), (number - 0.25).into()]
        }
        // A word may hold several fields: each bit is one alternative.
        Value::Number(number) => {
            let number = number.as_u64().expect("no field is negative");
            let bits = (0..64).map(|bit| (number ^ 1 << bit).into());
            bits.collect()
        }
        // The error names the other variants.
        Value::String(_) => {
            let mut copy = value.clone();
            *copy.pointer_mut(place).expect("a place in the copy") = "?".into();
            let error = serde_json::from_value::<T>(copy).err();
            let error = error.expect("no variant has this name").to_string();
            let names = error.split('`').skip(3).step_by(2);
            names.map(Value::from).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether each change of a component shows.
fn check<C>(world: &mut TestWorld, agent: Entity)
where
    C: Component<Mutability = Mutable> + Clone + PartialEq + Debug + Serialize + DeserializeOwned,
{
    let original = world.get::<C>(agent).clone();
    let before = world.digest();
    let value = serde_json::to_value(&original).unwrap();
    for (text, changed) in variants(&value, &original) {
        *world.get_mut::<C>(agent) = changed;
        assert_ne!(world.digest(), before, "{}: {text}", type_name::<C>());
    }
    *world.get_mut::<C>(agent) = original;
    assert_eq!(world.digest(), before);
    world.world().entity_mut(agent).remove::<C>();
    assert_ne!(world.digest(), before, "without {}", type_name::<C>());
}

#[test]
fn every_field_of_every_component_shows() {
    fn shows<C>(of: impl Fn(&(TestWorld, Entity, Entity)) -> Entity)
    where
        C: Component<Mutability = Mutable>
            + Clone
            + PartialEq
            + Debug
            + Serialize
            + DeserializeOwned,
    {
        let mut busy = busy();
        let agent = of(&busy);
        check::<C>(&mut busy.0, agent);
    }
    let (chaser, target) = (
        |busy: &(TestWorld, Entity, Entity)| busy.1,
        |busy: &(TestWorld, Entity, Entity)| busy.2,
    );
    shows::<AgentId>(chaser);
    shows::<Body>(chaser);
    shows::<CellPosition>(chaser);
    shows::<CellPosition>(target);
    shows::<Chaser>(chaser);
    shows::<FieldAnchor>(target);
    shows::<MoveTimer>(chaser);
    shows::<NavTimer>(chaser);
    shows::<PathCursor>(chaser);
    shows::<WorldPosition>(chaser);
    shows::<NavMap>(|busy| busy.0.map);
}

/// A chaser with all that behaviours read, none of it as it is by default.
fn behaving() -> (TestWorld, Entity) {
    let (mut world, chaser, _) = busy();
    let wait = Period::from_millis(300);
    let stop = PatrolStop {
        cell: Cell::new(7, 2),
        wait,
    };
    let walks = (
        GoTo(Cell::new(5, 3)),
        Home(Cell::new(4, 3)),
        Patrol::new(PatrolOrder::PingPong, [stop, stop]),
        WalkEnd,
    );
    let leash = Leash {
        from: LeashFrom::Home,
        ..Leash::new(9)
    };
    let give_up = GiveUp {
        unreachable: Some(wait),
        out_of_reach: Some(wait),
        ignores_for: wait,
    };
    let record = ChaseRecord {
        began_at: Some(Cell::new(3, 3)),
        out_of_reach_since: NavTime(11),
        failing_since: Some(NavTime(12)),
    };
    let notice = Notice {
        needs_sight: true,
        whom: 3,
        calls: 6,
        ..Notice::new(9)
    };
    let paused = Paused {
        until: Some(NavTime(13)),
    };
    let looks = (notice, Noticeable { factions: 5 }, paused);
    let given_up: GivenUp = serde_json::from_value(json!({
        "targets": [{ "id": 16, "cell": Cell::new(2, 1), "footprint": 2, "until": NavTime(17) }],
    }))
    .unwrap();
    let chases = (leash, give_up, given_up, record, Returning);
    let formation: Formation = serde_json::from_value(json!({
        "shape": FormationShape::Ring,
        "spacing": 2,
        "heading": Direction::South,
        "trail": [Cell::new(1, 1)],
    }))
    .unwrap();
    let watch: StuckWatch = serde_json::from_value(json!({
        "window": wait,
        "least_percent": 30,
        "began": [Cell::new(1, 1), Cell::new(2, 2), NavTime(14)],
        "failed": 1,
        "steps_aside": true,
    }))
    .unwrap();
    let intercept: Intercept = serde_json::from_value(json!({
        "lead": 9,
        "trail": [[Cell::new(1, 1), NavTime(15)]],
        "aim": Cell::new(3, 3),
    }))
    .unwrap();
    let squad = (formation, watch, intercept, KeepDistance { least: 3 });
    world
        .world()
        .entity_mut(chaser)
        .insert((walks, chases, looks, squad));
    (world, chaser)
}

#[test]
fn every_field_of_every_behaviour_shows() {
    let (mut world, chaser) = behaving();
    check::<GoTo>(&mut world, chaser);
    check::<Home>(&mut world, chaser);
    check::<Patrol>(&mut world, chaser);
    check::<Leash>(&mut world, chaser);
    check::<GiveUp>(&mut world, chaser);
    check::<GivenUp>(&mut world, chaser);
    check::<ChaseRecord>(&mut world, chaser);
    check::<Notice>(&mut world, chaser);
    check::<Noticeable>(&mut world, chaser);
    check::<Formation>(&mut world, chaser);
    check::<StuckWatch>(&mut world, chaser);
    check::<Intercept>(&mut world, chaser);
    check::<KeepDistance>(&mut world, chaser);
    let mut digests = vec![world.digest()];
    world.world().entity_mut(chaser).remove::<Returning>();
    digests.push(world.digest());
    world.world().entity_mut(chaser).remove::<WalkEnd>();
    digests.push(world.digest());
    let (leader, member) = (world.target((9, 3)), world.target((8, 3)));
    digests.push(world.digest());
    for leader in [leader, chaser] {
        let mut member = world.world().entity_mut(member);
        member.insert(InFormation(leader));
        digests.push(world.digest());
    }
    digests.dedup();
    assert_eq!(digests.len(), 6);
    check::<Paused>(&mut world, chaser);
}

#[test]
fn every_field_of_every_resource_shows() {
    fn shows<R>()
    where
        R: Resource<Mutability = Mutable>
            + Clone
            + PartialEq
            + Debug
            + Serialize
            + DeserializeOwned,
    {
        let (mut world, ..) = busy();
        let original = world.app.world().resource::<R>().clone();
        let before = world.digest();
        let value = serde_json::to_value(&original).unwrap();
        for (text, changed) in variants(&value, &original) {
            world.world().insert_resource(changed);
            assert_ne!(world.digest(), before, "{}: {text}", type_name::<R>());
        }
    }
    shows::<AgentIds>();
    shows::<NavClock>();
    let (mut world, ..) = busy();
    let before = world.digest();
    // In full, so that a field that is added has to be changed here.
    let budget = NavBudget {
        expansions: Some(1000),
    };
    world.world().insert_resource(budget);
    assert_ne!(world.digest(), before);
}

#[test]
fn whom_a_chaser_chases_and_where_shows() {
    let (mut world, chaser, _) = busy();
    let other = world.target((10, 3));
    let before = world.digest();
    world.chase(chaser, other);
    let switched = world.digest();
    assert_ne!(switched, before);
    world.world().entity_mut(chaser).remove::<Chasing>();
    assert!(![before, switched].contains(&world.digest()));

    // Maps that are alike are two maps. No tick has seen anybody on the one before.
    let mut world = TestWorld::open(12, 4);
    let target = world.target((10, 2));
    let chaser = world.chaser((2, 2), target);
    let copy = world.get::<NavMap>(world.map).clone();
    let copy = world.world().spawn(copy).id();
    let before = world.digest();
    let mut digests = vec![before];
    for agent in [chaser, target] {
        world.world().entity_mut(agent).insert(OnMap(copy));
        digests.push(world.digest());
    }
    world.world().entity_mut(chaser).remove::<OnMap>();
    digests.push(world.digest());
    // Both on the copy are as both on the original.
    assert_eq!(digests[2], before);
    digests.dedup();
    assert_eq!(digests.len(), 4);
}

#[test]
fn that_a_chaser_was_put_onto_another_map_shows() {
    let mut world = TestWorld::open(12, 4);
    let target = world.target((10, 2));
    let chaser = world.chaser((2, 2), target);
    world.tick(17);
    let copy = world.get::<NavMap>(world.map).clone();
    let copy = world.world().spawn(copy).id();
    let before = world.digest();
    for agent in [chaser, target] {
        world.world().entity_mut(agent).insert(OnMap(copy));
    }
    // Both are on a map like the one before, and the chaser is about to forget its way.
    assert_ne!(world.digest(), before);
    assert!(!world.cursor(chaser).path().is_empty());
}

#[test]
fn agents_that_are_disabled_show() {
    let (mut world, chaser, target) = busy();
    let mut digests = vec![world.digest()];
    for agent in [chaser, target] {
        world.world().entity_mut(agent).insert(Disabled);
        digests.push(world.digest());
    }
    world
        .get_mut::<NavTimer>(chaser)
        .clone_from(&NavTimer::default());
    digests.push(world.digest());
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), 4);
}

/// Gives the floors of a map heights.
fn lift(map: &mut NavMap, heights: FloorHeights) {
    let frame = map.frame().clone().with_heights(heights).unwrap();
    *map = NavMap::with_frame(map.grid().clone(), frame);
}

#[test]
fn what_is_edited_and_built_of_a_map_shows() {
    let (cell, other) = (Cell::new(4, 4), Cell::new(9, 9));
    let edits: [&dyn Fn(&mut NavMap); 15] = [
        &|_| {},
        &|map| *map = NavMap::new(Grid::open(16, 17).unwrap()),
        &|map| *map = NavMap::new(Grid::open(17, 16).unwrap()),
        &|map| {
            let two = Size::new(16, 16).with_floors(2);
            *map = NavMap::new(Grid::build(two, |_| true).unwrap());
        },
        &|map| lift(map, FloorHeights::Storeys(3.0)),
        &|map| lift(map, FloorHeights::Each(vec![3.0])),
        &|map| lift(map, FloorHeights::Each(vec![3.0, 6.0])),
        &|map| assert!(map.set_walkable(cell, false).is_ok()),
        &|map| assert!(map.set_cost(cell, 2).is_ok()),
        &|map| assert!(map.set_exits(cell, nav_grid::Directions::NONE).is_ok()),
        &|map| assert!(map.set_link(Link::new(cell, other)).is_ok()),
        &|map| map.build_regions(Rules::default()),
        &|map| map.build_portals(Rules::default()),
        &|map| map.build_mosaic(Footprint::ONE),
        &|map| assert!(map.insert_roads(Rules::default(), [cell, other]).is_ok()),
    ];
    let mut digests: Vec<u64> = edits
        .iter()
        .map(|edit| {
            let mut world = TestWorld::open(16, 16);
            world.target((1, 1));
            world.tick(1);
            let map = world.map;
            edit(&mut world.get_mut(map));
            world.digest()
        })
        .collect();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), edits.len());
}

/// A world with the same clock, maps and components, and nothing else.
fn copy(original: &mut TestWorld) -> TestWorld {
    let mut copy = TestWorld::open(1, 1);
    let (from, to) = (original.world(), copy.app.world_mut());
    let maps: Vec<(Entity, NavMap)> = from
        .query::<(Entity, &NavMap)>()
        .iter(from)
        .map(|(entity, map)| (entity, map.clone()))
        .collect();
    let maps: Vec<(Entity, Entity)> = maps
        .into_iter()
        .map(|(entity, map)| (entity, to.spawn(map).id()))
        .collect();
    let agents: Vec<Entity> = from
        .query_filtered::<Entity, With<CellPosition>>()
        .iter(from)
        .collect();
    let mut copies: Vec<(Entity, Entity)> = Vec::new();
    let name = |names: &[(Entity, Entity)], of: Entity| {
        let pair = names.iter().find(|(original, _)| *original == of);
        pair.expect("it was copied").1
    };
    for &agent in &agents {
        fn take<C: Component + Clone>(from: EntityRef, to: &mut EntityWorldMut) {
            if let Some(component) = from.get::<C>() {
                to.insert(component.clone());
            }
        }
        let (agent, mut same) = (from.entity(agent), to.spawn_empty());
        take::<AgentId>(agent, &mut same);
        take::<CellPosition>(agent, &mut same);
        take::<PathCursor>(agent, &mut same);
        take::<NavTimer>(agent, &mut same);
        take::<MoveTimer>(agent, &mut same);
        take::<FieldAnchor>(agent, &mut same);
        take::<Body>(agent, &mut same);
        take::<Chaser>(agent, &mut same);
        if let Some(on_map) = agent.get::<OnMap>() {
            same.insert(OnMap(name(&maps, on_map.0)));
        }
        copies.push((agent.id(), same.id()));
    }
    for &(original, same) in &copies {
        if let Some(chasing) = from.get::<Chasing>(original) {
            to.entity_mut(same)
                .insert(Chasing(name(&copies, chasing.0)));
        }
    }
    to.insert_resource(*from.resource::<NavClock>());
    to.insert_resource(*from.resource::<AgentIds>());
    to.insert_resource(*from.resource::<NavBudget>());
    copy
}

#[test]
fn a_search_that_takes_several_ticks_shows() {
    let mut world = TestWorld::open(200, 200);
    world.world().insert_resource(NavBudget::of(200));
    let target = world.target((190, 190));
    let tuning = Chaser {
        limits: Limits::UNBOUNDED,
        method: Method::Dijkstra,
        ..Chaser::default()
    };
    let chaser = world.chaser_with(tuning, (2, 2), target);
    assert_eq!(copy(&mut world).digest(), world.digest());
    world.tick(6);
    assert!(world.searches(chaser).is_empty(), "it takes longer");
    assert_ne!(copy(&mut world).digest(), world.digest());
}

#[test]
fn fields_show() {
    let run = |budget: NavBudget| {
        let mut world = TestWorld::open(60, 60);
        world.world().insert_resource(budget);
        let targets: Vec<Entity> = (0..4).map(|n| world.target((10 + 10 * n, 30))).collect();
        for n in 0..24 {
            let at = (10 + n % 4 * 10, 36 + n / 4);
            world.chaser(at, targets[usize::from(n % 4)]);
        }
        world.tick(7);
        assert!(world.diagnostics().total.fields > 0);
        (copy(&mut world).digest(), world.digest())
    };
    for budget in [NavBudget::default(), NavBudget::of(300)] {
        let (copied, original) = run(budget);
        assert_ne!(copied, original, "{budget:?}");
    }
}

#[test]
fn when_bodies_moved_shows_to_those_who_go_around_them() {
    let run = |policy, passes: bool| {
        let mut world = TestWorld::open(8, 8);
        let target = world.target((1, 1));
        let mut tuning = Chaser::default();
        tuning.rules.bodies = policy;
        world.chaser_with(tuning, (2, 2), target);
        let map = world.map;
        let guard = (CellPosition::new(6, 6), OnMap(map), Body::default());
        let guard = world.world().spawn(guard).id();
        world.tick(3);
        // It steps aside and back.
        for x in [7, 6] {
            if passes {
                *world.get_mut::<CellPosition>(guard) = CellPosition::new(x, 6);
            }
            world.tick(1);
        }
        world.digest()
    };
    let [avoids, ignores] = [BodyPolicy::AvoidAll, BodyPolicy::Ignore];
    assert_ne!(run(avoids, true), run(avoids, false));
    assert_eq!(run(ignores, true), run(ignores, false));
}

#[test]
fn who_holds_a_cell_that_two_stand_on_shows() {
    let run = |first: u32, one_by_one: bool| {
        let mut world = TestWorld::open(8, 8);
        let map = world.map;
        // Who was there first holds it; of those who come in one tick the one with the lower number.
        for id in [first, 3 - first] {
            let place = (AgentId(id), CellPosition::new(3, 3), OnMap(map));
            world.world().spawn((place, Body::default()));
            if one_by_one {
                world.tick(1);
            }
        }
        world.tick(2 - u64::from(one_by_one) * 2);
        world.digest()
    };
    assert_ne!(run(1, true), run(2, true));
    assert_eq!(run(1, false), run(2, false));
    assert_eq!(run(1, true), run(1, false));
}
