//! Detour fields, judged by passes over all moves of the window until no cost falls any more.

use crate::worlds::{World, any_question, tries};
use nav_grid::{
    Cell, Direction, Grid, PathQuery, Rules, Terrain,
    fields::{CostField, Passage},
    map::Bodies,
    rules::{BodyPolicy, Cost},
};
use nav_judge::{Xorshift, cells, settled, step, walk};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// The largest toll; larger ones count as this.
const TOLL_MAX: u8 = 32;

/// A drawn question: goals, and bodies in the way.
struct Question {
    grid: Grid,
    /// Bodies that stay.
    bodies: Bodies,
    rules: Rules,
    target: Cell,
    radius: u16,
    goals: Vec<Cell>,
    seed: u64,
    /// Of 256 places, the number with another body on them.
    crowd: u64,
}

impl Question {
    fn new(world: &World, query: PathQuery, seed: u64) -> Self {
        let grid = world.grid();
        let query = settled(query, &grid);
        let mut random = Xorshift::new(seed);
        let (target, rules) = (query.goal, query.rules.with_bodies(BodyPolicy::Ignore));
        let radius = 1 + random.below(12) as u16;
        let mut question = Self {
            grid,
            bodies: world.bodies(),
            rules,
            target,
            radius,
            goals: Vec::new(),
            seed,
            crowd: random.below(160).into(),
        };
        // Goals beside each other, like places around a target, and others anywhere.
        let places = question.places();
        if let Some(first) = any_of(&places, &mut random) {
            let near = |cell: &&Cell| cell.floor == first.floor && cell.chebyshev(first) <= 1;
            let beside = places.iter().filter(near).copied();
            question.goals = beside.filter(|_| random.below(2) == 0).collect();
            question.goals.push(first);
            for _ in 0..random.below(3) {
                question.goals.extend(any_of(&places, &mut random));
            }
        }
        question
    }

    /// Returns all places of the window where the body fits.
    fn places(&self) -> Vec<Cell> {
        let has_links = !self.grid.for_rules(self.rules).links().is_empty();
        let (target, radius, size) = (self.target, self.radius, self.grid.size());
        // The window stays on the map, as large as it can be.
        let middle = |at: u16, side: u16| {
            let last = side.saturating_sub(radius + 1);
            at.min(last).max(radius.min(side - 1))
        };
        let (x, y) = (middle(target.x, size.width), middle(target.y, size.height));
        let is_inside = |cell: &Cell| {
            let apart = cell.x.abs_diff(x).max(cell.y.abs_diff(y));
            apart <= radius && (has_links || cell.floor == target.floor)
        };
        cells(size)
            .filter(is_inside)
            .filter(|&cell| self.grid.fits(cell, self.rules.footprint))
            .collect()
    }

