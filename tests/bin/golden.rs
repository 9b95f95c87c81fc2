//! Plays the golden scenes in any build on any machine, and compares their digests with the table.

use bevy_tasks::ComputeTaskPool;
use nav_tests::golden::{self, GoldenScene, SCENES, Table};
use std::{collections::BTreeSet, fs, path::Path, process::ExitCode};

const USAGE: &str = "\
golden [--threads N] [check] [SCENE...]   compare digests with the table; all scenes if none is named
golden [--threads N] ticks SCENE          print the digest after each tick
golden mint                               rewrite the table
golden list                               say what each scene is about";

/// Printed when digests differ from those of the table.
const ADVICE: &str = "\
If this is so in one build, on one machine or for one number of threads only, something depends on \
that: look for floats, hash order, `usize` arithmetic, or an order that no number decides. \
`golden ticks SCENE` in both builds shows the first tick that differs.
If it is so everywhere, the rules of the chase, a scene or a map maker changed. Where that was \
meant, mint the table again, in a commit that says which rule changed:
    cargo run -p nav_tests --bin golden -- mint";

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let mut threads = 2;
    if let Some(at) = words.iter().position(|word| word == "--threads") {
        let number = words.get(at + 1).and_then(|number| number.parse().ok());
        match number {
            Some(number @ 1..) => threads = number,
            _ => return refuse("--threads takes a number of at least 1"),
        }
        words.drain(at..=at + 1);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["list"] => {
            for scene in SCENES {
                println!("{:<10} {}", scene.name, scene.about);
            }
            ExitCode::SUCCESS
        }
        ["mint"] => mint(),
        ["ticks", name] => match golden::scene(name) {
            Some(scene) => {
                for (tick, digest) in (1..).zip(play(scene, threads)) {
                    println!("{name} {tick} {digest:016x}");
                }
                ExitCode::SUCCESS
            }
            None => refuse(&format!("there is no scene {name:?}")),
        },
        _ => {
            let names = words.strip_prefix(&["check"]).unwrap_or(&words);
            let scenes: Result<Vec<&GoldenScene>, &str> = names
                .iter()
                .map(|name| golden::scene(name).ok_or(*name))
                .collect();
            match scenes {
                Ok(scenes) if scenes.is_empty() => check(SCENES, threads),
                Ok(scenes) => check(scenes, threads),
                Err(name) => refuse(&format!("there is no scene {name:?}")),
            }
        }
    }
}

fn play(scene: &GoldenScene, threads: usize) -> Vec<u64> {
    let digests = golden::play(scene, &nav_tests::with_threads(threads));
    let has_pool = ComputeTaskPool::try_get().is_some();
    assert_eq!(has_pool, threads > 1, "one thread needs no pool");
    digests
}

/// Compares scenes with the table, and prints the result of each.
fn check<'a>(scenes: impl IntoIterator<Item = &'a GoldenScene>, threads: usize) -> ExitCode {
    let table = match Table::written_down() {
        Ok(table) => table,
        Err(error) => return refuse(&error.to_string()),
    };
    let mut differ = 0;
    for scene in scenes {
        let digests = play(scene, threads);
        // Without this the digest would say nothing about later ticks.
        let distinct: BTreeSet<&u64> = digests.iter().collect();
        if distinct.len() < digests.len() {
            println!("{}: a digest comes twice", scene.name);
            differ += 1;
        }
        match table.compare(scene.name, &digests) {
            Ok(()) => println!("{}: {} ticks as written down", scene.name, digests.len()),
            Err(divergence) => {
                println!("{divergence}");
                differ += 1;
            }
        }
    }
    if differ == 0 {
        return ExitCode::SUCCESS;
    }
    eprintln!("{differ} scenes differ, with {threads} threads.\n{ADVICE}");
    ExitCode::FAILURE
}

fn mint() -> ExitCode {
    let mut table = Table::default();
    for scene in SCENES {
        table.insert(scene.name, &play(scene, 1));
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(Table::FILE);
    match fs::write(&file, table.to_string()) {
        Ok(()) => {
            println!(
                "{} scenes are written down in {}",
                SCENES.len(),
                file.display()
            );
            ExitCode::SUCCESS
        }
        Err(error) => refuse(&format!("{}: {error}", file.display())),
    }
}

fn refuse(reason: &str) -> ExitCode {
    eprintln!("golden: {reason}\n{USAGE}");
    ExitCode::from(2)
}
