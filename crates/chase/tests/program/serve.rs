//! `chase serve` in a build without a web server.

use crate::common::Program;

#[test]
fn names_the_feature() {
    let program = Program::new("serve_elsewhere");
    for arguments in ["serve", "serve hunt --addr 127.0.0.1:0", "serve --clients"] {
        assert_eq!(
            program.fail(arguments),
            "this build cannot serve: run `cargo run --release --features serve -- serve`"
        );
    }
}

#[test]
fn help_names_the_feature() {
    let help = Program::new("serve_help").succeed("--help");
    let line = help.lines().find(|line| line.trim().starts_with("serve "));
    assert!(line.is_some(), "{help}");
    assert!(help.contains("feature serve"), "{help}");
}
