//! The grid: walkable cells, step costs, exits, classes, sight and links of all floors.

use super::{
    clearance::Clearance,
    layers::ByteLayer,
    link::Links,
    size::{Area, GridError, Size},
    tiles::{Tile, TileVersions},
    views::{Sight, Views},
};
use crate::{
    bits::ones,
    cell::{Cell, Directions},
    map::bitboard::Bitboard,
    rules::{Class, Cost, Footprint, Metric, Rules},
};
use std::sync::Arc;

/// The static map: floors of cells, each walkable or blocked, with optional layers and
/// links.
///
/// Cells outside the map count as blocked everywhere, so no search needs to test bounds.
///
/// # Layers
///
/// - *Costs*, 1 (the default) to [`Grid::COST_WORST`]: the factor of the metric's cost for a step
///   onto the cell, or how often the metric [adds](crate::rules::StepCosts::adding) to it.
/// - *Exits*: the directions in which a cell may be left; all by default. A ledge is a row of cells
///   that cannot be left upward. A fence between two cells removes the steps across it from both.
/// - *Classes*: the kind of ground, by a [number](Class). [`Rules`] say which classes an agent may
///   enter, and what each costs it.
/// - *Sight*: whether a cell can be [seen through](Sight); while it is walkable by default.
/// - [*Links*](crate::Link): edges between any two cells of any floors.
///
/// A layer takes no memory until a cell differs from the default.
///
/// # Memory
///
/// One bit per cell plus a border of under 64 bits a row: 512×512 takes 37 KiB, 5000×5000 takes 3.1
/// MiB. Costs, exits, classes and sight take a byte per cell each, a
/// [kind of agents](Grid::for_rules) that may not enter all classes a bit per cell, [prepared
/// footprints](Grid::prepare_footprint) a bit per cell and size, links 36 bytes each and another
/// bit per cell.
///
/// # Example
///
/// ```
/// use nav_grid::{Area, Cell, Direction, Directions, Grid, Link, Rules, Size};
///
/// let mut grid = Grid::build(Size::new(8, 8).with_floors(2), |_| true)?;
/// let door = Cell::new(3, 4);
/// grid.set_walkable(door, false)?;
/// assert!(!grid.is_walkable(door));
/// assert!(!grid.is_walkable(Cell::new(8, 0)), "outside is blocked");
///
/// // Mud, a ledge that can only be jumped down, and stairs.
/// grid.set_cost(Area::new(Cell::new(0, 6), Cell::new(7, 7)), 4)?;
/// let down = [Direction::SouthWest, Direction::South, Direction::SouthEast];
/// grid.set_exits(Area::new(Cell::new(0, 2), Cell::new(7, 2)), down.into_iter().collect())?;
/// grid.set_link(Link::new(Cell::new(7, 7), Cell::new(7, 7).on_floor(1)))?;
///
/// let rules = Rules::default();
/// assert_eq!(grid.step_cost(Cell::new(2, 5), Direction::South, rules), Some(4));
/// assert!(!grid.allows_step(Cell::new(2, 2), Cell::new(2, 1), rules));
/// assert!(grid.allows_move(Cell::new(7, 7), Cell::new(7, 7).on_floor(1), rules));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Grid {
    pub(crate) size: Size,
    pub(crate) walkable: Bitboard,
    pub(crate) costs: ByteLayer,
    pub(crate) exits: ByteLayer,
    /// Numbers of [`Class`]es.
    pub(crate) classes: ByteLayer,
    /// [`Sight`]s as numbers.
    pub(crate) sight: ByteLayer,
    pub(crate) links: Arc<Links>,
    pub(crate) clearance: Clearance,
    pub(crate) tiles: TileVersions,
    pub(crate) views: Views,
    /// Whether it is a view of another map, which has no views itself.
    pub(crate) is_view: bool,
}

impl Grid {
    /// Greatest width and height, as [`Size::SIDE_MAX`].
    pub const SIDE_MAX: u16 = Size::SIDE_MAX;

    /// The step cost of the worst ground: few games tell more kinds of ground apart, and bucket
    /// queues need a bucket for each cost of a step.
    pub const COST_WORST: u8 = 64;

    /// A grid of one floor on which every cell is blocked.
    ///
    /// # Errors
    ///
    /// As [`Size::checked`].
    pub fn blocked(width: u16, height: u16) -> Result<Self, GridError> {
        Self::blocked_of(Size::new(width, height))
    }

