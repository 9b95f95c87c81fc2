//! Flow fields: for each cell of a window the steps that lead nearer to one target.

use super::{
    field_window::{FIRST_ROW, FieldSetup, FieldWindow, SIDE},
    onward_steps::OnwardSteps,
    query::{FieldOutcome, FieldQuery, FieldStatus},
};
use crate::{
    cell::{Cell, Direction, Directions},
    map::Grid,
    query::{Counters, Feature, Terrain},
    rules::{BodyPolicy, CornerRule, Rules},
    window::{CENTER, DistanceMod3, RADIUS_MAX, WaveBounds},
};

/// The steps out of a cell of a [`FlowField`] that lead on to its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Flow {
    /// Those that lead one step nearer, all as good as each other. None at the target, and only
    /// there.
    pub nearer: Directions,
    /// Those after which the target is as many steps away as before: ways around somebody who is
    /// on all that lead nearer. Among the furthest places that a limit on the cost of ways lets a
    /// field know, those are left out that pass corners beyond it.
    pub level: Directions,
}

/// Makes [`FlowField`]s. One serves all fields that a thread makes.
///
/// # Memory
///
/// Some 8 KiB, none of them on the heap.
#[derive(Clone, Debug, Default)]
pub struct FlowMaker {
    field_window: FieldWindow,
    distances: DistanceMod3,
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
            Ok(setup) => (FieldStatus::Whole, self.run(&setup, field)),
            Err(status) => {
                field.clear();
                (status, Counters::default())
            }
        };
        FieldOutcome { status, counters }
    }

    /// Checks whether a field can be made, and reads the window.
    fn prepare(
        &mut self,
        terrain: Terrain<'_>,
        query: &FieldQuery,
    ) -> Result<FieldSetup, FieldStatus> {
        let setup = self.field_window.prepare(terrain, query)?;
        let Rules { metric, bodies, .. } = query.rules;
        if setup.step_costs.longest() > 1 {
            return Err(FieldStatus::Unsupported(Feature::Metric(metric)));
        }
        if terrain.bodies.is_some() && bodies != BodyPolicy::Ignore {
            return Err(FieldStatus::Unsupported(Feature::Bodies));
        }
        Ok(setup)
    }

    fn run(&mut self, setup: &FieldSetup, field: &mut FlowField) -> Counters {
        let Self {
            field_window,
            distances,
        } = self;
        let mask = field_window.mask(setup);
        let diagonals = setup.step_costs.diagonal > 0;
        let rows = field_window.bits.rows();
        let above = CENTER.row.abs_diff(rows.start);
        let below = rows.end.saturating_sub(CENTER.row + 1);
        let reach = WaveBounds {
            rows: above.max(below),
            steps: setup.query.limits.cost / setup.step_costs.unit,
        };
        let (waves, places) = if let Some(entrances) = mask.exits {
            let passes = field.passes.get_or_insert_default();
            passes.clear();
            distances.flood(mask, diagonals, reach, |frontier| {
                passes.note(mask, entrances, diagonals, frontier);
            })
        } else {
            distances.flood(mask, diagonals, reach, |_| {})
        };
        field.fill(setup, distances);
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
/// [`Sweep`](crate::methods::Sweep), backwards from the target, and keeps the memory that only
/// making takes.
///
/// Serves [`Metric::Unit`](crate::Metric::Unit) and [`Metric::FourWay`](crate::Metric::FourWay) in
/// windows of [radius](crate::fields::FieldLimits::radius) up to 28 on the target's floor, with all
/// corner rules, footprints and exits. Ground that costs more than 1 and links may lie elsewhere on
/// the map, not in the window. Bodies are served by ignoring them only. The limit on cells does not
/// apply.
///
/// # Ties
///
/// None are broken: [`Flow::nearer`] has all of the best steps, and whoever looks them up chooses.
///
/// # Complexity
///
/// O(waves × rows of the front) to make, which is what a sweep takes that finds no goal. A
/// look-up reads one or two cache lines and a table that all share, and has no loop; one line more
/// in windows with exits.
///
/// # Memory
///
/// 1.1 KiB, and 3.6 KiB on the heap once it was of a window with exits. It says of each place how
/// many steps away the target is modulo 3, which is enough to tell where neighbours lead.
///
/// # Example
///
/// ```
/// use nav_grid::{Cell, Direction, Grid, fields::{FieldLimits, FieldQuery, FlowField, FlowMaker}};
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
    lines: DistanceRows,
    /// Column and row of the first place, which count on from 65,535 at 0: nothing is known of
    /// places off the map.
    left: u16,
    top: u16,
    floor: u8,
    /// The directions of steps that are legal between places where walkers may stand.
    always: u8,
    /// Those that are legal if walkers may stand on both sides of them, too.
    between: u8,
    /// Whether there are exits that count.
    fenced: bool,
    passes: Option<Box<OnwardSteps>>,
    made_for: Option<(FieldQuery, u64)>,
}

/// For each row of the window the lower and the higher bit of how many steps away the target is,
/// modulo 3, or both where no way leads to it; with such a row before and behind, and such columns
/// on the left and on the right.
///
/// Three rows that follow each other lie on one cache line or two.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct DistanceRows([[u64; 2]; SIDE + 2]);

