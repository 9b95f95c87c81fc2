//! Formations: slots behind, beside or around a leader, and their members.

use crate::{
    Activity, Interrupted,
    plugins::{WalkSystems, add_shared, behaviour_plugin},
    trail::{HEADING_CELLS, follow},
};
use bevy_app::{App, Plugin};
use bevy_ecs::{prelude::*, query::QueryData};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{
    AgentId, CellPosition, Chaser, Chasing, GoTo, NavMap, OnMap,
    extend::{on_demand, require_nav},
    go_to::{WalkCommands, WalkEnd, stop_walking},
};
use nav_grid::{
    Area, Cell, Direction, Footprint, Grid, PathQuery, Rules, rules::BodyPolicy,
    smoothing::LineOfSight,
};
use std::collections::{BTreeSet, VecDeque};

/// Makes an agent the leader of the agents that are [`InFormation`] with it.
///
/// Each member has a slot, in the order of [`AgentId`]s. Where the shape has no room for a member,
/// such as in a door, or the leader does not see the slot, the member follows the leader's way
/// instead. So a formation goes through a door in a column, and spreads behind it. Where that way
/// is too short, as after the game put the leader elsewhere, the member takes the free place with
/// the fewest steps from the leader. So a formation regroups wherever there is room.
#[derive(Component, Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[require(Activity)]
pub struct Formation {
    /// The arrangement of the members.
    pub shape: FormationShape,
    /// Cells from one slot to the next, at least 1.
    pub spacing: u16,
    /// The direction of the leader's last cells.
    heading: Direction,
    /// The cells where the leader was, the last one first; the leader is on the first.
    trail: VecDeque<Cell>,
}

/// The arrangement of the members of a formation around their leader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect))]
#[non_exhaustive]
pub enum FormationShape {
    /// One behind the other, along the way that the leader took. Where that is too short, in a
    /// straight line behind the leader.
    Column,
    /// Side by side with the leader, to its right and to its left in turn.
    Line,
    /// Behind the leader to the right and to the left in turn, as geese fly: the default.
    #[default]
    Wedge,
    /// All around the leader, evenly.
    Ring,
}

/// The leader of the [`Formation`] that a chaser is in while it chases nothing and has no other
/// walk. Insert it to join, remove it to leave.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component))]
#[relationship(relationship_target = FormationMembers)]
#[require(Activity, Chaser)]
pub struct InFormation(pub Entity);

/// The members of a formation; kept up to date by [`InFormation`].
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component))]
#[relationship_target(relationship = InFormation)]
pub struct FormationMembers(Vec<Entity>);

behaviour_plugin! {
    /// Sends the members of [formations](Formation) to their slots.
    FormationPlugin
}

impl Plugin for FormationPlugin {
    fn build(&self, app: &mut App) {
        add_shared(app, self.schedule);
        let take_slots = on_demand::<With<Formation>, _>(take_slots);
        app.add_systems(self.schedule, take_slots.in_set(WalkSystems::Form))
            .add_observer(stop_walking::<Remove<InFormation>, Without<GoTo>>);
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "FormationPlugin");
    }
}

impl FormationShape {
    /// The cell of one of several slots, some cells apart; `None` off the map.
    fn slot(
        self,
        leader: Cell,
        heading: Direction,
        spacing: u16,
        (number, count): (usize, usize),
    ) -> Option<Cell> {
        let (dx, dy) = heading.delta();
        let side = if number.is_multiple_of(2) { 1 } else { -1 };
        let far = i32::from(spacing) * (number as i32 / 2 + 1);
        let (back, right) = match self {
            Self::Column => (i32::from(spacing) * (number as i32 + 1), 0),
            Self::Line => (0, side * far),
            Self::Wedge => (far, side * far),
            Self::Ring => return offset(leader, ring_slot(heading, spacing, number, count)),
        };
        offset(leader, (-dx * back - dy * right, -dy * back + dx * right))
    }
}

/// The cell some columns and rows from another one; `None` off the map.
fn offset(from: Cell, (x, y): (i32, i32)) -> Option<Cell> {
    let x = u16::try_from(i32::from(from.x) + x).ok()?;
    let y = u16::try_from(i32::from(from.y) + y).ok()?;
    Some(Cell::new(x, y).on_floor(from.floor))
}

