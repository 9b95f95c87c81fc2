//! A naive judge of which chasers are beside a target, and which could be.
//!
//! Plain breadth-first searches over the legal steps and links of a grid, without any of the
//! plugin's own searches.

use nav::{Chaser, Reach};
use nav_grid::{
    Area, Cell, Direction, Footprint, Grid, PathQuery, Rules, rules::ClassCosts,
    smoothing::LineOfSight,
};
use std::collections::{BTreeSet, VecDeque};

/// The goal of a chaser: the place of a target and the cells of its body.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The upper left cell of the target.
    pub cell: Cell,
    /// The size of its body; one cell for a target without a body.
    pub body: Footprint,
    /// Whether it is a [`Destination`](nav::Destination), which chasers enter.
    pub is_entered: bool,
}

impl Goal {
    /// A target of one cell.
    pub const fn at(cell: Cell) -> Self {
        Self {
            cell,
            body: Footprint::ONE,
            is_entered: false,
        }
    }

    /// The cells of the target.
    pub fn area(&self) -> Area {
        self.body.area(self.cell)
    }
}

/// Returns whether a chaser at `anchor` is within reach of its target.
///
/// It touches it, or is no further away than its stop distance, by steps or in sight, as its tuning
/// says; on the cell of a destination; or at the beginning of a link if its tuning allows that.
/// Slack does not count.
pub fn is_within_reach(grid: &Grid, tuning: &Chaser, anchor: Cell, goal: Goal) -> bool {
    let rules = tuning.rules;
    if goal.is_entered {
        return rules.footprint.area(anchor).contains(goal.cell);
    }
    let mut links = grid.links_from(anchor).iter();
    touches(grid, rules, anchor, goal)
        || is_near(grid, tuning, anchor, goal)
        || tuning.reach_through_links
            && links.any(|link| {
                rules.links.allows(link.kind) && rules.footprint.area(link.to).contains(goal.cell)
            })
}

/// Returns whether a chaser is no further from its target than its stop distance.
fn is_near(grid: &Grid, tuning: &Chaser, anchor: Cell, goal: Goal) -> bool {
    let (rules, distance) = (tuning.rules, tuning.stop_distance);
    match tuning.reach {
        Reach::Sight => {
            let (from, to) = nearest_cells(rules, anchor, goal);
            from.chebyshev(to) <= distance && sees(grid, rules, anchor, goal)
        }
        _ => in_reach(grid, rules, distance, anchor, goal),
    }
}

/// Returns whether a body overlaps its target's, or is one legal step of a single cell from it.
///
/// The step leads from the nearest of its cells to the nearest of the target's.
pub fn touches(grid: &Grid, rules: Rules, anchor: Cell, goal: Goal) -> bool {
    let (own, other) = (rules.footprint.area(anchor), goal.area());
    if own.meets(other) {
        return true;
    }
    // It reaches over ground that its feet may not enter.
    let hand = rules
        .with_footprint(Footprint::ONE)
        .with_classes(ClassCosts::ALL);
    let (from, to) = nearest_cells(rules, anchor, goal);
    grid.allows_step(from, to, hand)
}

/// Returns whether a straight line leads from a body to its target's, between the cells nearest to
/// each other.
pub fn sees(grid: &Grid, rules: Rules, anchor: Cell, goal: Goal) -> bool {
    let (from, to) = nearest_cells(rules, anchor, goal);
    let eye = Rules {
        corners: rules.corners,
        ..Rules::default()
    };
    let query = PathQuery::new(from, to).with_rules(eye);
    LineOfSight::new(grid.for_sight(), &query).sees(from, to)
}

/// The cells of a body and of its target's that are nearest to each other.
fn nearest_cells(rules: Rules, anchor: Cell, goal: Goal) -> (Cell, Cell) {
    let (own, other) = (rules.footprint.area(anchor), goal.area());
    (nearest_to(own, other), nearest_to(other, own))
}

/// The cell of an area that is nearest to another one.
fn nearest_to(own: Area, other: Area) -> Cell {
    let (first, last) = (own.first(), own.last());
    Cell {
        x: other.first().x.clamp(first.x, last.x),
        y: other.first().y.clamp(first.y, last.y),
        ..first
    }
}

/// Returns whether a chaser at `anchor` touches its target, or has at most `stop_distance` legal
/// steps, over ground of any class, to a place where it overlaps the target's body. Links do not
/// count.
pub fn in_reach(grid: &Grid, rules: Rules, stop_distance: u16, anchor: Cell, goal: Goal) -> bool {
    if touches(grid, rules, anchor, goal) {
        return true;
    }
    let side = u16::from(rules.footprint.side().max(goal.body.side()));
    if stop_distance < 2
        || anchor.floor != goal.cell.floor
        || anchor.chebyshev(goal.cell) > stop_distance + side
    {
        return false;
    }
    let rules = rules.with_classes(ClassCosts::ALL);
    let mut layer = BTreeSet::from([anchor]);
    (0..stop_distance).any(|_| {
        let next = layer.iter().flat_map(|&from| steps(grid, rules, from));
        layer = next.collect();
        let mut areas = layer.iter().map(|&place| rules.footprint.area(place));
        areas.any(|area| area.meets(goal.area()))
    })
}

/// The cells that one legal step leads to.
pub fn steps(grid: &Grid, rules: Rules, from: Cell) -> impl Iterator<Item = Cell> + '_ {
    Direction::ALL
        .into_iter()
        .filter_map(move |way| from.step(way))
        .filter(move |&to| grid.allows_step(from, to, rules))
}

/// The cells that one legal step or link leads to.
pub fn moves(grid: &Grid, rules: Rules, from: Cell) -> impl Iterator<Item = Cell> + '_ {
    let links = grid.links_from(from).iter().filter(move |link| {
        rules.links.allows(link.kind) && grid.for_rules(rules).fits(link.to, rules.footprint)
    });
    steps(grid, rules, from).chain(links.map(|link| link.to))
}

/// The first `wanted` place in the order of moves from `start`, through places that are `free`. The
/// start itself counts as free, and not as wanted.
pub fn nearest_place(
    grid: &Grid,
    rules: Rules,
    start: Cell,
    free: impl Fn(Cell) -> bool,
    wanted: impl Fn(Cell) -> bool,
) -> Option<Cell> {
    let mut seen = BTreeSet::from([start]);
    let mut queue = VecDeque::from([start]);
    while let Some(from) = queue.pop_front() {
        for to in moves(grid, rules, from) {
            if free(to) && seen.insert(to) {
                if wanted(to) {
                    return Some(to);
                }
                queue.push_back(to);
            }
        }
    }
    None
}
