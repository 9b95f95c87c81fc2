//! NPCs that begin and end chases and walks by themselves.

use crate::golden::{
    chance::{Chance, ground_around, near},
    recorder::Recorder,
};
use bevy_ecs::prelude::*;
use mapgen::Kind;
use nav::{Body, CellPosition, Chaser, GoTo, NavClock, OnMap, Paused, Period};
use nav_behaviour::{
    Activity, Confused, Flee, GiveUp, Home, KeepDistance, Leash, LeashFrom, Memory, Notice,
    Noticeable, Patrol, PatrolOrder, StuckWatch, ViewCone, Wander,
};
use nav_grid::{Cell, Direction};
use nav_testing::Scene;
use std::collections::BTreeSet;

/// NPCs of all roles.
const NPCS: usize = 320;

/// The time of some pauses.
const MOMENT: Period = Period::from_millis(600);

pub fn behaviour(recorder: &mut Recorder) {
    let grid = mapgen::generate(Kind::Mixed, 120, 120, 10).expect("a map of this size");
    let mut chance = Chance::new(10);
    let middle = Cell::new(60, 60);
    let ground = ground_around(&grid, middle, 50);
    let places = chance.some_of(ground.clone(), NPCS);
    let starts = [(40, 40), (80, 40), (40, 80), (80, 80), (60, 60)];
    let starts = starts.map(|(x, y)| near(&grid, x, y));
    let mut scene = recorder.open(grid);
    let players = starts.map(|at| scene.target(at));
    for (n, player) in players.into_iter().enumerate() {
        let factions = 1 << (n % 2);
        scene.insert(player, Noticeable { factions });
    }
    let map = OnMap(scene.map);
    let mut npcs: Vec<Entity> = Vec::new();
    for (n, &at) in places.iter().enumerate() {
        let notice = Notice {
            needs_sight: n % 3 == 0,
            whom: [1, 2, 3][n % 3],
            calls: if n % 7 == 0 { 6 } else { 0 },
            ..Notice::new(9)
        };
        let npc = (Chaser::default(), CellPosition::at(at), map, notice);
        let npc = scene.world().spawn((npc, StuckWatch::default())).id();
        if n % 3 == 0 {
            let memory = Memory::new(12).with_times(MOMENT, Period::from_millis(1500));
            scene.insert(npc, (memory, ViewCone::new(150, Direction::ALL[n % 8])));
        }
        match n % 4 {
            0 if n % 5 == 0 => scene.insert(npc, Wander::new(6).with_pauses(MOMENT, MOMENT)),
            0 => scene.insert(npc, (Home(at), Leash::new(8))),
            1 => {
                let stops: Vec<Cell> = (0..3).map(|_| chance.one_of(&ground)).collect();
                let order = [PatrolOrder::Loop, PatrolOrder::PingPong][n / 4 % 2];
                scene.insert(npc, Patrol::new(order, stops));
            }
            2 => {
                let leash = Leash {
                    from: LeashFrom::Home,
                    notices_on_return: n % 8 == 2,
                    ..Leash::new(6)
                };
                let give_up = GiveUp {
                    unreachable: Some(Period::from_millis(600)),
                    out_of_reach: Some(Period::from_millis(1500)),
                    ..GiveUp::default()
                };
                scene.insert(npc, (Home(at), leash, give_up, Body::default()));
            }
            _ => {
                scene.tune(npc, |chaser| chaser.stop_distance = 5);
                scene.insert(
                    npc,
                    (KeepDistance { least: 3 }, GoTo(chance.one_of(&ground))),
                );
            }
        }
        npcs.push(npc);
    }
    // One player stands on a cell that no NPC can reach.
    for way in Direction::ALL {
        let beside = starts[0].step(way).expect("far from the edge");
        scene.edit(beside, false);
    }

    let mut seen = BTreeSet::new();
    for tick in 0..200 {
        for &player in &players[1..] {
            if tick % 4 == 0 {
                chance.wander(&mut scene, player);
            }
        }
        if tick % 5 == 0 {
            interfere(&mut scene, &mut chance, (&npcs, &ground), players[tick % 5]);
        }
        recorder.tick(&mut scene);
        for &npc in &npcs {
            seen.insert(format!("{:?}", scene.get::<Activity>(npc)));
        }
    }
    let wanted = [
        "Chasing",
        "Confused",
        "Fleeing",
        "Idle",
        "InReach",
        "Paused",
        "Returning",
        "Searching",
        "Waiting",
        "Walking",
    ];
    let missing: Vec<&str> = wanted
        .into_iter()
        .filter(|it| !seen.contains(*it))
        .collect();
    assert!(missing.is_empty(), "nobody was {missing:?}, only {seen:?}");
}

/// Pauses one NPC, sends another one, lets a third run from a player, and a fourth stagger.
fn interfere(
    scene: &mut Scene,
    chance: &mut Chance,
    (npcs, ground): (&[Entity], &[Cell]),
    player: Entity,
) {
    let clock: NavClock = *scene.clock();
    let pause = Paused::for_period(&clock, Period::from_millis(400));
    scene.insert(chance.one_of(npcs), pause);
    scene.insert(chance.one_of(npcs), GoTo(chance.one_of(ground)));
    let flee = Flee::from_danger(player).for_period(Period::from_millis(2000));
    scene.insert(chance.one_of(npcs), flee);
    scene.insert(chance.one_of(npcs), Confused::for_period(MOMENT));
}
