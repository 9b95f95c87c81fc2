//! Waves inside a cluster: all cells of a front at once, a machine word a row.

use super::cluster::{Ground, NO_ROWS, Rows, SIDE, Spot, is_in};
use crate::{Direction, search::Pace};

/// Which way a wave runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// From where walkers are to where they can go.
    Forward,
    /// From where walkers want to be to where they can come from.
    Backward,
}

/// A breadth-first wave from one or more spots of a cluster, one front for each unit of cost.
#[derive(Clone, Debug, Default)]
pub(super) struct Wave {
    fronts: Vec<Rows>,
    /// The rows of each front that have spots, as indices into it.
    spans: Vec<(u8, u8)>,
}

impl Wave {
    /// Runs until the wave dies or `visit`, called with each front that has spots, its cost and
    /// its rows, answers `false`. Seeds are costs and spots, the cheapest first.
    pub(super) fn run(
        &mut self,
        ground: &Ground,
        pace: Pace,
        way: Way,
        seeds: impl IntoIterator<Item = (u32, Spot)>,
        mut visit: impl FnMut(u32, &Rows, std::ops::Range<usize>) -> bool,
    ) {
        let mut seeds = seeds.into_iter().peekable();
        let Some(&(first, _)) = seeds.peek() else {
            return;
        };
        // What fronts are numbered from; gaps between far seeds are skipped.
        let mut base = first;
        self.spans.clear();
        let mut fresh = ground.free;
        let longest = pace.straight.max(pace.diagonal);
        let mut empty = 0;
        loop {
            let at = self.spans.len();
            let cost = base + at as u32;
            if self.fronts.len() == at {
                self.fronts.push(NO_ROWS);
            }
            let (done, rest) = self.fronts.split_at_mut(at);
            let Some(next) = rest.first_mut() else { return };
            let front = |step: usize| -> Option<(&Rows, (u8, u8))> {
                let at = at.checked_sub(step).filter(|_| step > 0)?;
                let span = *self.spans.get(at)?;
                Some((done.get(at)?, span)).filter(|_| span.0 < span.1)
            };
            let (straight, diagonal) = (front(pace.straight), front(pace.diagonal));
            *next = NO_ROWS;
            let mut span = (u8::MAX, 0);
            if straight.is_some() || diagonal.is_some() {
                let empty = (&NO_ROWS, (u8::MAX, 0));
                let (straight, span_s) = straight.unwrap_or(empty);
                let (diagonal, span_d) = diagonal.unwrap_or(empty);
                let low = span_s.0.min(span_d.0).max(2) - 1;
                let high = (span_s.1.max(span_d.1) + 1).min(SIDE as u8 + 1);
                let reach = usize::from(low)..usize::from(high);
                match &ground.exits {
                    None => ground.spread(straight, diagonal, &mut fresh, next),
                    Some(planes) => {
                        let steps = Steps {
                            ground,
                            planes,
                            way,
                        };
                        steps.spread(straight, diagonal, reach, &mut fresh, next);
                    }
                }
                span = (low, high);
            }
            while let Some((_, spot)) = seeds.next_if(|&(due, _)| due <= cost) {
                if is_in(&fresh, spot) {
                    let row = (spot / SIDE) as u8 + 1;
                    next[usize::from(row)] |= 1 << (spot % SIDE);
                    fresh[usize::from(row)] &= !(1 << (spot % SIDE));
                    span = (span.0.min(row), span.1.max(row + 1));
                }
            }
            while span.0 < span.1 && next[usize::from(span.0)] == 0 {
                span.0 += 1;
            }
            while span.0 < span.1 && next[usize::from(span.1) - 1] == 0 {
                span.1 -= 1;
            }
            if span.0 < span.1 {
                empty = 0;
                let rows = usize::from(span.0)..usize::from(span.1);
                if !visit(cost, next, rows) {
                    self.spans.push(span);
                    return;
                }
            } else {
                span = (0, 0);
                empty += 1;
            }
            self.spans.push(span);
            if empty >= longest {
                let Some(&(due, _)) = seeds.peek() else {
                    return;
                };
                base = due;
                self.spans.clear();
                empty = 0;
            }
        }
    }

