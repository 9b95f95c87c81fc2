//! Who chases whom, and how.

use super::{
    AgentId, CellPosition, FieldAnchor, GoodDisplacement, LastMap, MoveTimer, NavTimer, Pace,
    PathCursor, Tuning, tuning::leave_group,
};
use crate::{Period, occupancy::Occupancy};
use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav_grid::{Cell, Limits, Method, PathQuery, Rules, query::Fallback, rules::Heuristic};
use std::collections::BTreeSet;

/// An NPC that can chase: how it moves and how often it may search. Give it a target with
/// [`Chasing`] and a map with [`OnMap`](super::OnMap).
///
/// Tuning may change at any time and counts from the next decision on.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "reflect",
    reflect(opaque, Component, Default, Clone, Debug, PartialEq)
)]
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
#[require(
    AgentId,
    CellPosition,
    PathCursor,
    NavTimer,
    MoveTimer,
    Tuning,
    GoodDisplacement,
    LastMap
)]
#[component(on_remove = retire, summary_tick)]
pub struct Chaser {
    /// Shortest time between two searches of its own, but for paths that are used up or cut off, which
    /// are replaced at once; 0.5 s by default, about as long as a player's change of direction goes
    /// unnoticed. Searches that fail wait up to eight times as long, and those that gave nothing until
    /// something changes: see [`NavTimer`]. Also how often a shared field is aimed anew whose target is
    /// far away: see [`FieldAnchor`].
    pub repath_interval: Period,
    /// How far, in cells along either axis, the target must have moved since the last search
    /// to be worth another one; 0 or more, 0.5 by default. It throttles only: who comes to the end of
    /// its path out of reach searches again. Any other number is [refused](crate::ValueRefused), and
    /// the last good one is set again.
    pub displacement: f32,
    /// How many legal steps away the target is within reach, at least 1 (the default): a chaser never
    /// steps onto its target's cell, and steps aside if the target comes onto its own.
    ///
    /// Counted from the nearest cell of the one's body to that of the other's. A
    /// [`Destination`](super::Destination) is entered, whatever this says.
    pub stop_distance: u16,
    /// How many steps further than the stop distance a target within reach may go before the chaser
    /// sets off again; 0 by default. Some slack keeps those who attack from far from following every
    /// step of their target.
    pub stop_slack: u16,
    /// Whether a target that is more than one step away must be in sight to be within reach, as for an
    /// archer; off by default. A chaser that does not see it comes nearer until it does, within its
    /// stop distance. What can be seen through is what can be walked through in a straight line, bodies
    /// aside: see [`LineOfSight`](nav_grid::smoothing::LineOfSight). Links that
    /// [count](Self::reach_through_links) need no sight.
    pub needs_sight: bool,
    /// Whether a target at the end of a link is within reach from where that begins, as for an archer
    /// at a window; off by default, since a fighter cannot strike through a teleporter.
    pub reach_through_links: bool,
    /// Step costs, corner rule, footprint and what bodies in the way count for; by default unit
    /// cost and strict corners, since every step takes one move tick, one cell, and nothing.
    pub rules: Rules,
    /// The guess that steers the search; admissible by default.
    pub heuristic: Heuristic,
    /// Window and expansions of one search; radius 20 and 150 expansions by default.
    ///
    /// Ways that lead out of the window are found if the map has
    /// [portals](super::NavMap::build_portals) or [regions](super::NavMap::build_regions), the method
    /// is [`Method::Auto`], there is a [fallback](Self::fallback), the guess is admissible and the rules
    /// ignore bodies: after a search that gave nothing to follow, the next one looks beyond. By
    /// portals, on maps without step costs, that is over the whole map; otherwise in a window of 8
    /// times the radius, if the target is there and in the same region. It expands up to 64 times as
    /// much; besides, it takes as long as its path is, and a way through a maze may have a hundred
    /// thousand steps. All such searches together get 128 units of work a tick, one after the other;
    /// those whose turn does not come are made later. With a [`NavBudget`](crate::NavBudget) they are
    /// part of that.
    pub limits: Limits,
    /// What to follow when a search does not get there;
    /// [`Fallback::ClosestReached`] by default, since coming nearer looks better than standing.
    ///
    /// With it a target beyond the window or in a wall is gone to, too, by [`Method::Auto`],
    /// [`Method::AStar`] and [`Method::Sweep`]: to the reachable cell of the window nearest to it, and
    /// on from there, with a search an interval while that leads nearer. Where it no longer does,
    /// the chaser waits until something changes: see [`NavTimer`]. With [`Fallback::None`] it waits
    /// where it is.
    pub fallback: Fallback,
    /// Who answers its searches; [`Method::Auto`] by default, which serves everything and picks
    /// what suits the query. Any other method answers exactly as it does by itself: what it
    /// cannot serve fails with [`Status::Unsupported`](nav_grid::Status::Unsupported). Some
    /// methods need [something built](super::NavMap#what-to-build) of the map.
    ///
    /// Chasers with a [`Body`](super::Body) that name one share a
    /// [field](crate::Guidance::SharedField) all the same within 8 cells of a target that moves and that others
    /// chase, too, since a path knows no way around them; [`Method::Line`] does not.
    pub method: Method,
    /// How long a step takes; [`Pace::Even`] by default.
    pub pace: Pace,
}

