//! Chasers that cut off a moving target: they head for a cell ahead of it.

use crate::{
    Approach,
    plugins::{SteerSystems, add_shared, behaviour_plugin},
};
use bevy_app::{App, Plugin};
use bevy_ecs::{
    event::EventPattern, prelude::*, query::QueryData,
    schedule::common_conditions::any_with_component,
};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{
    CellPosition, Chaser, Chasing, Guidance, Heading, MoveTimer, NavMap, NavTime, NavTimer, OnMap,
    extend::require_nav,
    stepping::{HeadingQuery, Stepping},
};
use nav_grid::{Cell, Footprint, Grid, Rules, rules::BodyPolicy};
use std::collections::VecDeque;

/// Lets a chaser cut off a moving target.
///
/// The chaser heads for a cell ahead of the target, which both reach at the same time, at their
/// speeds. The target is expected to go on in the direction of its last eight cells.
///
/// It does so while the target is on its floor, within the [radius](nav_grid::Limits::radius) of
/// its searches, and more than six steps out of reach. Once it does, three steps suffice. It chases
/// the target itself while that turns, stands or goes to and fro, and where a search toward the
/// cell ahead fails. Reach and messages refer to the target itself.
///
/// Near the target an [`Approach`] goes first.
///
/// While it heads for a cell ahead it shares no field, which takes a search of its own in each
/// [interval](nav::Chaser::repath_interval).
// Decision 25: docs/decisions/0025-interceptors-search-for-a-cell-ahead.md
#[derive(Component, Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[require(Heading, Chaser)]
pub struct Intercept {
    /// The most cells that it aims ahead; with 0 it chases the target itself.
    pub lead: u16,
    /// The cells of the target and when it entered them, the last one first.
    trail: VecDeque<(Cell, NavTime)>,
    /// The cell ahead for which it heads.
    aim: Option<Cell>,
}

impl Intercept {
    /// Aims at most the given number of cells ahead.
    pub const fn new(lead: u16) -> Self {
        Self {
            lead,
            trail: VecDeque::new(),
            aim: None,
        }
    }

    /// The cell ahead of its target for which it heads; `None` while it chases the target itself.
    pub const fn aim(&self) -> Option<Cell> {
        self.aim
    }

    /// Records the target's cell. A target that was put elsewhere has no course.
    fn follow(&mut self, target: Cell, now: NavTime) {
        /// The most cells that a target moves in a tick: one step, and one by the game.
        const LEAP: u16 = 2;
        let last = self.trail.front().map(|&(last, _)| last);
        if last == Some(target) {
            return;
        }
        if last.is_some_and(|last| last.floor != target.floor || last.chebyshev(target) > LEAP) {
            self.trail.clear();
        }
        self.trail.truncate(Course::STEPS);
        self.trail.push_front((target, now));
    }

    /// Forgets the target.
    fn forget(&mut self) {
        self.trail.clear();
        self.aim = None;
    }
}

behaviour_plugin! {
    /// Directs chasers with [`Intercept`] to cells ahead of their targets.
    InterceptPlugin
}

impl Plugin for InterceptPlugin {
    fn build(&self, app: &mut App) {
        add_shared(app, self.schedule);
        let take_aim = take_aim.run_if(any_with_component::<Intercept>);
        app.add_systems(self.schedule, take_aim.in_set(SteerSystems::Aim))
            .add_observer(release::<Remove<Chasing>>)
            .add_observer(release::<Remove<Intercept>>);
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "InterceptPlugin");
    }
}

/// Steps out of reach within which a target is chased itself; twice as many before a chaser begins
/// to cut it off, so that it does not change between the two with each step. A guess.
const AT_HAND: u16 = 3;

#[derive(QueryData)]
#[query_data(mutable)]
struct Interceptor {
    intercept: &'static mut Intercept,
    chasing: &'static Chasing,
    on_map: &'static OnMap,
    position: &'static CellPosition,
    search_timer: &'static NavTimer,
    move_timer: &'static MoveTimer,
    approach: Option<&'static Approach>,
    header: HeadingQuery,
}

/// Records where targets go, and selects the cells ahead for which chasers head.
fn take_aim(mut stepping: Stepping, mut interceptors: Query<Interceptor>, maps: Query<&NavMap>) {
    let now = stepping.now();
    for mut one in &mut interceptors {
        let seen = stepping.target(one.chasing, one.on_map);
        let map = maps.get(one.on_map.0).ok();
        let aim = if let (Some(seen), Some(map)) = (seen.filter(|seen| !seen.is_entered), map) {
            one.aim(seen.position.cell, map, now)
        } else {
            one.intercept.forget();
            None
        };
        if one.intercept.aim != aim {
            one.intercept.aim = aim;
        }
        // Where the approach aims already, it keeps its aim.
        if !one.approaches() {
            one.header.head_for(aim, &mut stepping);
        }
    }
}

