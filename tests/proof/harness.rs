//! The harness itself: its drawings, its refusals and its failures.

use bevy_app::{App, FixedUpdate, Startup, Update};
use bevy_ecs::{prelude::*, schedule::ScheduleLabel};
use bevy_time::{Fixed, Time};
use nav::{
    Body, CellPosition, ChaseState, ChasedBy, Chaser, Chasing, NavPlugin, NavSystems, OnMap,
    PathFailed, TargetReached,
};
use nav_grid::{Cell, Directions, Footprint, Grid, Link};
use nav_testing::{Scene, app, update};
use std::{
    cell::RefCell,
    panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook},
    sync::Once,
};

thread_local! {
    /// The file that reported the last panic of this thread.
    static FILE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Returns the words of a panic, which must be reported in this file.
fn failure(act: impl FnOnce()) -> String {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            let file = info.location().map_or("", |location| location.file());
            FILE.with(|last| file.clone_into(&mut last.borrow_mut()));
            before(info);
        }));
    });
    let payload = catch_unwind(AssertUnwindSafe(act)).expect_err("this must fail");
    let words = payload.downcast_ref::<String>().cloned();
    let words = words.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string));
    FILE.with(|file| assert_eq!(*file.borrow(), file!()));
    words.expect("a panic with words")
}

#[test]
fn failure_prints_the_scene() {
    let mut scene = Scene::new(&[
        "##########", //
        "#C.#.T...#",
        "#b.#.1...#",
        "##########",
    ]);
    scene.insert('1', Body::default());
    scene.seconds(1);
    let expected = "\
C at 2,1 is not beside T at 5,1
after tick 20:
##########
#.C#.T...#
#b.#.1...#
##########
1 at 5,2, solid 1x1
C at 2,1, chases T at 5,1: Waiting; waits 0, failures 2; last failure in tick 16: \
the goal is unreachable inside the window; stands, since its last search found no way to its target
T at 5,1, chased by 1
";
    let found = failure(|| scene.assert_beside('C', 'T'));
    assert_eq!(found, expected);
}

#[test]
fn book_shows_a_real_test() {
    let book = include_str!("../../docs/book/src/testing.md");
    let (_, test) = include_str!("readme.rs").split_once("\n\n").unwrap();
    assert!(book.contains(test), "testing.md must show this:\n{test}");
    let mut scene = Scene::new(&[
        "###########",
        "#G...#....#",
        "#G...g..T.#",
        "#G...#....#",
        "###########",
    ]);
    scene.insert('G', Body::default());
    scene.edit('g', false);
    scene.seconds(5);
    let printed = failure(|| scene.assert_beside('G', 'T'));
    assert!(
        book.contains(&printed),
        "testing.md must show this:\n{printed}"
    );
}

/// The first lines say what to type, and can be pasted.
#[test]
fn readme_can_be_pasted() {
    let readme = include_str!("../../README.md");
    let lines: Vec<&str> = readme.lines().collect();
    assert!(lines.len() <= 250, "{} lines", lines.len());
    let words = readme.split_whitespace().count();
    assert!(words <= 2000, "{words} words");
    let first = lines.iter().position(|line| line.starts_with("```"));
    assert!(first.is_some_and(|line| line < 40), "{first:?}");
    // rustdoc hides such lines, GitHub does not.
    let hidden = lines
        .iter()
        .find(|line| line.starts_with("# ") && **line != "# nav");
    assert_eq!(hidden, None);
}

#[test]
fn bad_drawings_are_refused() {
    let words = failure(|| drop(Scene::new(&["C..", "T."])));
    let expected = "row 1 of the drawing, \"T.\", has 2 signs, and the first row has 3: all rows need \
                    equally many";
    assert_eq!(words, expected);
    let words = failure(|| drop(Scene::with_app(app(), &["C.?.T"])));
    assert!(words.starts_with("'?' in column 2 of row 0 means nothing: draw with "));
    let mut scene = Scene::new(&["C.T"]);
    let words = failure(|| {
        scene.add_map(&["..", "", "."]);
    });
    assert!(
        words.starts_with("row 0 on floor 1 of the drawing, "),
        "{words}"
    );
    let words = failure(|| drop(Scene::open(0, 5)));
    assert!(
        words.starts_with("0 columns and 5 rows are no map: "),
        "{words}"
    );
}

