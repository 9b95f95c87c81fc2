//! All behaviours together: a group of their plugins, and the order of their systems.

use crate::{Activity, explain::explain, interrupts::interrupts, moved_maps::move_cells, table};
use bevy_app::{App, FixedUpdate, Plugin, PluginGroup, PluginGroupBuilder};
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};
use nav::{GoTo, NavSystems, explain::ExplainAppExt};

/// Defines the plugin of a behaviour.
macro_rules! behaviour_plugin {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            /// The schedule of the [`NavPlugin`](nav::NavPlugin);
            /// [`FixedUpdate`](bevy_app::FixedUpdate) by default.
            pub schedule: ::bevy_ecs::intern::Interned<dyn ::bevy_ecs::schedule::ScheduleLabel>,
        }

        impl Default for $name {
            fn default() -> Self {
                use ::bevy_ecs::schedule::ScheduleLabel;
                Self { schedule: ::bevy_app::FixedUpdate.intern() }
            }
        }
    };
}
pub(crate) use behaviour_plugin;

/// The plugins of all behaviours, in the schedule of the [`NavPlugin`](nav::NavPlugin).
///
/// Disable the plugins that the game replaces:
///
/// ```
/// use bevy_app::{App, PluginGroup};
/// use nav_behaviour::{BehaviourPlugins, PatrolPlugin};
/// # let mut app = App::new();
/// # app.add_plugins((bevy_time::TimePlugin, nav::NavPlugin::default()));
/// app.add_plugins(BehaviourPlugins::default().build().disable::<PatrolPlugin>());
/// ```
// Decision 23: docs/decisions/0023-behaviours-begin-and-end-chases.md
#[derive(Clone, Copy, Debug)]
pub struct BehaviourPlugins {
    /// The schedule in which all systems run: the one of the [`NavPlugin`](nav::NavPlugin).
    pub schedule: Interned<dyn ScheduleLabel>,
}

impl BehaviourPlugins {
    /// Behaviours in the given schedule.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        let schedule = schedule.intern();
        Self { schedule }
    }
}

impl Default for BehaviourPlugins {
    /// Behaviours in [`FixedUpdate`], the default schedule of navigation.
    fn default() -> Self {
        Self::new(FixedUpdate)
    }
}

impl PluginGroup for BehaviourPlugins {
    fn build(self) -> PluginGroupBuilder {
        table::add_plugins(PluginGroupBuilder::start::<Self>(), self.schedule)
    }
}

/// The system sets of behaviours, in the schedule of the [`NavPlugin`](nav::NavPlugin).
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BehaviourSystems {
    /// Ends confusions and flights. Interrupts the chases and walks of agents that are
    /// [`Confused`](crate::Confused) or [flee](crate::Flee), and lets them go on afterwards.
    /// Switches targets by [`Threat`](crate::Threat). Lets chasers with [`Memory`](crate::Memory)
    /// lose their targets. Ends chases that lead too far or take too long.
    ///
    /// Afterwards, agents that gave up chase nothing and are returning.
    GiveUp,
    /// Begins chases of noticed agents.
    Notice,
    /// Sends agents that chase nothing: along their patrols, wandering, to their slots in a
    /// formation, home.
    Walk,
    /// Retries for agents without progress, between
    /// [`NavSystems::Observe`](nav::NavSystems::Observe) and
    /// [`NavSystems::AimFields`](nav::NavSystems::AimFields).
    Unstick,
    /// The pace of [`CatchUp`](crate::CatchUp), steps of [`Confused`](crate::Confused),
    /// [`Flee`](crate::Flee) and [`KeepDistance`](crate::KeepDistance), aims of
    /// [`Approach`](crate::Approach) and [`Intercept`](crate::Intercept), between
    /// [`NavSystems::Observe`](nav::NavSystems::Observe) and
    /// [`NavSystems::AimFields`](nav::NavSystems::AimFields).
    Steer,
    /// Updates and reports activities, after [`NavSystems::Report`](nav::NavSystems::Report). Read
    /// [`ActivityChanged`](crate::ActivityChanged) after it.
    Tell,
}

