//! A world that is saved at any tick and restored goes on as if nothing had happened.

use bevy_app::App;
use bevy_ecs::{entity_disabling::Disabled, prelude::*};
use nav::{
    Body, CellPosition, Chaser, Chasing, NavBudget, NavMap, NavPlugin, OnMap, digest,
    saving::{NavSave, RestoreError, save},
};
use nav_grid::{Area, Cell, Rules};
use nav_tests::drawn::{Draw, Scene, number_in};

/// Scenes that are drawn, and the ticks for which the two worlds are compared.
const SCENES: u64 = 600;
const TICKS: u32 = 80;

/// Seeds beyond those that showed what no other did: chasers that were tuned in the tick of a search; a search in
/// slices begun where another one was given up; an idle body in the cell of a sleeper, which began a chase later.
const KEPT: [u64; 6] = [2_220, 2_234, 11_979, 9_861, 83_871, 9_674];

/// A world and those in it whom the game moves.
struct Played {
    app: App,
    map: Entity,
    targets: Vec<Entity>,
}

impl Played {
    /// One tick, before which targets may walk and cells may be blocked or opened.
    fn tick(&mut self, draw: &mut Draw) {
        self.meddle(draw);
        self.app.update();
    }

    fn meddle(&mut self, draw: &mut Draw) {
        let world = self.app.world_mut();
        if draw.percent(20) && !self.targets.is_empty() {
            let target = self.targets[draw.below(self.targets.len())];
            let from = world.get::<CellPosition>(target).map(|place| place.cell);
            let from = from.expect("targets have places");
            let map = world
                .get::<OnMap>(target)
                .expect("targets are on the map")
                .0;
            let grid = world.get::<NavMap>(map).expect("a map").grid();
            let ways = grid.steps(from, Rules::default()).into_iter();
            let ways: Vec<_> = ways.collect();
            if !ways.is_empty() {
                let to = from.step(ways[draw.below(ways.len())]);
                let to = CellPosition::at(to.expect("a step on the map"));
                *world.get_mut(target).expect("targets have places") = to;
            }
        }
        if draw.percent(4) {
            let mut map = world.get_mut::<NavMap>(self.map).expect("a map");
            let size = map.grid().size();
            let x = draw.below(size.width.into()) as u16;
            let y = draw.below(size.height.into()) as u16;
            let opens = draw.percent(60);
            let edited = map.set_walkable(Area::from(Cell::new(x, y)), opens);
            edited.expect("a cell of the map");
        }
    }

    /// Puts some of those who chase elsewhere, has them disabled, tunes them or gives them other targets.
    fn move_chasers(&mut self, draw: &mut Draw) {
        let world = self.app.world_mut();
        let size = world.get::<NavMap>(self.map).expect("a map").grid().size();
        let mut chasers = world.query_filtered::<Entity, With<Chaser>>();
        let chasers: Vec<Entity> = chasers.iter(world).collect();
        for chaser in chasers {
            if !draw.percent(20) {
                continue;
            }
            let (x, y) = (
                draw.below(size.width.into()),
                draw.below(size.height.into()),
            );
            let to = CellPosition::new(x as u16, y as u16);
            let other = self.targets.get(draw.below(self.targets.len().max(1)));
            let mut chaser = world.entity_mut(chaser);
            match draw.number(0, 5) {
                0 => chaser.insert(Disabled),
                1 => chaser.remove::<Body>(),
                2 if let Some(&other) = other => chaser.insert(Chasing(other)),
                3 => {
                    let mut tuning = chaser.get_mut::<Chaser>().expect("a chaser");
                    tuning.limits.radius = draw.number(3, 30);
                    &mut chaser
                }
                _ => chaser.insert(to),
            };
        }
    }

    fn digest(&mut self) -> u64 {
        digest(self.app.world_mut())
    }

    /// Saves this world and restores it in an app of its own, through JSON or postcard.
    fn restored(&mut self, by_json: bool) -> Result<Self, RestoreError> {
        let saved = save(self.app.world_mut());
        let saved: NavSave = if by_json {
            let text = serde_json::to_string(&saved).expect("a save is written");
            serde_json::from_str(&text).expect("and read")
        } else {
            let bytes = postcard::to_allocvec(&saved).expect("a save is written");
            postcard::from_bytes(&bytes).expect("and read")
        };
        let mut app = nav_tests::app();
        app.add_plugins(NavPlugin::default());
        nav_tests::without_threads(&mut app);
        // No time passes in the first update.
        app.update();
        // Entities are other ones than before.
        app.world_mut().spawn_batch((0..50).map(|_| ()));
        let entities = saved.restore(app.world_mut())?;
        Ok(Self {
            app,
            map: entities[&self.map],
            targets: self.targets.iter().map(|one| entities[one]).collect(),
        })
    }
}

/// Compares a world with itself, saved and restored at a drawn tick.
fn check(seed: u64) -> Result<(), String> {
    let scene = Scene::new(seed);
    let mut draw = Draw::new(seed);
    let stage = scene.stage();
    let mut world = Played {
        map: stage.world.map,
        app: stage.world.app,
        targets: stage.targets,
    };
    let budget = draw.one_of(&[None, None, Some(40), Some(400), Some(4000)]);
    world.app.insert_resource(NavBudget { expansions: budget });
    let at = draw.number(1, 250);
    for _ in 0..at {
        world.tick(&mut draw);
    }
    // What the game did since the last tick is saved as well.
    if draw.percent(30) {
        world.move_chasers(&mut draw);
    }
    let about = format!("seed {seed}, saved at {at}, budget {budget:?}");
    let other = world.restored(draw.percent(50));
    let mut other = other.map_err(|error| format!("{about}: {error}"))?;
    if world.digest() != other.digest() {
        return Err(format!("{about}: another digest at once"));
    }
    let ticks_draw = draw.seed();
    let mut draws = [Draw::new(ticks_draw), Draw::new(ticks_draw)];
    for tick in 1..=TICKS {
        world.tick(&mut draws[0]);
        other.tick(&mut draws[1]);
        if world.digest() != other.digest() {
            return Err(format!("{about}: another digest {tick} ticks later"));
        }
    }
    Ok(())
}

#[test]
fn a_world_restored_at_any_tick_goes_on_as_if_nothing_had_happened() {
    let first = number_in("NAV_FIRST").unwrap_or(0);
    let seeds = match number_in("NAV_SEED") {
        Some(seed) => seed..seed + 1,
        None => first..first + number_in("NAV_WORLDS").unwrap_or(SCENES),
    };
    go_on_alike(seeds);
}

#[test]
fn worlds_that_went_on_otherwise_once_go_on_alike() {
    go_on_alike(KEPT);
}

fn go_on_alike(seeds: impl IntoIterator<Item = u64>) {
    let wrong = seeds.into_iter().filter_map(|seed| check(seed).err());
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
