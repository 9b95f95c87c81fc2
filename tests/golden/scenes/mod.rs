//! The golden scenes. Each runs to its end, and asserts that it covered its subject.

mod behaviour;
mod budget;
mod crowd;
mod edits;
mod far;
mod ghosts;
mod ground;
mod methods;
mod preparing;
mod requests;
mod sizes;
mod squad;
mod storeys;

pub use behaviour::behaviour;
pub use budget::budget;
pub use crowd::crowd;
pub use edits::edits;
pub use far::far;
pub use ghosts::ghosts;
pub use ground::ground;
pub use methods::methods;
pub use preparing::preparing;
pub use requests::requests;
pub use sizes::sizes;
pub use squad::squad;
pub use storeys::storeys;
