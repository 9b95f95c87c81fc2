//! The binary format: its versions, main roads, heights of floors, terrain classes and sight.

use nav_formats::{Features, Format, MapFile, Position, Problem, WriteError};
use nav_grid::{
    Cell, Frame, Grid, Link, Size,
    map::{Axes, FloorHeights, Sight},
    rules::{Class, LinkKind},
};

/// A file of version 1, as written before there were main roads in files: two floors of 3×2
/// cells with costs and a link.
const OLD: &[u8] = b"NAVGRID\x1a\x01\x00\x1f\x00\x00\x00\x00\x00\x00\x00\xd7\xd6\xf0V\
    \x03\x02\x02\x00\x04\x07\x07\x07\x00\x0c\x01\x01\x02\x01\x01\x01\x01\x01\x01\x01\x01\x01\
    \x00\x01\x02\x00\x00\x00\x00\x01\x01";

const UPSTAIRS: Cell = Cell::new(0, 0).on_floor(1);

/// The map of [`OLD`].
fn house() -> Grid {
    let size = Size::new(3, 2).with_floors(2);
    let mut grid = Grid::build(size, |cell| cell.floor == 0 || cell.y == 0).unwrap();
    grid.set_cost(Cell::new(2, 0), 2).unwrap();
    grid.set_link(Link::new(Cell::new(2, 0), UPSTAIRS)).unwrap();
    grid
}

/// Whole rows of both floors, and the last cell.
fn roads() -> Vec<Cell> {
    let row = |y, floor| (0..3).map(move |x| Cell::new(x, y).on_floor(floor));
    row(1, 0)
        .chain(row(0, 1))
        .chain([Cell::new(2, 1).on_floor(1)])
        .collect()
}

#[test]
fn first_version() {
    let map = Format::Binary.read(OLD).unwrap();
    assert_eq!(map, MapFile::from(house()));
}

#[test]
fn without_roads() {
    let written = Format::Binary.write(&house().into(), "").unwrap();
    assert_eq!(written, OLD);
}

#[test]
fn main_roads() {
    for (width, height) in [(1, 1), (7, 3), (8, 8), (65, 2)] {
        let grid = Grid::open(width, height).unwrap();
        let odd = grid
            .walkable_cells()
            .filter(|cell| (cell.x + cell.y) % 2 == 0);
        let odd: Vec<Cell> = odd.collect();
        let map = MapFile::from(grid).with_roads(odd.iter().rev().copied());
        let again = Format::Binary.read(&Format::Binary.write(&map, "").unwrap());
        assert_eq!(again.unwrap().roads, odd, "{width}x{height}");
    }
    let map = MapFile::from(house()).with_roads(roads());
    assert_eq!(map.roads, roads());
    let written = Format::Binary.write(&map, "").unwrap();
    assert_eq!(written[8], 2);
    assert_eq!(Format::Binary.read(&written).unwrap(), map);
}

#[test]
fn road_off_map() {
    let map = MapFile::from(Grid::open(3, 2).unwrap()).with_roads([Cell::new(1, 1), UPSTAIRS]);
    let error = Format::Binary.write(&map, "").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the road cell 0,0,1 is outside the map of 3x2 cells"
    );
}

fn framed(heights: FloorHeights) -> MapFile {
    let frame = Frame::new([-30.0, 0.5, 1e-7], 0.1, Axes::Y_UP).unwrap();
    MapFile::from(house()).with_frame(frame.with_heights(heights).unwrap())
}

#[test]
fn first_frame() {
    let map = framed(FloorHeights::Origin);
    let numbers = [-30.0, 0.5, 1e-7, 0.1].map(f64::to_le_bytes).concat();
    // The size, that there is a frame, its numbers and axes, and the rest.
    let body = [&OLD[22..25], &[1], &numbers, &[0, 0, 1], &OLD[26..]].concat();
    let old = file(1, &body);
    assert_eq!(Format::Binary.read(&old).unwrap(), map);
    assert_eq!(Format::Binary.write(&map, "").unwrap(), old);
}

