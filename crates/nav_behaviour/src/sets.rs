//! The sets in which behaviours run.

use crate::state::register_components;
use bevy_app::App;
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};
use nav::NavSystems;

/// The sets of the systems of behaviours, in the schedule of the [`NavPlugin`](nav::NavPlugin).
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BehaviourSystems {
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
    /// [`NavSystems::Observe`](nav::NavSystems::Observe) and
    /// [`NavSystems::AimFields`](nav::NavSystems::AimFields).
    Unstick,
    /// Has those who keep a distance step away, and those who cut somebody off head for where that
    /// comes to, between [`NavSystems::Observe`](nav::NavSystems::Observe) and
    /// [`NavSystems::AimFields`](nav::NavSystems::AimFields).
    Steer,
    /// Says what agents are doing, after [`NavSystems::Report`](nav::NavSystems::Report). Read
    /// [`ActivityChanged`](crate::ActivityChanged) after it.
    Tell,
}

/// Puts the sets of behaviours in their order: done by each plugin, so that any can be left out.
pub(super) fn order_sets(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    use BehaviourSystems::{GiveUp, Notice, Steer, Tell, Unstick, Walk};

    register_components(app);
    app.configure_sets(
        schedule,
        (
            NavSystems::Behave.before(NavSystems::All),
            NavSystems::Act.in_set(NavSystems::Behave),
            (GiveUp, Notice, Walk).chain().in_set(NavSystems::Act),
            (Unstick, Steer)
                .chain()
                .after(NavSystems::Observe)
                .before(NavSystems::AimFields),
            Tell.after(NavSystems::Report),
        ),
    );
}