    /// A grid of one floor on which every cell is walkable.
    ///
    /// # Errors
    ///
    /// As [`Size::checked`].
    pub fn open(width: u16, height: u16) -> Result<Self, GridError> {
        let mut grid = Self::blocked(width, height)?;
        grid.walkable.fill(grid.size.floor_area(0), true);
        Ok(grid)
    }

    /// A grid of one floor whose walkable cells are those for which `walkable` returns `true`,
    /// called in reading order.
    ///
    /// # Errors
    ///
    /// As [`Size::checked`].
    pub fn from_fn(
        width: u16,
        height: u16,
        walkable: impl FnMut(Cell) -> bool,
    ) -> Result<Self, GridError> {
        Self::build(Size::new(width, height), walkable)
    }

    /// As [`from_fn`](Self::from_fn) for any number of floors, floor by floor.
    ///
    /// # Errors
    ///
    /// As [`Size::checked`].
    pub fn build(size: Size, mut walkable: impl FnMut(Cell) -> bool) -> Result<Self, GridError> {
        let mut grid = Self::blocked_of(size)?;
        for (y, floor) in size.rows() {
            for x in 0..size.width {
                if walkable(Cell { x, y, floor }) {
                    grid.walkable.set(x, y, floor, true);
                }
            }
        }
        Ok(grid)
    }

    pub(crate) fn blocked_of(size: Size) -> Result<Self, GridError> {
        Ok(Self::blank(size.checked()?))
    }

    /// A map of a valid size without ground and layers.
    pub(super) fn blank(size: Size) -> Self {
        Self {
            size,
            walkable: Bitboard::new(size),
            // Layers of a single byte, as long as no cell differs.
            costs: ByteLayer::uniform(1),
            exits: ByteLayer::uniform(Directions::ALL.0),
            classes: ByteLayer::uniform(Class::DEFAULT.number()),
            sight: ByteLayer::uniform(Sight::AsGround as u8),
            links: Arc::default(),
            clearance: Clearance::default(),
            tiles: TileVersions::new(size),
            views: Views::default(),
            is_view: false,
        }
    }

    /// Columns, rows and floors.
    #[inline]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Number of columns.
    #[inline]
    pub const fn width(&self) -> u16 {
        self.size.width
    }

    /// Number of rows.
    #[inline]
    pub const fn height(&self) -> u16 {
        self.size.height
    }

    /// The greatest radius of a window that tells any more of the map.
    pub(crate) fn radius_max(&self) -> u16 {
        self.size.width.max(self.size.height) - 1
    }

    /// Number of floors, at least 1.
    #[inline]
    pub const fn floors(&self) -> u8 {
        self.size.floors
    }

    /// Whether `cell` lies on the map.
    #[inline]
    pub const fn contains(&self, cell: Cell) -> bool {
        self.size.contains(cell)
    }

    /// Whether an agent of one cell may stand on `cell`; `false` outside the map.
    #[inline]
    pub fn is_walkable(&self, cell: Cell) -> bool {
        self.contains(cell) && self.walkable.get(cell.x, cell.y, cell.floor)
    }

    /// Whether a body of this size may stand at `anchor`. O(1) if the size is
    /// [prepared](Grid::prepare_footprint), else reads at most 64 cells.
    pub fn fits(&self, anchor: Cell, footprint: Footprint) -> bool {
        if !self.contains(anchor) {
            return false;
        }
        if let Some(board) = self.board(footprint) {
            return board.get(anchor.x, anchor.y, anchor.floor);
        }
        let area = footprint.area(anchor);
        self.contains(area.last()) && area.cells().all(|cell| self.is_walkable(cell))
    }

    /// Prepares for agents of one size that may enter the same [classes](Rules::classes): makes the
    /// bitboard of the places where they fit. Edits keep it up to date. Results are the same
    /// without it, but slower.
    ///
    /// Takes a [`Footprint`] too, for agents that all classes suit.
    ///
    /// # Complexity
    ///
    /// One pass over the map, 64 cells at a time; O(1) if the size is prepared. The first time for
    /// such classes also that of [`for_rules`](Self::for_rules).
    pub fn prepare_footprint(&mut self, rules: impl Into<Rules>) {
        let rules = rules.into();
        self.prepare_for(rules, |grid| {
            grid.clearance
                .prepare(rules.footprint, &grid.walkable, grid.size);
        });
    }

