//! `nav_lab scen`, from the outside.

use crate::common::Program;
use serde_json::{Value, json};
use std::{fs, path::PathBuf};

/// A wall with a gap at its lower end, and a closed pocket.
const YARD: &str = "\
type octile
height 4
width 6
map
..@.@.
..@.@@
..@...
......
";

/// Across the gap, along the wall, nowhere, and into the wall.
const QUERIES: &str = "\
version 1
1\tyard.map\t6\t4\t0\t0\t3\t0\t8.41421356
0\tyard.map\t6\t4\t0\t0\t0\t3\t3
0\tyard.map\t6\t4\t1\t1\t1\t1\t0
0\tyard.map\t6\t4\t0\t0\t2\t0\t9.5
";

fn yard(test: &str) -> Program {
    Program::new(test)
        .with("yard.map", YARD)
        .with("yard.map.scen", QUERIES)
}

fn json(program: &Program, arguments: &str) -> Value {
    program.json(&format!("scen yard.map yard.map.scen {arguments}"))
}

#[test]
fn scenario_answers_for_people() {
    let table = yard("scenario_answers_for_people").succeed("scen yard.map yard.map.scen");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("4 lines, 1 of them with a blocked end"));
    let words = |line: Option<&str>| -> Vec<String> {
        let line = line.unwrap();
        line.split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(words(lines.next())[..3], ["method", "solved", "wrong"]);
    let astar = words(lines.find(|line| line.starts_with("astar")));
    assert_eq!(astar[..7], ["astar", "3", "0", "1", "0", "0", "0"]);
    assert_eq!(astar[11..], ["1.00000", "1.00000"]);
    assert!(!table.contains("dijkstra"), "{table}");
}

#[test]
fn scenario_answers_for_programs() {
    let program = yard("scenario_answers_for_programs");
    let report = json(&program, "--exact");
    assert_eq!(report["map"], "yard.map");
    for method in [
        "astar",
        "bounded",
        "sweep",
        "jps",
        "mosaic",
        "auto-jumps",
        "dijkstra",
    ] {
        let method = &report["methods"][method];
        assert_eq!(method["queries"], 4, "{report}");
        assert_eq!(method["solved"], 3);
        assert_eq!(method["wrong"], 0);
        assert_eq!(method["no_path"], 1);
        assert_eq!(method["cost_ratio_mean"], 1.0);
        assert_eq!(method["cost_ratio_max"], 1.0);
        for time in ["mean_us", "p50_us", "p99_us"] {
            assert!(method[time].as_f64().unwrap() >= 0.0);
        }
    }
    program.succeed("scen yard.map yard.map.scen --json out.json");
    let written: Value = serde_json::from_slice(&program.read("out.json")).unwrap();
    assert_eq!(written["methods"]["astar"]["solved"], 3);
}

#[test]
fn methods_are_asked_by_name() {
    let program = yard("methods_are_asked_by_name");
    let asked = |arguments: &str| -> Vec<String> {
        let report = json(&program, arguments);
        let methods = report["methods"].as_object().unwrap();
        methods.keys().cloned().collect()
    };
    assert_eq!(asked("--method astar"), ["astar"]);
    assert_eq!(asked("--method astar --exact"), ["astar", "dijkstra"]);
    assert_eq!(asked("--method dijkstra,bounded"), ["bounded", "dijkstra"]);
    assert_eq!(asked("--method astar --method sweep"), ["astar", "sweep"]);
    let message = program.fail("scen yard.map yard.map.scen --method warp");
    assert!(
        message.ends_with(
            "it must be all or one of astar, bounded, sweep, jps, portal, mosaic, trunk, auto, \
             auto-jumps, dijkstra"
        ),
        "{message}"
    );
}

#[test]
fn limit_of_lines() {
    let program = yard("limit_of_lines");
    let report = json(&program, "--method astar --limit 2");
    assert_eq!(report["lines"], 2);
    assert_eq!(report["methods"]["astar"]["queries"], 2);
    let report = json(&program, "--method astar --limit 99");
    assert_eq!(report["lines"], 4);
    assert_eq!(
        program.fail("scen yard.map yard.map.scen --limit 0"),
        "invalid value '0' for '--limit <N>': expected a whole number from 1 to 4294967295"
    );
}

#[test]
fn file_without_queries() {
    let program = yard("file_without_queries").with("none.scen", "version 1.0\n");
    let table = program.succeed("scen yard.map none.scen");
    assert!(table.starts_with("0 lines, 0 of them"), "{table}");
}

