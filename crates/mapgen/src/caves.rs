//! Caves: noise, smoothed by a cellular automaton.

use crate::{
    canvas::{Canvas, Size},
    connect::{JOINED_MIN, connect},
    random::Random,
};

/// Percentage of blocked cells in the noise. With 45, only boulders on open ground remain; with 49,
/// narrow caves in solid rock.
const BLOCKED_PERCENT: u8 = 48;
/// Rounds of smoothing. Measured: they change 36, 14, 6, 3 and 2 % of the cells of a map of
/// 512×512, and a sixth one changes 1 %.
const ROUNDS: usize = 5;

pub(crate) fn make(size: Size, random: &mut Random) -> Canvas {
    let mut canvas = scattered(size, random);
    connect(&mut canvas, JOINED_MIN);
    canvas
}

/// Makes caves that are not joined yet.
pub(crate) fn scattered(size: Size, random: &mut Random) -> Canvas {
    let mut canvas = crate::clutter::make(size, BLOCKED_PERCENT, random);
    for _ in 0..ROUNDS {
        canvas.open = smoothed(&canvas);
    }
    canvas
}

/// Sets each cell to the majority of the nine cells around and including it. Cells outside the map
/// count as rock.
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