/// The steps of [`BehaviourSystems::GiveUp`].
///
/// An agent of which a flight ends chases in the same tick. A switch comes before an end: an agent
/// that left its target does not give it up as well.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum GiveUpSystems {
    /// Ends of confusions.
    EndConfusions,
    /// Ends of flights.
    EndFlights,
    /// Interruptions of chases and walks, and their ends.
    Interrupt,
    /// Switches of targets by threat.
    Switch,
    /// Searches of targets that are out of sight.
    LoseSight,
    /// Ends of chases.
    End,
}

/// The steps of [`BehaviourSystems::Steer`]: an agent that steps here does so once, by the first
/// that lets it.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SteerSystems {
    /// The pace of followers, before any step takes their move tick.
    SetPace,
    /// Steps of confused agents.
    Stagger,
    /// Steps of agents that flee.
    Flee,
    /// Steps away from targets that are too near.
    KeepDistance,
    /// Aims at the sides of targets, which have stepped away by then.
    Approach,
    /// Aims ahead of targets.
    Aim,
}

/// The steps of [`BehaviourSystems::Walk`], by priority: the first behaviour that sends an agent
/// somewhere wins.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum WalkSystems {
    /// Out of the way of others, and back.
    StepAside,
    /// To the next stop of its patrol.
    Patrol,
    /// To a cell around the centre of its area.
    Wander,
    /// To its slot in a formation.
    Form,
    /// Home.
    GoHome,
}

/// Orders the sets of behaviours and registers their components.
///
/// Each plugin calls it, so that any of them can be left out.
pub(super) fn add_shared(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    use BehaviourSystems::{GiveUp, Notice, Steer, Tell, Unstick, Walk};

    table::register_components(app);
    add_once(app, OfAll(schedule));
    // Fails where it is registered already, or agents are on their way.
    let _ = app.try_register_required_components::<GoTo, Activity>();
    app.configure_sets(
        schedule,
        (
            NavSystems::Behave.before(NavSystems::All),
            NavSystems::Act.in_set(NavSystems::Behave),
            (GiveUp, Notice, Walk)
                .chain()
                .after(NavSystems::EndWalks)
                .before(NavSystems::BeginWalks)
                .in_set(NavSystems::Act),
            (
                GiveUpSystems::EndConfusions,
                GiveUpSystems::EndFlights,
                GiveUpSystems::Interrupt,
                GiveUpSystems::Switch,
                GiveUpSystems::LoseSight,
                GiveUpSystems::End,
            )
                .chain()
                .in_set(GiveUp),
            (
                WalkSystems::StepAside,
                WalkSystems::Patrol,
                WalkSystems::Wander,
                WalkSystems::Form,
                WalkSystems::GoHome,
            )
                .chain()
                .in_set(Walk),
            (
                SteerSystems::SetPace,
                SteerSystems::Stagger,
                SteerSystems::Flee,
                SteerSystems::KeepDistance,
                SteerSystems::Approach,
                SteerSystems::Aim,
            )
                .chain()
                .in_set(Steer),
            (Unstick, Steer)
                .chain()
                .after(NavSystems::Observe)
                .before(NavSystems::AimFields),
            Tell.after(NavSystems::Report),
        ),
    );
}

/// Adds a plugin, unless another behaviour did.
pub(super) fn add_once<P: Plugin>(app: &mut App, plugin: P) {
    if !app.is_plugin_added::<P>() {
        app.add_plugins(plugin);
    }
}

/// Explains what behaviours do, moves their cells along with their maps, interrupts chases and
/// walks, and lets them go on.
struct OfAll(Interned<dyn ScheduleLabel>);

impl Plugin for OfAll {
    fn build(&self, app: &mut App) {
        app.explain_by(explain)
            .add_observer(move_cells)
            .add_systems(self.0, interrupts().in_set(GiveUpSystems::Interrupt));
    }
}
