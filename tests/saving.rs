//! Saving and loading: every component by itself, and a chase in the middle.

use bevy_app::App;
use bevy_ecs::{
    component::Component,
    entity::EntityHashMap,
    prelude::*,
    reflect::{AppTypeRegistry, ReflectComponent, ReflectResource},
};
use bevy_reflect::{
    FromReflect, GetTypeRegistration, TypeRegistry,
    serde::{ReflectDeserializer, ReflectSerializer},
};
use nav::{
    AgentId, AgentIds, AheadForm, AheadSettings, Body, CellPosition, ChasedBy, Chaser, Chasing,
    Destination, Guidance, MoveTimer, NavClock, NavDiagnostics, NavMap, NavPlugin, NavTime,
    NavTimer, OnMap, PathCursor, Paused, Period, WorldPosition,
    behaviour::{
        Activity, BehaviourPlugins, ChaseRecord, Formation, FormationMembers, FormationShape,
        GiveUp, GivenUp, GoTo, Home, InFormation, Intercept, KeepDistance, Leash, LeashFrom,
        Notice, Noticeable, Patrol, PatrolOrder, PatrolStop, Returning, StuckWatch, WalkEnd,
    },
    saving::{self, NavSave, RestoreError},
};
use nav_grid::{Frame, Grid, map::Axes};
use nav_tests::TestWorld;
use serde::de::DeserializeSeed;
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;

/// A world in which every component has something to lose.
fn busy() -> (TestWorld, Entity, Entity) {
    let mut world = TestWorld::new(&[
        "....................",
        "..........#.........",
        "..........#.........",
        "..........#.........",
        "....................",
    ]);
    let target = world.target((16, 2));
    let chaser = world.chaser((2, 2), target);
    world.put_at(target, 15.75, 2.125);
    let place = WorldPosition([2.0, 0.0, 2.0]);
    world.world().entity_mut(chaser).insert(place);
    world.tick(17);
    (world, chaser, target)
}

/// An agent with all that belongs to behaviours, none of it as it is by default.
fn behaving() -> (TestWorld, Entity) {
    let (mut world, agent, _) = busy();
    let wait = Period::from_millis(300);
    let stop = PatrolStop {
        cell: nav_grid::Cell::new(7, 2),
        wait,
    };
    let walks = (
        GoTo(stop.cell),
        Home(stop.cell),
        Patrol::new(PatrolOrder::PingPong, [stop, stop]),
        WalkEnd,
        Destination,
    );
    let leash = Leash {
        from: LeashFrom::Home,
        notices_on_return: true,
        ..Leash::new(9)
    };
    let give_up = GiveUp {
        unreachable: Some(wait),
        out_of_reach: Some(wait),
        ignores_for: wait,
    };
    let record = ChaseRecord {
        began_at: Some(stop.cell),
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
    let given_up: GivenUp = serde_json::from_value(serde_json::json!({
        "targets": [{ "id": 14, "cell": nav_grid::Cell::new(2, 1), "footprint": 2, "until": 15 }],
    }))
    .unwrap();
    let chases = (
        Activity::Chasing,
        leash,
        (give_up, given_up),
        record,
        Returning,
    );
    let squad = (Formation::new(FormationShape::Ring), StuckWatch::default());
    let mut agent = world.world().entity_mut(agent);
    let steers = (Intercept::new(9), KeepDistance { least: 3 });
    let agent = agent.insert((walks, chases, looks, squad, steers)).id();
    (world, agent)
}

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    let back: T = serde_json::from_str(&text).unwrap();
    assert_eq!(&back, value, "through {text}");
}

#[test]
fn every_component_survives_serde() {
    let (world, chaser, target) = busy();
    round_trip(world.get::<AgentId>(chaser));
    round_trip(world.get::<CellPosition>(target));
    round_trip(world.get::<Chaser>(chaser));
    round_trip(world.get::<Chasing>(chaser));
    round_trip(world.get::<ChasedBy>(target));
    round_trip(world.get::<MoveTimer>(chaser));
    round_trip(world.get::<NavTimer>(chaser));
    round_trip(world.get::<OnMap>(chaser));
    round_trip(world.get::<PathCursor>(chaser));
    round_trip(world.get::<WorldPosition>(target));
    round_trip(world.get::<NavMap>(world.map));
    assert!(
        !world.cursor(chaser).path().is_empty(),
        "or it shows little"
    );
}

