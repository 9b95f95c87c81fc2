//! The permissions of the page about operating: enough for all programs, and a violation is named.

use crate::{
    World, broker::Guarded, has_broker, line_with, operate::metrics_at, processes::signal, program,
    upgrade::run,
};
use nav_judge::by_tier;
use std::process::Stdio;

const PAGE: &str = include_str!("../../../../docs/book/src/operating.md");

/// Returns the part of the page's configuration of a broker that has permissions.
fn authorization() -> &'static str {
    let start = PAGE.find("\nauthorization {").expect("the page has it");
    let block = &PAGE[start..];
    &block[..block.find("\n```").expect("it ends")]
}

#[test]
fn permissions_of_the_page() {
    if !has_broker() {
        return;
    }
    let test = "zones_permitted";
    let broker = Guarded::with(test, authorization());
    let mut world = World::run(test, |command| command.env("NATS_URL", broker.url()));
    world.url = broker.url();
    world.is_clean();
    world.command("split 3 --column 128");
    world.command("move 1");
    world.is_clean();
    let place = world.place();
    let mut joined = world.program.command();
    let joined = joined
        .arg("join")
        .args(place.split(' '))
        .stderr(Stdio::null());
    let mut joined = joined.spawn().expect("the program is there");
    let mut page = world.program.command();
    let page = page
        .args(["serve", "--addr", "127.0.0.1:0"])
        .args(place.split(' '));
    let mut page = page
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program is there");
    let line = line_with("http://", page.stdout.take().expect("it is piped"));
    let addr = line
        .strip_prefix("http://")
        .and_then(|line| line.split('/').next());
    assert!(metrics_at(addr.expect(&line)).contains("chase_clients 0\n"));
    // Another process takes a zone, and the ledger is read again.
    signal("KILL", world.joined()[0].into());
    world.is_clean();
    for process in [&mut joined, &mut page, &mut world.process] {
        signal("TERM", process.id().into());
        assert!(process.wait().expect("it is a child").success());
    }
    let again = format!("run --quiet --seconds 2 --world {}", world.name);
    assert_eq!(
        run(&mut program(test).command(), &broker, &again).0,
        Some(0)
    );
    let delete = format!("worlds --delete {}", world.name);
    let deleted = run(&mut program(test).command(), &broker, &delete);
    assert_eq!(deleted, (Some(0), String::new()));
    let log = broker.log();
    let violations: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("Violation"))
        .collect();
    assert_eq!(violations, [""; 0]);
}

/// All permissions in the soak tier, otherwise two.
#[test]
fn missing_permission_is_named() {
    if !has_broker() {
        return;
    }
    let test = "zones_forbidden";
    let all: Vec<&str> = authorization()
        .split('"')
        .skip(1)
        .step_by(2)
        // A broker asks for this after a megabyte that a reader did not take.
        .filter(|&permission| permission != "$JS.FC.>")
        .collect();
    assert!(all.len() > 6, "{all:?}");
    let tried = by_tier(2, all.len());
    for permission in all.into_iter().take(tried) {
        let quoted = format!("\"{permission}\"");
        let broker = Guarded::with(test, &authorization().replacen(&quoted, "\"nothing\"", 1));
        let (code, said) = if permission == "*.events" {
            let world = World::run(test, |command| command.env("NATS_URL", broker.url()));
            let split = format!("split 3 --column 128 --world {}", world.name);
            run(
                &mut program("zones_forbidden_split").command(),
                &broker,
                &split,
            )
        } else {
            let command = "run horde.ron --seconds 5 --lease 1000 --log warn";
            run(&mut program(test).command(), &broker, command)
        };
        println!("{permission}: {code:?} {said}");
        let begin = permission.trim_start_matches("*.").split(['*', '>']).next();
        let begin = begin.expect("a word");
        let is_named = said.lines().any(|line| {
            let rest = line.split_once("does not permit this user to ");
            rest.is_some_and(|(_, rest)| {
                rest.contains(begin) && rest.contains("add the permission")
            })
        });
        assert!(is_named, "{permission}: {said}");
    }
}
