//! Films of scenes, as GIF.

use super::{
    colour::Colour,
    scene::{Placed, Scene},
};
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use std::{borrow::Cow, io::Write};

/// A film written frame by frame. Each frame contains only the changed rectangle.
pub struct Film<W: Write> {
    encoder: Encoder<W>,
    scene: Scene,
    /// Ticks per frame, and hundredths of a second per tick.
    ticks_per_frame: u64,
    hundredths: f64,
    /// Hundredths of a second of all frames so far, and the number of frames.
    shown: u64,
    frames: u64,
    before: Vec<u8>,
    now: Vec<u8>,
}

/// The error of a film that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// The film would have too many frames.
    #[error(
        "a moving picture has at most {max} frames, {seconds:.0} seconds here: use a shorter --seconds"
    )]
    TooLong {
        /// Most frames.
        max: u64,
        /// Duration of that many frames.
        seconds: f64,
    },
    /// The film cannot be written.
    #[error("the moving picture cannot be written: {0}")]
    Encoding(#[from] EncodingError),
}

/// Most frames of a film: two minutes at 20 per second, which keeps files small.
const FRAMES_MAX: u64 = 2400;

/// Least hundredths of a second per frame. Viewers rarely show frames faster.
const FRAME_MIN: f64 = 4.0;

