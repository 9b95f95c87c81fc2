//! Every failure is one line on stderr that names the place and a correct value, with exit code 2.

use crate::common::Program;
use std::process::Stdio;

const YARD: &str = "....\n.##.\n....\n";

#[test]
fn missing_map() {
    let program = Program::new("missing_map");
    assert_eq!(
        program.fail("show nowhere.txt"),
        "nowhere.txt: cannot be read: there is no such file"
    );
    assert_eq!(
        program.fail("run --map nowhere.txt"),
        "nowhere.txt: cannot be read: there is no such file"
    );
}

#[test]
fn missing_scenario() {
    let program = Program::new("missing_scenario");
    assert_eq!(
        program.fail("run nowhere.ron"),
        "nowhere.ron: cannot be read: there is no such file"
    );
}

#[test]
fn missing_map_of_a_scenario() {
    let program = Program::new("missing_map_of_a_scenario").with("a.ron", "(map: \"maps/b.txt\")");
    assert_eq!(
        program.fail("run a.ron"),
        "maps/b.txt: cannot be read: there is no such file"
    );
}

#[test]
fn unreadable_files() {
    let program = Program::new("unreadable_files");
    std::fs::create_dir(program.path("folder.txt")).unwrap();
    assert_eq!(
        program.fail("show folder.txt"),
        "folder.txt: cannot be read: it is a folder, not a file"
    );
    assert_eq!(
        program.fail("run folder.txt"),
        "folder.txt: cannot be read: it is a folder, not a file"
    );
}

#[test]
fn malformed_map() {
    let program = Program::new("malformed_map")
        .with("letters.txt", "...\n.x.\n")
        .with("ragged.txt", "...\n..\n")
        .with("bytes.txt", b"..\xff\n")
        .with(
            "header.map",
            "type octile\nheight 2\nwidth many\nmap\n..\n..\n",
        );
    assert_eq!(
        program.fail("show letters.txt"),
        "letters.txt: line 2, column 2: unknown character 'x'; expected '.' or '#'"
    );
    assert_eq!(
        program.fail("show ragged.txt"),
        "ragged.txt: line 2: row has 2 cells, expected 3 as in the first row"
    );
    assert!(
        program
            .fail("show bytes.txt")
            .starts_with("bytes.txt: line 1, column 3: ")
    );
    assert!(
        program
            .fail("show header.map")
            .starts_with("header.map: line 3")
    );
    assert!(
        program
            .fail("run --map letters.txt")
            .starts_with("letters.txt: line 2, column 2: ")
    );
}

#[test]
fn unknown_ending() {
    let program = Program::new("unknown_ending").with("level.doc", YARD);
    for arguments in [
        "show level.doc",
        "run --map level.doc",
        "generate open --size 4x4 level.doc",
    ] {
        assert_eq!(
            program.fail(arguments),
            "level.doc: the name of a map file must end in .txt, .map, .bitmap, .navmesh, .png, .bmp, .ldtk, .tmx, .tmj, .json or .navgrid"
        );
    }
}

#[test]
fn unknown_field() {
    let program = Program::new("unknown_field").with("a.ron", "(\n    chazers: 5,\n)\n");
    assert_eq!(
        program.fail("run a.ron"),
        "a.ron: line 2, column 5: there is no field chazers; did you mean chasers?"
    );
}

#[test]
fn scenario_that_is_not_text() {
    let program = Program::new("scenario_that_is_not_text").with("a.ron", b"(chasers: \xff)");
    assert_eq!(
        program.fail("run a.ron"),
        "a.ron: line 1, column 11: the file is no text in UTF-8"
    );
}

#[test]
fn map_in_place_of_a_scenario() {
    let program = Program::new("map_in_place_of_a_scenario").with("town.txt", YARD);
    for command in ["run town.txt", "show --scenario town.txt --png a.png"] {
        assert_eq!(
            program.fail(command),
            "town.txt: this is a map, not a scenario: use `chase run --map town.txt`"
        );
    }
}

#[test]
fn impossible_scenario() {
    let program = Program::new("impossible_scenario")
        .with("targets.ron", "(targets: 0)")
        .with("spawn.ron", "(spawn: Near(min: 9, max: 3))")
        .with("seconds.ron", "(seconds: inf)")
        .with("heights.ron", "(heights: Each([3.0, 3.0]))");
    assert_eq!(
        program.fail("run targets.ron"),
        "targets.ron: targets must be 1 to 1000000, not 0"
    );
    assert_eq!(
        program.fail("run spawn.ron"),
        "spawn.ron: spawn min must be 1 to max, which is 3, not 9"
    );
    assert_eq!(
        program.fail("run seconds.ron"),
        "seconds.ron: seconds must be above 0 and at most 86400, not inf"
    );
    assert_eq!(
        program.fail("run heights.ron"),
        "heights.ron: heights must be Each a number above that of the floor below, not 3 on floor 1"
    );
}

#[test]
fn start_inside_a_wall() {
    let program = Program::new("start_inside_a_wall").with("yard.txt", YARD);
    assert_eq!(
        program.fail("show yard.txt 1,1 0,0"),
        "the start 1,1 is inside a wall of yard.txt: a path starts and ends on floor"
    );
    assert_eq!(
        program.fail("compare yard.txt 0,0 2,1"),
        "the goal 2,1 is inside a wall of yard.txt: a path starts and ends on floor"
    );
}

