//! Switches of targets by threat: which target an agent chases, and the message about it.

use super::{
    choose::{Candidate, Present, choose},
    list::Threat,
};
use crate::{
    ActivityCause, ChaseRecord, GiveUp, GivenUp, Home, Interrupted, Leash, Returning,
    activity::PendingCause,
    given_up::{GivenUpTarget, is_cut_off},
    keep_distance::gap,
    plugins::{GiveUpSystems, add_shared, behaviour_plugin},
    turns::is_turn,
};
use bevy_app::{App, Plugin};
use bevy_ecs::{
    entity_disabling::Disabled, prelude::*, query::Allow, query::QueryData, system::SystemParam,
};
use nav::{
    AgentId, Body, CellPosition, Chaser, Chasing, Destination, NavClock, NavMap, NavTime, NavTimer,
    OnMap, Paused, Period,
    extend::{on_demand, require_nav},
};
use nav_grid::{Cell, Footprint};

/// The message that an agent chases another target of its [`Threat`] list. Also an observer event
/// at the agent.
///
/// Written in [`BehaviourSystems::GiveUp`](crate::BehaviourSystems::GiveUp), in the order of
/// [`AgentId`]s.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreatSwitched {
    /// The agent that switched.
    #[event_target]
    pub agent: Entity,
    /// The target before; `None` for an agent that chased none. The end of a walk or of a return is
    /// none.
    pub from: Option<Entity>,
    /// The target now.
    pub to: Entity,
}

behaviour_plugin! {
    /// Switches the targets of agents with [`Threat`].
    ///
    /// # Complexity
    ///
    /// A tick reads of each list whether it changed. Lists that did, lists of chasers of which the
    /// searches fail, and one in 16 of the others at 64 Hz are looked through, with one look-up for
    /// each target.
    ThreatPlugin
}

impl Plugin for ThreatPlugin {
    fn build(&self, app: &mut App) {
        add_shared(app, self.schedule);
        let switch = on_demand::<With<Threat>, _>(switch);
        app.add_message::<ThreatSwitched>()
            .add_systems(self.schedule, switch.in_set(GiveUpSystems::Switch));
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "ThreatPlugin");
    }
}

/// A chaser with a list.
#[derive(QueryData)]
struct Threatened {
    entity: Entity,
    id: &'static AgentId,
    chaser: &'static Chaser,
    on_map: &'static OnMap,
    position: &'static CellPosition,
    timer: Option<&'static NavTimer>,
    record: Option<&'static ChaseRecord>,
    leash: Option<&'static Leash>,
    home: Option<&'static Home>,
    give_up: Option<&'static GiveUp>,
    given_up: Option<&'static GivenUp>,
    is_returning: Has<Returning>,
}

impl ThreatenedItem<'_, '_> {
    /// Whether it chooses a target now, as far as a return lets it.
    fn is_attentive(&self) -> bool {
        !self.is_returning || self.leash.is_some_and(|leash| leash.notices_on_return)
    }

    /// Whether its leash lets it follow to a cell.
    fn may_follow(&self, to: Cell) -> bool {
        let began_at =
            (self.record.and_then(|record| record.began_at)).unwrap_or(self.position.cell);
        self.leash
            .is_none_or(|leash| leash.allows(self.home, began_at, to))
    }

    /// Whether a target is within its stop distance, from body to body.
    fn is_beside(&self, target: &TargetItem) -> bool {
        let (from, to) = (self.position.cell, target.position.cell);
        let own = self.chaser.rules.footprint.area(from);
        let other = target.footprint().area(to);
        let gap = (0..2).map(|axis| gap(own, other, axis)).max();
        from.floor == to.floor && gap <= Some(self.chaser.stop_distance)
    }

    /// Whether it gave a target up.
    fn has_given_up(&self, target: &TargetItem, map: &NavMap, now: NavTime) -> bool {
        let (id, cell) = (target.id.copied().unwrap_or_default(), target.position.cell);
        (self.given_up).is_some_and(|given_up| {
            given_up.has(id, cell, now, || {
                let to = (cell, target.footprint());
                is_cut_off(map, self.chaser, self.position.cell, to)
            })
        })
    }

