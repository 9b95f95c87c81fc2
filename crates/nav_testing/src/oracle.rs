//! A naive judge of who is beside a target and who could be: plain breadth first searches over the
//! legal steps and links of a grid, without any of the plugin's own searches.

use nav::Chaser;
use nav_grid::{Area, Cell, Direction, Footprint, Grid, PathQuery, Rules, smoothing::LineOfSight};
use std::collections::{BTreeSet, VecDeque};

/// What is to be reached: the place of a target and the cells of its body.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The upper left cell of the target.
    pub cell: Cell,
    /// The cells that it covers; one for a target without a body.
    pub body: Footprint,
    /// Whether it is a destination.
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

/// Whether a chaser at `anchor` is within reach of its target: touches it, or is no more than its stop
/// distance away, and in sight if its tuning asks for that; on the cell of a destination; or at the beginning
/// of a link if its tuning says that this will do. Slack does not count.
pub fn is_within_reach(grid: &Grid, tuning: &Chaser, anchor: Cell, goal: Goal) -> bool {
    let rules = tuning.rules;
    let leads_there = |to| rules.footprint.area(to).contains(goal.cell);
    if goal.is_entered {
        return leads_there(anchor);
    }
    let is_seen = || !tuning.needs_sight || sees(grid, rules, anchor, goal);
    let mut links = grid.links_from(anchor).iter();
    touches(grid, rules, anchor, goal)
        || in_reach(grid, rules, tuning.stop_distance, anchor, goal) && is_seen()
        || tuning.reach_through_links && links.any(|link| leads_there(link.to))
}

/// Whether a body overlaps its target's, or is one legal step of a single cell from it: from the
/// nearest of its cells to the nearest of the target's.
pub fn touches(grid: &Grid, rules: Rules, anchor: Cell, goal: Goal) -> bool {
    let (own, other) = (rules.footprint.area(anchor), goal.area());
    if own.meets(other) {
        return true;
    }
    let hand = rules.with_footprint(Footprint::ONE);
    let (from, to) = nearest_cells(rules, anchor, goal);
    grid.allows_step(from, to, hand)
}

/// Whether a straight line leads from a body to its target's, from the cells nearest to each other.
pub fn sees(grid: &Grid, rules: Rules, anchor: Cell, goal: Goal) -> bool {
    let (from, to) = nearest_cells(rules, anchor, goal);
    let eye = Rules {
        corners: rules.corners,
        ..Rules::default()
    };
    let query = PathQuery::new(from, to).with_rules(eye);
    LineOfSight::new(grid, &query).sees(from, to)
}

/// The cells of a body and its target's that are nearest to each other.
fn nearest_cells(rules: Rules, anchor: Cell, goal: Goal) -> (Cell, Cell) {
    let (own, other) = (rules.footprint.area(anchor), goal.area());
    let (x, to_x) = nearest(
        (own.first().x, own.last().x),
        (other.first().x, other.last().x),
    );
    let (y, to_y) = nearest(
        (own.first().y, own.last().y),
        (other.first().y, other.last().y),
    );
    let from = Cell { x, y, ..anchor };
    let to = Cell {
        x: to_x,
        y: to_y,
        ..goal.cell
    };
    (from, to)
}

/// Whether a chaser at `anchor` is in reach: touches its target, or has at most `stop_distance`
/// legal steps to a place where it overlaps the target's body. Links do not count.
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
    let mut layer = vec![anchor];
    for _ in 0..stop_distance {
        layer = layer
            .iter()
            .flat_map(|&from| steps(grid, rules, from))
            .collect();
        layer.sort_unstable();
        layer.dedup();
        let meets = |&place: &Cell| rules.footprint.area(place).meets(goal.area());
        if layer.iter().any(meets) {
            return true;
        }
    }
    false
}

/// The cells that one legal step leads to.
pub fn steps(grid: &Grid, rules: Rules, from: Cell) -> impl Iterator<Item = Cell> + '_ {
    let to = Direction::ALL
        .into_iter()
        .filter_map(move |way| from.step(way));
    to.filter(move |&to| grid.allows_step(from, to, rules))
}

/// The cells that one legal step or link leads to.
pub fn moves(grid: &Grid, rules: Rules, from: Cell) -> impl Iterator<Item = Cell> + '_ {
    let links = grid.links_from(from).iter().map(|link| link.to);
    let links = links.filter(move |&to| grid.fits(to, rules.footprint));
    steps(grid, rules, from).chain(links)
}

/// The first place, in the order of moves from `start`, that is `wanted`, through places that are
/// `free`. The start itself counts as free, and is not wanted.
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
            if !free(to) || !seen.insert(to) {
                continue;
            }
            if wanted(to) {
                return Some(to);
            }
            queue.push_back(to);
        }
    }
    None
}

/// The numbers of two ranges that are nearest to each other.
fn nearest((first, last): (u16, u16), (from, to): (u16, u16)) -> (u16, u16) {
    if last < from {
        (last, from)
    } else if to < first {
        (first, to)
    } else {
        (first.max(from), first.max(from))
    }
}
