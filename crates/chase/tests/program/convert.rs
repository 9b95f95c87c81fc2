//! `chase convert`, from the outside.

use crate::common::Program;
use nav_formats::{Format, MapFile};
use nav_grid::{Cell, Grid};

const YARD: &str = "\
.....
.##..
.....
";

/// A storey of costs and a link, made by hand in the Tiled editor's format.
const HOUSE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="3" height="2" tilewidth="16" tileheight="16" infinite="0">
 <tileset firstgid="1" name="nav" tilewidth="16" tileheight="16" tilecount="256" columns="16"/>
 <layer id="1" name="cost" width="3" height="2"><data encoding="csv">2,2,3,2,2,2</data></layer>
 <group id="2" name="up"><properties><property name="floor" type="int" value="1"/></properties>
  <layer id="3" name="walkable" width="3" height="2"><data encoding="csv">1,1,1,0,0,0</data></layer>
 </group>
 <objectgroup id="4" name="stairs">
  <object id="1" type="link" x="40" y="8"><properties>
   <property name="to_floor" type="int" value="1"/>
   <property name="to_x" type="int" value="0"/>
   <property name="to_y" type="int" value="0"/>
  </properties><point/></object>
 </objectgroup>
</map>
"#;

#[test]
fn through_every_format_and_back() {
    let program = Program::new("through_every_format_and_back").with("yard.txt", YARD);
    let endings = ["map", "png", "bmp", "tmx", "tmj", "navgrid", "txt"];
    let mut from = "yard.txt".to_owned();
    for ending in endings {
        let to = format!("next.{ending}");
        assert_eq!(program.succeed(&format!("convert {from} {to}")), "");
        from = to;
    }
    let shown = program.succeed("show next.txt");
    assert_eq!(shown, program.succeed("show yard.txt"));
}

#[test]
fn bitmap_brings_its_frame() {
    let bitmap = "startpos=(-30, 0, 30)\nheight=2\nwide=3\naccuracy=1\n{1,0,1,},\n{1,1,1,},\n";
    let program = Program::new("the_bitmap_of_editors").with("level.txt", bitmap);
    program.succeed("convert level.txt level.navgrid");
    program.succeed("convert level.navgrid again.bitmap");
    assert_eq!(
        program.succeed("show again.bitmap"),
        program.succeed("show level.txt")
    );
    let check = program.succeed("check again.bitmap");
    assert!(check.contains("frame         given"), "{check}");
    assert_eq!(
        program.fail("convert level.txt level.map"),
        "level.map: the MovingAI format cannot hold a frame of this map; choose a format \
         that can, or write only what fits"
    );
}

#[test]
fn losses_are_named() {
    let program = Program::new("what_would_be_lost").with("house.tmx", HOUSE);
    assert_eq!(
        program.fail("convert house.tmx house.txt"),
        "house.txt: the plain text format cannot hold several floors, step costs and \
         links of this map; choose a format that can, or write only what fits"
    );
    program.succeed("convert house.tmx house.txt --lossy");
    assert_eq!(
        program.succeed("show house.txt"),
        "  012\n0 ... 0\n1 ... 1\n  012\nsigns: . floor\n3x2 cells, 6 of them floor\n"
    );
    program.succeed("convert house.tmx house.navgrid");
    assert_eq!(
        program.succeed("show house.navgrid --floor 1"),
        "  012\n0 >.. 0\n1 ### 1\n  012\nsigns: > stairs to another floor, # wall, . floor\n3x2x2 cells, 9 of them floor\n"
    );
    let path = program.succeed("show house.navgrid 0,1 2,0,1 --floor 1");
    let golden = "  012\n0 >*G 0\n1 ### 1\n  012\n\
         signs: G goal, * path, > stairs to another floor, # wall\n\
         found; steps 5, cost 6, length 6.00, expanded 8; ";
    assert!(path.starts_with(golden), "{path}");
    assert_eq!(
        program.fail("show house.navgrid --floor 2"),
        "--floor 2 is not in house.navgrid: it has floors 0 to 1"
    );
}

