//! The tuning of chasers.

use super::{
    AgentId, CellPosition, LastMap, LastSettings, LastWorldPosition, MoveTimer, NavTimer,
    PathCursor, Tuning, chase::interrupt, tuning::leave_group,
};
use crate::Period;
use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav_grid::{
    Cell, CornerRule, Limits, Method, Metric, PathQuery, Rules, query::Fallback, rules::Heuristic,
};
use std::hash::Hash;

/// The tuning of an NPC that can chase: how it moves and how often it searches.
///
/// Give it a target with [`Chasing`](super::Chasing) and a map with [`OnMap`](super::OnMap). Tuning
/// may change at any time and counts from the next decision on.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Default, Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[require(
    AgentId,
    CellPosition,
    PathCursor,
    NavTimer,
    MoveTimer,
    Tuning,
    LastSettings,
    LastMap
)]
#[component(on_add = enlist, on_remove = retire, summary_tick)]
pub struct Chaser {
    /// The shortest time between two searches of the chaser; 0.5 s by default, about as long as a
    /// player's change of direction goes unnoticed.
    ///
    /// A path that is used up or cut off is replaced at once. Failed searches are repeated after up
    /// to eight times as long, and searches that found nothing to follow only after a change: see
    /// [`NavTimer`]. It is also the interval at which a shared field follows a target that is far
    /// away.
    pub repath_interval: Period,
    /// How far the target must have moved since the last search, in cells along either axis, to
    /// cause another one; at least 0, by default 0.5.
    ///
    /// It only throttles: a chaser at the end of its path and out of reach searches again anyway.
    /// An invalid number is [refused](crate::ValueRefused) and set back to the last valid one.
    pub repath_distance: f32,
    /// The part of the way that is left by which a far target must have moved, too, for another
    /// search: one in this many, by default an eighth. 0 for any distance.
    ///
    /// On a way of 100 steps the target moves 12 cells between two searches; the way is not much
    /// longer than the shortest one by then. Counts for paths of more than 32 waypoints, and for
    /// the field that far chasers share. Paths that only lead nearer are kept twice as long.
    ///
    /// Measured on the scenario `crowd-10k`: a sixteenth takes 45 % more searches, a quarter 29 %
    /// fewer. The number of arrivals changes by less than 1 %.
    pub repath_share: u8,
    /// The distance within which the target is within reach, as [`reach`](Self::reach) measures it;
    /// at least 1, the default.
    ///
    /// A chaser never steps onto its target's cell, and leaves its cell if the target enters it.
    /// Distances are those between the nearest cells of both bodies. A
    /// [`Destination`](super::Destination) is entered whatever this says.
    pub stop_distance: u16,
    /// How much further than the stop distance a target within reach may move away before the
    /// chaser follows; 0 by default.
    ///
    /// With some hysteresis, ranged attackers do not follow every step of their target.
    pub stop_hysteresis: u16,
    /// How the distance to a target is measured; [`Reach::Steps`] by default, as for a blow.
    pub reach: Reach,
    /// Whether a target at the end of a link is within reach from the beginning of the link, as for
    /// an archer at a window; off by default, since a fighter cannot strike through a teleporter.
    pub reach_through_links: bool,
    /// Step costs, corner rule, footprint and the cost of bodies in the way.
    ///
    /// By default every step costs 1, since it takes one move tick, corners are strict, the
    /// footprint is one cell, and bodies cost nothing.
    pub rules: Rules,
    /// The heuristic of searches; admissible by default.
    pub heuristic: Heuristic,
    /// The window of one search, by default of radius 20. [`Method::Auto`] finds every way inside
    /// it. Other methods also stop after a number of expansions, 150 by default.
    ///
    /// Where the window shows no way, a search looks over the whole map, by regions and portals
    /// that the map [prepares](super::NavMap#preparation) by itself. That takes [`Method::Auto`], a
    /// [fallback](Self::fallback), an admissible heuristic, and rules that ignore bodies. It is
    /// part of the tick's [budget](crate::NavBudget), and goes on in the next tick where that ends.
    pub limits: Limits,
    /// The path to follow when a search does not reach the target; [`Fallback::ClosestReached`] by
    /// default, since approaching looks better than standing.
    ///
    /// With it all methods but [`Method::Line`] also approach a target beyond the window or in a
    /// wall. The chaser walks to the reachable cell nearest to the target, then searches again
    /// every interval while that helps. When it no longer does, the chaser waits for a change: see
    /// [`NavTimer`]. With [`Fallback::None`] it waits where it is.
    pub fallback: Fallback,
    /// The search method; [`Method::Auto`] by default, which supports everything and picks what
    /// suits the query.
    ///
    /// Any other method answers as it does by itself, but for goals out of reach and starts in a
    /// wall. What it does not support fails with
    /// [`Status::Unsupported`](nav_grid::Status::Unsupported). Some methods need an
    /// [index](super::NavMap#preparation) of the map.
    ///
    /// Chasers with a [`Body`](super::Body) share a [field](crate::Guidance::SharedField) within 8
    /// cells of a moving target with other chasers even if they name a method, since a path does
    /// not avoid bodies. Only [`Method::Line`] never does.
    pub method: Method,
    /// How long a step takes; [`Pace::Even`] by default.
    pub pace: Pace,
}

