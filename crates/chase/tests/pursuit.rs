//! `chase run pursuit`, from the outside.

mod common;

use chase::pursuit::{Course, Pursuers, PursuitTable};
use common::Program;

#[test]
fn the_table_has_a_row_for_each_course_and_pursuers() {
    let program = Program::new("pursuit_table");
    let text = program.succeed("run pursuit --seconds 1 --json table.json");
    let table: PursuitTable = serde_json::from_slice(&program.read("table.json")).unwrap();
    assert_eq!((table.seconds, table.seed), (1, 0));
    assert_eq!(
        table.rows.len(),
        Course::all().count() * Pursuers::ALL.len()
    );
    for row in &table.rows {
        // Five seconds are enough to come from six cells away to a target that is slower.
        let far_from_it = row.of_ring == 0.0 && row.count == 1;
        assert!(!far_from_it && row.of_ring <= 1.0, "{row:?}");
    }
    assert_eq!(text, table.to_string());
    for course in Course::all() {
        assert!(text.contains(&course.name()), "{text}");
    }
}

#[test]
fn options_of_scenarios_do_not_go_with_pursuit() {
    let program = Program::new("pursuit_options");
    assert_eq!(
        program.fail("run pursuit --chasers 5"),
        "command line: --chasers goes with a scenario, not with pursuit"
    );
    assert_eq!(
        program.fail("run pursuit --seconds 0"),
        "command line: seconds must be 1 to 3600, not 0"
    );
}
