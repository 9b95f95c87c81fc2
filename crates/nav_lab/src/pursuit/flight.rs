//! How a target moves: plain functions of the grid, the random generator and the places of the
//! pursuers.

use nav_grid::{Cell, Direction, Grid, Rules};
use rand::RngExt;
use serde::{Deserialize, Serialize};

/// Ticks of 50 ms between steps at the speed of a default chaser.
const FULL_SPEED: u64 = 5;

/// A way in which a target moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FlightKind {
    /// Step by step at the chaser's speed, with a turn every few steps.
    Wander,
    /// As [`Wander`](Self::Wander), at half the speed.
    Stroll,
    /// Around a pillar at five sevenths of the chaser's speed, so that bodies catch up.
    Circle,
    /// Step by step at half the chaser's speed, away from the nearest pursuer.
    Flee,
    /// Smoothly at three quarters of the chaser's speed, away from the nearest pursuer.
    FleeSmoothly,
}

impl FlightKind {
    /// All kinds, in the order of the table.
    pub const ALL: [Self; 5] = [
        Self::Wander,
        Self::Stroll,
        Self::Circle,
        Self::Flee,
        Self::FleeSmoothly,
    ];

    /// Returns the name used in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wander => "wander",
            Self::Stroll => "stroll",
            Self::Circle => "circle",
            Self::Flee => "flee",
            Self::FleeSmoothly => "flee smoothly",
        }
    }

    /// Returns the ticks between two steps.
    const fn period(self) -> u64 {
        match self {
            Self::Wander => FULL_SPEED,
            Self::Circle => FULL_SPEED + 2,
            Self::Stroll | Self::Flee => 2 * FULL_SPEED,
            Self::FleeSmoothly => 1,
        }
    }
}

/// A moving target.
#[derive(Clone, Debug)]
pub struct Flight {
    kind: FlightKind,
    /// Column and row, with fractions.
    place: [f64; 2],
    /// Heading in radians; 0 is east.
    angle: f64,
    /// Offset of its steps in ticks.
    phase: u64,
}

impl Flight {
    /// Creates a target in the middle of a cell. `phase` shifts its steps by ticks.
    pub fn new(kind: FlightKind, start: Cell, phase: u64) -> Self {
        Self {
            kind,
            place: [start.x.into(), start.y.into()],
            angle: 0.7,
            phase,
        }
    }

    /// Moves by one tick. Returns column and row.
    pub fn tick(
        &mut self,
        grid: &Grid,
        random: &mut impl RngExt,
        pursuers: &[Cell],
        tick: u64,
    ) -> [f64; 2] {
        if (tick + self.phase).is_multiple_of(self.kind.period()) {
            match self.kind {
                FlightKind::Wander | FlightKind::Stroll => self.wander(grid, random),
                FlightKind::Circle => self.circle(grid),
                FlightKind::Flee => self.flee(grid, pursuers),
                FlightKind::FleeSmoothly => self.flee_smoothly(grid, random, pursuers),
            }
        }
        self.place
    }

    fn cell(&self) -> Cell {
        Cell::new(self.place[0].round() as u16, self.place[1].round() as u16)
    }

    fn go(&mut self, to: Cell) {
        self.place = [to.x.into(), to.y.into()];
    }

    /// Returns the legal steps, each with its angle.
    fn steps(&self, grid: &Grid) -> Vec<(Cell, f64)> {
        let from = self.cell();
        let ways = grid.steps(from, Rules::default()).into_iter();
        ways.filter_map(|way: Direction| {
            let (dx, dy) = way.delta();
            let angle = f64::from(dy).atan2(f64::from(dx));
            Some((from.step(way)?, angle))
        })
        .collect()
    }

    /// Keeps its heading, and turns at random or where it has to.
    fn wander(&mut self, grid: &Grid, random: &mut impl RngExt) {
        if random.random_range(0..5_u32) == 0 {
            self.angle += random.random_range(-2.0..2.0);
        }
        let steps = self.steps(grid);
        let turns = steps
            .iter()
            .map(|&(to, angle)| (to, angle, off(angle, self.angle)));
        if let Some((to, angle, turn)) = turns.min_by(|one, other| one.2.total_cmp(&other.2)) {
            if turn > 0.8 {
                self.angle = angle;
            }
            self.go(to);
        }
    }

    /// Follows the wall on its right: takes the first open direction, starting from the right.
    fn circle(&mut self, grid: &Grid) {
        let steps = self.steps(grid);
        let right = std::f64::consts::FRAC_PI_2;
        // The right-hand rule: right, ahead, left, back.
        for turn in [right, 0.0, -right, 2.0 * right] {
            let wished = (self.angle / right).round() * right + turn;
            let found = steps.iter().find(|(_, angle)| {
                let is_straight = (angle / right).fract().abs() < 1e-9;
                is_straight && off(*angle, wished) < 0.1
            });
            if let Some(&(to, angle)) = found {
                self.angle = angle;
                self.go(to);
                return;
            }
        }
    }

    /// Takes the step farthest from the nearest pursuer, straight on among equals.
    fn flee(&mut self, grid: &Grid, pursuers: &[Cell]) {
        let Some(nearest) = self.nearest(pursuers) else {
            return;
        };
        let scored = self.steps(grid).into_iter().map(|(to, angle)| {
            let far = f64::from(to.x.abs_diff(nearest.x)).hypot(to.y.abs_diff(nearest.y).into());
            (to, angle, far - off(angle, self.angle) * 0.1)
        });
        if let Some((to, angle, _)) = scored.max_by(|one, other| one.2.total_cmp(&other.2)) {
            self.angle = angle;
            self.go(to);
        }
    }

    /// Moves away from the nearest pursuer, as directly as walls allow.
    fn flee_smoothly(&mut self, grid: &Grid, random: &mut impl RngExt, pursuers: &[Cell]) {
        if let Some(nearest) = self.nearest(pursuers) {
            let dx = self.place[0] - f64::from(nearest.x);
            let dy = self.place[1] - f64::from(nearest.y);
            if dx.hypot(dy) > 0.1 {
                self.angle = dy.atan2(dx);
            }
        }
        let side = if random.random_range(0..2_u32) == 0 {
            1.0
        } else {
            -1.0
        };
        let from = self.cell();
        for turn in 0..16 {
            let turn = f64::from((turn + 1) / 2) * if turn % 2 == 0 { side } else { -side };
            let angle = self.angle + turn * 0.3;
            let x = self.place[0] + angle.cos() * 0.15;
            let y = self.place[1] + angle.sin() * 0.15;
            let to = Cell::new(x.round().max(0.0) as u16, y.round().max(0.0) as u16);
            if to == from || grid.allows_step(from, to, Rules::default()) {
                self.angle = angle;
                self.place = [x, y];
                return;
            }
        }
    }

    fn nearest(&self, pursuers: &[Cell]) -> Option<Cell> {
        let here = self.cell();
        (pursuers.iter().copied())
            .min_by_key(|&cell| (cell.chebyshev(here), cell.manhattan(here), cell))
    }
}

/// Returns the angle between two directions.
fn off(one: f64, other: f64) -> f64 {
    let turn = std::f64::consts::TAU;
    let between = (one - other).rem_euclid(turn);
    between.min(turn - between)
}