#[test]
fn heights_of_floors() {
    for heights in [
        FloorHeights::Storeys(3.2),
        FloorHeights::Each(vec![-3.0, 4.5]),
    ] {
        for map in [framed(heights.clone()), framed(heights).with_roads(roads())] {
            let written = Format::Binary.write(&map, "").unwrap();
            assert_eq!(written[8], 3);
            assert_eq!(Format::Binary.read(&written).unwrap(), map);
        }
    }
}

#[test]
fn senseless_heights() {
    let written = Format::Binary.write(&framed(FloorHeights::Storeys(3.2)), "");
    let mut body = written.unwrap().split_off(22);
    let at = body.len() - 8;
    body[at..].copy_from_slice(&0_f64.to_le_bytes());
    let error = Format::Binary.read(&file(3, &body)).unwrap_err();
    assert!(error.to_string().contains("storey height 0"), "{error}");
}

#[test]
fn heights_elsewhere_refused() {
    let map = framed(FloorHeights::Storeys(3.2));
    for &format in Format::ALL
        .iter()
        .filter(|&&format| format != Format::Binary && format.can_write())
    {
        let Err(WriteError::Loses { lost, .. }) = format.write(&map, "") else {
            panic!("{format}");
        };
        assert!(lost.contains(Features::HEIGHTS), "{format}");
    }
    let flat = Grid::open(3, 2).unwrap();
    let lost = Features::HEIGHTS;
    let format = Format::Bitmap;
    let refused = nav_formats::bitmap::write(&flat, map.frame.as_ref().unwrap());
    assert_eq!(refused, Err(WriteError::Loses { format, lost }));
}

/// The body of a file with another version, its length and checksum right.
fn file(version: u16, body: &[u8]) -> Vec<u8> {
    let mut file = OLD[..8].to_vec();
    file.extend(version.to_le_bytes());
    file.extend((body.len() as u64).to_le_bytes());
    file.extend(crc32fast::hash(body).to_le_bytes());
    file.extend(body);
    file
}

#[test]
fn unknown_version() {
    for version in [0, 7, u16::MAX] {
        let error = Format::Binary.read(&file(version, &OLD[22..])).unwrap_err();
        assert_eq!(error.position, Position::Byte(8));
        assert_eq!(
            error.to_string(),
            format!(
                "byte 8: format version {version}; this program reads versions 1 to 6: \
                 convert the map again"
            )
        );
    }
}

#[test]
fn number_of_road_bits() {
    let problem = |version, roads: &[u8]| {
        let body = [&OLD[22..], roads].concat();
        Format::Binary
            .read(&file(version, &body))
            .map_err(|error| error.problem)
    };
    assert_eq!(problem(2, &[0]), Ok(house().into()));
    assert_eq!(
        problem(2, &[4, 0, 7, 7, 4]).map(|map| map.roads),
        Ok(roads())
    );
    let short = problem(2, &[3, 0, 7, 7]).unwrap_err();
    assert_eq!(
        short.to_string(),
        "3 bytes of main roads; a grid of 3x2x2 cells needs 4"
    );
    for (version, roads) in [(2, &[][..]), (2, &[4, 0]), (2, &[0, 0]), (1, &[0])] {
        let problem = problem(version, roads).unwrap_err();
        let Problem::Syntax(_) = problem else {
            panic!("version {version}, {roads:?}: {problem}");
        };
    }
}

/// The house with some cells of another class, and a wall that can be seen through.
fn watered(class: u8) -> Grid {
    let mut grid = house();
    let class = Class::new(class).unwrap();
    grid.set_class(Cell::new(1, 1), class).unwrap();
    grid.set_class(UPSTAIRS, class).unwrap();
    let wall = Cell::new(0, 1).on_floor(1);
    grid.set_sight(wall, Sight::Clear).unwrap();
    grid
}

