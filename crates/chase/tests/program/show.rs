//! `chase show`, from the outside.

use crate::common::Program;
use nav_formats::{Format, MapFile};
use nav_grid::{Cell, Grid, Link, Size};

const HALL: &str = "\
..........
.#######..
.......#..
.......#..
..........
";

/// Returns the output of the program, without the times at the end.
fn shown(program: &Program, arguments: &str) -> String {
    let shown = program.succeed(&format!("show {arguments}"));
    let (shown, times) = shown.rsplit_once("; ").unwrap();
    assert!(times.contains(" took ") && times.contains(" us, after "));
    assert!(times.ends_with(" ms to prepare\n"), "{times}");
    shown.to_owned()
}

#[test]
fn map_alone() {
    let program = Program::new("map_alone").with("hall.txt", HALL);
    let golden = "  0123456789
0 .......... 0
1 .#######.. 1
2 .......#.. 2
3 .......#.. 3
4 .......... 4
  0123456789
signs: # wall, . floor
10x5 cells, 41 of them floor
";
    assert_eq!(program.succeed("show hall.txt"), golden);
}

#[test]
fn path_around_a_wall() {
    let program = Program::new("path_around_a_wall").with("hall.txt", HALL);
    let golden = "  0123456789
0 .......... 0
1 .#######.. 1
2 .....S.#.. 2
3 ......*#*G 3
4 .......*.. 4
  0123456789
signs: S start, G goal, * path, # wall, . floor
found; steps 4, cost 4, length 4.00, expanded 5";
    assert_eq!(shown(&program, "hall.txt 5,2 9,3 --corners cut"), golden);
}

#[test]
fn strict_corners_and_octile_cost() {
    let program = Program::new("strict_corners_and_octile_cost").with("hall.txt", HALL);
    let golden = "  0123456789
0 .......... 0
1 .#######.. 1
2 .....S.#.. 2
3 ......*#.G 3
4 ......***. 4
  0123456789
signs: S start, G goal, * path, # wall, . floor
found; steps 5, cost 13860, length 5.83, expanded 7";
    assert_eq!(shown(&program, "hall.txt 5,2 9,3 --metric octile"), golden);
}

#[test]
fn rulers_of_wide_maps() {
    let map = "............\n".repeat(11);
    let program = Program::new("rulers_of_wide_maps").with("wide.txt", map);
    let shown = program.succeed("show wide.txt");
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "   0         10");
    assert_eq!(lines[1], "   012345678901");
    assert_eq!(lines[2], " 0 ............ 0");
    assert_eq!(lines[12], "10 ............ 10");
    assert_eq!(lines[13..15], [lines[1], lines[0]]);
}

#[test]
fn limits_leave_a_partial_path() {
    let program = Program::new("limits_leave_a_partial_path").with("hall.txt", HALL);
    let spent = shown(&program, "hall.txt 5,2 9,3 --expansions 1");
    assert_eq!(
        spent.lines().last(),
        Some(
            "no path: its limit of expansions, 1, is spent; steps 0, cost 0, length 0.00, expanded 1"
        )
    );
    // The goal is outside the window: the path leads to the cell of the window nearest to it.
    let golden = "  0123456789
0 .......... 0
1 .#######.. 1
2 .....S.#.. 2
3 ......*#.G 3
4 ......***. 4
  0123456789
signs: S start, G goal, * path, # wall, . floor
partial: no path leads there within 3 columns and rows of the start; steps 4, cost 4, length 4.00, expanded 6";
    assert_eq!(shown(&program, "hall.txt 5,2 9,3 --radius 3"), golden);
}

#[test]
fn sealed_goal() {
    let program = Program::new("sealed_goal").with("sealed.txt", "..#.\n..##\n....\n");
    let golden = "  0123
0 ..#G 0
1 .*## 1
2 S... 2
  0123
signs: S start, G goal, * path, # wall, . floor
partial: no path leads there; steps 1, cost 1, length 1.00, expanded 8";
    assert_eq!(shown(&program, "sealed.txt 0,2 3,0"), golden);
}

#[test]
fn already_there() {
    let program = Program::new("already_there").with("hall.txt", HALL);
    let shown = shown(&program, "hall.txt 0,0 0,0");
    assert!(shown.contains("0 S........."));
    assert!(shown.ends_with("already there; steps 0, cost 0, length 0.00, expanded 0"));
}

#[test]
fn every_method_finds_the_way() {
    let program = Program::new("every_method_shown").with("hall.txt", HALL);
    for method in [
        "auto", "astar", "sweep", "jps", "portal", "mosaic", "dijkstra",
    ] {
        let shown = program.succeed(&format!("show hall.txt 0,0 9,4 --method {method}"));
        let last = shown.lines().last().unwrap();
        assert!(
            last.starts_with("found; steps 11, cost 11, "),
            "{method}: {last}"
        );
        let by = if method == "auto" { "portal" } else { method };
        assert!(last.contains(&format!("; {by} took ")), "{method}: {last}");
    }
}

#[test]
fn refusals_say_why() {
    let program = Program::new("refusals_say_why").with("hall.txt", HALL);
    let last = |arguments: &str| {
        let shown = program.succeed(&format!("show hall.txt 0,0 9,4 {arguments}"));
        shown.lines().last().unwrap().to_owned()
    };
    let line = last("--method line");
    assert!(
        line.starts_with("no path: the straight way is not free; steps 0, "),
        "{line}"
    );
    assert_eq!(
        last("--method trunk"),
        "trunk refuses: it walks by main roads, and this map has none"
    );
    assert_eq!(
        last("--method jps --metric fourway"),
        "jps refuses: it cannot count by the metric fourway, only by those with diagonal steps"
    );
}

