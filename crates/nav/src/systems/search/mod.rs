//! Searches of the tick: queued by longest wait, answered in parallel within the budget.

mod beyond;
mod long_search;
mod path_requests;
mod queue;
mod request;
mod run;
mod whole_map;

pub(crate) use beyond::{is_outside, leaves_window, may_leave_window};
pub(crate) use long_search::LongSearch;
pub(crate) use path_requests::PathRequests;
pub(crate) use queue::SearchQueue;
pub(crate) use request::{Looks, PathEnd, Request};

use self::{
    path_requests::hand_out_answers,
    queue::{hand_out_results, lead_searches, some_are_wanted, want_indexes},
    run::{Planners, run_searches},
};
use crate::{
    Heading, NavSystems, PathRequest,
    sets::{InitExt, on_demand},
};
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
        // It has the world for itself, and writes no component that others read before.
        let answer = on_demand::<With<PathRequest>, _>(hand_out_answers).ambiguous_with_all();
        let answer = answer.in_set(NavSystems::Report);
        app.init::<LongSearch>()
            .init::<PathRequests>()
            .init::<SearchQueue>()
            .init::<Planners>()
            .add_systems(self.0, systems.in_set(NavSystems::Search))
            .add_systems(self.0, answer.before(NavSystems::Last));
    }
}
