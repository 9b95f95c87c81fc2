//! The end of the faults: turns the rest of the world into a scene that can be judged.

use bevy_ecs::{entity_disabling::Disabled, prelude::*};
use nav::{
    Body, CellPosition, ChasedBy, Chaser, Chasing, GoTo, MoveTimer, NavBudget, NavMap, NavTime,
    NavTimer, OnMap, PathCursor, Paused, WorldPosition, extend::FieldAnchor,
};
use nav_behaviour::{
    Approach, CatchUp, Confused, Flee, Formation, GiveUp, Home, InFormation, Intercept,
    Interrupted, KeepDistance, Leash, Memory, Notice, Noticeable, Patrol, Returning, Searching,
    StepAside, StuckWatch, Threat, ViewCone, Wander,
};
use nav_drawn::{Idle, Input, Inputs, Npc, Scene, Session, Stage, Target};
use nav_grid::{Cell, Footprint, Method};
use std::collections::BTreeSet;

/// Ends all faults and returns the rest of the world as a scene. No agent of it is disabled, paused
/// or on another map, and none has a behaviour or an invalid setting. Agents in a wall or on
/// another body are despawned. Returns `None` without a target.
pub fn calm_down(mut session: Session, budget: Option<u32>) -> Option<(Scene, Stage)> {
    if session.inputs.map_is_back.is_some() {
        session.stage.play(&Input::BringMapBack);
    }
    let stage = &mut session.stage;
    let all: Vec<Entity> = stage.everybody().map(|who| stage.who(who)).collect();
    let map = stage.world.map;
    let world = stage.world.world();
    world.insert_resource(NavBudget::from(budget));
    let mut taken = BTreeSet::new();
    for agent in all {
        let Ok(mut agent) = world.get_entity_mut(agent) else {
            continue;
        };
        agent.remove::<(Disabled, Paused, WorldPosition)>();
        agent.remove::<(Notice, Noticeable, Leash, GiveUp, Home, GoTo, Patrol)>();
        agent.remove::<(
            Formation,
            InFormation,
            Intercept,
            KeepDistance,
            StepAside,
            StuckWatch,
            Returning,
            Threat,
            Wander,
        )>();
        agent.remove::<(Flee, Confused, Interrupted, Approach, CatchUp)>();
        agent.remove::<(Memory, Searching, ViewCone)>();
        if !settle(&mut agent, map, &mut taken) {
            agent.despawn();
        }
    }
    // Commands and observers may still change them in this tick.
    stage.world.tick(1);
    scene_of(session)
}

/// Resets an agent, or returns false if it must be despawned.
fn settle(agent: &mut EntityWorldMut, map: Entity, taken: &mut BTreeSet<Cell>) -> bool {
    let Some(at) = agent.get::<CellPosition>().map(|place| place.cell) else {
        return false;
    };
    let mut footprint = Footprint::ONE;
    if let Some(mut chaser) = agent.get_mut::<Chaser>() {
        chaser.stop_distance = 1;
        chaser.repath_distance = 0.5;
        chaser.limits.radius = 20;
        chaser.limits.expansions = 100_000;
        // The map may have lost its indexes, and may have costs, exits and links by now.
        if !matches!(chaser.method, Method::AStar | Method::Dijkstra) {
            chaser.method = Method::Auto;
        }
        footprint = chaser.rules.footprint;
    }
    // Faults may have removed components that a chaser or a target needs.
    if agent.contains::<ChasedBy>() {
        agent.insert_if_new(FieldAnchor::default());
    }
    let is_chaser = agent.contains::<Chaser>();
    if is_chaser {
        agent.insert_if_new((
            PathCursor::default(),
            NavTimer::default(),
            MoveTimer::default(),
        ));
    }
    if let Some(body) = agent.get::<Body>().copied() {
        footprint = body.footprint;
        if footprint.area(at).cells().any(|cell| taken.contains(&cell)) {
            return false;
        }
        taken.extend(footprint.area(at).cells());
    } else if !is_chaser {
        footprint = Footprint::ONE;
    }
    let fits = agent
        .world()
        .get::<NavMap>(map)
        .is_some_and(|map| map.grid().fits(at, footprint));
    if let Some(mut chaser) = agent.get_mut::<Chaser>() {
        chaser.rules.footprint = footprint;
    }
    if let Some(mut timer) = agent.get_mut::<MoveTimer>() {
        *timer = MoveTimer::default();
    }
    agent.insert(OnMap(map));
    fits
}

/// Makes a scene of the remaining agents.
fn scene_of(session: Session) -> Option<(Scene, Stage)> {
    let Session {
        mut scene,
        mut stage,
        inputs: Inputs { mut draw, .. },
    } = session;
    let map = stage.world.map;
    let app = stage.world.world();
    let live = |agents: Vec<Entity>, app: &World| -> Vec<Entity> {
        agents
            .into_iter()
            .filter(|&agent| app.get::<CellPosition>(agent).is_some())
            .collect()
    };
    let targets = live(std::mem::take(&mut stage.targets), app);
    if targets.is_empty() {
        return None;
    }
    let (mut chasers, mut others) = (Vec::new(), live(std::mem::take(&mut stage.idle), app));
    for npc in live(std::mem::take(&mut stage.npcs), app) {
        if app.get::<Chaser>(npc).is_some() {
            chasers.push(npc);
        } else {
            others.push(npc);
        }
    }
    // Idle agents have bodies. Those without one lost it to a fault, so they are dropped.
    others.retain(|&agent| app.get::<Body>(agent).is_some());
    for &agent in others.iter().chain(&targets) {
        app.entity_mut(agent).remove::<Chasing>();
    }
    scene.npcs.clear();
    for &npc in &chasers {
        let target = app.get::<Chasing>(npc).map(|chasing| chasing.0);
        let target = target.and_then(|target| targets.iter().position(|&one| one == target));
        let target = target.unwrap_or_else(|| draw.below(targets.len()));
        if app.get::<Chasing>(npc).map(|chasing| chasing.0) != Some(targets[target]) {
            app.entity_mut(npc).insert(Chasing(targets[target]));
        }
        scene.npcs.push(Npc {
            at: place(app, npc),
            target,
            chaser: *app.get(npc)?,
            body: app.get(npc).copied(),
            first_step: NavTime(0),
            periods: Npc::usual_periods(),
        });
    }
    scene.targets = targets
        .iter()
        .map(|&target| Target {
            at: place(app, target),
            body: app.get(target).copied(),
            is_entered: false,
        })
        .collect();
    scene.idle = others
        .iter()
        .filter_map(|&agent| {
            Some(Idle {
                at: place(app, agent),
                body: *app.get(agent)?,
                chaser: app.get(agent).copied(),
            })
        })
        .collect();
    scene.grid = app.get::<NavMap>(map)?.grid().clone();
    (stage.targets, stage.npcs, stage.idle) = (targets, chasers, others);
    Some((scene, stage))
}

fn place(world: &World, agent: Entity) -> Cell {
    world
        .get::<CellPosition>(agent)
        .map_or(Cell::new(0, 0), |place| place.cell)
}
