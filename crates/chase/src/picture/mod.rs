//! Draws maps and paths, as text and as PNG.

mod drawing;
mod png;
mod text;

pub use drawing::Drawing;
