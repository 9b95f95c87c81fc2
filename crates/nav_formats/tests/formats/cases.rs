//! Cases as data: inputs and what readers make of them, in the files of `tests/cases`.
//!
//! A file has sections, each with a head that starts with `==`:
//!
//! - `== base NAME`: a text with holes `{1}`, `{2}` and so on.
//! - `== file PATH`: a file beside the maps of the cases below, up to `== no files`.
//! - `== case NAME | FORMAT in BASE`: an input. With a base it fills the holes, a line each, or all
//!   of it the only hole. `FORMAT escaped` has escapes as Rust has them, and a `\` at the end of a
//!   line joins it with the next.
//! - `== or FORMAT in BASE`: another input of the same meaning.
//!
//! Lines with `->` say what comes of it: the error, of an `or` without its position, or the map as
//! [`shown`]. With `UPDATE_CASES` set the test writes these lines, to be looked at before they are
//! committed.

use nav_formats::{CellLayer, Files, Format, MapFile, ReadOptions, scen};
use nav_grid::{Cell, Grid};
use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

#[test]
fn movingai() {
    check("movingai");
}

#[test]
fn bitmap() {
    check("bitmap");
}

#[test]
fn scen() {
    check("scen");
}

#[cfg(feature = "ldtk")]
#[test]
fn ldtk() {
    check("ldtk");
}

#[cfg(feature = "tiled")]
#[test]
fn tiled_layers() {
    check("tiled_layers");
}

#[cfg(feature = "tiled")]
#[test]
fn tiled_objects() {
    check("tiled_objects");
}

#[cfg(feature = "tiled")]
#[test]
fn tiled_files() {
    check("tiled_files");
}

#[cfg(feature = "tiled")]
#[test]
fn tiled_warnings() {
    check("tiled_warnings");
}

fn check(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let path = folder.join(format!("{name}.txt"));
    let text = fs::read_to_string(&path).unwrap();
    let filled = filled(&text);
    if std::env::var_os("UPDATE_CASES").is_some() {
        fs::write(&path, &filled).unwrap();
    }
    let mut case = "";
    for (number, (expected, actual)) in (1..).zip(text.lines().zip(filled.lines())) {
        if actual.starts_with("== case") {
            case = actual;
        }
        assert_eq!(actual, expected, "{name}.txt, line {number}, in {case}");
    }
    assert_eq!(text.lines().count(), filled.lines().count(), "{name}");
}

/// Returns a file of cases with what comes of each.
fn filled(text: &str) -> String {
    let mut sections = text.split("\n== ");
    let mut out = sections.next().unwrap().to_owned();
    let mut bases: BTreeMap<&str, String> = BTreeMap::new();
    let mut files = Files::default();
    let mut said = Vec::new();
    let mut sections = sections.peekable();
    while let Some(section) = sections.next() {
        let (head, body) = section.split_once('\n').unwrap_or((section, ""));
        let body: Vec<&str> = body.lines().filter(|it| !it.starts_with("->")).collect();
        let body = body.join("\n");
        let body = body.trim_end_matches('\n');
        let separator = if body.is_empty() { "" } else { "\n" };
        write!(out, "\n== {head}{separator}{body}").unwrap();
        let (kind, rest) = head.split_once(' ').unwrap();
        match kind {
            "base" => drop(bases.insert(rest, body.to_owned())),
            "file" => files = files.with(rest, body),
            "no" => files = Files::default(),
            "case" | "or" => {
                let how = rest.rsplit(" | ").next().unwrap();
                let words: Vec<&str> = how.split(' ').collect();
                let input = match words.as_slice() {
                    [_, "in", base] => in_base(&bases[base], body).into_bytes(),
                    [_, "escaped"] => unescaped(body),
                    _ => format!("{body}\n").into_bytes(),
                };
                said.push(read(words[0], &input, &files));
                if sections.peek().is_some_and(|next| next.starts_with("or ")) {
                    continue;
                }
                let first = said.remove(0);
                for other in said.drain(..) {
                    // Only XML has positions of layers and objects.
                    let other = match other.split_once(": ") {
                        Some((place, sentence)) if place.starts_with("line ") => sentence,
                        _ => &other,
                    };
                    assert!(first.ends_with(other), "{head}: {other}, not {first}");
                }
                for line in first.lines() {
                    write!(out, "\n-> {line}").unwrap();
                }
            }
            other => panic!("unknown section {other}"),
        }
        out.push('\n');
    }
    out
}

