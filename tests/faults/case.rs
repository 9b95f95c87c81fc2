//! A case: a drawn world, faults in every tick, and the judge at the end.

use super::{calm, rules::Rules};
use nav_tests::drawn::{Draw, Failure, Inputs, Mix, Npc, Scene, Session, Verdict, judge_stage};

/// The results of a case.
#[derive(Default)]
pub struct Case {
    /// Faults, each with its tick.
    pub log: Vec<String>,
    /// The sum of the chasers of each tick.
    pub chaser_ticks: u64,
    /// How it ended, if it was judged.
    pub verdict: Option<Verdict>,
}

/// Runs the case of a seed.
///
/// # Panics
///
/// When a rule is broken.
pub fn run_case(seed: u64, case: &mut Case) {
    let mut session = session(seed);
    let draw = &mut session.inputs.draw;
    let ticks = u64::from(draw.number(50, 500));
    session.inputs.mix = Mix::faults(draw.number(1, 3));
    // A quiet stretch in the middle lets chases come to their ends.
    let pause = u64::from(session.inputs.draw.number(0, 400));
    let mut rules = Rules::default();
    for tick in 1..=ticks {
        let is_quiet = (pause..pause + 60).contains(&tick);
        session.prepare(!is_quiet, &mut |fault| {
            case.log.push(format!("{tick}: {fault:?}"));
        });
        let world = &mut session.stage.world;
        let before = rules.begin(world.world());
        world.tick(1);
        rules.check(before, world.world());
        let mut chasers = world.world().query::<&nav::Chaser>();
        case.chaser_ticks += chasers.iter(world.world()).count() as u64;
    }
    session.stage.play(&Inputs::usual_frame());
    // A part of the cases is judged, since this takes as long as the rest.
    if session.inputs.draw.percent(40)
        && let Some((scene, stage)) = calm::calm_down(session)
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
