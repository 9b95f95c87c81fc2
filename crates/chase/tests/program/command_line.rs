//! Wrong arguments: one line on stderr that says what is expected, with exit code 2.

use crate::common::Program;

/// Arguments, and the sentence about them.
const CASES: &[(&str, &str)] = &[
    ("walk", "unrecognized subcommand 'walk'; see `chase --help`"),
    (
        "rum",
        "unrecognized subcommand 'rum'; a similar subcommand exists: 'run'; see `chase --help`",
    ),
    (
        "run --chaserz 5",
        "unexpected argument '--chaserz' found; a similar argument exists: '--chasers'; see `chase run --help`",
    ),
    (
        "run --hz",
        "a value is required for '--hz <N>' but none was supplied; see `--help`",
    ),
    (
        "run one two",
        "unexpected argument 'two' found; see `chase run --help`",
    ),
    (
        "show",
        "the following required arguments were not provided: <MAP>; see `chase show --help`",
    ),
    (
        "show yard.txt 1,1",
        "the following required arguments were not provided: <TO>; see `chase show --help`",
    ),
    (
        "show yard.txt --radius 4",
        "the following required arguments were not provided: <FROM> <TO>; see `chase show --help`",
    ),
    (
        "compare",
        "the following required arguments were not provided: <MAP>; see `chase compare --help`",
    ),
    (
        "compare yard.txt 0,0 3,0 --seed 3",
        "the argument '[FROM]' cannot be used with '--seed <N>'; see `chase compare --help`",
    ),
    (
        "generate open out.txt",
        "the following required arguments were not provided: --size <WxH>; see `chase generate --help`",
    ),
    (
        "run --chasers many",
        "invalid value 'many' for '--chasers <N>': expected a whole number from 0 to 5000000, such as 500, 10k or 1m",
    ),
    (
        "run --chasers 6m",
        "invalid value '6m' for '--chasers <N>': expected a whole number from 0 to 5000000, such as 500, 10k or 1m",
    ),
    (
        "run --targets 0",
        "invalid value '0' for '--targets <N>': expected a whole number from 1 to 1000000, such as 500, 10k or 1m",
    ),
    (
        "run --hz 0",
        "invalid value '0' for '--hz <N>': expected a whole number from 1 to 1000",
    ),
    (
        "run --seconds -1",
        "invalid value '-1' for '--seconds <S>': expected a number above 0 and at most 86400",
    ),
    (
        "run --seconds NaN",
        "invalid value 'NaN' for '--seconds <S>': expected a number above 0 and at most 86400",
    ),
    (
        "run --seed -1",
        "invalid value '-1' for '--seed <N>': expected a whole number from 0 to 18446744073709551615",
    ),
    (
        "run --threads 0",
        "invalid value '0' for '--threads <N>': expected a whole number from 1 to 1024",
    ),
    (
        "run --budget 0",
        "invalid value '0' for '--budget <N>': expected a whole number from 1 to 4294967295, such as 500, 10k or 1m",
    ),
    (
        "check yard.txt --footprint 9",
        "invalid value '9' for '--footprint <N>': expected a whole number from 1 to 8",
    ),
    (
        "generate clutter --percent 101 --size 4x4 a.txt",
        "invalid value '101' for '--percent <P>': expected a whole number from 0 to 100",
    ),
    (
        "replay a.trace --until x",
        "invalid value 'x' for '--until <TICK>': expected a whole number from 0 to 18446744073709551615",
    ),
    (
        "show yard.txt --floor 256",
        "invalid value '256' for '--floor <N>': expected a whole number from 0 to 255",
    ),
    (
        "run --gif out.mp4",
        "invalid value 'out.mp4' for '--gif <FILE>': expected a file name that ends in .gif",
    ),
    (
        "run --gif out",
        "invalid value 'out' for '--gif <FILE>': expected a file name that ends in .gif",
    ),
    (
        "run --trace run.json",
        "invalid value 'run.json' for '--trace <FILE>': expected a file name that ends in .trace",
    ),
    (
        "run --json report.txt",
        "invalid value 'report.txt' for '--json <FILE>': expected a file name that ends in .json, or - for standard output",
    ),
    (
        "show yard.txt --png a.jpg",
        "invalid value 'a.jpg' for '--png <FILE>': expected a file name that ends in .png",
    ),
    (
        "show --scenario hunt --png a.gif",
        "invalid value 'a.gif' for '--png <FILE>': expected a file name that ends in .png",
    ),
    (
        "check yard.txt --json map.tmx",
        "invalid value 'map.tmx' for '--json <FILE>': expected a file name that ends in .json, or - for standard output",
    ),
    (
        "compare yard.txt --json a.ron",
        "invalid value 'a.ron' for '--json <FILE>': expected a file name that ends in .json, or - for standard output",
    ),
    (
        "replay a.trace --json a.trace",
        "invalid value 'a.trace' for '--json <FILE>': expected a file name that ends in .json, or - for standard output",
    ),
    (
        "replay a.trace --dump 1 --dump-to a.save",
        "invalid value 'a.save' for '--dump-to <FILE>': expected a file name that ends in .json, or - for standard output",
    ),
];

#[test]
fn wrong_arguments() {
    let program = Program::new("wrong_arguments");
    for (arguments, sentence) in CASES {
        let said = program.fail(arguments);
        assert_eq!(said, *sentence, "{arguments}");
    }
    let left = std::fs::read_dir(program.path(".")).unwrap().count();
    assert_eq!(left, 0, "nothing was written");
}

/// Pipes and devices have names of their own.
#[test]
fn outputs_to_devices() {
    let program = Program::new("outputs_to_devices");
    let few = "run --chasers 3 --targets 1 --seconds 1 --quiet";
    program.succeed(&format!(
        "{few} --json /dev/null --gif /dev/null --trace /dev/null"
    ));
    program.succeed(&format!(
        "{few} --json report.JSON --gif film.Gif --trace run.trace"
    ));
}
