//! Joins all regions of a map into one.

use crate::canvas::Canvas;
use std::collections::VecDeque;

/// Least number of cells of a region that is joined rather than filled. Smaller ones are some five
/// cells across: a tunnel would lead to nothing but its end.
pub(crate) const JOINED_MIN: usize = 30;

/// Joins every region of at least `joined_min` cells to the largest one by the shortest tunnel, and
/// fills the regions still cut off.
///
/// A region is cells joined at their sides. Of equally large regions, the first in reading order
/// counts as the largest. If nothing is open, the middle cell is opened.
pub(crate) fn connect(canvas: &mut Canvas, joined_min: usize) {
    let regions = Regions::of(canvas);
    let Some(main) = regions.largest() else {
        let middle = canvas.at(canvas.width / 2, canvas.height / 2);
        canvas.open[middle] = true;
        return;
    };
    dig(canvas, &regions, main, joined_min);
    let start = regions.first_cell(main);
    let mut reached = vec![false; canvas.open.len()];
    flood(canvas, start, |cell| {
        !std::mem::replace(&mut reached[cell], true)
    });
    canvas.open = reached;
}

/// The region of each cell.
struct Regions {
    /// Region by cell; 0 is no region.
    of: Vec<u32>,
    /// Number of cells by region; that of 0 is not counted.
    sizes: Vec<usize>,
}

impl Regions {
    fn of(canvas: &Canvas) -> Self {
        let mut of = vec![0; canvas.open.len()];
        let mut sizes = vec![0];
        for start in 0..of.len() {
            if canvas.open[start] && of[start] == 0 {
                let region = sizes.len() as u32;
                let mut size = 0;
                flood(canvas, start, |cell| {
                    let new = of[cell] == 0;
                    if new {
                        of[cell] = region;
                        size += 1;
                    }
                    new
                });
                sizes.push(size);
            }
        }
        Self { of, sizes }
    }

    fn largest(&self) -> Option<u32> {
        // Reversed because `max_by_key` returns the last of equal elements.
        (1..self.sizes.len() as u32)
            .rev()
            .max_by_key(|&region| self.sizes[region as usize])
    }

    fn first_cell(&self, region: u32) -> usize {
        self.of
            .iter()
            .position(|&other| other == region)
            .unwrap_or_default()
    }
}

/// Visits open cells connected to `start`. `enter` returns whether a cell is new.
fn flood(canvas: &Canvas, start: usize, mut enter: impl FnMut(usize) -> bool) {
    let mut stack = Vec::new();
    if enter(start) {
        stack.push(start);
    }
    while let Some(cell) = stack.pop() {
        for next in canvas.neighbours(cell) {
            if canvas.open[next] && enter(next) {
                stack.push(next);
            }
        }
    }
}

/// Digs tunnels by one wave from the main region over the whole map. Open cells cost 0 and blocked
/// ones 1, so the wave reaches every region over as few blocked cells as possible.
fn dig(canvas: &mut Canvas, regions: &Regions, main: u32, joined_min: usize) {
    const FAR: u32 = u32::MAX;
    let mut costs = vec![FAR; canvas.open.len()];
    let mut parents = vec![0_u32; canvas.open.len()];
    // Regions that are still to be joined.
    let mut wanted: Vec<bool> = (regions.sizes.iter())
        .map(|&size| size >= joined_min)
        .collect();
    wanted[0] = false;
    wanted[main as usize] = false;
    let mut left = wanted.iter().filter(|&&is_wanted| is_wanted).count();
    let mut queue = VecDeque::new();
    for (cell, &region) in regions.of.iter().enumerate() {
        if region == main {
            costs[cell] = 0;
            parents[cell] = cell as u32;
            if canvas.neighbours(cell).any(|next| regions.of[next] != main) {
                queue.push_back((0, cell as u32));
            }
        }
    }
    while left > 0
        && let Some((cost, cell)) = queue.pop_front()
    {
        let cell = cell as usize;
        if cost > costs[cell] {
            continue;
        }
        let region = regions.of[cell] as usize;
        if std::mem::take(&mut wanted[region]) {
            left -= 1;
            let mut back = cell;
            while parents[back] as usize != back {
                canvas.open[back] = true;
                back = parents[back] as usize;
            }
        }
        for next in canvas.neighbours(cell) {
            // By region, not by `open`: tunnels dug in the meantime must not change the costs.
            let step = u32::from(regions.of[next] == 0);
            if cost + step < costs[next] {
                costs[next] = cost + step;
                parents[next] = cell as u32;
                if step == 0 {
                    queue.push_front((cost, next as u32));
                } else {
                    queue.push_back((cost + 1, next as u32));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canvas(rows: &[&str]) -> Canvas {
        Canvas {
            width: rows[0].len(),
            height: rows.len(),
            open: rows
                .iter()
                .flat_map(|row| row.bytes().map(|byte| byte == b'.'))
                .collect(),
        }
    }

    #[track_caller]
    fn connected(before: &[&str], joined_min: usize, after: &[&str]) {
        let mut drawn = canvas(before);
        connect(&mut drawn, joined_min);
        assert_eq!(drawn.open, canvas(after).open);
    }

    #[test]
    fn large_and_small_regions() {
        connected(
            &["...#..#.", "...#..##", "#####.##"],
            3,
            &["......##", "...#..##", "#####.##"],
        );
    }

    #[test]
    fn region_behind_another() {
        connected(&["....#...#.."], 2, &["..........."]);
        connected(&["....#.#..##"], 2, &[".........##"]);
    }

    #[test]
    fn of_equals_the_first_stays() {
        connected(&["..#.."], 3, &["..###"]);
    }

    #[test]
    fn solid_map() {
        connected(&["###", "###", "###"], 1, &["###", "#.#", "###"]);
        connected(&["#"], 1, &["."]);
    }
}
