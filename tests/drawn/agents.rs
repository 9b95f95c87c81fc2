//! Who is in a scene: targets, chasers, and those who stand about.

use nav::{Body, BodyKind, Chaser, MoveTimer, NavTime, Period};
use nav_grid::{Area, Cell, Footprint};
use nav_testing::oracle;

/// Somebody to chase.
pub struct Target {
    /// Where it stands.
    pub at: Cell,
    /// The ground that it takes, if any.
    pub body: Option<Body>,
    /// Whether it is a destination.
    pub is_entered: bool,
}

/// Somebody who chases.
pub struct Npc {
    /// Where it stands.
    pub at: Cell,
    /// Which of the targets.
    pub target: usize,
    /// How it chases.
    pub chaser: Chaser,
    /// The ground that it takes, if any.
    pub body: Option<Body>,
    /// When its first step is due.
    pub first_step: NavTime,
    /// How long a step takes, and how long it takes to look again while it stands.
    pub periods: (Period, Period),
}

impl Npc {
    /// A ghost with the usual tuning, which is due at once.
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

    /// The periods of most.
    pub fn usual_periods() -> (Period, Period) {
        let MoveTimer { chasing, idle, .. } = MoveTimer::default();
        (chasing, idle)
    }
}

/// Somebody who stands about.
pub struct Idle {
    /// Where it stands.
    pub at: Cell,
    /// The ground that it takes.
    pub body: Body,
    /// Whether it could chase, and has nobody to.
    pub chaser: Option<Chaser>,
}

impl Target {
    /// A target without a body.
    pub fn at(at: Cell) -> Self {
        Self {
            at,
            body: None,
            is_entered: false,
        }
    }

    /// What chasers are to reach.
    pub fn goal(&self) -> oracle::Goal {
        oracle::Goal {
            cell: self.at,
            body: self.body.map_or(Footprint::ONE, |body| body.footprint),
            is_entered: self.is_entered,
        }
    }

    /// The cells that it covers.
    pub fn area(&self) -> Area {
        self.goal().area()
    }
}

/// Whether a body never shares a cell.
pub fn is_solid(body: Body) -> bool {
    body.kind == BodyKind::Solid
}
