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
    // Open cells among the three of a column, with a column of rock on either side.
    let mut columns = vec![0_u8; width + 2];
    for y in 0..height {
        columns.fill(0);
        for row in y.saturating_sub(1)..(y + 2).min(height) {
            let cells = &canvas.open[row * width..][..width];
            for (count, &open) in columns[1..].iter_mut().zip(cells) {
                *count += u8::from(open);
            }
        }
        let three = columns.windows(3);
        result.extend(three.map(|columns| columns.iter().sum::<u8>() > 4));
    }
    result
}
