//! Bodies: they keep apart, wait, and make room.

mod crossings;
mod doors;
mod large;
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