#[test]
fn lines_inside_the_window() {
    let program = Program::new("lines_inside_the_window");
    let row = ".".repeat(60);
    let map = format!("type octile\nheight 1\nwidth 60\nmap\n{row}\n");
    let queries = "\
version 1
0\trow.map\t60\t1\t0\t0\t20\t0\t20
0\trow.map\t60\t1\t0\t0\t21\t0\t21
";
    let program = program.with("yard.map", map).with("yard.map.scen", queries);
    let report = json(&program, "");
    let bounded = &report["methods"]["bounded"];
    assert_eq!(
        (&bounded["queries"], &bounded["outside"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(report["methods"]["astar"]["queries"], 2);
}

#[test]
fn wrong_lengths_are_reported() {
    let long = QUERIES.replace("8.41421356", "8.40");
    let program = yard("wrong_lengths_are_reported").with("long.scen", long);
    let output = program.run("scen yard.map long.scen --method astar");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: long.scen: wrong answers: 1, the first to line 2: astar: the path has length \
         8.41421, but 8.40000 is listed\n"
    );
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("line 2: astar: the path has"), "{table}");
    // Rounded to two decimals as in the older files.
    let rounded = QUERIES.replace("8.41421356", "8.41");
    program
        .with("rounded.scen", rounded)
        .succeed("scen yard.map rounded.scen");
}

#[test]
fn scenario_of_another_map() {
    let other = QUERIES.replace("yard.map", "maps/barn.map");
    let closed = YARD.replace("......", "..@...");
    let program = yard("scenario_of_another_map")
        .with("barn.map.scen", other)
        .with("closed.map", closed);
    program.succeed("scen yard.map barn.map.scen");
    let output = program.run("scen closed.map barn.map.scen --method astar");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: barn.map.scen: wrong answers: 1, the first to line 2: astar: a path of length \
         8.41421 is listed, but the answer is: the goal is unreachable inside the window; the \
         file is about maps/barn.map\n"
    );
}

#[test]
fn map_of_another_size() {
    let program = yard("map_of_another_size").with("hall.txt", "....\n....\n");
    assert_eq!(
        program.fail("scen hall.txt yard.map.scen"),
        "yard.map.scen: line 2: the query is for a map of 6x4 cells, but the map has 4x2"
    );
}

#[test]
fn unreadable_scenario_files() {
    let outside = QUERIES.replace("\t2\t0\t9.5", "\t6\t0\t9.5");
    let program = yard("unreadable_scenario_files")
        .with("outside.scen", outside)
        .with("short.scen", "version 1\n0\tyard.map\t6\t4\t0\t0\n");
    assert_eq!(
        program.fail("scen yard.map nowhere.scen"),
        "nowhere.scen: cannot be read: there is no such file"
    );
    assert_eq!(
        program.fail("scen nowhere.map yard.map.scen"),
        "nowhere.map: cannot be read: there is no such file"
    );
    for (arguments, start) in [
        ("scen yard.map yard.map", "yard.map: line 1"),
        ("scen yard.map.scen yard.map", "yard.map.scen: "),
        ("scen yard.map outside.scen", "outside.scen: line 5"),
        ("scen yard.map short.scen", "short.scen: line 2"),
    ] {
        let message = program.fail(arguments);
        assert!(message.starts_with(start), "{message}");
    }
    assert_eq!(
        program.fail("scen yard.map yard.map.scen --json out/report.json"),
        "out/report.json: cannot be written: the folder out does not exist; make it first"
    );
}

/// Files of the benchmarks, if they lie beside the project. An even share of each, since the
/// searches are slow without optimisation.
#[test]
fn movingai_scenarios() {
    let root =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/benchmarks/movingai");
    let program = Program::new("movingai_scenarios");
    for name in [
        "dao/arena2.map",
        "bg512/AR0012SR.map",
        "mapf/den312d.map",
        "wc3maps512/icecrown.map",
    ] {
        let map = root.join(name);
        let scen = match name.strip_prefix("mapf/") {
            Some(_) => map.with_file_name("den312d-random-1.scen"),
            None => map.with_extension("map.scen"),
        };
        let (Ok(_), Ok(_)) = (fs::metadata(&map), fs::metadata(&scen)) else {
            println!("skipped: no {name} with its scenarios beside the project");
            continue;
        };
        let output = program
            .command()
            .args(["scen".as_ref(), map.as_os_str(), scen.as_os_str()])
            .args(["--json", "-", "--limit", "6", "--exact"])
            .output()
            .unwrap();
        assert!(output.status.success(), "{name}: {output:?}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        for method in ["astar", "dijkstra"] {
            assert_eq!(report["methods"][method]["solved"], 6, "{name}");
        }
    }
}