fn in_base(base: &str, body: &str) -> String {
    if !base.contains("{2}") {
        return base.replace("{1}", body);
    }
    let mut text = base.to_owned();
    // Empty lines at the end of a section are not part of it.
    let lines = body.lines().chain(std::iter::repeat(""));
    for (hole, line) in (1..=4).zip(lines) {
        text = text.replace(&format!("{{{hole}}}"), line);
    }
    text
}

fn unescaped(body: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = body.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => bytes.push(b'\n'),
            Some(b'r') => bytes.push(b'\r'),
            Some(b't') => bytes.push(b'\t'),
            Some(b'x') => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                let digits = str::from_utf8(&digits).unwrap();
                bytes.push(u8::from_str_radix(digits, 16).unwrap());
            }
            Some(b'\n') | None => {}
            Some(other) => bytes.push(other),
        }
    }
    bytes
}

fn read(kind: &str, input: &[u8], files: &Files<'_>) -> String {
    if kind == "scen" {
        let read = scen::read(input).map(|scenario| format!("{:?}", scenario.lines));
        return read.unwrap_or_else(|error| error.to_string());
    }
    let format = Format::from_extension(kind).unwrap();
    let options = ReadOptions::default().with_files(files.clone());
    match format.read_with(input, &options) {
        Ok(map) => shown(&map),
        Err(error) => error.to_string(),
    }
}

/// Returns a map as text: rows of cells, then what else it has. A sign is `#` for a wall, `.` for
/// cost 1, and for other costs a digit or letter, of which `*` stands for 36 and more.
fn shown(map: &MapFile) -> String {
    let grid = &map.grid;
    let mut out = String::new();
    for floor in 0..grid.floors() {
        let row = |y| (0..grid.width()).map(move |x| sign(grid, Cell::new(x, y).on_floor(floor)));
        let rows: Vec<String> = (0..grid.height()).map(|y| row(y).collect()).collect();
        writeln!(out, "{}", rows.join(" ")).unwrap();
    }
    let size = grid.size();
    for layer in CellLayer::ALL {
        for index in 0..size.cells() as usize {
            let (column, row) = (
                index % usize::from(size.width),
                index / usize::from(size.width),
            );
            let (row, floor) = (
                row % usize::from(size.height),
                row / usize::from(size.height),
            );
            let cell = Cell::new(column as u16, row as u16).on_floor(floor as u8);
            let number = layer.number(grid, cell);
            if number != layer.unsaid() {
                writeln!(out, "{} {cell}: {number}", layer.name()).unwrap();
            }
        }
    }
    for link in grid.links() {
        writeln!(out, "{link:?}").unwrap();
    }
    if let Some(frame) = &map.frame {
        writeln!(
            out,
            "origin {:?}, cells of {}",
            frame.origin(),
            frame.cell_size()
        )
        .unwrap();
    }
    for object in &map.objects {
        let properties = &object.properties;
        writeln!(
            out,
            "{} in {} {properties:?}",
            object.describe(),
            object.area
        )
        .unwrap();
    }
    for warning in &map.warnings {
        writeln!(out, "warning: {warning}").unwrap();
    }
    out
}

fn sign(grid: &Grid, cell: Cell) -> char {
    match grid.cost(cell) {
        0 => '#',
        1 => '.',
        cost => char::from_digit(cost.into(), 36).unwrap_or('*'),
    }
}
