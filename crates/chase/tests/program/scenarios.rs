//! Scenarios by name, from files and from standard input.

use crate::common::Program;
use nav_sim::report::SETS;
use serde_json::Value;
use std::{
    collections::BTreeSet,
    io::Write,
    process::{Output, Stdio},
};

fn report(program: &Program, options: &str) -> Value {
    program.json(&format!("run {options}"))
}

/// Returns the report of a bundled scenario with a few chasers; `test` is the name of the test.
fn few(test: &str, name: &str) -> Value {
    let program = Program::new(&format!("{test}_{name}"));
    let report = report(
        &program,
        &format!("{name} --chasers 200 --targets 4 --seconds 2"),
    );
    assert_eq!(report["ticks"], 40);
    // Fifty chase each target, and all that can reach it share its field.
    assert!(report["fields"].as_u64() > Some(0));
    assert!(report["steps"].as_u64() > Some(200));
    report
}

#[test]
fn plain_10k_steps_every_tick() {
    let steps = |name: &str| few("scenarios_plain", name)["steps"].as_u64().unwrap();
    let (every_tick, now_and_then) = (steps("plain-10k"), steps("crowd-10k"));
    assert!(
        every_tick > 2 * now_and_then,
        "{every_tick} and {now_and_then}"
    );
}

#[test]
fn crowd_100k() {
    few("scenarios_crowd", "crowd-100k");
}

/// The maps of these scenarios take a while to make, so they run on another one.
#[test]
fn large_scenarios_on_own_map() {
    let program = Program::new("scenarios_own_map");
    program.succeed("generate rooms --size 100x100 rooms.txt");
    for name in ["crowd-1m", "horde-1m"] {
        let options = format!("{name} --map rooms.txt --chasers 200 --targets 4 --seconds 2");
        let report = report(&program, &options);
        assert!(report["searches"]["found"].as_u64() > Some(0), "{name}");
    }
}

/// In each of these scenarios, every chaser that finds a place beside a standing target has taken
/// one.
#[test]
fn chases_of_standing_targets() {
    let program = Program::new("scenarios_end_well");
    for (name, beside) in [("stairs", 16), ("swamp", 15), ("doors", 8), ("sizes", 9)] {
        let report = report(&program, name);
        let ends = &report["ends"];
        assert_eq!(ends["beside"], beside, "{name}: {ends}");
        assert_eq!(ends["behind"], 0, "{name}: {ends}");
        assert_eq!(ends["no_way"], 0, "{name}: {ends}");
        let on_the_way = ends["on_the_way"].as_object().unwrap();
        assert!(
            on_the_way.values().all(|count| count == 0),
            "{name}: {ends}"
        );
    }
}

/// There are more chasers than places: a waiting chaser could come nearer only past others that
/// wait.
#[test]
fn packs_larger_than_rings() {
    let report = report(&Program::new("scenarios_packs"), "two-players");
    let ends = &report["ends"];
    let number = |field: &str| ends[field].as_u64().unwrap();
    let all = number("beside") + number("no_place") + number("behind");
    assert_eq!((all, number("no_way")), (40, 0), "{ends}");
    assert!((8..=12).contains(&number("beside")), "{ends}");
}

#[test]
fn unknown_name() {
    assert_eq!(
        Program::new("scenarios_unknown").fail("run crowd-7"),
        "crowd-7: there is no such file, and no scenario of this name in the program; it has \
         default, hunt, rooms, maze, plain-10k, crowd-10k, crowd-100k, crowd-1m, horde-1m, siege-10k, \
         stairs, swamp, two-players, doors, sizes, mmo, survival, rts, roguelike"
    );
}

#[test]
fn file_before_bundled_name() {
    let program = Program::new("scenarios_file_first").with("maze", "(chasers: 7, seconds: 1)");
    assert_eq!(report(&program, "maze")["chasers"], 7);
    assert_eq!(report(&program, "rooms --seconds 1")["chasers"], 200);
}

fn run_from_stdin(program: &Program, scenario: &str) -> Output {
    let mut child = program
        .command()
        .args(["run", "-", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(scenario.as_bytes()).unwrap();
    drop(stdin);
    child.wait_with_output().unwrap()
}

#[test]
fn scenario_from_standard_input() {
    let program = Program::new("scenarios_stdin");
    let output = run_from_stdin(&program, "(chasers: 9, seconds: 1)");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["chasers"], 9);
    let output = run_from_stdin(&program, "(targets: 0)");
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: standard input: targets must be 1 to 1000000, not 0\n"
    );
}

