//! All behaviours in one table: their plugins, and the components of their state.

use crate::{
    Activity, ActivityPlugin, Approach, ApproachPlugin, CatchUp, CatchUpPlugin, ChaseRecord,
    Confused, ConfusedPlugin, Flee, FleePlugin, Formation, FormationPlugin, GiveUp, GivenUp, Home,
    HomePlugin, InFormation, Intercept, InterceptPlugin, Interrupted, KeepDistance,
    KeepDistancePlugin, LastPlace, Leash, LeashPlugin, Memory, MemoryPlugin, Notice, NoticePlugin,
    Noticeable, Patrol, PatrolPlugin, ReturnEnd, Returning, Searching, StepAside, StepAsidePlugin,
    StuckPlugin, StuckWatch, Threat, ThreatPlugin, ViewCone, Wander, WanderPlugin,
};
use bevy_app::{App, PluginGroupBuilder};
use bevy_ecs::{intern::Interned, schedule::ScheduleLabel};
use nav::state::{
    StateAppExt,
    StateRole::{Decides, Seen, Shown},
};

/// Makes functions out of a table with a line for each plugin: its components, each with its role
/// in the state.
macro_rules! behaviours {
    ($($plugin:ident: $($component:ident $role:ident),+;)+) => {
        /// Adds the plugins of all behaviours to a group.
        pub(crate) fn add_plugins(
            group: PluginGroupBuilder,
            schedule: Interned<dyn ScheduleLabel>,
        ) -> PluginGroupBuilder {
            group$(.add($plugin { schedule }))+
        }

        /// Registers the components of all behaviours as [state](nav::state), for saves, digests
        /// and traces.
        ///
        /// Each plugin of a behaviour calls it for all of them: the content of a save does not
        /// depend on the plugins of an app. Call it in an app without behaviours, such as a tool
        /// that reads saves.
        pub fn register_components(app: &mut App) {$($(
            #[cfg(feature = "serialize")]
            app.register_saved_state::<$component>(stringify!($component), $role);
            #[cfg(not(feature = "serialize"))]
            app.register_state::<$component>(stringify!($component), $role);
            #[cfg(feature = "reflect")]
            app.register_type::<$component>();
        )+)+
            #[cfg(feature = "reflect")]
            app.register_type::<crate::FormationMembers>();
        }
    };
}

behaviours! {
    ActivityPlugin: Activity Shown;
    ApproachPlugin: Approach Decides;
    CatchUpPlugin: CatchUp Decides;
    ConfusedPlugin: Confused Decides, Interrupted Decides;
    FleePlugin: Flee Decides;
    FormationPlugin: Formation Decides, InFormation Decides;
    HomePlugin: Home Decides;
    InterceptPlugin: Intercept Decides;
    KeepDistancePlugin: KeepDistance Decides;
    LeashPlugin: ChaseRecord Decides, GiveUp Decides, GivenUp Decides, Leash Decides, ReturnEnd Decides, Returning Decides;
    MemoryPlugin: LastPlace Decides, Memory Decides, Searching Decides;
    NoticePlugin: Notice Decides, Noticeable Seen, ViewCone Decides;
    PatrolPlugin: Patrol Decides;
    StepAsidePlugin: StepAside Decides;
    StuckPlugin: StuckWatch Decides;
    ThreatPlugin: Threat Decides;
    WanderPlugin: Wander Decides;
}
