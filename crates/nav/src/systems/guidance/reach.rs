//! How near is near enough, for bodies of any size.

use super::ranked::heading;
use crate::{
    Chaser, PathCursor, Reach, components::Tuning, systems::storage::targets::TargetSnapshot,
};
use bevy_platform::collections::HashSet;
use nav_grid::{Area, Cell, Direction, Footprint, Grid, PathQuery, Rules, rules::ClassCosts};

/// How far from its target, in columns and rows, a body looks for a way around others: further than
/// default searches see (20), so that another door is found that is not in the same wall.
///
/// Measured on 600 drawn worlds: with 24, 5 of 7,405 chasers do not arrive. From 32 to 96 all do.
pub const DETOUR_RADIUS: u16 = 48;

/// How near a chaser comes to its target: the part of its tuning that says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Approach {
    pub(crate) rules: Rules,
    pub(crate) stop_distance: u16,
    /// How much further a target may go that was within reach.
    pub(crate) stop_hysteresis: u16,
    pub(crate) reach: Reach,
    /// Whether a link to the target is as good as a step to it.
    pub(crate) through_links: bool,
}

impl Approach {
    /// That of chasers of a tuning whose group has some rules; `None` if the tuning does not say
    /// all of it.
    pub(crate) fn new(tuning: Tuning, rules: Rules) -> Option<Self> {
        let further = u16::from(rules.footprint.side()) - 1;
        (!tuning.has_finer_reach()).then(|| Self {
            rules,
            stop_distance: tuning.near().saturating_sub(further),
            stop_hysteresis: 0,
            reach: Reach::Steps,
            through_links: tuning.reaches_through_links(),
        })
    }

    /// Whether a target at most a distance away may be within reach that is not one legal step
    /// away.
    pub(super) const fn reaches_further(self, distance: u16) -> bool {
        distance > 1 || matches!(self.reach, Reach::Sight)
    }

    /// How far away a target is at most that is within reach, which it was at the last look or not.
    const fn distance(self, was_reached: bool) -> u16 {
        if was_reached {
            self.stop_distance.saturating_add(self.stop_hysteresis)
        } else {
            self.stop_distance
        }
    }
}

impl From<&Chaser> for Approach {
    fn from(chaser: &Chaser) -> Self {
        Self {
            rules: chaser.rules,
            stop_distance: chaser.stop_distance,
            stop_hysteresis: chaser.stop_hysteresis,
            reach: chaser.reach,
            through_links: chaser.reach_through_links,
        }
    }
}

/// Whether a chaser is as near to its target as it may come: on its cell, one legal step away, no
/// further away than its stop distance, or at a link to it if that counts. A destination is to be
/// entered.
#[inline]
pub(crate) fn in_reach(
    approach: Approach,
    grid: &Grid,
    from: Cell,
    target: &TargetSnapshot,
    cursor: &PathCursor,
) -> bool {
    touches(approach.rules, grid, from, target)
        || !target.is_entered
            && (approach.reaches_further(approach.distance(cursor.is_reached()))
                && is_within_distance(approach, grid, from, target, cursor)
                || approach.through_links && leads_through_link(approach.rules, grid, from, target))
}

impl TargetSnapshot {
    /// Whether a way from a cell to the places of the target can be searched among all of them at
    /// once.
    pub(crate) const fn shows_places_from(&self, cell: Cell) -> bool {
        cell.chebyshev(self.position.cell) <= DETOUR_RADIUS
    }

    /// Whether a chaser would be within reach of the target on a cell: by its stop distance, its
    /// hysteresis if its cursor says that it was within reach, sight and links.
    pub fn is_in_reach(
        &self,
        chaser: &Chaser,
        grid: &Grid,
        from: Cell,
        cursor: &PathCursor,
    ) -> bool {
        in_reach(Approach::from(chaser), grid, from, self, cursor)
    }