#[test]
fn generated_map_of_a_run() {
    let scenario = |map: &str| format!("(map: {map}, chasers: 50, targets: 3, seconds: 3)");
    let made = "Generated(kind: \"clutter\", percent: 30, width: 80, height: 60, seed: 9)";
    let program = Program::new("scenarios_made")
        .with("made.ron", scenario(made))
        .with("file.ron", scenario("File(\"map.txt\")"))
        .with("bare.ron", scenario("\"map.txt\""));
    program.succeed("generate clutter --percent 30 --size 80x60 --seed 9 map.txt");
    let digest = |file: &str| report(&program, file)["digest"].clone();
    assert_eq!(digest("made.ron"), digest("file.ron"));
    assert_eq!(digest("made.ron"), digest("bare.ron"));
}

#[test]
fn impossible_map() {
    let program = Program::new("scenarios_wrong_map")
        .with(
            "kind.ron",
            "(map: Generated(kind: \"city\", width: 9, height: 9))",
        )
        .with(
            "size.ron",
            "(map: Generated(kind: \"open\", width: 9, height: 0))",
        );
    assert_eq!(
        program.fail("run kind.ron"),
        "kind.ron: map kind must be one of open, clutter, rooms, caves, maze, mixed, not city"
    );
    assert_eq!(
        program.fail("run size.ron"),
        "size.ron: map height must be 1 to 16384, not 0"
    );
}

#[test]
fn more_bodies_than_cells() {
    let program = Program::new("scenarios_full").with(
        "full.ron",
        "(map: Generated(kind: \"open\", width: 12, height: 12), chasers: 145, bodies: Soft)",
    );
    assert_eq!(
        program.fail("run full.ron"),
        "145 chasers with bodies find no room on the 144 cells that can be walked to: use fewer \
         or a larger map"
    );
}

#[test]
fn parts_sum_to_a_tick() {
    let report = few("scenarios_parts", "crowd-10k");
    let sets = report["sets"].as_object().unwrap();
    let names: BTreeSet<&str> = sets.keys().map(String::as_str).collect();
    let known = SETS.map(|(name, _)| name).into_iter().chain(["other"]);
    assert_eq!(names, known.collect());
    let sum = |field: &str| -> f64 { sets.values().map(|set| set[field].as_f64().unwrap()).sum() };
    assert!((sum("share") - 1.0).abs() < 1e-9);
    let tick_us = report["tick_ms"]["mean"].as_f64().unwrap() * 1000.0;
    assert!((sum("mean_us") - tick_us).abs() < 0.01 * tick_us);
    assert!(sets["search"]["mean_us"].as_f64() > Some(0.0));
}

/// Ground on both sides of a river, and a bridge of another class over its lower end.
const RIVER: &str = r#"<map version="1.10" orientation="orthogonal" width="9" height="4" tilewidth="16" tileheight="16">
 <layer id="1" name="walls" width="9" height="4"><data encoding="csv">
0,0,0,0,0,0,0,0,0, 0,0,0,0,0,0,0,0,0, 0,0,0,0,0,0,0,0,0, 0,0,0,0,0,0,0,0,0</data></layer>
 <layer id="2" name="terrain" width="9" height="4"><data encoding="csv">
0,0,0,0,2,0,0,0,0, 0,0,0,0,2,0,0,0,0, 0,0,0,0,2,0,0,0,0, 0,0,0,0,3,0,0,0,0</data></layer>
</map>"#;

#[test]
fn classes_of_chasers() {
    let scenario = |classes: &str| {
        format!(
            "(map: \"river.tmx\", chasers: 3, targets: 1, seconds: 10, threads: Some(1), spawn: \
             Within(first: (x: 0, y: 0), last: (x: 1, y: 1)), target_cells: [(x: 8, y: 0)], \
             target: (stands: true), chaser: (classes: {classes}))"
        )
    };
    let program = Program::new("classes_of_chasers")
        .with("river.tmx", RIVER)
        .with("bridge.ron", scenario("[1, 0]"))
        .with("cut.ron", scenario("[1, 0, 0]"))
        .with("wrong.ron", scenario("[1, 16]"));
    assert_eq!(program.json("run bridge.ron")["ends"]["beside"], 3);
    let cut = program.json("run cut.ron");
    assert_eq!(
        (cut["ends"]["beside"].clone(), cut["ends"]["no_way"].clone()),
        (0.into(), 3.into())
    );
    let error = program.fail("run wrong.ron");
    assert!(error.contains("terrain class 1 cannot cost 16"), "{error}");
}
