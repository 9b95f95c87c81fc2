//! The steps of agents that flee, and the ends of their flights.

use super::{
    components::{Cornered, Flee, FleeEnd, FleeEnded, FleeUntil},
    fields::{Dangers, FieldKey, FleeField, FleeFields},
};
use crate::{
    Confused,
    activity::PendingCause,
    interrupted::calm,
    plugins::{GiveUpSystems, SteerSystems, add_shared, behaviour_plugin},
};
use bevy_app::{App, Plugin};
use bevy_ecs::{prelude::*, query::QueryData, schedule::common_conditions::any_with_component};
use nav::{
    AgentId, Chaser, NavClock, NavMap, NavTime, OnMap, Paused,
    extend::{on_demand, require_nav},
    maps::MapShifted,
    stepping::{Stepper, Stepping},
};
use nav_grid::{Cell, Direction};

behaviour_plugin! {
    /// Lets chasers with [`Flee`] run.
    ///
    /// # Complexity
    ///
    /// A tick reads the timer of each agent that flees, and about eight cells of a field for those
    /// at their move tick. All fields together do the work of at most 8,192 cells in a tick. An
    /// open field of the default distance takes that of some 13,000 cells around each member of a
    /// danger that has no other near. Until its first field is there an agent stands; later it
    /// follows the last one.
    ///
    /// A field takes twice 4 bytes for each cell within its reach, in pages of 32×32 cells.
    FleePlugin
}

impl Plugin for FleePlugin {
    fn build(&self, app: &mut App) {
        add_shared(app, self.schedule);
        let end = on_demand::<With<Flee>, _>(end_flights);
        let run = (make_fields, run)
            .chain()
            .run_if(any_with_component::<Flee>);
        app.init_resource::<FleeFields>()
            .add_message::<FleeEnded>()
            .add_message::<Cornered>()
            .add_systems(self.schedule, end.in_set(GiveUpSystems::EndFlights))
            .add_systems(self.schedule, run.in_set(SteerSystems::Flee))
            .add_observer(forget_moved);
        #[cfg(feature = "serialize")]
        nav::extend::drop_by_saves(app, super::fields::forget_fields);
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "FleePlugin");
    }
}

fn forget_moved(shifted: On<MapShifted>, mut fields: ResMut<FleeFields>) {
    fields.forget_of(shifted.map);
}

/// Begins flights, and ends those of which the end is due, in the order of agents.
fn end_flights(
    clock: Res<NavClock>,
    mut agents: Query<(Entity, Option<&AgentId>, &mut Flee)>,
    mut causes: Query<&mut PendingCause>,
    mut commands: Commands,
    mut list: Local<Vec<(AgentId, FleeEnded)>>,
) {
    let now = clock.now();
    for (agent, id, mut flee) in &mut agents {
        if flee.began.is_none() {
            flee.began = Some(now);
        }
        let over = flee.is_over(now).then_some(FleeEnd::Over);
        if let Some(end) = flee.end.or(over) {
            list.push((id.copied().unwrap_or_default(), FleeEnded { agent, end }));
        }
    }
    list.sort_unstable_by_key(|&(id, ended)| (id, ended.agent));
    for (_, ended) in list.drain(..) {
        let ended = (ended.agent, ended);
        calm::<Flee, _>(ended, &mut causes, &mut commands);
    }
}

/// An agent that may step.
type Free = (Without<Paused>, Without<Confused>);

/// Makes the fields that agents ask for.
fn make_fields(
    clock: Res<NavClock>,
    agents: Query<(&AgentId, &Flee, &Chaser, &OnMap), Free>,
    dangers: Dangers,
    maps: Query<&NavMap>,
    mut fields: ResMut<FleeFields>,
) {
    let now = clock.now();
    fields.drop_unused(clock.previous());
    // Agents in a row mostly flee the same danger.
    let mut last: Option<(FieldKey, AgentId)> = None;
    for (&id, flee, chaser, on_map) in &agents {
        let key = FieldKey::of(flee, chaser, on_map);
        last = match last {
            Some((same, first)) if same == key => Some((key, first.min(id))),
            other => {
                ask(&mut fields, other, now);
                Some((key, id))
            }
        };
    }
    ask(&mut fields, last, now);
    fields.follow(&dangers, &maps, now);
}

fn ask(fields: &mut FleeFields, asked: Option<(FieldKey, AgentId)>, now: NavTime) {
    if let Some((key, asker)) = asked {
        fields.ask(key, asker, now);
    }
}

