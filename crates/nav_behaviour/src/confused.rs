//! Confusion: random legal steps for a time.

use crate::{
    Activity, Interrupted,
    activity::PendingCause,
    interrupted::calm,
    plugins::{GiveUpSystems, SteerSystems, add_shared, behaviour_plugin},
};
use bevy_app::{App, Plugin};
use bevy_ecs::{prelude::*, query::QueryData, schedule::common_conditions::any_with_component};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{
    AgentId, Chaser, NavClock, NavMap, NavTime, Paused, Period,
    extend::{Fingerprint, on_demand, require_nav},
    stepping::{Stepper, Stepping},
};
use nav_grid::{Cell, Direction, Directions};

/// Makes a chaser take random steps for a time: a spell, a blow. Removed when the time is over, see
/// [`ConfusionEnded`]. Remove it to end the confusion at once.
///
/// At each move tick the agent takes one of the legal steps to a free cell, and stands where there
/// is none. It takes no links, but steps from ledges like any other step. The steps follow from its
/// [`AgentId`] and their number: equal worlds are confused equally.
///
/// A confusion interrupts the chase or the walk of the agent, which goes on afterwards: see
/// [`Interrupted`]. An agent that [flees](crate::Flee) as well is confused first.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[require(Activity, Interrupted, Chaser)]
pub struct Confused {
    /// How long it lasts from its first tick on.
    pub period: Period,
    /// Its first tick; `None` before.
    began: Option<NavTime>,
    /// Move ticks so far.
    steps: u32,
}

impl Confused {
    /// A confusion that lasts for a period.
    pub fn for_period(period: impl Into<Period>) -> Self {
        Self {
            period: period.into(),
            began: None,
            steps: 0,
        }
    }

    /// Whether its time is over.
    fn is_over(&self, now: NavTime) -> bool {
        (self.began).is_some_and(|began| now >= began.after(self.period))
    }

    /// The direction of the next step, out of all that are possible.
    fn choose(&self, id: AgentId, ways: Directions) -> Option<Direction> {
        let count = ways.into_iter().len() as u64;
        let drawn = (Fingerprint::of(&(id, self.steps)) >> u32::BITS) * count;
        ways.into_iter().nth((drawn >> u32::BITS) as usize)
    }
}

/// The message that a [confusion](Confused) is over. Also an observer event at the agent.
///
/// Written in [`BehaviourSystems::GiveUp`](crate::BehaviourSystems::GiveUp), in the order of
/// [`AgentId`]s. A confusion that the game ends writes none.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfusionEnded {
    /// The agent.
    #[event_target]
    pub agent: Entity,
}

behaviour_plugin! {
    /// Lets chasers with [`Confused`] stagger.
    ///
    /// A tick reads the timer of each, and the cells around those at their move tick.
    ConfusedPlugin
}

impl Plugin for ConfusedPlugin {
    fn build(&self, app: &mut App) {
        add_shared(app, self.schedule);
        let end = on_demand::<With<Confused>, _>(end_confusions);
        let stagger = stagger.run_if(any_with_component::<Confused>);
        app.add_message::<ConfusionEnded>()
            .add_systems(self.schedule, end.in_set(GiveUpSystems::EndConfusions))
            .add_systems(self.schedule, stagger.in_set(SteerSystems::Stagger));
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "ConfusedPlugin");
    }
}

/// Begins confusions, and ends them when they are over, in the order of agents.
fn end_confusions(
    clock: Res<NavClock>,
    mut agents: Query<(Entity, Option<&AgentId>, &mut Confused)>,
    mut causes: Query<&mut PendingCause>,
    mut commands: Commands,
    mut list: Local<Vec<(AgentId, Entity)>>,
) {
    let now = clock.now();
    for (agent, id, mut confused) in &mut agents {
        if confused.began.is_none() {
            confused.began = Some(now);
        }
        if confused.is_over(now) {
            list.push((id.copied().unwrap_or_default(), agent));
        }
    }
    list.sort_unstable();
    for (_, agent) in list.drain(..) {
        let ended = (agent, ConfusionEnded { agent });
        calm::<Confused, _>(ended, &mut causes, &mut commands);
    }
}

#[derive(QueryData)]
#[query_data(mutable)]
struct Staggering {
    id: &'static AgentId,
    confused: &'static mut Confused,
    stepper: Stepper,
}

/// Steps of confused agents at their move ticks, in their order: the first may take the only free
/// cell.
fn stagger(
    mut stepping: Stepping,
    mut agents: Query<Staggering, Without<Paused>>,
    maps: Query<&NavMap>,
    mut due: Local<Vec<(AgentId, Entity)>>,
) {
    let now = stepping.now();
    for one in &agents {
        if one.stepper.move_timer.is_due(now) {
            due.push((*one.id, one.stepper.entity));
        }
    }
    due.sort_unstable();
    for (_, agent) in due.drain(..) {
        let Ok(mut one) = agents.get_mut(agent) else {
            continue;
        };
        let map = maps.get(one.stepper.on_map.0).ok();
        let to = map.and_then(|map| Some((map, one.next(map, &stepping)?)));
        one.confused.steps = one.confused.steps.wrapping_add(1);
        if let Some((map, to)) = to {
            one.stepper.step(map, to, &mut stepping);
        } else {
            let timer = &mut one.stepper.move_timer;
            timer.next_step = now.after(timer.chasing);
        }
    }
}

impl StaggeringItem<'_, '_> {
    /// The cell of its next step, if there is a free one.
    fn next(&self, map: &NavMap, stepping: &Stepping) -> Option<Cell> {
        let (from, rules) = (self.stepper.position.cell, self.stepper.chaser.rules);
        let legal = map.grid().steps(from, rules).into_iter();
        let free = legal.filter(|&way| {
            let to = from.step(way);
            to.is_some_and(|to| self.stepper.has_room(stepping, to))
        });
        from.step(self.confused.choose(*self.id, free.collect())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_drawn_evenly() {
        let mut confused = Confused::for_period(Period::from_millis(1));
        let ways: Directions = [Direction::North, Direction::SouthEast, Direction::West]
            .into_iter()
            .collect();
        let mut counts = [0; 8];
        for steps in 0..3000 {
            confused.steps = steps;
            let way = confused.choose(AgentId(7), ways).unwrap();
            counts[way as usize] += 1;
            assert_eq!(
                confused.choose(AgentId(7), Directions::from(way)),
                Some(way)
            );
        }
        for (way, count) in counts.into_iter().enumerate() {
            let is_possible = [0, 3, 6].contains(&way);
            assert_eq!(count > 0, is_possible, "{counts:?}");
            assert!(!is_possible || (900..1100).contains(&count), "{counts:?}");
        }
        assert_eq!(confused.choose(AgentId(7), Directions::NONE), None);
    }

    #[test]
    fn lasts_from_first_tick() {
        let mut confused = Confused::for_period(Period::from_millis(2));
        assert!(!confused.is_over(NavTime(u64::MAX)));
        confused.began = Some(NavTime(5));
        let over = [2_000_004, 2_000_005].map(|now| confused.is_over(NavTime(now)));
        assert_eq!(over, [false, true]);
    }
}