    /// Returns the passage at a place, by its body.
    fn passage(&self, cell: Cell) -> Passage {
        let mut covered = self.rules.footprint.area(cell).cells();
        if covered.any(|cell| self.bodies.is_occupied(cell)) {
            return Passage::Blocked;
        }
        let Cell { x, y, floor } = cell;
        let place = u64::from(x) << 24 | u64::from(y) << 8 | u64::from(floor);
        let mut random = Xorshift::new(self.seed ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        if u64::from(random.below(256)) >= self.crowd {
            return Passage::Free;
        }
        let most = if random.below(4) == 0 { 256 } else { 9 };
        let toll = random.below(most) as u8;
        match random.below(4) {
            0 => Passage::Blocked,
            1 | 2 => Passage::AmongGoals(toll),
            _ => Passage::Toll(toll),
        }
    }

    /// Returns the toll of a place, if it can be passed, and whether it is a goal or a place whose
    /// body moves aside only to goals.
    fn stay(&self, cell: Cell) -> (Option<u8>, bool) {
        if self.goals.contains(&cell) {
            return (Some(0), true);
        }
        match self.passage(cell) {
            Passage::Free => (Some(0), false),
            Passage::Toll(toll) => (Some(toll.min(TOLL_MAX)), false),
            Passage::AmongGoals(toll) => (Some(toll.min(TOLL_MAX)), true),
            Passage::Blocked => (None, false),
        }
    }

    /// Returns the cost of a move with the toll of its end, or `None` if it is not allowed.
    fn toll_on(&self, from: Cell, to: Cell, cost: Cost) -> Option<Cost> {
        let ((_, leaves_ring), (toll, enters_ring)) = (self.stay(from), self.stay(to));
        let toll = Cost::from(toll?) * self.rules.metric.straight();
        (!leaves_ring || enters_ring).then_some(cost + toll)
    }

    /// Returns the cost of a step from a place in a direction, by the documented rules.
    fn step(&self, from: Cell, way: Direction) -> Option<(Cell, Cost)> {
        let query = PathQuery::new(from, self.target).with_rules(self.rules);
        let to = from.step(way)?;
        let cost = step(Terrain::from(&self.grid), &query, from, to)?;
        Some((to, self.toll_on(from, to, cost)?))
    }

    /// Returns the costs of the links from a place.
    fn links(&self, from: Cell) -> impl Iterator<Item = (Cell, Cost)> + '_ {
        let links = self.grid.links().iter();
        let links = links.filter(|link| self.rules.links.allows(link.kind));
        links.filter_map(move |link| {
            let fits = self.grid.fits(link.to, self.rules.footprint);
            let cost = Cost::from(link.cost) * self.rules.metric.straight();
            let cost = self.toll_on(from, link.to, cost)?;
            (link.from == from && fits).then_some((link.to, cost))
        })
    }

    /// Returns the cost of each place that has one.
    fn truth(&self) -> BTreeMap<Cell, Cost> {
        let places = self.places();
        let moves = |&from: &Cell| {
            let steps = Direction::ALL.into_iter();
            let steps = steps.filter_map(move |way| self.step(from, way));
            let both = steps.chain(self.links(from));
            both.map(move |(to, cost)| (from, to, cost))
        };
        let moves: Vec<(Cell, Cell, Cost)> = places.iter().flat_map(moves).collect();
        let inside = |cell: &&Cell| places.contains(cell);
        let goals = self.goals.iter().filter(inside);
        let mut costs: BTreeMap<Cell, Cost> = goals.map(|&goal| (goal, 0)).collect();
        loop {
            let mut is_lower = false;
            for &(from, to, cost) in &moves {
                let Some(&there) = costs.get(&to) else {
                    continue;
                };
                let here = costs.entry(from).or_insert(Cost::MAX);
                if there + cost < *here {
                    (*here, is_lower) = (there + cost, true);
                }
            }
            if !is_lower {
                return costs;
            }
        }
    }

    fn compute(&self, field: &mut CostField, starts: &[Cell]) {
        let (ground, window) = ((&self.grid, self.rules), (self.target, self.radius));
        field.compute_past(ground, window, &self.goals, starts, |cell| {
            self.passage(cell)
        });
    }

    /// Returns the best of some steps by the documented rules, with the cost of its way.
    fn best(
        &self,
        costs: &BTreeMap<Cell, Cost>,
        from: Cell,
        ahead: Direction,
    ) -> Option<(Cost, Direction)> {
        let here = costs.get(&from).copied().unwrap_or(Cost::MAX);
        // Clockwise from ahead, and of equals the first.
        let turned = Direction::ALL.into_iter().cycle().skip(ahead as usize);
        turned
            .take(8)
            .filter_map(|way| {
                let (to, step) = self.step(from, way)?;
                let there = *costs.get(&to)?;
                (there < here).then(|| (there + step, way))
            })
            .min_by_key(|&(total, way)| (total, way.is_diagonal()))
    }

