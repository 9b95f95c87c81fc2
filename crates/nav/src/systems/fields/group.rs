//! Field groups: which chasers may share the field of their target.

use super::target_fields::TargetFields;
use crate::Chaser;
use nav_grid::{
    Method, Rules, Search,
    methods::Sweep,
    rules::{BodyPolicy, COST_MAX},
};

/// Windows of fields reach this far at most.
pub(super) const RADIUS_MAX: u16 = Sweep::SUPPORT.radius_max;

/// How many cells away a target is at most around which those share whose searches are their own: where
/// the bodies of a pack are in each other's way.
const CLOSE: u16 = 8;

/// What chasers must have in common to share a field: what the field itself depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct FieldKey {
    pub(super) rules: Rules,
    /// Half the side of the field's window.
    pub(super) radius: u16,
    /// How many cells away those are at most who share it: as many, or fewer where searches are their own.
    pub(super) reach: u16,
    /// Whether they have bodies, and so need to know more ways than one.
    pub(super) has_bodies: bool,
}

impl FieldKey {
    /// The key of a chaser with a body, or none.
    ///
    /// Those whose searches are their own have one only if they have a body, for the last steps to a target
    /// that moves: who name a method, want the classic search, avoid bodies on their way, or limit the cost.
    /// Those who go straight ahead have none.
    #[inline]
    pub(super) fn of(chaser: &Chaser, has_bodies: bool) -> Option<Self> {
        let leaves_searches = chaser.method == Method::Auto
            && chaser.heuristic.is_admissible(chaser.rules.metric)
            && chaser.rules.bodies == BodyPolicy::Ignore
            && chaser.limits.cost == COST_MAX;
        let radius = chaser.limits.radius.min(RADIUS_MAX);
        let reach = match leaves_searches {
            true => radius,
            false if has_bodies && chaser.method != Method::Line => {
                CLOSE.min(radius.saturating_sub(1))
            }
            false => return None,
        };
        Some(Self {
            rules: chaser.rules.with_bodies(BodyPolicy::Ignore),
            radius,
            reach,
            has_bodies,
        })
    }

    /// Whether chasers of the group may see further than a field around their target reaches.
    pub(super) const fn sees_far(&self) -> bool {
        self.reach >= RADIUS_MAX
    }

    /// Whether they share only close to their target, and while that moves.
    pub(super) const fn is_close(&self) -> bool {
        self.reach < self.radius
    }
}

/// The fields of one group of chasers.
pub(super) struct FieldGroup {
    pub(super) key: FieldKey,
    /// Whether there are chasers of it. The number of one without is given to the next new one.
    pub(super) is_used: bool,
    /// By the slot of the target.
    pub(super) targets: Vec<TargetFields>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(method: Method, radius: u16, has_bodies: bool) -> Option<(u16, bool)> {
        let mut chaser = Chaser {
            method,
            ..Chaser::default()
        };
        chaser.limits.radius = radius;
        let key = FieldKey::of(&chaser, has_bodies)?;
        Some((key.reach, key.is_close()))
    }

    #[test]
    fn those_whose_searches_are_their_own_share_close_to_their_target_only() {
        for radius in [1, 5, 8, 9, 20, 28] {
            let auto = Some((radius, false));
            assert_eq!(of(Method::Auto, radius, true), auto);
            assert_eq!(of(Method::Auto, radius, false), auto);
            let close = Some((CLOSE.min(radius - 1), true));
            assert_eq!(of(Method::AStar, radius, true), close, "radius {radius}");
            assert_eq!(of(Method::AStar, radius, false), None);
            assert_eq!(of(Method::Line, radius, true), None);
        }
    }
}
