//! Figures of README, book and BENCHMARKS that this program prints, compared with what it prints.
//! Times depend on the machine: BENCHMARKS has the commands for those.

use crate::common::Program;
use nav_grid::{Footprint, Grid};
use serde_json::Value;
use std::{fs, path::Path};

/// The part by which a figure may differ, so that a document need not follow each change of a rule.
const TOLERANCE: f64 = 0.1;

/// Returns the text of a document, named from the root of the workspace.
fn document(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(name)).expect("a document")
}

/// Returns the number at the beginning of a text, written as `1,200` or `0.9`, and the rest.
fn number(text: &str) -> Option<(f64, &str)> {
    let is_part = |c: char| c.is_ascii_digit() || c == ',' || c == '.';
    let length = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let digits = text[..length].trim_end_matches([',', '.']);
    let value = digits.replace(',', "").parse().ok()?;
    Some((value, &text[digits.len()..]))
}

/// Returns the numbers at the `{}` of a sentence, if a text begins with it. A `#` is a number that
/// is not compared.
fn match_at(text: &str, sentence: &str) -> Option<Vec<f64>> {
    let (mut found, mut rest) = (Vec::new(), text);
    let mut parts = sentence.split_inclusive(['#', '}']);
    parts.try_for_each(|part| {
        let literal = part.trim_end_matches(['#', '{', '}']);
        rest = rest.strip_prefix(literal)?;
        if literal.len() < part.len() {
            let (value, after) = number(rest)?;
            rest = after;
            if part.ends_with('}') {
                found.push(value);
            }
        }
        Some(())
    })?;
    Some(found)
}

/// Returns the numbers of a sentence in a document. Lines may break anywhere in it.
fn figures(name: &str, sentence: &str) -> Vec<f64> {
    let words: Vec<String> = document(name)
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    let text = words.join(" ");
    let starts = text.char_indices().map(|(at, _)| &text[at..]);
    let mut found = starts.filter_map(|rest| match_at(rest, sentence));
    let first = found.next();
    first.unwrap_or_else(|| panic!("{name} does not say {sentence:?}: change it here, too"))
}

/// Fails if the numbers of a sentence are not as measured.
fn agrees(name: &str, sentence: &str, measured: &[f64]) {
    let stated = figures(name, sentence);
    assert_eq!(stated.len(), measured.len(), "{sentence}");
    for (stated, measured) in stated.iter().zip(measured) {
        let is_near = (stated - measured).abs() <= TOLERANCE * measured;
        assert!(
            is_near,
            "{name}: {sentence:?} says {stated}, and it is {measured}"
        );
    }
}

fn value(report: &Value, pointer: &str) -> f64 {
    let value = report.pointer(pointer).and_then(Value::as_f64);
    value.unwrap_or_else(|| panic!("the report has no {pointer}"))
}

fn mebibytes(bytes: f64) -> f64 {
    bytes / f64::from(1 << 20)
}

#[test]
fn sentences_have_figures() {
    assert_eq!(
        match_at("of 1,200 ticks, 0.9 MiB.", "of {} ticks, {} MiB"),
        Some(vec![1200.0, 0.9])
    );
    assert_eq!(match_at("| 3.5 | 7 |", "| # | {} |"), Some(vec![7.0]));
    assert_eq!(match_at("of a few ticks", "of {} ticks"), None);
}

#[test]
fn default_chase() {
    let program = Program::new("figures_default");
    let report = program.json("run --threads 2");
    let [chasers, targets, ticks, hz] =
        ["/chasers", "/targets", "/ticks", "/hz"].map(|at| value(&report, at));
    let side = value(&report, "/nav/map_cells").sqrt();
    agrees(
        "README.md",
        "The default chase: {} chasers after {} players on a map of {}×{} cells, for {} simulated seconds.",
        &[chasers, targets, side, side, ticks / hz],
    );
    agrees(
        "BENCHMARKS.md",
        "the default chase: {} chasers, {} targets, {} ticks, two threads",
        &[chasers, targets, ticks],
    );
}

#[test]
fn state_of_a_chaser() {
    let program = Program::new("figures_state");
    let report = program.json("run --seconds 1 --chasers 100");
    let state = value(&report, "/nav/state_bytes");
    for (name, sentence) in [
        ("README.md", "a chaser without a path takes {} bytes"),
        (
            "docs/book/src/crowds.md",
            "The state of a chase takes {} bytes a chaser.",
        ),
        ("BENCHMARKS.md", "state a chaser | # MiB; {} bytes |"),
    ] {
        agrees(name, sentence, &[state]);
    }
}

#[test]
fn map_of_5000_columns() {
    let sides = [1, 4, 8].map(|footprints| {
        // As in the bench `edits`.
        let mut grid =
            Grid::from_fn(5000, 5000, |cell| cell.x % 16 != 8 || cell.y % 16 != 8).unwrap();
        for side in 2..=footprints {
            grid.prepare_footprint(Footprint::new(side).unwrap());
        }
        mebibytes(grid.heap_bytes() as f64)
    });
    let sentence = "a map of 5000×5000 cells takes {} MiB, {} MiB with footprints 1×1 to 4×4 in use, and {} MiB with all eight.";
    agrees("BENCHMARKS.md", sentence, &sides);
    let sentence = "memory of a map of 5000×5000 cells; state a chaser | {} MiB;";
    agrees("BENCHMARKS.md", sentence, &sides[..1]);
}

#[test]
fn size_of_a_trace() {
    let program = Program::new("figures_trace");
    program.succeed("run crowd-10k --quiet --threads 2 --trace crowd.trace");
    let bytes = fs::metadata(program.path("crowd.trace")).unwrap().len() as f64;
    let sentence = "trace of `crowd-10k`, {} ticks, two threads | {} MiB;";
    agrees("BENCHMARKS.md", sentence, &[1200.0, mebibytes(bytes)]);
}

/// What the page of the programs shows of a report is what the program prints, to the last digit.
#[test]
fn report_in_the_book() {
    let page = document("docs/book/src/programs.md");
    let (_, rest) = page.split_once("```text\nat the end").expect("a report");
    let (shown, _) = rest.split_once("\n```").expect("its end");
    let said = Program::new("figures_report").succeed("run swamp");
    assert!(
        said.contains(&format!("at the end{shown}\n")),
        "it prints\n{said}"
    );
}