impl<W: Write> Film<W> {
    /// Begins a film of `ticks` ticks, `hz` per second.
    ///
    /// # Errors
    ///
    /// It would have more than 2400 frames, or `out` fails.
    pub fn new(out: W, scene: Scene, ticks: u64, hz: u32) -> Result<Self, FilmError> {
        let hundredths = 100.0 / f64::from(hz.max(1));
        let ticks_per_frame = (FRAME_MIN / hundredths).ceil().max(1.0) as u64;
        if ticks / ticks_per_frame > FRAMES_MAX {
            let seconds = (FRAMES_MAX * ticks_per_frame) as f64 * hundredths / 100.0;
            return Err(FilmError::TooLong {
                max: FRAMES_MAX,
                seconds,
            });
        }
        let (width, height) = scene.size();
        let palette = Colour::PALETTE.as_flattened();
        let mut encoder = Encoder::new(out, width as u16, height as u16, palette)?;
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Self {
            encoder,
            scene,
            ticks_per_frame,
            hundredths,
            shown: 0,
            frames: 0,
            before: Vec::new(),
            now: Vec::new(),
        })
    }

    /// Returns whether a tick has a frame.
    pub const fn shows(&self, tick: u64) -> bool {
        tick.is_multiple_of(self.ticks_per_frame)
    }

    /// Adds a frame.
    ///
    /// # Errors
    ///
    /// The writer fails.
    pub fn add(&mut self, agents: &[Placed]) -> Result<(), FilmError> {
        std::mem::swap(&mut self.before, &mut self.now);
        self.scene.draw(agents, &mut self.now);
        let (left, top, width, height) = self.changed();
        let row_width = self.scene.size().0 as usize;
        let mut part = Vec::with_capacity(width * height);
        for y in top..top + height {
            let row = y * row_width + left..y * row_width + left + width;
            let now = &self.now[row.clone()];
            match self.before.get(row) {
                Some(before) => part.extend(now.iter().zip(before).map(|(now, before)| {
                    if now == before {
                        Colour::Clear.index()
                    } else {
                        *now
                    }
                })),
                None => part.extend(now),
            }
        }
        self.frames += 1;
        // Rounds the end of each frame and not its duration, so that errors do not add up.
        let ticks = self.frames * self.ticks_per_frame;
        let until = (ticks as f64 * self.hundredths).round() as u64;
        let delay = until - self.shown;
        self.shown = until;
        let frame = Frame {
            delay: delay as u16,
            dispose: DisposalMethod::Keep,
            transparent: Some(Colour::Clear.index()),
            left: left as u16,
            top: top as u16,
            width: width as u16,
            height: height as u16,
            buffer: Cow::Owned(part),
            ..Frame::default()
        };
        Ok(self.encoder.write_frame(&frame)?)
    }

    /// Writes the end and what the writer still has.
    ///
    /// # Errors
    ///
    /// The writer fails.
    pub fn finish(self) -> Result<(), FilmError> {
        let mut out = self.encoder.into_inner()?;
        Ok(out.flush().map_err(EncodingError::from)?)
    }

    /// Returns the smallest rectangle of all changed pixels as left, top, width and height. One
    /// pixel if none changed.
    fn changed(&self) -> (usize, usize, usize, usize) {
        let (width, height) = self.scene.size();
        let (width, height) = (width as usize, height as usize);
        if self.before.len() != self.now.len() {
            return (0, 0, width, height);
        }
        let rows = self.now.chunks(width).zip(self.before.chunks(width));
        let (mut left, mut right, mut top, mut bottom) = (width, 0, height, 0);
        for (y, (now, before)) in rows.enumerate() {
            let Some(first) = (0..width).find(|&x| now[x] != before[x]) else {
                continue;
            };
            let from_right = (first..width).rev().find(|&x| now[x] != before[x]);
            let last = from_right.unwrap_or(first);
            (left, right) = (left.min(first), right.max(last));
            (top, bottom) = (top.min(y), y);
        }
        if left > right {
            return (0, 0, 1, 1);
        }
        (left, top, right + 1 - left, bottom + 1 - top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{picture::Reel, sim::Role};
    use nav_grid::Grid;

    /// Returns all frames as a viewer shows them, each with its hundredths of a second.
    fn shown(bytes: &[u8]) -> Vec<(Vec<u8>, u64)> {
        let reel = Reel::read(bytes).unwrap();
        let frames = reel.frames();
        frames
            .map(|(pixels, delay)| (pixels.to_vec(), delay))
            .collect()
    }

    #[test]
    fn frames_from_changes() {
        let scene = Scene::new(&Grid::open(9, 5).unwrap()).unwrap();
        let mut bytes = Vec::new();
        let mut drawn = Vec::new();
        let mut film = Film::new(&mut bytes, scene.clone(), 6, 20).unwrap();
        for tick in 0..6_u8 {
            let agents =
                [(tick / 2, Role::Chasing), (8 - tick, Role::Target)].map(|(x, role)| Placed {
                    x: f32::from(x) + 0.5,
                    y: 2.5,
                    floor: 0,
                    side: 1,
                    role,
                    leads: false,
                });
            film.add(&agents).unwrap();
            let mut pixels = Vec::new();
            scene.draw(&agents, &mut pixels);
            drawn.push((pixels, 5));
        }
        film.finish().unwrap();
        assert!(shown(&bytes) == drawn);
    }

    #[test]
    fn frames_at_any_rate() {
        for hz in [7, 20, 30, 60, 144] {
            let scene = Scene::new(&Grid::open(2, 2).unwrap()).unwrap();
            let mut bytes = Vec::new();
            let ticks = u64::from(hz) * 10;
            let mut film = Film::new(&mut bytes, scene, ticks, hz).unwrap();
            for tick in 1..=ticks {
                if film.shows(tick) {
                    film.add(&[]).unwrap();
                }
            }
            film.finish().unwrap();
            let frames = shown(&bytes);
            let total: u64 = frames.iter().map(|(_, delay)| delay).sum();
            assert!((990..=1000).contains(&total), "{hz} Hz: {total}");
            assert!(frames.iter().all(|(_, delay)| *delay >= 4), "{hz} Hz");
        }
    }

    #[test]
    fn film_of_hours() {
        let scene = Scene::new(&Grid::open(2, 2).unwrap()).unwrap();
        let refused = Film::new(Vec::new(), scene, 1_000_000, 20).err().unwrap();
        assert!(refused.to_string().contains("120 seconds"), "{refused}");
    }
}
