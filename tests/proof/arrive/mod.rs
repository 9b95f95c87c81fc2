//! Judges drawn scenes: every chaser that can arrive must.
//!
//! `NAV_WORLDS=n` sets how many scenes are drawn, `NAV_SEED=n` runs the scene of one seed and shows
//! it, `NAV_FIRST=n` begins at another seed, and `NAV_ONLY=bodies=solid,layer=costs` takes only
//! scenes with these features; a report names all of them.

mod after_a_game;
mod saved;

use nav_drawn::{Failure, Next, Scene, Verdict, judge, number_in, on_all_cores, or_panic};
use nav_tests::by_tier;
use std::{collections::BTreeMap, fmt::Write as _};

/// Seeds beyond the default range, each of which was the first to show a fault: overlapping large
/// bodies; links and exits that led onto a large target; paths that ended short of it in turns; two
/// soft bodies on one cell; two bodies on detours that turned back at once; pushes without end; a
/// chaser that avoids bodies and waited a minute for bodies that had gone; a detour beside the edge
/// of a map that led further from the target than its window; two bodies that pushed each other in
/// turns; a chaser that takes bodies for walls, with some beside the way onto the target; large
/// bodies that lost a detour; packs that took each other's places without end; a path that led to a
/// step without return, and no nearer; two that met on detours, and went around each other on the
/// same side for ever; packs that did so for minutes.
const KEPT: [u64; 44] = [
    271, 2_220, 2_479, 2_698, 2_967, 3_295, 4_453, 4_801, 5_376, 5_981, 7_327, 7_897, 9_699,
    10_018, 7_161, 26_138, 32_118, 43_450, 33_397, 35_885, 54_511, 50_384, 60_293, 3_735, 47_828,
    82_632, 50_967, 17_393, 4_033, 17_617, 18_383, 74_424, 13_442, 77_594, 12_785, 22_489, 70_566,
    15_341, 15_723, 78_983, 87_566, 60_290, 20_921, 495,
];

/// Most failures that a report shows as pictures.
const SHOWN: usize = 9;

#[test]
fn drawn_worlds() {
    check(by_tier(200, 2_000), Scene::new, run);
}

