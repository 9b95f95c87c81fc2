//! Readers of map and scenario files against arbitrary bytes, and the memory that they take.
//!
//! `PROPTEST_CASES` sets how many inputs each test tries, for a long run:
//!
//! ```sh
//! PROPTEST_CASES=1000000 cargo test --release -p nav_formats --all-features fuzz::
//! ```
//!
//! `FUZZ_FORMAT` limits damaged and written maps to one format, as `PNG` or `binary`.

use crate::mutation::{mutation, tries};
use heap_meter::peak_during;
use nav_formats::{
    CellLayer, Features, Format, MapFile,
    scen::{self, ScenLine, Scenario},
};
use nav_grid::{
    Cell, Directions, Edit, Frame, Grid, Link, Size,
    map::{Axes, Sight},
    rules::Class,
};
use nav_judge::{by_tier, frugally, mend_checksums, read_map, read_map_as_detected, read_scenario};
use proptest::{collection::vec, prelude::*};

/// Words of the formats. They are likelier to pass a reader's first check.
const TOKENS: &[&str] = &[
    "\n",
    "\r\n",
    " ",
    "\t",
    "\u{feff}",
    "\u{e4}",
    ".",
    "#",
    "@",
    ";",
    ",",
    "=",
    "{",
    "}",
    "},",
    "(",
    ")",
    "{0,1,},\n",
    "{1}\n",
    "..#\n",
    "type octile\n",
    "height ",
    "width ",
    "map\n",
    "startpos=(0,0,0)\n",
    "height=",
    "wide=",
    "accuracy=",
    "version 1\n",
    "0\ta.map\t9\t9\t0\t0\t1\t1\t1.41421356\n",
    "0",
    "1",
    "2",
    "-1",
    "1.0",
    "16384",
    "16385",
    "65536",
    "4294967296",
    "99999999999999999999",
    "1e308",
    "1e999",
    "1e-320",
    "inf",
    "NaN",
];

fn token() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(TOKENS)
}

fn grid() -> impl Strategy<Value = Grid> {
    (1_u16..40, 1_u16..40)
        .prop_flat_map(|(width, height)| {
            let cells = vec(any::<bool>(), usize::from(width) * usize::from(height));
            (Just(width), Just(height), cells)
        })
        .prop_map(|(width, height, cells)| {
            Grid::from_fn(width, height, |Cell { x, y, .. }| {
                cells[usize::from(y) * usize::from(width) + usize::from(x)]
            })
            .unwrap()
        })
}

fn frame() -> impl Strategy<Value = Frame> {
    let coordinate = || prop_oneof![-1e3..1e3_f64, -1e9..1e9_f64, Just(-0.0)];
    let origin = prop::array::uniform3(coordinate());
    (origin, 1e-2..1e3_f64).prop_map(|(origin, cell_size)| {
        Frame::new(origin, cell_size, Axes::Y_UP).expect("far from the limits of precision")
    })
}

/// Something on top of walls: costs, exits, classes, sight and links.
fn layered() -> impl Strategy<Value = Grid> {
    let size = (1..20_u16, 1..20_u16, 1..4_u8)
        .prop_map(|(width, height, floors)| Size::new(width, height).with_floors(floors));
    size.prop_flat_map(|size| {
        let cell = (0..size.width, 0..size.height, 0..size.floors).prop_map(|(x, y, floor)| Cell {
            x,
            y,
            floor,
        });
        let edit = prop_oneof![
            (cell.clone(), 0..=Grid::COST_WORST).prop_map(|(at, cost)| Edit::Cost(at.into(), cost)),
            (cell.clone(), any::<u8>())
                .prop_map(|(at, exits)| Edit::Exits(at.into(), Directions(exits))),
            (cell.clone(), 0..=Class::NUMBER_MAX)
                .prop_map(|(at, number)| { Edit::Class(at.into(), Class::new(number).unwrap()) }),
            (cell.clone(), 0..Sight::ALL.len())
                .prop_map(|(at, number)| Edit::Sight(at.into(), Sight::ALL[number])),
            (cell.clone(), cell, 1..=u16::MAX)
                .prop_map(|(from, to, cost)| Edit::Link(Link::new(from, to).with_cost(cost))),
        ];
        (Just(size), vec(edit, 0..30))
    })
    .prop_map(|(size, edits)| {
        let mut grid = Grid::build(size, |cell| (cell.x + 2 * cell.y) % 7 != 0).unwrap();
        for edit in &edits {
            grid.apply(edit).unwrap();
        }
        grid
    })
}

