//! The fields of a scenario file, with their defaults.

use super::{limits, map::MapSource};
use crate::Roads;
use nav_grid::{
    Cell, CornerRule, Limits, Method, Metric, Rules,
    map::FloorHeights,
    query::Fallback,
    rules::{Cost, Heuristic},
};
use serde::{Deserialize, Serialize};

/// Everything that decides how a run goes: the same scenario gives the same digest, whatever
/// the machine and the number of threads.
///
/// Read from a RON file with [`Scenario::load`]; fields that the file leaves out have their
/// defaults. `assets/scenarios/default.ron` spells all of them out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scenario {
    /// Map file, how the map is generated, or its drawing; by default the 512×512 map of mixed terrain that is part
    /// of the program. In a scenario file, a relative path starts at that file's folder.
    pub map: Option<MapSource>,
    /// How high the floors of the map lie in the world, as clients are sent it: [`FloorHeights::Storeys`] of
    /// a height above 0, or [`FloorHeights::Each`] with one for each floor, rising. By default as the map
    /// file says; those that say nothing have all floors at the height of the origin.
    pub heights: Option<FloorHeights>,
    /// Number of chasers, 0 to 5,000,000; 2,000 by default. None at all is the base line that
    /// shows what the world costs without them.
    pub chasers: u32,
    /// Number of targets, 1 to 1,000,000; 16 by default. All have about as many chasers, which are
    /// spawned one after another.
    pub targets: u32,
    /// Simulated time in seconds, up to a day; 60 by default.
    pub seconds: f64,
    /// Ticks per simulated second, 1 to 1,000; 20 by default, as on many game servers.
    pub hz: u32,
    /// Seed of everything random: where agents start and where targets go. 1 by default.
    pub seed: u64,
    /// Threads to run on, 1 to 1,024; by default as many as the machine runs at once. The
    /// digest does not depend on it.
    pub threads: Option<u32>,
    /// Method that answers the searches of all chasers; [`Method::Auto`] by default. What it
    /// needs of the map is prepared before the first tick.
    pub method: Method,
    /// Where the main roads of the map run, by which [`Method::Trunk`] walks;
    /// [`Roads::Auto`] by default.
    pub roads: Roads,
    /// Work that all searches of a tick may do together, in expansions, at least 1; without a bound by
    /// default. See [`nav::NavBudget`].
    pub budget: Option<u32>,
    /// Where chasers start.
    pub spawn: Spawn,
    /// Whether chasers take up room; [`Bodies::None`] by default.
    pub bodies: Bodies,
    /// How many cells wide and high chasers are, in turn: with `[1, 3]` every other one is 3×3. One to
    /// eight numbers of 1 to 8; `[1]` by default.
    pub sizes: Vec<u8>,
    /// Cells in which solid bodies of one cell stand that never move; none by default.
    pub idle: Vec<Cell>,
    /// Cells in which the first targets start, on ground; the others start anywhere. None by default.
    pub target_cells: Vec<Cell>,
    /// Whether steps are spread over the ticks of a step period, so that not all chasers step in
    /// the same tick: the first move tick of each is delayed by a part of the period, equally for
    /// [`nav::MoveTimer::TURN`] chasers in a row. False by default.
    pub stagger: bool,
    /// How chasers chase.
    pub chaser: ChaserTuning,
    /// How targets move.
    pub target: TargetTuning,
}

impl Default for Scenario {
    fn default() -> Self {
        Self {
            map: None,
            heights: None,
            chasers: 2_000,
            targets: 16,
            seconds: 60.0,
            hz: 20,
            seed: 1,
            threads: None,
            method: Method::Auto,
            roads: Roads::Auto,
            budget: None,
            spawn: Spawn::default(),
            bodies: Bodies::default(),
            sizes: vec![1],
            idle: Vec::new(),
            target_cells: Vec::new(),
            stagger: false,
            chaser: ChaserTuning::default(),
            target: TargetTuning::default(),
        }
    }
}

impl Scenario {
    /// Number of ticks of the run: simulated time times rate, rounded to the nearest.
    ///
    /// At most 10,000,000 in a scenario that passes [`Scenario::check`].
    pub fn ticks(&self) -> u64 {
        (self.seconds * f64::from(self.hz)).round() as u64
    }

    /// Number of threads to run on: the one asked for, or as many as the machine runs at once.
    pub fn threads_or_all(&self) -> u32 {
        self.threads.unwrap_or_else(all_threads)
    }
}

/// As many threads as the machine runs at once.
pub(crate) fn all_threads() -> u32 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (cores as u32).min(limits::THREADS_MAX)
}

