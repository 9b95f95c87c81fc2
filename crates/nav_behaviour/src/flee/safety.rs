//! How safe the cells around a danger are: two floods, in slices.

use super::pages::{Ground, Pages};
use nav_grid::{Area, Cell, Direction, Grid, Rules};

/// The worth of a step further from the danger.
///
/// With [`STEP`] it makes the factor 6/5 of roguelikes. At a fork the branch that leads further
/// wins. A dead end of n steps is left again where the way on leads more than 11·n − 5 steps beyond
/// its mouth. With a factor of 1 nobody would turn back, with a greater one agents run back toward
/// the danger.
const FURTHER: u16 = 6;

/// The price of a step on the way to a safer cell.
const STEP: u16 = 5;

/// Steps from a member of a danger within which no way leads past it: it would strike at the agent.
const BESIDE: u16 = 1;

/// The work of a cell from which steps back are looked for one by one, on maps with exits: as in
/// areas of wandering.
const EXITS_WORK: usize = 5;

/// The cells within some steps of a danger, and how safe each is.
#[derive(Debug, Default)]
pub(super) struct SafetyField {
    ground: Pages,
    radius: u16,
    /// The cells in the order of their steps from the danger.
    reached: Vec<Cell>,
    stage: Stage,
    /// Cells that became safer, by rank: no offer is further than a step's price from the rank at
    /// hand.
    queue: [Vec<Cell>; STEP as usize + 1],
}

/// The work of the next slice.
#[derive(Clone, Copy, Debug, Default)]
enum Stage {
    /// Counts steps from the danger, from this cell of the list on.
    Count { next: usize },
    /// Spreads safety back: cells of a rank, and those of the list before this one.
    Spread { rank: u16, left: usize },
    #[default]
    Done,
}

impl SafetyField {
    /// Begins a field of a radius in steps around the members of a danger, each with the cells that
    /// it covers.
    pub(super) fn start(
        &mut self,
        grid: &Grid,
        rules: Rules,
        radius: u16,
        dangers: impl Iterator<Item = Area>,
    ) {
        let grid = grid.for_rules(rules);
        self.radius = radius;
        self.ground.start(grid.size());
        self.reached.clear();
        self.queue.iter_mut().for_each(Vec::clear);
        for danger in dangers {
            let before = u16::from(rules.footprint.side()) - 1;
            // A danger on ground that walkers cannot enter counts from beside it.
            let mut touched = danger.grown(before, 0).cells();
            let is_on_ground = touched.any(|cell| grid.fits(cell, rules.footprint));
            let (before, behind) = if is_on_ground {
                (before, 0)
            } else {
                (before + 1, 1)
            };
            for cell in danger.grown(before, behind).cells() {
                if grid.fits(cell, rules.footprint) {
                    self.reach(cell, 0);
                }
            }
        }
        self.stage = Stage::Count { next: 0 };
    }

