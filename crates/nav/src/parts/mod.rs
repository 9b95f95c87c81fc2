//! What a world's digest consists of, and how a whole and its parts are hashed in one pass.

mod part;
mod part_hasher;

pub(crate) use part::{NoParts, Part, Parts};
pub(crate) use part_hasher::PartHasher;
