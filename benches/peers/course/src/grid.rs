//! The map: a square grid with clutter.

use crate::random::Random;

/// A cell of the map, from 0,0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// Column.
    pub x: u16,
    /// Row.
    pub y: u16,
}

impl Cell {
    /// Returns the columns or rows between two cells, whichever are more.
    pub fn chebyshev(self, other: Self) -> u16 {
        self.x.abs_diff(other.x).max(self.y.abs_diff(other.y))
    }

    fn offset(self, (dx, dy): (i16, i16)) -> Option<Self> {
        Some(Self {
            x: self.x.checked_add_signed(dx)?,
            y: self.y.checked_add_signed(dy)?,
        })
    }
}

/// The eight directions of a step, straight ones first.
pub(crate) const DIRECTIONS: [(i16, i16); 8] = [
    (1, 0),
    (0, 1),
    (-1, 0),
    (0, -1),
    (1, 1),
    (-1, 1),
    (-1, -1),
    (1, -1),
];

/// A square map. All its free cells can reach each other.
#[derive(Clone, Debug)]
pub struct Map {
    side: u16,
    free: Vec<bool>,
}

impl Map {
    /// Makes a map on which every cell is blocked with a probability of `percent`.
    ///
    /// Then everything outside the largest connected part is blocked: a chaser in a pocket would
    /// measure how a peer fails, which is another question.
    pub(crate) fn cluttered(side: u16, percent: u32, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let cells = usize::from(side) * usize::from(side);
        let free = (0..cells).map(|_| random.below(100) >= percent).collect();
        let mut map = Self { side, free };
        map.free = map.largest_part();
        map
    }

    /// Returns the number of columns, which is that of rows.
    pub fn side(&self) -> u16 {
        self.side
    }

    /// Whether a cell is on the map and not blocked.
    pub fn is_free(&self, cell: Cell) -> bool {
        cell.x < self.side && cell.y < self.side && self.free[self.index(cell)]
    }

    /// Returns all cells that are not blocked, row by row.
    pub fn free_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let all = (0..self.side).flat_map(|y| (0..self.side).map(move |x| Cell { x, y }));
        all.filter(|&cell| self.is_free(cell))
    }

    /// Returns the end of a step, if it is legal: no diagonal step passes the corner of a wall.
    pub fn step(&self, from: Cell, direction: (i16, i16)) -> Option<Cell> {
        let (dx, dy) = direction;
        let free = |offset| from.offset(offset).filter(|&cell| self.is_free(cell));
        let end = free(direction)?;
        free((dx, 0))?;
        free((0, dy))?;
        Some(end)
    }

    /// Returns the ends of all legal steps.
    pub fn steps(&self, from: Cell) -> impl Iterator<Item = Cell> + '_ {
        let ends = DIRECTIONS.into_iter();
        ends.filter_map(move |direction| self.step(from, direction))
    }

    fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * usize::from(self.side) + usize::from(cell.x)
    }

    /// Marks the cells of the largest connected part. A part is the same with and without diagonal
    /// steps, since those need both straight neighbours.
    fn largest_part(&self) -> Vec<bool> {
        let mut part_of = vec![0_u32; self.free.len()];
        let (mut largest, mut largest_size) = (0, 0);
        let mut parts = 0;
        for start in self.free_cells() {
            if part_of[self.index(start)] != 0 {
                continue;
            }
            parts += 1;
            part_of[self.index(start)] = parts;
            let mut open = vec![start];
            let mut size = 0;
            while let Some(cell) = open.pop() {
                size += 1;
                for end in self.steps(cell) {
                    let index = self.index(end);
                    if part_of[index] == 0 {
                        part_of[index] = parts;
                        open.push(end);
                    }
                }
            }
            if size > largest_size {
                (largest, largest_size) = (parts, size);
            }
        }
        part_of
            .iter()
            .map(|&part| part != 0 && part == largest)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_not_cut() {
        let mut map = Map {
            side: 2,
            free: vec![true; 4],
        };
        let (from, end) = (Cell { x: 0, y: 0 }, Cell { x: 1, y: 1 });
        assert_eq!(map.step(from, (1, 1)), Some(end));
        map.free[1] = false;
        assert_eq!(map.step(from, (1, 1)), None);
        assert_eq!(map.step(from, (-1, 0)), None);
    }

    #[test]
    fn pockets_are_filled() {
        let side = 3;
        // The middle row is a wall, and the last row the smaller part.
        let free = vec![true, true, true, false, false, false, false, true, true];
        let map = Map { side, free };
        let expected = [true, true, true, false, false, false, false, false, false];
        assert_eq!(map.largest_part(), expected);
    }
}