#[test]
fn too_large_windows() {
    let program = Program::new("windows_too_large");
    program.succeed("generate open --size 60x9 long.txt");
    let last = |arguments: &str| {
        let shown = program.succeed(&format!("show long.txt 0,0 20,4 {arguments}"));
        shown.lines().last().unwrap().to_owned()
    };
    assert_eq!(
        last("--method sweep"),
        "sweep refuses: it searches at most 28 cells around the start, and this map has 60x9; \
         try --radius 28"
    );
    assert!(last("--method sweep --radius 28").starts_with("found; steps 20, "));
}

#[test]
fn large_bodies() {
    let program = Program::new("large_bodies").with("hall.txt", HALL);
    let shown = shown(&program, "hall.txt 0,2 5,3 --size 2");
    let last = shown.lines().last().unwrap();
    assert!(last.starts_with("found; steps 5, cost 5"), "{shown}");
}

#[test]
fn picture() {
    let program = Program::new("picture").with("hall.txt", HALL);
    let shown = program.succeed("show hall.txt 5,2 9,3 --png hall.png");
    let colours = "colours: green start, blue goal, orange path, black wall, white floor\n";
    assert!(shown.contains(colours), "{shown}");
    let decoder = png::Decoder::new(std::io::Cursor::new(program.read("hall.png")));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((frame.width, frame.height), (320, 160));
}

#[test]
fn path_by_main_roads() {
    let roads = (1..9).flat_map(|x| [Cell::new(x, 0), Cell::new(x, 4)]);
    let map = MapFile::from(Grid::open(10, 5).unwrap()).with_roads(roads);
    let file = Format::Binary.write(&map, "").unwrap();
    let program = Program::new("path_by_main_roads").with("yard.navgrid", file);
    let alone = program.succeed("show yard.navgrid");
    assert!(alone.ends_with("10x5 cells, 50 of them floor\n") && !alone.contains('='));
    let golden = "  0123456789
0 .========. 0
1 .......... 1
2 .......... 2
3 S......... 3
4 .********G 4
  0123456789
signs: S start, G goal, * path, = main road, . floor
found; steps 9, cost 9";
    for options in ["--roads file", "--method trunk"] {
        let shown = shown(&program, &format!("yard.navgrid 0,3 9,4 {options}"));
        assert!(shown.starts_with(golden), "{options}: {shown}");
    }
}

/// A river of class 1 with a ford of class 10 at its lower end.
const RIVER: &str = r#"<map version="1.10" orientation="orthogonal" width="5" height="3" tilewidth="16" tileheight="16">
 <layer id="1" name="walls" width="5" height="3"><data encoding="csv">0,0,0,0,0, 0,0,0,0,0, 0,0,0,0,0</data></layer>
 <layer id="2" name="terrain" width="5" height="3"><data encoding="csv">0,0,2,0,0, 0,0,2,0,0, 0,0,11,0,0</data></layer>
</map>"#;

#[test]
fn terrain_classes() {
    let program = Program::new("terrain_classes").with("river.tmx", RIVER);
    assert_eq!(
        program.succeed("show river.tmx"),
        "  01234\n0 ..a.. 0\n1 ..a.. 1\n2 ..j.. 2\n  01234\n\
         signs: . floor, a terrain class 1, j terrain class 10\n5x3 cells, 15 of them floor\n"
    );
    let swim = shown(&program, "river.tmx 0,0 4,0");
    assert!(swim.contains("found; steps 4, cost 4,"), "{swim}");
    let ford = shown(&program, "river.tmx 0,0 4,0 --classes 1,0 --metric fourway");
    assert!(
        ford.starts_with("  01234\n0 S*a*G 0\n1 .*a*. 1\n2 .***. 2\n")
            && ford.contains("found; steps 8, cost 8,"),
        "{ford}"
    );
    let costly = shown(
        &program,
        "river.tmx 0,0 4,0 --classes 1,3 --method dijkstra",
    );
    assert!(
        costly.starts_with("  01234\n0 S.a.G 0\n1 .*a*. 1\n2 ..*.. 2\n"),
        "{costly}"
    );
    assert_eq!(
        program.fail("show river.tmx 0,0 2,0 --classes 1,0"),
        "the goal 2,0 of river.tmx is of terrain class 1, which --classes forbids"
    );
    let error = program.fail("show river.tmx 0,0 4,0 --classes 1,16");
    assert!(error.contains("terrain class 1 cannot cost 16"), "{error}");
    let table = program.succeed("compare river.tmx 0,0 4,0 --classes 1,0");
    assert!(table.contains("dijkstra"), "{table}");
}

#[test]
fn costs_and_stairs() {
    let mut grid = Grid::build(Size::new(5, 2).with_floors(2), |_| true).unwrap();
    grid.set_cost(Cell::new(1, 0), 3).unwrap();
    grid.set_cost(Cell::new(1, 1), 60).unwrap();
    let foot = Cell::new(3, 0);
    grid.set_link(Link::new(foot, foot.on_floor(1))).unwrap();
    let file = Format::Binary.write(&MapFile::from(grid), "").unwrap();
    let program = Program::new("costs_and_stairs").with("hall.navgrid", file);
    let golden = "  01234
0 .3.>. 0
1 .9... 1
  01234
signs: > stairs to another floor, . floor, 3 to 9 floor of that step cost (9: or more)
colours: violet stairs and links, white floor, beige floor of higher step costs
5x2x2 cells, 20 of them floor
";
    assert_eq!(program.succeed("show hall.navgrid --png hall.png"), golden);
    let above = program.succeed("show hall.navgrid --floor 1");
    assert!(
        above.starts_with("  01234\n0 ...>. 0\n1 ..... 1\n"),
        "{above}"
    );
}
