//! `nav_lab scaling`, from the outside.

use crate::common::Program;
use nav_sim::report::SETS;

const SMALL: &str = "crowd-1m --chasers 100,1k --threads 1,2 --seconds 1";

#[test]
fn lines_of_the_table() {
    let program = Program::new("scaling_table");
    let text = program.succeed(&format!("scaling {SMALL} --svg plot.svg"));
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let sets = SETS.map(|(name, _)| name).join(" ");
    let heads = format!("chasers threads map mean ms p99 ms RSS MiB bytes/chaser {sets} other");
    assert_eq!(lines[0].join(" "), heads);
    let runs: Vec<[&str; 3]> = lines[1..]
        .iter()
        .map(|line| [line[0], line[1], line[2]])
        .collect();
    let expected = [
        ["100", "1", "64x64"],
        ["100", "2", "64x64"],
        ["1000", "1", "130x130"],
        ["1000", "2", "130x130"],
    ];
    assert_eq!(runs, expected);

    let svg = String::from_utf8(program.read("plot.svg")).unwrap();
    for words in [
        "<svg",
        "chasers",
        "mean time of a tick, ms",
        "1 thread",
        "2 threads",
    ] {
        assert!(svg.contains(words), "{words}");
    }
    assert_eq!(svg.matches("<circle").count(), 4, "a dot for every run");
}

#[test]
fn json_and_threads() {
    let points = Program::new("scaling_json").json(&format!("scaling {SMALL}"));
    let points = points.as_array().unwrap();
    assert_eq!(points.len(), 4);
    assert_eq!(points[2]["size"], serde_json::json!([130, 130]));
    assert_eq!(points[2]["report"]["targets"], 10);
    assert_eq!(points[2]["report"]["ticks"], 20);
    let digest = |point: usize| &points[point]["report"]["digest"];
    assert_eq!(digest(0), digest(1));
    assert_eq!(digest(2), digest(3));
    assert_ne!(digest(0), digest(2));
}

#[test]
fn map_file_is_kept() {
    let program = Program::new("scaling_file")
        .with("a.ron", "(map: \"yard.txt\", targets: 1)")
        .with("yard.txt", (".".repeat(30) + "\n").repeat(30));
    let table = program.succeed("scaling a.ron --chasers 10,20 --threads 1 --seconds 1");
    assert_eq!(table.matches(" given ").count(), 2, "{table}");
}

#[test]
fn failed_run_is_named() {
    let program = Program::new("scaling_fails").with("a.ron", "(map: \"nowhere.txt\")");
    let arguments = "scaling a.ron --chasers 10 --threads 1 --json -";
    assert_eq!(
        program.fail(arguments),
        "chasers 10, threads 1: nowhere.txt: cannot be read: there is no such file"
    );
}

#[test]
fn mistakes_before_first_run() {
    let program = Program::new("scaling_mistakes");
    assert_eq!(
        program.fail("scaling --chasers 1k,6m"),
        "invalid value '6m' for '--chasers <N,..>': expected a whole number from 0 to 5000000, such as 500, 10k or 1m"
    );
    assert_eq!(
        program.fail("scaling --chasers ten"),
        "invalid value 'ten' for '--chasers <N,..>': expected a whole number from 0 to 5000000, such as 500, 10k or 1m"
    );
    assert_eq!(
        program.fail("scaling --svg plot.png"),
        "invalid value 'plot.png' for '--svg <FILE>': expected a file name that ends in .svg"
    );
    assert_eq!(
        program.fail("scaling --svg out/plot.svg"),
        "out/plot.svg: cannot be written: the folder out does not exist; make it first"
    );
}
