//! Sides from which chasers approach a target that has a heading.

use crate::{
    plugins::{SteerSystems, add_shared, behaviour_plugin},
    trail::{HEADING_CELLS, follow, turned},
};
use bevy_app::{App, Plugin};
use bevy_ecs::{
    event::EventPattern, prelude::*, query::QueryData,
    schedule::common_conditions::any_with_component,
};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{
    Chaser, Chasing, Guidance, Heading, NavMap, NavTime, Period,
    extend::{heading, require_nav},
    stepping::{HeadingQuery, Stepper, Stepping, TargetSnapshot},
};
use nav_grid::{Cell, Direction, PathQuery, rules::BodyPolicy, smoothing::LineOfSight};
use std::collections::VecDeque;

/// The side of its target from which a chaser approaches: as a wish, not as a wall.
///
/// The heading of a target follows from its last four cells since the chase began, and stays while
/// it stands. Once the chaser is within four cells out of reach it heads for a free cell on the
/// wished side, around the target and out of its reach as far as needed. It chases the target as
/// without this where the target never moved, where walls or bodies leave no cell or no way around,
/// where a search there fails, and when it is not there after five seconds. A chaser that is within
/// reach rests, on whatever side.
///
/// While it heads for a cell it shares no field, which takes a search of its own in each
/// [interval](nav::Chaser::repath_interval). It has no effect on chases of a
/// [`Destination`](nav::Destination).
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Default, Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[require(Heading, Chaser)]
pub struct Approach {
    /// The wished side.
    pub side: ApproachSide,
    /// The last cells of the target, the last one first.
    trail: VecDeque<Cell>,
    /// The direction of these.
    heading: Option<Direction>,
    /// The cell for which it heads.
    aim: Option<Cell>,
    /// The first moment at which it headed for a cell since it was within reach.
    began: Option<NavTime>,
}

/// A side of a target, by its heading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect))]
pub enum ApproachSide {
    /// Behind it, as thieves come: the default.
    #[default]
    Behind,
    /// To its right or left, whichever is nearer.
    Beside,
    /// Before it, which stops its way.
    InFront,
}

/// Cells out of reach within which a chaser begins to head for its side; twice as many until it no
/// longer does: a way around a target takes about as many steps.
const NEAR: u16 = 4;

/// How long a chaser tries to come to its side: twice the time of half a circle at the
/// default pace. Two that go around each other end then.
const PATIENCE: Period = Period::from_millis(5000);

impl Approach {
    /// Approaches from the given side.
    pub const fn new(side: ApproachSide) -> Self {
        Self {
            side,
            trail: VecDeque::new(),
            heading: None,
            aim: None,
            began: None,
        }
    }

    /// The cell for which it heads; `None` while it chases the target as without this.
    pub const fn aim(&self) -> Option<Cell> {
        self.aim
    }

    /// Records the target's cell. A target that was put elsewhere keeps its heading.
    fn follow(&mut self, target: Cell) {
        let heading = follow(&mut self.trail, target, HEADING_CELLS + 1);
        self.heading = heading.or(self.heading);
    }

    /// Forgets the target.
    fn forget(&mut self) {
        *self = Self::new(self.side);
    }
}

impl ApproachSide {
    /// Eighths of a turn from a target's heading, the best ones first. Cells at the sides of these
    /// are as good as none.
    const fn turns(self) -> &'static [i8] {
        match self {
            Self::Behind => &[4, 3, -3],
            Self::Beside => &[2, -2],
            Self::InFront => &[0, 1, -1],
        }
    }
}

/// Eighths of a turn from one direction to another, clockwise: -3 to 4.
fn turn(from: Direction, to: Direction) -> i8 {
    (to as i8 - from as i8 + 3).rem_euclid(8) - 3
}

behaviour_plugin! {
    /// Directs chasers with [`Approach`] to the side of their targets.
    ApproachPlugin
}

impl Plugin for ApproachPlugin {
    fn build(&self, app: &mut App) {
        add_shared(app, self.schedule);
        let choose_sides = choose_sides.run_if(any_with_component::<Approach>);
        app.add_systems(self.schedule, choose_sides.in_set(SteerSystems::Approach))
            .add_observer(release::<Remove<Chasing>>)
            .add_observer(release::<Remove<Approach>>);
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "ApproachPlugin");
    }
}