impl Default for Chaser {
    fn default() -> Self {
        Self {
            repath_interval: Period::from_millis(500),
            repath_distance: 0.5,
            repath_share: 8,
            stop_distance: 1,
            stop_hysteresis: 0,
            reach: Reach::Steps,
            reach_through_links: false,
            rules: Rules::default(),
            heuristic: Heuristic::default(),
            limits: Limits::default(),
            fallback: Fallback::ClosestReached,
            method: Method::Auto,
            pace: Pace::Even,
        }
    }
}

impl Chaser {
    /// A fighter: the default chaser. For zombies, wolves and guards of any game.
    ///
    /// It stops one step from its target, since a blow reaches a neighbouring cell, and looks again
    /// every half second, about as long as a change of direction goes unnoticed.
    ///
    /// ```
    /// # use nav::Chaser;
    /// # use std::time::Duration;
    /// let boss = Chaser::melee().with_repath_interval(Duration::from_millis(200));
    /// assert_eq!(boss.stop_distance, 1);
    /// ```
    pub fn melee() -> Self {
        Self::default()
    }

    /// An archer or caster that stops `cells` from its target, at least 1, where it
    /// [sees](Reach::Sight) it: also across a fence or a river. For shooters of any game.
    ///
    /// The target may move away two cells more before the archer follows. With 1 it would answer
    /// every second step of a target that walks off; the rest is a guess.
    ///
    /// ```
    /// # use nav::{Chaser, Reach};
    /// let archer = Chaser::ranged(6);
    /// assert_eq!((archer.reach, archer.stop_hysteresis), (Reach::Sight, 2));
    /// ```
    pub fn ranged(cells: u16) -> Self {
        Self {
            stop_distance: cells.max(1),
            stop_hysteresis: 2,
            reach: Reach::Sight,
            ..Self::default()
        }
    }

    /// A unit of a strategy game, whose way and speed are those of the ground: diagonal steps cost
    /// and last √2 as long as straight ones, and a step onto costly ground as long as that costs.
    ///
    /// At unit cost a zigzag is as good as a straight way, which shows on open ground. The octile
    /// metric makes ways turn as little as they can.
    ///
    /// ```
    /// # use nav::{Chaser, Pace, nav_grid::Metric};
    /// let tank = Chaser::rts();
    /// assert_eq!((tank.rules.metric, tank.pace), (Metric::Octile, Pace::ByCost));
    /// ```
    pub fn rts() -> Self {
        let mut chaser = Self::default();
        chaser.rules.metric = Metric::Octile;
        chaser.pace = Pace::ByCost;
        chaser
    }

    /// The chaser of many MMO servers, for a game that moves here and keeps its ways: A* at unit
    /// cost with the Manhattan heuristic, past the corners of walls, and nothing to follow after a
    /// failure. [`PathQuery::classic`] says what that gives up.
    ///
    /// A window of radius 20 and 150 expansions are what such servers allow a search. The target's
    /// cell is all that they know of it, so any change of cell counts: the re-path distance is 0.
    /// Within its cell a target that has a [`WorldPosition`](super::WorldPosition) counts, too.
    ///
    /// ```
    /// # use nav::{Chaser, nav_grid::CornerRule};
    /// let npc = Chaser::classic();
    /// assert_eq!((npc.limits.radius, npc.limits.expansions), (20, 150));
    /// assert_eq!(npc.rules.corners, CornerRule::Cut);
    /// ```
    pub fn classic() -> Self {
        Self {
            repath_distance: 0.0,
            repath_share: 0,
            rules: Rules::new(Metric::Unit, CornerRule::Cut),
            heuristic: Heuristic::Manhattan,
            limits: Limits {
                radius: 20,
                expansions: 150,
                ..Limits::default()
            },
            fallback: Fallback::None,
            method: Method::AStar,
            ..Self::default()
        }
    }