    /// Calls a function for every cell from which a body reaches the target in at most that many
    /// steps, 48 at most, with the number of steps. Nearer cells come first; cells on the target
    /// are included.
    pub fn for_each_within(
        &self,
        grid: &Grid,
        rules: Rules,
        steps: u16,
        mut visit: impl FnMut(Cell, u16),
    ) {
        let before = u16::from(rules.footprint.side()) - 1;
        let behind = u16::from(self.body.side()) - 1;
        let place = self.position.cell;
        let grid = grid.for_rules(rules);
        let mut wave: Vec<Cell> = fitting(grid, rules, place, before, behind).collect();
        let mut known: HashSet<Cell> = wave.iter().copied().collect();
        let mut next = Vec::new();
        let steps_max = steps.min(DETOUR_RADIUS);
        for steps in 0..=steps_max {
            for &to in &wave {
                visit(to, steps);
                if steps == steps_max {
                    continue;
                }
                for way in Direction::ALL {
                    if let Some(from) = to.step(way)
                        && grid.fits(from, rules.footprint)
                        && grid.allows_step(from, to, rules)
                        && known.insert(from)
                    {
                        next.push(from);
                    }
                }
            }
            wave.clear();
            std::mem::swap(&mut wave, &mut next);
        }
    }
}

/// Whether one link leads a body onto its target.
#[cold]
fn leads_through_link(rules: Rules, grid: &Grid, from: Cell, target: &TargetSnapshot) -> bool {
    let links = grid.for_rules(rules).links_from(from).iter();
    links.copied().any(|link| leads_to(rules, link.to, target))
}

/// Whether a body is no further from its target's than its stop distance.
#[inline(never)]
fn is_within_distance(
    approach: Approach,
    grid: &Grid,
    from: Cell,
    target: &TargetSnapshot,
    cursor: &PathCursor,
) -> bool {
    let rules = arm(approach.rules);
    let steps_max = approach.distance(cursor.is_reached());
    if approach.reach == Reach::Sight {
        return is_in_shot(grid, rules, from, target, steps_max);
    }
    let side = rules.footprint.side().max(target.body.side());
    let place = target.position.cell;
    if from.floor != place.floor || from.chebyshev(place) >= steps_max.saturating_add(side.into()) {
        return false;
    }
    // Most have a path that says so, or go straight. A path counts only if it begins beside the
    // chaser: after a teleport away from its post, the chaser has still to return.
    let path = cursor.path();
    let mut steps = std::iter::once(from).chain(path.iter()).zip(path.iter());
    if path.len() <= usize::from(steps_max)
        && path.end().is_some_and(|end| leads_to(rules, end, target))
        && steps.all(|(from, to)| grid.allows_step(from, to, rules))
    {
        return true;
    }
    let mut at = from;
    for _ in 0..steps_max {
        let way = heading(at, place).filter(|&way| grid.steps(at, rules).contains(way));
        match way.and_then(|way| at.step(way)) {
            Some(next) if overlaps(rules, next, target) => return true,
            Some(next) => at = next,
            None => break,
        }
    }
    let mut is_near = false;
    target.for_each_within(grid, rules, steps_max, |cell, _| is_near |= cell == from);
    is_near
}

/// Whether a body sees its target's, no further away than a distance: both from the cells nearest
/// to each other.
pub(super) fn is_in_shot(
    grid: &Grid,
    rules: Rules,
    from: Cell,
    target: &TargetSnapshot,
    distance: u16,
) -> bool {
    let is_on_floor = from.floor == target.position.cell.floor;
    let (from, to) = nearest_cells(rules, from, target);
    is_on_floor && from.chebyshev(to) <= distance && grid.sees(from, to, rules)
}

/// The rules by which a body reaches for its target: over ground of every class, which only its
/// feet may not enter.
pub(crate) const fn arm(rules: Rules) -> Rules {
    rules.with_classes(ClassCosts::ALL)
}

/// The rules by which a single cell of a body reaches for one of its target's.
pub(crate) const fn hand(rules: Rules) -> Rules {
    Rules::new(rules.metric, rules.corners)
}

/// Whether a body overlaps its target's, or is one step of a single cell from it; whether it covers
/// a destination.
#[inline]
pub(crate) fn touches(rules: Rules, grid: &Grid, anchor: Cell, target: &TargetSnapshot) -> bool {
    let place = target.position.cell;
    if are_single(rules, target) {
        anchor == place || !target.is_entered && grid.allows_step(anchor, place, arm(rules))
    } else if target.is_entered {
        leads_to(rules, anchor, target)
    } else {
        touches_of(rules, grid, anchor, target)
    }
}

