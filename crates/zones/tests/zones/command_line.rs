//! Wrong arguments: one line on stderr that says what is expected, with exit code 2. None of them
//! needs a broker.

use crate::common::Program;

/// Arguments, and the sentence about them.
const CASES: &[(&str, &str)] = &[
    (
        "",
        "'zones' requires a subcommand but one was not provided [subcommands: run, join, serve, check, worlds, split, merge, move, help]; see `zones --help`",
    ),
    (
        "ran",
        "unrecognized subcommand 'ran'; a similar subcommand exists: 'run'; see `zones --help`",
    ),
    (
        "run --zones 3",
        "invalid value '3' for '--zones <COLUMNSxROWS>': expected columns and rows, such as 2x2",
    ),
    (
        "run --zones axb",
        "invalid value 'axb' for '--zones <COLUMNSxROWS>': expected columns and rows, such as 2x2",
    ),
    (
        "run --processes many",
        "invalid value 'many' for '--processes <N>': expected a whole number from 0 to 1000",
    ),
    (
        "run --lease 5",
        "invalid value '5' for '--lease <MS>': expected a whole number from 200 to 3600000",
    ),
    (
        "run --seconds 0",
        "invalid value '0' for '--seconds <SECONDS>': expected a number above 0 and at most 86400",
    ),
    (
        "run --faults -1",
        "invalid value '-1' for '--faults <N>': expected a whole number from 0 to 4294967295",
    ),
    (
        "run --metrics 9000",
        "invalid value '9000' for '--metrics <ADDRESS:PORT>': expected an address and a port, such as 127.0.0.1:9000",
    ),
    (
        "run --json report.txt",
        "invalid value 'report.txt' for '--json <FILE>': expected a file name that ends in .json, or - for standard output",
    ),
    (
        "join",
        "the following required arguments were not provided: --world <NAME>; see `zones join --help`",
    ),
    (
        "serve --world w --addr 8080",
        "invalid value '8080' for '--addr <ADDRESS:PORT>': expected an address and a port, such as 127.0.0.1:8080",
    ),
    (
        "split --world w x --column 64",
        "invalid value 'x' for '<ZONE>': expected a whole number from 0 to 65535",
    ),
    (
        "split --world w 3",
        "the following required arguments were not provided: --column <X>; see `zones split --help`",
    ),
    (
        "merge --world w 1 70000",
        "invalid value '70000' for '<INTO>': expected a whole number from 0 to 65535",
    ),
    (
        "check --world w --log loud",
        "invalid value 'loud' for '--log <LEVEL>': error parsing level filter: expected one of \"off\", \"error\", \"warn\", \"info\", \"debug\", \"trace\", or a number 0-5",
    ),
];

#[test]
fn wrong_arguments() {
    let program = Program::new("zones_wrong_arguments");
    for (arguments, sentence) in CASES {
        assert_eq!(program.fail(arguments), *sentence, "{arguments}");
    }
}
