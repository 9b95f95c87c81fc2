//! The reached places of a window that are closest to a goal.

use crate::{
    bits::ones,
    cell::Cell,
    query::{Fallback, PathQuery},
    rules::{Estimate, Metric},
    window::{CENTER, RADIUS_MAX, WindowBits, WindowPlace, WindowRows},
};
use std::ops::Range;

/// Places of a window that are equally near to the goal.
#[derive(Debug, PartialEq)]
pub(super) struct Closest {
    /// The rows with such places.
    rows: Range<usize>,
    places: WindowRows,
}

impl Closest {
    /// Whether any of them was reached.
    pub(super) fn is_any_in(&self, reached: &WindowRows) -> bool {
        let rows = self.rows.clone();
        let both = self.places[rows.clone()].iter().zip(&reached[rows]);
        both.fold(0, |any, (place, reached)| any | place & reached) != 0
    }

    /// The reached places among them, in reading order.
    pub(super) fn places_in(&self, reached: &WindowRows) -> impl Iterator<Item = WindowPlace> {
        self.rows.clone().flat_map(move |row| {
            let columns = ones(self.places[row] & reached[row]);
            columns.map(move |column| WindowPlace { row, column })
        })
    }
}

/// The reached places that are nearest to the goal: by the heuristic, or
/// [as the crow flies](Fallback::NearestReachable). `None` if the start is one of them.
///
/// Guesses do not fall with more columns or rows. So rows are visited outward from the row of the
/// goal, and the places of a row outward from the column of the goal.
///
/// # Complexity
///
/// O(rows), each with the columns between its nearest and its last equally near place.
pub(super) fn closest(
    query: &PathQuery,
    bits: &WindowBits,
    reached: &WindowRows,
) -> Option<Closest> {
    // Square rings are what steps of equal cost make.
    let by_ring = query.fallback == Fallback::NearestReachable;
    let estimate = if by_ring {
        Estimate::exact(Metric::Unit)
    } else {
        query.nearness()
    };
    let at_start = estimate.between(query.start, query.goal);
    // Column and row of the goal in the window, which it may be outside of.
    let ahead = |to: u16, from: u16, center: usize| i32::from(to) - i32::from(from) + center as i32;
    let column = ahead(query.goal.x, query.start.x, CENTER.column as usize);
    let row = ahead(query.goal.y, query.start.y, CENTER.row);
    let rows_away = |of: usize| row.abs_diff(of as i32) as u16;
    // The columns between the nearest place of a row and the goal.
    let columns_away = |row: usize| {
        let inside = column.clamp(0, 63) as u32;
        let left = (reached[row] & u64::MAX >> (63 - inside)).checked_ilog2();
        let after = reached[row] & u64::MAX << inside;
        let right = (after != 0).then(|| after.trailing_zeros());
        let both = left.into_iter().chain(right);
        both.map(|of| column.abs_diff(of as i32) as u16).min()
    };
    let rows = bits.rows();
    let nearest_row = row.clamp(rows.start as i32, rows.end as i32 - 1) as usize;
    let mut least = at_start;
    let mut look = |row: usize| {
        let dy = rows_away(row);
        if estimate.cost(0, dy) > least {
            return false;
        }
        if let Some(dx) = columns_away(row) {
            least = least.min(estimate.cost(dx, dy));
        }
        true
    };
    let above = (rows.start..nearest_row)
        .rev()
        .take_while(|&row| look(row))
        .count();
    let below = (nearest_row..rows.end).take_while(|&row| look(row)).count();
    if least == at_start && !by_ring {
        return None;
    }
    let (mut places, mut filled) = ([0; 72], 0..0);
    for row in nearest_row - above..nearest_row + below {
        let columns = columns_away(row);
        let is_least = |dx: &u16| estimate.cost(*dx, rows_away(row)) == least;
        let Some(mut dx) = columns.filter(is_least) else {
            continue;
        };
        // Ends at the borders of the window, which the goal may be far away from.
        let covers = |dx: u16| column <= i32::from(dx) && column + i32::from(dx) >= 63;
        while !covers(dx) && estimate.cost(dx + 1, rows_away(row)) == least {
            dx += 1;
        }
        let (first, last) = (column - i32::from(dx), column + i32::from(dx));
        let from_first = u64::MAX << first.clamp(0, 63);
        let to_last = u64::MAX >> (63 - last.clamp(0, 63));
        places[row] = reached[row] & from_first & to_last;
        filled = if filled.is_empty() { row } else { filled.start }..row + 1;
    }
    let closest = Closest {
        rows: filled,
        places,
    };
    if by_ring {
        // Of these, all that are nearest in a straight line.
        let distance = |place: WindowPlace| bits.cell(place).squared_distance(query.goal);
        let least = closest.places_in(reached).map(distance).min()?;
        if closest.places[CENTER.row] >> CENTER.column & 1 == 1 && distance(CENTER) == least {
            return None;
        }
        let mut places = [0; 72];
        for place in closest.places_in(reached) {
            if distance(place) == least {
                places[place.row] |= 1 << place.column;
            }
        }
        let rows = closest.rows;
        return Some(Closest { rows, places });
    }
    Some(closest)
}