impl InterceptorItem<'_, '_> {
    /// Whether it heads for a side of the target.
    fn approaches(&self) -> bool {
        self.approach
            .is_some_and(|approach| approach.aim().is_some())
    }

    /// The cell ahead for which it heads from now on. Drops a path of the other purpose, so that
    /// the next decision is to search.
    fn aim(&mut self, target: Cell, map: &NavMap, now: NavTime) -> Option<Cell> {
        self.intercept.follow(target, now);
        let is_aiming = self.intercept.aim.is_some();
        let approaches = self.approaches();
        let aim = if approaches {
            None
        } else {
            self.meeting_cell(target, is_aiming, map, now)
        };
        let cursor = &mut self.header.cursor;
        if !approaches && is_aiming != aim.is_some() && cursor.guidance() == Some(Guidance::OwnPath)
        {
            cursor.drop_path();
        }
        aim
    }

    /// The cell where it meets the target, if it may head for one now.
    fn meeting_cell(
        &self,
        target: Cell,
        is_aiming: bool,
        map: &NavMap,
        now: NavTime,
    ) -> Option<Cell> {
        let (chaser, timer) = (&self.header.chaser, self.search_timer);
        let from = self.position.cell;
        let away = from.chebyshev(target);
        let at_hand = if is_aiming { AT_HAND } else { 2 * AT_HAND };
        let reach = chaser.stop_distance.saturating_add(chaser.stop_hysteresis);
        let radius = chaser.limits.radius;
        let is_within =
            from.floor == target.floor && away > reach.saturating_add(at_hand) && away <= radius;
        // The first aim takes a search, for which the interval has to be over.
        let may_search = is_aiming || now >= timer.next_search();
        if !is_within || !may_search || timer.failures() > 0 {
            return None;
        }
        let pursuer = Pursuer {
            from,
            rules: chaser.rules,
            pace: self.move_timer.chasing.nanos(),
            lead: self.intercept.lead,
            radius,
        };
        Course::of(&self.intercept.trail, now)?.meet(map.grid(), pursuer)
    }
}

/// Forgets the target of a chase that ended, and heads for no cell.
fn release<E: EventPattern<Event: EntityEvent>>(
    event: On<E>,
    mut interceptors: Query<(&mut Intercept, HeadingQuery)>,
) {
    if let Ok((mut intercept, mut header)) = interceptors.get_mut(event.event().event_target()) {
        intercept.forget();
        header.release();
    }
}

/// The direction and speed of a target over its last steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Course {
    at: Cell,
    /// Columns and rows of the last steps together.
    way: (i32, i32),
    /// The larger number of these.
    cells: u16,
    /// Nanoseconds for a cell.
    pace: u64,
}

/// A chaser that is to meet a target.
#[derive(Clone, Copy)]
struct Pursuer {
    from: Cell,
    rules: Rules,
    /// Nanoseconds for a cell.
    pace: u64,
    /// The most cells that it aims ahead of the target.
    lead: u16,
    /// The most columns and rows that it searches from its cell.
    radius: u16,
}

impl Course {
    /// Steps that make a course: a target that circles a pillar of a few cells, or dodges,
    /// turns within fewer.
    const STEPS: usize = 8;

    /// The course of a target with some last cells, the last one first, if it moves about straight.
    fn of(trail: &VecDeque<(Cell, NavTime)>, now: NavTime) -> Option<Self> {
        if trail.len() <= Self::STEPS {
            return None;
        }
        let (&(at, since), &(first, began)) = (trail.front()?, trail.back()?);
        let (before, _) = trail[1];
        let cells = at.chebyshev(first);
        let steps = trail.iter().zip(trail.iter().skip(1));
        let gone: u16 = steps.map(|((to, _), (from, _))| from.chebyshev(*to)).sum();
        // One step of eight may be to the side.
        if cells == 0 || u32::from(cells) * 8 < u32::from(gone) * 7 {
            return None;
        }
        let pace = since.0.saturating_sub(began.0) / u64::from(cells);
        // It stands if the next step is a whole step overdue.
        if now.0.saturating_sub(since.0) > 2 * pace {
            return None;
        }
        let (way, last) = (delta(first, at), delta(before, at));
        let along = way.0 * last.0 + way.1 * last.1;
        let across = way.0 * last.1 - way.1 * last.0;
        // The last step is within an eighth of a turn of all steps together.
        let is_turning = along <= 0 || across.abs() > along;
        (!is_turning).then_some(Self {
            at,
            way,
            cells,
            pace,
        })
    }

