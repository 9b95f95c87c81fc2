//! `nav_lab cliffs`, from the outside.

use crate::common::Program;
use nav_lab::cliffs::{CLIFFS, CliffTable, Crowd, OVER};
use std::collections::BTreeSet;

const SMALL: &str = "--chasers 300 --seconds 1";

#[test]
fn every_cliff_has_its_row() {
    let program = Program::new("cliffs_table");
    let text = program.succeed(&format!("cliffs {SMALL} --json table.json"));
    let table: CliffTable = serde_json::from_slice(&program.read("table.json")).unwrap();
    assert_eq!((table.chasers, table.seed), (300, 1));
    let names: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
    let expected = Crowd::ALL.into_iter().flat_map(|crowd| {
        let cliffs = CLIFFS.iter().filter(move |cliff| cliff.crowd == crowd);
        [crowd.name()]
            .into_iter()
            .chain(cliffs.map(|cliff| cliff.name))
    });
    assert_eq!(names, expected.collect::<Vec<_>>());
    for row in &table.rows {
        let times = row.tick_ms;
        assert!(times.mean > 0.0 && times.p99 <= times.max, "{row:?}");
        let off = row.longest_by_mean * times.mean - times.max;
        assert!(off.abs() < 1e-9, "{row:?}");
        let is_linux = cfg!(target_os = "linux");
        assert_eq!(row.peak_rss_bytes.is_some(), is_linux, "{row:?}");
        assert_eq!(row.over, row.ratio.is_some_and(|ratio| ratio > OVER));
        let crowd = Crowd::ALL.iter().find(|crowd| crowd.name() == row.name);
        assert_eq!(row.ratio.is_none(), crowd.is_some(), "{row:?}");
        assert!((1..=20).contains(&row.longest.tick), "{row:?}");
        assert_eq!(row.later, None, "there is one second");
    }
    // Requests for paths change no chase.
    let rows = table.rows.iter();
    let chases: Vec<_> = rows.filter(|row| !row.name.ends_with("requests")).collect();
    let digests: BTreeSet<String> = chases.iter().map(|row| row.digest.to_string()).collect();
    assert_eq!(
        digests.len(),
        chases.len(),
        "every disturbance changes the run"
    );
    assert_eq!(text, table.to_string(), "rows are shown one by one");
}

#[test]
fn names_select() {
    let program = Program::new("cliffs_names");
    let names = |arguments: &str| -> Vec<String> {
        let table = program.json(&format!("cliffs {arguments} {SMALL}"));
        let rows = table["rows"].as_array().unwrap().iter();
        rows.map(|row| row["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names("doors"), ["crowd", "doors"]);
    assert_eq!(names("octile doors doors"), ["crowd", "doors", "octile"]);
}

#[test]
fn ticks_after_the_first_second() {
    let program = Program::new("cliffs_later");
    let table = program.json("cliffs swapped --chasers 300 --seconds 1.5");
    for row in table["rows"].as_array().unwrap() {
        let (longest, later) = (&row["longest"], &row["later"]);
        assert!(later["tick"].as_u64().unwrap() > 20, "{row}");
        assert!(later["ms"].as_f64() <= longest["ms"].as_f64(), "{row}");
    }
}

#[test]
fn repeated_runs() {
    let program = Program::new("cliffs_runs");
    let digests = |arguments: &str| -> Vec<String> {
        let table = program.json(&format!("cliffs own-target spawned {SMALL} {arguments}"));
        let rows = table["rows"].as_array().unwrap().iter();
        rows.map(|row| row["digest"].to_string()).collect()
    };
    assert_eq!(digests("--runs 3"), digests(""));
}

#[test]
fn threads_agree() {
    let program = Program::new("cliffs_threads");
    let digests = |arguments: &str| -> Vec<String> {
        let cliffs = "tunings teleport replaced sealed swapped links";
        let table = program.json(&format!("cliffs {cliffs} {SMALL} {arguments}"));
        let rows = table["rows"].as_array().unwrap().iter();
        rows.map(|row| row["digest"].to_string()).collect()
    };
    let digests_of_one = digests("--threads 1");
    assert_eq!(digests_of_one, digests("--threads 2"));
    assert_ne!(digests_of_one, digests("--threads 1 --seed 2"));
}

#[test]
fn unknown_name() {
    let program = Program::new("cliffs_unknown");
    assert_eq!(
        program.fail("cliffs doors moon"),
        "invalid value 'moon' for '[NAME]...': there is no cliff \"moon\": it must be one of \
         tunings, teleport, doors, replaced, assigned, moved, one-target, sealed, swapped, costs, octile, sizes, \
         links, requests, far-requests, unprepared, own-target, spawned"
    );
}

#[test]
fn options_are_checked() {
    let program = Program::new("cliffs_options");
    assert_eq!(
        program.fail("cliffs --chasers 2m"),
        "invalid value '2m' for '--chasers <N>': expected a whole number from 1 to 1000000, such as 500, 10k or 1m"
    );
    assert_eq!(
        program.fail("cliffs --seconds 0"),
        "invalid value '0' for '--seconds <S>': expected a number above 0 and at most 86400"
    );
}