fn map() -> impl Strategy<Value = MapFile> {
    (
        prop_oneof![grid(), layered()],
        proptest::option::of(frame()),
        prop_oneof![Just(Vec::new()), vec(any::<(u16, u16, u8)>(), 0..30)],
    )
        .prop_map(|(grid, frame, roads)| {
            let size = grid.size();
            let mut map = MapFile::from(grid);
            map.frame = frame;
            map.with_roads(roads.into_iter().map(|(x, y, floor): (u16, u16, u8)| Cell {
                x: x % size.width,
                y: y % size.height,
                floor: floor % size.floors,
            }))
        })
}

fn scenario() -> impl Strategy<Value = Scenario> {
    let side = || 1..=Grid::SIDE_MAX;
    let cell = || (any::<u16>(), any::<u16>());
    let line = (
        any::<u32>(),
        "[!-~\u{e4}]([ -~\u{e4}]{0,20}[!-~])?",
        (side(), side()),
        (cell(), cell()),
        0.0..=f64::MAX,
    )
        .prop_map(
            |(bucket, map, (width, height), (start, goal), optimal_length)| {
                let inside = |(x, y): (u16, u16)| Cell::new(x % width, y % height);
                ScenLine {
                    bucket,
                    map,
                    width,
                    height,
                    start: inside(start),
                    goal: inside(goal),
                    optimal_length,
                }
            },
        );
    vec(line, 0..10).prop_map(|lines| Scenario { lines })
}

/// Project of the `LDtk` editor with links, costs, classes, sight and an entity on another grid.
const PROJECT: &str = r#"{ "__header__": {}, "defs": { "layers": [ { "uid": 1, "intGridValues": [
  { "value": 1, "identifier": "wall" }, { "value": 2, "identifier": "cost_5" },
  { "value": 3, "identifier": "floor" }, { "value": 4, "identifier": null } ] } ] },
 "levels": [ { "identifier": "Yard", "externalRelPath": null, "layerInstances": [
  { "__identifier": "Things", "__type": "Entities", "__cWid": 6, "__cHei": 4, "__gridSize": 8,
   "layerDefUid": 2, "intGridCsv": [], "entityInstances": [
   { "__identifier": "Link", "iid": "b", "__grid": [0, 0], "__pivot": [0.5, 1], "px": [8, 16],
    "fieldInstances": [ { "__identifier": "to", "__value": { "entityIid": "c" } },
     { "__identifier": "cost", "__value": 7 }, { "__identifier": "two_way", "__value": true } ] },
   { "__identifier": "Link", "iid": "c", "__grid": [2, 1], "px": [32, 16], "fieldInstances": [
     { "__identifier": "to", "__value": { "cx": 1, "cy": 1 } } ] } ] },
  { "__identifier": "Ground", "__type": "IntGrid", "__cWid": 3, "__cHei": 2, "__gridSize": 16,
   "layerDefUid": 1, "intGridCsv": [3,1,3, 3,2,4], "entityInstances": [] },
  { "__identifier": "Terrain", "__type": "IntGrid", "__cWid": 3, "__cHei": 2, "__gridSize": 16,
   "layerDefUid": 3, "intGridCsv": [0,1,0, 0,15,0], "entityInstances": [] },
  { "__identifier": "Sight", "__type": "IntGrid", "__cWid": 3, "__cHei": 2, "__gridSize": 16,
   "layerDefUid": 4, "intGridCsv": [1,0,0, 2,0,0], "entityInstances": [] } ] } ] }"#;

fn format() -> impl Strategy<Value = Format> {
    let wanted = std::env::var("FUZZ_FORMAT").ok();
    let wanted = |format: &Format| wanted.as_deref().is_none_or(|name| name == format.name());
    let formats = Format::ALL.iter().filter(|format| format.can_write());
    let formats: Vec<Format> = formats.copied().filter(wanted).collect();
    assert!(!formats.is_empty(), "FUZZ_FORMAT names no format");
    proptest::sample::select(formats)
}

fn read_as_everything(bytes: &[u8]) {
    for &format in Format::ALL {
        read_map(format, bytes);
    }
    read_map_as_detected(bytes);
    read_scenario(bytes);
}

