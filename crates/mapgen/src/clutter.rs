//! Clutter: every cell is blocked with the same probability.

use crate::{
    canvas::{Canvas, Size},
    random::Random,
};

pub(crate) fn make(size: Size, percent: u8, random: &mut Random) -> Canvas {
    let mut canvas = Canvas::open(size);
    for cell in &mut canvas.open {
        *cell = !random.chance(percent);
    }
    canvas
}
