//! Searches of the tick: queued by longest wait, answered in parallel within the budget.

mod beyond;
mod long_search;
mod queue;
mod request;
mod run;

pub(crate) use beyond::{beyond_window, is_beyond_due};
pub(crate) use long_search::LongSearch;
pub(crate) use queue::SearchQueue;
pub(crate) use request::{PathEnd, Request, SearchScope};

use self::{
    queue::{hand_out_results, lead_searches},
    run::{Planners, run_searches},
};
use crate::{Heading, NavBudget, NavSystems, sets::InitExt};
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
        let systems = (lead, run_searches, hand_out_results).chain();
        app.init::<NavBudget>()
            .init::<LongSearch>()
            .init::<SearchQueue>()
            .init::<Planners>()
            .add_systems(self.0, systems.in_set(NavSystems::Search));
    }
}