    /// Until when it ignores its target, if that is to be given up in this tick.
    fn gives_up(&self, target: Entity, now: NavTime) -> Option<NavTime> {
        let (give_up, record) = (self.give_up?, self.record?);
        let since = record
            .failing_since
            .filter(|_| record.target == Some(target))?;
        let is_over = now >= since.after(give_up.unreachable?);
        // The record is that of the last tick.
        let fails = self.timer.is_some_and(|timer| timer.failures() > 0);
        let ignores = give_up.ignores_for != Period::default();
        (is_over && fails && ignores).then(|| now.after(give_up.ignores_for))
    }
}

/// A target on a list. Without a place it leaves the list.
#[derive(QueryData)]
struct Target {
    id: Option<&'static AgentId>,
    position: &'static CellPosition,
    on_map: Option<&'static OnMap>,
    body: Option<&'static Body>,
    is_disabled: Has<Disabled>,
}

impl TargetItem<'_, '_> {
    fn footprint(&self) -> Footprint {
        self.body.map(|body| body.footprint).unwrap_or_default()
    }
}

/// All that a choice reads.
#[derive(SystemParam)]
struct Choice<'w, 's> {
    clock: Res<'w, NavClock>,
    maps: Query<'w, 's, &'static NavMap>,
    threatened: Query<'w, 's, Threatened>,
    targets: Query<'w, 's, Target, Allow<Disabled>>,
    destinations: Query<'w, 's, (), With<Destination>>,
}

/// A change of the chase of an agent.
struct Change {
    id: AgentId,
    agent: Entity,
    from: Option<Entity>,
    /// The target now; `None` if the chase ends.
    to: Option<Entity>,
    given_up: Option<GivenUp>,
}

/// A chaser that may switch, with its list and its present chase.
type Lists = (
    Entity,
    &'static AgentId,
    &'static mut Threat,
    Option<&'static Chasing>,
    Option<&'static ChaseRecord>,
);

/// A chaser that may switch.
type Attentive = (With<Chaser>, Without<Paused>, Without<Interrupted>);

/// Switches targets in the order of agents.
fn switch(
    choice: Choice,
    mut lists: Query<Lists, Attentive>,
    mut causes: Query<&mut PendingCause>,
    mut messages: MessageWriter<ThreatSwitched>,
    mut commands: Commands,
    mut buffers: Local<(Vec<Candidate>, Vec<Change>)>,
) {
    let (candidates, changes) = &mut *buffers;
    for (agent, &id, mut threat, chasing, record) in &mut lists {
        let present = chasing.map(|chasing| chasing.0);
        let fails = record.is_some_and(|record| record.failing_since.is_some());
        if (fails || choice.is_due(id, &threat, present))
            && let Ok(one) = choice.threatened.get(agent)
            && one.is_attentive()
        {
            choice.forget_gone(&mut threat);
            candidates.clear();
            candidates.extend(choice.candidates(&one, &threat));
            let present = choice.present(&one, &threat, present, candidates);
            changes.extend(choice.change(&one, &mut threat, present, candidates));
        }
    }
    changes.sort_unstable_by_key(|change| (change.id, change.agent));
    for change in changes.drain(..) {
        let agent = change.agent;
        if let Some(given_up) = change.given_up {
            commands.entity(agent).try_insert(given_up);
        }
        let Some(to) = change.to else {
            commands.entity(agent).try_remove::<Chasing>();
            continue;
        };
        PendingCause::note(&mut causes, agent, ActivityCause::Threatened);
        commands.entity(to).try_insert_if_new(AgentId::default());
        commands.entity(agent).try_insert(Chasing(to));
        let from = change.from;
        let switched = ThreatSwitched { agent, from, to };
        messages.write(switched);
        commands.trigger(switched);
    }
}

