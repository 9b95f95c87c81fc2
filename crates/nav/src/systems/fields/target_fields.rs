//! The fields of one target for one group of chasers: what they lead to and what is asked of them.

use crate::{CellPosition, Chaser, FieldAnchor, NavMap, Period, systems::storage::targets::Target};
use bevy_ecs::prelude::*;
use nav_grid::{
    Cell, Method, Rules, Search,
    fields::{CostField, FlowField, PortalField},
    methods::Sweep,
    rules::{BodyPolicy, COST_MAX},
};
use std::{
    hash::Hash,
    mem::{discriminant, replace},
    sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
};

/// The largest radius of the window of a near field.
pub(super) const RADIUS_MAX: u16 = Sweep::SUPPORT.radius_max;

/// How near its target, in cells, a chaser shares a field if its searches are its own: where the
/// bodies of a pack block each other. A guess.
const CLOSE: u16 = 8;

/// From this many chasers on, a near field costs less than a search for each of them. A flow field
/// costs about as much as a sweep and a half, and saves each chaser a sweep. Bodies also get past
/// each other on it.
pub(crate) const FIELD_CHASERS_MIN: u32 = 2;

/// What chasers must have in common to share a field: everything that the field depends on.
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
    /// on its way, or limits the cost. It has a key only if it has a body, for the last steps to a
    /// moving target. A chaser by [`Method::Line`] has none.
    #[inline]
    pub(super) fn of(chaser: &Chaser, has_bodies: bool) -> Option<Self> {
        let leaves_searches = chaser.method == Method::Auto
            && chaser.heuristic.is_admissible(chaser.rules.metric)
            && chaser.rules.bodies == BodyPolicy::Ignore
            && chaser.limits.cost == COST_MAX;
        let radius = chaser.limits.radius.min(RADIUS_MAX);
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

/// What a field was made for.
#[derive(Clone, Copy)]
pub(super) struct FieldOrigin {
    pub(super) target: Entity,
    pub(super) map: Entity,
    pub(super) place: CellPosition,
    /// The version of the map.
    pub(super) version: u64,
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
        (self.place, self.serves, self.wants_more)
    }
}

/// The fields of one target for one group of chasers.
#[derive(Default)]
pub(super) struct TargetFields {
    /// What the near field was made for.
    pub(super) made: Option<FieldOrigin>,
    pub(super) near: Option<NearField>,
    /// Whether the near field leads to its anchor, and its target has enough chasers for a field.
    pub(super) leads: bool,
    /// Whether the near field is asked for in this tick.
    pub(super) asked: AtomicBool,
    /// Whether a chaser near the target wants the field aimed at each new cell of it.
    pub(super) wanted: AtomicBool,
    /// How closely the near field must follow the target for chasers that joined in this tick.
    pub(super) wish: FollowWish,
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
    pub(super) made: Option<FieldOrigin>,
    /// The cells from which chasers ask in this tick.
    pub(super) asked: Vec<Cell>,
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

    /// Keeps leading chasers to an earlier anchor of a target, until the near field is made again.
    pub(super) fn keep_leading(&mut self, target: &Target) {
        let serves = |made: FieldOrigin| made.serves && made.is_of(target);
        self.leads = target.chasers >= FIELD_CHASERS_MIN && self.made.is_some_and(serves);
    }

