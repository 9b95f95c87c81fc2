//! Scenario files of the `MovingAI` benchmarks: writing them. What is read is in `tests/cases`.

use crate::benchmarks;
use nav_formats::scen::{self, ScenLine, Scenario};
use nav_grid::Cell;
use std::fs;

const FILE: &str = "\
version 1
0\tmaps/arena.map\t49\t50\t1\t11\t1\t12\t1
3\tmaps/arena.map\t49\t50\t48\t0\t0\t49\t68.66904755831213
";

fn scenario() -> Scenario {
    let easy = ScenLine {
        bucket: 0,
        map: "maps/arena.map".to_owned(),
        width: 49,
        height: 50,
        start: Cell::new(1, 11),
        goal: Cell::new(1, 12),
        optimal_length: 1.0,
    };
    let hard = ScenLine {
        bucket: 3,
        start: Cell::new(48, 0),
        goal: Cell::new(0, 49),
        optimal_length: 68.669_047_558_312_13,
        ..easy.clone()
    };
    Scenario {
        lines: vec![easy, hard],
    }
}

#[test]
fn read_and_written() {
    assert_eq!(scen::read(FILE.as_bytes()), Ok(scenario()));
    assert_eq!(scen::write(&scenario()).unwrap(), FILE);
}

#[test]
fn no_queries() {
    assert_eq!(scen::read(b"version 1\n"), Ok(Scenario::default()));
    assert_eq!(scen::write(&Scenario::default()).unwrap(), "version 1\n");
}

#[test]
fn unreadable_not_written() {
    let refused = |change: fn(&mut ScenLine), fault: &str| {
        let mut scenario = scenario();
        change(&mut scenario.lines[1]);
        assert_eq!(
            scen::write(&scenario).unwrap_err().to_string(),
            format!("query 2 of the scenario cannot be written: its {fault}")
        );
    };
    for change in [
        (|line| line.map.clear()) as fn(&mut ScenLine),
        |line| line.map.push('\t'),
        |line| line.map.push('\n'),
        |line| line.map.push(' '),
    ] {
        refused(
            change,
            "map name must be text without tabs, line ends and blanks around it",
        );
    }
    refused(
        |line| line.width = 0,
        "map width and height must be 1 to 16384",
    );
    refused(
        |line| line.goal.y = line.height,
        "start and goal must lie on floor 0 inside the map",
    );
    refused(
        |line| line.start.floor = 1,
        "start and goal must lie on floor 0 inside the map",
    );
    refused(
        |line| line.optimal_length = f64::NAN,
        "optimal length must be finite and not negative",
    );
}

/// All benchmark files that lie beside the project must parse.
#[test]
fn movingai_benchmarks() {
    let Some(files) = benchmarks::files("scen") else {
        return;
    };
    for path in files {
        let bytes = fs::read(&path).unwrap();
        let scenario = scen::read(&bytes).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let lines = bytes.split(|&byte| byte == b'\n');
        assert_eq!(
            scenario.lines.len() + 1,
            lines.filter(|line| !line.is_empty()).count(),
            "{path:?}"
        );
        let again = scen::write(&scenario).unwrap();
        assert_eq!(scen::read(again.as_bytes()), Ok(scenario), "{path:?}");
    }
}
