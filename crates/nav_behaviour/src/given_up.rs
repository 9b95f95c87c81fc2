//! Targets that an agent could not reach, and does not notice for a while.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{AgentId, CellPosition, Chaser, NavClock, NavMap, NavTime, OnMap, maps::SeenEdits};
use nav_grid::{Area, Cell, Footprint};

/// The unreachable targets that an agent with [`Notice`](crate::Notice) or
/// [`Threat`](crate::Threat) gave up.
///
/// It neither notices them, nor follows a call to them, nor chases them by threat, for the time of
/// [`GiveUp::ignores_for`](crate::GiveUp::ignores_for). The time ends early when they are elsewhere
/// or the map is edited. Chases that the game begins by [`Chasing`](nav::Chasing) are not bound by
/// it.
///
/// - Elsewhere is another cell. Where the map has [regions](NavMap::build_regions) for chasers like
///   this one, it is a cell within reach of the agent: a target that walks about on a rock stays
///   ignored.
/// - Edits count within a [search radius](nav_grid::Limits::radius) of the agent or of the target,
///   in tiles of 64×64 cells. They do not where regions say that the target is still out of reach.
///
/// Inserted with the first target and removed with the last one. Remove it to let the agent notice
/// all of them again.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Default, Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
pub struct GivenUp {
    /// In the order in which they were given up.
    targets: Vec<GivenUpTarget>,
}

/// A target that an agent could not reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct GivenUpTarget {
    pub(super) id: AgentId,
    /// Its cell when it was given up.
    pub(super) cell: Cell,
    /// The size of its body.
    pub(super) footprint: Footprint,
    /// The time from which it can be noticed again.
    pub(super) until: NavTime,
}

impl GivenUp {
    /// The most targets that are kept; another one replaces the first. The number is a guess.
    pub const TARGETS_MAX: usize = 8;

    /// The targets, in the order in which they were given up.
    pub fn targets(&self) -> impl Iterator<Item = AgentId> + '_ {
        self.targets.iter().map(|target| target.id)
    }

    /// The given up targets of an agent with another one.
    pub(super) fn with(present: Option<&Self>, new: GivenUpTarget) -> Self {
        let mut given_up = present.cloned().unwrap_or_default();
        given_up.insert(new);
        given_up
    }

    /// Adds a target, or moves it to the end.
    pub(super) fn insert(&mut self, new: GivenUpTarget) {
        self.targets.retain(|target| target.id != new.id);
        if self.targets.len() == Self::TARGETS_MAX {
            self.targets.remove(0);
        }
        self.targets.push(new);
    }

    /// Whether a target on a cell is ignored. `is_cut_off` says whether it is known to be out of
    /// reach.
    pub(super) fn has(
        &self,
        id: AgentId,
        cell: Cell,
        now: NavTime,
        is_cut_off: impl FnOnce() -> bool,
    ) -> bool {
        let target = self.targets.iter().find(|target| target.id == id);
        target.is_some_and(|target| now < target.until && (target.cell == cell || is_cut_off()))
    }
}

/// Whether the regions of a map say that a chaser on one cell cannot come within reach of a body on
/// another.
pub(super) fn is_cut_off(
    map: &NavMap,
    chaser: &Chaser,
    from: Cell,
    (to, body): (Cell, Footprint),
) -> bool {
    /// The greatest stop distance for which the cells around the target are read: up to 33×33. A
    /// guess, since with a greater one the target is mostly within reach.
    const STOP_DISTANCE_MAX: u16 = 16;
    let regions = map.indexes().ready_regions(chaser.rules);
    let Some(regions) = regions.filter(|_| chaser.stop_distance <= STOP_DISTANCE_MAX) else {
        return false;
    };
    // A body reaches right and down from its cell: the chaser's own before the target, the target's
    // beyond it.
    let [before, beyond] = [chaser.rules.footprint, body]
        .map(|footprint| chaser.stop_distance + u16::from(footprint.side()) - 1);
    let first = Cell::new(to.x.saturating_sub(before), to.y.saturating_sub(before));
    let last = Cell::new(to.x.saturating_add(beyond), to.y.saturating_add(beyond));
    let around = Area::new(first.on_floor(to.floor), last.on_floor(to.floor));
    let mut cells = around.clipped(map.grid().size()).cells();
    !cells.any(|cell| regions.same(from, cell))
}

/// Forgets targets of which the time is over.
pub(super) fn forget_expired(
    clock: Res<NavClock>,
    mut agents: Query<(Entity, &mut GivenUp)>,
    mut commands: Commands,
) {
    let now = clock.now();
    for (agent, given_up) in &mut agents {
        forget(commands.entity(agent), given_up, |target| {
            now >= target.until
        });
    }
}

/// Forgets the targets of an agent for which a condition holds.
fn forget(
    mut agent: EntityCommands,
    mut given_up: Mut<GivenUp>,
    is_over: impl Fn(&GivenUpTarget) -> bool,
) {
    // An unchanged list must not be marked as changed.
    if !given_up.targets.iter().any(&is_over) {
        return;
    }
    given_up.targets.retain(|target| !is_over(target));
    if given_up.targets.is_empty() {
        agent.remove::<GivenUp>();
    }
}

/// An agent with given up targets, and where it would start from.
type NearEdits = (
    Entity,
    &'static mut GivenUp,
    &'static Chaser,
    &'static CellPosition,
    &'static OnMap,
);

/// Forgets targets to which an edit may have opened a way.
pub(super) fn forget_where_edited(
    edits: Res<SeenEdits>,
    maps: Query<&NavMap>,
    mut agents: Query<NearEdits>,
    mut commands: Commands,
) {
    for (agent, given_up, chaser, position, on_map) in &mut agents {
        let (Some(edited), Ok(map)) = (edits.of(on_map.0), maps.get(on_map.0)) else {
            continue;
        };
        let (from, radius) = (position.cell, chaser.limits.radius);
        // An edit far from both changes no search that the agent could make from here.
        forget(commands.entity(agent), given_up, |target| {
            let is_near = edited.is_near(from, radius) || edited.is_near(target.cell, radius);
            is_near && !is_cut_off(map, chaser, from, (target.cell, target.footprint))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Cell = Cell::new(3, 4);
    const THERE: Cell = Cell::new(4, 4);

    fn target(id: u32) -> GivenUpTarget {
        GivenUpTarget {
            id: AgentId(id),
            cell: HERE,
            footprint: Footprint::default(),
            until: NavTime(9),
        }
    }

    #[test]
    fn first_is_replaced() {
        let mut given_up = GivenUp::default();
        let most = GivenUp::TARGETS_MAX as u32;
        for id in (0..=most).chain([3]) {
            given_up.insert(target(id));
        }
        let left: Vec<u32> = given_up.targets().map(|id| id.0).collect();
        let expected: Vec<u32> = (1..=most).filter(|&id| id != 3).chain([3]).collect();
        assert_eq!(left, expected);
    }

    #[test]
    fn moved_or_expired() {
        let mut given_up = GivenUp::default();
        given_up.insert(target(1));
        let has = |id, cell, now, is_cut_off: bool| {
            given_up.has(AgentId(id), cell, NavTime(now), || is_cut_off)
        };
        assert!(has(1, HERE, 8, false) && !has(1, HERE, 9, true));
        assert!(!has(1, THERE, 8, false) && has(1, THERE, 8, true));
        assert!(!has(2, HERE, 8, true));
    }
}