#[test]
fn every_format_can_be_run() {
    let program = Program::new("every_format_can_be_run");
    program.succeed("generate clutter --size 64x64 base.txt");
    let digest = |map: &str| {
        let run = format!("run --map {map} --chasers 40 --targets 4 --seconds 2 --threads 1");
        program.json(&run)["digest"].clone()
    };
    let expected = digest("base.txt");
    for ending in ["map", "png", "bmp", "tmx", "tmj", "navgrid"] {
        let map = format!("same.{ending}");
        program.succeed(&format!("convert base.txt {map}"));
        assert_eq!(digest(&map), expected, "{ending}");
    }
    // An editor's bitmap has a frame, which is part of the digest.
    program.succeed("convert base.txt same.bitmap");
    program.succeed("convert same.bitmap framed.navgrid");
    assert_eq!(digest("same.bitmap"), digest("framed.navgrid"));
}

#[test]
fn maps_with_floors_run() {
    let program = Program::new("maps_with_floors_run")
        .with("house.tmx", HOUSE)
        .with("anywhere.ron", "(spawn: Anywhere)");
    let report = program
        .json("run anywhere.ron --map house.tmx --chasers 3 --targets 1 --seconds 3 --threads 1");
    assert_eq!(report["ticks"], 60);
}

/// A yard whose first row and last column cost less than the rest: tile 1 of the set costs 1, tile
/// 2 costs 2.
const PAVED: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="4" height="3" tilewidth="16" tileheight="16" infinite="0">
 <tileset firstgid="1" name="nav" tilewidth="16" tileheight="16" tilecount="256" columns="16"/>
 <layer id="1" name="cost" width="4" height="3"><data encoding="csv">2,2,2,2,3,3,3,2,3,3,3,2</data></layer>
</map>
"#;

#[test]
fn main_roads_round_trip() {
    let program = Program::new("main_roads_round_trip").with("paved.tmx", PAVED);
    program.succeed("convert paved.tmx plain.navgrid");
    program.succeed("convert paved.tmx roads.navgrid --roads best");
    program.succeed("convert roads.navgrid again.navgrid");
    program.succeed("convert roads.navgrid without.navgrid --roads none");
    assert_eq!(program.read("again.navgrid"), program.read("roads.navgrid"));
    assert_eq!(
        program.read("without.navgrid"),
        program.read("plain.navgrid")
    );
    assert_eq!(
        program.succeed("show again.navgrid --roads file"),
        "  0123\n0 ==== 0\n1 222= 1\n2 222= 2\n  0123\nsigns: = main road, 2 floor of that step cost\n4x3 cells, 12 of them floor\n"
    );
    let check = program.succeed("check again.navgrid");
    assert!(check.contains("main roads    6 cells"), "{check}");
    let check = program.succeed("check plain.navgrid");
    assert!(!check.contains("main roads"), "{check}");
    assert_eq!(
        program.fail("convert again.navgrid again.tmx"),
        "again.tmx: the Tiled XML format cannot hold main roads of this map; choose a format \
         that can, or write only what fits"
    );
    program.succeed("convert again.navgrid again.tmx --lossy");
}

#[test]
fn run_uses_roads_of_file() {
    // All ground costs the same, so only the file can make roads.
    let roads = (0..64).flat_map(|x| [Cell::new(x, 20), Cell::new(40, x)]);
    let map = MapFile::from(Grid::open(64, 64).unwrap()).with_roads(roads);
    let file = Format::Binary.write(&map, "").unwrap();
    let program = Program::new("run_uses_roads_of_file").with("roads.navgrid", file);
    let found_and_unsupported = |options: &str| {
        let run = format!(
            "run --map roads.navgrid --method trunk --chasers 40 --targets 4 --seconds 2 \
             --threads 1 {options}"
        );
        let report = program.json(&run);
        let searches = &report["searches"];
        (
            searches["found"].as_u64().unwrap() > 0,
            searches["unsupported"].as_u64().unwrap() > 0,
        )
    };
    assert_eq!(found_and_unsupported(""), (true, false));
    assert_eq!(found_and_unsupported("--roads file"), (true, false));
    assert_eq!(found_and_unsupported("--roads best"), (false, true));
    assert_eq!(found_and_unsupported("--roads none"), (false, true));
}
