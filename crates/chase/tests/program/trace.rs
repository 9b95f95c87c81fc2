//! `chase run --trace` and `chase replay`, from the outside.

use crate::common::Program;
use serde_json::Value;

/// Ticks of a recorded run.
const TICKS: u64 = 60;

/// Makes a program whose folder has a trace of three seconds, and returns the report of that run.
fn recorded(test: &str, options: &str) -> (Program, Value) {
    let program = Program::new(test);
    let report = program.json(&format!(
        "run --seconds 3 --chasers 300 --threads 2 --trace a.trace {options}"
    ));
    assert_eq!(report["ticks"], TICKS);
    (program, report)
}

fn json(program: &Program, options: &str) -> Value {
    program.json(&format!("replay a.trace {options}"))
}

#[test]
fn replay_gives_same_digest() {
    let (program, report) = recorded("trace_equal", "");
    let digest = report["digest"].as_str().unwrap();
    let text = program.succeed("replay a.trace");
    let expected = format!("{TICKS} ticks as they were recorded, digest {digest}\n");
    assert_eq!(text, expected);
    for threads in [1, 2, 4] {
        let replayed = json(&program, &format!("--threads {threads}"));
        assert_eq!(replayed["equal"], true);
        assert_eq!(replayed["ticks"], TICKS);
        assert_eq!(replayed["digest"], digest);
        assert_eq!(replayed["difference"], Value::Null);
    }
}

#[test]
fn recording_changes_nothing() {
    let (_, report) = recorded("trace_same", "--seed 7");
    let plain = Program::new("trace_same_plain").json("run --seconds 3 --chasers 300 --seed 7");
    assert_eq!(plain["digest"], report["digest"]);
}

#[test]
fn bodies_under_a_budget() {
    let program = Program::new("trace_siege");
    program
        .succeed("run siege-10k --chasers 500 --budget 3000 --seconds 3 --quiet --trace a.trace");
    assert_eq!(json(&program, "")["equal"], true);
}

#[test]
fn until_ends_a_replay_early() {
    let (program, _) = recorded("trace_until", "");
    assert_eq!(json(&program, "--until 20")["ticks"], 20);
    assert_eq!(json(&program, "--until 0")["ticks"], 0);
    assert_eq!(json(&program, "--until 1000")["ticks"], TICKS);
}

#[test]
fn state_of_a_tick() {
    let (program, _) = recorded("trace_dump", "");
    program.succeed("replay a.trace --dump 25 --dump-to state.json");
    let state = program.read("state.json");
    let saved: nav::saving::NavSave = serde_json::from_slice(&state).unwrap();
    let mut world = bevy_ecs::world::World::new();
    saved.restore(&mut world).unwrap();
    let mut agents = world.query::<&nav::CellPosition>();
    assert_eq!(agents.iter(&world).count(), 300 + 16);

    let on_stdout = program.succeed("replay a.trace --dump 25");
    assert_eq!(on_stdout.as_bytes(), state);
    assert_eq!(
        program.fail("replay a.trace --dump 61"),
        "a.trace: there is no tick 61 to dump: it has 60"
    );
}

#[test]
fn damaged_and_cut_traces() {
    let (program, _) = recorded("trace_damaged", "");
    let whole = program.read("a.trace");
    let refused = |bytes: &[u8]| {
        std::fs::write(program.path("b.trace"), bytes).unwrap();
        let line = program.fail("replay b.trace");
        line.strip_prefix("b.trace: ").unwrap().to_owned()
    };
    assert_eq!(refused(b"# not a trace\n"), "this is no trace");
    assert_eq!(refused(b""), "this is no trace");
    let mut other = whole.clone();
    other[8] += 1;
    assert_eq!(
        refused(&other),
        "the trace has version 7, and this build reads version 6"
    );
    let end = whole.len();
    // The end is a block of 18 bytes.
    assert_eq!(
        refused(&whole[..end - 1]),
        "the trace is cut off after tick 60"
    );
    assert_eq!(
        refused(&whole[..end - 18]),
        "the trace is cut off after tick 60"
    );
    assert_eq!(
        refused(&whole[..end - 19]),
        "the trace is cut off after tick 59"
    );
    for part in 1..16 {
        let at = end * part / 16;
        let cut = refused(&whole[..at]);
        assert!(cut.starts_with("the trace is cut off after tick "), "{cut}");
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << (part % 8);
        let damaged = refused(&flipped);
        let is_named = damaged.starts_with("the trace is damaged at tick ")
            || damaged.starts_with("the trace is cut off after tick ");
        assert!(is_named, "{damaged}");
    }
}

#[test]
fn files_that_cannot_be_opened() {
    let program = Program::new("trace_files");
    let missing = program.fail("replay missing.trace");
    assert!(missing.starts_with("missing.trace"), "{missing}");
    let nowhere = program.fail("run --seconds 1 --quiet --trace nowhere/a.trace");
    assert!(nowhere.starts_with("nowhere/a.trace"), "{nowhere}");
}