    setters! {
        /// Replaces the shortest time between two searches.
        with_repath_interval(repath_interval: impl Into<Period>);
        /// Replaces how far the target must have moved for another search, in cells.
        with_repath_distance(repath_distance: f32);
        /// Replaces the part of the way that is left by which a far target must have moved.
        with_repath_share(repath_share: u8);
        /// Replaces the distance within which the target is within reach.
        with_stop_distance(stop_distance: u16);
        /// Replaces how much further a target within reach may move away.
        with_stop_hysteresis(stop_hysteresis: u16);
        /// Replaces how the distance to a target is measured.
        with_reach(reach: Reach);
        /// Sets whether the target is within reach through a link.
        with_reach_through_links(reach_through_links: bool);
        /// Replaces step costs, corner rule, footprint and the cost of bodies.
        with_rules(rules: Rules);
        /// Replaces the heuristic.
        with_heuristic(heuristic: Heuristic);
        /// Replaces the window and its limits.
        with_limits(limits: Limits);
        /// Replaces what to follow when a search does not reach the target.
        with_fallback(fallback: Fallback);
        /// Replaces the search method.
        with_method(method: Method);
        /// Replaces how long a step takes.
        with_pace(pace: Pace);
    }

    /// All settings as words, for fingerprints. Names all fields, without `..`: a new field must be
    /// added.
    pub(crate) fn words(&self) -> impl Hash + use<> {
        let Self {
            repath_interval,
            repath_distance,
            repath_share,
            stop_distance,
            stop_hysteresis,
            reach,
            reach_through_links,
            rules,
            heuristic,
            limits,
            fallback,
            method,
            pace,
        } = *self;
        let repath = (repath_interval, repath_distance.to_bits(), repath_share);
        let stop = (stop_distance, stop_hysteresis, reach, reach_through_links);
        let search = (rules, heuristic, limits, fallback, method, pace);
        (repath, stop, search)
    }

    /// The part of a number of steps by which a far target must move, in cells.
    pub(crate) const fn share_of(&self, steps: usize) -> f32 {
        match self.repath_share {
            0 => 0.0,
            share => (steps / share as usize) as f32,
        }
    }

    /// Whether it stops where it sees its target.
    pub(crate) const fn shoots(&self) -> bool {
        matches!(self.reach, Reach::Sight)
    }

    /// The query of a search.
    pub(crate) fn query(&self, from: Cell, to: Cell) -> PathQuery {
        PathQuery::new(from, to)
            .with_rules(self.rules)
            .with_heuristic(self.heuristic)
            .with_limits(self.limits)
            .with_fallback(self.fallback)
    }
}

/// How the distance to a target is measured: [`Chaser::reach`]. A target one legal step away is
/// within reach by both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Reach {
    /// By legal steps over ground of any class, as for a blow: the default. What no step leads
    /// through, no blow does.
    #[default]
    Steps,
    /// By columns or rows, whichever are more, in sight, as for a shot: a clear line leads to the
    /// target over cells that can be [seen through](nav_grid::Grid::set_sight). Over fences and
    /// water, and not round a corner. Bodies do not block sight.
    ///
    /// Where a chaser cannot shoot from, it goes by the shortest way to a cell from which it can,
    /// also if none leads to the target. Beyond a distance of 48 it comes nearer by the way to the
    /// target. Each such chaser searches for itself, except for the last 8 cells to a target that
    /// moves. O(cells on the line) for each step within the distance.
    Sight,
}

/// How long a step takes: [`Chaser::pace`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Pace {
    /// One [period](super::MoveTimer::chasing) on any ground: the default. Costs affect only the
    /// choice of the way.
    #[default]
    Even,
    /// As many periods as the step costs in straight steps onto ground of cost 1: a swamp of cost 3
    /// takes three.
    ///
    /// This is the cost by which searches and fields choose the way,
    /// [`Grid::move_cost`](nav_grid::Grid::move_cost) divided by
    /// [`Metric::straight`](nav_grid::Metric::straight), so the cheapest way is also the fastest. A
    /// step costs as much as the dearest cell that the body then covers. Diagonal steps take longer
    /// if the [metric](nav_grid::Rules::metric) says so, as
    /// [`Metric::Grid`](nav_grid::Metric::Grid) does and the default does not. A link takes its own
    /// cost in periods.
    ///
    /// The chaser is in the new cell at once. Until the time is over it neither steps nor is
    /// pushed.
    ByCost,
}

/// Runs when `Chaser` is added: what was read of an agent before it chased says nothing about its
/// position after the chase.
fn enlist(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(mut last) = world.get_mut::<LastWorldPosition>(entity) {
        *last = LastWorldPosition::default();
    }
}

/// Runs when `Chaser` is removed: leaves the field group and clears the path, so that a chaser that
/// is added again starts fresh.
fn retire(mut world: DeferredWorld, context: HookContext) {
    leave_group(world.reborrow(), context);
    interrupt(&mut world, context.entity);
}