/// Columns and rows from the leader to a slot of a square ring with room for all, clockwise from
/// ahead.
fn ring_slot(heading: Direction, spacing: u16, number: usize, count: usize) -> (i32, i32) {
    let radius = usize::from(spacing).max(count.div_ceil(8));
    let side = 2 * radius;
    let first = heading as usize * radius;
    // From north, which is in the middle of the upper side.
    let place = (first + number * 4 * side / count.max(1) + radius) % (4 * side);
    let (edge, along, radius) = (place / side, (place % side) as i32, radius as i32);
    match edge {
        0 => (along - radius, -radius),
        1 => (radius, along - radius),
        2 => (radius - along, radius),
        _ => (-radius, radius - along),
    }
}

impl Formation {
    /// A formation of a shape, one cell apart.
    pub const fn new(shape: FormationShape) -> Self {
        Self {
            shape,
            spacing: 1,
            heading: Direction::North,
            trail: VecDeque::new(),
        }
    }

    /// The direction of the leader's last cells.
    pub(super) const fn heading(&self) -> Direction {
        self.heading
    }

    /// The most cells of the leader's way that are kept: for a column of 255 members, one cell
    /// apart.
    const TRAIL_MAX: usize = 256;

    /// The most cells around the leader that are searched for free places: four times the
    /// 255 members of a long column, for walls between them.
    const NEAR_MAX: usize = 1024;

    /// Adds the leader's cell to the way that it took, as long as the members need it.
    fn follow(&mut self, leader: Cell, members: usize) {
        let kept = (members + 1) * usize::from(self.spacing.max(1)) + HEADING_CELLS;
        if let Some(heading) = follow(&mut self.trail, leader, kept.min(Self::TRAIL_MAX)) {
            self.heading = heading;
        }
    }

    /// Writes the slots of members with the given rules, in their order; `None` for a member
    /// without room anywhere.
    fn place(
        &self,
        grid: &Grid,
        members: impl ExactSizeIterator<Item = Rules> + Clone,
        slots: &mut Vec<Option<Cell>>,
        areas: &mut Vec<Area>,
    ) {
        slots.clear();
        let Some(&leader) = self.trail.front() else {
            return;
        };
        areas.clear();
        areas.push(Footprint::ONE.area(leader));
        let count = members.len();
        // Bodies move on, walls do not; members find their way around each other by themselves.
        let members = members.map(|rules| rules.with_bodies(BodyPolicy::Ignore));
        for (number, rules) in members.clone().enumerate() {
            let room = Room {
                grid,
                rules,
                others: areas,
            };
            let slot = match self.shape {
                FormationShape::Column => (self.on_way(room, number))
                    .or_else(|| self.by_shape(room, leader, (number, count))),
                _ => (self.by_shape(room, leader, (number, count)))
                    .or_else(|| self.on_way(room, number)),
            };
            areas.extend(slot.map(|cell| rules.footprint.area(cell)));
            slots.push(slot);
        }
        // After all that fit: a place near the leader may be the slot of a later member.
        let mut near: Option<(Rules, Vec<Cell>)> = None;
        for (slot, rules) in slots.iter_mut().zip(members) {
            if slot.is_some() {
                continue;
            }
            if near.as_ref().is_none_or(|&(of, _)| of != rules) {
                near = Some((rules, near_cells(grid, leader, rules)));
            }
            let room = Room {
                grid,
                rules,
                others: areas,
            };
            let mut cells = near.iter().flat_map(|(_, cells)| cells).copied();
            *slot = cells.find(|&cell| room.has(cell));
            areas.extend(slot.map(|cell| rules.footprint.area(cell)));
        }
    }

    /// The slot of a member by the shape, if the leader sees it.
    fn by_shape(&self, room: Room, leader: Cell, place: (usize, usize)) -> Option<Cell> {
        let slot = self
            .shape
            .slot(leader, self.heading, self.spacing.max(1), place)?;
        let query = PathQuery::new(leader, slot).with_rules(room.rules);
        let sees = || LineOfSight::new(room.grid, &query).sees(leader, slot);
        (room.has(slot) && sees()).then_some(slot)
    }

    /// The place of a member on the way that the leader took.
    fn on_way(&self, room: Room, number: usize) -> Option<Cell> {
        let behind = (number + 1) * usize::from(self.spacing.max(1));
        let mut way = self.trail.iter().skip(behind).copied();
        way.find(|&cell| room.has(cell))
    }
}

/// The room that others leave to a member.
#[derive(Clone, Copy)]
struct Room<'a> {
    grid: &'a Grid,
    rules: Rules,
    others: &'a [Area],
}

impl Room<'_> {
    fn has(self, cell: Cell) -> bool {
        let area = self.rules.footprint.area(cell);
        (self.grid.for_rules(self.rules)).fits(cell, self.rules.footprint)
            && !self.others.iter().any(|taken| taken.meets(area))
    }
}

