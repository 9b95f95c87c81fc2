//! Worlds with defaults only, whose ground has floors, links, doors, costs, classes and ledges
//! together.

mod starts;
mod terrain;

use self::{
    starts::{draw_starts, draw_targets},
    terrain::{Door, Terrain},
};
use super::{
    draw::Draw,
    packs::{Company, Fill, Ground, Room, Start, short_of, spawn, ticks_for, wary},
};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Rules};
use nav_testing::{Scene as TestWorld, TICK_RATE};

/// Ticks of a world at least: three minutes. In 2,000 worlds each of solid bodies of one cell and
/// of all sizes it was the same number that had not arrived after ten minutes.
const TICKS_MIN: u64 = 180 * TICK_RATE;

/// A world of the mixture, and the results of its chases.
#[derive(Clone, Debug)]
pub struct Mixture {
    /// The shape of its walls, and its features.
    pub terrain: String,
    /// Chasers that can arrive from the place where they were when the last door moved.
    pub able: usize,
    /// Descriptions of the chasers among them that did not arrive: start, place, target and state.
    pub short: Vec<String>,
    /// The world at the end, if a chaser did not arrive.
    pub picture: String,
}

/// Returns all rules of the chasers of a world, with their sizes.
fn all_rules(company: Company, has_classes: bool) -> Vec<Rules> {
    let plain = company.sizes(Rules::default());
    let wary = company.sizes(wary()).filter(|_| has_classes);
    plain.chain(wary).collect()
}

/// A chaser, its start, and the same at the place where it was when the last door moved.
type Judged = (Entity, Start, Start);

/// Returns the chasers that can arrive from where they are, on ground that stays as it is. Solid
/// bodies can only if each chaser of their target that has a way can have a place of its own.
fn able(
    world: &TestWorld,
    company: Company,
    ground: &Ground,
    targets: &[Cell],
    chasers: &[(Entity, Start)],
    fill: Fill,
) -> Vec<Judged> {
    let now = chasers.iter().map(|&(chaser, start)| {
        let at = world.cell(chaser);
        (chaser, start, Start { at, ..start })
    });
    let able: Vec<Judged> = now
        .filter(|(.., now)| ground.moves(*now).is_some())
        .collect();
    if !company.is_solid() {
        return able;
    }
    let mut judged = Vec::new();
    for &place in targets {
        let mut room = Room::new(world.grid(), ground, fill);
        let pack: Vec<Judged> = able
            .iter()
            .copied()
            .filter(|(_, start, _)| start.place == place)
            .collect();
        if pack.iter().all(|&(.., now)| room.admits(now)) {
            judged.extend(pack);
        }
    }
    judged
}

/// Moves the doors of a tick. A door does not shut on an agent: it stays open until it moves again.
fn move_doors(world: &mut TestWorld, doors: &[Door], tick: u64, chasers: &[(Entity, Start)]) {
    for door in doors.iter().filter(|door| door.ticks.contains(&tick)) {
        let is_open = door.is_open_after(tick);
        let is_taken = chasers.iter().any(|&(chaser, start)| {
            let size = start.rules.footprint;
            size.area(world.cell(chaser)).contains(door.at)
        });
        if is_open || !is_taken {
            world.edit(door.at, is_open);
        }
    }
}

/// Plays some ticks, or until all chasers are beside their targets.
fn play_until_there(world: &mut TestWorld, judged: &[Judged], ticks: u64) {
    for _ in 0..ticks {
        let mut judged = judged.iter();
        if judged.all(|&(chaser, start, _)| start.is_there(world.grid(), world.cell(chaser))) {
            break;
        }
        world.tick(1);
    }
}

/// Draws the world of a seed, with standing targets, and plays it for three minutes, or until all
/// chasers that can arrive are beside them.
pub fn play_mixture(seed: u64, company: Company, fill: Fill) -> Mixture {
    let mut draw = Draw::new(seed);
    let terrain = Terrain::draw(&mut draw);
    let end = terrain.at_the_end();
    let targets = draw_targets(&mut draw, &end, &terrain.doors);
    let rules = all_rules(company, terrain.has_classes);
    let ground = Ground::of(&end, &rules, &targets);
    let starts = draw_starts(
        &mut draw,
        company,
        &terrain,
        (&end, &ground),
        &targets,
        fill,
    );
    let mut world = TestWorld::on(terrain.grid.clone());
    let chasers = spawn(&mut world, company, &targets, starts);
    let last_move = terrain.last_move();
    for tick in 0..last_move {
        move_doors(&mut world, &terrain.doors, tick, &chasers);
        world.tick(1);
    }
    move_doors(&mut world, &terrain.doors, last_move, &chasers);
    // An agent may have kept a door open.
    let is_as_planned = terrain.doors.iter().all(|door| {
        let is_open = world.grid().is_walkable(door.at);
        is_open == end.is_walkable(door.at)
    });
    let ground = if is_as_planned {
        ground
    } else {
        Ground::of(world.grid(), &rules, &targets)
    };
    let judged = able(&world, company, &ground, &targets, &chasers, fill);
    let longest = judged.iter().filter_map(|&(.., now)| ground.moves(now));
    let ticks = last_move + ticks_for(longest.max().unwrap_or(0));
    play_until_there(&mut world, &judged, ticks.max(TICKS_MIN) - last_move);
    let short = short_of(
        &world,
        judged.iter().map(|&(chaser, start, _)| (chaser, start)),
    );
    let picture = if short.is_empty() {
        String::new()
    } else {
        world.to_string()
    };
    Mixture {
        terrain: terrain.features,
        able: judged.len(),
        short,
        picture,
    }
}
