//! A compact field for a crowd that chases one target.

use super::{
    passes::Passes,
    query::{FieldOutcome, FieldQuery, FieldStatus},
    site::{Made, Site},
};
use crate::{
    BodyPolicy, Cell, CornerRule, Counters, Directions, Feature, Grid, Rules, Terrain,
    search::{CENTER, RADIUS_MAX, Reach, Thirds},
};

/// Columns and rows of the largest window.
pub(super) const SIDE: usize = 2 * RADIUS_MAX as usize + 1;

/// The row of a wave's boards that is the first one of the largest window.
pub(super) const FIRST_ROW: usize = CENTER.row - RADIUS_MAX as usize;

/// The steps out of a cell of a [`FlowField`] that lead on to its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Flow {
    /// Those that lead one step nearer, all as good as each other. None at the target, and only
    /// there.
    pub nearer: Directions,
    /// Those after which the target is as many steps away as before: ways around somebody who is
    /// on all that lead nearer.
    pub level: Directions,
}

/// Makes [`FlowField`]s. One serves all fields that a thread makes.
///
/// # Memory
///
/// Some 8 KiB, none of them on the heap.
#[derive(Clone, Debug, Default)]
pub struct FlowMaker {
    site: Site,
    thirds: Thirds,
}

impl FlowMaker {
    /// A maker without anything read yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a field anew, whatever it was of before. It is empty after all that is not
    /// [`FieldStatus::Whole`].
    ///
    /// [`Counters::expanded`] counts waves, [`Counters::touched`] the cells from which a way leads
    /// to the target.
    pub fn make<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &FieldQuery,
        field: &mut FlowField,
    ) -> FieldOutcome {
        let terrain = terrain.into();
        let (status, counters) = match self.prepare(terrain, query) {
            Ok(made) => (FieldStatus::Whole, self.run(&made, field)),
            Err(status) => {
                field.clear();
                (status, Counters::default())
            }
        };
        FieldOutcome { status, counters }
    }

    /// Looks whether a field can be made, and reads the window.
    fn prepare(&mut self, terrain: Terrain<'_>, query: &FieldQuery) -> Result<Made, FieldStatus> {
        let made = self.site.prepare(terrain, query)?;
        let Rules { metric, bodies, .. } = query.rules;
        if made.pace.longest() > 1 {
            return Err(FieldStatus::Unsupported(Feature::Metric(metric)));
        }
        if terrain.bodies.is_some() && bodies != BodyPolicy::Ignore {
            return Err(FieldStatus::Unsupported(Feature::Bodies));
        }
        Ok(made)
    }

    fn run(&mut self, made: &Made, field: &mut FlowField) -> Counters {
        let Self { site, thirds } = self;
        let ground = site.ground(made);
        let diagonals = made.pace.diagonal > 0;
        let rows = site.bits.rows();
        let above = CENTER.row.abs_diff(rows.start);
        let below = rows.end.saturating_sub(CENTER.row + 1);
        let reach = Reach {
            rows: above.max(below),
            steps: made.query.limits.cost / made.pace.unit,
        };
        let (waves, places) = if let Some(entrances) = ground.exits {
            let passes = field.passes.get_or_insert_default();
            passes.clear();
            thirds.flood(ground, diagonals, reach, |crest| {
                passes.note(ground, entrances, diagonals, crest);
            })
        } else {
            thirds.flood(ground, diagonals, reach, |_| {})
        };
        field.fill(made, thirds, ground.free);
        Counters {
            expanded: waves,
            touched: places,
            ..Counters::default()
        }
    }
}

