//! Readers of map files against bytes that no one meant to be a map.

use nav_grid::{Cell, Grid, formats::Format};
use proptest::{collection::vec, prelude::*, sample::Index};

/// One accident on a file's way from disk to reader.
#[derive(Clone, Debug)]
enum Mutation {
    Flip(Index, u8),
    Insert(Index, u8),
    Delete(Index),
    Truncate(Index),
    RepeatTail(Index),
}

impl Mutation {
    fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        match *self {
            Self::Flip(at, bits) => {
                let at = at.index(bytes.len());
                bytes[at] ^= bits;
            }
            Self::Insert(at, byte) => bytes.insert(at.index(bytes.len()), byte),
            Self::Delete(at) => {
                bytes.remove(at.index(bytes.len()));
            }
            Self::Truncate(at) => bytes.truncate(at.index(bytes.len())),
            Self::RepeatTail(at) => bytes.extend_from_within(at.index(bytes.len())..),
        }
    }
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<Index>;
    // Bytes that mean something to a reader are likelier to get past its first check.
    let byte = prop_oneof![
        any::<u8>(),
        proptest::sample::select(b"\r\n .#@;0129-".to_vec())
    ];
    prop_oneof![
        (at(), 1..=u8::MAX).prop_map(|(at, bits)| Mutation::Flip(at, bits)),
        (at(), byte).prop_map(|(at, byte)| Mutation::Insert(at, byte)),
        at().prop_map(Mutation::Delete),
        at().prop_map(Mutation::Truncate),
        at().prop_map(Mutation::RepeatTail),
    ]
}

fn grid() -> impl Strategy<Value = Grid> {
    (1_u16..40, 1_u16..40)
        .prop_flat_map(|(width, height)| {
            let cells = vec(any::<bool>(), usize::from(width) * usize::from(height));
            (Just(width), Just(height), cells)
        })
        .prop_map(|(width, height, cells)| {
            Grid::from_fn(width, height, |Cell { x, y, .. }| {
                cells[usize::from(y) * usize::from(width) + usize::from(x)]
            })
            .unwrap()
        })
}

fn format() -> impl Strategy<Value = Format> {
    proptest::sample::select(Format::ALL.to_vec())
}

/// Reads, and holds whatever comes out to what a caller may rely on.
fn read(format: Format, bytes: &[u8]) {
    match format.read(bytes) {
        Ok(grid) => {
            let cells = usize::from(grid.width()) * usize::from(grid.height());
            assert!(cells <= bytes.len(), "cells out of nothing");
            assert_eq!(format.read(&format.write(&grid, "")), Ok(grid));
        }
        Err(error) => {
            let lines = bytes.split(|&byte| byte == b'\n').count();
            assert!((1..=lines + 1).contains(&error.line), "{error:?}");
            assert_ne!(error.column, Some(0));
            let sentence = error.to_string();
            assert!(sentence.len() < 1000, "{sentence}");
            assert!(!sentence.contains(char::is_control), "{sentence:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1024,
        // Failures are turned into named tests, not into seed files.
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn arbitrary_bytes_never_panic(format in format(), bytes in vec(any::<u8>(), 0..400)) {
        read(format, &bytes);
    }

    #[test]
    fn arbitrary_bytes_behind_a_header_never_panic(bytes in vec(any::<u8>(), 0..400)) {
        let mut file = b"type octile\nheight 7\n".to_vec();
        file.extend(bytes);
        read(Format::MovingAi, &file);
    }

    #[test]
    fn damaged_maps_never_panic(
        format in format(),
        grid in grid(),
        mutations in vec(mutation(), 1..8),
    ) {
        let mut bytes = format.write(&grid, "A map.");
        for mutation in &mutations {
            mutation.apply(&mut bytes);
            read(format, &bytes);
        }
    }

    #[test]
    fn a_written_map_reads_back(format in format(), grid in grid(), comment in any::<String>()) {
        let bytes = format.write(&grid, &comment);
        prop_assert_eq!(format.read(&bytes), Ok(grid));
    }
}
