//! Binary format of this project, for servers that start fast. Behind the feature `binary`.
//!
//! Holds everything that a map can have. Numbers are little-endian.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `NAVGRID` and 0x1a |
//! | 2 | version of the format, 1 to 6 |
//! | 8 | length of the body |
//! | 4 | CRC-32 of the body |
//! | the rest | the body, in the wire format of `postcard` |
//!
//! The body is the size (columns, rows, floors), the frame if there is one, the walkable cells as
//! bits with each row in whole bytes, a cost byte per cell or none, an exit byte per cell or none,
//! and the links. Version 2 adds the main roads as bits, laid out like the walkable cells. Version
//! 3 adds the heights of floors. Version 4 adds terrain classes and then sight, each as planes of
//! bits: the first plane has the lowest bit of every cell's number, and so on, up to 4 planes of
//! classes and 2 of sight. Planes are laid out like the walkable cells. Highest planes without a bit
//! are left out, so that two classes take one plane. Version 5 adds the kind, the milliseconds and the
//! capacity of each link. Version 6 adds objects: up to 50,000 of them with their properties and values
//! in lists. A map is written in the lowest version that can hold it, so that older programs can read
//! it too.
//!
//! A map of 5000×5000 cells takes 3.1 MB. Main roads and each plane take as much again, costs and
//! exits 25 MB each.

mod objects;

pub use super::binary_problem::BinaryProblem;
pub(crate) use objects::fault;

use super::{
    binary_problem::VERSION,
    cell_layer::CellLayer,
    error::{ParseError, Position, Problem},
    map_file::MapFile,
    write_error::WriteError,
};
use nav_grid::{
    Cell, Frame, Grid, Link, Size,
    map::{Axes, FloorHeights, FrameError, LayerError},
    rules::LinkKind,
};
use serde::{Deserialize, Serialize};

pub(crate) const EXTENSIONS: &[&str] = &["navgrid"];

const MAGIC: [u8; 8] = *b"NAVGRID\x1a";
const HEADER_LEN: usize = MAGIC.len() + 2 + 8 + 4;

/// First version of the format with main roads.
const ROADS_SINCE: u16 = 2;

/// First version of the format with heights of floors.
const HEIGHTS_SINCE: u16 = 3;

/// First version of the format with terrain classes and sight.
const PLANES_SINCE: u16 = 4;

/// First version of the format with kinds, durations and capacities of links.
const LINK_EXTRAS_SINCE: u16 = 5;

/// First version of the format with objects.
const OBJECTS_SINCE: u16 = 6;

/// Fields that all versions have.
#[derive(Serialize, Deserialize)]
struct Body<'a> {
    size: Size,
    frame: Option<BodyFrame>,
    #[serde(borrow)]
    walkable: &'a [u8],
    #[serde(borrow)]
    costs: &'a [u8],
    #[serde(borrow)]
    exits: &'a [u8],
    links: Vec<BodyLink>,
}

/// Link of all versions.
#[derive(Serialize, Deserialize)]
struct BodyLink {
    from: Cell,
    to: Cell,
    cost: u16,
}

/// Kind, milliseconds and capacity of a link.
type Extra = (LinkKind, u16, u8);

/// Frame without the heights of floors.
#[derive(Serialize, Deserialize)]
struct BodyFrame {
    origin: [f64; 3],
    cell_size: f64,
    axes: Axes,
}