#[test]
fn every_component_of_a_behaviour_survives_serde() {
    let (world, agent) = behaving();
    round_trip(world.get::<Activity>(agent));
    round_trip(world.get::<ChaseRecord>(agent));
    round_trip(world.get::<Destination>(agent));
    round_trip(world.get::<Formation>(agent));
    round_trip(world.get::<StuckWatch>(agent));
    round_trip(world.get::<Intercept>(agent));
    round_trip(world.get::<KeepDistance>(agent));
    round_trip(world.get::<GiveUp>(agent));
    round_trip(world.get::<GivenUp>(agent));
    round_trip(world.get::<GoTo>(agent));
    round_trip(world.get::<Home>(agent));
    round_trip(world.get::<Leash>(agent));
    round_trip(world.get::<Notice>(agent));
    round_trip(world.get::<Noticeable>(agent));
    round_trip(world.get::<Patrol>(agent));
    round_trip(world.get::<Paused>(agent));
    round_trip(world.get::<Returning>(agent));
    round_trip(world.get::<WalkEnd>(agent));
}

#[test]
fn a_range_of_notice_names_only_what_differs() {
    let notice: Notice = serde_json::from_str(r#"{"range":7}"#).unwrap();
    assert_eq!(notice, Notice::new(7));
}

#[test]
fn every_resource_survives_serde() {
    let (world, ..) = busy();
    round_trip(world.clock());
    round_trip(world.diagnostics());
    round_trip(world.app.world().resource::<AgentIds>());
    let settings = AheadSettings {
        steps: 7,
        points: AheadForm::Turns,
    };
    round_trip(&settings);
}

#[test]
fn a_map_keeps_its_frame() {
    let frame = Frame::new([-30.0, 4.0, 30.0], 0.25, Axes::Y_UP).unwrap();
    round_trip(&NavMap::with_frame(Grid::open(7, 9).unwrap(), frame));
}

#[test]
fn a_tuning_names_only_what_differs() {
    let chaser: Chaser = serde_json::from_str(r#"{"stop_distance":3}"#).unwrap();
    assert_eq!(chaser.stop_distance, 3);
    assert_eq!(chaser.limits, Chaser::default().limits);
    let typo = serde_json::from_str::<Chaser>(r#"{"stop_distanse":3}"#);
    assert!(typo.unwrap_err().to_string().contains("stop_distanse"));
}

fn registry(app: &App) -> TypeRegistry {
    let shared = app.world().resource::<AppTypeRegistry>().read();
    let mut copy = TypeRegistry::empty();
    for registration in shared.iter() {
        copy.add_registration(registration.clone());
    }
    copy
}

#[test]
fn every_component_is_registered() {
    fn check<C: Component + GetTypeRegistration>(registry: &TypeRegistry) {
        let name = std::any::type_name::<C>();
        let registration = registry.get(std::any::TypeId::of::<C>());
        let registration = registration.unwrap_or_else(|| panic!("{name} is not registered"));
        let data = registration.data::<ReflectComponent>();
        assert!(data.is_some(), "{name} has no ReflectComponent");
    }
    let registry = registry(&busy().0.app);
    check::<AgentId>(&registry);
    check::<CellPosition>(&registry);
    check::<ChasedBy>(&registry);
    check::<Chaser>(&registry);
    check::<Chasing>(&registry);
    check::<MoveTimer>(&registry);
    check::<NavMap>(&registry);
    check::<NavTimer>(&registry);
    check::<OnMap>(&registry);
    check::<PathCursor>(&registry);
    check::<WorldPosition>(&registry);
    check::<Activity>(&registry);
    check::<ChaseRecord>(&registry);
    check::<Destination>(&registry);
    check::<Formation>(&registry);
    check::<FormationMembers>(&registry);
    check::<InFormation>(&registry);
    check::<StuckWatch>(&registry);
    check::<Intercept>(&registry);
    check::<KeepDistance>(&registry);
    check::<GiveUp>(&registry);
    check::<GivenUp>(&registry);
    check::<GoTo>(&registry);
    check::<Home>(&registry);
    check::<Leash>(&registry);
    check::<Notice>(&registry);
    check::<Noticeable>(&registry);
    check::<Patrol>(&registry);
    check::<Paused>(&registry);
    check::<Returning>(&registry);
    check::<WalkEnd>(&registry);
}

#[test]
fn every_resource_is_registered() {
    fn check<R: Resource + GetTypeRegistration>(registry: &TypeRegistry) {
        let name = std::any::type_name::<R>();
        let registration = registry.get(std::any::TypeId::of::<R>());
        let data = registration.and_then(|r| r.data::<ReflectResource>());
        assert!(data.is_some(), "{name} has no ReflectResource");
    }
    let registry = registry(&busy().0.app);
    check::<AgentIds>(&registry);
    check::<AheadSettings>(&registry);
    check::<NavClock>(&registry);
    check::<NavDiagnostics>(&registry);
}

fn survives_reflection<C: Component + FromReflect + PartialEq + Debug>(
    registry: &TypeRegistry,
    value: &C,
) {
    let serializer = ReflectSerializer::new(value.as_partial_reflect(), registry);
    let text = serde_json::to_string(&serializer).unwrap();
    let back = ReflectDeserializer::new(registry)
        .deserialize(&mut serde_json::Deserializer::from_str(&text))
        .unwrap();
    let back = C::from_reflect(back.as_partial_reflect());
    assert_eq!(back.as_ref(), Some(value), "through {text}");
}

#[test]
fn every_component_survives_reflection() {
    use survives_reflection as check;

    let (world, chaser, target) = busy();
    let registry = registry(&world.app);
    check(&registry, world.get::<AgentId>(chaser));
    check(&registry, world.get::<CellPosition>(target));
    check(&registry, world.get::<Chaser>(chaser));
    check(&registry, world.get::<Chasing>(chaser));
    check(&registry, world.get::<ChasedBy>(target));
    check(&registry, world.get::<MoveTimer>(chaser));
    check(&registry, world.get::<NavTimer>(chaser));
    check(&registry, world.get::<OnMap>(chaser));
    check(&registry, world.get::<PathCursor>(chaser));
    check(&registry, world.get::<WorldPosition>(target));
    check(&registry, world.get::<NavMap>(world.map));
}

#[test]
fn every_component_of_a_behaviour_survives_reflection() {
    let (world, agent) = behaving();
    let registry = registry(&world.app);
    survives_reflection(&registry, world.get::<Activity>(agent));
    survives_reflection(&registry, world.get::<ChaseRecord>(agent));
    survives_reflection(&registry, world.get::<Destination>(agent));
    survives_reflection(&registry, world.get::<Formation>(agent));
    survives_reflection(&registry, world.get::<StuckWatch>(agent));
    survives_reflection(&registry, world.get::<Intercept>(agent));
    survives_reflection(&registry, world.get::<KeepDistance>(agent));
    survives_reflection(&registry, world.get::<GiveUp>(agent));
    survives_reflection(&registry, world.get::<GivenUp>(agent));
    survives_reflection(&registry, world.get::<GoTo>(agent));
    survives_reflection(&registry, world.get::<Home>(agent));
    survives_reflection(&registry, world.get::<Leash>(agent));
    survives_reflection(&registry, world.get::<Notice>(agent));
    survives_reflection(&registry, world.get::<Noticeable>(agent));
    survives_reflection(&registry, world.get::<Patrol>(agent));
    survives_reflection(&registry, world.get::<Paused>(agent));
    survives_reflection(&registry, world.get::<Returning>(agent));
    survives_reflection(&registry, world.get::<WalkEnd>(agent));
}

/// A saved game, as a game would write it.
fn save(world: &mut World) -> String {
    serde_json::to_string(&saving::save(world)).unwrap()
}

/// A world without maps or agents, whose entities are others than those of the world that is saved.
fn fresh() -> TestWorld {
    empty(TestWorld::open(1, 1))
}

fn empty(mut world: TestWorld) -> TestWorld {
    let map = world.map;
    world.world().despawn(map);
    world.world().spawn_batch((0..100).map(|_| ()));
    world
}

fn load(world: &mut World, save: &str) -> EntityHashMap<Entity> {
    let save: NavSave = serde_json::from_str(save).unwrap();
    save.restore(world).unwrap()
}

/// Two rooms, a closed one, runners and sitters: chases in every state.
fn mid_chase(ticks: u64) -> (TestWorld, Vec<Entity>, Vec<Entity>) {
    let grid = mapgen::generate(mapgen::Kind::Rooms, 40, 32, 11).unwrap();
    let ground: Vec<_> = grid.walkable_cells().collect();
    let mut world = TestWorld::on(grid);
    let pick = |n: usize| ground[n * 7919 % ground.len()];
    let targets: Vec<Entity> = (0..4).map(|n| world.target(pick(n))).collect();
    let mut chasers: Vec<Entity> = (0..60)
        .map(|n| world.chaser(pick(n + 10), targets[n % 4]))
        .collect();
    // Those who fail again and again, since their targets move about, or wait for a change, since they do
    // not; and those with long ways of their own.
    let narrow = |expansions| Chaser {
        limits: nav_grid::Limits {
            expansions,
            ..nav_grid::Limits::default()
        },
        ..Chaser::classic()
    };
    for n in 0..12 {
        chasers.push(world.chaser_with(narrow(2), pick(n + 200), targets[n % 4]));
        let alone = world.target(pick(n + 300));
        chasers.push(world.chaser_with(narrow(2), pick(n + 220), alone));
        let alone = world.target(pick(n + 320));
        chasers.push(world.chaser(pick(n + 240), alone));
    }
    // A chain, and one whose chase was called off.
    for n in 0..5 {
        chasers.push(world.chaser(pick(n + 100), chasers[n]));
    }
    world.world().entity_mut(chasers[7]).remove::<Chasing>();
    for tick in 0..ticks {
        walk(&mut world, &targets, tick);
    }
    (world, targets, chasers)
}

/// Chasers that share fields over the portals of a map.
fn far_chase(ticks: u64) -> (TestWorld, Vec<Entity>) {
    let grid = mapgen::generate(mapgen::Kind::Rooms, 160, 96, 11).unwrap();
    let ground: Vec<_> = grid.walkable_cells().collect();
    let mut world = TestWorld::on(grid);
    prepare_portals(&mut world);
    let pick = |n: usize| ground[n * 7919 % ground.len()];
    let targets: Vec<Entity> = (0..3).map(|n| world.target(pick(n))).collect();
    let far_sighted = Chaser {
        limits: nav_grid::Limits::UNBOUNDED,
        ..Chaser::default()
    };
    for n in 0..40 {
        let chaser = world.chaser_with(far_sighted, pick(n + 10), targets[n % 3]);
        if n % 2 == 0 {
            let body = Body::solid(nav_grid::Footprint::ONE);
            world.world().entity_mut(chaser).insert(body);
        }
    }
    for tick in 0..ticks {
        walk(&mut world, &targets, tick);
    }
    (world, targets)
}

fn prepare_portals(world: &mut TestWorld) {
    let mut maps = world.world().query::<&mut NavMap>();
    for mut map in maps.iter_mut(world.world()) {
        map.build_portals(nav_grid::Rules::default());
    }
}

/// One tick in which two of the targets may move a cell.
fn walk(world: &mut TestWorld, targets: &[Entity], tick: u64) {
    if tick.is_multiple_of(6) {
        for (n, &target) in targets.iter().take(2).enumerate() {
            let from = world.cell(target);
            let ways: Vec<_> = world
                .get::<NavMap>(world.get::<OnMap>(target).0)
                .grid()
                .steps(from, nav_grid::Rules::default())
                .into_iter()
                .collect();
            let way = ways[(tick as usize / 6 + n) % ways.len()];
            world.put(target, from.step(way).unwrap());
        }
    }
    world.tick(1);
}

#[test]
fn a_far_chase_goes_on_as_if_nothing_had_happened() {
    for saved_at in [1, 30, 101] {
        let (mut original, targets) = far_chase(saved_at);
        let far = |world: &mut World| {
            let mut cursors = world.query::<&PathCursor>();
            let guidance = cursors.iter(world).filter_map(PathCursor::guidance);
            guidance
                .filter(|&guidance| guidance == Guidance::FarField)
                .count()
        };
        assert!(far(original.world()) > 8, "{saved_at}");
        let save = save(original.world());
        let mut loaded = fresh();
        let entities = load(loaded.world(), &save);
        let same: Vec<Entity> = targets.iter().map(|target| entities[target]).collect();
        for tick in saved_at..saved_at + 150 {
            walk(&mut original, &targets, tick);
            walk(&mut loaded, &same, tick);
            assert_eq!(loaded.digest(), original.digest(), "{saved_at} to {tick}");
        }
    }
}

#[test]
fn a_chase_goes_on_as_if_nothing_had_happened() {
    for saved_at in [1, 8, 50, 123, 200] {
        let (mut original, targets, _) = mid_chase(saved_at);
        let save = save(original.world());

        let mut loaded = fresh();
        let entities = load(loaded.world(), &save);
        let same: Vec<Entity> = targets.iter().map(|target| entities[target]).collect();
        assert_eq!(loaded.digest(), original.digest(), "as saved");

        original.found.clear();
        original.failed.clear();
        original.reached.clear();
        for tick in saved_at..saved_at + 200 {
            walk(&mut original, &targets, tick);
            walk(&mut loaded, &same, tick);
            assert_eq!(loaded.digest(), original.digest(), "{saved_at} to {tick}");
        }

        // What happened came in the same order, too.
        let heard = told(&original, |entity| entities[&entity]);
        assert!(told(&loaded, |entity| entity) == heard, "from {saved_at}");
        assert!(heard.iter().all(|kind| !kind.is_empty()));
    }
}

/// Chasers that the game put onto another map since the last tick, of whom one came back, and of whom no tick
/// has seen one yet.
#[test]
fn those_who_were_put_onto_another_map_forget_their_ways_as_if_nothing_had_happened() {
    for is_gone in [false, true] {
        let (mut original, targets, chasers) = mid_chase(50);
        let (old, copy) = (original.map, original.get::<NavMap>(original.map).clone());
        let other = original.world().spawn(copy).id();
        for &agent in targets.iter().chain(&chasers) {
            original.insert(agent, OnMap(other));
        }
        if is_gone {
            original.world().despawn(old);
        } else {
            original.insert(chasers[3], OnMap(old));
        }
        original.map = other;
        let new = original.chaser((3, 3), targets[0]);
        let saved = save(original.world());
        let mut loaded = fresh();
        let entities = load(loaded.world(), &saved);
        for tick in 0..100 {
            assert_eq!(loaded.digest(), original.digest(), "{is_gone}, {tick}");
            if tick == 0 && !is_gone {
                original.insert(new, OnMap(old));
                original.insert(chasers[4], OnMap(old));
                loaded.insert(entities[&new], OnMap(entities[&old]));
                loaded.insert(entities[&chasers[4]], OnMap(entities[&old]));
            }
            original.tick(1);
            loaded.tick(1);
        }
    }
}

/// Something to do to a world, for which entities have a function of their own.
type Act<'a> = dyn Fn(&mut TestWorld, &dyn Fn(Entity) -> Entity) + 'a;

/// Which slot a target gets depends on who was chased before: of whom had it is nothing to be left. One chaser
/// is not worth a field, so that none is made there anew.
#[test]
fn a_target_has_no_fields_of_those_who_had_its_slot_before() {
    let mut original = TestWorld::open(40, 32);
    let targets = [(3, 3), (30, 9), (20, 25)].map(|at| original.target(at));
    // Without anybody who chases the group would have no fields at all.
    let last = original.target((36, 28));
    original.chaser((30, 28), last);
    let [some, others] = [0, 1].map(|row| {
        let chasers = (0..8).map(|n| original.chaser((4 * n + 2, 15 + row), targets[0]));
        chasers.collect::<Vec<_>>()
    });
    for &chaser in some.iter().chain(&others) {
        original.world().entity_mut(chaser).remove::<Chasing>();
    }
    original.chase(&some[..], targets[0]);
    original.tick(10);
    original.chase(&others[..], targets[1]);
    original.tick(10);
    let saved = save(original.world());
    let mut loaded = fresh();
    let entities = load(loaded.world(), &saved);
    let mut both = [(&mut original, None), (&mut loaded, Some(entities))];
    let mut step = |act: &Act, ticks: u64| {
        for (world, entities) in &mut both {
            let same = |one: Entity| entities.as_ref().map_or(one, |of| of[&one]);
            act(world, &same);
            world.tick(ticks);
        }
        let [(original, _), (loaded, _)] = &mut both;
        assert_eq!(loaded.digest(), original.digest());
    };
    step(&|_, _| {}, 20);
    let let_go = |world: &mut TestWorld, same: &dyn Fn(Entity) -> Entity| {
        for &chaser in some.iter().chain(&others) {
            world.world().entity_mut(same(chaser)).remove::<Chasing>();
        }
    };
    step(&let_go, 2);
    step(
        &|world, same| world.chase(same(some[0]), same(targets[2])),
        1,
    );
    // Back to a target that had another slot.
    step(&let_go, 2);
    step(
        &|world, same| world.chase(same(some[0]), same(targets[0])),
        1,
    );
}

fn with_behaviours(grid: Grid) -> TestWorld {
    let mut app = nav::testing::app();
    app.add_plugins((NavPlugin::default(), BehaviourPlugins::default()));
    TestWorld::with_app(app, grid)
}

/// A runner round a course with long straights, with those behind it who cut it off, follow it and keep
/// away from it; a lap is 120 cells.
fn run_on(world: &mut TestWorld, runner: Entity, tick: u64) {
    if tick.is_multiple_of(2) {
        let place = (tick / 2 % 120) as u16;
        let at = match place {
            0..40 => (5 + place, 5),
            40..60 => (45, place - 35),
            60..100 => (105 - place, 25),
            _ => (5, 125 - place),
        };
        world.put(runner, at);
    }
    world.tick(1);
}

#[test]
fn those_who_cut_off_or_keep_away_go_on_as_if_nothing_had_happened() {
    let mut led = 0;
    for saved_at in [1, 24, 30, 60, 90, 181, 250, 333] {
        let mut original = with_behaviours(Grid::open(60, 40).unwrap());
        let runner = original.target((5, 5));
        for n in 0..24_u16 {
            let archer = Chaser {
                stop_distance: 6,
                stop_slack: 2,
                ..Chaser::default()
            };
            let at = (24 + n % 6, 20 + n / 6);
            if n % 3 == 0 {
                let npc = original.chaser_with(archer, at, runner);
                original.insert(npc, (KeepDistance { least: 4 }, Body::default()));
            } else {
                let npc = original.chaser(at, runner);
                if n % 3 == 1 {
                    original.insert(npc, Intercept::new(5 + n));
                }
            }
        }
        for tick in 0..saved_at {
            run_on(&mut original, runner, tick);
        }
        let mut leading = original.world().query::<&Intercept>();
        let leading = leading.iter(original.world());
        led += leading.filter(|one| one.aim().is_some()).count();
        let save = save(original.world());
        let mut loaded = empty(with_behaviours(Grid::open(1, 1).unwrap()));
        let entities = load(loaded.world(), &save);
        assert_eq!(loaded.digest(), original.digest(), "as saved");
        for tick in saved_at..saved_at + 200 {
            run_on(&mut original, runner, tick);
            run_on(&mut loaded, entities[&runner], tick);
            assert_eq!(loaded.digest(), original.digest(), "{saved_at} to {tick}");
        }
    }
    assert!(led > 8, "{led} were on the way to a cell ahead");
}

/// Who found, failed and arrived when, in the order of the messages.
fn told(world: &TestWorld, name: impl Fn(Entity) -> Entity) -> [Vec<(u64, Entity)>; 3] {
    let tick = |tick: u64| tick - (world.ticks() - 200);
    let found = world.found.iter().map(|(t, m)| (tick(*t), name(m.chaser)));
    let failed = world.failed.iter().map(|(t, m)| (tick(*t), name(m.chaser)));
    let reached = world
        .reached
        .iter()
        .map(|(t, m)| (tick(*t), name(m.chaser)));
    [found.collect(), failed.collect(), reached.collect()]
}

#[test]
fn a_world_with_every_component_comes_back_whole() {
    let (mut original, _) = behaving();
    let save = save(original.world());
    let mut loaded = fresh();
    load(loaded.world(), &save);
    assert_eq!(loaded.digest(), original.digest());
}

#[test]
fn numbers_go_on_where_they_were() {
    let (mut original, ..) = mid_chase(3);
    let save = save(original.world());
    let mut loaded = fresh();
    load(loaded.world(), &save);
    let new = |world: &mut TestWorld| {
        let agent = world.world().spawn(Chaser::default()).id();
        world.get::<AgentId>(agent).0
    };
    assert_eq!(new(&mut loaded), new(&mut original));
}

#[test]
fn a_loaded_world_may_get_its_plugin_later() {
    let (mut original, ..) = mid_chase(50);
    let save = save(original.world());
    let mut app = nav_tests::app();
    load(app.world_mut(), &save);
    app.add_plugins(NavPlugin::default());
    let mut loaded = TestWorld::with_app(app, Grid::open(1, 1).unwrap());
    for _ in 0..50 {
        original.tick(1);
        loaded.tick(1);
        assert_eq!(loaded.digest(), original.digest());
    }
}

/// A save of two bodies after a player, as text.
fn small_save() -> String {
    let (mut world, _, _) = busy();
    save(world.world())
}

#[test]
fn a_save_of_the_future_is_refused_by_its_version() {
    let future = small_save().replacen(r#""version":1"#, r#""version":2"#, 1);
    let error = serde_json::from_str::<NavSave>(&future).unwrap_err();
    let error = error.to_string();
    assert!(
        error.starts_with("the save has version 2, and this build reads version 1"),
        "{error}"
    );
}

#[test]
fn a_save_with_a_changed_number_is_refused_and_leaves_the_world_empty() {
    let text = small_save();
    let changed = text.replacen(r#""x":16"#, r#""x":15"#, 1);
    assert_ne!(text, changed);
    let mut world = fresh();
    let (before, entities) = (world.digest(), world.world().entities().len());
    let save: NavSave = serde_json::from_str(&changed).unwrap();
    let error = save.restore(world.world()).unwrap_err();
    assert!(matches!(error, RestoreError::Damaged { .. }), "{error}");
    assert_eq!(world.digest(), before);
    assert_eq!(world.world().entities().len(), entities);
}

#[test]
fn a_save_cut_short_is_refused() {
    let text = small_save();
    for length in (0..text.len()).step_by(97) {
        assert!(serde_json::from_str::<NavSave>(&text[..length]).is_err());
    }
}

#[test]
fn a_world_with_a_map_is_not_restored_into() {
    let save: NavSave = serde_json::from_str(&small_save()).unwrap();
    let mut world = TestWorld::open(1, 1);
    let error = save.restore(world.world()).unwrap_err();
    assert_eq!(error, RestoreError::NotEmpty { maps: 1, agents: 0 });
}

#[test]
fn what_was_built_of_a_map_comes_back() {
    let rules = nav_grid::Rules::default();
    let mut map = NavMap::new(Grid::open(40, 40).unwrap());
    map.build_regions(rules);
    map.build_portals(rules);
    map.build_mosaic(rules.footprint);
    map.build_jumps(rules.footprint, rules.corners);
    map.insert_roads(rules, [nav_grid::Cell::new(3, 3)])
        .unwrap();
    let text = serde_json::to_string(&map).unwrap();
    let loaded: NavMap = serde_json::from_str(&text).unwrap();
    assert_eq!(loaded.indexed().built(), map.indexed().built());
    assert!(loaded.portals().is_some() && loaded.roads().is_some());
}

#[test]
fn what_an_agent_was_stripped_of_does_not_come_back_with_a_save() {
    let (mut world, ..) = mid_chase(40);
    let mut chasers = world.world().query_filtered::<Entity, With<Chaser>>();
    let stripped = chasers.iter(world.world()).next().unwrap();
    world.world().entity_mut(stripped).remove::<PathCursor>();
    let saved = save(world.world());
    let mut other = fresh();
    let entities = load(other.world(), &saved);
    let chaser = other.app.world().entity(entities[&stripped]);
    assert!(chaser.contains::<Chaser>() && !chaser.contains::<PathCursor>());
    assert_eq!(other.digest(), world.digest());
}
