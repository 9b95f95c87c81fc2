//! `chase generate`, from the outside.

use crate::common::Program;

const KINDS: [&str; 6] = [
    "open",
    "clutter --percent 35",
    "rooms",
    "caves",
    "maze",
    "mixed",
];

#[test]
fn same_arguments_same_bytes() {
    let program = Program::new("same_arguments_same_bytes");
    for kind in KINDS {
        for ending in ["txt", "map"] {
            for name in ["first", "second"] {
                let arguments = format!("generate {kind} --size 65x65 --seed 9 {name}.{ending}");
                assert_eq!(program.succeed(&arguments), "");
            }
            let first = program.read(&format!("first.{ending}"));
            assert_eq!(first, program.read(&format!("second.{ending}")));
        }
    }
}

#[test]
fn other_seed_other_map() {
    let program = Program::new("other_seed_other_map");
    for kind in KINDS.iter().filter(|kind| **kind != "open") {
        let maps = [1, 2].map(|seed| {
            let arguments = format!("generate {kind} --size 65x65 --seed {seed} -");
            cells(&program.succeed(&arguments))
        });
        assert_ne!(maps[0], maps[1], "{kind}");
    }
}

#[test]
fn every_format_same_map() {
    let program = Program::new("every_format_same_map");
    for kind in KINDS {
        for name in ["a.txt", "a.map"] {
            program.succeed(&format!("generate {kind} --size 65x49 --seed 3 {name}"));
        }
        program.succeed("convert a.map b.txt");
        let converted = String::from_utf8(program.read("b.txt")).unwrap();
        let printed = program.succeed(&format!("generate {kind} --size 65x49 --seed 3 -"));
        assert_eq!(cells(&converted), cells(&printed));
        assert_eq!(printed.as_bytes(), program.read("a.txt"));
    }
}

#[test]
fn bundled_maps_are_reproducible() {
    let program = Program::new("bundled_maps_are_reproducible");
    let maps = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/maps");
    for name in ["mixed-512.txt", "rooms-128.txt", "maze-65.txt"] {
        let bundled = std::fs::read_to_string(format!("{maps}/{name}")).unwrap();
        let comment = bundled.lines().next().unwrap();
        let (_, arguments) = comment.split_once("chase ").unwrap();
        let made = program.succeed(&format!("{arguments} -"));
        assert!(made == bundled, "{name} differs from `chase {arguments}`");
    }
}

#[test]
fn provenance() {
    let program = Program::new("provenance");
    let printed = program.succeed("generate mixed --size 64x48 --seed 7 -");
    let comment = printed.lines().next().unwrap();
    assert!(
        comment.ends_with("chase generate mixed --size 64x48 --seed 7"),
        "{comment}"
    );
}

/// Returns the rows of a map without its comments.
fn cells(text: &str) -> Vec<String> {
    text.lines()
        .filter(|line| line.bytes().all(|byte| matches!(byte, b'.' | b'#')))
        .map(str::to_owned)
        .collect()
}
