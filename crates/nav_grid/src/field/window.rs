//! A field over uniform ground near the target, many cells at a time.

use super::{
    query::{FieldOutcome, FieldQuery, FieldStatus},
    site::{Made, Site},
};
use crate::{
    BodyPolicy, Cell, CornerRule, Cost, Counters, Direction, Directions, Grid, Metric, Path, Rules,
    Terrain,
    map::around_in,
    search::{CENTER, Crowd, Place, RADIUS_MAX, Rows, Waves},
};

/// The cost from each cell near one target to it, and the next step, on ground that costs 1.
///
/// Made by the waves of [`Sweep`](crate::Sweep), backwards from the target, and several times
/// sooner than a [`WeightedField`](crate::WeightedField); both answer alike where both serve,
/// ties included. Serves windows of [radius](crate::FieldLimits::radius) up to 28 under the
/// metrics of small whole numbers, [`Metric::Octile`] not among them. Exits, bodies and footprints
/// are masks. Ground that costs more than 1 and links may lie elsewhere on the map, not in the
/// window. The limit on cells does not apply.
///
/// # Complexity
///
/// O(waves × rows of the front) to make: 6 µs at radius 20 on open ground under [`Metric::Unit`],
/// 48 µs under [`Metric::Grid`]. A look-up of a cost reads a bit for each binary digit of the
/// largest one, some 20 ns; one of the next step nine bits for each, some 90 ns. Nothing is
/// allocated when warm.
///
/// # Memory
///
/// Some 12 KiB: 512 bytes for each binary digit of the largest cost, and for each direction in
/// windows with exits; the last 8 waves.
///
/// # Example
///
/// ```
/// use nav_grid::{Cell, FieldLimits, FieldQuery, Grid, WindowField};
///
/// let grid = Grid::from_fn(99, 99, |cell| cell.x != 50 || cell.y == 8)?;
/// let query = FieldQuery::new(Cell::new(55, 4)).with_limits(FieldLimits::window(20));
/// let mut field = WindowField::new();
/// field.compute(&grid, &query);
/// assert_eq!(field.cost(Cell::new(49, 8)), Some(6));
/// assert_eq!(field.next(Cell::new(49, 8)), Some(Cell::new(50, 8)));
/// assert_eq!(field.next(Cell::new(34, 8)), None, "not in the window");
/// # Ok::<(), nav_grid::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct WindowField {
    site: Site,
    waves: Waves,
    known: Rows,
    /// The costs, in units of the pace, a board for each binary digit from the lowest.
    digits: Vec<Rows>,
    made: Option<Made>,
}

impl Default for WindowField {
    fn default() -> Self {
        Self {
            site: Site::default(),
            waves: Waves::default(),
            known: [0; 72],
            digits: Vec::new(),
            made: None,
        }
    }
}

