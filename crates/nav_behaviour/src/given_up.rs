//! Whom an agent could not reach of late, and does not notice for a while.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav::{AgentId, CellPosition, Chaser, NavClock, NavMap, NavTime, OnMap, SeenEdits};
use nav_grid::{Area, Cell, Footprint};

/// The targets that an agent with [`Notice`](crate::Notice) gave up since it could not reach them: it neither
/// notices them nor follows a call to them, for as long as [`GiveUp::ignores_for`](crate::GiveUp::ignores_for)
/// says, or until they are somewhere else, or the map is edited.
///
/// Somewhere else is another cell. Where the map has [regions](NavMap::build_regions) for chasers like this
/// one, it is a cell that the agent can come within reach of, so that nobody is noticed again who walks about
/// on a rock. Edits count within a [search radius](nav_grid::Limits::radius) of the agent or of the target, in
/// tiles of 64×64 cells, and not where regions say that the target is still out of reach. A game that chases by [`Chasing`](nav::Chasing) is not bound by it.
///
/// Comes with the first target that is given up and goes with the last one. Remove it to have all of them
/// noticed again.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Hash)]
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
pub struct GivenUp {
    /// Those given up first come first.
    targets: Vec<GivenUpTarget>,
}

/// A target that an agent could not reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
struct GivenUpTarget {
    id: AgentId,
    /// Where it was.
    cell: Cell,
    /// The size of its body.
    footprint: Footprint,
    /// From when on it is noticed again.
    until: NavTime,
}

impl GivenUp {
    /// So many targets are kept at most; for another one that which was given up first is forgotten.
    pub const TARGETS_MAX: usize = 8;

    /// The targets that are given up, those given up first before others.
    pub fn targets(&self) -> impl Iterator<Item = AgentId> + '_ {
        self.targets.iter().map(|target| target.id)
    }

    /// Gives up a target whose body of some size stands on a cell.
    pub(super) fn insert(
        &mut self,
        id: AgentId,
        (cell, footprint): (Cell, Footprint),
        until: NavTime,
    ) {
        self.targets.retain(|target| target.id != id);
        if self.targets.len() == Self::TARGETS_MAX {
            self.targets.remove(0);
        }
        self.targets.push(GivenUpTarget {
            id,
            cell,
            footprint,
            until,
        });
    }

    /// Whether a target is given up that stands on a cell, of which `is_cut_off` says whether it is known to
    /// be out of reach.
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

/// Whether the regions of a map say that a chaser on one cell cannot come within reach of a body on another.
pub(super) fn is_cut_off(
    map: &NavMap,
    chaser: &Chaser,
    from: Cell,
    (to, body): (Cell, Footprint),
) -> bool {
    /// Whoever stops further away is not looked at: it may well come within reach.
    const STOP_DISTANCE_MAX: u16 = 16;
    let regions = map.regions();
    let regions = regions.filter(|regions| regions.serve(map.grid(), chaser.rules));
    let Some(regions) = regions.filter(|_| chaser.stop_distance <= STOP_DISTANCE_MAX) else {
        return false;
    };
    let further = |footprint: Footprint| chaser.stop_distance + u16::from(footprint.side()) - 1;
    let (before, beyond) = (further(chaser.rules.footprint), further(body));
    let first = Cell {
        x: to.x.saturating_sub(before),
        y: to.y.saturating_sub(before),
        ..to
    };
    let last = Cell {
        x: to.x.saturating_add(beyond),
        y: to.y.saturating_add(beyond),
        ..to
    };
    let mut around = Area::new(first, last).clipped(map.grid().size()).cells();
    !around.any(|cell| regions.same(from, cell))
}

/// Forgets targets that were given up long ago.
pub(super) fn forget_given_up(
    clock: Res<NavClock>,
    mut given_up: Query<(Entity, &mut GivenUp)>,
    mut commands: Commands,
) {
    let now = clock.now();
    for (agent, given_up) in &mut given_up {
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
    if !given_up.targets.iter().any(&is_over) {
        return;
    }
    given_up.targets.retain(|target| !is_over(target));
    if given_up.targets.is_empty() {
        agent.remove::<GivenUp>();
    }
}

/// An agent that gave up targets, and from where it would set off again.
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
    mut given_up: Query<NearEdits>,
    mut commands: Commands,
) {
    for (agent, given_up, chaser, position, on_map) in &mut given_up {
        let (Some(edited), Ok(map)) = (edits.of(on_map.0), maps.get(on_map.0)) else {
            continue;
        };
        let (from, radius) = (position.cell, chaser.limits.radius);
        let may_be_open = |target: &GivenUpTarget| {
            let is_near = edited.is_near(from, radius) || edited.is_near(target.cell, radius);
            is_near && !is_cut_off(map, chaser, from, (target.cell, target.footprint))
        };
        forget(commands.entity(agent), given_up, may_be_open);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Cell = Cell::new(3, 4);
    const THERE: Cell = Cell::new(4, 4);

    #[test]
    fn the_first_of_too_many_is_forgotten() {
        let mut given_up = GivenUp::default();
        let most = GivenUp::TARGETS_MAX as u32;
        for id in (0..=most).chain([3]) {
            given_up.insert(AgentId(id), (HERE, Footprint::default()), NavTime(9));
        }
        let left: Vec<u32> = given_up.targets().map(|id| id.0).collect();
        let expected: Vec<u32> = (1..=most).filter(|&id| id != 3).chain([3]).collect();
        assert_eq!(left, expected);
    }

    #[test]
    fn who_moved_or_stayed_long_is_given_up_no_longer() {
        let mut given_up = GivenUp::default();
        given_up.insert(AgentId(1), (HERE, Footprint::default()), NavTime(9));
        let has = |id, cell, now, is_cut_off: bool| {
            given_up.has(AgentId(id), cell, NavTime(now), || is_cut_off)
        };
        assert!(has(1, HERE, 8, false) && !has(1, HERE, 9, true));
        assert!(!has(1, THERE, 8, false) && has(1, THERE, 8, true));
        assert!(!has(2, HERE, 8, true));
    }
}
