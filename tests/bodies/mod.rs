//! Bodies: they keep apart, wait, and make room.

mod chains;
mod doors;
mod links;
mod making_room;
mod moving;
mod passages;
mod policies;
mod rings;
pub mod scene;
mod sizes;
mod solid;
mod standing;
