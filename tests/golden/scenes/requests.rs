//! Requests beside chasers, under a budget.

use crate::golden::{
    chance::{Chance, ground_around},
    recorder::Recorder,
};
use bevy_ecs::prelude::*;
use mapgen::Kind;
use nav::{
    NavBudget, OnMap,
    requests::{PathAnswer, PathRequest, ReachAnswer, ReachRequest, Want},
};
use nav_grid::{Cell, Limits, Metric, Rules, query::Fallback, rules::CornerRule};

/// Work a tick.
const BUDGET: u32 = 2_000;

pub fn requests(recorder: &mut Recorder) {
    let grid = mapgen::generate(Kind::Rooms, 160, 120, 3).expect("a map of this size");
    let ground: Vec<Cell> = grid.walkable_cells().collect();
    let mut chance = Chance::new(11);
    let mut scene = recorder.open(grid);
    scene.world().insert_resource(NavBudget::Units(BUDGET));
    let map = scene.map;
    let targets: Vec<Entity> = (0..20)
        .map(|_| scene.target(chance.one_of(&ground)))
        .collect();
    let npcs: Vec<Entity> = (0..80)
        .map(|n| scene.chaser(chance.one_of(&ground), targets[n % 20]))
        .collect();

    let octile = Rules::new(Metric::Octile, CornerRule::Strict);
    let (mut near, mut far, mut waits) = (0, 0, 0);
    for tick in 0..200 {
        chance.wander(&mut scene, targets[tick % 20]);
        for n in 0..if tick % 20 == 0 { 60 } else { 2 } {
            let from = chance.one_of(&ground);
            let to = if n % 4 == 3 {
                chance.one_of(&ground)
            } else {
                chance.one_of(&ground_around(scene.grid(), from, 12))
            };
            let want = [Want::Path, Want::Cost, Want::Reachability][n % 3];
            let mut request = PathRequest::new(from, to).wanting(want);
            if n % 5 == 0 {
                request = request.with_rules(octile);
            } else if n % 7 == 0 {
                request = request.with_fallback(Fallback::NearestReachable);
            } else if n % 11 == 0 {
                let others: Vec<Cell> = (0..9).map(|_| chance.one_of(&ground)).collect();
                request = request.or_to(others);
            } else if n % 13 == 0 {
                request = request.with_limits(Limits::UNBOUNDED.with_cost(30));
            } else if n % 17 == 0 {
                request = request.within_sight(6);
            } else if n % 19 == 0 {
                request = request.within_steps(3);
            }
            if n % 23 == 0 {
                let reach = ReachRequest::new(from, 40).with_rules(octile);
                scene.world().spawn((OnMap(map), reach));
            }
            if n % 2 == 0 {
                let npc = chance.one_of(&npcs);
                scene.insert(npc, request);
            } else {
                scene.world().spawn((OnMap(map), request));
            }
        }
        if tick % 15 == 7 {
            let door = chance.one_of(&ground);
            let is_open = scene.grid().is_walkable(door);
            let set = scene.nav_map().set_walkable(door, !is_open);
            set.expect("a cell of the map");
        }
        recorder.tick(&mut scene);
        let taken = scene.diagnostics().last_tick.expanded;
        assert!(taken <= BUDGET.into(), "{taken} in tick {tick}");
        let mut asked = scene.world().query::<&PathRequest>();
        waits += asked.iter(scene.world()).count();
    }
    let mut reached = scene.world().query::<&ReachAnswer>();
    assert!(reached.iter(scene.world()).count() > 10, "cells in reach");
    let mut answers = scene.world().query::<&PathAnswer>();
    for answer in answers.iter(scene.world()) {
        let PathRequest { from, to, .. } = answer.request;
        let count = if from.chebyshev(to) <= 12 {
            &mut near
        } else {
            &mut far
        };
        *count += 1;
    }
    assert!(
        near > 100 && far > 20 && waits > 100,
        "{near} near answers, {far} far ones, {waits} waits"
    );
}