/// Returns the cells around a leader that a body of one cell comes to, those with the fewest steps
/// first. Of several as near, the first by the directions of steps.
fn near_cells(grid: &Grid, leader: Cell, rules: Rules) -> Vec<Cell> {
    let rules = rules.with_footprint(Footprint::ONE);
    let mut known = BTreeSet::from([leader]);
    let mut cells = vec![leader];
    let mut next = 0;
    while let Some(&at) = cells.get(next)
        && cells.len() < Formation::NEAR_MAX
    {
        next += 1;
        for to in grid.steps(at, rules) {
            cells.extend(at.step(to).filter(|&to| known.insert(to)));
        }
    }
    cells
}

type Leader = (
    &'static mut Formation,
    &'static FormationMembers,
    &'static CellPosition,
    &'static OnMap,
);

#[derive(QueryData)]
struct Member {
    entity: Entity,
    id: &'static AgentId,
    chaser: &'static Chaser,
    chasing: Option<&'static Chasing>,
    on_map: &'static OnMap,
    has_walk: Has<GoTo>,
}

/// Buffers that are kept from tick to tick.
#[derive(Default)]
struct Buffers {
    members: Vec<(AgentId, Entity, Rules)>,
    slots: Vec<Option<Cell>>,
    areas: Vec<Area>,
}

/// Begins walks of members to their slots, and moves the ends of present ones.
fn take_slots(
    mut leaders: Query<Leader, Without<WalkEnd>>,
    members: Query<Member, Without<Interrupted>>,
    maps: Query<&NavMap>,
    mut ends: Query<&mut CellPosition, With<WalkEnd>>,
    mut commands: Commands,
    mut buffers: Local<Buffers>,
) {
    let Buffers {
        members: list,
        slots,
        areas,
    } = &mut *buffers;
    for (mut formation, of, place, on_map) in &mut leaders {
        let Ok(map) = maps.get(on_map.0) else {
            continue;
        };
        list.clear();
        for one in members.iter_many(&of.0).flatten() {
            if one.on_map == on_map {
                list.push((*one.id, one.entity, one.chaser.rules));
            }
        }
        list.sort_unstable_by_key(|&(id, member, _)| (id, member));
        formation.follow(place.cell, list.len());
        let rules = list.iter().map(|&(.., rules)| rules);
        formation.place(map.grid(), rules, slots, areas);
        for (&(_, member, _), slot) in list.iter().zip(&*slots) {
            let (Ok(member), Some(slot)) = (members.get(member), *slot) else {
                continue;
            };
            if member.has_walk {
                continue;
            }
            let slot = CellPosition::at(slot);
            if let Some(chasing) = member.chasing {
                // Not of a member with a chase of its own.
                if let Ok(mut end) = ends.get_mut(chasing.0) {
                    end.set_if_neq(slot);
                }
            } else {
                commands.begin_walk(member.entity, *on_map, slot);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEADER: Cell = Cell::new(50, 50);

    fn slots(shape: FormationShape, heading: Direction, count: usize) -> Vec<(i32, i32)> {
        let slot = |number| shape.slot(LEADER, heading, 1, (number, count)).unwrap();
        let from_leader = |cell: Cell| (i32::from(cell.x) - 50, i32::from(cell.y) - 50);
        (0..count).map(|number| from_leader(slot(number))).collect()
    }

    #[test]
    fn wedge_lies_behind() {
        let wedge = |heading| slots(FormationShape::Wedge, heading, 4);
        assert_eq!(wedge(Direction::North), [(1, 1), (-1, 1), (2, 2), (-2, 2)]);
        assert_eq!(
            wedge(Direction::East),
            [(-1, 1), (-1, -1), (-2, 2), (-2, -2)]
        );
        assert_eq!(
            wedge(Direction::NorthEast),
            [(0, 2), (-2, 0), (0, 4), (-4, 0)]
        );
    }

    #[test]
    fn line_lies_beside() {
        let line = slots(FormationShape::Line, Direction::South, 3);
        assert_eq!(line, [(-1, 0), (1, 0), (-2, 0)]);
    }

    #[test]
    fn ring_has_room_for_all() {
        for heading in Direction::ALL {
            for count in 1..40 {
                let mut ring = slots(FormationShape::Ring, heading, count);
                let (dx, dy) = heading.delta();
                let radius = count.div_ceil(8) as i32;
                assert_eq!(ring[0], (dx * radius, dy * radius), "{heading:?}");
                ring.sort_unstable();
                ring.dedup();
                assert_eq!(ring.len(), count, "{heading:?} of {count}");
            }
        }
    }
}
