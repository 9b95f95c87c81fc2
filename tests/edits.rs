//! edits