    /// Returns the state that outlives a tick and does not follow from components and maps, if any
    /// field was made or is asked for: where the fields lead, and their progress.
    pub(super) fn carried(&self) -> Option<impl Hash> {
        let (made, asked) = (self.made, self.asked.load(Relaxed));
        let far = self.far.as_deref();
        let is_far_made = far.is_some_and(|far| far.made.is_some());
        let is_carried = made.is_some() || is_far_made || self.leads || asked;
        is_carried.then(|| {
            let far_state =
                |far: &FarField| (far.made.map(FieldOrigin::portable), far.field.counters());
            (
                (made.map(FieldOrigin::portable), (self.leads, asked)),
                (self.near.as_ref().map(discriminant), far.map(far_state)),
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
        near + far.map_or(0, |far| size_of::<FarField>() + far.field.heap_bytes())
    }
}

impl FarField {
    /// Returns the origin of the field if that leads to the present far anchor of a target, on the
    /// map as it is.
    pub(super) fn made_for(&self, target: &Target, map: &NavMap) -> Option<&FieldOrigin> {
        let (anchor, _) = target.anchor.far?;
        let made = self.made.as_ref()?;
        let is_current = made.place == anchor && made.version == map.grid().version();
        (made.is_of(target) && is_current).then_some(made)
    }
}

/// The shortest interval and the least displacement that chasers ask for in a tick.
///
/// Several threads lower them at once. A minimum does not depend on the order.
pub(super) struct FollowWish {
    /// In microseconds.
    interval: AtomicU32,
    /// The bits of a non-negative number. Such bits sort as the numbers do.
    displacement: AtomicU32,
}

impl Default for FollowWish {
    fn default() -> Self {
        Self {
            interval: Self::NONE.into(),
            displacement: Self::NONE.into(),
        }
    }
}

impl FollowWish {
    /// More than the bits of any displacement.
    const NONE: u32 = u32::MAX;

    /// Notes how closely a chaser that joins the fields of a target needs them to follow it.
    pub(super) fn note(&self, chaser: &Chaser, anchor: &FieldAnchor) {
        // Read first, since a write takes the cache line from other threads: most ask for the same.
        let lower = |least: &AtomicU32, number: u32| {
            if number < least.load(Relaxed) {
                least.fetch_min(number, Relaxed);
            }
        };
        if anchor.is_closer(chaser.repath_interval, chaser.displacement) {
            lower(&self.interval, chaser.repath_interval.micros);
            lower(&self.displacement, chaser.displacement.to_bits());
        }
    }

    /// Takes what was asked for, if anything was.
    pub(super) fn take(&mut self) -> Option<(Period, f32)> {
        let displacement = replace(self.displacement.get_mut(), Self::NONE);
        let interval = replace(self.interval.get_mut(), Self::NONE);
        (displacement != Self::NONE)
            .then(|| (Period::from_micros(interval), f32::from_bits(displacement)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NavTime;

    #[test]
    fn own_searches_share_close() {
        let of = |method, radius, has_bodies| {
            let mut chaser = Chaser {
                method,
                ..Chaser::default()
            };
            chaser.limits.radius = radius;
            Some(FieldKey::of(&chaser, has_bodies)?.reach)
        };
        for radius in [1, 5, 8, 9, 20, 28] {
            assert_eq!(of(Method::Auto, radius, true), Some(radius));
            assert_eq!(of(Method::Auto, radius, false), Some(radius));
            let close = CLOSE.min(radius - 1);
            assert_eq!(of(Method::AStar, radius, true), Some(close));
            assert_eq!(of(Method::AStar, radius, false), None);
            assert_eq!(of(Method::Line, radius, true), None);
        }
    }

    #[test]
    fn least_wish_taken_once() {
        let mut wish = FollowWish::default();
        let asks = |millis, displacement| Chaser {
            repath_interval: Period::from_millis(millis),
            displacement,
            ..Chaser::default()
        };
        let fresh = FieldAnchor::default();
        wish.note(&asks(300, 2.0), &fresh);
        wish.note(&asks(400, 0.0), &fresh);
        assert_eq!(wish.take(), Some((Period::from_millis(300), 0.0)));
        assert_eq!(wish.take(), None);
        let followed = FieldAnchor {
            aimed: Some((CellPosition::new(1, 1), NavTime(0))),
            interval: Period::from_millis(300),
            displacement: 0.5,
            ..fresh
        };
        wish.note(&asks(300, 0.5), &followed);
        assert_eq!(wish.take(), None);
        wish.note(&asks(300, 0.25), &followed);
        assert_eq!(wish.take(), Some((Period::from_millis(300), 0.25)));
    }
}