#[test]
fn unknown_and_ambiguous_letters() {
    let mut scene = Scene::new(&["C.aT", "C.a."]);
    let words = failure(|| {
        scene.agent('X');
    });
    assert_eq!(words, "no agent is drawn as 'X': there is 'C', 'T'");
    let words = failure(|| {
        scene.cell('b');
    });
    assert_eq!(words, "no cell is drawn as 'b': there is 'a'");
    let words = failure(|| drop(scene.arrivals('C')));
    assert_eq!(
        words,
        "2 agents are meant here, and it must be one: take one of Scene::agents"
    );
    let words = failure(|| scene.put('T', 'a'));
    assert_eq!(
        words,
        "2 cells are meant here, and it must be one: take one of Scene::cells"
    );
    let words = failure(|| {
        scene.get::<Body>('T');
    });
    assert_eq!(words, "T has no nav::components::body::Body");
    let words = failure(|| scene.set_cost('a', 65));
    assert!(
        words.starts_with("a step onto 2,0 cannot cost 65: "),
        "{words}"
    );
    let words = failure(|| scene.name('x', Entity::PLACEHOLDER));
    assert_eq!(
        words,
        "'x' names no agent: take a letter from A to Z or a digit"
    );
}

#[test]
fn every_assertion_can_fail() {
    let mut scene = Scene::new(&["C.a..T"]);
    scene.tick(1);
    let first = |words: String| words.lines().next().unwrap().to_owned();
    let words = failure(|| scene.assert_at('C', 'a'));
    assert_eq!(first(words), "C at 1,0 is not at 2,0");
    let words = failure(|| scene.assert_state('C', ChaseState::Reached));
    assert_eq!(first(words), "C at 1,0 is Following, not Reached");
    let words = failure(|| scene.assert_within_reach('C', 'T'));
    assert_eq!(first(words), "C at 1,0 is not within reach of T at 5,0");
    let words = failure(|| scene.check(scene.reached.len() == 1, "it arrived"));
    assert_eq!(first(words), "it arrived");
    let words = failure(|| {
        scene.tick_at_most(3, |scene| scene.is_beside('C', 'T'));
    });
    let expected = "3 ticks passed, and what was waited for did not happen";
    assert_eq!((first(words).as_str(), scene.ticks()), (expected, 4));

    scene.tune('C', |chaser| chaser.stop_distance = 3);
    assert_eq!(scene.tick_until(|scene| !scene.reached.is_empty()), 2);
    scene.assert_within_reach('C', 'T');
    scene.assert_at('C', 'a');
    scene.assert_state('C', ChaseState::Reached);
    assert!(!scene.is_beside('C', 'T'));
}

#[test]
fn nearest_target_of_the_floor() {
    let scene = Scene::new(&[
        "T..A.T...", //
        ".........",
        // The floor above.
        "",
        "B..T.....",
        "1...C....",
    ]);
    let targets = scene.agents('T');
    let target = |letter| scene.get::<Chasing>(letter).0;
    assert_eq!(
        scene.cells('T'),
        [(0, 0), (5, 0)]
            .map(Cell::from)
            .into_iter()
            .chain([Cell::new(3, 0).on_floor(1)])
            .collect::<Vec<_>>()
    );
    assert_eq!(target('A'), targets[1]);
    assert_eq!((target('B'), target('C')), (targets[2], targets[2]));
    // No chaser targets a digit, and a digit targets nothing.
    let digit = scene.app.world().entity(scene.agent('1'));
    assert!(!digit.contains::<Chasing>() && !digit.contains::<ChasedBy>());
    let mut alone = Scene::new(&["C..D"]);
    alone.seconds(1);
    alone.assert_at('C', (0, 0));
    alone.chase('C', 'D');
    alone.seconds(1);
    alone.assert_beside('C', 'D');
}

