//! Maps with the files that they refer to: tilesets, templates and levels.
//!
//! An input is the map and the files, separated by zeros, which no text has. A reader gets them in
//! the order in which it asks for new paths.

use nav_formats::{Files, Format, ReadOptions};
use nav_judge::{check_error, check_objects, check_warning, frugally};
use std::{cell::RefCell, io};

/// Separator of files.
pub(crate) const END: u8 = 0;

/// Most times that a reader may ask: for each tileset and each template that is read of a map, and
/// for the tileset of each template.
const ASKED_MAX: usize = 3 * 256;

/// Returns whether a reader made a map of the input and asked for a file that is there.
pub(crate) fn run(bytes: &[u8]) -> bool {
    let formats = [Format::TiledXml, Format::TiledJson, Format::Ldtk];
    formats.map(|format| read(format, bytes)).contains(&true)
}

fn read(format: Format, bytes: &[u8]) -> bool {
    let mut parts = bytes.split(|&byte| byte == END);
    let map = parts.next().unwrap_or_default();
    let files: Vec<&[u8]> = parts.collect();
    let known: RefCell<Vec<String>> = RefCell::default();
    let asked = RefCell::new(0);
    let open = |path: &str| {
        *asked.borrow_mut() += 1;
        let mut known = known.borrow_mut();
        let index = known.iter().position(|it| it == path).unwrap_or_else(|| {
            known.push(path.to_owned());
            known.len() - 1
        });
        let file = files.get(index).copied().map(<[u8]>::to_vec);
        file.ok_or_else(|| io::ErrorKind::NotFound.into())
    };
    let options = ReadOptions::default().with_files(Files::opened_by(&open));
    let read = frugally(bytes, |_| format.read_with(map, &options));
    assert!(asked.into_inner() <= ASKED_MAX);
    match read {
        Ok(map) => {
            map.warnings.iter().for_each(check_warning);
            check_objects(&map);
            assert!(format.holds().contains(map.features()));
            !files.is_empty() && !known.into_inner().is_empty()
        }
        Err(error) => {
            check_error(&error, map);
            false
        }
    }
}