/// The same for bodies of any size.
fn touches_of(rules: Rules, grid: &Grid, anchor: Cell, target: &TargetSnapshot) -> bool {
    let place = target.position.cell;
    let sides = u16::from(rules.footprint.side()) + u16::from(target.body.side());
    // Most are far away, which one comparison shows.
    if anchor.floor != place.floor || anchor.chebyshev(place) > sides {
        return false;
    }
    let (from, to) = nearest_cells(rules, anchor, target);
    from == to || grid.allows_step(from, to, hand(rules))
}

/// The cells of a body and its target's that are nearest to each other, those of the target on the
/// floor of the body.
fn nearest_cells(rules: Rules, anchor: Cell, target: &TargetSnapshot) -> (Cell, Cell) {
    let (own, other) = (rules.footprint.area(anchor), target.area());
    let from = nearest_in(own, other.first()).on_floor(anchor.floor);
    (from, nearest_in(other, from))
}

/// The cell in the columns and rows of an area that is nearest to a cell, on the floor of that.
#[inline]
fn nearest_in(area: Area, cell: Cell) -> Cell {
    Cell {
        x: cell.x.clamp(area.first().x, area.last().x),
        y: cell.y.clamp(area.first().y, area.last().y),
        ..cell
    }
}

/// Whether a body and its target's are of one cell each, as most are.
#[inline]
pub(crate) fn are_single(rules: Rules, target: &TargetSnapshot) -> bool {
    rules.footprint == Footprint::ONE && target.body == Footprint::ONE
}

/// Whether a body with its anchor at the end of a path covers the target's cell.
pub(crate) fn leads_to(rules: Rules, end: Cell, target: &TargetSnapshot) -> bool {
    rules.footprint.area(end).contains(target.position.cell)
}

/// Whether a body at `anchor` would stand on its target's, which it must not. A destination has no
/// body.
#[inline]
pub(crate) fn overlaps(rules: Rules, anchor: Cell, target: &TargetSnapshot) -> bool {
    if are_single(rules, target) {
        return anchor == target.position.cell && !target.is_entered;
    }
    if target.is_entered {
        return false;
    }
    rules.footprint.area(anchor).meets(target.area())
}

/// The places of walkers on a target at which links end.
pub(crate) fn ends_of_links_onto(
    grid: &Grid,
    footprint: Footprint,
    target: Area,
) -> impl Iterator<Item = Cell> {
    let before = u16::from(footprint.side()) - 1;
    let places = target.grown(before, 0).clipped(grid.size()).cells();
    places.filter(|&place| !grid.links_to(place).is_empty())
}

/// Where a chaser's search leads: the target's cell, or for a large body the place from which
/// it covers that cell. Of several the one nearest to the chaser, by 8-way steps, by 4-way
/// steps, in reading order. Where it fits nowhere on the target, a place beside will do, and
/// where there is none either, the target's cell, to which no path leads.
fn goal(chaser: &Chaser, grid: &Grid, from: Cell, target: &TargetSnapshot) -> Cell {
    let cell = target.position.cell;
    let further = u16::from(chaser.rules.footprint.side()) - 1;
    if further == 0 {
        return cell;
    }
    let distance = |&anchor: &Cell| (anchor.chebyshev(from), anchor.manhattan(from), anchor);
    let beside = || {
        fitting(grid, chaser.rules, cell, further + 1, 1)
            .filter(|&anchor| touches(chaser.rules, grid, anchor, target))
            .min_by_key(distance)
    };
    covering(grid, chaser.rules, cell)
        .min_by_key(distance)
        .or_else(beside)
        .unwrap_or(cell)
}

/// Returns the query of a chaser's search: the way onto its target, by the place nearest to a cell.
pub(crate) fn query(
    chaser: &Chaser,
    grid: &Grid,
    (from, nearest_to): (Cell, Cell),
    target: &TargetSnapshot,
) -> PathQuery {
    let goal = goal(chaser, grid, nearest_to, target);
    let query = chaser.query(from, goal);
    query.with_goal_body(goal_body(chaser, target))
}