#[test]
fn floors_links_and_costs() {
    let mut scene = Scene::new(&[
        "C..######", //
        "..s######",
        // The floor above.
        "",
        "###......",
        "##uT#####",
    ]);
    scene.set_cost('s', 4);
    scene.set_cost((2, 0), 4);
    let mut map = scene.nav_map();
    map.set_exits(Cell::new(1, 0), Directions::STRAIGHT)
        .unwrap();
    scene.link((0, 1), 'u', 3);
    scene.insert('T', Body::default());
    scene.tick(1);
    let expected = "\
after tick 1:
.+~######
C.s######

###......
##uT#####
~ ground on which steps cost more
+ ground that cannot be left in all directions
link 0,1 to 2,1,1, cost 3
C at 0,1, chases T at 3,1,1: Following by OwnPath to 3,1,1; waypoints 2, waits 0, failures 0
T at 3,1,1, solid 1x1, chased by 1
";
    assert_eq!(scene.to_string(), expected);
    scene.seconds(3);
    scene.assert_beside('C', 'T');
    scene.assert_at('C', 'u');
}

#[test]
fn agents_without_letters() {
    let mut scene = Scene::open(300, 3);
    let target = scene.target((150, 1));
    let twin = scene.chaser((148, 0), target);
    scene.insert(twin, Body::solid(Footprint::new(2).unwrap()));
    scene.name('W', twin);
    let gone = scene.target((9, 1));
    scene.name('G', gone);
    scene.world().despawn(gone);
    let picture = scene.to_string();
    let drawn = "\
after tick 0:
columns 144 to 154, rows 0 to 2:
....WW.....
....WW@....
...........
W at 148,0, solid 2x2, chases ";
    assert!(picture.starts_with(drawn), "{picture}");
    assert!(picture.ends_with(&format!("{target} at 150,1, chased by 1\n")));
}

#[test]
fn agents_of_another_map() {
    let mut scene = Scene::new(&["C..T"]);
    let cellar = scene.add_map(&["#D.", "..T"]);
    scene.seconds(2);
    assert_eq!(scene.get::<OnMap>('D').0, cellar);
    scene.assert_beside('C', scene.agents('T')[0]);
    scene.assert_beside(['C', 'D'], 'T');
    assert!(!scene.is_beside('D', scene.agents('T')[0]));
    let picture = scene.to_string();
    let map = format!("..CT\nmap {cellar}:\n#D.\n..T\n");
    assert!(picture.contains(&map), "{picture}");
}

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Ai;

/// How many arrivals the game has received.
#[derive(Resource, Default)]
struct Heard(usize);

#[test]
fn own_schedule_and_rate() {
    // It receives the messages of a tick before the plugin's next one.
    let hear = |mut heard: ResMut<Heard>, mut reached: MessageReader<TargetReached>| {
        heard.0 += reached.read().count();
    };
    let mut game = App::new();
    game.init_schedule(Ai)
        .init_resource::<Heard>()
        .insert_resource(Time::<Fixed>::from_hz(10.0))
        .add_plugins(NavPlugin::new(Ai))
        .add_systems(Ai, hear.before(NavSystems::All))
        .add_systems(FixedUpdate, |world: &mut World| world.run_schedule(Ai));
    let mut scene = Scene::with_app(game, &["C....T"]);
    scene.seconds(3);
    assert_eq!(scene.ticks(), 30);
    scene.assert_beside('C', 'T');
    assert_eq!(scene.arrivals('C').len(), 1);
    assert_eq!(scene.app.world().resource::<Heard>().0, 1);
}

#[test]
fn spawned_agents_get_letters() {
    let mut game = app();
    game.add_systems(Startup, |mut commands: Commands| {
        commands.spawn((Chaser::default(), CellPosition::new(1, 1)));
    });
    let mut scene = Scene::with_app(game, &["....T", "....."]);
    let mut chasers = scene.world().query_filtered::<Entity, With<Chaser>>();
    let spawned = chasers.single(scene.app.world()).unwrap();
    scene.name('N', spawned);
    let map = OnMap(scene.map);
    scene.insert('N', map);
    scene.chase('N', 'T');
    scene.seconds(2);
    scene.assert_beside('N', 'T');
    scene.stop('N');
    scene.put('T', (0, 0));
    scene.seconds(2);
    scene.assert_at('N', (3, 0));
}

