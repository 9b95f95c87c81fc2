//! The sets in which behaviours run.

use crate::NavSystems;
use bevy_app::App;
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};

/// The sets of the systems of behaviours, in the schedule of the [`NavPlugin`](crate::NavPlugin).
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BehaviourSystems {
    /// All that begins and ends chases, before [`NavSystems::All`](crate::NavSystems::All): the sets
    /// below, in their order.
    Act,
    /// Ends chases that lead too far or take too long.
    ///
    /// After it: who gave up chases nobody, and returns.
    GiveUp,
    /// Begins chases of those who are noticed.
    Notice,
    /// Begins and ends walks to places, for those who chase nobody.
    ///
    /// After it: everybody who has somewhere to go to is on the way.
    Walk,
    /// Has those who do not get on try something else, between
    /// [`NavSystems::Observe`](crate::NavSystems::Observe) and
    /// [`NavSystems::AimFields`](crate::NavSystems::AimFields).
    Unstick,
    /// Has those who keep a distance step away, and those who cut somebody off head for where that
    /// comes to, between [`NavSystems::Observe`](crate::NavSystems::Observe) and
    /// [`NavSystems::AimFields`](crate::NavSystems::AimFields).
    Steer,
    /// Says what agents are doing, after [`NavSystems::Report`](crate::NavSystems::Report). Read
    /// [`ActivityChanged`](super::ActivityChanged) after it.
    Tell,
}

/// Says that some of what is done before [`NavSystems::All`] is no doing of the game.
#[cfg(feature = "trace")]
#[derive(Resource)]
pub(crate) struct HasBehaviours;

/// Puts the sets of behaviours in their order: done by each plugin, so that any can be left out.
pub(super) fn order_sets(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    use BehaviourSystems::{Act, GiveUp, Notice, Steer, Tell, Unstick, Walk};

    #[cfg(feature = "trace")]
    app.insert_resource(HasBehaviours);
    app.configure_sets(
        schedule,
        (
            Act.before(NavSystems::All),
            (GiveUp, Notice, Walk).chain().in_set(Act),
            (Unstick, Steer)
                .chain()
                .after(NavSystems::Observe)
                .before(NavSystems::AimFields),
            Tell.after(NavSystems::Report),
        ),
    );
}
