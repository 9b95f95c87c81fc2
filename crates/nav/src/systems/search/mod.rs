//! Searches of the tick: queued by longest wait, answered in parallel within the budget.

mod beyond;
mod long_search;
mod queue;
mod request;
mod run;

pub(crate) use beyond::{is_outside, leaves_window, may_leave_window};
pub(crate) use long_search::LongSearch;
pub(crate) use queue::SearchQueue;
pub(crate) use request::{Looks, PathEnd, Request};

use self::{
    queue::{hand_out_results, lead_searches, some_are_wanted, want_indexes},
    run::{Planners, run_searches},
};
use crate::{Heading, NavSystems, sets::InitExt};
use bevy_app::{App, Plugin};
use bevy_ecs::{
    intern::Interned,
    prelude::*,
    schedule::{ScheduleLabel, common_conditions::any_with_component},
};

/// Answers the searches of the tick.
pub(crate) struct SearchPlugin(pub(crate) Interned<dyn ScheduleLabel>);

impl Plugin for SearchPlugin {
    fn build(&self, app: &mut App) {
        let lead = lead_searches.run_if(any_with_component::<Heading>);
        let want = want_indexes.run_if(some_are_wanted);
        let systems = (lead, run_searches, hand_out_results, want).chain();
        app.init::<LongSearch>()
            .init::<SearchQueue>()
            .init::<Planners>()
            .add_systems(self.0, systems.in_set(NavSystems::Search));
    }
}
