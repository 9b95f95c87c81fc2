//! Draws maps, paths and scenes, as text, PNG and GIF.

mod colour;
mod drawing;
mod film;
mod motion;
mod png;
mod scene;
mod text;

pub use drawing::Drawing;
pub use film::{Film, FilmError};
pub use motion::Motion;
pub use scene::{Placed, Scene, SceneTooLarge};