/// The places from which a body covers a cell.
pub(crate) fn covering(grid: &Grid, rules: Rules, cell: Cell) -> impl Iterator<Item = Cell> {
    let further = u16::from(rules.footprint.side()) - 1;
    fitting(grid, rules, cell, further, 0)
}

/// The place from which a body covers a cell, nearest to its own anchor; the cell itself where it
/// fits nowhere.
pub(crate) fn place_over(grid: &Grid, rules: Rules, cell: Cell) -> Cell {
    let places = covering(grid, rules, cell);
    let place = places.min_by_key(|&anchor| (anchor.chebyshev(cell), anchor));
    place.unwrap_or(cell)
}

/// The places where a body fits, from `before` columns and rows before a cell to `behind` after it.
pub(super) fn fitting(
    grid: &Grid,
    rules: Rules,
    cell: Cell,
    before: u16,
    behind: u16,
) -> impl Iterator<Item = Cell> {
    let grid = grid.for_rules(rules);
    let places = Area::new(cell, cell).grown(before, behind).cells();
    places.filter(move |&anchor| grid.fits(anchor, rules.footprint))
}

/// The square around the goal of a search that holds the target's body, whichever of its cells
/// the goal is.
fn goal_body(chaser: &Chaser, target: &TargetSnapshot) -> Footprint {
    let side = chaser.rules.footprint.side() + target.body.side() - 1;
    Footprint::new(side.min(Footprint::SIDE_MAX)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CellPosition;
    use bevy_ecs::prelude::Entity;

    fn target(x: u16, y: u16, side: u8) -> TargetSnapshot {
        TargetSnapshot {
            position: CellPosition::new(x, y),
            map: Entity::PLACEHOLDER,
            body: Footprint::new(side).unwrap(),
            is_entered: false,
        }
    }

    fn chaser(side: u8) -> Chaser {
        let mut chaser = Chaser::default();
        chaser.rules.footprint = Footprint::new(side).unwrap();
        chaser
    }

    #[test]
    fn reach_of_large_body() {
        let grid = Grid::open(20, 20).unwrap();
        let rules = chaser(3).rules;
        let beside = |x, y| touches(rules, &grid, Cell::new(x, y), &target(10, 10, 1));
        assert!(beside(7, 10) && beside(7, 8) && beside(7, 7) && beside(11, 11));
        assert!(!beside(6, 10) && !beside(12, 10) && !beside(10, 6));
        let upstairs = Cell::new(7, 10).on_floor(1);
        assert!(!touches(rules, &grid, upstairs, &target(10, 10, 1)));
    }

    #[test]
    fn large_target_is_reached_anywhere() {
        let grid = Grid::open(20, 20).unwrap();
        let reached = |x, y| touches(chaser(1).rules, &grid, Cell::new(x, y), &target(8, 8, 4));
        assert!(reached(12, 11) && reached(7, 7) && reached(9, 9));
        assert!(!reached(13, 11));
    }

    #[test]
    fn nearest_cover_of_large_body() {
        let grid = Grid::open(20, 20).unwrap();
        let goal_from = |x, y| goal(&chaser(3), &grid, Cell::new(x, y), &target(10, 10, 1));
        assert_eq!(goal_from(2, 10), Cell::new(8, 10));
        assert_eq!(goal_from(10, 18), Cell::new(10, 10));
        let single = goal(&chaser(1), &grid, Cell::new(2, 2), &target(10, 10, 1));
        assert_eq!(single, Cell::new(10, 10));
    }

    #[test]
    fn niche_is_approached_from_beside() {
        // Column 10 of row 10 is a niche of one cell in a wall of rows 9 and 10.
        let grid = Grid::from_fn(20, 20, |cell| {
            !(9..=10).contains(&cell.y) || cell == Cell::new(10, 10)
        });
        let anchor = goal(
            &chaser(2),
            &grid.unwrap(),
            Cell::new(10, 17),
            &target(10, 10, 1),
        );
        assert_eq!(anchor, Cell::new(10, 11));
    }
}
