//! Scenario files of the `MovingAI` benchmarks: reading them, and the words of refusals.

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

#[track_caller]
fn refused(file: &str, sentence: &str) {
    let error = scen::read(file.as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), sentence);
}

#[track_caller]
fn refused_with(from: &str, to: &str, sentence: &str) {
    assert!(FILE.contains(from));
    refused(&FILE.replace(from, to), sentence);
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
fn line_ends_and_blanks() {
    for file in [
        FILE.trim_end(),
        &FILE.replace('\n', "\r\n"),
        &FILE.replace('\t', " "),
        &FILE.replace('\t', " \t "),
        &FILE.replace('\n', " \n"),
        &FILE.replace("version 1", " version\t1.0 "),
        &format!("{FILE}\r\n\n"),
    ] {
        assert_eq!(scen::read(file.as_bytes()), Ok(scenario()), "{file:?}");
    }
}

#[test]
fn names_with_spaces() {
    for blank in ["\t", " "] {
        let file = format!(
            "version 1\n{}",
            ["7", "my  big map", "9", "9", "0", "1", "2", "3", "4"].join(blank)
        );
        let read = scen::read(file.as_bytes()).unwrap();
        assert_eq!(read.lines[0].map, "my  big map");
        assert_eq!(scen::read(scen::write(&read).unwrap().as_bytes()), Ok(read));
    }
}

#[test]
fn version_first() {
    refused(
        "",
        "line 1: the file ends inside the header; expected 'version 1'",
    );
    for version in [
        "version 2",
        "version",
        "version 1 1",
        "VERSION 1",
        "0 a.map",
    ] {
        refused_with(
            "version 1",
            version,
            &format!("line 1: unknown header line '{version}'; expected 'version 1'"),
        );
    }
}

#[test]
fn number_of_fields() {
    for (line, found) in [
        ("", 0),
        (" ", 0),
        ("0", 1),
        ("0\tarena.map", 2),
        ("0\t49\t50\t1\t11\t1\t12\t1", 8),
        ("0\t\t49\t50\t1\t11\t1\t12\t1", 8),
        ("0\tarena.map\tmore\t49\t50\t1\t11\t1\t12\t1", 10),
    ] {
        refused(
            &format!("version 1\n{line}\n0\ta\t1\t1\t0\t0\t0\t0\t0\n"),
            &format!("line 2: line has {found} fields, expected 9"),
        );
    }
}

#[test]
fn fields_no_numbers() {
    refused_with(
        "\n3\t",
        "\n-3\t",
        "line 3, column 1: bucket '-3' is not a whole number from 0 to 4294967295",
    );
    refused_with(
        "49\t50\t48",
        "forty\t50\t48",
        "line 3, column 18: map width 'forty' is not a whole number; expected 1 to 16384",
    );
    refused_with(
        "49\t50\t48",
        "49\t99999\t48",
        "line 3, column 21: map height 99999 is out of range; expected 1 to 16384",
    );
    refused_with(
        "\t48\t",
        "\t49\t",
        "line 3, column 24: start column '49' is not a whole number from 0 to 48",
    );
    refused_with(
        "\t0\t0\t49",
        "\t0.5\t0\t49",
        "line 3, column 27: start row '0.5' is not a whole number from 0 to 49",
    );
    refused_with(
        "\t0\t0\t49",
        "\t0\t+1\t49",
        "line 3, column 29: goal column '+1' is not a whole number from 0 to 48",
    );
    refused_with(
        "\t0\t0\t49",
        "\t0\t0\t50",
        "line 3, column 31: goal row '50' is not a whole number from 0 to 49",
    );
    for length in ["far", "-1", "inf", "NaN", "1e999"] {
        refused_with(
            "68.66904755831213",
            length,
            &format!(
                "line 3, column 34: optimal length '{length}' is not a length; \
                 expected a number of at least 0"
            ),
        );
    }
}

#[test]
fn names_no_text() {
    let file = b"version 1\n0\ta\xffb\t1\t1\t0\t0\t0\t0\t0\n";
    assert_eq!(
        scen::read(file).unwrap_err().to_string(),
        "line 2, column 3: map name 'a\\xffb' is not a name; \
         expected UTF-8 without control characters"
    );
    refused(
        "version 1\n0\ta\u{1b}b\t1\t1\t0\t0\t0\t0\t0\n",
        "line 2, column 3: map name 'a\\u{1b}b' is not a name; \
         expected UTF-8 without control characters",
    );
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