    /// Follows a field from a place to a goal. Returns the cost of the way by the documented rules.
    fn follow(&self, field: &CostField, start: Cell) -> Cost {
        let ground = (&self.grid, self.rules);
        let (mut at, mut way, mut tolls) = (start, Vec::new(), 0);
        while let Some(left) = field.cost(at).filter(|&cost| cost > 0) {
            let by_step = field.best_step(ground, at, Direction::North);
            let by_step = by_step.and_then(|way| self.step(at, way));
            let to = match by_step {
                Some((to, cost)) if field.cost(to).map(|there| there + cost) == Some(left) => to,
                _ => field.best_link(ground, at).expect("a step or a link"),
            };
            let there = field.cost(to).expect("a place with a cost");
            assert!(there < left, "from {at} at {left} to {to} at {there}");
            tolls += self.toll_on(at, to, 0).expect("a place one can pass");
            way.push(to);
            at = to;
        }
        assert!(self.goals.contains(&at), "{at} is no goal");
        let query = PathQuery::new(start, at).with_rules(self.rules);
        let walked = walk(
            Terrain::from(&self.grid),
            &query,
            &way.into_iter().collect(),
        );
        walked.expect("a legal way") + tolls
    }
}

fn any_of(places: &[Cell], random: &mut Xorshift) -> Option<Cell> {
    let count = places.len() as u32;
    (count > 0).then(|| places[random.below(count) as usize])
}

proptest! {
    #![proptest_config(tries(60, 300))]

    #[test]
    fn costs((world, query) in any_question(), seed: u64) {
        let question = Question::new(&world, query, seed);
        let (truth, places) = (question.truth(), question.places());
        let mut field = CostField::new();
        question.compute(&mut field, &places);
        for &cell in &places {
            prop_assert_eq!(field.cost(cell), truth.get(&cell).copied(), "at {}", cell);
            if let Some(&cost) = truth.get(&cell) {
                prop_assert_eq!(question.follow(&field, cell), cost);
            }
        }
    }

    #[test]
    fn best_steps((world, query) in any_question(), seed: u64) {
        let question = Question::new(&world, query, seed);
        let (truth, places) = (question.truth(), question.places());
        let mut field = CostField::new();
        question.compute(&mut field, &places);
        let (ground, mut random) = ((&question.grid, question.rules), Xorshift::new(seed));
        for &cell in places.iter().filter(|cell| truth.contains_key(cell)) {
            for ahead in [Direction::North, Direction::ALL[random.below(8) as usize]] {
                let best = field.best_step(ground, cell, ahead);
                let expected = question.best(&truth, cell, ahead);
                prop_assert_eq!(best, expected.map(|(_, way)| way), "from {}", cell);
            }
            let link = field.best_link(ground, cell);
            let leads = |to| question.links(cell).any(|(end, cost)| {
                end == to && truth.get(&to).map(|there| there + cost) == truth.get(&cell).copied()
            });
            prop_assert!(link.is_none_or(leads), "from {}", cell);
        }
    }

    #[test]
    fn ended_early((world, query) in any_question(), seed: u64) {
        let question = Question::new(&world, query, seed);
        let (truth, places) = (question.truth(), question.places());
        let mut random = Xorshift::new(seed);
        let starts: Vec<Cell> = (0..=random.below(4))
            .filter_map(|_| any_of(&places, &mut random))
            .collect();
        let mut whole = CostField::new();
        question.compute(&mut whole, &places);
        // Memory of an earlier field must not show.
        let mut field = whole.clone();
        question.compute(&mut field, &starts);
        prop_assert!(field.expanded() <= whole.expanded());
        for start in starts {
            let cost = truth.get(&start).copied();
            prop_assert_eq!(field.cost(start), cost, "at {}", start);
            if let Some(cost) = cost {
                prop_assert_eq!(question.follow(&field, start), cost);
            }
        }
    }
}

