//! The fields of a scenario file, with their defaults.

use super::{limits, map::MapSource};
use crate::Roads;
use nav::Reach;
use nav_grid::{
    Cell, CornerRule, Limits, Method, Metric, Rules,
    map::FloorHeights,
    query::Fallback,
    rules::{BodyPolicy, ClassCosts, Cost, Heuristic, LinkKinds},
};
use serde::{Deserialize, Serialize};

/// Everything that determines a run: the same scenario gives the same digest on every machine, for
/// any number of threads.
///
/// Read from a RON file with [`Scenario::load`]. Missing fields have their defaults, which are all
/// written out in `assets/scenarios/default.ron`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scenario {
    /// The map: a file, parameters of a generated map, or a drawing. By default the 512×512 map of
    /// mixed terrain that is part of the program. In a scenario file, a relative path starts at
    /// that file's folder.
    pub map: Option<MapSource>,
    /// Heights of the floors in the world, as sent to clients: [`FloorHeights::Storeys`] of a
    /// height above 0, or [`FloorHeights::Each`] with one per floor, rising. By default those of
    /// the map file; without any, all floors are at the height of the origin.
    pub heights: Option<FloorHeights>,
    /// Number of chasers, 0 to 5,000,000; 2,000 by default. With 0, the run measures the world
    /// without chasers.
    pub chasers: u32,
    /// Number of targets, 1 to 1,000,000; 16 by default. All have about the same number of chasers,
    /// which are spawned one after another.
    pub targets: u32,
    /// Simulated time in seconds, up to a day; 60 by default.
    pub seconds: f64,
    /// Ticks per simulated second, 1 to 1,000; 20 by default, as on many game servers.
    pub hz: u32,
    /// Seed of everything random: where agents start and where targets go. 1 by default.
    pub seed: u64,
    /// Threads, 1 to 1,024; by default as many as the machine runs at once. They do not affect the
    /// digest.
    pub threads: Option<u32>,
    /// Method for the searches of all chasers; [`Method::Auto`] by default. Its indexes are built
    /// before the first tick.
    pub method: Method,
    /// The main roads of the map, used by [`Method::Trunk`]; [`Roads::Auto`] by default.
    pub roads: Roads,
    /// Limit for the work of a tick, in expansions, at least 1; by default that of
    /// [`nav::NavBudget`].
    pub budget: Option<u32>,
    /// Where chasers start.
    pub spawn: Spawn,
    /// Whether chasers occupy cells; [`Bodies::None`] by default.
    pub bodies: Bodies,
    /// Sides of chasers in cells, in turn: with `[1, 3]` every other chaser is 3×3. One to eight
    /// numbers of 1 to 8; `[1]` by default.
    pub sizes: Vec<u8>,
    /// Cells of solid bodies of one cell that never move; none by default.
    pub idle: Vec<Cell>,
    /// Walkable cells in which the first targets start. The other targets start anywhere. None by
    /// default.
    pub target_cells: Vec<Cell>,
    /// Whether steps are spread over the ticks of a step period, so that not all chasers step in
    /// the same tick. The first move tick of each is delayed by a part of the period, the same for
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
    /// Returns the ticks of the run: simulated time times rate, rounded to the nearest.
    ///
    /// At most 10,000,000 in a scenario that passes [`Scenario::check`].
    pub fn ticks(&self) -> u64 {
        (self.seconds * f64::from(self.hz)).round() as u64
    }

    /// Returns the number of threads: the one in the scenario, or as many as the machine runs at
    /// once.
    pub fn threads_or_all(&self) -> u32 {
        self.threads.unwrap_or_else(all_threads)
    }
}

/// Returns as many threads as the machine runs at once.
pub fn all_threads() -> u32 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (cores as u32).min(limits::THREADS_MAX)
}

/// Where chasers start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Spawn {
    /// Around their target, on a walkable cell from `min` to `max` cells away along the wider axis.
    Near {
        /// Least distance in cells, at least 1.
        min: u16,
        /// Greatest distance in cells.
        max: u16,
    },
    /// On any walkable cell of the map.
    Anywhere,
    /// One corner.
    Within {
        /// One corner.
        first: Cell,
        /// The opposite corner, included.
        last: Cell,
    },
}

