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

/// What chasers must have in common to share a field: what the field itself depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct FieldKey {
    pub(super) rules: Rules,
    pub(super) radius: u16,
}

impl FieldKey {
    /// The key of a chaser; `None` for those whose searches are their own: who name a method, who
    /// want the classic search, and who avoid bodies on their way.
    #[inline]
    pub(super) fn of(chaser: &Chaser) -> Option<Self> {
        let shares = chaser.method == Method::Auto
            && chaser.heuristic.is_admissible(chaser.rules.metric)
            && chaser.rules.bodies == BodyPolicy::Ignore
            && chaser.limits.cost == COST_MAX;
        shares.then_some(Self {
            rules: chaser.rules,
            radius: chaser.limits.radius.min(RADIUS_MAX),
        })
    }

    /// Whether chasers of the group may see further than a field around their target reaches.
    pub(super) const fn sees_far(&self) -> bool {
        self.radius >= RADIUS_MAX
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