impl Choice<'_, '_> {
    /// Whether an agent looks through its list in this tick, as far as its searches do not fail.
    fn is_due(&self, id: AgentId, threat: &Threat, present: Option<Entity>) -> bool {
        threat.has_changed
            || (threat.taunt).is_some_and(|taunt| taunt.until <= self.clock.now())
            || threat.chased.is_some() && present.is_none()
            || !threat.is_empty() && is_turn(&self.clock, id)
    }

    /// Takes targets off a list that are gone, and a taunt that is over.
    fn forget_gone(&self, threat: &mut Mut<Threat>) {
        if !threat
            .iter()
            .all(|(target, _)| self.targets.contains(target))
        {
            threat.remove_all(|target| !self.targets.contains(target));
        }
        if (threat.taunt).is_some_and(|taunt| taunt.until <= self.clock.now()) {
            threat.taunt = None;
        }
    }

    /// The targets of a list that an agent may chase.
    fn candidates(&self, one: &ThreatenedItem, threat: &Threat) -> impl Iterator<Item = Candidate> {
        threat.iter().filter_map(move |(target, amount)| {
            let seen = self.targets.get(target).ok()?;
            let (id, cell) = (seen.id.copied().unwrap_or_default(), seen.position.cell);
            let map = self.maps.get(one.on_map.0).ok()?;
            let is_here =
                target != one.entity && seen.on_map == Some(one.on_map) && !seen.is_disabled;
            let may_chase =
                is_here && one.may_follow(cell) && !one.has_given_up(&seen, map, self.clock.now());
            may_chase.then(|| Candidate {
                target,
                id,
                amount,
                is_beside: one.is_beside(&seen),
            })
        })
    }

    /// The present chase of an agent.
    fn present(
        &self,
        one: &ThreatenedItem,
        threat: &Threat,
        chasing: Option<Entity>,
        candidates: &[Candidate],
    ) -> Present {
        let Some(target) = chasing.filter(|&target| !self.destinations.contains(target)) else {
            return Present::default();
        };
        let is_listed = threat.amount_of(target).is_some();
        let is_dropped = !is_listed && threat.chased == Some(target);
        // Without a number it could not be given up, and would come back at once.
        let seen = self.targets.get(target).ok();
        let is_numbered = seen.is_some_and(|seen| seen.id.is_some());
        let ignored_until = one
            .gives_up(target, self.clock.now())
            .filter(|_| is_numbered);
        let held = if is_dropped || ignored_until.is_some() {
            None
        } else if is_listed {
            let candidate = candidates.iter().find(|one| one.target == target);
            candidate.map(|one| one.amount)
        } else {
            Some(0)
        };
        Present {
            target: Some(target),
            held,
            is_dropped,
            ignored_until,
        }
    }

    /// The change of the chase of an agent, if there is one. Notes what was chosen in its list.
    fn change(
        &self,
        one: &ThreatenedItem,
        threat: &mut Mut<Threat>,
        present: Present,
        candidates: &[Candidate],
    ) -> Option<Change> {
        let taunter = threat.taunt.map(|taunt| taunt.target);
        let from = present.target;
        let to = choose(candidates, present, taunter).map(|chosen| chosen.target);
        let chased = (to.or(from)).filter(|&target| threat.amount_of(target).is_some());
        // An unchanged list must not be marked as changed.
        if threat.has_changed || threat.chased != chased {
            (threat.chased, threat.has_changed) = (chased, false);
        }
        let given_up = (present.ignored_until.filter(|_| to.is_some()))
            .and_then(|until| self.given_up_with(one, from?, until));
        (to.is_some() || present.is_dropped).then_some(Change {
            id: *one.id,
            agent: one.entity,
            from,
            to,
            given_up,
        })
    }

    /// The given up targets of an agent with another one.
    fn given_up_with(
        &self,
        one: &ThreatenedItem,
        target: Entity,
        until: NavTime,
    ) -> Option<GivenUp> {
        let target = self.targets.get(target).ok()?;
        let new = GivenUpTarget {
            id: *target.id?,
            cell: target.position.cell,
            footprint: target.footprint(),
            until,
        };
        Some(GivenUp::with(one.given_up, new))
    }
}