#[test]
fn start_outside_the_map() {
    let program = Program::new("start_outside_the_map").with("yard.txt", YARD);
    assert_eq!(
        program.fail("show yard.txt 4,0 0,0"),
        "the start 4,0 is outside yard.txt: columns are 0 to 3, rows 0 to 2"
    );
    assert_eq!(
        program.fail("compare yard.txt 0,0 0,3"),
        "the goal 0,3 is outside yard.txt: columns are 0 to 3, rows 0 to 2"
    );
    assert_eq!(
        program.fail("compare yard.txt 0,0 0,1,2"),
        "the goal 0,1,2 is outside yard.txt: columns are 0 to 3, rows 0 to 2, and the only floor is 0"
    );
}

#[test]
fn bad_cells() {
    let program = Program::new("bad_cells").with("yard.txt", YARD);
    for cell in ["3;1", "-1,0", "70000,0"] {
        assert_eq!(
            program.fail(&format!("show yard.txt {cell} 0,0")),
            format!(
                "invalid value '{cell}' for '[FROM]': expected column,row, such as 3,4, or column,row,floor"
            )
        );
    }
    // A word that looks like an option is not called a cell.
    assert_eq!(
        program.fail("compare yard.txt --metrik octile"),
        "invalid value '--metrik' for '[FROM]': there is no such option: --help lists them"
    );
}

#[test]
fn bodies_without_room() {
    let program = Program::new("bodies_without_room").with("yard.txt", YARD);
    assert_eq!(
        program.fail("compare yard.txt 0,0 3,0 --size 2"),
        "the start 0,0 of yard.txt has no room for a body of 2x2 cells, which covers as many \
         columns and rows from there on"
    );
    assert_eq!(
        program.fail("compare yard.txt --size 3"),
        "yard.txt: a body of 3x3 cells fits nowhere: use another map or --size"
    );
}

#[test]
fn bad_size() {
    let program = Program::new("bad_size");
    for size in ["64", "0x4", "-4x4", "axb", "70000x4", "20000x4"] {
        assert_eq!(
            program.fail(&format!("generate open --size {size} out.txt")),
            format!(
                "invalid value '{size}' for '--size <WxH>': \
                 expected WIDTHxHEIGHT, each 1 to 16384, such as 64x48"
            )
        );
    }
}

#[test]
fn bad_choices() {
    let program = Program::new("bad_choices").with("yard.txt", YARD);
    assert_eq!(
        program.fail("show yard.txt --metric euclid"),
        "invalid value 'euclid' for '--metric <METRIC>' \
         [possible values: unit, fourway, grid, twothree, octile]"
    );
    for command in ["run", "show yard.txt 0,0 3,0"] {
        assert_eq!(
            program.fail(&format!("{command} --method warp")),
            "invalid value 'warp' for '--method <NAME>' [possible values: auto, line, astar, \
             sweep, jps, portal, mosaic, trunk, dijkstra]"
        );
    }
    assert!(
        program
            .fail("generate city --size 4x4 out.txt")
            .ends_with("[possible values: open, clutter, rooms, caves, maze, mixed]")
    );
    assert_eq!(
        program.fail("generate rooms --percent 30 --size 9x9 out.txt"),
        "a map of kind rooms takes no percentage; only clutter does"
    );
}

#[test]
fn missing_output_folder() {
    let program = Program::new("missing_output_folder").with("yard.txt", YARD);
    assert_eq!(
        program.fail("generate open --size 4x4 out/a.txt"),
        "out/a.txt: cannot be written: the folder out does not exist; make it first"
    );
    assert_eq!(
        program.fail("show yard.txt --png out/a.png"),
        "out/a.png: cannot be written: the folder out does not exist; make it first"
    );
    assert_eq!(
        program.fail("run --json out/a.json"),
        "out/a.json: cannot be written: the folder out does not exist; make it first"
    );
}

#[test]
fn endless_input() {
    let program = Program::new("endless_input");
    for (command, refused) in [
        ("run /dev/zero", "cannot be read"),
        ("run --map /dev/zero", "must end in"),
    ] {
        let said = program.fail(command);
        assert!(
            said.starts_with("/dev/zero: ") && said.contains(refused),
            "{said}"
        );
    }
}

#[test]
fn refused_run_keeps_old_files() {
    let program = Program::new("refused_run_keeps_old_files")
        .with("film.gif", "old")
        .with("report.json", "old");
    // Longer than a film may be.
    program.fail("run --seconds 100000 --gif film.gif --json report.json");
    for file in ["film.gif", "report.json"] {
        assert_eq!(std::fs::read_to_string(program.path(file)).unwrap(), "old");
    }
    let left = std::fs::read_dir(program.path(".")).unwrap().count();
    assert_eq!(left, 2);
}

#[test]
fn hostile_file_name() {
    let program = Program::new("hostile_file_name");
    let output = program
        .command()
        .args(["show", "a\nb\u{1b}[31m.txt"])
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: a b\\u{1b}[31m.txt: cannot be read: there is no such file\n"
    );
}

#[test]
fn reader_that_goes_away() {
    let row = ".".repeat(1000) + "\n";
    let program = Program::new("reader_that_goes_away").with("big.txt", row.repeat(1000));
    let mut child = program
        .command()
        .args(["show", "big.txt"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert!(output.status.success());
}
