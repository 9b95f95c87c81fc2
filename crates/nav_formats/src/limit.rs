//! Limit on the parts of a map file.

use crate::error::{Problem, refuse};

/// Greatest number of objects, tiles with properties, and values of properties.
///
/// Far above what a level is made with. Each takes some hundred bytes of memory, however short its
/// text in the file is, and all together some ten megabytes.
const PARTS_MAX: usize = 50_000;

/// Bytes of text that count as a part where many parts may copy one text.
///
/// A copy then takes about what a part does. Without a limit, many objects could each copy a long
/// text.
const PART_BYTES: usize = 64;

/// Files of a kind that a map may refer to, templates or tilesets.
///
/// Each makes the reader open a file, however short the map is: an attacker gets that many reads.
pub(crate) const EXTERNAL_MAX: usize = 256;

/// Returns how many parts a copy of a text counts as.
pub(crate) const fn parts_of_text(bytes: usize) -> usize {
    1 + bytes / PART_BYTES
}

/// Parts that a file may still have.
pub(crate) struct Parts(usize);

impl Default for Parts {
    fn default() -> Self {
        Self(PARTS_MAX)
    }
}

impl Parts {
    /// Counts parts.
    ///
    /// # Errors
    ///
    /// There are too many by now.
    pub(crate) fn take(&mut self, count: usize) -> Result<(), Problem> {
        let Some(left) = self.0.checked_sub(count) else {
            refuse!(
                TooMuch,
                "more than {PARTS_MAX} objects, tiles and values of properties; expected fewer"
            );
        };
        self.0 = left;
        Ok(())
    }
}
