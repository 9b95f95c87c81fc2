//! Searches of the tick: queued by longest wait, answered in parallel within the budget.

mod answering;
mod long_search;
mod params;
mod path_requests;
mod queue;
mod reach_requests;
mod request;
mod results;
mod run;
mod sought;
mod turn;
mod whole_map;

pub(crate) use long_search::LongSearch;
pub(crate) use path_requests::PathRequests;
pub(crate) use queue::SearchQueue;
pub(crate) use request::{
    Looks, PastStage, PathEnd, Request, is_outside, leaves_window, may_leave_window,
};

use self::{
    answering::Planners,
    path_requests::hand_out_answers,
    queue::{lead_searches, want_indexes},
    results::hand_out_results,
    run::run_searches,
};
use crate::{
    Heading, NavSystems, PathRequest, ReachAnswer, ReachRequest, sets::on_demand,
    state::register_states,
};
use bevy_app::App;
use bevy_ecs::{
    intern::Interned,
    prelude::*,
    schedule::{ScheduleLabel, common_conditions::any_with_component},
};

/// Answers the searches of the tick.
pub(crate) fn add_search(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    register_states! {
        app,
        ReachAnswer: Shown,
        ReachRequest: Decides,
    }
    let lead = lead_searches.run_if(any_with_component::<Heading>);
    let systems = (lead, run_searches, hand_out_results, want_indexes).chain();
    // It has the world for itself, and writes no component that others read before.
    let answer = on_demand::<Or<(With<PathRequest>, With<ReachRequest>)>, _>(hand_out_answers)
        .ambiguous_with_all()
        .in_set(NavSystems::Report);
    app.init_resource::<LongSearch>()
        .init_resource::<PathRequests>()
        .init_resource::<SearchQueue>()
        .init_resource::<Planners>()
        .add_systems(schedule, systems.in_set(NavSystems::Search))
        .add_systems(schedule, answer.before(NavSystems::Last));
}
