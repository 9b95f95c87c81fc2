//! `chase show`, from the outside.

use crate::common::Program;
use nav_formats::{Format, MapFile};
use nav_grid::{Cell, Grid};

const HALL: &str = "\
..........
.#######..
.......#..
.......#..
..........
";

#[test]
fn map_alone() {
    let program = Program::new("map_alone").with("hall.txt", HALL);
    assert_eq!(
        program.succeed("show hall.txt"),
        format!("{HALL}10x5 cells, 41 of them floor\n")
    );
}

#[test]
fn path_around_a_wall() {
    let program = Program::new("path_around_a_wall").with("hall.txt", HALL);
    let golden = "\
..........
.#######..
.....S.#..
......*#*G
.......*..
found; steps 4, cost 4, length 4.00, expanded 5
";
    assert_eq!(
        program.succeed("show hall.txt --from 5,2 --to 9,3 --corners cut"),
        golden
    );
}

#[test]
fn strict_corners_and_octile_cost() {
    let program = Program::new("strict_corners_and_octile_cost").with("hall.txt", HALL);
    let golden = "\
..........
.#######..
.....S.#..
......*#.G
......***.
found; steps 5, cost 13860, length 5.83, expanded 7
";
    assert_eq!(
        program.succeed("show hall.txt --from 5,2 --to 9,3 --metric octile"),
        golden
    );
}

#[test]
fn limits_leave_a_partial_path() {
    let program = Program::new("limits_leave_a_partial_path").with("hall.txt", HALL);
    let shown = program.succeed("show hall.txt --from 5,2 --to 9,3 --expansions 1");
    let last = shown.lines().last().unwrap();
    assert_eq!(
        last,
        "the budget is spent; steps 0, cost 0, length 0.00, expanded 1"
    );
    let shown = program.succeed("show hall.txt --from 5,2 --to 9,3 --radius 3");
    // The goal is outside the window: the path leads to the cell of it that is nearest.
    let golden = "\
..........
.#######..
.....S.#..
......*#.G
......***.
partial: the goal is unreachable inside the window; steps 4, cost 4, length 4.00, expanded 6
";
    assert_eq!(shown, golden);
}

#[test]
fn sealed_goal() {
    let program = Program::new("sealed_goal").with("sealed.txt", "..#.\n..##\n....\n");
    let golden = "\
..#G
.*##
S...
partial: the goal is unreachable inside the window; steps 1, cost 1, length 1.00, expanded 8
";
    assert_eq!(
        program.succeed("show sealed.txt --from 0,2 --to 3,0"),
        golden
    );
}

#[test]
fn already_there() {
    let program = Program::new("already_there").with("hall.txt", HALL);
    let shown = program.succeed("show hall.txt --from 0,0 --to 0,0");
    assert!(shown.starts_with("S........."));
    assert!(shown.ends_with("already there; steps 0, cost 0, length 0.00, expanded 0\n"));
}

#[test]
fn picture() {
    let program = Program::new("picture").with("hall.txt", HALL);
    program.succeed("show hall.txt --from 5,2 --to 9,3 --png hall.png");
    let decoder = png::Decoder::new(std::io::Cursor::new(program.read("hall.png")));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((frame.width, frame.height), (320, 160));
}

#[test]
fn a_path_by_main_roads() {
    let roads = (1..9).flat_map(|x| [Cell::new(x, 0), Cell::new(x, 4)]);
    let map = MapFile::from(Grid::open(10, 5).unwrap()).with_roads(roads);
    let file = Format::Binary.write(&map, "").unwrap();
    let program = Program::new("a_path_by_main_roads").with("yard.navgrid", file);
    assert_eq!(
        program.succeed("show yard.navgrid"),
        "..........\n".repeat(5) + "10x5 cells, 50 of them floor\n"
    );
    let rows = [
        ".========.",
        "..........",
        "..........",
        "S.........",
        ".********G",
    ];
    let shown = program.succeed("show yard.navgrid --roads file --from 0,3 --to 9,4");
    let (drawing, last) = shown.split_at(55);
    assert_eq!(drawing.lines().collect::<Vec<_>>(), rows, "{shown}");
    assert!(last.starts_with("found; steps 9, cost 9"), "{last}");
}