#[derive(QueryData)]
#[query_data(mutable)]
struct Approacher {
    approach: &'static mut Approach,
    chasing: &'static Chasing,
    stepper: Stepper,
}

/// Records where targets go, and selects the cells for which chasers head.
fn choose_sides(
    mut stepping: Stepping,
    mut chasers: ParamSet<(Query<Approacher>, Query<HeadingQuery>)>,
    maps: Query<&NavMap>,
    mut aims: Local<Vec<(Entity, Option<Cell>)>>,
) {
    for mut one in &mut chasers.p0() {
        let before = one.approach.aim;
        let on_map = one.stepper.on_map;
        let seen = stepping.target(one.chasing, on_map).copied();
        if let (Some(seen), Ok(map)) = (seen.filter(|seen| !seen.is_entered), maps.get(on_map.0)) {
            one.look(&seen, map, &stepping);
        } else if *one.approach != Approach::new(one.approach.side) {
            one.approach.forget();
        }
        let aim = one.approach.aim;
        if before.is_some() != aim.is_some()
            && one.stepper.cursor.guidance() == Some(Guidance::OwnPath)
        {
            // A path of the other purpose.
            one.stepper.cursor.drop_path();
        }
        if before.is_some() || aim.is_some() {
            aims.push((one.stepper.entity, aim));
        }
    }
    let mut headers = chasers.p1();
    for (agent, aim) in aims.drain(..) {
        if let Ok(mut header) = headers.get_mut(agent) {
            header.head_for(aim, &mut stepping);
        }
    }
}

impl ApproacherItem<'_, '_> {
    /// Records the target's cell and takes the aim of this tick.
    fn look(&mut self, target: &TargetSnapshot, map: &NavMap, stepping: &Stepping) {
        let at = target.position.cell;
        if self.approach.trail.front() != Some(&at) {
            self.approach.follow(at);
        }
        let (chaser, from) = (self.stepper.chaser, self.stepper.position.cell);
        let has_arrived = target.is_in_reach(chaser, map.grid(), from, &self.stepper.cursor);
        let aim = if has_arrived {
            None
        } else {
            self.aim(target, map, stepping)
        };
        let began = if has_arrived {
            None
        } else {
            (self.approach.began).or(aim.map(|_| stepping.now()))
        };
        if (self.approach.aim, self.approach.began) != (aim, began) {
            (self.approach.aim, self.approach.began) = (aim, began);
        }
    }

    /// The cell for which it heads now.
    fn aim(&self, target: &TargetSnapshot, map: &NavMap, stepping: &Stepping) -> Option<Cell> {
        let (approach, stepper, now) = (&*self.approach, &self.stepper, stepping.now());
        let (from, at) = (stepper.position.cell, target.position.cell);
        let is_aiming = approach.aim.is_some();
        let near = if is_aiming { 2 * NEAR } else { NEAR };
        let reach = stepper.chaser.stop_distance;
        let is_late = approach
            .began
            .is_some_and(|began| now >= began.after(PATIENCE));
        // The first aim takes a search, for which the interval has to be over.
        let may_search = is_aiming || now >= stepper.search_timer.next_search();
        let is_near = from.floor == at.floor && from.chebyshev(at) <= reach.saturating_add(near);
        if !is_near || is_late || !may_search || stepper.search_timer.failures() > 0 {
            return None;
        }
        let (heading, here) = (approach.heading?, heading(at, from)?);
        let (best, others) = approach.side.turns().split_first()?;
        let mut ways = [turned(heading, *best); 3];
        for (way, turn) in ways[1..].iter_mut().zip(others) {
            *way = turned(heading, *turn);
        }
        let ways = &mut ways[..=others.len()];
        if approach.side == ApproachSide::Beside {
            ways.sort_by_key(|&way| turn(here, way).abs());
        }
        let ways = ways.iter();
        ways.copied()
            .find_map(|way| self.toward(way, here, target, map, stepping))
    }

    /// The cell within reach on one side of the target, or one on the way around to it.
    fn toward(
        &self,
        side: Direction,
        here: Direction,
        target: &TargetSnapshot,
        map: &NavMap,
        stepping: &Stepping,
    ) -> Option<Cell> {
        let stepper = &self.stepper;
        let (chaser, grid) = (stepper.chaser, map.grid());
        let place = self.beside(target, side, chaser.stop_distance)?;
        let is_place = target.is_in_reach(chaser, grid, place, &stepper.cursor)
            && self.is_free(place, map, stepping);
        if !is_place {
            return None;
        }
        let eighths = turn(here, side);
        if eighths.abs() <= 1 {
            return Some(place);
        }
        let shorter = eighths.signum();
        let ways = [(shorter, eighths.abs()), (-shorter, 8 - eighths.abs())];
        ways.into_iter()
            .find_map(|way| self.around(here, way, target, map, stepping))
    }