    /// Prepares for [`JumpPointSearch`](crate::methods::JumpPointSearch) by agents of one size and
    /// corner rule that may enter the same classes: marks the ends of scans along rows, columns and
    /// diagonals. Edits keep them up to date. Results are the same without it, but slower.
    ///
    /// # Complexity
    ///
    /// A few passes over the map, 64 cells at a time; O(1) if the jumps are prepared. 13 bits a
    /// cell, one more under [`CornerRule::Strict`](crate::CornerRule::Strict), and one for a body
    /// larger than a cell.
    #[doc(hidden)]
    pub fn prepare_jumps(&mut self, rules: Rules) {
        self.prepare_for(rules, |grid| {
            let (clearance, board) = (&mut grid.clearance, &grid.walkable);
            clearance.prepare_jumps(rules.footprint, rules.corners, board, grid.size);
        });
    }

    /// Whether a [footprint is prepared](Self::prepare_footprint). 1×1 always is for agents that
    /// all classes suit.
    #[doc(hidden)]
    pub fn is_prepared(&self, rules: impl Into<Rules>) -> bool {
        let rules = rules.into();
        let grid = if self.suits(rules.passable()) {
            Some(self)
        } else {
            self.views.find(rules.passable())
        };
        grid.is_some_and(|grid| grid.board(rules.footprint).is_some())
    }

    /// The step cost of a cell: 0 if it is blocked or outside the map, else 1 (the best ground,
    /// and all ground without a cost layer) to [`Grid::COST_WORST`].
    #[inline]
    pub fn cost(&self, cell: Cell) -> u8 {
        if self.is_walkable(cell) {
            self.costs.get(cell, self.size)
        } else {
            0
        }
    }

    /// Whether some cell of an area of the map has a cost other than 1. The kept costs of blocked
    /// cells count.
    pub(crate) fn has_costs_in(&self, area: Area) -> bool {
        !self.costs.is_uniform_in(area, self.size)
    }

    /// Whether some cell of an area of the map has exits other than all.
    pub(crate) fn has_exits_in(&self, area: Area) -> bool {
        !self.exits.is_uniform_in(area, self.size)
    }

    /// The terrain class of a cell; 0, the default, outside the map.
    #[inline]
    pub fn class(&self, cell: Cell) -> Class {
        let number = self
            .contains(cell)
            .then(|| self.classes.get(cell, self.size));
        number.and_then(Class::new).unwrap_or_default()
    }

    /// Whether some cell was given a class other than 0.
    #[inline]
    pub fn has_classes(&self) -> bool {
        !self.classes.is_uniform()
    }

    /// Whether a cell can be seen through; as the ground outside the map.
    pub fn sight(&self, cell: Cell) -> Sight {
        let number = self.contains(cell).then(|| self.sight.get(cell, self.size));
        let sight = number.and_then(|number| Sight::ALL.get(usize::from(number)));
        sight.copied().unwrap_or_default()
    }

    /// Whether some cell was given a sight other than that of the ground.
    #[inline]
    pub fn has_sight(&self) -> bool {
        !self.sight.is_uniform()
    }

    /// Whether some cell was given a cost other than 1.
    #[inline]
    pub fn has_costs(&self) -> bool {
        !self.costs.is_uniform()
    }

    /// No step and no link of the map costs more by a metric.
    pub(crate) fn dearest_move(&self, metric: Metric) -> Cost {
        let worst = if self.has_costs() {
            Self::COST_WORST
        } else {
            1
        };
        // Ground that adds to the cost of a step adds less than multiplying would.
        let step = metric.diagonal().unwrap_or(metric.straight()) * Cost::from(worst);
        let link = metric.straight().saturating_mul(self.links.dearest.into());
        step.max(link)
    }

    /// The directions in which the exits of a cell allow steps; none outside the map.
    #[inline]
    pub fn exits(&self, cell: Cell) -> Directions {
        if self.contains(cell) {
            Directions(self.exits.get(cell, self.size))
        } else {
            Directions::NONE
        }
    }

    /// Whether some cell was given exits other than all.
    #[inline]
    pub fn has_exits(&self) -> bool {
        !self.exits.is_uniform()
    }

