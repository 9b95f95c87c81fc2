//! `nav_lab pursuit`, from the outside.

use crate::common::Program;
use nav_lab::pursuit::{Course, Pursuers, PursuitTable};
use std::collections::BTreeMap;

#[test]
fn rows_of_the_table() {
    let program = Program::new("pursuit_table");
    let text = program.succeed("pursuit --seconds 1 --json table.json");
    let table: PursuitTable = serde_json::from_slice(&program.read("table.json")).unwrap();
    assert_eq!((table.seconds, table.seed), (1, 0));
    assert_eq!(
        table.rows.len(),
        Course::all().count() * Pursuers::ALL.len()
    );
    for row in &table.rows {
        // Five seconds are enough to catch up six cells with a slower target.
        let far_from_it = row.of_ring == 0.0 && row.count == 1;
        assert!(!far_from_it && row.of_ring <= 1.0, "{row:?}");
    }
    assert_eq!(text, table.to_string());
    for course in Course::all() {
        assert!(text.contains(&course.name()), "{text}");
    }
}

/// Returns the rows of the table of shares in BENCHMARKS.md: the numbers of each course, in order
/// of pursuers. Packs of several have a second one.
fn rows_of_the_document() -> BTreeMap<String, Vec<f64>> {
    let text = include_str!("../../../../BENCHMARKS.md");
    let (_, table) = text.split_once("| flight | 1 ghost |").expect("the table");
    let (table, _) = table.split_once("\n\n").expect("its end");
    let rows = table.lines().skip(2).filter_map(|row| {
        let (name, shares) = row.trim_matches(['|', ' ']).split_once(" | ")?;
        let shares = shares
            .split([' ', '|', '/'])
            .filter_map(|word| word.parse().ok());
        Some((name.to_owned(), shares.collect()))
    });
    rows.collect()
}

/// Within a tenth of each.
#[test]
fn figures_of_the_document() {
    let report = Program::new("pursuit_figures").json("pursuit --quiet");
    let table: PursuitTable = serde_json::from_value(report).unwrap();
    let stated = rows_of_the_document();
    assert_eq!(stated.len(), 7);
    for (name, stated) in stated {
        let rows = table.rows.iter().filter(|row| {
            let course = Course {
                flight: row.flight,
                cluttered: row.cluttered,
            };
            course.name() == name
        });
        let shares = rows.flat_map(|row| {
            let of_pack = (row.bodies && row.count > 1).then_some(row.of_pack);
            [Some(row.of_ghosts), of_pack]
                .into_iter()
                .flatten()
                .map(|share| 100.0 * share)
        });
        let shares: Vec<f64> = shares.collect();
        let is_near = |(stated, share): (&f64, &f64)| (stated - share).abs() <= 0.1 * share;
        let are_near = stated.len() == shares.len() && stated.iter().zip(&shares).all(is_near);
        assert!(
            are_near,
            "{name}: BENCHMARKS.md says {stated:.1?}, and it is {shares:.1?}"
        );
    }
}

#[test]
fn seconds_are_checked() {
    let program = Program::new("pursuit_options");
    assert_eq!(
        program.fail("pursuit --seconds 0"),
        "invalid value '0' for '--seconds <S>': expected a whole number from 1 to 3600"
    );
}
