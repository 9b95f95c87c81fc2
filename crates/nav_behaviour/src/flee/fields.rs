//! The fields of dangers: which there are, when they follow their dangers, and how much they may do
//! in a tick.

use super::{
    components::{Flee, FleeFrom, NOBODY},
    safety::SafetyField,
};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav::{
    AgentId, Body, CellPosition, Chaser, NavMap, NavTime, OnMap, Period, groups::GroupTargets,
};
use nav_grid::{Area, Cell, Footprint, Rules};
use std::collections::BTreeMap;

/// The shortest time between two beginnings of a field: a step of a default chaser. With twice as
/// long, or for each second cell only, more villagers of drawn worlds were caught than an oracle
/// lets be: 2.0 and 2.6 % in place of 1.4.
const FOLLOW: Period = Period::from_millis(250);

/// The work of all fields of a tick together, in cells: as for areas of wandering, about half
/// a millisecond.
const WORK_PER_TICK: usize = 8192;

/// The steps of a field for each step of the distance at which agents stand: from there on
/// they see which way ends for as many steps again, at four times the cells of open ground.
const REACH: u16 = 2;

/// The map, the danger and the settings that agents of one field share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FieldKey {
    pub(super) map: Entity,
    pub(super) from: FleeFrom,
    pub(super) rules: Rules,
    pub(super) distance: u16,
}

impl FieldKey {
    /// The key of an agent.
    pub(super) fn of(flee: &Flee, chaser: &Chaser, on_map: &OnMap) -> Self {
        Self {
            map: on_map.0,
            from: flee.from,
            rules: chaser.rules,
            distance: flee.distance.min(Flee::DISTANCE_MAX),
        }
    }
}

/// A member of a danger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Member {
    id: AgentId,
    cell: Cell,
    footprint: Footprint,
}

impl Member {
    fn area(&self) -> Area {
        self.footprint.area(self.cell)
    }
}

/// The field of a danger.
#[derive(Debug)]
pub(super) struct FleeField {
    /// The tick in which an agent asked for it last, and the first such agent by number.
    asked: NavTime,
    asker: AgentId,
    /// Where the danger is, in the order of agents.
    members: Vec<Member>,
    /// Where it was when the field was begun last, and when that was.
    aimed: Vec<Member>,
    since: Option<NavTime>,
    /// The edits of the map by then.
    version: u64,
    /// The latest field that is done, unless there is none.
    present: SafetyField,
    is_ready: bool,
    next: SafetyField,
}

impl FleeField {
    /// A field without memory yet.
    fn new(asked: NavTime) -> Self {
        Self {
            asked,
            asker: NOBODY,
            members: Vec::new(),
            aimed: Vec::new(),
            since: None,
            version: 0,
            present: SafetyField::default(),
            is_ready: false,
            next: SafetyField::default(),
        }
    }

    /// How safe cells are; `None` before that is known for the first time.
    pub(super) fn safety(&self) -> Option<&SafetyField> {
        self.is_ready.then_some(&self.present)
    }

    /// Whether no member of the danger is on the map.
    pub(super) const fn is_danger_gone(&self) -> bool {
        self.members.is_empty()
    }

    /// The cells of the members of the danger.
    pub(super) fn dangers(&self) -> impl Iterator<Item = Cell> + '_ {
        self.members.iter().map(|member| member.cell)
    }

    /// Whether it has to follow its danger.
    fn is_due(&self, map: &NavMap, now: NavTime) -> bool {
        let Some(since) = self.since else {
            return true;
        };
        let has_moved =
            |(before, now): (&Member, &Member)| (before.id, before.cell) != (now.id, now.cell);
        self.next.is_done()
            && now >= since.after(FOLLOW)
            && (self.aimed.len() != self.members.len()
                || self.aimed.iter().zip(&self.members).any(has_moved)
                || self.version != map.grid().version())
    }

    /// Begins again around the danger.
    fn aim(&mut self, map: &NavMap, key: FieldKey, now: NavTime) {
        self.since = Some(now);
        self.version = map.grid().version();
        self.aimed.clone_from(&self.members);
        let radius = key.distance * REACH;
        let dangers = self.aimed.iter().map(Member::area);
        self.next.start(map.grid(), key.rules, radius, dangers);
    }

    /// Goes on for some cells. Returns how many are left.
    fn advance(&mut self, map: &NavMap, key: FieldKey, work: usize) -> usize {
        if self.next.is_done() {
            return work;
        }
        let left = self.next.advance(map.grid(), key.rules, work);
        if self.next.is_done() {
            std::mem::swap(&mut self.present, &mut self.next);
            self.is_ready = true;
        }
        left
    }
}