proptest! {
    #![proptest_config(tries())]

    #[test]
    fn arbitrary_bytes(bytes in vec(any::<u8>(), 0..400)) {
        read_as_everything(&bytes);
    }

    #[test]
    fn bytes_behind_header(
        header in proptest::sample::select(vec![
            "type octile\nheight 7\n",
            "type octile\nheight 2\nwidth 2\nmap\n",
            "; comment\n",
            "startpos=(0,0,0)\naccuracy=1\nheight=2\nwide=2\n",
            "version 1\n",
        ]),
        bytes in vec(any::<u8>(), 0..400),
    ) {
        let mut file = header.as_bytes().to_vec();
        file.extend(bytes);
        read_as_everything(&file);
    }

    #[test]
    fn words_in_any_order(tokens in vec(token(), 0..40)) {
        read_as_everything(tokens.concat().as_bytes());
    }

    #[test]
    fn damaged_maps(
        format in format(),
        map in map(),
        mutations in vec(mutation(TOKENS), 1..8),
    ) {
        let mut bytes = format.write_what_fits(&map, "A map.").unwrap();
        for mutation in &mutations {
            mutation.apply(&mut bytes);
            read_map(format, &bytes);
            read_map_as_detected(&bytes);
            mend_checksums(&mut bytes);
            read_map(format, &bytes);
        }
    }

    #[test]
    fn damaged_projects(mutations in vec(mutation(TOKENS), 1..8)) {
        let mut bytes = PROJECT.as_bytes().to_vec();
        for mutation in &mutations {
            mutation.apply(&mut bytes);
            read_as_everything(&bytes);
        }
    }

    #[test]
    fn damaged_scenarios(
        scenario in scenario(),
        mutations in vec(mutation(TOKENS), 1..8),
    ) {
        let mut bytes = scen::write(&scenario).unwrap().into_bytes();
        for mutation in &mutations {
            mutation.apply(&mut bytes);
            read_scenario(&bytes);
        }
    }

    #[test]
    fn maps_read_back(format in format(), map in map(), comment in any::<String>()) {
        let bytes = match format.write(&map, &comment) {
            Ok(bytes) => bytes,
            Err(error) => {
                prop_assert!(!format.holds().contains(map.features()), "{}", error);
                format.write_what_fits(&map, &comment).unwrap()
            }
        };
        let again = frugally(&bytes, |bytes| format.read(bytes)).unwrap();
        if format.holds().contains(map.features().without(Features::FRAME)) {
            prop_assert_eq!(&again.grid, &map.grid);
        }
        if format.holds().contains(map.features()) && map.frame.is_some() {
            prop_assert_eq!(again.frame, map.frame);
        }
    }

    #[test]
    fn scenarios_read_back(scenario in scenario()) {
        let file = scen::write(&scenario).unwrap();
        prop_assert_eq!(frugally(file.as_bytes(), scen::read), Ok(scenario));
    }
}

#[test]
fn header_of_huge_map() {
    let side = Grid::SIDE_MAX;
    let file = format!("type octile\nheight {side}\nwidth {side}\nmap\n");
    let (map, peak) = peak_during(|| Format::MovingAi.read(file.as_bytes()));
    assert!(map.is_err());
    assert!(peak < 1 << 20, "{peak} bytes");
}

/// Inputs large enough for the memory per byte to show beside what is always allowed.
#[test]
fn large_files() {
    let rows = by_tier(256, 1024);
    let grid = Grid::from_fn(Grid::SIDE_MAX, rows, |cell| cell.x % 3 != cell.y % 2).unwrap();
    for &format in Format::ALL.iter().filter(|format| format.can_write()) {
        let file = format.write_what_fits(&grid.clone().into(), "").unwrap();
        let map = frugally(&file, |bytes| format.read(bytes)).unwrap();
        assert_eq!(map.grid, grid, "{format}");
    }
    let mut layered = grid;
    for layer in [CellLayer::Classes, CellLayer::Sight] {
        let cells = layered.size().cells() as usize;
        let numbers = (0..=layer.max()).cycle().take(cells).collect();
        layer.set(&mut layered, numbers).unwrap();
    }
    for &format in Format::ALL.iter().filter(|format| format.can_write()) {
        let Ok(file) = format.write(&layered.clone().into(), "") else {
            continue;
        };
        let map = frugally(&file, |bytes| format.read(bytes)).unwrap();
        assert_eq!(map.grid, layered, "{format}");
    }
    let lines = by_tier(250_000, 1_000_000);
    let line = "0 a 1 1 0 0 0 0 0\n";
    let file = format!("version 1\n{}", line.repeat(lines));
    let (scenario, peak) = peak_during(|| scen::read(file.as_bytes()));
    assert_eq!(scenario.unwrap().lines.len(), lines);
    assert!(peak <= 16 * file.len(), "{peak} bytes for {}", file.len());
}