#[derive(QueryData)]
#[query_data(mutable)]
struct Runner {
    id: &'static AgentId,
    flee: &'static mut Flee,
    stepper: Stepper,
}

/// The intent of an agent at its move tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Intent {
    /// It ends its flight.
    End(FleeEnd),
    /// It is far enough, and stays.
    Rest,
    /// It runs, from this many steps away.
    Run(u16),
}

/// Steps of agents at their move ticks, in their order: the first may take the only free cell.
fn run(
    mut stepping: Stepping,
    mut agents: Query<Runner, Free>,
    maps: Query<&NavMap>,
    fields: Res<FleeFields>,
    mut messages: MessageWriter<Cornered>,
    mut commands: Commands,
    mut due: Local<Vec<(AgentId, Entity)>>,
) {
    let now = stepping.now();
    for one in &agents {
        if one.stepper.move_timer.is_due(now) && one.flee.end.is_none() {
            due.push((*one.id, one.stepper.entity));
        }
    }
    due.sort_unstable();
    let mut cornered = Vec::new();
    let mut last: Option<(FieldKey, &FleeField)> = None;
    for (_, agent) in due.drain(..) {
        let Ok(mut one) = agents.get_mut(agent) else {
            continue;
        };
        let on_map = one.stepper.on_map;
        let key = FieldKey::of(&one.flee, one.stepper.chaser, on_map);
        if last.is_none_or(|(same, _)| same != key) {
            last = fields.get(&key).map(|field| (key, field));
        }
        let (Some((_, field)), Ok(map)) = (last, maps.get(on_map.0)) else {
            continue;
        };
        match one.intent(field, map, key.distance) {
            None => {}
            Some(Intent::End(end)) => one.flee.end = Some(end),
            Some(Intent::Rest) => one.wait(now),
            Some(Intent::Run(steps)) => {
                let is_newly_cornered = one.run(field, map, &mut stepping);
                cornered.extend(is_newly_cornered.then_some(Cornered { agent, steps }));
            }
        }
    }
    for cornered in cornered {
        messages.write(cornered);
        commands.trigger(cornered);
    }
}

impl RunnerItem<'_, '_> {
    /// Returns its intent; `None` before its first field is there.
    fn intent(&self, field: &FleeField, map: &NavMap, distance: u16) -> Option<Intent> {
        if field.is_danger_gone() {
            return Some(Intent::End(FleeEnd::DangerGone));
        }
        let at = self.stepper.position.cell;
        let steps = field.safety()?.at(at).steps;
        let is_far = steps >= distance;
        Some(match self.flee.until {
            FleeUntil::Over(_) if is_far => Intent::Rest,
            _ if is_far => Intent::End(FleeEnd::FarEnough),
            FleeUntil::OutOfSight if !self.is_seen(field, map, distance) => {
                Intent::End(FleeEnd::OutOfSight)
            }
            _ => Intent::Run(steps),
        })
    }

    /// Whether a member of the danger within some columns and rows sees it.
    fn is_seen(&self, field: &FleeField, map: &NavMap, distance: u16) -> bool {
        let (at, rules) = (self.stepper.position.cell, self.stepper.chaser.rules);
        let mut near = field
            .dangers()
            .filter(|danger| danger.floor == at.floor && danger.chebyshev(at) <= distance);
        near.any(|danger| map.grid().sees(danger, at, rules))
    }

    /// Steps onto the safest free cell. Returns whether it finds for the first time that there is
    /// none safer.
    fn run(&mut self, field: &FleeField, map: &NavMap, stepping: &mut Stepping) -> bool {
        let now = stepping.now();
        let Some(safety) = field.safety() else {
            return false;
        };
        let (rules, from) = (self.stepper.chaser.rules, self.stepper.position.cell);
        let first = Direction::ALL[self.id.0 as usize % Direction::ALL.len()];
        let mut is_cornered = true;
        let mut free: Option<Cell> = None;
        for to in safety.safer(map.grid(), rules, from, first) {
            is_cornered = false;
            if self.stepper.has_room(stepping, to) {
                free = Some(to);
                break;
            }
        }
        if let Some(to) = free {
            if self.flee.is_cornered {
                self.flee.is_cornered = false;
            }
            self.stepper.step(map, to, stepping);
            return false;
        }
        self.wait(now);
        let is_new = is_cornered && !self.flee.is_cornered;
        if is_new {
            self.flee.is_cornered = true;
        }
        is_new
    }

    /// Looks again a step's time later.
    fn wait(&mut self, now: NavTime) {
        let timer = &mut self.stepper.move_timer;
        timer.next_step = now.after(timer.chasing);
    }
}
