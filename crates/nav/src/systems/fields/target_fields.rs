//! The fields of one target for one group of chasers: what they lead to and what is asked of them.

use crate::{CellPosition, Chaser, NavMap, Period, systems::storage::targets::Target};
use bevy_ecs::prelude::*;
use nav_grid::{
    Cell, Method, Rules, Search,
    fields::{CostField, FlowField, PortalField},
    methods::Sweep,
    rules::{BodyPolicy, COST_MAX},
};
use std::{
    hash::Hash,
    mem::discriminant,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

/// The largest radius of the window of a near field.
pub(super) const RADIUS_MAX: u16 = Sweep::SUPPORT.radius_max;

/// Radii count as the next multiple of this, so that chasers with windows of different sizes share:
/// where each size had fields of its own, a crowd with radii from 8 to 24 took four times as long.
///
/// The default is a multiple. Measured in instructions of the scenario `crowd-10k` with a radius of
/// 10: steps of 20 take 13 % fewer, but then a field leads chasers from twice as far as they would
/// search.
const RADIUS_STEP: u16 = 10;

/// How near its target, in cells, a chaser shares a field if its searches are its own: where the
/// bodies of a pack block each other.
///
/// Measured: with 4, chasers are 1 % less of the time beside targets that move. From 8 to 20 it is
/// the same, and the method that a game chose serves for less of the way.
const CLOSE: u16 = 8;

/// From this many chasers on, a near field costs less than a search for each of them. A flow field
/// costs about as much as a sweep and a half, and saves each chaser a sweep. Bodies also get past
/// each other on it.
pub(crate) const FIELD_CHASERS_MIN: u32 = 2;

/// The key of chasers that may share a field: everything that the field depends on.
// Decision 28: docs/decisions/0028-bodies-share-fields-close-to-targets.md
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct FieldKey {
    pub(super) rules: Rules,
    /// Half the side of the field's window.
    pub(super) radius: u16,
    /// Greatest distance of a sharing chaser, in cells: the radius, or less if searches are its
    /// own.
    pub(super) reach: u16,
    /// Whether the chasers have bodies, and so need more than one way.
    pub(super) has_bodies: bool,
}

impl FieldKey {
    /// Returns the key of a chaser, or `None` if it shares no field.
    ///
    /// A chaser whose searches are its own names a method, uses the classic search, avoids bodies
    /// on its way, limits the cost, or goes where it can shoot from. It has a key only if it has a
    /// body, for the last steps to a moving target. A chaser by [`Method::Line`] has none.
    #[inline]
    pub(super) fn of(chaser: &Chaser, has_bodies: bool) -> Option<Self> {
        let leaves_searches = chaser.method == Method::Auto
            && chaser.heuristic.is_admissible(chaser.rules.metric)
            && chaser.rules.bodies == BodyPolicy::Ignore
            && chaser.limits.cost == COST_MAX
            && !chaser.shoots();
        let own = chaser.limits.radius.min(RADIUS_MAX);
        let radius = own.next_multiple_of(RADIUS_STEP).min(RADIUS_MAX);
        let reach = if leaves_searches {
            radius
        } else if has_bodies && chaser.method != Method::Line {
            CLOSE.min(radius.saturating_sub(1))
        } else {
            return None;
        };
        Some(Self {
            rules: chaser.rules.with_bodies(BodyPolicy::Ignore),
            radius,
            reach,
            has_bodies,
        })
    }
}

/// The target, map and place for which a field was made.
#[derive(Clone, Copy)]
pub(super) struct FieldOrigin {
    pub(super) target: Entity,
    pub(super) map: Entity,
    pub(super) place: CellPosition,
    /// The version of the map.
    pub(super) version: u64,
    /// Where the target stands if links end there: a far field takes none of them.
    pub(super) barred: Option<Cell>,
    /// Whether the field can serve the ground.
    pub(super) serves: bool,
    /// Whether a whole cost field could serve it, with enough chasers to be worth its work.
    pub(super) wants_more: bool,
}

impl FieldOrigin {
    /// The origin of a field that is to lead from around `place` to a target. Whether the field
    /// serves is known once it is made.
    pub(super) fn new(target: &Target, place: CellPosition, version: u64) -> Self {
        Self {
            target: target.entity,
            map: target.seen.map,
            place,
            version,
            barred: None,
            serves: false,
            wants_more: false,
        }
    }

    /// Whether the field was made for this target, on the map where the target is.
    #[inline]
    pub(super) fn is_of(&self, target: &Target) -> bool {
        (self.target, self.map) == (target.entity, target.seen.map)
    }

    /// The part that is equal in every copy of a world. Entities differ between copies, and
    /// versions count from when a map was made or loaded.
    fn portable(self) -> impl Hash {
        let found = (self.serves, self.wants_more);
        (self.place, found, self.barred)
    }
}

/// The fields of one target for one group of chasers.
#[derive(Default)]
pub(super) struct TargetFields {
    /// The origin of the near field.
    pub(super) made: Option<FieldOrigin>,
    pub(super) near: Option<NearField>,
    /// Whether the near field leads to its anchor, and its target has enough chasers for a field.
    pub(super) leads: bool,
    /// Whether the near field is asked for in this tick.
    pub(super) asked: AtomicBool,
    /// Whether a chaser near the target wants the field aimed at each new cell of it.
    pub(super) wanted: AtomicBool,
    /// The field for chasers beyond the window of the near field.
    pub(super) far: Option<Box<FarField>>,
}

/// A field around a target.
pub(super) enum NearField {
    /// On ground where every step costs the same.
    Flow(Box<FlowField>),
    /// On any other ground.
    Cost(Box<CostField>),
}

/// The field of a target over the portals of its map.
#[derive(Default)]
pub(super) struct FarField {
    pub(super) field: PortalField,
    /// The origin that the field was aimed for; `None` if it was not, or if its map was replaced
    /// since.
    pub(super) made: Option<FieldOrigin>,
    /// The cells from which chasers asked last, until the field has spread to them.
    pub(super) asked: Vec<Cell>,
    /// Whether chasers ask in this tick.
    pub(super) is_asked: bool,
}

impl TargetFields {
    /// Returns the origin of the near field if that leads to the present anchor of a target.
    pub(super) fn made_for(&self, target: &Target) -> Option<&FieldOrigin> {
        let (anchor, _) = target.anchor.aimed?;
        let made = self.made.as_ref()?;
        (made.is_of(target) && made.place == anchor).then_some(made)
    }

    /// Updates whether the near field leads chasers to the anchor of a target.
    pub(super) fn update_leads(&mut self, target: &Target) {
        self.leads = target.chasers >= FIELD_CHASERS_MIN
            && self.made_for(target).is_some_and(|made| made.serves);
    }

    /// Whether the near field knows a way from a cell.
    #[inline]
    pub(super) fn reaches(&self, cell: Cell) -> bool {
        match &self.near {
            Some(NearField::Flow(flow)) => flow.reaches(cell),
            Some(NearField::Cost(field)) => field.cost(cell).is_some(),
            None => false,
        }
    }

    /// Keeps leading chasers to an earlier anchor of a target, until the near field is made again.
    pub(super) fn keep_leading(&mut self, target: &Target) {
        let serves = (self.made).is_some_and(|made| made.serves && made.is_of(target));
        self.leads = target.chasers >= FIELD_CHASERS_MIN && serves;
    }

    /// Returns the state that outlives a tick and does not follow from components and maps, if any
    /// field was made or is asked for: where the fields lead, and their progress.
    pub(super) fn carried(&self) -> Option<impl Hash> {
        let (made, asked) = (self.made, self.asked.load(Relaxed));
        let far = self.far.as_deref();
        let is_far_made = far.is_some_and(|far| far.made.is_some() || far.waits());
        let is_carried = made.is_some() || is_far_made || self.leads || asked;
        is_carried.then(|| {
            let far = far.map(|far| {
                let made = far.made.map(FieldOrigin::portable);
                (made, &far.asked, far.field.counters())
            });
            (
                (made.map(FieldOrigin::portable), (self.leads, asked)),
                (self.near.as_ref().map(discriminant), far),
            )
        })
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        let near = match &self.near {
            Some(NearField::Flow(flow)) => size_of::<FlowField>() + flow.heap_bytes(),
            Some(NearField::Cost(field)) => size_of::<CostField>() + field.heap_bytes(),
            None => 0,
        };
        let far = self.far.as_deref();
        near + far.map_or(0, FarField::heap_bytes)
    }
}

impl FarField {
    /// Whether the budget of the last tick ended before the field had spread to all who asked.
    pub(super) fn waits(&self) -> bool {
        !self.asked.is_empty()
    }

    /// Returns the origin of the field if that leads to the present far anchor of a target, on the
    /// map as it is, and takes no link to where the target stands.
    pub(super) fn made_for(
        &self,
        target: &Target,
        map: &NavMap,
        barred: Option<Cell>,
    ) -> Option<&FieldOrigin> {
        let (anchor, _) = target.anchor.far?;
        let made = self.made.as_ref()?;
        let version = map.grid().version();
        let is_current = (made.place, made.barred, made.version) == (anchor, barred, version);
        (made.is_of(target) && is_current).then_some(made)
    }

    /// Bytes on the heap, its own among them.
    fn heap_bytes(&self) -> usize {
        size_of::<Self>() + self.field.heap_bytes() + self.asked.capacity() * size_of::<Cell>()
    }
}

/// The requests of chasers to the fields of their targets in a tick.
#[derive(Resource, Default)]
pub(crate) struct FieldRequests {
    /// How closely the near fields of a target must follow it for chasers that join: the interval,
    /// and the re-path distance.
    pub(super) wishes: Vec<(Entity, Period, f32)>,
    /// Chasers that ask for a far field: group, slot of the target, and own cell.
    pub(super) asks: Vec<(usize, usize, Cell)>,
    /// Chasers that search on their own, since the target left the end of the far field: slot of
    /// the target, and the period in which the chaser is counted once.
    pub(super) drifts: Vec<(usize, Period)>,
}

impl FieldRequests {
    /// Notes how closely a chaser that joins needs the near fields of a target to follow it.
    pub(crate) fn note_wish(&mut self, target: &Target, chaser: &Chaser) {
        let (interval, distance) = (chaser.repath_interval, chaser.repath_distance);
        let wish = (target.entity, interval, distance);
        let is_closer = target.anchor.is_closer(interval, distance);
        // Chasers in a row mostly ask for the same.
        if is_closer && self.wishes.last() != Some(&wish) {
            self.wishes.push(wish);
        }
    }

    pub(crate) fn append(&mut self, more: &mut Self) {
        self.wishes.append(&mut more.wishes);
        self.asks.append(&mut more.asks);
        self.drifts.append(&mut more.drifts);
    }
}

#[cfg(test)]
mod tests {
    use super::{super::shared_field::SharedField, *};

    #[test]
    fn own_searches_share_close() {
        let of = |method, radius, has_bodies| {
            let mut chaser = Chaser {
                method,
                ..Chaser::default()
            };
            chaser.limits.radius = radius;
            let key = &FieldKey::of(&chaser, has_bodies)?;
            let fields = &TargetFields::default();
            assert_eq!(
                SharedField { key, fields }.is_close(),
                method == Method::AStar
            );
            Some(key.reach)
        };
        for (radius, shares) in [(1, 10), (8, 10), (20, 20), (21, 28), (u16::MAX, 28)] {
            assert_eq!(of(Method::Auto, radius, true), Some(shares));
            assert_eq!(of(Method::Auto, radius, false), Some(shares));
            assert_eq!(of(Method::AStar, radius, true), Some(CLOSE));
            assert_eq!(of(Method::AStar, radius, false), None);
            assert_eq!(of(Method::Line, radius, true), None);
        }
    }
}