/// Makes a scene in which a system of the game moves the chaser by a jump in its third tick.
fn jump() -> Scene {
    let mut game = app();
    game.add_systems(
        Update,
        |mut chasers: Query<&mut CellPosition, With<Chaser>>, mut ticks: Local<u32>| {
            *ticks += u32::from(!chasers.is_empty());
            for mut place in &mut chasers {
                if *ticks == 3 {
                    place.cell.x = 0;
                }
            }
        },
    );
    Scene::with_app(game, &["....C......T"])
}

#[test]
fn every_step_is_judged() {
    let mut scene = jump();
    let words = failure(|| scene.seconds(1));
    let expected = "C went from 5,0 to 0,0, which is neither step nor link\nafter tick 3:\nC..";
    assert!(words.starts_with(expected), "{words}");

    let mut scene = jump();
    scene.judges_steps = false;
    scene.seconds(4);
    scene.assert_beside('C', 'T');

    let mut scene = jump();
    let words = failure(|| (0..5).for_each(|_| update(&mut scene.app)));
    assert!(
        words.ends_with(" went from 5,0 to 0,0, which is neither step nor link"),
        "{words}"
    );
}

#[test]
fn messages_have_ticks() {
    let mut scene = Scene::new(&["C.d.T"]);
    scene.tick(2);
    scene.edit('d', false);
    scene.tick(1);
    assert_eq!(scene.searches('C'), [1, 3]);
    let (tick, broken) = scene.broken[0];
    assert_eq!((tick, broken.waypoint), (3, scene.cell('d')));
    let in_vain = |(tick, PathFailed { chaser, .. }): &(u64, PathFailed)| (*tick, *chaser);
    let failed: Vec<_> = scene.failed.iter().map(in_vain).collect();
    assert_eq!(failed.len(), scene.failures('C').len());
    scene.put_at('T', f64::NAN, 0.0);
    scene.tick(1);
    assert_eq!(scene.values[0].0, 4);
}

#[test]
fn link_within_reach_of_archer() {
    let mut scene = Scene::new(&["A.#.T"]);
    scene.link((1, 0), (4, 0), 1);
    scene.put('A', (1, 0));
    assert!(!scene.is_within_reach('A', 'T'));
    scene.tune('A', |archer| archer.reach_through_links = true);
    assert!(scene.is_within_reach('A', 'T'));
    assert_eq!(
        scene.grid().links(),
        [Link::new(Cell::new(1, 0), Cell::new(4, 0))]
    );
}

#[test]
fn equal_scenes_equal_digests() {
    let digests = || {
        let mut scene = Scene::on(Grid::open(20, 20).unwrap());
        let target = scene.target((10, 10));
        for n in 0..20 {
            let chaser = scene.chaser((n, n % 7), target);
            scene.insert(chaser, Body::default());
        }
        (0..60).map(move |_| {
            scene.tick(1);
            scene.digest()
        })
    };
    assert!(digests().eq(digests()));
}

/// Moves chasers against the rules: the harness must object.
fn move_chasers_late(with: fn(&mut CellPosition)) {
    let mut world = Scene::on(Grid::from_fn(9, 9, |at| at.x != 4).unwrap());
    let target = world.target((2, 7));
    world.chaser((1, 1), target);
    world.tick(1);
    let meddler = move |mut chasers: Query<&mut CellPosition, With<Chaser>>| {
        chasers.iter_mut().for_each(|mut place| with(&mut place));
    };
    let late = meddler.after(NavSystems::Report);
    world.app.add_systems(FixedUpdate, late);
    world.tick(1);
}

#[test]
#[should_panic(expected = "which is neither step nor link")]
fn leap_is_noticed() {
    move_chasers_late(|place| place.cell.x = 7);
}

#[test]
#[should_panic(expected = "went into the wall")]
fn wall_step_is_noticed() {
    move_chasers_late(|place| place.cell.x = 4);
}

#[test]
#[should_panic(expected = "between its move ticks")]
fn early_step_is_noticed() {
    move_chasers_late(|place| place.cell.y = 3);
}
