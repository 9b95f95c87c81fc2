//! Judges of readers of map and scenario files.

use heap_meter::peak_during;
use nav_formats::{Format, MapFile, ParseError, Position, Warning, scen};

/// Calls a reader and checks the memory that it takes for `bytes` of input.
///
/// # Panics
///
/// If it takes more than allowed, or if [`Meter`](heap_meter::Meter) is not the allocator of the
/// process.
pub fn frugally<T>(bytes: &[u8], read: impl FnOnce(&[u8]) -> T) -> T {
    const ALWAYS: usize = 64 << 20;
    const PER_BYTE: usize = 16;
    let (result, peak) = peak_during(|| read(bytes));
    let allowed = PER_BYTE * bytes.len() + ALWAYS;
    assert!(peak <= allowed, "{peak} bytes for {} of input", bytes.len());
    result
}

/// Checks that an error can be printed and names a valid position.
///
/// # Panics
///
/// If the position is outside the file, or the sentence cannot be shown.
pub fn check_error(error: &ParseError, bytes: &[u8]) {
    match error.position {
        Position::Line { line, column } => {
            let mut lines = bytes.split(|&byte| byte == b'\n');
            assert!((1..=lines.clone().count() + 1).contains(&line), "{error:?}");
            if let Some(column) = column {
                let length = lines.nth(line - 1).map_or(0, <[u8]>::len);
                assert!((1..=length + 1).contains(&column), "{error:?}");
            }
        }
        Position::Byte(offset) => assert!(offset <= bytes.len() as u64, "{error:?}"),
        Position::Unknown => {}
    }
    let sentence = error.to_string();
    assert!(sentence.len() < 1000, "{sentence}");
    assert!(!sentence.contains(char::is_control), "{sentence:?}");
}

/// Checks that a warning can be printed.
///
/// # Panics
///
/// If its sentence is too long for a log, or cannot be shown.
pub fn check_warning(warning: &Warning) {
    // Up to five times two names of 40 characters, each of which may be escaped with ten, and the
    // words around them.
    const LENGTH_MAX: usize = 5 * (2 * (40 * 10) + 60) + 400;
    let sentence = warning.to_string();
    assert!(sentence.len() < LENGTH_MAX, "{sentence}");
    assert!(!sentence.contains(char::is_control), "{sentence:?}");
}

/// Checks that objects are on their map, and that errors about them can be shown.
///
/// # Panics
///
/// If one is outside, or a sentence cannot be shown.
pub fn check_objects(map: &MapFile) {
    let size = map.grid.size();
    for object in &map.objects {
        let area = object.area;
        assert!(area.contains(object.cell), "{object:?}");
        assert!(
            size.contains(area.first()) && size.contains(area.last()),
            "{object:?}"
        );
        for name in object.properties.keys().map(String::as_str).chain([""]) {
            // A list of lists is nothing that a file has, so that this is an error.
            let error = object.get::<Vec<Vec<bool>>>(name);
            let referred = map.referred(object, name).err();
            for error in error.err().into_iter().chain(referred) {
                let sentence = error.to_string();
                assert!(sentence.len() < 3000, "{sentence}");
                assert!(!sentence.contains(char::is_control), "{sentence:?}");
            }
        }
    }
}

/// Reads a map and checks the result, be it a map or an error. Returns whether it is a map.
///
/// # Panics
///
/// If the reader is wrong, or takes more memory than allowed.
pub fn read_map(format: Format, bytes: &[u8]) -> bool {
    let read = frugally(bytes, |bytes| format.read(bytes));
    let is_map = read.is_ok();
    match read {
        Ok(mut map) => {
            map.warnings.iter().for_each(check_warning);
            check_objects(&map);
            // Nothing is left out of a file that has only what was read.
            map.warnings.clear();
            if matches!(format, Format::Text | Format::MovingAi | Format::Bitmap) {
                let cells = map.grid.size().cells();
                assert!(cells <= bytes.len() as u64, "cells out of nothing");
            }
            assert!(format.holds().contains(map.features()));
            if format.can_write() {
                let file = format.write(&map, "").expect("a map of this format");
                assert_eq!(format.read(&file), Ok(map));
            }
        }
        Err(error) => check_error(&error, bytes),
    }
    is_map
}

/// Reads a map in the format detected for it, otherwise the same as [`read_map`].
///
/// # Panics
///
/// The same as [`read_map`].
pub fn read_map_as_detected(bytes: &[u8]) -> bool {
    let mut is_map = false;
    for extension in [None, Some("txt")] {
        if let Some(format) = frugally(bytes, |bytes| Format::detect(extension, bytes)) {
            is_map |= read_map(format, bytes);
        }
    }
    is_map
}

/// Same as [`read_map`], for scenario files.
///
/// # Panics
///
/// The same as [`read_map`].
pub fn read_scenario(bytes: &[u8]) -> bool {
    let read = frugally(bytes, scen::read);
    let is_scenario = read.is_ok();
    match read {
        Ok(scenario) => {
            let file = scen::write(&scenario).expect("a scenario that was read");
            assert_eq!(scen::read(file.as_bytes()), Ok(scenario));
        }
        Err(error) => check_error(&error, bytes),
    }
    is_scenario
}

/// Corrects the checksums of a damaged binary map or PNG, so that the damage gets past them.
pub fn mend_checksums(bytes: &mut [u8]) {
    const BINARY_HEADER: usize = 22;
    if bytes.starts_with(b"NAVGRID") && bytes.len() > BINARY_HEADER {
        let (header, body) = bytes.split_at_mut(BINARY_HEADER);
        header[10..18].copy_from_slice(&(body.len() as u64).to_le_bytes());
        header[18..].copy_from_slice(&crc32fast::hash(body).to_le_bytes());
    } else if bytes.starts_with(b"\x89PNG") {
        let mut rest = bytes.get_mut(8..).unwrap_or_default();
        while let Some((length, chunk)) = rest.split_first_chunk_mut::<4>() {
            let end = (u32::from_be_bytes(*length) as usize).saturating_add(4);
            let Some((data, behind)) = chunk.split_at_mut_checked(end) else {
                return;
            };
            let Some((checksum, behind)) = behind.split_first_chunk_mut::<4>() else {
                return;
            };
            *checksum = crc32fast::hash(data).to_be_bytes();
            rest = behind;
        }
    }
}