impl DistanceRows {
    /// No way leads anywhere.
    const NOTHING: Self = Self([[u64::MAX; 2]; SIDE + 2]);
}

impl Default for FlowField {
    fn default() -> Self {
        Self {
            lines: DistanceRows::NOTHING,
            left: 0,
            top: 0,
            floor: 0,
            always: 0,
            between: 0,
            fenced: false,
            passes: None,
            made_for: None,
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
            let [low, high] = self.lines.0[row + 1];
            (low & high) >> column >> 1 & 1 == 0
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
        self.flow(cell)
    }

    /// Those that lead nearer alone, for walkers in whose way nobody is: in a tenth less time.
    #[inline]
    pub fn nearer(&self, cell: Cell) -> Option<Directions> {
        Some(self.flow(cell)?.nearer)
    }

    #[expect(
        clippy::inline_always,
        reason = "what a caller does not need is not computed only where it is inlined"
    )]
    #[inline(always)]
    fn flow(&self, cell: Cell) -> Option<Flow> {
        let (column, row) = self.place(cell)?;
        let &[above, here, below] = self.lines.0[row..].first_chunk()?;
        let block = |bit: usize| {
            // One turn by the column, for which shifts are slow, brings all three rows into place.
            let three = |row: [u64; 2]| row[bit] & 0b111 << column;
            let rows = three(above) | three(here).rotate_left(3) | three(below).rotate_left(6);
            rows.rotate_right(column.into()) as u16
        };
        let (low, high) = (block(0), block(1));
        let own = |block: u16| 0_u16.wrapping_sub(block >> HERE & 1);
        let (own_low, own_high) = (own(low), own(high));
        if own_low & own_high != 0 {
            return None;
        }
        let but = |low_bit: u16, high_bit: u16| (low ^ low_bit) | (high ^ high_bit);
        let around = |block: u16| CLOCKWISE[usize::from(!block & BLOCK)];
        let nearer = around(but(own_high, !(own_low | own_high)));
        let level = around(but(own_low, own_high));
        // Where all steps can be taken back, a legal one leads at most one step nearer or further,
        // so that of what is as far modulo 3 nothing is misread.
        let legal = if self.fenced {
            let passes = self.passes.as_deref();
            passes.map_or(0, |passes| passes.at(row, column.into()).0)
        } else {
            // From both sides of a step to a place as near or nearer a way leads there.
            let free = around(low & high);
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
        match &self.made_for {
            Some((query, _)) => Some(query),
            None => None,
        }
    }

    /// Whether the map has not been edited since the field was made. Of two maps only the caller
    /// can tell which one the field is of.
    pub fn is_current(&self, grid: &Grid) -> bool {
        self.made_for
            .as_ref()
            .is_some_and(|&(_, version)| version == grid.version())
    }

    /// Forgets everything, but keeps memory.
    pub fn clear(&mut self) {
        self.lines = DistanceRows::NOTHING;
        self.made_for = None;
    }

    /// Bytes on the heap: none before the first window with exits.
    pub const fn heap_bytes(&self) -> usize {
        if self.passes.is_some() {
            size_of::<OnwardSteps>()
        } else {
            0
        }
    }

    /// Takes over what a wave found.
    fn fill(&mut self, setup: &FieldSetup, distances: &DistanceMod3) {
        let FieldSetup { query, fenced, .. } = *setup;
        let Rules { corners, .. } = query.rules;
        let straight = Directions::STRAIGHT.0;
        (self.always, self.between) = match (setup.step_costs.diagonal, corners) {
            (0, _) => (straight, 0),
            (_, CornerRule::Strict) => (straight, !straight),
            (_, CornerRule::Cut) => (Directions::ALL.0, 0),
        };
        self.left = query.target.x.wrapping_sub(RADIUS_MAX);
        self.top = query.target.y.wrapping_sub(RADIUS_MAX);
        self.floor = query.target.floor;
        self.fenced = fenced;
        self.made_for = Some((query, setup.version));
        let [zero, one, two] = distances.planes();
        for (line, row) in self.lines.0[1..=SIDE].iter_mut().zip(FIRST_ROW..) {
            let nowhere = !(zero[row] | one[row] | two[row]);
            *line = [one[row], two[row]].map(|steps| (steps | nowhere) << 1 | 1);
        }
    }
}

/// The lowest bits of a block: three rows of three, those of the upper row lowest.
const BLOCK: u16 = 0x1ff;

/// The bit of the place in the middle.
const HERE: u32 = 4;

/// What is around the middle of a block, as directions.
static CLOCKWISE: [u8; BLOCK as usize + 1] = {
    let mut table = [0; BLOCK as usize + 1];
    let mut block = 0;
    while block < table.len() {
        let mut way = 0;
        while way < 8 {
            let (dx, dy) = Direction::ALL[way].delta();
            let bit = HERE as i32 + 3 * dy + dx;
            table[block] |= ((block >> bit & 1) as u8) << way;
            way += 1;
        }
        block += 1;
    }
    table
};