impl WindowField {
    /// A field of nothing. No cell has a cost.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the field anew.
    ///
    /// [`Counters::expanded`] counts waves, [`Counters::touched`] the cells that have a cost.
    pub fn compute<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &FieldQuery,
    ) -> FieldOutcome {
        let terrain = terrain.into();
        self.made = None;
        let (status, counters) = match self.site.prepare(terrain, query) {
            Ok(made) => {
                self.made = Some(made);
                (FieldStatus::Whole, self.run(terrain, made))
            }
            Err(status) => (status, Counters::default()),
        };
        FieldOutcome { status, counters }
    }

    fn run(&mut self, terrain: Terrain<'_>, made: Made) -> Counters {
        let Made { query, pace, .. } = made;
        self.known = [0; 72];
        self.digits.clear();
        self.known[CENTER.row] = 1 << CENTER.column;
        self.waves.start_keeping_few();
        let mut counters = Counters {
            touched: 1,
            ..Counters::default()
        };
        // Who begins on a place that somebody stands on is that somebody, but nobody else comes
        // through.
        let minded = query.rules.bodies != BodyPolicy::Ignore;
        let crowd = terrain.bodies.filter(|_| minded);
        let held = crowd.map(|bodies| {
            let crowd = Crowd::around_target(bodies, query.target, query.target_body);
            let mut held = *self.site.bits.free();
            let (grid, rules) = (terrain.grid, query.rules);
            let radius = query.limits.radius.min(RADIUS_MAX);
            self.site
                .bits
                .load(grid, query.target, radius, rules.footprint, Some(&crowd));
            for (held, free) in held.iter_mut().zip(self.site.bits.free()) {
                *held &= !free;
            }
            held
        });
        if !CENTER.is_in(self.site.bits.free()) {
            return counters;
        }
        let ground = self.site.ground(&made);
        let longest = (query.limits.cost / pace.unit) as usize;
        let mut more = true;
        while more && self.waves.count() <= longest {
            more = self.waves.advance(pace, ground);
            let cost = self.waves.count() - 1;
            let digits = (usize::BITS - cost.leading_zeros()) as usize;
            if self.digits.len() < digits {
                self.digits.resize(digits, [0; 72]);
            }
            let reached = self.waves.reached(cost);
            let (straight, diagonal) = (
                self.waves.before(cost, pace.straight),
                self.waves.before(cost, pace.diagonal),
            );
            for row in self.site.bits.rows() {
                let mut cells = reached[row];
                if let Some(held) = held
                    .as_ref()
                    .map(|held| held[row])
                    .filter(|&held| held != 0)
                {
                    cells |= held & ground.stepping_into(row, straight, diagonal);
                }
                cells &= !self.known[row];
                if cells == 0 {
                    continue;
                }
                self.known[row] |= cells;
                for (digit, board) in self.digits.iter_mut().enumerate() {
                    board[row] |= if cost >> digit & 1 == 1 { cells } else { 0 };
                }
            }
        }
        counters.expanded = self.waves.count() as u32;
        counters.touched = self.known.iter().map(|row| row.count_ones()).sum();
        counters
    }

    /// What it costs to get from a cell to the target: 0 at the target, `None` outside the window
    /// and where no way in it leads there.
    #[inline]
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        let made = self.made.as_ref()?;
        let place = self.site.bits.place(cell)?;
        Some(self.cost_at(place)? as Cost * made.pace.unit)
    }

    /// The cost of a place in units of the pace.
    #[inline]
    fn cost_at(&self, place: Place) -> Option<usize> {
        let digit = |board: &Rows| usize::from(place.is_in(board));
        let digits = self.digits.iter().rev();
        let cost = digits.fold(0, |cost, board| cost << 1 | digit(board));
        place.is_in(&self.known).then_some(cost)
    }

    /// Where to go next from a cell; `None` at the target, outside the window and where no way in
    /// it leads there.
    #[inline]
    pub fn next(&self, cell: Cell) -> Option<Cell> {
        let made = self.made.as_ref()?;
        let place = self.site.bits.place(cell)?;
        let direction = self.way(made, place, self.cost_at(place)?)?;
        cell.step(direction)
    }

    /// The first of the best steps from a place.
    #[inline]
    fn way(&self, made: &Made, place: Place, cost: usize) -> Option<Direction> {
        let legal = made.query.rules.move_table()[place.around(self.site.bits.free())];
        let pace = made.pace;
        let mut kinds = [
            (pace.straight, Directions::STRAIGHT),
            (pace.diagonal, Directions(!Directions::STRAIGHT.0)),
        ]
        .into_iter();
        kinds.find_map(|(step, kind)| {
            let before = cost.checked_sub(step).filter(|_| step > 0)?;
            let ways = self.at_cost(place, before).intersection(legal);
            let mut ways = ways.intersection(kind).into_iter();
            ways.find(|&way| {
                let entered_from = way.opposite();
                !made.fenced || place.step(way).is_in(self.site.entrances.of(entered_from))
            })
        })
    }

    /// The directions in which lie places of a cost.
    #[inline]
    fn at_cost(&self, place: Place, cost: usize) -> Directions {
        let open = Rules::new(Metric::Unit, CornerRule::Cut).move_table();
        // The bits of three rows from the column to the left, of which a row has three.
        let three = |board: &Rows, row: usize| board[row] << 1 >> place.column;
        let rows = [place.row - 1, place.row, place.row + 1];
        let mut around = rows.map(|row| three(&self.known, row));
        for (digit, board) in self.digits.iter().enumerate() {
            let differing = if cost >> digit & 1 == 1 { 0 } else { u64::MAX };
            for (around, row) in around.iter_mut().zip(rows) {
                *around &= three(board, row) ^ differing;
            }
        }
        open[around_in(around.map(|row| (row & 0b111) as u16))]
    }

    /// Leaves the way from a cell to the target in `path`, whose former content is dropped, and
    /// returns what it costs; `None`, with an empty path, where no way leads there.
    pub fn follow(&self, start: Cell, path: &mut Path) -> Option<Cost> {
        path.clear();
        let cost = self.cost(start)?;
        let next = |at: &Cell| self.next(*at);
        path.extend(std::iter::successors(next(&start), next));
        Some(cost)
    }

    /// The query that the field answers; `None` if it is empty.
    pub const fn query(&self) -> Option<&FieldQuery> {
        match &self.made {
            Some(made) => Some(&made.query),
            None => None,
        }
    }

    /// Whether the map has not been edited since the field was made. Of two maps only the caller
    /// can tell which one the field is of; bodies have moved since in any case.
    pub fn is_current(&self, grid: &Grid) -> bool {
        self.made
            .as_ref()
            .is_some_and(|made| made.version == grid.version())
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.digits.capacity() * size_of::<Rows>() + self.waves.heap_bytes()
    }
}
