//! The end of a scene as text.

use super::{ends::End, stage::Stage, world::Scene};
use nav::{ChaseState, PathCursor};
use nav_grid::{Cell, Directions};
use std::{collections::BTreeMap, fmt::Write as _};

/// Draws the map, with chasers at `places`: `T` is a target, `I` an idle body, a letter a chaser of
/// that target, small if in reach. `?` is a chaser that should be elsewhere, and `*` the place
/// where. A digit is ground with a cost, and `+` ground that cannot be left in all directions.
pub fn picture(scene: &Scene, stage: &Stage, places: &[Cell], ends: &[End]) -> String {
    let grid = &scene.grid;
    let signs = signs(scene, places, ends);
    let mut text = String::new();
    for floor in 0..grid.floors() {
        for y in 0..grid.height() {
            for x in 0..grid.width() {
                let cell = Cell::new(x, y).on_floor(floor);
                let cost = grid.cost(cell);
                text.push(match signs.get(&cell) {
                    Some(&sign) => sign,
                    None if !grid.is_walkable(cell) => '#',
                    None if cost > 1 => char::from(b'0' + cost.min(9)),
                    None if grid.exits(cell) != Directions::ALL => '+',
                    None => '.',
                });
            }
            text.push('\n');
        }
        text.push('\n');
    }
    for link in grid.links() {
        let _ = writeln!(
            text,
            "link {} to {}, cost {}",
            link.from, link.to, link.cost
        );
    }
    for (n, (&npc, end)) in stage.npcs.iter().zip(ends).enumerate() {
        let cursor = stage.world.get::<PathCursor>(npc);
        let (at, target) = (places[n], scene.npcs[n].target);
        if let End::LeftOut(place) = end {
            let _ = writeln!(
                text,
                "chaser {n} ({npc}) of target {target} at {at} could be at {place}: {:?} by {:?}",
                cursor.state(),
                cursor.guidance(),
            );
        }
        if cursor.state() == ChaseState::Reached && !matches!(end, End::Arrived) {
            let _ = writeln!(
                text,
                "chaser {n} ({npc}) at {at} says it arrived, and is not in reach"
            );
        }
    }
    text
}

/// Returns the sign of each occupied cell.
fn signs(scene: &Scene, places: &[Cell], ends: &[End]) -> BTreeMap<Cell, char> {
    let idle = scene
        .idle
        .iter()
        .map(|idle| (idle.body.footprint.area(idle.at), 'I'));
    let all = scene.npcs.iter().zip(ends).zip(places);
    let npcs = all.map(|((npc, end), &at)| {
        let letter = char::from(b'a' + (npc.target % 26) as u8);
        let sign = match end {
            End::Arrived => letter,
            End::LeftOut(_) => '?',
            _ => letter.to_ascii_uppercase(),
        };
        (npc.chaser.rules.footprint.area(at), sign)
    });
    let targets = scene.targets.iter().map(|target| (target.area(), 'T'));
    // Of agents on a cell the last one is seen.
    let mut signs: BTreeMap<Cell, char> = idle
        .chain(npcs)
        .chain(targets)
        .flat_map(|(area, sign)| area.cells().map(move |cell| (cell, sign)))
        .collect();
    for end in ends {
        if let End::LeftOut(place) = end {
            signs.entry(*place).or_insert('*');
        }
    }
    signs
}
