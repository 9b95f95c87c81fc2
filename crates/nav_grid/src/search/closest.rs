//! The places of a window that are closest to a goal.

use super::window_bits::{CENTER, Place, Rows, WindowBits};
use crate::{Query, rules::Estimate};

/// The places that were reached and that the heuristic calls nearest to the goal; `None` if the
/// start is one of them.
///
/// No guess is less for more columns, so of each row those that are next to the goal's column come
/// first, to the left and to the right of it.
///
/// # Complexity
///
/// O(rows + places that are closest).
pub(super) fn closest(query: &Query, bits: &WindowBits, reached: &Rows) -> Option<Rows> {
    let estimate = Estimate::new(query.heuristic, query.rules.metric);
    let guess = |row: usize, column: u32| {
        let cell = bits.cell(Place { row, column });
        estimate.between(cell, query.goal)
    };
    let at_start = guess(CENTER.row, CENTER.column);
    // Of a goal beside the window all places are on one side.
    let column = i32::from(query.goal.x) - i32::from(query.start.x) + CENTER.column as i32;
    let column = column.clamp(0, 63) as u32;
    let sides = |row: usize| {
        let (left, right) = (
            reached[row] & u64::MAX >> (63 - column),
            reached[row] & u64::MAX << column,
        );
        [
            left.checked_ilog2(),
            (right != 0).then(|| right.trailing_zeros()),
        ]
    };
    let of_row = |row: usize| {
        let guesses = sides(row).into_iter().flatten();
        guesses.map(|column| guess(row, column)).min()
    };
    let least = bits.rows().filter_map(of_row).min()?;
    if least >= at_start {
        return None;
    }
    let mut places = [0; 72];
    for row in bits.rows().filter(|&row| of_row(row) == Some(least)) {
        let [left, right] = sides(row);
        let is_reached = |column: &u32| reached[row] >> column & 1 == 1;
        let is_closest = |&column: &u32| guess(row, column) == least;
        let leftward = left.into_iter().flat_map(|left| (0..=left).rev());
        let rightward = right.into_iter().flat_map(|right| right..64);
        let leftward = leftward.filter(is_reached).take_while(is_closest);
        let rightward = rightward.filter(is_reached).take_while(is_closest);
        places[row] = leftward
            .chain(rightward)
            .fold(0, |word, column| word | 1 << column);
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Footprint, Grid, Heuristic, Metric};

    /// What is asked for, place by place.
    fn naive(query: &Query, bits: &WindowBits, reached: &Rows) -> Option<Rows> {
        let estimate = Estimate::new(query.heuristic, query.rules.metric);
        let guess = |place: Place| estimate.between(bits.cell(place), query.goal);
        let all = bits.rows().flat_map(|row| {
            let columns = (0..64).filter(move |column| reached[row] >> column & 1 == 1);
            columns.map(move |column| Place { row, column })
        });
        let places: Vec<Place> = all.collect();
        let least = places.iter().map(|&place| guess(place)).min()?;
        let mut closest = [0; 72];
        for place in places.into_iter().filter(|&place| guess(place) == least) {
            closest[place.row] |= 1 << place.column;
        }
        (guess(CENTER) > least).then_some(closest)
    }

    #[test]
    fn the_closest_places_are_those_of_a_look_at_each() {
        let grid = Grid::open(90, 90).unwrap();
        let start = Cell::new(40, 45);
        let mut bits = WindowBits::default();
        let mut seed = 1_u64;
        let mut random = move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        for round in 0..4000 {
            let radius = 1 + round % 28;
            bits.load(&grid, start, radius, Footprint::ONE, None);
            let thin = round / 28 % 4;
            let mut reached = [0; 72];
            for row in bits.rows() {
                reached[row] = (0..thin).fold(bits.free()[row], |word, _| word & random());
            }
            reached[CENTER.row] |= 1 << CENTER.column;
            let goal = Cell::new((random() % 90) as u16, (random() % 90) as u16);
            let heuristic = Heuristic::ALL[(random() % 5) as usize];
            let metric = Metric::ALL[(random() % 5) as usize];
            let mut query = Query::new(start, goal).with_heuristic(heuristic);
            query.rules.metric = metric;
            assert_eq!(
                closest(&query, &bits, &reached),
                naive(&query, &bits, &reached),
                "{round}: {heuristic:?} {metric:?} to {goal}"
            );
        }
    }
}
