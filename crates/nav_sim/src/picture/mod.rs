//! Draws maps, paths and scenes, as text, PNG and GIF.

mod colour;
mod drawing;
mod film;
mod legend;
mod link_marks;
mod motion;
mod object_marks;
mod png;
mod reel;
mod scene;
mod text;

pub use drawing::Drawing;
pub use film::{Film, FilmError};
pub use legend::{agent_colours, ground_colours};
pub use motion::Motion;
pub use reel::Reel;
pub use scene::{Placed, Scene, SceneTooLarge};