impl Default for Spawn {
    /// 5 to 20 cells away: in sight, and inside the default window of searches.
    fn default() -> Self {
        Self::Near { min: 5, max: 20 }
    }
}

/// Whether chasers occupy cells. Targets never do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Bodies {
    /// Any number of chasers may share a cell.
    #[default]
    None,
    /// Every chaser starts on its own cell and has a body. Others may pass through it.
    Soft,
    /// Every chaser starts on its own cell and has a body. Others may not pass through it.
    Solid,
}

/// How chasers chase.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChaserTuning {
    /// Half the side of the search window in cells, 1 to 16,384; 20 by default.
    pub radius: u16,
    /// Most expansions of one search, at least 1; 150 by default.
    pub expansions: u32,
    /// Greatest cost of a path, in the units of the metric; no limit by default.
    pub cost: Cost,
    /// Least time between two searches of a chaser in seconds, 0 to 3,600; 0.5 by default.
    pub repath_seconds: f64,
    /// Least movement of the target since the last search before the next one, in cells along
    /// either axis, 0 to 16,384; 0.5 by default, so that any step counts.
    pub repath_distance: f64,
    /// The part of a far way, one in this many, by which the target must have moved, too; 8 by
    /// default, 0 for none.
    pub repath_share: u8,
    /// Distance from the target at which to stop, 1 to 65,535; 1 by default.
    pub stop_distance: u16,
    /// How much farther a reached target may go before the chase continues; 0 by default.
    pub stop_hysteresis: u16,
    /// How that distance is measured; [`Reach::Steps`] by default.
    pub reach: Reach,
    /// Whether a target at the end of a link is in reach from the start of the link; false by
    /// default.
    pub reach_through_links: bool,
    /// Time between two steps while chasing, in seconds, above 0; 0.25 by default.
    pub step_seconds: f64,
    /// Time between two checks without anything to do, in seconds, above 0; 0.5 by default.
    pub idle_seconds: f64,
    /// Cost of steps; [`Metric::Unit`] by default.
    pub metric: Metric,
    /// Which diagonal steps walls forbid; [`CornerRule::Strict`] by default.
    pub corners: CornerRule,
    /// Which bodies count as walls for searches; [`BodyPolicy::Ignore`] by default.
    pub bodies: BodyPolicy,
    /// Costs of terrain classes, from class 0 on: 0 forbids a class, others multiply step costs,
    /// and those left out are 1. Empty by default.
    pub classes: ClassCosts,
    /// Kinds of links that it may not take: a list of numbers from 0 to 15. Empty by default.
    pub links: LinkKinds,
    /// How searches estimate the remaining cost; [`Heuristic::OpenGround`] by default.
    pub heuristic: Heuristic,
    /// Result of a search that does not reach the target; [`Fallback::ClosestReached`] by default,
    /// because a chaser that comes nearer looks better than a waiting one.
    pub fallback: Fallback,
    /// Whether a step takes `step_seconds` times its cost, so that a swamp slows; false by default.
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
            repath_distance: 0.5,
            repath_share: 8,
            stop_distance: 1,
            stop_hysteresis: 0,
            reach: Reach::Steps,
            reach_through_links: false,
            step_seconds: 0.25,
            idle_seconds: 0.5,
            metric: Metric::Unit,
            corners: CornerRule::Strict,
            bodies: BodyPolicy::Ignore,
            classes: ClassCosts::ALL,
            links: LinkKinds::ALL,
            heuristic: Heuristic::OpenGround,
            fallback: Fallback::ClosestReached,
            pace_by_cost: false,
        }
    }
}

impl ChaserTuning {
    /// Returns the movement rules of its searches.
    pub const fn rules(&self) -> Rules {
        Rules::new(self.metric, self.corners)
            .with_classes(self.classes)
            .with_links(self.links)
            .with_bodies(self.bodies)
    }

    /// Returns the limits of its searches.
    pub const fn limits(&self) -> Limits {
        Limits {
            radius: self.radius,
            expansions: self.expansions,
            cost: self.cost,
        }
    }
}

/// How targets move: they wander or stand.
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