    /// Whether both floods are over.
    pub(super) const fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }

    /// The steps and the rank of a cell: [unknown](Ground::is_known) further away than the radius.
    #[inline]
    pub(super) fn at(&self, cell: Cell) -> Ground {
        self.ground.get(cell)
    }

    /// Goes on for at most some cells and one. Returns how many are left.
    pub(super) fn advance(&mut self, grid: &Grid, rules: Rules, work: usize) -> usize {
        let grid = grid.for_rules(rules);
        let mut left = work;
        while left > 0 {
            let done = match self.stage {
                Stage::Count { next } => self.count(grid, rules, next),
                Stage::Spread { rank, left } => self.spread(grid, rules, (rank, left)),
                Stage::Done => break,
            };
            left = left.saturating_sub(done);
        }
        left
    }

    /// Counts the steps to the cells beside one. Returns the work.
    fn count(&mut self, grid: &Grid, rules: Rules, next: usize) -> usize {
        let Some(&from) = self.reached.get(next) else {
            let left = self.reached.len();
            self.stage = Stage::Spread { rank: 0, left };
            return 0;
        };
        let steps = self.at(from).steps + 1;
        if steps <= self.radius {
            let beside = grid.steps(from, rules).into_iter();
            for to in beside.filter_map(|way| from.step(way)) {
                self.reach(to, steps);
            }
            for link in grid.links_from(from) {
                if grid.fits(link.to, rules.footprint) {
                    self.reach(link.to, steps);
                }
            }
        }
        self.stage = Stage::Count { next: next + 1 };
        1
    }

    #[inline]
    fn reach(&mut self, cell: Cell, steps: u16) {
        let rank = self.rank_of(steps);
        if let Some(ground) = self
            .ground
            .get_mut(cell)
            .filter(|ground| !ground.is_known())
        {
            *ground = Ground { steps, rank };
            self.reached.push(cell);
        }
    }

    /// The rank of a cell as a place to stay at.
    const fn rank_of(&self, steps: u16) -> u16 {
        (self.radius - steps) * FURTHER
    }

    /// Offers the cells around the next one of a rank the way by it. Returns the work.
    fn spread(&mut self, grid: &Grid, rules: Rules, (rank, left): (u16, usize)) -> usize {
        let queue = usize::from(rank % (STEP + 1));
        let by_way = self.queue[queue].pop();
        let (cell, left) = if by_way.is_some() {
            (by_way, left)
        } else {
            let last = (left.checked_sub(1).map(|last| self.reached[last]))
                .filter(|&last| self.rank_of(self.at(last).steps) == rank);
            (last, left - usize::from(last.is_some()))
        };
        let Some(cell) = cell else {
            let is_over = left == 0 && self.queue.iter().all(Vec::is_empty);
            self.stage = if is_over {
                Stage::Done
            } else {
                Stage::Spread {
                    rank: rank + 1,
                    left,
                }
            };
            return 0;
        };
        self.stage = Stage::Spread { rank, left };
        let here = self.at(cell);
        // Of a cell that became safer meanwhile this entry is outdated.
        if here.rank != rank || here.steps <= BESIDE {
            return 1;
        }
        if grid.has_exits() {
            for from in Direction::ALL.into_iter().filter_map(|way| cell.step(way)) {
                if self.at(from).rank > rank + STEP && grid.allows_step(from, cell, rules) {
                    self.offer(from, rank + STEP);
                }
            }
            return EXITS_WORK;
        }
        // Without exits each step has one back.
        for from in grid
            .steps(cell, rules)
            .into_iter()
            .filter_map(|way| cell.step(way))
        {
            self.offer(from, rank + STEP);
        }
        1
    }

    #[inline]
    fn offer(&mut self, cell: Cell, rank: u16) {
        if let Some(ground) = self.ground.get_mut(cell)
            && ground.is_known()
            && ground.rank > rank
        {
            ground.rank = rank;
            self.queue[usize::from(rank % (STEP + 1))].push(cell);
        }
    }

    /// The safer cells to which steps lead from a cell, the safest first; of equal ones the first
    /// clockwise from a direction.
    pub(super) fn safer(
        &self,
        grid: &Grid,
        rules: Rules,
        from: Cell,
        first: Direction,
    ) -> impl Iterator<Item = Cell> {
        let here = self.at(from).rank;
        let mut ways = [(u16::MAX, 0, from); Direction::ALL.len()];
        for (place, way) in ways.iter_mut().zip(grid.steps(from, rules)) {
            let to = from.step(way).unwrap_or(from);
            let turn = (way as u8).wrapping_sub(first as u8) % Direction::ALL.len() as u8;
            *place = (self.at(to).rank, turn, to);
        }
        ways.sort_unstable_by_key(|&(rank, turn, _)| (rank, turn));
        let safer = ways.into_iter().take_while(move |&(rank, ..)| rank < here);
        safer.map(|(.., to)| to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::{CornerRule, Directions, Footprint, Link, Metric, map::text};

    fn drawn(rows: &[&str]) -> Grid {
        text::read(rows.join("\n").as_bytes()).unwrap()
    }

    fn field(
        grid: &Grid,
        rules: Rules,
        radius: u16,
        dangers: &[Area],
        slice: usize,
    ) -> SafetyField {
        let mut field = SafetyField::default();
        field.start(grid, rules, radius, dangers.iter().copied());
        while !field.is_done() {
            field.advance(grid, rules, slice);
        }
        field
    }

    /// The cells that an agent comes to from one on.
    fn run(grid: &Grid, field: &SafetyField, from: (u16, u16)) -> Vec<(u16, u16)> {
        let next = |at: &Cell| {
            let mut ways = field.safer(grid, Rules::default(), *at, Direction::North);
            ways.next()
        };
        let cells = std::iter::successors(Some(Cell::from(from)), next);
        cells.map(|cell| (cell.x, cell.y)).collect()
    }

    /// Steps and ranks, by offering every step again and again until nothing changes.
    fn oracle(grid: &Grid, rules: Rules, radius: u16, dangers: &[Area]) -> Vec<(Cell, Ground)> {
        let all = grid
            .walkable_cells()
            .filter(|&cell| grid.fits(cell, rules.footprint));
        let mut known: Vec<(Cell, Ground)> = all
            .map(|cell| {
                let own = rules.footprint.area(cell);
                let steps = if dangers.iter().any(|danger| danger.meets(own)) {
                    0
                } else {
                    u16::MAX
                };
                (
                    cell,
                    Ground {
                        steps,
                        rank: u16::MAX,
                    },
                )
            })
            .collect();
        let at = |known: &[(Cell, Ground)], cell: Cell| {
            known.iter().position(|&(other, _)| other == cell)
        };
        let mut links: Vec<(usize, usize)> = Vec::new();
        for (number, &(from, _)) in known.iter().enumerate() {
            let ends = grid.links_from(from).iter().map(|link| link.to);
            links.extend(ends.filter_map(|to| Some((number, at(&known, to)?))));
        }
        let steps: Vec<(usize, usize)> = (0..known.len())
            .flat_map(|from| (0..known.len()).map(move |to| (from, to)))
            .filter(|&(from, to)| grid.allows_step(known[from].0, known[to].0, rules))
            .collect();
        for _ in 0..known.len() {
            for &(from, to) in steps.iter().chain(&links) {
                let offer = known[from].1.steps.saturating_add(1);
                known[to].1.steps = known[to].1.steps.min(offer);
            }
        }
        for (_, ground) in &mut known {
            if ground.steps > radius {
                *ground = Ground::UNKNOWN;
            } else {
                ground.rank = (radius - ground.steps) * 6;
            }
        }
        for _ in 0..known.len() {
            for &(from, to) in &steps {
                let (here, there) = (known[from].1, known[to].1);
                if here.is_known() && there.is_known() && there.steps > 1 {
                    known[from].1.rank = here.rank.min(there.rank + 5);
                }
            }
        }
        known
    }

    #[test]
    fn equals_oracle() {
        let wide = Rules::from(Footprint::new(2).unwrap());
        let orthogonal = Rules::new(Metric::FourWay, CornerRule::Strict);
        for seed in 0..40_u64 {
            let mut grid = mapgen::generate(mapgen::Kind::Caves, 14, 11, seed).unwrap();
            let ground: Vec<Cell> = grid.walkable_cells().collect();
            let place = |number: u64| ground[(seed * 7 + number * 31) as usize % ground.len()];
            if seed % 3 == 1 {
                grid.set_link(Link::new(place(1), place(2))).unwrap();
                grid.set_exits(place(3), Directions::from(Direction::East))
                    .unwrap();
            }
            let rules = [Rules::default(), wide, orthogonal][seed as usize % 3];
            let dangers = [place(4).into(), Footprint::new(2).unwrap().area(place(5))];
            let dangers: &[Area] = &dangers[..=seed as usize % 2];
            let touches = |own: &Cell| {
                let own = rules.footprint.area(*own);
                dangers.iter().any(|danger| danger.meets(own))
            };
            // A danger beside all ground is counted otherwise.
            if !dangers.iter().all(|danger| {
                let mut cells = danger.grown(1, 0).cells();
                cells.any(|cell| grid.fits(cell, rules.footprint) && touches(&cell))
            }) {
                continue;
            }
            let radius = 3 + (seed % 20) as u16;
            let expected = oracle(&grid, rules, radius, dangers);
            for slice in [1, 7, usize::MAX] {
                let field = field(&grid, rules, radius, dangers, slice);
                for &(cell, ground) in &expected {
                    assert_eq!(
                        field.at(cell),
                        ground,
                        "{seed}, {cell:?} in slices of {slice}"
                    );
                }
            }
        }
    }

    #[test]
    fn dead_end_beside_way_out() {
        let grid = drawn(&[
            "###############", //
            "#.............#",
            "####.##########",
            "####.##########",
            "####.##########",
            "####.##########",
            "####.##########",
            "###############",
        ]);
        let field = field(&grid, Rules::default(), 40, &[Cell::new(1, 1).into()], 9);
        // The branch down is shorter than the corridor.
        assert_eq!(run(&grid, &field, (3, 1)).last(), Some(&(13, 1)));
        // At its end, the danger is too near to the mouth to come out again.
        assert_eq!(run(&grid, &field, (4, 5)).last(), Some(&(4, 6)));
    }

    #[test]
    fn short_dead_end_is_left() {
        // A niche of two steps, with 21 steps of the corridor beyond: more than 17.
        let mut rows = [
            "############################", //
            "#..........................#",
            "#####.######################",
            "#####.######################",
            "############################",
            "############################",
        ];
        let danger = Area::from(Cell::new(1, 1));
        let grid = drawn(&rows);
        let shallow = field(&grid, Rules::default(), 60, &[danger], 100);
        assert_eq!(run(&grid, &shallow, (5, 3)).last(), Some(&(26, 1)));
        // Of three steps: less than 28.
        rows[4] = rows[2];
        let grid = drawn(&rows);
        let deep = field(&grid, Rules::default(), 60, &[danger], 100);
        assert_eq!(run(&grid, &deep, (5, 4)).last(), Some(&(5, 4)));
        assert_eq!(run(&grid, &deep, (4, 1)).last(), Some(&(26, 1)));
    }

    #[test]
    fn no_way_past_danger() {
        // The long way on is on the other side of the danger.
        let grid = drawn(&["......................................"]);
        let field = field(&grid, Rules::default(), 60, &[Cell::new(3, 0).into()], 100);
        assert_eq!(run(&grid, &field, (2, 0)).last(), Some(&(0, 0)));
        assert_eq!(run(&grid, &field, (4, 0)).last(), Some(&(37, 0)));
    }

    #[test]
    fn danger_in_wall_counts_from_beside() {
        let grid = drawn(&[".....", "..#..", "....."]);
        let field = field(&grid, Rules::default(), 9, &[Cell::new(2, 1).into()], 100);
        assert_eq!(field.at(Cell::new(1, 1)).steps, 0);
        assert_eq!(field.at(Cell::new(0, 1)).steps, 1);
        let none = self::field(
            &grid,
            Rules::default(),
            9,
            &[Cell::new(300, 300).into()],
            100,
        );
        assert!(!none.at(Cell::new(0, 0)).is_known());
    }
}
