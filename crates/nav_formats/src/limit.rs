//! Limit on the parts of a map file.

use crate::error::Problem;

/// Greatest number of objects, tiles with properties, and values of properties.
///
/// A guess, far above what a level is made with. Each takes some hundred bytes of memory, however
/// short its text in the file is.
const PARTS_MAX: usize = 50_000;

/// Bytes of text that count as a part where many parts may copy one text.
///
/// A guess: about what a part takes. Without a limit, many objects could each copy a long text.
const PART_BYTES: usize = 64;

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
        let left = self.0.checked_sub(count).ok_or_else(|| {
            Problem::TooMuch(format!(
                "more than {PARTS_MAX} objects, tiles and values of properties; expected fewer"
            ))
        })?;
        self.0 = left;
        Ok(())
    }
}
