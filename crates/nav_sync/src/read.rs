//! Reads the path of a chaser: its points ahead, and the arrival at each.

use crate::{
    agents::{PathStep, ShownAgent},
    clock::SyncClock,
    settings::SyncSettings,
    wire,
};
use bevy_ecs::prelude::*;
use nav::{
    CellPosition, Chaser, MoveTimer, NavMap, NavTime, OnMap, Pace, PathPoint, Period, UpcomingPath,
};
use nav_grid::{
    Cell,
    rules::{Cost, LinkKind},
};
use nav_protocol::{LinkAhead, POINTS_MAX, PathAhead};

/// The inputs for reading one chaser.
#[derive(Clone, Copy)]
pub(crate) struct Walker<'a> {
    pub(crate) entity: Entity,
    pub(crate) chaser: &'a Chaser,
    pub(crate) timer: MoveTimer,
    pub(crate) map: &'a NavMap,
    pub(crate) chases: Option<u64>,
}

/// Components of a chaser that are read.
pub(crate) type WalkerColumns = (
    &'static Chaser,
    &'static MoveTimer,
    &'static OnMap,
    &'static CellPosition,
);

/// Predicts the ticks of a chaser's next steps.
struct StepTimes {
    timer: MoveTimer,
    /// Cost of a straight step that takes one period. `None` if all steps take one period.
    straight: Option<Cost>,
}

impl StepTimes {
    /// Returns the tick of the next step, which costs `cost`, and after which the chaser is on a
    /// link for at least `stay`.
    fn next(&mut self, clock: &SyncClock, cost: Option<Cost>, stay: Period) -> u32 {
        let tick = clock.tick_at(self.timer.next_step);
        let moment = clock.moment_of(tick);
        // Steps keep their phase, unless one was late: then the next is a full period after it.
        let in_phase = self.timer.next_step.after(self.timer.chasing);
        self.timer.next_step = if in_phase > moment {
            in_phase
        } else {
            // A chaser takes one step a tick at most, also without a period.
            moment.after(self.timer.chasing.max(Period::from_micros(1)))
        };
        if let (Some(straight), Some(cost)) = (self.straight, cost) {
            self.timer.next_step = self.timer.prolonged(cost, straight);
        }
        self.timer.next_step = self.timer.next_step.max(moment.after(stay));
        tick
    }
}

/// A step reduced to what decides whether the path turns.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stride {
    columns: i32,
    rows: i32,
    cost: Option<Cost>,
}

/// Reads the path of a chaser in view, from its current cell.
///
/// Returns the number of steps read. With nothing ahead it returns 0 and leaves what was sent.
pub(crate) fn read_path(
    agent: &mut ShownAgent,
    walker: Walker,
    upcoming: &UpcomingPath,
    clock: &SyncClock,
    settings: &SyncSettings,
) -> u32 {
    // A path has the current place and at most one point per step.
    let steps = settings.steps.clamp(1, POINTS_MAX as u16 - 2);
    let Walker {
        chaser, timer, map, ..
    } = walker;
    let is_by_cost = chaser.pace == Pace::ByCost;
    let mut times = StepTimes {
        timer,
        straight: is_by_cost.then(|| chaser.rules.metric.straight()),
    };
    let mut ahead = upcoming.cells(walker.entity, steps).peekable();
    if ahead.peek().is_none() || timer.next_step == NavTime(u64::MAX) {
        return 0;
    }
    let jump = !agent.walks() && agent.stand.tick == clock.tick && agent.stand.jump;
    agent.steps.clear();
    agent.next = 0;
    // It left one period before it reaches the next cell, unless it arrived here later.
    let period = u64::from(timer.chasing.micros) * 1000;
    let set_off = clock.tick_before(NavTime(timer.next_step.0.saturating_sub(period)));
    let mut writer = PathWriter::begin(&mut agent.path, set_off.max(agent.arrived), agent.at, jump);
    let mut from = agent.cell;
    for point in ahead {
        let cost = is_by_cost
            .then(|| map.grid().move_cost(from, point.cell, chaser.rules))
            .flatten();
        let mut links = map.grid().for_rules(chaser.rules).links_from(from).iter();
        let link = links.find(|link| point.by_link && link.to == point.cell && link.millis > 0);
        let stay = Period::from_millis(link.map_or(0, |link| link.millis.into()));
        let tick = times.next(clock, cost, stay);
        agent.steps.push(PathStep {
            cell: point.cell,
            tick,
        });
        // It is at the end one period before it goes on, as after any step.
        let leaves = clock.tick_before(NavTime(times.timer.next_step.0.saturating_sub(period)));
        match link.filter(|_| leaves > tick) {
            Some(link) => writer.link(point, link.kind, leaves),
            None => writer.step(from, point, cost, tick),
        }
        from = point.cell;
    }
    writer.end();
    let read = agent.steps.len() as u32;
    // Fewer steps than requested mean the end of the path.
    agent.goes_on = read == u32::from(steps);
    agent.read = clock.tick;
    agent.path.id = agent.id;
    agent.path.chases = walker.chases;
    agent.path.speed = speed(map, &timer);
    agent.path.reach = wire::length(map.frame().cell_size() * f64::from(chaser.stop_distance));
    read
}

