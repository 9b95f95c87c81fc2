//! What of behaviours a later tick depends on.

use super::{
    ChaseRecord, Formation, GiveUp, GivenUp, GoTo, Home, Intercept, KeepDistance, Leash, Notice,
    Noticeable, Patrol, Returning, StuckWatch, WalkEnd,
};
use crate::parts::{Part, PartHasher, Parts};
use bevy_ecs::{prelude::*, query::QueryData};

/// The components of behaviours that have a say in what an agent does.
/// [`Activity`](super::Activity) only says it; whose formation an agent is in is looked up where other
/// agents are.
///
/// Whoever adds one has to say below what becomes of it: all are taken apart without `..`.
#[derive(QueryData)]
pub(crate) struct BehaviourState {
    go_to: Option<&'static GoTo>,
    home: Option<&'static Home>,
    patrol: Option<&'static Patrol>,
    leash: Option<&'static Leash>,
    give_up: Option<&'static GiveUp>,
    given_up: Option<&'static GivenUp>,
    record: Option<&'static ChaseRecord>,
    is_returning: Has<Returning>,
    is_walk_end: Has<WalkEnd>,
    notice: Option<&'static Notice>,
    noticeable: Option<&'static Noticeable>,
    formation: Option<&'static Formation>,
    watch: Option<&'static StuckWatch>,
    intercept: Option<&'static Intercept>,
    keep_distance: Option<&'static KeepDistance>,
}

impl BehaviourStateItem<'_, '_> {
    /// Hashes what counts: nothing of an agent without any of these components.
    pub(crate) fn hash(&self, agent: Entity, hasher: &mut PartHasher<impl Parts>) {
        let &Self {
            go_to,
            home,
            patrol,
            leash,
            give_up,
            given_up,
            record,
            is_returning,
            is_walk_end,
            notice,
            noticeable,
            formation,
            watch,
            intercept,
            keep_distance,
        } = self;
        let is_plain = (go_to, home, patrol, is_walk_end) == (None, None, None, false)
            && (leash, give_up, given_up, record, is_returning) == (None, None, None, None, false)
            && (notice, noticeable, formation, watch) == (None, None, None, None)
            && (intercept, keep_distance) == (None, None);
        if is_plain {
            return;
        }
        hasher.component(agent, Part::GoTo, go_to);
        hasher.component(agent, Part::Home, home);
        hasher.component(agent, Part::Patrol, patrol);
        hasher.marker(agent, Part::WalkEnd, is_walk_end);
        hasher.component(agent, Part::Leash, leash);
        hasher.component(agent, Part::GiveUp, give_up);
        hasher.component(agent, Part::GivenUp, given_up);
        hasher.component(agent, Part::ChaseRecord, record);
        hasher.marker(agent, Part::Returning, is_returning);
        hasher.component(agent, Part::Notice, notice);
        hasher.component(agent, Part::Noticeable, noticeable);
        hasher.component(agent, Part::Formation, formation);
        hasher.component(agent, Part::StuckWatch, watch);
        hasher.component(agent, Part::Intercept, intercept);
        hasher.component(agent, Part::KeepDistance, keep_distance);
    }
}
