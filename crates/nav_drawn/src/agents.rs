//! The agents of a scene: targets, chasers and idle bodies.

use nav::{Body, BodyKind, Chaser, MoveTimer, NavTime, Period};
use nav_grid::{Area, Cell, Footprint};
use nav_testing::oracle;

/// A target.
pub struct Target {
    /// The cell that it stands on.
    pub at: Cell,
    /// Its body, if it has one.
    pub body: Option<Body>,
    /// Whether it is a destination.
    pub is_entered: bool,
}

/// A chaser.
pub struct Npc {
    /// The cell that it stands on.
    pub at: Cell,
    /// The number of its target.
    pub target: usize,
    /// Its tuning.
    pub chaser: Chaser,
    /// Its body, if it has one.
    pub body: Option<Body>,
    /// The time of its first step.
    pub first_step: NavTime,
    /// The periods of its steps, while it chases and while it is idle.
    pub periods: (Period, Period),
}

impl Npc {
    /// Makes a ghost with the usual tuning, whose first step is due at once.
    pub fn at(at: Cell, target: usize) -> Self {
        Self {
            at,
            target,
            chaser: Chaser::default(),
            body: None,
            first_step: NavTime(0),
            periods: Self::usual_periods(),
        }
    }

    /// The periods of most chasers.
    pub fn usual_periods() -> (Period, Period) {
        let MoveTimer { chasing, idle, .. } = MoveTimer::default();
        (chasing, idle)
    }
}

/// An idle body.
pub struct Idle {
    /// The cell that it stands on.
    pub at: Cell,
    /// Its body.
    pub body: Body,
    /// Whether it has a `Chaser`, but no target.
    pub chaser: Option<Chaser>,
}

impl Target {
    /// Makes a target without a body.
    pub fn at(at: Cell) -> Self {
        Self {
            at,
            body: None,
            is_entered: false,
        }
    }

    /// Returns the goal of its chasers.
    pub fn goal(&self) -> oracle::Goal {
        oracle::Goal {
            cell: self.at,
            body: self.body.map_or(Footprint::ONE, |body| body.footprint),
            is_entered: self.is_entered,
        }
    }

    /// Returns the cells that it covers.
    pub fn area(&self) -> Area {
        self.goal().area()
    }
}

/// Whether a body never shares a cell.
pub fn is_solid(body: Body) -> bool {
    body.kind == BodyKind::Solid
}
