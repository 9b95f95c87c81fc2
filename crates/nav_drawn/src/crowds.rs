//! Crowds: targets on ground of one of several sites, and packs that chase them.

use super::{
    agents::{Npc, Target, is_solid},
    draw::Draw,
    near::around,
    sites::{Site, narrow_exits},
    tuning::{name, plain},
    world::Scene,
};
use nav::{Body, Chaser, NavTime, Reach};
use nav_grid::{Cell, CornerRule, Footprint, Metric, rules::BodyPolicy};
use std::collections::BTreeSet;

/// Draws targets on ground for crowds, and packs that chase them.
pub fn crowd(draw: &mut Draw, seed: u64) -> Scene {
    let site = Site::draw(draw);
    let mut scene = site.scene(draw, seed);
    let cells: Vec<Cell> = scene.grid.walkable_cells().collect();
    let link_end = scene.grid.links().first().map(|link| link.to);
    let spot = draw.one_of(&["anywhere", "corner", "link", "exits"]);
    let first = match (spot, link_end) {
        ("corner", _) => draw.one_of(&[cells[0], cells[cells.len() - 1]]),
        ("link", Some(end)) => end,
        _ => draw.one_of(&cells),
    };
    if spot == "exits" {
        narrow_exits(draw, &mut scene.grid, first);
    }
    scene.features.push(("spot", spot.to_owned()));
    let is_entered = draw.percent(12);
    // Each goes onto a cell of its own.
    let are_alone = is_entered && draw.percent(50);
    let count = if are_alone {
        draw.number(2, 40)
    } else {
        draw.weighted(&[(4, 1), (4, 2), (2, 3), (1, 4)])
    };
    let near = around(&scene.grid, first, 3);
    let is_near = draw.percent(50);
    let has_bodies = draw.percent(50);
    scene.features.push(("alone", are_alone.to_string()));
    scene.features.push(("entered", is_entered.to_string()));
    for n in 0..count {
        let at = match n {
            0 => first,
            _ if is_near => draw.one_of(&near),
            _ => draw.one_of(&cells),
        };
        let body = Some(Body::default()).filter(|_| has_bodies && !is_entered);
        if !scene.targets.iter().any(|target| target.at == at) {
            scene.targets.push(Target {
                at,
                body,
                is_entered,
            });
        }
    }
    put_packs(draw, &mut scene, site, &cells);
    scene
}

/// Draws the tuning of all chasers of a crowd, but for their sizes.
fn draw_tuning(draw: &mut Draw) -> Chaser {
    let mut tuning = plain();
    tuning.rules.metric = draw.weighted(&[
        (6, Metric::Unit),
        (1, Metric::Octile),
        (1, Metric::FourWay),
        (1, Metric::Grid),
    ]);
    tuning.rules.corners = draw.weighted(&[(3, CornerRule::Strict), (1, CornerRule::Cut)]);
    tuning.rules.bodies = draw.weighted(&[
        (7, BodyPolicy::Ignore),
        (1, BodyPolicy::AvoidNear(2)),
        (1, BodyPolicy::AvoidAll),
    ]);
    tuning.stop_distance = draw.weighted(&[(6, 1), (1, 2), (1, 4), (1, 8)]);
    tuning.reach = draw.weighted(&[(4, Reach::Steps), (1, Reach::Sight)]);
    tuning.stop_hysteresis = draw.weighted(&[(6, 0), (1, 1), (1, 3)]);
    tuning.reach_through_links = draw.percent(15);
    tuning
}

/// Draws the body of a chaser, of one of the kinds that its crowd has.
fn draw_body(draw: &mut Draw, kinds: &str, footprint: Footprint) -> Option<Body> {
    let kind = match kinds {
        "mixed" => draw.one_of(&["solid", "soft", "none"]),
        kind => kind,
    };
    match kind {
        "solid" => Some(Body::solid(footprint)),
        "soft" => Some(Body::soft(footprint)),
        _ => None,
    }
}

/// Draws packs with camps of their own.
fn put_packs(draw: &mut Draw, scene: &mut Scene, site: Site, cells: &[Cell]) {
    let is_large = site == Site::Court && draw.percent(40) || draw.percent(8);
    let sides: &[u8] = if is_large {
        draw.one_of(&[&[2], &[4], &[1, 2, 3], &[1, 4], &[5, 8]])
    } else {
        &[1]
    };
    let tuning = draw_tuning(draw);
    let kinds = draw.one_of(&["solid", "solid", "solid", "soft", "none", "mixed"]);
    let mut pack = draw.weighted(&[(4, (1, 4)), (5, (5, 20)), (3, (20, 60)), (1, (60, 200))]);
    if scene.has("alone", "true") {
        pack = (1, 1);
    }
    let is_together = draw.percent(60);
    scene.features.extend([
        ("sides", sides.iter().map(u8::to_string).collect()),
        ("metric", name(tuning.rules.metric)),
        ("policy", name(tuning.rules.bodies)),
        ("stop", tuning.stop_distance.to_string()),
        ("reach", name(tuning.reach)),
        ("hysteresis", tuning.stop_hysteresis.to_string()),
        ("through", tuning.reach_through_links.to_string()),
        ("bodies", kinds.to_owned()),
        ("pack", format!("{}-{}", pack.0, pack.1)),
    ]);
    let mut held: BTreeSet<Cell> = scene.targets.iter().map(|target| target.at).collect();
    for target in 0..scene.targets.len() {
        let camp = draw.one_of(cells);
        let mut ground = around(&scene.grid, camp, 60);
        for _ in 0..draw.number(pack.0, pack.1) {
            if ground.is_empty() {
                break;
            }
            let at = if is_together {
                ground.remove(0)
            } else {
                ground.swap_remove(draw.below(ground.len()))
            };
            let footprint = Footprint::new(draw.one_of(sides)).expect("1 to 8");
            let area = footprint.area(at);
            if !scene.grid.fits(at, footprint) || area.cells().any(|cell| held.contains(&cell)) {
                continue;
            }
            let body = draw_body(draw, kinds, footprint);
            if body.is_some_and(is_solid) {
                held.extend(area.cells());
            }
            let mut chaser = tuning;
            chaser.rules.footprint = footprint;
            scene.npcs.push(Npc {
                at,
                target,
                chaser,
                body,
                first_step: NavTime(u64::from(draw.number(0, 4)) * 50_000_000),
                periods: Npc::usual_periods(),
            });
        }
    }
}
