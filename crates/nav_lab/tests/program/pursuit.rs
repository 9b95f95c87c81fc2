//! `nav_lab pursuit`, from the outside.

use crate::common::Program;
use nav_lab::pursuit::{Course, Pursuers, PursuitTable};

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

#[test]
fn seconds_are_checked() {
    let program = Program::new("pursuit_options");
    assert_eq!(
        program.fail("pursuit --seconds 0"),
        "command line: seconds must be 1 to 3600, not 0"
    );
}
