//! What of behaviours a later tick depends on.

use super::{
    ChaseRecord, Formation, GiveUp, GivenUp, GoTo, Home, Intercept, KeepDistance, Leash, Notice,
    Noticeable, Patrol, Returning, StuckWatch, WalkEnd,
};
use bevy_ecs::{prelude::*, query::QueryData};
use std::hash::Hash;

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
    /// What counts; `None` of an agent without any of these components.
    pub(crate) fn words(&self) -> Option<impl Hash> {
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
        let walks = (go_to, home, patrol, is_walk_end);
        let chases = (leash, give_up, given_up, record, is_returning);
        let looks = (notice, noticeable, formation, watch);
        let steers = (intercept, keep_distance);
        let is_plain = walks == (None, None, None, false)
            && chases == (None, None, None, None, false)
            && looks == (None, None, None, None)
            && steers == (None, None);
        (!is_plain).then_some((walks, chases, looks, steers))
    }
}