#[test]
fn kept_seeds() {
    let next = |_: &mut Vec<String>, nth: u64| {
        if nth < KEPT.len() as u64 {
            Next::Run
        } else {
            Next::Stop
        }
    };
    let wrong = on_all_cores(
        0,
        Vec::new(),
        next,
        |nth| run(KEPT[nth as usize]),
        |wrong, _, (scene, verdict)| {
            if let Some(failure) = &verdict.failure {
                println!("{}", show(&scene, &verdict));
                wrong.push(format!("{}: {failure}", scene.seed));
            }
        },
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Judges scenes from one seed on: `scenes` of them unless `NAV_WORLDS` says otherwise, or the one
/// of `NAV_SEED`.
fn check(
    scenes: usize,
    draw: impl Fn(u64) -> Scene + Sync,
    run: impl Fn(u64) -> (Scene, Verdict) + Sync,
) {
    if let Some(seed) = number_in("NAV_SEED") {
        let (scene, verdict) = run(seed);
        println!("{}", show(&scene, &verdict));
        assert!(verdict.failure.is_none(), "see above");
        return;
    }
    let scenes = number_in("NAV_WORLDS").map_or(scenes, |number| number as usize);
    let first = number_in("NAV_FIRST").unwrap_or(0);
    let report = run_all(first, scenes, draw, run);
    println!("{}", report.text());
    assert!(
        report.failures.is_empty(),
        "{} of {scenes} scenes failed",
        report.failures.len()
    );
    // A scene without judged chasers proves nothing.
    let judged = report.arrived + report.waiting;
    assert!(report.excused * 50 < judged, "{} excused", report.excused);
}

/// Judges the scene of a seed.
fn run(seed: u64) -> (Scene, Verdict) {
    let scene = Scene::new(seed);
    let verdict = verdict_of(|| judge(&scene));
    (scene, verdict)
}

/// Returns the verdict of a judge, or [`Failure::Broken`] if the judge panics.
fn verdict_of(judge: impl FnOnce() -> Verdict) -> Verdict {
    or_panic(judge).unwrap_or_else(|text| Verdict {
        failure: Some(Failure::Broken(text)),
        ..Verdict::default()
    })
}

/// The verdicts on many scenes.
#[derive(Default)]
struct Report {
    begun: usize,
    failures: Vec<(u64, Failure)>,
    shown: Vec<String>,
    /// Failures and cases by feature and value.
    features: BTreeMap<(&'static str, String), (usize, usize)>,
    arrived: usize,
    waiting: usize,
    excused: usize,
    slowest: (u64, u64),
}

impl Report {
    fn add(&mut self, scene: &Scene, verdict: Verdict) {
        self.arrived += verdict.arrived;
        self.waiting += verdict.waiting;
        self.excused += verdict.excused;
        self.slowest = self.slowest.max((verdict.settled, scene.seed));
        for (key, value) in &scene.features {
            let (failed, all) = self.features.entry((key, value.clone())).or_default();
            *failed += usize::from(verdict.failure.is_some());
            *all += 1;
        }
        if let Some(failure) = &verdict.failure {
            if self.shown.len() < SHOWN {
                self.shown.push(show(scene, &verdict));
            }
            self.failures.push((scene.seed, failure.clone()));
        }
    }

    fn text(&self) -> String {
        let mut text = self.shown.concat();
        let mut kinds: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for (seed, failure) in &self.failures {
            kinds.entry(failure.name()).or_default().push(*seed);
        }
        let mut key_before = "";
        for ((key, value), (failed, all)) in &self.features {
            if *key != key_before {
                let _ = write!(text, "\n{key}:");
                key_before = key;
            }
            let _ = write!(text, "  {value} {failed}/{all}");
        }
        text.push('\n');
        for (kind, mut seeds) in kinds {
            seeds.sort_unstable();
            let count = seeds.len();
            seeds.truncate(25);
            let _ = writeln!(text, "{kind}: {count}, seeds {seeds:?}");
        }
        let _ = writeln!(
            text,
            "{} arrived, {} wait for a place, {} excused; the slowest scene stood still after {} s (seed {})",
            self.arrived,
            self.waiting,
            self.excused,
            self.slowest.0 / 1000,
            self.slowest.1,
        );
        text
    }
}

/// Runs `scenes` scenes on all cores.
fn run_all(
    first: u64,
    worlds: usize,
    draw: impl Fn(u64) -> Scene + Sync,
    run: impl Fn(u64) -> (Scene, Verdict) + Sync,
) -> Report {
    let only = std::env::var("NAV_ONLY").unwrap_or_default();
    let only: Vec<(&str, &str)> = only
        .split(',')
        .filter_map(|one| one.split_once('='))
        .collect();
    on_all_cores(
        first,
        Report::default(),
        |report, seed| {
            if report.begun == worlds {
                return Next::Stop;
            }
            if !only.is_empty() {
                let scene = draw(seed);
                if !only.iter().all(|(key, value)| scene.has(key, value)) {
                    return Next::Skip;
                }
            }
            report.begun += 1;
            Next::Run
        },
        run,
        |report, _, (scene, verdict)| report.add(&scene, verdict),
    )
}

/// Formats a scene and its end as text.
fn show(scene: &Scene, verdict: &Verdict) -> String {
    let mut text = format!("\nNAV_SEED={}", scene.seed);
    for (key, value) in &scene.features {
        let _ = write!(text, " {key}={value}");
    }
    let _ = writeln!(
        text,
        "\n{} arrived, {} wait, {} excused, all stood still after {} ms: {}\n{}",
        verdict.arrived,
        verdict.waiting,
        verdict.excused,
        verdict.settled,
        verdict
            .failure
            .as_ref()
            .map_or("as it should be".into(), Failure::to_string),
        verdict.picture,
    );
    text
}