/// For each cell near one target all steps that lead nearer to it, on ground that costs 1 where
/// all steps cost the same.
///
/// Small and quick to look up, for servers that keep one for each of thousands of targets and ask
/// them about crowds of chasers. A [`FlowMaker`] makes it by the waves of
/// [`Sweep`](crate::Sweep), backwards from the target, and keeps the memory that only making takes.
///
/// Serves [`Metric::Unit`](crate::Metric::Unit) and [`Metric::FourWay`](crate::Metric::FourWay) in
/// windows of [radius](crate::FieldLimits::radius) up to 28 on the target's floor, with all corner
/// rules, footprints and exits. Ground that costs more than 1 and links may lie elsewhere on the
/// map, not in the window. Bodies are served by ignoring them only. The limit on cells does not
/// apply.
///
/// # Ties
///
/// None are broken: [`Flow::nearer`] has all of the best steps, and whoever looks them up chooses.
///
/// # Complexity
///
/// O(waves × rows of the front) to make, which is what a sweep takes that finds no goal. A
/// look-up reads three cache lines and has no loop; one more in windows with exits.
///
/// # Memory
///
/// 2 KiB, and 3.6 KiB on the heap once it was of a window with exits. It says of each place how
/// many steps away the target is modulo 3, which is enough to tell where neighbours lead.
///
/// # Example
///
/// ```
/// use nav_grid::{Cell, Direction, FieldLimits, FieldQuery, FlowField, FlowMaker, Grid};
///
/// let grid = Grid::from_fn(99, 99, |cell| cell.x != 50 || cell.y == 8)?;
/// let query = FieldQuery::new(Cell::new(55, 4)).with_limits(FieldLimits::window(20));
/// let (mut maker, mut field) = (FlowMaker::new(), FlowField::new());
/// maker.make(&grid, &query, &mut field);
/// let flow = field.look(Cell::new(49, 8)).unwrap();
/// assert_eq!(flow.nearer.into_iter().collect::<Vec<_>>(), [Direction::East]);
/// assert!(flow.level.is_empty());
/// let flow = field.look(Cell::new(49, 9)).unwrap();
/// assert!(flow.nearer.contains(Direction::North));
/// assert_eq!(field.look(Cell::new(34, 8)), None, "not in the window");
/// # Ok::<(), nav_grid::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FlowField {
    lines: Lines,
    /// Column and row of the first place, which count on from 65,535 at 0: nothing is known of
    /// places off the map.
    left: u16,
    top: u16,
    floor: u8,
    /// The directions of steps that are legal between places where walkers may stand.
    always: u8,
    /// Those that are legal if walkers may stand on both sides of them, too.
    between: u8,
    /// Whether there are exits to heed.
    fenced: bool,
    passes: Option<Box<Passes>>,
    made: Option<(FieldQuery, u64)>,
}

/// For each row of the window where the target is so many steps away, modulo 3, and where walkers
/// may stand; with a row of nothing before and behind, and a column of nothing on the left.
///
/// Three rows that follow each other lie on two cache lines.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Lines([[u64; 4]; SIDE + 2]);

/// The number of the word of a row that says where walkers may stand.
const FREE: usize = 3;

/// How many steps a place is away, modulo 3, that is one step nearer.
const BEFORE: [usize; 4] = [2, 0, 1, FREE];

impl Default for FlowField {
    fn default() -> Self {
        Self {
            lines: Lines([[0; 4]; SIDE + 2]),
            left: 0,
            top: 0,
            floor: 0,
            always: 0,
            between: 0,
            fenced: false,
            passes: None,
            made: None,
        }
    }
}

impl FlowField {
    /// A field of nothing. No cell has a way to anywhere.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a way in the window leads from a cell to the target: whether [`look`](Self::look)
    /// would find something.
    #[inline]
    pub fn reaches(&self, cell: Cell) -> bool {
        self.place(cell).is_some_and(|(column, row)| {
            let [zero, one, two, _] = self.lines.0[row + 1];
            (zero | one | two) >> column >> 1 & 1 == 1
        })
    }

    /// Column and row of a cell in the window, if it is there.
    #[inline]
    fn place(&self, cell: Cell) -> Option<(u16, usize)> {
        let column = cell.x.wrapping_sub(self.left);
        let row = cell.y.wrapping_sub(self.top).into();
        (usize::from(column) < SIDE && row < SIDE && cell.floor == self.floor)
            .then_some((column, row))
    }