type MemberData = (
    Option<&'static AgentId>,
    &'static CellPosition,
    Option<&'static OnMap>,
    Option<&'static Body>,
);

/// Where dangers are.
#[derive(SystemParam)]
pub(super) struct Dangers<'w, 's> {
    groups: Query<'w, 's, &'static GroupTargets>,
    members: Query<'w, 's, MemberData>,
}

impl Dangers<'_, '_> {
    /// Lists the members of a danger on a map.
    fn list(&self, key: FieldKey, members: &mut Vec<Member>) {
        members.clear();
        let entity = match key.from {
            FleeFrom::Danger(entity) => entity,
            FleeFrom::Cell(cell) => {
                members.push(Member {
                    id: AgentId(0),
                    cell,
                    footprint: Footprint::ONE,
                });
                return;
            }
        };
        let group = self.groups.get(entity).ok();
        let alone = group.is_none().then_some(entity);
        let all = group.into_iter().flat_map(GroupTargets::iter).chain(alone);
        for (id, place, on_map, body) in all.filter_map(|agent| self.members.get(agent).ok()) {
            if on_map == Some(&OnMap(key.map)) {
                members.push(Member {
                    id: id.copied().unwrap_or_default(),
                    cell: place.cell,
                    footprint: body.map(|body| body.footprint).unwrap_or_default(),
                });
            }
        }
        members.sort_unstable();
    }
}

/// The fields of all dangers. Saves drop them, as other fields.
#[derive(Resource, Debug, Default)]
pub(super) struct FleeFields {
    all: BTreeMap<FieldKey, FleeField>,
    /// Fields in the order in which they get the work of a tick.
    queue: Vec<(Option<NavTime>, AgentId, FieldKey)>,
}

/// Drops all fields. They are made again on request.
#[cfg(feature = "serialize")]
pub(super) fn forget_fields(world: &mut World) {
    if let Some(mut fields) = world.get_resource_mut::<FleeFields>() {
        fields.all.clear();
    }
}

impl FleeFields {
    /// Drops the fields of a map that moved, which are in the cells of its old window.
    pub(super) fn forget_of(&mut self, map: Entity) {
        self.all.retain(|key, _| key.map != map);
    }

    /// The field with a key, once an agent has asked for it.
    pub(super) fn get(&self, key: &FieldKey) -> Option<&FleeField> {
        self.all.get(key)
    }

    /// Drops the fields for which nobody asked in the last tick.
    pub(super) fn drop_unused(&mut self, last: NavTime) {
        self.all.retain(|_, field| field.asked == last);
        self.all.values_mut().for_each(|field| field.asker = NOBODY);
    }

    /// Asks for a field in this tick, for an agent.
    pub(super) fn ask(&mut self, key: FieldKey, asker: AgentId, now: NavTime) {
        let field = (self.all.entry(key)).or_insert_with(|| FleeField::new(now));
        field.asked = now;
        field.asker = field.asker.min(asker);
    }

    /// Lets fields follow their dangers, the longest waiting first, for the work of a tick.
    pub(super) fn follow(&mut self, dangers: &Dangers, maps: &Query<&NavMap>, now: NavTime) {
        let Self { all, queue } = self;
        for (&key, field) in &mut *all {
            let Ok(map) = maps.get(key.map) else {
                field.members.clear();
                continue;
            };
            dangers.list(key, &mut field.members);
            if !field.members.is_empty() && field.is_due(map, now) {
                field.aim(map, key, now);
            }
            if !field.next.is_done() {
                queue.push((field.since, field.asker, key));
            }
        }
        queue.sort_unstable();
        let mut left = WORK_PER_TICK;
        for (.., key) in queue.drain(..) {
            if let (Some(field), Ok(map)) = (all.get_mut(&key), maps.get(key.map)) {
                left = field.advance(map, key, left);
            }
        }
    }
}