impl Default for Chaser {
    fn default() -> Self {
        Self {
            repath_interval: Period::from_millis(500),
            displacement: 0.5,
            stop_distance: 1,
            stop_slack: 0,
            needs_sight: false,
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
    /// The chaser of many game servers: A* at unit cost with a Manhattan guess (see
    /// [`PathQuery::classic`] for what it gives up), and nothing to follow after a failure.
    pub fn classic() -> Self {
        Self {
            heuristic: Heuristic::Manhattan,
            fallback: Fallback::None,
            method: Method::AStar,
            ..Self::default()
        }
    }

    /// The question this chaser asks.
    pub(crate) fn query(&self, from: Cell, to: Cell) -> PathQuery {
        PathQuery::new(from, to)
            .with_rules(self.rules)
            .with_heuristic(self.heuristic)
            .with_limits(self.limits)
            .with_fallback(self.fallback)
    }
}

/// The target that an NPC chases. Insert it to start or to switch, remove it to stop.
///
/// A relationship: the target carries [`ChasedBy`], and despawning the target removes this, so
/// a chase can never point at a target that is gone. Tuning lives on [`Chaser`] because
/// relationship components cannot be changed in place.
///
/// Inserted in the same tick as the [`Chaser`], as loading a game does, it goes with the path in
/// its [`PathCursor`]; inserted later, it starts afresh.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[relationship(relationship_target = ChasedBy)]
#[component(on_insert = wait_no_longer, on_remove = forget_path, summary_tick)]
pub struct Chasing(pub Entity);

/// Whoever is a chaser no longer leaves its group, and nothing to follow: if it is one again later, it
/// does not go by a path from before.
fn retire(mut world: DeferredWorld, context: HookContext) {
    leave_group(world.reborrow(), context);
    forget_path(world, context);
}

/// A chase that was called off, or whose target is gone, leaves nothing to follow. A hook,
/// since a list of removals is kept for two frames only, and a tick may come later.
fn forget_path(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut cursor) = world.get_mut::<PathCursor>(context.entity) {
        cursor.interrupt();
    }
    wait_no_longer(world, context);
}

/// Who begins a chase, or calls it off, waits no longer for a cell on the way to another target.
fn wait_no_longer(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(mut occupancy) = world.get_resource_mut::<Occupancy>() {
        occupancy.wake(entity);
    }
}

/// The chasers of a target; kept up to date by [`Chasing`].
///
/// A sorted set, so that one of a million chasers leaves in O(log n).
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "reflect",
    reflect(opaque, Component, Default, Clone, Debug, PartialEq)
)]
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
#[relationship_target(relationship = Chasing)]
#[require(FieldAnchor)]
pub struct ChasedBy(BTreeSet<Entity>);

impl ChasedBy {
    /// How many chase this target.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nobody does.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The chasers in ascending order of entity.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Entity> + '_ {
        self.0.iter().copied()
    }
}