/// The place of the window nearest to a goal that no path ends at, unless it is a wall. Once it is
/// reached, no other place can be nearer.
pub(super) fn place_nearest_to_goal(bits: &WindowBits, query: &PathQuery) -> Option<WindowPlace> {
    if query.fallback == Fallback::None {
        return None;
    }
    let (start, goal) = (query.start, query.goal);
    let radius = query.limits.radius.min(RADIUS_MAX);
    let within =
        |from: u16, to: u16| to.clamp(from.saturating_sub(radius), from.saturating_add(radius));
    let nearest = Cell::new(within(start.x, goal.x), within(start.y, goal.y)).on_floor(start.floor);
    bits.place(nearest).filter(|place| place.is_in(bits.free()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        map::Grid,
        rules::{Footprint, Heuristic},
    };
    use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

    /// The same, place by place.
    fn naive(query: &PathQuery, bits: &WindowBits, reached: &WindowRows) -> Option<WindowRows> {
        let estimate = query.nearness();
        let guess = |place: WindowPlace| estimate.between(bits.cell(place), query.goal);
        let all = bits.rows().flat_map(|row| {
            let columns = (0..64).filter(move |column| reached[row] >> column & 1 == 1);
            columns.map(move |column| WindowPlace { row, column })
        });
        let places: Vec<WindowPlace> = all.collect();
        let least = places.iter().map(|&place| guess(place)).min()?;
        let mut closest = [0; 72];
        for place in places.into_iter().filter(|&place| guess(place) == least) {
            closest[place.row] |= 1 << place.column;
        }
        (guess(CENTER) > least).then_some(closest)
    }

    #[test]
    fn agrees_with_naive() {
        let grid = Grid::open(90, 90).unwrap();
        let start = Cell::new(40, 45);
        let mut bits = WindowBits::default();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for round in 0..4000 {
            let radius = 1 + round % 28;
            bits.load(&grid, start, radius, Footprint::ONE, None);
            let thin = round / 28 % 4;
            let mut reached = [0; 72];
            for row in bits.rows() {
                reached[row] =
                    (0..thin).fold(bits.free()[row], |word, _| word & random.random::<u64>());
            }
            reached[CENTER.row] |= 1 << CENTER.column;
            let side = if round % 2 == 0 { 90 } else { 400 };
            let goal = Cell::new(random.random_range(0..side), random.random_range(0..side));
            let heuristic = Heuristic::ALL[random.random_range(0..7u32) as usize];
            let metric = Metric::ALL[random.random_range(0..5u32) as usize];
            let mut query = PathQuery::new(start, goal).with_heuristic(heuristic);
            query.rules.metric = metric;
            let found = closest(&query, &bits, &reached);
            assert_eq!(
                found.as_ref().map(|closest| closest.places),
                naive(&query, &bits, &reached),
                "{round}: {heuristic:?} {metric:?} to {goal}"
            );
            if let Some(closest) = found {
                let count: u32 = closest.places.iter().map(|row| row.count_ones()).sum();
                assert_eq!(closest.places_in(&reached).count(), count as usize);
                assert!(closest.is_any_in(&reached) && !closest.is_any_in(&[0; 72]));
            }
        }
    }
}
