//! Flow fields: for each cell of a window the steps that lead nearer to one target.

use super::FieldQuery;
use crate::{
    cell::{Cell, Direction, Directions},
    map::Grid,
    rules::CornerRule,
    window::{CENTER, DistanceMod3, ExitPlanes, FloodMask, Frontier, RADIUS_MAX},
};

/// Columns and rows of the largest window.
const SIDE: usize = 2 * RADIUS_MAX as usize + 1;

/// The row of a wave's boards that is the first one of the largest window.
const FIRST_ROW: usize = CENTER.row - RADIUS_MAX as usize;

/// The steps out of a cell of a [`FlowField`] that lead on to its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Flow {
    /// Steps that lead one step nearer, all equally good. Empty at the target, and only there.
    pub nearer: Directions,
    /// Steps after which the target is as far away as before: ways around a body on the nearer
    /// steps. In the outermost cells within a cost limit, diagonal steps past a corner beyond the
    /// limit are left out.
    pub level: Directions,
}

/// All steps that lead nearer to a target, for each cell near it, on ground that costs 1 and under
/// metrics with equal steps.
///
/// Small and fast to look up, for servers that keep a field for each of thousands of targets. A
/// [`FlowMaker`](super::FlowMaker) computes it with the waves of [`Sweep`](crate::methods::Sweep),
/// backwards from the target, and keeps the scratch memory.
///
/// Serves [`Metric::Unit`](crate::Metric::Unit) and [`Metric::FourWay`](crate::Metric::FourWay) in
/// windows of [radius](crate::fields::FieldLimits::radius) up to 28 on the target's floor, with all
/// corner rules, footprints and exits. Step costs above 1 and links may be elsewhere on the map,
/// not in the window. The policy toward bodies must be to ignore them. The limit on cells does not
/// apply.
///
/// # Ties
///
/// None are broken: [`Flow::nearer`] has all of the best steps, and the caller chooses.
///
/// # Complexity
///
/// O(waves × rows of the front) to compute, as for a sweep that finds no goal. A look-up reads one
/// or two cache lines and a shared table, without a loop; one line more in windows with exits.
///
/// # Memory
///
/// 1.1 KiB, and 3.6 KiB on the heap after the first window with exits. The field holds for each
/// cell its distance in steps modulo 3, which is enough to tell where neighbours lead.
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
#[derive(Clone, Debug, Default)]
pub struct FlowField {
    lines: DistanceRows,
    /// Column and row of the first cell of the largest window. They wrap below 0, so that cells
    /// off the map are unknown.
    left: u16,
    top: u16,
    floor: u8,
    /// Directions of the steps that are legal between any two cells where walkers may stand.
    always: u8,
    /// Directions that are legal if walkers may also stand on both sides of the step.
    between: u8,
    /// Whether the window has exits that forbid steps.
    fenced: bool,
    pub(super) passes: Option<Box<OnwardSteps>>,
    /// The query that the field answers, and the version of the map.
    computed_for: Option<(FieldQuery, u64)>,
}

/// For each row of the window the lower and the higher bit of the distances in steps, modulo 3.
/// Both are set where no way leads to the target, and around the window.
///
/// Three consecutive rows lie on one or two cache lines.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct DistanceRows([[u64; 2]; SIDE + 2]);

impl DistanceRows {
    /// No way leads anywhere.
    const NOTHING: Self = Self([[u64::MAX; 2]; SIDE + 2]);
}

impl Default for DistanceRows {
    fn default() -> Self {
        Self::NOTHING
    }
}

impl FlowField {
    /// An empty field. No cell has a way.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a way in the window leads from a cell to the target: whether [`look`](Self::look)
    /// returns something.
    #[doc(hidden)]
    #[inline]
    pub fn reaches(&self, cell: Cell) -> bool {
        self.place(cell).is_some_and(|(column, row)| {
            let [low, high] = self.lines.0[row + 1];
            (low & high) >> column >> 1 & 1 == 0
        })
    }

    /// Column and row of a cell in the largest window.
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
    /// All of them are legal under the rules and stay in the window.
    #[doc(hidden)]
    #[inline]
    pub fn look(&self, cell: Cell) -> Option<Flow> {
        self.flow(cell)
    }

    /// The steps that lead nearer, without those of [`Flow::level`]. Takes a tenth less time.
    #[doc(hidden)]
    #[inline]
    pub fn nearer(&self, cell: Cell) -> Option<Directions> {
        Some(self.flow(cell)?.nearer)
    }