    /// The cell ahead of the target that a chaser reaches when the target does. A wall, the end of
    /// the lead or of the chaser's window may end the way before. `None` if the target comes to the
    /// chaser.
    fn meet(&self, grid: &Grid, pursuer: Pursuer) -> Option<Cell> {
        let rules = (pursuer.rules)
            .with_footprint(Footprint::ONE)
            .with_bodies(BodyPolicy::Ignore);
        let mut met = self.at;
        for steps in 1..=pursuer.lead {
            let Some(next) = self.after(steps) else {
                break;
            };
            let away = pursuer.from.chebyshev(next);
            if away > pursuer.radius || !grid.allows_step(met, next, rules) {
                break;
            }
            met = next;
            let needed = u64::from(away).saturating_mul(pursuer.pace);
            if needed <= u64::from(steps).saturating_mul(self.pace) {
                break;
            }
        }
        (met != self.at && met.chebyshev(pursuer.from) > 1).then_some(met)
    }

    /// The target's cell after some more steps.
    fn after(&self, steps: u16) -> Option<Cell> {
        let cells = i64::from(self.cells);
        let [x, y] = [(self.at.x, self.way.0), (self.at.y, self.way.1)].map(|(from, way)| {
            let halves = 2 * i64::from(way) * i64::from(steps) + cells;
            u16::try_from(i64::from(from) + halves.div_euclid(2 * cells)).ok()
        });
        Some(Cell::new(x?, y?).on_floor(self.at.floor))
    }
}

/// Columns and rows from one cell to another.
fn delta(from: Cell, to: Cell) -> (i32, i32) {
    (
        i32::from(to.x) - i32::from(from.x),
        i32::from(to.y) - i32::from(from.y),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: u64 = 250_000_000;

    /// The trail of a target with some cells, a step apart; it is on the last one.
    fn trail(cells: impl IntoIterator<Item = (u16, u16)>) -> VecDeque<(Cell, NavTime)> {
        let mut trail = VecDeque::new();
        for (number, cell) in (0..).zip(cells) {
            trail.push_front((Cell::from(cell), NavTime(number * STEP)));
        }
        trail.truncate(Course::STEPS + 1);
        trail
    }

    fn course(cells: impl IntoIterator<Item = (u16, u16)>) -> Option<Course> {
        let trail = trail(cells);
        Course::of(&trail, trail.front()?.1)
    }

    fn pursuer(x: u16, y: u16) -> Pursuer {
        Pursuer {
            from: Cell::new(x, y),
            rules: Rules::default(),
            pace: STEP,
            lead: 20,
            radius: 30,
        }
    }

    #[test]
    fn both_reach_the_cell() {
        let grid = Grid::open(60, 30).unwrap();
        let east = course((2..=10).map(|x| (x, 5))).unwrap();
        assert_eq!(east.pace, STEP);
        assert_eq!(east.meet(&grid, pursuer(20, 15)), Some(Cell::new(20, 5)));
        let faster = Pursuer {
            pace: STEP / 2,
            ..pursuer(20, 15)
        };
        assert_eq!(east.meet(&grid, faster), Some(Cell::new(15, 5)));
        let short = Pursuer {
            lead: 4,
            ..pursuer(20, 15)
        };
        assert_eq!(east.meet(&grid, short), Some(Cell::new(14, 5)));
        // From behind, as far ahead as it may.
        assert_eq!(east.meet(&grid, pursuer(2, 5)), Some(Cell::new(30, 5)));
    }

    #[test]
    fn wall_ends_slope() {
        let slope = course((0..9_u16).map(|n| (4 + n, 20 - n.div_ceil(2)))).unwrap();
        let grid = Grid::from_fn(60, 30, |cell| cell.x != 22).unwrap();
        let met = slope.meet(&grid, pursuer(30, 2)).unwrap();
        assert_eq!(met, Cell::new(21, 12));
    }

    #[test]
    fn no_course() {
        let turned = (2..=9).map(|x| (x, 5)).chain([(9, 6)]);
        assert_eq!(course(turned), None);
        let dodging = (0..20_u16).map(|n| (4 + n % 2, 5));
        assert_eq!(course(dodging), None);
        let straight = trail((2..=10).map(|x| (x, 5)));
        let (_, since) = straight[0];
        assert!(Course::of(&straight, NavTime(since.0 + 2 * STEP)).is_some());
        assert_eq!(Course::of(&straight, NavTime(since.0 + 3 * STEP)), None);
        assert_eq!(course((2..=9).map(|x| (x, 5))), None, "seen too short");
    }
}
