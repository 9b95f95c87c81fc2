//! NPCs that begin chases by themselves: of which targets, and when not.

mod calls;
mod drawn;
mod held_back;
mod on_the_way;
mod order;
pub(super) mod scene;
mod whom;
