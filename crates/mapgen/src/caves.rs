//! Caves: noise, smoothed by a cellular automaton.

use crate::{
    canvas::{Canvas, Size},
    connect::connect,
    random::Random,
};

/// Share of blocked cells in the noise. Of 45, boulders on open ground remain; of 49, narrow
/// caves in solid rock.
const BLOCKED_PERCENT: u8 = 48;
const ROUNDS: usize = 5;
/// Smaller caves than this are filled and not dug to.
const JOINED_MIN: usize = 30;

pub(crate) fn make(size: Size, random: &mut Random) -> Canvas {
    let mut canvas = scattered(size, random);
    connect(&mut canvas, JOINED_MIN);
    canvas
}

/// Caves that are not yet joined.
pub(crate) fn scattered(size: Size, random: &mut Random) -> Canvas {
    let mut canvas = crate::clutter::make(size, BLOCKED_PERCENT, random);
    for _ in 0..ROUNDS {
        canvas.open = smoothed(&canvas);
    }
    canvas
}

/// Each cell becomes what most of the nine cells around it and including it are. Outside is
/// rock.
fn smoothed(canvas: &Canvas) -> Vec<bool> {
    let &Canvas { width, height, .. } = canvas;
    let mut result = Vec::with_capacity(canvas.open.len());
    for y in 0..height {
        let rows = y.saturating_sub(1)..(y + 2).min(height);
        for x in 0..width {
            let columns = x.saturating_sub(1)..(x + 2).min(width);
            let open: usize = rows
                .clone()
                .map(|row| {
                    let start = row * width;
                    canvas.open[start + columns.start..start + columns.end]
                        .iter()
                        .filter(|&&open| open)
                        .count()
                })
                .sum();
            result.push(open > 4);
        }
    }
    result
}
