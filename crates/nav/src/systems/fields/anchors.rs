//! Aiming the fields of targets: when, and at which place.

use crate::{
    AgentId, CellPosition, FieldAnchor, NavClock, NavTime, Period,
    shared::{CountKind, FieldAsk, Peers},
    systems::storage::targets::{Target, Targets},
};
use bevy_ecs::{prelude::*, system::SystemParam};

/// Where so many fields are aimed in a tick, they take turns from then on.
pub(super) const CROWDED: usize = 32;

/// Over how many ticks fields are spread that are aimed before their interval is over, where so many
/// [would be](CROWDED) in one: many targets step in the same tick.
const TURNS: u64 = 8;

/// The slot of a target, and how closely chasers of a group want its fields to follow it.
pub(super) type Wish = (usize, Period, f32);

/// The anchors of all targets.
#[derive(SystemParam)]
pub(crate) struct Anchors<'w, 's> {
    pub(super) clock: Res<'w, NavClock>,
    pub(super) targets: ResMut<'w, Targets>,
    stored: Query<'w, 's, &'static mut FieldAnchor>,
    numbers: Query<'w, 's, &'static AgentId>,
    peers: ResMut<'w, Peers>,
}

impl Anchors<'_, '_> {
    /// How long the tick is, in nanoseconds.
    pub(super) fn tick(&self) -> u64 {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        now.0.saturating_sub(previous.0)
    }

    /// Adds at which targets other processes that share the world aim fields in this tick, too, and how
    /// closely chasers there want these to follow their targets. Returns at how many all together aim.
    ///
    /// Adds those that are here to the slots, and what chasers want to the wishes.
    pub(super) fn merge_with_others(
        &mut self,
        counted: CountKind,
        slots: &mut Vec<usize>,
        wishes: &mut Vec<Wish>,
    ) -> usize {
        let Self {
            targets,
            numbers,
            peers,
            ..
        } = self;
        let number = |slot: usize| numbers.get(targets.at(slot).entity).ok().copied();
        let ask = |slot, follow, is_aimed| {
            Some(FieldAsk {
                target: number(slot)?,
                follow,
                is_aimed,
            })
        };
        let all = peers.asks(counted, || {
            let aimed = slots.iter().filter_map(|&slot| ask(slot, None, true));
            let wish = |&(slot, interval, by): &Wish| ask(slot, Some((interval, by)), false);
            FieldAsk::merge_all(aimed.chain(wishes.iter().filter_map(wish)))
        });
        let Some(all) = all else {
            return slots.len();
        };
        slots.clear();
        for slot in (0..targets.slots()).filter(|&slot| targets.is_chased(slot)) {
            let number = number(slot);
            let place = all.binary_search_by_key(&number, |ask| Some(ask.target));
            if let Some(ask) = place.ok().and_then(|place| all.get(place)) {
                slots.extend(ask.is_aimed.then_some(slot));
                wishes.extend(ask.follow.map(|(interval, by)| (slot, interval, by)));
            }
        }
        all.iter().filter(|ask| ask.is_aimed).count()
    }

    /// Has the fields of a target follow it as closely as some chasers ask for, too. What the first
    /// ones of a tick ask for counts from when they are [aimed](Self::join).
    pub(super) fn follow_closer(&mut self, slot: usize, interval: Period, displacement: f32) {
        let mut anchor = self.targets.at(slot).anchor;
        anchor.follow_closer(interval, displacement);
        self.set(slot, anchor);
    }

    /// Whether it is the turn of a target in this tick, as it is in one of [`TURNS`].
    pub(super) fn has_turn(&self, slot: usize) -> bool {
        let cell = self.targets.at(slot).seen.position.cell;
        let tick = self.clock.now().0 / self.tick().max(1);
        let number = u64::from(cell.x) + u64::from(cell.y) + tick;
        number.is_multiple_of(TURNS)
    }

    /// Anchors the field of a target at where it is now.
    pub(super) fn aim(&mut self, slot: usize, takes_turn: bool) {
        let Target { seen, anchor, .. } = *self.targets.at(slot);
        let aimed = Some(self.at(seen.position, anchor.interval, takes_turn));
        let wanted = false;
        self.set(
            slot,
            FieldAnchor {
                aimed,
                wanted,
                ..anchor
            },
        );
    }

    /// Anchors the far field of a target at where it is now.
    pub(super) fn aim_far(&mut self, slot: usize) -> (CellPosition, NavTime) {
        let Target { seen, anchor, .. } = *self.targets.at(slot);
        let aimed = (seen.position, self.clock.now());
        let far = Some(aimed);
        self.set(slot, FieldAnchor { far, ..anchor });
        aimed
    }

    /// A place, and when to count the interval from of a field that is aimed there.
    fn at(
        &self,
        place: CellPosition,
        interval: Period,
        takes_turn: bool,
    ) -> (CellPosition, NavTime) {
        let (now, cell) = (self.clock.now(), place.cell);
        if !takes_turn {
            return (place, now);
        }
        let number = u64::from(cell.x) | u64::from(cell.y) << 16 | u64::from(cell.floor) << 32;
        (place, now.put_off(number, interval))
    }

    fn set(&mut self, slot: usize, anchor: FieldAnchor) {
        self.targets.set_anchor(slot, anchor);
        if let Ok(mut stored) = self.stored.get_mut(self.targets.at(slot).entity) {
            *stored = anchor;
        }
    }
}
