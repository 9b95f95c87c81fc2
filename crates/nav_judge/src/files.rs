//! Judges readers of map and scenario files.

use heap_meter::peak_during;
use nav_formats::{Format, ParseError, Position, scen};

/// Calls a reader and holds it to the memory that it may take for `bytes` of input.
///
/// # Panics
///
/// When it takes more, or [`Meter`](heap_meter::Meter) is not the allocator of the process.
pub fn frugally<T>(bytes: &[u8], read: impl FnOnce(&[u8]) -> T) -> T {
    const ALWAYS: usize = 64 << 20;
    const PER_BYTE: usize = 16;
    let (result, peak) = peak_during(|| read(bytes));
    let allowed = PER_BYTE * bytes.len() + ALWAYS;
    assert!(peak <= allowed, "{peak} bytes for {} of input", bytes.len());
    result
}

/// Holds an error to what those who print it rely on.
///
/// # Panics
///
/// When it names a place that is not in the file, or its sentence cannot be shown.
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

/// Reads a map, and holds whatever comes out to what a caller may rely on. Returns whether there is a map.
///
/// # Panics
///
/// When the reader is wrong, or takes more memory than it may.
pub fn read_map(format: Format, bytes: &[u8]) -> bool {
    let read = frugally(bytes, |bytes| format.read(bytes));
    let is_map = read.is_ok();
    match read {
        Ok(map) => {
            if matches!(format, Format::Text | Format::MovingAi | Format::Bitmap) {
                let cells = map.grid.size().cells();
                assert!(cells <= bytes.len() as u64, "cells out of nothing");
            }
            assert!(format.holds().contains(map.features()));
            let file = format.write(&map, "").expect("a map of this format");
            assert_eq!(format.read(&file), Ok(map));
        }
        Err(error) => check_error(&error, bytes),
    }
    is_map
}

/// Reads a map as the format that the file seems to have, as [`read_map`] does.
///
/// # Panics
///
/// As [`read_map`].
pub fn read_map_as_detected(bytes: &[u8]) -> bool {
    let mut is_map = false;
    for extension in [None, Some("txt")] {
        if let Some(format) = frugally(bytes, |bytes| Format::detect(extension, bytes)) {
            is_map |= read_map(format, bytes);
        }
    }
    is_map
}

/// As [`read_map`], for scenario files.
///
/// # Panics
///
/// As [`read_map`].
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

/// Makes the checksums of a binary map or a PNG right again, so that damage gets past them.
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