/// Returns the speed of a chaser on straight steps, in world units per second.
pub(crate) fn speed(map: &NavMap, timer: &MoveTimer) -> f32 {
    wire::length(map.frame().cell_size() * 1e6 / f64::from(timer.chasing.micros.max(1)))
}

/// Writes the points at which a path turns.
struct PathWriter<'a> {
    path: &'a mut PathAhead,
    /// The last step. Its end is not written yet, because the path may go straight on.
    last: Option<(Stride, [f32; 3], u32)>,
}

impl<'a> PathWriter<'a> {
    fn begin(path: &'a mut PathAhead, tick: u32, at: [f32; 3], jump: bool) -> Self {
        path.nav_path.clear();
        path.arrivals.clear();
        path.jumps.clear();
        path.links.clear();
        path.tick = tick;
        path.nav_path.push(at);
        path.arrivals.push(0);
        if jump {
            path.jumps.push(0);
        }
        Self { path, last: None }
    }

    /// Adds a step that is taken in `tick`.
    fn step(&mut self, from: Cell, point: PathPoint, cost: Option<Cost>, tick: u32) {
        let to = point.cell;
        let stride = Stride {
            columns: i32::from(to.x) - i32::from(from.x),
            rows: i32::from(to.y) - i32::from(from.y),
            cost,
        };
        let at = point.world.map(wire::coordinate);
        let is_straight = self.last.is_some_and(|(last, ..)| last == stride);
        // A point is needed at each turn and at both ends of a link.
        if point.by_link || from.floor != to.floor || !is_straight {
            self.end();
        }
        if point.by_link || from.floor != to.floor {
            if from.chebyshev(to) > 1 {
                self.path.jumps.push(self.path.nav_path.len() as u16);
            }
            self.push(at, tick);
        } else {
            self.last = Some((stride, at, tick));
        }
    }

    /// Adds a link at whose end it is in `tick`.
    fn link(&mut self, point: PathPoint, kind: LinkKind, tick: u32) {
        self.end();
        self.path.links.push(LinkAhead {
            point: self.path.nav_path.len() as u16,
            kind: kind.number(),
        });
        self.push(point.world.map(wire::coordinate), tick);
    }

    /// Writes the end of the last step.
    fn end(&mut self) {
        if let Some((_, at, tick)) = self.last.take() {
            self.push(at, tick);
        }
    }

    fn push(&mut self, at: [f32; 3], tick: u32) {
        self.path.nav_path.push(at);
        let after = tick.saturating_sub(self.path.tick);
        self.path.arrivals.push(after);
    }
}

/// Returns whether a move is too long for a step.
pub(crate) fn is_jump(from: Cell, to: Cell) -> bool {
    from.chebyshev(to) > 1
}