    #[expect(
        clippy::inline_always,
        reason = "only where it is inlined, the unused part of the answer is not computed"
    )]
    #[inline(always)]
    fn flow(&self, cell: Cell) -> Option<Flow> {
        let (column, row) = self.place(cell)?;
        let &[above, here, below] = self.lines.0[row..].first_chunk()?;
        let block = |bit: usize| {
            // One rotation moves all three rows into place: shifts by a variable are slow.
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
        // Without exits every step can be taken back, so distances of neighbours differ by at most
        // one, and equal remainders mean equal distances.
        let legal = if self.fenced {
            let passes = self.passes.as_deref();
            passes.map_or(0, |passes| passes.at(row, column.into()).0)
        } else {
            // A free cell beside such a step has a known distance, too.
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
    pub fn query(&self) -> Option<&FieldQuery> {
        self.computed_for.as_ref().map(|(query, _)| query)
    }

    /// Whether the map has not been edited since the field was computed. The caller must know
    /// which map it is of.
    #[doc(hidden)]
    pub fn is_current(&self, grid: &Grid) -> bool {
        self.computed_for
            .is_some_and(|(_, version)| version == grid.version())
    }

    /// Empties the field and keeps its memory.
    #[doc(hidden)]
    pub fn clear(&mut self) {
        self.lines = DistanceRows::NOTHING;
        self.computed_for = None;
    }

    /// Bytes on the heap: none before the first window with exits.
    #[doc(hidden)]
    pub fn heap_bytes(&self) -> usize {
        self.passes.as_ref().map_or(0, |_| size_of::<OnwardSteps>())
    }

    /// Takes over the distances of a flood.
    pub(super) fn fill(
        &mut self,
        grid: &Grid,
        query: &FieldQuery,
        fenced: bool,
        distances: &DistanceMod3,
    ) {
        let straight = Directions::STRAIGHT.0;
        (self.always, self.between) = match (query.rules.metric.diagonal(), query.rules.corners) {
            (None, _) => (straight, 0),
            (_, CornerRule::Strict) => (straight, !straight),
            (_, CornerRule::Cut) => (Directions::ALL.0, 0),
        };
        self.left = query.target.x.wrapping_sub(RADIUS_MAX);
        self.top = query.target.y.wrapping_sub(RADIUS_MAX);
        self.floor = query.target.floor;
        self.fenced = fenced;
        self.computed_for = Some((*query, grid.version()));
        let [zero, one, two] = distances.planes();
        for (line, row) in self.lines.0[1..=SIDE].iter_mut().zip(FIRST_ROW..) {
            let nowhere = !(zero[row] | one[row] | two[row]);
            *line = [one[row], two[row]].map(|steps| (steps | nowhere) << 1 | 1);
        }
    }
}

/// The bits of a block: three rows of three cells, the upper row lowest.
const BLOCK: u16 = 0x1ff;

/// The bit of the cell in the middle.
const HERE: u32 = 4;

/// The set bits around the middle of a block, as directions.
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

/// In windows with exits, the steps out of each cell that do not lead further from the target.
///
/// A ledge that can only be jumped down may be many steps long to walk around. So a neighbour may
/// be further away by any number of steps, and distances modulo 3 do not tell it from a nearer one.
/// Each step in here leads one step nearer or none.
///
/// By row of the largest window, the columns that may be left in each direction.
#[derive(Clone, Debug)]
pub(super) struct OnwardSteps([[u64; 8]; SIDE]);

impl OnwardSteps {
    pub(super) const NONE: Self = Self([[0; 8]; SIDE]);

    /// Adds the steps from the new cells of a wave to the cells that it has reached so far.
    pub(super) fn note(
        &mut self,
        mask: FloodMask<'_>,
        entrances: &ExitPlanes,
        diagonals: bool,
        frontier: Frontier<'_>,
    ) {
        let Frontier {
            rows: (first, end),
            before,
            reached,
        } = frontier;
        for row in first..end {
            let news = before[row] ^ reached[row];
            if news == 0 {
                continue;
            }
            let Some(passes) = self.0.get_mut(row - FIRST_ROW) else {
                return;
            };
            for (way, pass) in Direction::ALL.into_iter().zip(passes) {
                if way.is_diagonal() && !diagonals {
                    continue;
                }
                let (dx, dy) = way.delta();
                let beyond = row.wrapping_add_signed(dy as isize);
                let mut ends = reached[beyond] & entrances.of(way.opposite())[beyond];
                let mut starts = news;
                if way.is_diagonal() && mask.corners == CornerRule::Strict {
                    ends &= mask.free[row];
                    starts &= mask.free[beyond];
                }
                let leaving = match dx {
                    1 => ends >> 1,
                    -1 => ends << 1,
                    _ => ends,
                };
                *pass |= starts & leaving;
            }
        }
    }

    /// The steps out of a cell of the largest window.
    #[inline]
    fn at(&self, row: usize, column: u32) -> Directions {
        let ways = self.0[row].iter().rev();
        Directions(ways.fold(0, |ways, pass| ways << 1 | (pass >> column & 1) as u8))
    }
}