    /// Walks from a spot that a wave without gaps came to at `cost` back to its seed, and calls
    /// `visit` with every spot but the seed, the last one first.
    ///
    /// Among equally cheap ways it takes the diagonal step last, then the first one clockwise
    /// from north.
    pub(super) fn trace(
        &self,
        ground: &Ground,
        pace: Pace,
        end: Spot,
        cost: u32,
        mut visit: impl FnMut(Spot),
    ) {
        let (mut spot, mut cost) = (end, cost as usize);
        while cost > 0 {
            visit(spot);
            let before = Direction::ALL.into_iter().find_map(|back| {
                let step = if back.is_diagonal() {
                    pace.diagonal
                } else {
                    pace.straight
                };
                let at = cost.checked_sub(step).filter(|_| step > 0)?;
                let &(low, high) = self.spans.get(at)?;
                let from = beside(spot, back)?;
                let row = (from / SIDE) as u8 + 1;
                let hit = low <= row && row < high && is_in(self.fronts.get(at)?, from);
                let legal = hit && ground.allows(from, back.opposite()) == Some(spot);
                legal.then_some((from, at))
            });
            // Every spot of a front was reached from one before it.
            let Some(before) = before else { return };
            (spot, cost) = before;
        }
    }
}

/// The spot next to one, in the same cluster.
pub(super) fn beside(spot: Spot, direction: Direction) -> Option<Spot> {
    let (dx, dy) = direction.delta();
    let (x, y) = (i32::from(spot % SIDE) + dx, i32::from(spot / SIDE) + dy);
    let side = 0..i32::from(SIDE);
    (side.contains(&x) && side.contains(&y)).then_some((y * i32::from(SIDE) + x) as Spot)
}

impl Ground {
    /// Puts the spots that straight steps out of one front and diagonal steps out of another
    /// newly come to into `next`, and takes them out of `fresh`.
    #[inline]
    fn spread(&self, straight: &Rows, diagonal: &Rows, fresh: &mut Rows, next: &mut Rows) {
        if self.strict {
            self.spread_by::<true>(straight, diagonal, fresh, next);
        } else {
            self.spread_by::<false>(straight, diagonal, fresh, next);
        }
    }

    /// All rows, whatever the reach: with a fixed number of them the loop becomes vectors.
    #[inline(never)]
    fn spread_by<const STRICT: bool>(
        &self,
        straight: &Rows,
        diagonal: &Rows,
        fresh: &mut Rows,
        next: &mut Rows,
    ) {
        let free = &self.free;
        // A range that holds its end would not become vectors.
        #[expect(
            clippy::range_plus_one,
            reason = "the inclusive range is a slow loop here"
        )]
        for row in 1..usize::from(SIDE) + 1 {
            let here = straight[row];
            let by_straight = here << 1 | here >> 1 | straight[row - 1] | straight[row + 1];
            let (up, down) = (diagonal[row - 1], diagonal[row + 1]);
            let by_diagonal = if STRICT {
                // Both cells beside a diagonal step must be free.
                let (up, down) = (up & free[row], down & free[row]);
                (up << 1 | up >> 1) & free[row - 1] | (down << 1 | down >> 1) & free[row + 1]
            } else {
                up << 1 | up >> 1 | down << 1 | down >> 1
            };
            next[row] = (by_straight | by_diagonal) & fresh[row];
        }
        for (fresh, next) in fresh.iter_mut().zip(&*next) {
            *fresh &= !next;
        }
    }
}

/// Steps where exits count, a direction at a time.
struct Steps<'a> {
    ground: &'a Ground,
    planes: &'a [Rows; 8],
    way: Way,
}

impl Steps<'_> {
    fn spread(
        &self,
        straight: &Rows,
        diagonal: &Rows,
        reach: std::ops::Range<usize>,
        fresh: &mut Rows,
        next: &mut Rows,
    ) {
        let free = &self.ground.free;
        for row in reach {
            let mut new = 0;
            for direction in Direction::ALL {
                let (dx, dy) = direction.delta();
                let front = if direction.is_diagonal() {
                    diagonal
                } else {
                    straight
                };
                let corners = direction.is_diagonal() && self.ground.strict;
                let exits = &self.planes[direction as usize];
                new |= match self.way {
                    Way::Forward => {
                        let from = row.wrapping_add_signed(-dy as isize);
                        let mut leaving = front[from] & exits[from];
                        if corners {
                            leaving &= shifted(free[from], -dx) & free[row];
                        }
                        shifted(leaving, dx)
                    }
                    Way::Backward => {
                        let to = row.wrapping_add_signed(dy as isize);
                        let mut leaving = shifted(front[to], -dx) & exits[row];
                        if corners {
                            leaving &= shifted(free[row], -dx) & free[to];
                        }
                        leaving
                    }
                };
            }
            new &= fresh[row];
            next[row] = new;
            fresh[row] ^= new;
        }
    }
}

/// A row moved so many columns to the right.
const fn shifted(row: u32, columns: i32) -> u32 {
    if columns >= 0 {
        row << columns
    } else {
        row >> -columns
    }
}
