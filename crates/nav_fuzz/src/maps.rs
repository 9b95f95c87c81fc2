//! Map files: bytes through the reader of every format.

use nav_formats::Format;
use nav_judge::{mend_checksums, read_map, read_map_as_detected};

/// Returns whether any reader made a map of the input.
pub(crate) fn run(bytes: &[u8]) -> bool {
    read_map_as_detected(bytes);
    let mut is_map = false;
    for &format in Format::ALL {
        is_map |= read_map(format, bytes);
    }
    let mut mended = bytes.to_vec();
    mend_checksums(&mut mended);
    is_map | (mended != bytes && read_map_as_detected(&mended))
}
