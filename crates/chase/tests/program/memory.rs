//! The plugin's memory, as the report lists it.

use crate::common::Program;
use nav::diagnostics::NavMemory;
use serde_json::Value;

/// Returns `nav` of the report of a scenario of 96 chasers on open ground of 64×48 cells.
fn nav(test: &str, fields: &str) -> Value {
    let map = "Generated(kind: \"open\", width: 64, height: 48)";
    let scenario = format!("(map: {map}, chasers: 96, seconds: 2, {fields})");
    let program = Program::new(test).with("one.ron", scenario);
    program.json("run one.ron")["nav"].clone()
}

#[test]
fn states_and_cells() {
    let nav = nav("memory_state", "targets: 4");
    assert_eq!(nav["state_bytes"], NavMemory::STATE_BYTES);
    assert_eq!(nav["map_cells"], 64 * 48);
    let map_bytes = nav["map_bytes"].as_u64().unwrap();
    assert!(map_bytes >= 64 * 48 / 8, "a bit a cell, {map_bytes} bytes");
}

#[test]
fn fields_of_shared_chases() {
    let nav = nav("memory_fields", "targets: 4");
    assert!(nav["fields_bytes"].as_u64() > Some(0));
}

#[test]
fn paths_of_lone_chases() {
    let nav = nav("memory_paths", "targets: 96");
    assert!(nav["paths_bytes"].as_u64() > Some(0));
}

#[test]
fn memory_of_bodies() {
    let without = nav("memory_no_bodies", "targets: 4");
    let with = nav("memory_bodies", "targets: 4, bodies: Solid");
    assert_eq!(without["bodies_bytes"], 0);
    assert!(with["bodies_bytes"].as_u64() > Some(0));
}
