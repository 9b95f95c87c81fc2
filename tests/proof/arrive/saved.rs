//! A world that is saved at any tick and restored continues like the original.

use crate::state::trace::saved::by_postcard;
use bevy_ecs::prelude::*;
use nav::{Body, Chaser, saving::NavSave};
use nav_drawn::{Draw, Input, Part, Scene, Stage, Who, number_in, or_panic};
use nav_grid::{Area, Cell, Directions, Edit, Link, Rules, map::Sight, rules::Class};
use nav_tests::by_tier;

/// Ticks for which the two worlds are compared.
const TICKS: u32 = 80;

/// Seeds beyond the default range, each of which was the first to show a fault: chasers that were
/// tuned in the tick of a search; a search in slices that began where another was abandoned; an
/// idle body in the cell of a sleeper, which began a chase later.
const KEPT: [u64; 6] = [2_220, 2_234, 11_979, 9_861, 83_871, 9_674];

/// Draws the inputs before a tick: targets may walk, cells may be blocked or opened.
fn meddle(draw: &mut Draw, stage: &Stage) -> Vec<Input> {
    let mut inputs = Vec::new();
    if draw.percent(20) && !stage.targets.is_empty() {
        let nth = draw.below(stage.targets.len());
        let from = stage.world.cell(stage.targets[nth]);
        let ways = stage.world.grid().steps(from, Rules::default());
        let ways: Vec<_> = ways.into_iter().collect();
        if !ways.is_empty() {
            let to = from.step(ways[draw.below(ways.len())]);
            let to = Part::Cell(to.expect("a step on the map"));
            inputs.push(Input::Give(Who::Target(nth), to));
        }
    }
    if draw.percent(8) {
        inputs.push(Input::Edit(edit(draw, stage)));
    }
    inputs
}

/// Draws an edit of any kind.
fn edit(draw: &mut Draw, stage: &Stage) -> Edit {
    let cell = anywhere(draw, stage);
    let area = Area::from(cell);
    match draw.number(0, 9) {
        0 => Edit::Cost(area, draw.number(1, 20) as u8),
        1 => Edit::Exits(area, Directions(draw.below(256) as u8)),
        2 => Edit::Class(area, Class::new(draw.number(0, 3) as u8).expect("a class")),
        3 => Edit::Sight(
            area,
            draw.one_of(&[Sight::Clear, Sight::Blocked, Sight::AsGround]),
        ),
        4 => Edit::Link(Link::new(cell, anywhere(draw, stage))),
        5 => match stage.world.grid().links().first() {
            Some(&Link { from, to, .. }) => Edit::Unlink { from, to },
            None => Edit::Walkable(area, true),
        },
        _ => Edit::Walkable(area, draw.percent(60)),
    }
}

fn anywhere(draw: &mut Draw, stage: &Stage) -> Cell {
    let size = stage.world.grid().size();
    let x = draw.below(size.width.into()) as u16;
    Cell::new(x, draw.below(size.height.into()) as u16)
}

/// Draws inputs for some chasers: they are moved, disabled, tuned or given other targets.
fn move_chasers(draw: &mut Draw, stage: &mut Stage) -> Vec<Input> {
    let mut inputs = Vec::new();
    let mut chasers = stage.world.world().query::<(Entity, &Chaser)>();
    for (chaser, &tuning) in chasers.iter(stage.world.app.world()) {
        if !draw.percent(20) {
            continue;
        }
        let mut everybody = stage.everybody();
        let who = everybody.find(|&who| stage.who(who) == chaser);
        let who = who.expect("all agents are of the stage");
        let to = anywhere(draw, stage);
        let other = draw.below(stage.targets.len().max(1));
        inputs.push(match draw.number(0, 5) {
            0 => Input::Give(who, Part::Disabled),
            1 => Input::Take(who, Part::Body(Body::default())),
            2 if other < stage.targets.len() => Input::Give(who, Part::Chasing(Who::Target(other))),
            3 => {
                let mut tuning = tuning;
                tuning.limits.radius = draw.number(3, 30);
                Input::Give(who, Part::Chaser(tuning.into()))
            }
            _ => Input::Give(who, Part::Cell(to)),
        });
    }
    inputs
}

/// Applies inputs to a stage and runs a tick.
fn tick(stage: &mut Stage, inputs: &[Input]) {
    for input in inputs {
        stage.play(input);
    }
    stage.world.tick(1);
}

/// Returns a save after a round trip through JSON.
fn by_json(save: NavSave) -> NavSave {
    let text = serde_json::to_string(&save).expect("a save is written");
    serde_json::from_str(&text).expect("and read")
}

/// Compares a world with a copy that is saved and restored at a drawn tick.
fn check(seed: u64) -> Result<(), String> {
    let mut draw = Draw::new(seed);
    let mut stage = Scene::new(seed).stage();
    let budget = draw.one_of(&[None, None, Some(40), Some(400), Some(4000)]);
    stage.play(&Input::Budget(budget));
    let at = draw.number(1, 250);
    for _ in 0..at {
        let inputs = meddle(&mut draw, &stage);
        tick(&mut stage, &inputs);
    }
    // Changes that the game made since the last tick are saved as well.
    let mut inputs = Vec::new();
    if draw.percent(30) {
        inputs.extend(move_chasers(&mut draw, &mut stage));
    }
    if draw.percent(50) {
        let count = draw.number(1, 4);
        inputs.extend((0..count).map(|_| Input::Edit(edit(&mut draw, &stage))));
    }
    for input in inputs {
        stage.play(&input);
    }
    let about = format!("seed {seed}, saved at {at}, budget {budget:?}");
    let through = if draw.percent(50) {
        by_json
    } else {
        by_postcard
    };
    let other = or_panic(|| stage.restored(through));
    let other = other.and_then(|other| other.map_err(|error| error.to_string()));
    let mut other = other.map_err(|error| format!("{about}: {error}"))?;
    let mut draw = Draw::new(draw.seed());
    for later in 1..=TICKS {
        let inputs = meddle(&mut draw, &stage);
        tick(&mut stage, &inputs);
        tick(&mut other, &inputs);
        if stage.world.digest() != other.world.digest() {
            return Err(format!("{about}: another digest {later} ticks later"));
        }
    }
    Ok(())
}

#[test]
fn restored_at_any_tick() {
    let first = number_in("NAV_FIRST").unwrap_or(0);
    let seeds = match number_in("NAV_SEED") {
        Some(seed) => seed..seed + 1,
        None => first..first + number_in("NAV_WORLDS").unwrap_or(by_tier(50, 600)),
    };
    assert_same_end(seeds);
}

#[test]
fn kept_seeds() {
    assert_same_end(KEPT);
}

fn assert_same_end(seeds: impl IntoIterator<Item = u64>) {
    let wrong = seeds.into_iter().filter_map(|seed| check(seed).err());
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