#[test]
fn classes_and_sight() {
    for class in 1..=15 {
        let map = MapFile::from(watered(class));
        let written = Format::Binary.write(&map, "").unwrap();
        assert_eq!(written[8], 4);
        assert_eq!(Format::Binary.read(&written).unwrap(), map);
        let mut full = framed(FloorHeights::Storeys(3.2)).with_roads(roads());
        full.grid = map.grid;
        let written = Format::Binary.write(&full, "").unwrap();
        assert_eq!(Format::Binary.read(&written).unwrap(), full);
    }
    for sight in Sight::ALL {
        let mut grid = house();
        grid.set_sight(UPSTAIRS, sight).unwrap();
        let written = Format::Binary.write(&grid.clone().into(), "").unwrap();
        assert_eq!(Format::Binary.read(&written).unwrap().grid, grid);
    }
}

#[test]
fn few_classes_are_small() {
    let length = |class: u8| {
        let mut grid = Grid::open(1000, 1000).unwrap();
        let class = Class::new(class).unwrap();
        grid.set_class(Cell::new(500, 500), class).unwrap();
        Format::Binary.write(&grid.into(), "").unwrap().len()
    };
    let plane = 1000 * 125;
    for (class, planes) in [(0, 0), (1, 1), (3, 2), (15, 4)] {
        let length = length(class);
        let expected = (1 + planes) * plane;
        assert!((expected..expected + 100).contains(&length), "{length}");
    }
}

#[test]
fn lies_about_layers() {
    let problem = |planes: &[u8]| {
        // No roads, and floors at the height of the origin.
        let body = [&OLD[22..], &[0, 0], planes].concat();
        let read = Format::Binary.read(&file(4, &body));
        read.map_err(|error| error.problem.to_string())
    };
    assert_eq!(problem(&[0, 0]), Ok(house().into()));
    let plane = [4, 2, 0, 0, 0];
    let one = problem(&[&[1], plane.as_slice(), &[0]].concat()).unwrap();
    assert_eq!(one.grid.class(Cell::new(1, 0)).number(), 1);
    for (planes, sentence) in [
        (
            [&[5], plane.as_slice()].concat(),
            "5 planes of classes; expected at most 4",
        ),
        (
            [&[0, 3], plane.as_slice()].concat(),
            "3 planes of sight; expected at most 2",
        ),
        (
            vec![1, 3, 1, 1, 1, 0],
            "3 bytes of classes; a grid of 3x2x2 cells needs 4",
        ),
        (
            [&[0, 2], plane.as_slice(), &plane].concat(),
            "cell 1,0 has 3 in the layer of sight: it must be 0 to 2",
        ),
    ] {
        assert_eq!(problem(&planes).unwrap_err(), sentence);
    }
    for cut in [&[][..], &[0], &[1, 4, 1], &[0, 0, 0]] {
        let sentence = problem(cut).unwrap_err();
        let start = "the body cannot be read";
        assert!(sentence.starts_with(start), "{sentence}");
    }
}

/// Kinds, durations and capacities take version 5, and nothing else does.
#[test]
fn extras_of_links() {
    let mut grid = Grid::open(9, 9).unwrap();
    let plain = Link::new(Cell::new(1, 1), Cell::new(7, 7)).with_cost(3);
    grid.set_link(plain).unwrap();
    let version = |map: &MapFile| Format::Binary.write(map, "").unwrap()[8];
    assert_eq!(version(&grid.clone().into()), 1);
    let kind = LinkKind::new(4).unwrap();
    for link in [
        plain.with_kind(kind),
        plain.with_millis(65_535),
        plain.with_capacity(2),
    ] {
        grid.set_link(link.reversed()).unwrap();
        let map = MapFile::from(grid.clone());
        assert_eq!(version(&map), 5);
        let written = Format::Binary.write(&map, "").unwrap();
        assert_eq!(Format::Binary.read(&written).unwrap(), map);
    }
}
