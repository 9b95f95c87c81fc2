//! Films read back: their frames, how long they stand still, and contact sheets.

use super::{colour::Colour, png};
use ::png::EncodingError;
use gif::{ColorOutput, DecodeOptions, DecodingError};
use std::io::{Read, Write};

/// The frames of a film of [`Film`](super::Film), as a viewer shows them.
#[derive(Clone, Debug)]
pub struct Reel {
    /// Columns and rows of pixels.
    size: (usize, usize),
    frames: Vec<Shown>,
}

#[derive(Clone, Debug)]
struct Shown {
    /// Indexes into the palette, row by row.
    pixels: Vec<u8>,
    /// Hundredths of a second.
    delay: u64,
}

/// Frames of a contact sheet in a row, and rows. Of ten seconds they are less than a second apart.
const COLUMNS: usize = 3;
const ROWS: usize = 4;

/// Pixels between two frames of a sheet. A guess.
const GAP: usize = 8;

impl Reel {
    /// Reads a film.
    ///
    /// # Errors
    ///
    /// It is no GIF, or `film` fails.
    pub fn read(film: impl Read) -> Result<Self, DecodingError> {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::Indexed);
        let mut decoder = options.read_info(film)?;
        let size = (usize::from(decoder.width()), usize::from(decoder.height()));
        let mut canvas = vec![0; size.0 * size.1];
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame()? {
            for (y, row) in frame.buffer.chunks(usize::from(frame.width)).enumerate() {
                let first = (usize::from(frame.top) + y) * size.0 + usize::from(frame.left);
                for (old, new) in canvas[first..].iter_mut().zip(row) {
                    if Some(*new) != frame.transparent {
                        *old = *new;
                    }
                }
            }
            frames.push(Shown {
                pixels: canvas.clone(),
                delay: frame.delay.into(),
            });
        }
        Ok(Self { size, frames })
    }

    /// Returns the frames, each with its hundredths of a second.
    pub fn frames(&self) -> impl Iterator<Item = (&[u8], u64)> {
        self.frames
            .iter()
            .map(|frame| (frame.pixels.as_slice(), frame.delay))
    }

    /// Returns the longest time in which nothing moves, in hundredths of a second.
    pub fn longest_still(&self) -> u64 {
        let (mut longest, mut still) = (0, 0);
        for pair in self.frames.windows(2) {
            still = if pair[0].pixels == pair[1].pixels {
                still + pair[1].delay
            } else {
                0
            };
            longest = longest.max(still);
        }
        longest
    }

    /// Writes twelve frames at equal distances, from the first to the last one, as a PNG.
    ///
    /// # Errors
    ///
    /// `out` fails.
    pub fn write_sheet(&self, out: impl Write) -> Result<(), EncodingError> {
        let (width, height) = self.size;
        let (columns, rows) = (COLUMNS * (width + GAP) - GAP, ROWS * (height + GAP) - GAP);
        let mut pixels = vec![Colour::Grey.index(); columns * rows];
        let last = self.frames.len().saturating_sub(1);
        for place in 0..COLUMNS * ROWS {
            let Some(frame) = self.frames.get(place * last / (COLUMNS * ROWS - 1)) else {
                break;
            };
            let left = place % COLUMNS * (width + GAP);
            let top = place / COLUMNS * (height + GAP);
            for (y, row) in frame.pixels.chunks(width).enumerate() {
                let first = (top + y) * columns + left;
                pixels[first..first + width].copy_from_slice(row);
            }
        }
        let mut writer = png::indexed(out, (columns as u32, rows as u32))?;
        writer.write_image_data(&pixels)?;
        writer.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        picture::{Film, Placed, Scene},
        sim::Role,
    };
    use nav_grid::Grid;

    /// A film of an agent in these columns, a tick each.
    fn film(columns: &[f32]) -> Vec<u8> {
        let scene = Scene::new(&Grid::open(9, 5).unwrap()).unwrap();
        let mut bytes = Vec::new();
        let mut film = Film::new(&mut bytes, scene, columns.len() as u64, 20).unwrap();
        for &x in columns {
            let agent = Placed {
                x,
                y: 2.5,
                floor: 0,
                side: 1,
                role: Role::Chasing,
                leads: false,
            };
            film.add(&[agent]).unwrap();
        }
        film.finish().unwrap();
        bytes
    }

    #[test]
    fn still_times() {
        for (columns, expected) in [
            (&[1.5, 2.5, 3.5][..], 0),
            (&[1.5, 1.5, 3.5, 3.5, 3.5], 10),
            (&[1.5; 4], 15),
        ] {
            let reel = Reel::read(&*film(columns)).unwrap();
            assert_eq!(reel.longest_still(), expected, "{columns:?}");
        }
    }

    #[test]
    fn sheet_of_twelve() {
        let reel = Reel::read(&*film(&[1.5, 2.5, 3.5])).unwrap();
        let mut bytes = Vec::new();
        reel.write_sheet(&mut bytes).unwrap();
        let decoder = ::png::Decoder::new(std::io::Cursor::new(bytes));
        let info = decoder.read_info().unwrap();
        let size = (info.info().width, info.info().height);
        assert_eq!(size, (3 * 144 + 16, 4 * 80 + 24));
    }
}