/// Where chasers start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Spawn {
    /// Around their target, on a walkable cell from `min` to `max` columns or rows away,
    /// whichever is more.
    Near {
        /// Smallest distance in cells, at least 1.
        min: u16,
        /// Greatest distance in cells.
        max: u16,
    },
    /// On any walkable cell of the map.
    Anywhere,
    /// On any walkable cell of a rectangle of one floor.
    Within {
        /// A corner of it.
        first: Cell,
        /// The opposite corner, which is part of it.
        last: Cell,
    },
}

impl Default for Spawn {
    /// 5 to 20 cells away: in sight, and inside the window that chasers search by default.
    fn default() -> Self {
        Self::Near { min: 5, max: 20 }
    }
}

/// Whether chasers take up room. Targets never do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Bodies {
    /// Any number of chasers may be on a cell.
    #[default]
    None,
    /// Every chaser starts on a cell of its own and has a body; others may pass through it.
    Soft,
    /// Every chaser starts on a cell of its own and has a body; others may not pass through it.
    Solid,
}

/// How chasers chase.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChaserTuning {
    /// Half the side of the window that is searched, in cells, 1 to 16,384; 20 by default.
    pub radius: u16,
    /// Greatest number of expansions of one search, at least 1; 150 by default.
    pub expansions: u32,
    /// Greatest cost of a path, in the units of the metric; no limit by default.
    pub cost: Cost,
    /// Shortest time between two searches of one chaser, in seconds, 0 to 3,600; 0.5 by
    /// default.
    pub repath_seconds: f64,
    /// How far the target must have moved since the last search before the next one, in
    /// cells along either axis, 0 to 16,384; 0.5 by default, so any step counts.
    pub displacement: f64,
    /// Waypoints to stay away from the target, 1 to 65,535; 1 by default.
    pub stop_distance: u16,
    /// How many waypoints further a target may go that was in reach; 0 by default.
    pub stop_slack: u16,
    /// Whether a target further than one step away has to be in sight; false by default.
    pub needs_sight: bool,
    /// Whether a target at the end of a link is in reach from where that begins; false by default.
    pub reach_through_links: bool,
    /// Time between two steps while chasing, in seconds, above 0; 0.25 by default.
    pub step_seconds: f64,
    /// Time between two looks around while there is nothing to do, in seconds, above 0; 0.5 by
    /// default.
    pub idle_seconds: f64,
    /// Cost of steps; [`Metric::Unit`] by default.
    pub metric: Metric,
    /// Which diagonal steps walls forbid; [`CornerRule::Strict`] by default.
    pub corners: CornerRule,
    /// How a search guesses the cost that remains; [`Heuristic::OpenGround`] by default.
    pub heuristic: Heuristic,
    /// What a search returns that does not reach the target; [`Fallback::ClosestReached`] by default,
    /// since a chaser that comes nearer looks better than one that stands still.
    pub fallback: Fallback,
    /// Whether a step takes as many times `step_seconds` as it costs, so that a swamp slows; it does
    /// not by default.
    pub pace_by_cost: bool,
}

impl Default for ChaserTuning {
    fn default() -> Self {
        let Limits {
            radius,
            expansions,
            cost,
        } = Limits::default();
        Self {
            radius,
            expansions,
            cost,
            repath_seconds: 0.5,
            displacement: 0.5,
            stop_distance: 1,
            stop_slack: 0,
            needs_sight: false,
            reach_through_links: false,
            step_seconds: 0.25,
            idle_seconds: 0.5,
            metric: Metric::Unit,
            corners: CornerRule::Strict,
            heuristic: Heuristic::OpenGround,
            fallback: Fallback::ClosestReached,
            pace_by_cost: false,
        }
    }
}

impl ChaserTuning {
    /// How a chaser moves, as searches take it.
    pub const fn rules(&self) -> Rules {
        Rules::new(self.metric, self.corners)
    }

    /// When a chaser's search gives up, as searches take it.
    pub const fn limits(&self) -> Limits {
        Limits {
            radius: self.radius,
            expansions: self.expansions,
            cost: self.cost,
        }
    }
}

/// How targets move: they wander, or stand.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TargetTuning {
    /// Time between two steps, in seconds, above 0; 0.4 by default, so chasers are faster.
    pub step_seconds: f64,
    /// Whether targets stand where they start; false by default.
    pub stands: bool,
}

impl Default for TargetTuning {
    fn default() -> Self {
        Self {
            step_seconds: 0.4,
            stands: false,
        }
    }
}