    /// The next cell of a way around the target, just out of reach, by some eighths clockwise or
    /// counter-clockwise. A clear line leads from each to the next, so that no search goes around
    /// on the other side.
    fn around(
        &self,
        here: Direction,
        (by, eighths): (i8, i8),
        target: &TargetSnapshot,
        map: &NavMap,
        stepping: &Stepping,
    ) -> Option<Cell> {
        let chaser = self.stepper.chaser;
        let rules = chaser.rules.with_bodies(BodyPolicy::Ignore);
        let out = chaser.stop_distance.saturating_add(1);
        let mut last = self.stepper.position.cell;
        let mut next = None;
        for number in 1..eighths {
            let cell = self.beside(target, turned(here, by * number), out)?;
            let query = PathQuery::new(last, cell).with_rules(rules);
            let is_clear = LineOfSight::new(map.grid(), &query).sees(last, cell);
            if !is_clear || !self.is_free(cell, map, stepping) {
                return None;
            }
            last = cell;
            next = next.or(Some(cell));
        }
        next
    }

    /// The cell of the chaser on one side of the target, `out` cells from its body; `None` off the
    /// map.
    fn beside(&self, target: &TargetSnapshot, side: Direction, out: u16) -> Option<Cell> {
        let own = i32::from(self.stepper.chaser.rules.footprint.side());
        let area = target.area();
        let ((dx, dy), first, last) = (side.delta(), area.first(), area.last());
        let [x, y] = [(dx, first.x, last.x), (dy, first.y, last.y)].map(|(way, first, last)| {
            let (first, last, out) = (i32::from(first), i32::from(last), i32::from(out));
            let cell = match way {
                1 => last + out,
                0 => (first + last + 1 - own).div_euclid(2),
                _ => first - out - (own - 1),
            };
            u16::try_from(cell).ok()
        });
        Some(Cell::new(x?, y?).on_floor(first.floor))
    }

    /// Whether it fits on a cell, without another body in the way.
    fn is_free(&self, cell: Cell, map: &NavMap, stepping: &Stepping) -> bool {
        let rules = self.stepper.chaser.rules;
        map.grid().for_rules(rules).fits(cell, rules.footprint)
            && self.stepper.has_room(stepping, cell)
    }
}

/// Forgets the target of a chase that ended, and heads for no cell.
fn release<E: EventPattern<Event: EntityEvent>>(
    event: On<E>,
    mut chasers: Query<(&mut Approach, HeadingQuery)>,
) {
    if let Ok((mut approach, mut header)) = chasers.get_mut(event.event().event_target()) {
        approach.forget();
        header.release();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{East, North, NorthEast, South, West};

    #[test]
    fn turns_of_directions() {
        for (from, to, eighths) in [
            (North, North, 0),
            (North, East, 2),
            (North, West, -2),
            (North, South, 4),
            (West, NorthEast, 3),
            (NorthEast, West, -3),
        ] {
            assert_eq!(turn(from, to), eighths, "{from:?} to {to:?}");
            assert_eq!(turned(from, eighths), to, "{from:?} by {eighths}");
        }
    }

    #[test]
    fn heading_of_trail() {
        let mut approach = Approach::default();
        let cells = [(10, 10), (11, 10), (12, 10), (13, 10), (13, 11), (13, 12)];
        let expected = [None, Some(East), Some(East), Some(East), Some(East)];
        for (cell, heading) in cells.into_iter().zip(expected) {
            approach.follow(cell.into());
            assert_eq!(approach.heading, heading, "at {cell:?}");
        }
        approach.follow(cells[5].into());
        assert_eq!(approach.heading, Some(Direction::SouthEast));
        for y in 13..16 {
            approach.follow((13, y).into());
        }
        assert_eq!(approach.heading, Some(South));
        assert_eq!(approach.trail.len(), HEADING_CELLS + 1);
        approach.follow((40, 40).into());
        assert_eq!(approach.heading, Some(South), "put elsewhere");
        assert_eq!(approach.trail.len(), 1);
    }
}