    /// The number of edits so far. A clone starts with the number of the original, a loaded map
    /// with 0.
    pub const fn version(&self) -> u64 {
        self.tiles.last()
    }

    /// The number of the last edit of a tile; 0 before the first.
    ///
    /// An edit counts for every tile with a cell from which some body may now move differently,
    /// which are a few cells more than the edited ones. The tiles of a path's waypoints and of its
    /// walker therefore tell whether the path still holds.
    #[doc(hidden)]
    pub fn tile_version(&self, tile: Tile) -> u64 {
        self.tiles.of(tile)
    }

    /// The tiles edited after edit `version`, floor by floor, row by row.
    ///
    /// # Complexity
    ///
    /// One pass over all tiles.
    #[doc(hidden)]
    pub fn tiles_edited_since(&self, version: u64) -> impl Iterator<Item = Tile> + '_ {
        self.tiles.since(version)
    }

    /// The tiles where other ways may be best after edit `version`: those with edits of costs,
    /// classes, exits or links. Whether a cell is blocked counts for
    /// [`tiles_edited_since`](Self::tiles_edited_since) alone.
    ///
    /// # Complexity
    ///
    /// One pass over all tiles.
    #[doc(hidden)]
    pub fn ways_edited_since(&self, version: u64) -> impl Iterator<Item = Tile> + '_ {
        self.tiles.ways_since(version)
    }

    /// The number of walkable cells.
    ///
    /// # Complexity
    ///
    /// One pass over the map, 64 cells at a time.
    pub fn walkable_count(&self) -> u64 {
        self.walkable.count_ones()
    }

    /// The walkable cells in reading order, floor by floor.
    pub fn walkable_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.size.rows().flat_map(move |(y, floor)| {
            let words = (0_u32..).zip(self.walkable.row(y, floor));
            let columns =
                words.flat_map(|(index, &word)| ones(word).map(move |bit| index * 64 + bit));
            columns.map(move |x| Cell::new(x as u16, y).on_floor(floor))
        })
    }

    /// Bytes on the heap.
    #[doc(hidden)]
    pub fn heap_bytes(&self) -> usize {
        self.walkable.heap_bytes()
            + self.costs.heap_bytes()
            + self.exits.heap_bytes()
            + self.classes.heap_bytes()
            + self.sight.heap_bytes()
            + self.views.heap_bytes()
            + self.links.heap_bytes()
            + self.clearance.heap_bytes()
            + self.tiles.heap_bytes()
    }
}

impl std::fmt::Debug for Grid {
    /// The size, and the cells of small maps as rows of `.` and `#`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Grid {}", self.size)?;
        // Larger maps would fill the screen of a failed assertion.
        if self.size.width <= 64 && self.size.height <= 64 {
            for floor in 0..self.size.floors {
                for y in 0..self.size.height {
                    writeln!(f)?;
                    for x in 0..self.size.width {
                        let walkable = self.walkable.get(x, y, floor);
                        f.write_str(if walkable { "." } else { "#" })?;
                    }
                }
                writeln!(f)?;
            }
        }
        if self.has_costs() {
            f.write_str(" with costs")?;
        }
        if self.has_exits() {
            f.write_str(" with exits")?;
        }
        if self.has_classes() {
            f.write_str(" with classes")?;
        }
        if self.has_sight() {
            f.write_str(" with sight")?;
        }
        if !self.links().is_empty() {
            write!(f, " with links {:?}", self.links())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    #[test]
    fn walkable_in_reading_order() {
        let grid = Grid::from_fn(130, 3, |cell| (cell.x + cell.y) % 7 == 0).unwrap();
        let cells: Vec<Cell> = grid.walkable_cells().collect();
        assert!(cells.is_sorted());
        assert_eq!(cells.len() as u64, grid.walkable_count());
        assert!(cells.iter().all(|cell| (cell.x + cell.y) % 7 == 0));
    }

    #[test]
    fn largest_sides_hold_corners() {
        let mut grid = Grid::blocked(8192, 8192).unwrap();
        for cell in [(0, 0), (8191, 0), (0, 8191), (8191, 8191)].map(Cell::from) {
            grid.set_walkable(cell, true).unwrap();
            assert!(grid.steps(cell, Rules::default()).is_empty());
        }
        assert_eq!(grid.walkable_count(), 4);
    }
}
