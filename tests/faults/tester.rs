//! A case: a drawn world, faults in every tick, and the judge at the end.

use super::{calm, fault::Fault, rules::Rules};
use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time, TimeUpdateStrategy, Virtual};
use nav::{NavPlugin, saving::save};
use nav_behaviour::BehaviourPlugins;
use nav_grid::Grid;
use nav_tests::{
    TestWorld,
    drawn::{Draw, Failure, Npc, Scene, Verdict, judge_stage},
};
use std::time::Duration;

/// What a case showed.
#[derive(Default)]
pub struct Case {
    /// Faults, each with its tick.
    pub log: Vec<String>,
    /// Chasers that there were in each tick, all together.
    pub chaser_ticks: u64,
    /// How it ended, if it was judged.
    pub verdict: Option<Verdict>,
}

/// A world to which faults happen.
pub struct Tester {
    pub scene: Scene,
    pub draw: Draw,
    pub world: TestWorld,
    /// The map that the world began with, and one for those who are sent away.
    pub map: Entity,
    pub away: Entity,
    /// Everybody who was ever spawned; some are gone.
    pub targets: Vec<Entity>,
    pub npcs: Vec<Entity>,
    pub idle: Vec<Entity>,
    /// Until when there is no map.
    pub map_is_back: Option<u64>,
    pub has_behaviours: bool,
    /// Ticks so far.
    pub now: u64,
}

/// How long a tick is.
const TICK: Duration = Duration::from_millis(50);

/// Runs the case of a seed.
///
/// # Panics
///
/// When a rule is broken.
pub fn run_case(seed: u64, case: &mut Case) {
    let mut tester = Tester::new(seed);
    let ticks = u64::from(tester.draw.number(50, 500));
    let most = tester.draw.number(1, 3);
    // Somewhere in between it is quiet for a while, so that chases come to their ends.
    let pause = u64::from(tester.draw.number(0, 400));
    let mut rules = Rules::default();
    for tick in 1..=ticks {
        tester.now = tick;
        tester.frame(1, TICK);
        if !(pause..pause + 60).contains(&tick) {
            for _ in 0..tester.draw.number(0, most) {
                let fault = Fault::draw(&mut tester.draw);
                let what = tester.inject(fault);
                case.log.push(format!("{tick}: {fault:?} {what}"));
            }
        }
        tester.bring_map_back();
        let before = rules.begin(tester.world.world());
        tester.world.tick(1);
        rules.check(before, tester.world.world());
        case.chaser_ticks += tester.chasers();
    }
    tester.frame(1, TICK);
    // Not all: it takes as long as the rest.
    if tester.draw.percent(40)
        && let Some((scene, stage)) = calm::calm_down(tester)
    {
        case.log.push("calm".to_owned());
        let verdict = judge_stage(&scene, stage);
        if let Some(Failure::LeftOut(out)) = &verdict.failure {
            case.log.extend(out.iter().map(|&(chaser, _)| {
                let Npc {
                    at, chaser, body, ..
                } = &scene.npcs[chaser];
                format!("left out: from {at}, {body:?}, {chaser:?}")
            }));
        }
        case.verdict = Some(verdict);
    }
}

impl Tester {
    fn new(seed: u64) -> Self {
        let scene = Scene::new(seed);
        let mut draw = Draw::new(seed ^ 0xFA07_5EED);
        let has_behaviours = draw.percent(50);
        let mut stage = scene.stage_in(app(has_behaviours));
        let ground = Grid::open(12, 12).expect("a small map");
        let away = stage.world.add_map(ground);
        Self {
            draw,
            map: stage.world.map,
            away,
            world: stage.world,
            targets: stage.targets,
            npcs: stage.npcs,
            idle: stage.idle,
            map_is_back: None,
            has_behaviours,
            now: 0,
            scene,
        }
    }

    /// How many fixed steps the next frame runs, and how long each is.
    pub fn frame(&mut self, steps: u32, step: Duration) {
        let world = self.world.world();
        world.insert_resource(TimeUpdateStrategy::FixedTimesteps(steps));
        world.resource_mut::<Time<Fixed>>().set_timestep(step);
        let all = (step * steps).max(Duration::from_millis(250));
        world.resource_mut::<Time<Virtual>>().set_max_delta(all);
    }

    fn chasers(&mut self) -> u64 {
        let world = self.world.world();
        let mut chasers = world.query::<&nav::Chaser>();
        chasers.iter(world).count() as u64
    }

    /// Saves the world and goes on in another app.
    pub fn restore(&mut self) {
        let steps = *self.world.app.world().resource::<Time<Fixed>>();
        let saved = save(self.world.world());
        let digest = nav::digest(self.world.world());
        let mut app = app(self.has_behaviours);
        nav_tests::without_threads(&mut app);
        app.update();
        let entities = saved.restore(app.world_mut());
        let entities = entities.unwrap_or_else(|error| panic!("not restored: {error}"));
        assert_eq!(
            nav::digest(app.world_mut()),
            digest,
            "another digest after restoring"
        );
        let judges = self.world.judges_steps;
        self.world = TestWorld::with_app(app, Grid::open(1, 1).expect("a cell"));
        let spare = self.world.map;
        self.world.world().despawn(spare);
        nav_tests::without_threads(&mut self.world.app);
        self.world.judges_steps = judges;
        self.world
            .world()
            .resource_mut::<Time<Fixed>>()
            .set_timestep(steps.timestep());
        let new = |one: &Entity| entities.get(one).copied();
        let world = self.world.world();
        // A map that is gone has no new one: it is spawned when it is back.
        self.map = new(&self.map).unwrap_or_else(|| world.spawn_empty().id());
        self.away = new(&self.away).expect("the other map stays");
        self.world.map = self.map;
        for list in [&mut self.targets, &mut self.npcs, &mut self.idle] {
            *list = list.iter().filter_map(new).collect();
        }
    }
}

fn app(has_behaviours: bool) -> App {
    let mut app = nav_tests::app();
    app.add_plugins(NavPlugin::default());
    if has_behaviours {
        app.add_plugins(BehaviourPlugins::default());
    }
    app
}
