//! A case: a drawn world, faults in every tick, and the judge at the end.

use super::{calm, rules::Rules, script::Script};
use bevy_ecs::prelude::*;
use nav::extend::{Parts, digest_parts, part_names};
use nav_drawn::{
    Draw, Failure, Input, Inputs, Mix, Npc, Scene, Session, Stage, Verdict, judge_stage,
};
use nav_tests::TestWorld;

/// The results of a case.
#[derive(Default)]
pub struct Case {
    /// The faults.
    pub script: Script,
    /// What there is to say about the end.
    pub end: Vec<String>,
    /// The sum of the chasers of each tick.
    pub chaser_ticks: u64,
    /// How it ended, if it was judged.
    pub verdict: Option<Verdict>,
}

/// The draws of a case that are made before its first tick.
struct Plan {
    ticks: u64,
    /// The first tick of a quiet stretch, in which chases come to their ends.
    pause: u64,
    /// The tick before which the world is saved, with the faults of that tick, and goes on in
    /// another app too.
    twin: u64,
    /// Whether the end is judged: a part of the cases, since this takes as long as the rest.
    is_judged: bool,
    /// The budget at the end.
    budget: Option<u32>,
    /// What the random choices at the end follow from.
    end: u64,
}

/// Ticks of a quiet stretch.
const QUIET: u64 = 60;

/// Ticks for which a restored world goes on beside the other one.
const BESIDE: u64 = 40;

impl Plan {
    fn new(draw: &mut Draw) -> Self {
        let ticks = u64::from(draw.number(50, 500));
        Self {
            ticks,
            pause: u64::from(draw.number(0, 400)),
            twin: u64::from(draw.number(1, 500)),
            is_judged: draw.percent(40),
            budget: draw.one_of(&[None, Some(4000)]),
            end: draw.seed(),
        }
    }
}

/// Runs the case of a seed, with the faults of a script, or with drawn ones.
///
/// # Panics
///
/// When a rule is broken.
pub fn run_case(seed: u64, script: Option<&Script>, case: &mut Case) {
    let mut session = session(seed);
    let plan = Plan::new(&mut session.inputs.draw);
    session.inputs.mix = Mix::faults(session.inputs.draw.number(1, 3));
    let mut rules = Rules::default();
    let mut twin: Option<Stage> = None;
    for tick in 1..=plan.ticks {
        let mut done = Vec::new();
        if let Some(script) = script {
            done.extend(script.at(tick).cloned());
            play(&mut session.stage, &done);
        } else {
            let is_quiet = (plan.pause..plan.pause + QUIET).contains(&tick);
            session.prepare(!is_quiet, &mut |fault| done.push(fault.clone()));
        }
        case.script.extend(tick, &done);
        let world = &mut session.stage.world;
        let before = rules.begin(world.world());
        if tick == plan.twin {
            twin = Some(restored(&mut session.stage, &done));
        } else if let Some(twin) = &mut twin {
            play(twin, &done);
        }
        let world = &mut session.stage.world;
        world.tick(1);
        rules.check(before, world.world());
        if let Some(twin) = &mut twin {
            twin.world.tick(1);
            let worlds = [world, &mut twin.world].map(TestWorld::world);
            let (saved, differing) = (plan.twin, differing_parts(worlds));
            assert!(
                differing.is_none(),
                "saved before tick {saved}, after tick {tick} these differ: {}",
                differing.unwrap_or_default().join(", ")
            );
        }
        twin = twin.filter(|_| tick < plan.twin + BESIDE);
        let world = session.stage.world.world();
        let mut chasers = world.query::<&nav::Chaser>();
        case.chaser_ticks += chasers.iter(world).count() as u64;
    }
    session.stage.play(&Inputs::usual_frame());
    session.inputs.draw = Draw::new(plan.end);
    if plan.is_judged
        && let Some((scene, stage)) = calm::calm_down(session, plan.budget)
    {
        let verdict = judge_stage(&scene, stage);
        if let Some(Failure::LeftOut(out)) = &verdict.failure {
            case.end.extend(out.iter().map(|&(chaser, _)| {
                let Npc {
                    at, chaser, body, ..
                } = &scene.npcs[chaser];
                format!("left out: from {at}, {body:?}, {chaser:?}")
            }));
        }
        case.verdict = Some(verdict);
    }
}

/// Saves the world after the changes of a tick, and restores it in another app.
fn restored(stage: &mut Stage, done: &[Input]) -> Stage {
    let restored = stage.restored(|save| save);
    let mut twin = restored.unwrap_or_else(|error| panic!("not restored: {error}"));
    // All else that was done is in the save.
    let frames = done
        .iter()
        .filter(|input| matches!(input, Input::Frame(..)));
    play(&mut twin, frames);
    twin
}

/// Applies the inputs of a tick.
fn play<'a>(stage: &mut Stage, inputs: impl IntoIterator<Item = &'a Input>) {
    stage.play(&Inputs::usual_frame());
    for input in inputs {
        stage.play(input);
    }
}

/// Draws a world, in an app with behaviours or without.
fn session(seed: u64) -> Session {
    let scene = Scene::new(seed);
    let mut draw = Draw::new(seed ^ 0xFA07_5EED);
    let has_behaviours = draw.percent(50);
    let mut stage = if has_behaviours {
        scene.stage_with_behaviours()
    } else {
        scene.stage()
    };
    stage.add_away();
    Session {
        scene,
        stage,
        inputs: Inputs::new(draw, Mix::faults(1)).with_behaviours(has_behaviours),
    }
}

/// The parts of the state in which two worlds differ, each by its name; `None` where their digests
/// are equal.
fn differing_parts(worlds: [&mut World; 2]) -> Option<Vec<&'static str>> {
    let [(digest, parts), (other_digest, other_parts)] = worlds.map(|world| {
        let mut seen = PartsSeen::default();
        let digest = digest_parts(world, &mut seen);
        seen.0.sort_unstable();
        (digest, (seen.0, part_names(world)))
    });
    if digest == other_digest {
        return None;
    }
    let ((seen, names), (other_seen, _)) = (parts, other_parts);
    let is_alone = |part: &&(usize, u64)| seen.contains(part) != other_seen.contains(part);
    let alone = seen.iter().chain(&other_seen).filter(is_alone);
    let mut numbers: Vec<usize> = alone.map(|&(number, _)| number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    Some(numbers.iter().map(|&number| names[number]).collect())
}

/// The numbers and fingerprints of all parts, without the entities, which differ after a restore.
#[derive(Default)]
struct PartsSeen(Vec<(usize, u64)>);

impl Parts for PartsSeen {
    fn add(&mut self, _: Option<Entity>, part: usize, fingerprint: u64) {
        self.0.push((part, fingerprint));
    }

    fn name(&self, _: Entity) -> u64 {
        0
    }
}