/// Makes a corridor of `length` cells; its first cell is the target's.
fn corridor(length: u16) -> Grid {
    Grid::open(length, 1).expect("a map of this size")
}

/// Makes the field of a corridor whose goal is its second cell, for a body at its end.
fn in_corridor(grid: &Grid, rules: Rules, passage: impl Fn(u16) -> Passage) -> CostField {
    let mut field = CostField::new();
    let (target, goal) = (Cell::new(0, 0), Cell::new(1, 0));
    let start = Cell::new(grid.width() - 1, 0);
    field.compute_past((grid, rules), (target, 24), &[goal], &[start], |cell| {
        passage(cell.x)
    });
    field
}

#[test]
fn body_on_start() {
    let grid = corridor(5);
    for own in [Passage::Blocked, Passage::Toll(9)] {
        let at = |x| if x == 4 { own } else { Passage::Free };
        let field = in_corridor(&grid, Rules::default(), at);
        assert_eq!(field.cost(Cell::new(4, 0)), Some(3));
    }
}

/// Bodies beside a target move along its ring, and never out of it to make room.
#[test]
fn ring_moves_along() {
    let grid = corridor(9);
    let ring = |members: &'static [u16]| {
        let at = move |x| {
            if members.contains(&x) {
                Passage::AmongGoals(4)
            } else {
                Passage::Free
            }
        };
        in_corridor(&grid, Rules::default(), at)
    };
    let start = Cell::new(8, 0);
    // Two bodies in a row up to the goal: the first goes there, and the second takes its place.
    assert_eq!(ring(&[2, 3]).cost(start), Some(7 + 4 + 4));
    // Two bodies with a free cell between them that is no goal: the outer one would have to leave.
    let parted = ring(&[2, 4]);
    assert_eq!(parted.cost(start), None);
    assert_eq!(parted.cost(Cell::new(3, 0)), Some(2 + 4));
    // The outer body has no way to a goal itself, and is offered none.
    let outer = Cell::new(4, 0);
    assert_eq!(parted.cost(outer), None);
    let way = parted.best_step((&grid, Rules::default()), outer, Direction::North);
    assert_eq!(way, None);
}

#[test]
fn goals_outside_or_twice() {
    let grid = Grid::open(60, 3).expect("a map of this size");
    let (target, near) = (Cell::new(20, 1), Cell::new(22, 1));
    let goals = [Cell::new(50, 1), near, near, near];
    let starts = [near, Cell::new(26, 1)];
    let mut field = CostField::new();
    let window = (target, 10);
    field.compute_past((&grid, Rules::default()), window, &goals, &starts, |_| {
        Passage::Free
    });
    assert_eq!(starts.map(|start| field.cost(start)), [Some(0), Some(4)]);
    assert_eq!(field.cost(Cell::new(50, 1)), None);
    field.compute_past(
        (&grid, Rules::default()),
        window,
        &goals[..1],
        &starts,
        |_| Passage::Free,
    );
    assert_eq!(starts.map(|start| field.cost(start)), [None, None]);
}

#[test]
fn empty() {
    let grid = corridor(3);
    let (field, cell) = (CostField::new(), Cell::new(1, 0));
    let ground = (&grid, Rules::default());
    assert_eq!((field.cost(cell), field.expanded()), (None, 0));
    assert_eq!(field.best_step(ground, cell, Direction::North), None);
    assert_eq!(field.best_link(ground, cell), None);
}

#[test]
fn target_off_map() {
    let grid = Grid::open(6, 6).unwrap();
    let mut field = CostField::new();
    let start = Cell::new(2, 2);
    for target in [Cell::new(40, 2), Cell::new(2, u16::MAX), start.on_floor(3)] {
        let query = ((&grid, Rules::default()), (target, 8));
        field.compute_past(query.0, query.1, &[start], &[start], |_| Passage::Free);
        assert_eq!(field.cost(start), None, "{target}");
    }
}
