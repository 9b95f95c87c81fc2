//! Shading: step costs that keep paths away from walls.

use super::grid::Grid;
use crate::cell::Cell;

impl Grid {
    /// Raises the cost of ground near walls and near the edge of the map, so that paths keep away
    /// from them where there is room. Cells beside a wall cost `dearest` (at most
    /// [`Grid::COST_WORST`]). The cost falls evenly with distance, down to 1 at more than `reach`
    /// cells. Distance counts 8-way steps. Dearer ground and walls do not change.
    ///
    /// Returns the number of changed cells. Counts as one edit of the map. The layer does not
    /// follow later edits of walls: shade again, or set the costs around a door by hand.
    ///
    /// # Complexity
    ///
    /// Two passes over the map.
    pub fn shade_from_walls(&mut self, reach: u8, dearest: u8) -> u32 {
        let dearest = dearest.min(Self::COST_WORST);
        if reach == 0 || dearest <= 1 {
            return 0;
        }
        let (width, height) = (usize::from(self.width()), usize::from(self.height()));
        // Distances on one floor with a border of walls around it.
        let columns = width + 2;
        let mut distance = vec![0_u8; columns * (height + 2)];
        let mut changed = 0;
        for floor in 0..self.floors() {
            for y in 0..height {
                for x in 0..width {
                    let at = (y + 1) * columns + x + 1;
                    let before = [at - columns - 1, at - columns, at - columns + 1, at - 1];
                    let steps = nearest(&distance, before).saturating_add(1);
                    let walkable = self.walkable.get(x as u16, y as u16, floor);
                    distance[at] = if walkable { steps } else { 0 };
                }
            }
            // The second pass adds the walls to the right and below, after which a distance is
            // final and the cell is shaded.
            for y in (0..height).rev() {
                for x in (0..width).rev() {
                    let at = (y + 1) * columns + x + 1;
                    let behind = [at + columns + 1, at + columns, at + columns - 1, at + 1];
                    let steps = nearest(&distance, behind).saturating_add(1);
                    distance[at] = distance[at].min(steps);
                    let (steps, cell) = (distance[at], Cell::new(x as u16, y as u16));
                    if steps == 0 || steps > reach {
                        continue;
                    }
                    let part = u16::from(reach + 1 - steps) * u16::from(dearest - 1);
                    let shade = 1 + part.div_ceil(u16::from(reach)) as u8;
                    let cell = cell.on_floor(floor);
                    if shade > self.costs.get(cell, self.size) {
                        self.costs.set(cell, self.size, shade);
                        changed += 1;
                    }
                }
            }
        }
        if changed > 0 {
            self.edited_everywhere();
        }
        changed
    }
}

fn nearest(distance: &[u8], neighbours: [usize; 4]) -> u8 {
    let distances = neighbours.into_iter().map(|at| distance[at]);
    distances.min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_fall_with_distance() {
        let mut grid = Grid::open(9, 9).unwrap();
        assert_eq!(grid.shade_from_walls(3, 10), 81 - 9);
        let row: Vec<u8> = (0..9).map(|x| grid.cost(Cell::new(x, 4))).collect();
        assert_eq!(row, [10, 7, 4, 1, 1, 1, 4, 7, 10]);
        assert_eq!(grid.version(), 1);
    }

    #[test]
    fn dearer_ground_stays() {
        let mut grid = Grid::open(9, 9).unwrap();
        grid.set_cost(Cell::new(0, 4), 60).unwrap();
        grid.set_walkable(Cell::new(4, 4), false).unwrap();
        grid.shade_from_walls(1, 8);
        let row: Vec<u8> = (0..9).map(|x| grid.cost(Cell::new(x, 4))).collect();
        assert_eq!(row, [60, 1, 1, 8, 0, 8, 1, 1, 8]);
    }
}
