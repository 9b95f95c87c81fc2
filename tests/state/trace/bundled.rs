//! Every scenario of the program, recorded without behaviours and replayed with them.

use nav_drawn::tape::Tape;
use nav_sim::{Scenario, Silent, maps, scenario, sim};
use nav_tests::by_tier;
use nav_trace::TracePlugin;

/// Scenarios of the default tier: crowds with and without staggered steps, with bodies, links and
/// doors.
const FEW: [&str; 5] = ["default", "hunt", "crowd-10k", "stairs", "roguelike"];

/// The most chasers in the default tier. More than [`nav::MoveTimer::TURN`], so that steps are
/// staggered.
const CHASERS_MAX: u32 = 1500;

#[test]
fn replayed_equal() {
    let all = scenario::BUNDLED.iter().map(|&(name, _)| name);
    let names: Vec<&str> = by_tier(FEW.to_vec(), all.collect());
    let ticks: u32 = by_tier(40, 1200);
    let mut wrong = Vec::new();
    for name in names {
        let mut scenario = Scenario::bundled(name)
            .expect("a bundled scenario")
            .unwrap();
        scenario.seconds = f64::from(ticks) / f64::from(scenario.hz);
        scenario.threads = Some(1);
        scenario.chasers = by_tier(scenario.chasers.min(CHASERS_MAX), scenario.chasers);
        let map = maps::load(scenario.map.as_ref()).unwrap();
        let tape = Tape::default();
        let start = |app: &mut bevy_app::App| {
            app.add_plugins(TracePlugin::default());
            nav_trace::start(app.world_mut(), tape.clone()).unwrap();
        };
        let mut recorded = 0;
        let report = sim::run_with(&scenario, map, &mut Silent, start, |tick, simulation| {
            if tick == u64::from(ticks) {
                recorded = nav_trace::finish(simulation.world_mut()).unwrap().ticks;
            }
            Ok::<(), sim::SimError>(())
        });
        report.unwrap();
        assert!(recorded > 0, "{name}");
        match nav_drawn::tape::replay(&tape.bytes()) {
            Ok(replayed) => assert_eq!(replayed, recorded, "{name}"),
            Err(difference) => wrong.push(format!("{name}: {difference}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
