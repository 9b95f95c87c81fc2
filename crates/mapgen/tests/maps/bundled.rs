//! The maps under `assets/maps` equal what their first line makes.

use mapgen::{Kind, generate, provenance};
use nav_grid::map::text;
use std::{
    fs,
    path::{Path, PathBuf},
};

struct Call {
    kind: Kind,
    width: u16,
    height: u16,
    seed: u64,
}

/// Reads `; chase generate <kind> [--percent P] --size WxH --seed S`.
fn call(line: &str) -> Option<Call> {
    let words: Vec<&str> = line.strip_prefix("; chase generate ")?.split(' ').collect();
    let (name, percent, rest) = match *words {
        [name, "--percent", percent, ref rest @ ..] => (name, Some(percent.parse().ok()?), rest),
        [name, ref rest @ ..] => (name, None, rest),
        [] => return None,
    };
    let ["--size", size, "--seed", seed] = *rest else {
        return None;
    };
    let (width, height) = size.split_once('x')?;
    Some(Call {
        kind: Kind::from_name(name, percent).ok()?,
        width: width.parse().ok()?,
        height: height.parse().ok()?,
        seed: seed.parse().ok()?,
    })
}

fn bundled() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/maps");
    let mut maps: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    maps.sort();
    maps
}

#[test]
fn made_by_first_line() {
    let maps = bundled();
    assert!(maps.len() >= 5, "{maps:?}");
    for path in maps {
        let file = fs::read_to_string(&path).unwrap();
        let first = file.lines().next().unwrap();
        let Call {
            kind,
            width,
            height,
            seed,
        } = call(first).unwrap_or_else(|| panic!("{path:?} does not say how it was made: {first}"));
        let grid = generate(kind, width, height, seed).unwrap();
        let again = text::write(&grid, &provenance(kind, width, height, seed));
        assert!(again == file, "{path:?} is not what `{first}` makes");
        assert_eq!(text::read(file.as_bytes()), Ok(grid), "{path:?}");
    }
}
