//! Sentences of behaviours for [`nav::explain`].

use crate::{
    ChaseRecord, Confused, Flee, FleeFrom, Formation, GivenUp, InFormation, Interrupted, Leash,
    Patrol, Returning, Searching, StuckWatch, Wander,
};
use bevy_ecs::prelude::*;
use nav::{Chasing, GoTo};

/// A sentence about what the behaviours of an agent do; `None` without any.
pub(crate) fn explain(world: &World, agent: Entity) -> Option<String> {
    let agent = world.get_entity(agent).ok()?;
    let says: [fn(EntityRef<'_>) -> Option<String>; 5] =
        [interruption, way, search, chase, formation];
    let said: Vec<String> = says.iter().filter_map(|says| says(agent)).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

fn interruption(agent: EntityRef<'_>) -> Option<String> {
    let doing = if agent.contains::<Confused>() {
        "It is confused".to_owned()
    } else {
        let flee = agent.get::<Flee>()?;
        let steps = flee.distance;
        match flee.from {
            FleeFrom::Danger(danger) => format!("It flees from {danger}, {steps} steps away"),
            FleeFrom::Cell(cell) => format!("It flees from {cell}, {steps} steps away"),
        }
    };
    let kept = agent.get::<Interrupted>();
    let after = match kept.map(|kept| (kept.target().or(kept.group()), kept.walk())) {
        Some((Some(target), _)) => format!(", and chases {target} afterwards"),
        Some((None, Some(cell))) => format!(", and goes on to {cell} afterwards"),
        _ => String::new(),
    };
    Some(format!("{doing}{after}."))
}

fn way(agent: EntityRef<'_>) -> Option<String> {
    if agent.contains::<Returning>() {
        return Some("It returns after a chase that it gave up.".to_owned());
    }
    let next = agent.get::<Patrol>().and_then(Patrol::next_stop);
    if let Some(stop) = next.filter(|_| agent.contains::<GoTo>()) {
        return Some(format!("Its patrol leads to {}.", stop.cell));
    }
    let wanders = agent
        .get::<Wander>()
        .filter(|_| !agent.contains::<Chasing>());
    wanders.map(|wander| format!("It pauses between walks within {} steps.", wander.radius))
}

fn search(agent: EntityRef<'_>) -> Option<String> {
    let searching = agent.get::<Searching>()?;
    Some(if searching.looks_around() {
        "It looks around for a target that it lost.".to_owned()
    } else {
        "It goes where it knew a target last that it lost.".to_owned()
    })
}

fn chase(agent: EntityRef<'_>) -> Option<String> {
    let mut said = Vec::new();
    if agent.get::<StuckWatch>().is_some_and(StuckWatch::is_stuck) {
        said.push("It is stuck: no retry helped.".to_owned());
    }
    let began = agent
        .get::<ChaseRecord>()
        .and_then(|record| record.began_at);
    if let (Some(leash), Some(began)) = (agent.get::<Leash>(), began) {
        said.push(format!(
            "Its leash ends {} cells away, for a chase that began at {began}.",
            leash.range
        ));
    }
    let given_up = agent.get::<GivenUp>().map_or(0, |of| of.targets().count());
    if given_up > 0 {
        said.push(format!(
            "It does not notice {given_up} targets that it could not reach."
        ));
    }
    (!said.is_empty()).then(|| said.join(" "))
}

fn formation(agent: EntityRef<'_>) -> Option<String> {
    if let Some(leader) = agent.get::<InFormation>() {
        return Some(format!("It is in the formation of {}.", leader.0));
    }
    agent
        .contains::<Formation>()
        .then(|| "It leads a formation.".to_owned())
}