    /// The steps from a cell that lead on to the target; `None` outside the window, where no way
    /// in the window leads to the target, and everywhere if the field is empty.
    ///
    /// They are such as the rules allow and stay in the window.
    #[inline]
    pub fn look(&self, cell: Cell) -> Option<Flow> {
        let (column, row) = self.place(cell)?;
        let [above, here, below]: &[[u64; 4]; 3] = self.lines.0[row..].first_chunk()?;
        let steps = |left: usize| here[left] >> column >> 1 & 1;
        let (one, two) = (steps(1), steps(2));
        if steps(0) | one | two == 0 {
            return None;
        }
        let as_far = (one | two << 1) as usize;
        let before = BEFORE[as_far & 3];
        // One turn by the column, for which shifts are slow, brings all lanes into place.
        let mask = 0b111 << column;
        let lane = |word: usize, at: u32| {
            let three = |row: &[u64; 4], at: u32| (row[word & 3] & mask).rotate_left(at);
            three(above, at) | three(here, at + 3) | three(below, at + 6)
        };
        let lanes = lane(before, 0) | lane(as_far, 16) | lane(FREE, 32);
        let around = clockwise(lanes.rotate_right(column.into()));
        let [nearer, level, free] = [around, around >> 16, around >> 32].map(|lane| lane as u8);
        // Where all steps can be taken back, a legal one leads at most one step nearer or further,
        // so that of what is as far modulo 3 nothing is misread.
        let legal = if self.fenced {
            let passes = self.passes.as_deref();
            passes.map_or(0, |passes| passes.at(row, column.into()).0)
        } else {
            let beside = free.rotate_left(1) & free.rotate_right(1);
            self.always | beside & self.between
        };
        Some(Flow {
            nearer: Directions(nearer & legal),
            level: Directions(level & legal),
        })
    }

    /// The query that the field answers; `None` if it is empty.
    pub const fn query(&self) -> Option<&FieldQuery> {
        match &self.made {
            Some((query, _)) => Some(query),
            None => None,
        }
    }

    /// Whether the map has not been edited since the field was made. Of two maps only the caller
    /// can tell which one the field is of.
    pub fn is_current(&self, grid: &Grid) -> bool {
        self.made
            .as_ref()
            .is_some_and(|&(_, version)| version == grid.version())
    }

    /// Forgets everything, but keeps memory.
    pub fn clear(&mut self) {
        self.lines = Lines([[0; 4]; SIDE + 2]);
        self.made = None;
    }

    /// Bytes on the heap: none before the first window with exits.
    pub const fn heap_bytes(&self) -> usize {
        if self.passes.is_some() {
            size_of::<Passes>()
        } else {
            0
        }
    }

    /// Takes over what a wave found.
    fn fill(&mut self, made: &Made, thirds: &Thirds, free: &[u64; 72]) {
        let Made { query, fenced, .. } = *made;
        let Rules { corners, .. } = query.rules;
        let straight = Directions::STRAIGHT.0;
        (self.always, self.between) = match (made.pace.diagonal, corners) {
            (0, _) => (straight, 0),
            (_, CornerRule::Strict) => (straight, !straight),
            (_, CornerRule::Cut) => (Directions::ALL.0, 0),
        };
        self.left = query.target.x.wrapping_sub(RADIUS_MAX);
        self.top = query.target.y.wrapping_sub(RADIUS_MAX);
        self.floor = query.target.floor;
        self.fenced = fenced;
        self.made = Some((query, made.version));
        let [zero, one, two] = thirds.planes();
        for (line, row) in self.lines.0[1..=SIDE].iter_mut().zip(FIRST_ROW..) {
            *line = [zero[row], one[row], two[row], free[row]].map(|word| word << 1);
        }
    }
}

/// Three rows of three bits, in the lowest bits of each 16, as directions.
#[inline]
const fn clockwise(lanes: u64) -> u64 {
    const EACH: u64 = 0x0001_0001_0001_0001;
    const NORTH: u64 = EACH;
    const NORTH_EAST: u64 = EACH << 1;
    const EAST: u64 = EACH << 2;
    const SOUTH_EAST: u64 = EACH << 3;
    const SOUTH: u64 = EACH << 4;
    const SOUTH_WEST: u64 = EACH << 5;
    const WEST: u64 = EACH << 6;
    const NORTH_WEST: u64 = EACH << 7;
    lanes >> 1 & (NORTH | NORTH_EAST | SOUTH_WEST)
        | lanes >> 3 & (EAST | SOUTH)
        | lanes >> 5 & SOUTH_EAST
        | lanes << 3 & WEST
        | lanes << 7 & NORTH_WEST
}
