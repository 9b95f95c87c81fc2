//! Fields that lead to the nearest member of a group.

use super::components::{Attraction, Member};
use crate::{NavMap, NavTime, systems::place_over};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Rules, Terrain, fields::PortalField, rules::Cost};
use std::collections::BTreeMap;

/// The fields of groups: one for each group, map and way to move.
#[derive(Resource, Default)]
pub(crate) struct GroupFields(BTreeMap<(Entity, Entity, Rules), GroupField>);

/// A field of a group on a map.
#[derive(Default)]
pub(super) struct GroupField {
    field: PortalField,
    /// The tick in which it was aimed last.
    aimed: Option<NavTime>,
    is_aimed: bool,
    targets: Vec<(Cell, Cost)>,
}

/// The answer of a field about the nearest member from a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nearest {
    /// The place of the member in the list, and the steps of the way to it.
    Member(usize, u32),
    /// No way leads to any, or the map has no portals.
    None,
    /// The budget ended before that was known.
    Pending,
}

impl GroupFields {
    /// The field of a group on a map for walkers of some rules.
    pub(super) fn of(&mut self, group: Entity, map: Entity, rules: Rules) -> &mut GroupField {
        self.0.entry((group, map, rules)).or_default()
    }

    /// Drops the fields of groups and maps that are gone.
    pub(super) fn keep(&mut self, is_there: impl Fn(Entity, Entity) -> bool) {
        self.0.retain(|&(group, map, _), _| is_there(group, map));
    }

    /// Drops all fields. They are made again on request.
    #[cfg(feature = "serialize")]
    pub(crate) fn forget(&mut self) {
        self.0.clear();
    }
}

impl GroupField {
    /// Aims the field at members, all on this map, once a tick.
    pub(super) fn aim<'a>(
        &mut self,
        map: &NavMap,
        rules: Rules,
        now: NavTime,
        members: impl Iterator<Item = &'a Member> + Clone,
    ) {
        if self.aimed.replace(now) == Some(now) {
            return;
        }
        let straight = rules.metric.straight();
        let most = members.clone().map(|member| member.attraction).max();
        let Attraction(most) = most.unwrap_or_default();
        self.targets.clear();
        self.targets.extend(members.map(|member| {
            let handicap = Cost::from(most - member.attraction.0) * straight;
            (place_over(map.grid(), rules, member.cell), handicap)
        }));
        self.targets.truncate(PortalField::TARGETS_MAX);
        let terrain = Terrain::from(map.indexed());
        self.is_aimed = self.field.aim_at_all(terrain, rules, &self.targets).is_ok();
    }

    /// The nearest member from a cell, for at most `work` units, and the work done.
    pub(super) fn look(
        &mut self,
        map: &NavMap,
        rules: Rules,
        cell: Cell,
        work: u32,
    ) -> (Nearest, u32) {
        if !self.is_aimed {
            return (Nearest::None, LOOK);
        }
        let terrain = Terrain::from(map.indexed());
        let before = self.field.counters().expanded;
        let is_known = self.field.prepare_within(terrain, cell, work);
        let spread = self.field.counters().expanded - before;
        if !is_known {
            return (Nearest::Pending, spread);
        }
        let nearest = match self.field.nearest(terrain, cell) {
            Some((member, cost)) => Nearest::Member(member, cost / rules.metric.straight()),
            None => Nearest::None,
        };
        (nearest, spread + LOOK)
    }
}

/// The work of a look at a field that has spread so far: it walks some cells down the field, about
/// a microsecond.
pub(super) const LOOK: u32 = 16;