pub(crate) fn looks_like(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads a map.
///
/// # Errors
///
/// [`ParseError`] with a byte offset if
///
/// - the header is not that of a known version,
/// - the body does not match its length or checksum,
/// - a layer does not fit the size.
///
/// # Complexity
///
/// O(bytes). Memory is proportional to the file, whatever sizes it claims.
pub fn read(bytes: &[u8]) -> Result<MapFile, ParseError> {
    let at = |offset: usize, problem: BinaryProblem| ParseError {
        position: Position::Byte(offset as u64),
        problem: Problem::Binary(problem),
    };
    if !looks_like(bytes) {
        return Err(at(0, BinaryProblem::Magic));
    }
    let Some((header, body)) = bytes.split_at_checked(HEADER_LEN) else {
        let problem = BinaryProblem::Length {
            found: 0,
            expected: 1,
        };
        return Err(at(bytes.len(), problem));
    };
    let version = u16::from_le_bytes(field(header, 8));
    if !(1..=VERSION).contains(&version) {
        return Err(at(8, BinaryProblem::Version { found: version }));
    }
    let expected = u64::from_le_bytes(field(header, 10));
    let found = body.len() as u64;
    if found != expected {
        return Err(at(10, BinaryProblem::Length { found, expected }));
    }
    let (found, expected) = (crc32fast::hash(body), u32::from_le_bytes(field(header, 18)));
    if found != expected {
        return Err(at(18, BinaryProblem::Checksum { found, expected }));
    }
    read_body(version, body).map_err(|problem| at(HEADER_LEN, problem))
}

/// Returns the bytes of a header field, which must lie within the header.
fn field<const N: usize>(header: &[u8], offset: usize) -> [u8; N] {
    std::array::from_fn(|index| header[offset + index])
}

fn read_body(version: u16, bytes: &[u8]) -> Result<MapFile, BinaryProblem> {
    let (body, rest): (Body, _) = take(bytes)?;
    let (roads, rest): (&[u8], _) = if version < ROADS_SINCE {
        (&[], rest)
    } else {
        take(rest)?
    };
    let (heights, rest): (FloorHeights, _) = if version < HEIGHTS_SINCE {
        (FloorHeights::Origin, rest)
    } else {
        take(rest)?
    };
    let (classes, rest) = take_planes(version, CellLayer::Classes, rest)?;
    let (sight, rest) = take_planes(version, CellLayer::Sight, rest)?;
    let (extras, rest): (Vec<Extra>, _) = if version < LINK_EXTRAS_SINCE {
        (Vec::new(), rest)
    } else {
        take(rest)?
    };
    let (objects, rest) = if version < OBJECTS_SINCE {
        (Vec::new(), rest)
    } else {
        objects::take_all(body.size, rest)?
    };
    if !rest.is_empty() {
        return Err(BinaryProblem::Body {
            reason: format!("{} bytes follow the last layer", rest.len()),
        });
    }
    let in_range = |cost: &u8| (1..=Grid::COST_WORST).contains(cost);
    if let Some(&cost) = body.costs.iter().find(|cost| !in_range(cost)) {
        return Err(BinaryProblem::Cost { cost });
    }
    let mut grid = Grid::from_walkable_bytes(body.size, body.walkable)?;
    if !body.costs.is_empty() {
        grid.set_cost_bytes(body.costs.to_vec())?;
    }
    if !body.exits.is_empty() {
        grid.set_exit_bytes(body.exits.to_vec())?;
    }
    set_planes(&mut grid, CellLayer::Classes, &classes)?;
    set_planes(&mut grid, CellLayer::Sight, &sight)?;
    grid.set_links(links(&body.links, &extras)?)?;
    let mut map = MapFile::from(grid).with_objects(objects);
    map.frame = read_frame(body.frame, heights).map_err(|error| BinaryProblem::Body {
        reason: error.to_string(),
    })?;
    if !roads.is_empty() {
        map.roads = board(body.size, "main roads", roads)?
            .walkable_cells()
            .collect();
    }
    Ok(map)
}

/// Returns links with what version 5 adds to them, if that is there.
fn links(links: &[BodyLink], extras: &[Extra]) -> Result<Vec<Link>, BinaryProblem> {
    if !extras.is_empty() && extras.len() != links.len() {
        return Err(BinaryProblem::Body {
            reason: format!("{} links have {} kinds", links.len(), extras.len()),
        });
    }
    let extras = extras.iter().copied().map(Some);
    let extras = extras.chain(std::iter::repeat(None));
    let all = links.iter().zip(extras).map(|(link, extra)| {
        let (kind, millis, capacity) = extra.unwrap_or_default();
        Link::new(link.from, link.to)
            .with_cost(link.cost)
            .with_kind(kind)
            .with_millis(millis)
            .with_capacity(capacity)
    });
    Ok(all.collect())
}

/// Decodes a value and returns it with the bytes behind it.
fn take<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<(T, &'a [u8]), BinaryProblem> {
    postcard::take_from_bytes(bytes).map_err(|error| BinaryProblem::Body {
        reason: error.to_string(),
    })
}

fn read_frame(
    frame: Option<BodyFrame>,
    heights: FloorHeights,
) -> Result<Option<Frame>, FrameError> {
    let Some(BodyFrame {
        origin,
        cell_size,
        axes,
    }) = frame
    else {
        return Ok(None);
    };
    let frame = Frame::new(origin, cell_size, axes)?;
    frame.with_heights(heights).map(Some)
}

/// Decodes the planes of a layer, none before there were any, and returns them with the bytes behind
/// them.
fn take_planes(
    version: u16,
    layer: CellLayer,
    bytes: &[u8],
) -> Result<(Vec<&[u8]>, &[u8]), BinaryProblem> {
    if version < PLANES_SINCE {
        return Ok((Vec::new(), bytes));
    }
    let (found, mut rest): (usize, _) = take(bytes)?;
    let (name, max) = (layer.name(), bits_of(layer.max()));
    if found > max as usize {
        return Err(BinaryProblem::Planes {
            layer: name,
            found,
            max,
        });
    }
    let mut planes = Vec::with_capacity(found);
    for _ in 0..found {
        let (plane, behind) = take(rest)?;
        planes.push(plane);
        rest = behind;
    }
    Ok((planes, rest))
}

/// Returns how many bits a number needs.
const fn bits_of(number: u8) -> u32 {
    u8::BITS - number.leading_zeros()
}

/// Sets a layer from its planes.
fn set_planes(grid: &mut Grid, layer: CellLayer, planes: &[&[u8]]) -> Result<(), LayerError> {
    if planes.is_empty() {
        return Ok(());
    }
    let size = grid.size();
    let mut numbers = vec![0; size.cells() as usize];
    for (bit, plane) in planes.iter().enumerate() {
        for cell in board(size, layer.name(), plane)?.walkable_cells() {
            numbers[index(size, cell)] |= 1 << bit;
        }
    }
    layer.set(grid, numbers)
}

/// Decodes bits into a map whose walkable cells are those with a bit.
fn board(size: Size, layer: &'static str, bits: &[u8]) -> Result<Grid, LayerError> {
    Grid::from_walkable_bytes(size, bits).map_err(|error| match error {
        LayerError::Length {
            found,
            expected,
            size,
            ..
        } => LayerError::Length {
            layer,
            found,
            expected,
            size,
        },
        other => other,
    })
}

/// Encodes cells, by their indexes in reading order, as bits.
fn bits(size: Size, cells: impl Iterator<Item = usize>) -> Vec<u8> {
    let width = usize::from(size.width);
    let row_len = width.div_ceil(8);
    let mut bits = vec![0; row_len * usize::from(size.height) * usize::from(size.floors)];
    for index in cells {
        let (row, x) = (index / width, index % width);
        bits[row * row_len + x / 8] |= 1 << (x % 8);
    }
    bits
}

/// Returns the index of a cell of the map in reading order.
fn index(size: Size, cell: Cell) -> usize {
    let row = usize::from(cell.floor) * usize::from(size.height) + usize::from(cell.y);
    row * usize::from(size.width) + usize::from(cell.x)
}

/// Returns the bits of the main roads, empty without any.
fn road_bits(map: &MapFile) -> Result<Vec<u8>, WriteError> {
    if map.roads.is_empty() {
        return Ok(Vec::new());
    }
    let size = map.grid.size();
    if let Some(&cell) = map.roads.iter().find(|&&cell| !map.grid.contains(cell)) {
        return Err(WriteError::Road { cell, size });
    }
    Ok(bits(size, map.roads.iter().map(|&cell| index(size, cell))))
}

/// Returns the planes of a layer, up to the highest with a bit.
fn planes(grid: &Grid, layer: CellLayer) -> Vec<Vec<u8>> {
    let numbers = layer.numbers(grid);
    let used = numbers.iter().fold(0, |used, number| used | number);
    let plane = |bit| {
        let numbers = numbers.iter().enumerate();
        let set = numbers.filter(move |&(_, number)| number >> bit & 1 == 1);
        bits(grid.size(), set.map(|(index, _)| index))
    };
    (0..bits_of(used)).map(plane).collect()
}

/// Writes a map with everything it has. [`read`] returns an equal one.
///
/// # Errors
///
/// - [`WriteError::Road`] if a main road leads off the map.
/// - [`WriteError::Encoder`] if the encoder fails, which is not expected.
pub fn write(map: &MapFile) -> Result<Vec<u8>, WriteError> {
    let walkable = map.grid.walkable_bytes();
    let body = Body {
        size: map.grid.size(),
        frame: map.frame.as_ref().map(|frame| BodyFrame {
            origin: frame.origin(),
            cell_size: frame.cell_size(),
            axes: frame.axes(),
        }),
        walkable: &walkable,
        costs: map.grid.cost_bytes(),
        exits: map.grid.exit_bytes(),
        links: (map.grid.links().iter())
            .map(|&Link { from, to, cost, .. }| BodyLink { from, to, cost })
            .collect(),
    };
    let extras = map.grid.links().iter();
    let extras = extras.map(|link| (link.kind, link.millis, link.capacity));
    let extras: Vec<Extra> = extras.collect();
    let are_plain = extras.iter().all(|&extra| extra == Extra::default());
    let roads = road_bits(map)?;
    let heights = map
        .frame
        .as_ref()
        .map_or(&FloorHeights::Origin, Frame::heights);
    let [classes, sight] =
        [CellLayer::Classes, CellLayer::Sight].map(|layer| planes(&map.grid, layer));
    // The values follow each other without separators, like fields of one value.
    let (version, body) = if !are_plain || !map.objects.is_empty() {
        let all = (body, &roads, heights, &classes, &sight, &extras);
        let version = if map.objects.is_empty() {
            LINK_EXTRAS_SINCE
        } else {
            OBJECTS_SINCE
        };
        (version, postcard::to_allocvec(&all))
    } else if !classes.is_empty() || !sight.is_empty() {
        let all = (body, &roads, heights, &classes, &sight);
        (PLANES_SINCE, postcard::to_allocvec(&all))
    } else if *heights != FloorHeights::Origin {
        (
            HEIGHTS_SINCE,
            postcard::to_allocvec(&(body, &roads, heights)),
        )
    } else if !roads.is_empty() {
        (ROADS_SINCE, postcard::to_allocvec(&(body, &roads)))
    } else {
        (1, postcard::to_allocvec(&body))
    };
    let failed = |error: postcard::Error| WriteError::Encoder {
        reason: error.to_string(),
    };
    let mut body = body.map_err(failed)?;
    if version >= OBJECTS_SINCE {
        objects::put(&map.objects, &mut body).map_err(failed)?;
    }
    Ok(with_header(version, &body))
}

/// Returns a body behind its header.
fn with_header(version: u16, body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER_LEN + body.len());
    bytes.extend(MAGIC);
    bytes.extend(version.to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(crc32fast::hash(body).to_le_bytes());
    bytes.extend(body);
    bytes
}
