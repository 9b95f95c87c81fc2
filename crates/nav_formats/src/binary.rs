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
//! classes and 2 of sight. Planes are laid out like the walkable cells. Highest planes without a
//! bit are left out, so that two classes take one plane. Version 5 adds the kind, the milliseconds
//! and the capacity of each link. Version 6 adds objects: up to 50,000 of them with their
//! properties and values in lists. A map is written in the lowest version that can hold it, so that
//! older programs can read it too.
//!
//! A map of 5000×5000 cells takes 3.1 MB. Main roads and each plane take as much again, costs and
//! exits 25 MB each.

mod objects;

use super::{
    cell_layer::CellLayer,
    codec::Codec,
    error::{ParseError, Problem, refuse},
    features::Features,
    map_file::MapFile,
    write_error::WriteError,
};
use nav_grid::{
    Cell, Frame, Grid, Link, Size,
    map::{Axes, FloorHeights, LayerError},
    rules::LinkKind,
};
use serde::{Deserialize, Serialize};

pub(crate) const CODEC: Codec = Codec {
    name: "binary",
    extensions: &["navgrid"],
    is_text: false,
    holds: Features::ALL,
    looks_like: |bytes| bytes.starts_with(&MAGIC),
    read: |bytes, _| read(bytes),
    write: Some(|map, _| write(map)),
    fault: objects::fault,
};

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

/// Newest version of the format. All versions from 1 on can be read.
const VERSION: u16 = OBJECTS_SINCE;

/// Fields that all versions have.
#[derive(Serialize, Deserialize)]
struct Start<'a> {
    size: Size,
    frame: Option<StartFrame>,
    #[serde(borrow)]
    walkable: &'a [u8],
    #[serde(borrow)]
    costs: &'a [u8],
    #[serde(borrow)]
    exits: &'a [u8],
    /// Beginning, end and cost.
    links: Vec<(Cell, Cell, u16)>,
}

/// Kind, milliseconds and capacity of a link.
type Extra = (LinkKind, u16, u8);

/// Frame without the heights of floors.
#[derive(Serialize, Deserialize)]
struct StartFrame {
    origin: [f64; 3],
    cell_size: f64,
    axes: Axes,
}

/// Reads a map.
///
/// # Errors
///
/// [`ParseError`] with a byte offset if
///
/// - the header is not that of a known version,
/// - the body does not match its length or checksum,
/// - a layer does not fit the size,
/// - there are more than 50,000 objects, properties and values in lists.
///
/// # Complexity
///
/// O(bytes). Memory is proportional to the file, whatever sizes it claims.
pub fn read(bytes: &[u8]) -> Result<MapFile, ParseError> {
    if !bytes.starts_with(&MAGIC) {
        let sentence = "this is no binary map; expected it to begin with NAVGRID";
        return Err(Problem::Syntax(sentence.to_owned()).at_byte(0));
    }
    let Some((header, body)) = bytes.split_at_checked(HEADER_LEN) else {
        return Err(wrong_length(0, 1).at_byte(bytes.len()));
    };
    let version = u16::from_le_bytes(field(header, 8));
    if !(1..=VERSION).contains(&version) {
        return Err(Problem::Unsupported(format!(
            "format version {version}; this program reads versions 1 to {VERSION}: convert the map again"
        ))
        .at_byte(8));
    }
    let (found, expected) = (body.len() as u64, u64::from_le_bytes(field(header, 10)));
    if found != expected {
        return Err(wrong_length(found, expected).at_byte(10));
    }
    let (found, expected) = (crc32fast::hash(body), u32::from_le_bytes(field(header, 18)));
    if found != expected {
        let sentence = format!(
            "the checksum is {found:08x}, the header says {expected:08x}: the file is damaged"
        );
        return Err(Problem::Syntax(sentence).at_byte(18));
    }
    let read = Body {
        version,
        rest: body,
    }
    .read();
    read.map_err(|problem| problem.at_byte(HEADER_LEN))
}

fn wrong_length(found: u64, expected: u64) -> Problem {
    Problem::Syntax(format!(
        "{found} bytes behind the header, which says {expected}: the file is cut off or damaged"
    ))
}

/// Returns the bytes of a header field, which must lie within the header.
fn field<const N: usize>(header: &[u8], offset: usize) -> [u8; N] {
    std::array::from_fn(|index| header[offset + index])
}

/// Returns the problem of a body that cannot be decoded, though its checksum is right.
fn undecoded(reason: impl std::fmt::Display) -> Problem {
    Problem::Syntax(format!("the body cannot be read: {reason}"))
}

/// Part of a body that is not read yet.
struct Body<'a> {
    version: u16,
    rest: &'a [u8],
}

impl<'a> Body<'a> {
    /// Decodes a value.
    fn take<T: Deserialize<'a>>(&mut self) -> Result<T, Problem> {
        let (value, rest) = postcard::take_from_bytes(self.rest).map_err(undecoded)?;
        self.rest = rest;
        Ok(value)
    }

    /// Decodes a value that files have since a version; the default before.
    fn take_since<T: Deserialize<'a> + Default>(&mut self, since: u16) -> Result<T, Problem> {
        if self.version < since {
            Ok(T::default())
        } else {
            self.take()
        }
    }

    /// Decodes the planes of a layer.
    fn take_planes(&mut self, layer: CellLayer) -> Result<Vec<&'a [u8]>, Problem> {
        let found: usize = self.take_since(PLANES_SINCE)?;
        let (name, most) = (layer.name(), bits_of(layer.max()));
        if found > most as usize {
            refuse!(Value, "{found} planes of {name}; expected at most {most}");
        }
        (0..found).map(|_| self.take()).collect()
    }

    fn read(mut self) -> Result<MapFile, Problem> {
        let start: Start<'_> = self.take()?;
        let roads: &[u8] = self.take_since(ROADS_SINCE)?;
        let heights: FloorHeights = self.take_since(HEIGHTS_SINCE)?;
        let classes = self.take_planes(CellLayer::Classes)?;
        let sight = self.take_planes(CellLayer::Sight)?;
        let extras: Vec<Extra> = self.take_since(LINK_EXTRAS_SINCE)?;
        let objects = if self.version < OBJECTS_SINCE {
            Vec::new()
        } else {
            self.take_objects(start.size)?
        };
        if !self.rest.is_empty() {
            let sentence = format!("{} bytes follow the last layer", self.rest.len());
            return Err(undecoded(sentence));
        }
        let most = Grid::COST_WORST;
        if let Some(cost) = start.costs.iter().find(|it| !(1..=most).contains(*it)) {
            refuse!(
                Value,
                "step cost {cost} is out of range; expected 1 to {most}"
            );
        }
        let ground = Grid::from_walkable_bytes(start.size, start.walkable);
        let mut grid = ground.map_err(Problem::refused)?;
        if !start.costs.is_empty() {
            grid.set_cost_bytes(start.costs.to_vec())
                .map_err(Problem::refused)?;
        }
        if !start.exits.is_empty() {
            grid.set_exit_bytes(start.exits.to_vec())
                .map_err(Problem::refused)?;
        }
        set_planes(&mut grid, CellLayer::Classes, &classes).map_err(Problem::refused)?;
        set_planes(&mut grid, CellLayer::Sight, &sight).map_err(Problem::refused)?;
        grid.set_links(links(&start.links, extras)?)
            .map_err(Problem::refused)?;
        let mut map = MapFile::from(grid).with_objects(objects);
        if let Some(frame) = start.frame {
            let of_ground = Frame::new(frame.origin, frame.cell_size, frame.axes);
            let read = of_ground.and_then(|frame| frame.with_heights(heights));
            map.frame = Some(read.map_err(undecoded)?);
        }
        if !roads.is_empty() {
            let roads = board(start.size, "main roads", roads).map_err(Problem::refused)?;
            map.roads = roads.walkable_cells().collect();
        }
        Ok(map)
    }
}

/// Returns links with what version 5 adds to them, if that is there.
fn links(links: &[(Cell, Cell, u16)], mut extras: Vec<Extra>) -> Result<Vec<Link>, Problem> {
    if !extras.is_empty() && extras.len() != links.len() {
        let sentence = format!("{} links have {} kinds", links.len(), extras.len());
        return Err(undecoded(sentence));
    }
    extras.resize(links.len(), Extra::default());
    let mut read = Vec::with_capacity(links.len());
    for (&(from, to, cost), (kind, millis, capacity)) in links.iter().zip(extras) {
        let link = Link::new(from, to).with_cost(cost).with_kind(kind);
        read.push(link.with_millis(millis).with_capacity(capacity));
    }
    Ok(read)
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
            numbers[size.index(cell)] |= 1 << bit;
        }
    }
    layer.set(grid, numbers)
}

/// Decodes bits into a map whose walkable cells are those with a bit.
fn board(size: Size, layer: &'static str, bits: &[u8]) -> Result<Grid, LayerError> {
    Grid::from_walkable_bytes(size, bits).map_err(|mut error| {
        if let LayerError::Length { layer: name, .. } = &mut error {
            *name = layer;
        }
        error
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

/// Returns the bits of the main roads, empty without any.
fn road_bits(map: &MapFile) -> Result<Vec<u8>, WriteError> {
    if map.roads.is_empty() {
        return Ok(Vec::new());
    }
    let size = map.grid.size();
    if let Some(&cell) = map.roads.iter().find(|&&cell| !map.grid.contains(cell)) {
        return Err(WriteError::Road { cell, size });
    }
    Ok(bits(size, map.roads.iter().map(|&cell| size.index(cell))))
}

/// Returns the planes of a layer, up to the highest with a bit.
fn planes(grid: &Grid, layer: CellLayer) -> Vec<Vec<u8>> {
    let numbers = layer.numbers(grid);
    let used = numbers.iter().fold(0, |used, number| used | number);
    let mut planes = Vec::new();
    for bit in 0..bits_of(used) {
        let set = (0..numbers.len()).filter(|&index| numbers[index] >> bit & 1 == 1);
        planes.push(bits(grid.size(), set));
    }
    planes
}

/// Writes a map with everything it has. [`read`] returns an equal one.
///
/// # Errors
///
/// - [`WriteError::Road`] if a main road leads off the map.
/// - [`WriteError::Encoder`] if the encoder fails, which is not expected.
pub fn write(map: &MapFile) -> Result<Vec<u8>, WriteError> {
    let roads = road_bits(map)?;
    let (version, body) = encode(map, &roads).map_err(WriteError::encoder)?;
    let mut bytes = Vec::with_capacity(HEADER_LEN + body.len());
    bytes.extend(MAGIC);
    bytes.extend(version.to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(crc32fast::hash(&body).to_le_bytes());
    bytes.extend(body);
    Ok(bytes)
}

/// Encodes the body of a map in the lowest version that can hold it, which comes first.
fn encode(map: &MapFile, roads: &[u8]) -> Result<(u16, Vec<u8>), postcard::Error> {
    let grid = &map.grid;
    let [classes, sight] = [CellLayer::Classes, CellLayer::Sight].map(|it| planes(grid, it));
    let heights = (map.frame.as_ref()).map_or(&FloorHeights::Origin, Frame::heights);
    let extras: Vec<Extra> = (grid.links().iter())
        .map(|link| (link.kind, link.millis, link.capacity))
        .collect();
    let version = if !map.objects.is_empty() {
        OBJECTS_SINCE
    } else if extras.iter().any(|it| *it != Extra::default()) {
        LINK_EXTRAS_SINCE
    } else if !classes.is_empty() || !sight.is_empty() {
        PLANES_SINCE
    } else if *heights != FloorHeights::Origin {
        HEIGHTS_SINCE
    } else if !roads.is_empty() {
        ROADS_SINCE
    } else {
        1
    };
    // The values follow each other without separators, like fields of one value.
    let mut body = postcard::to_allocvec(&Start {
        size: grid.size(),
        frame: map.frame.as_ref().map(|frame| StartFrame {
            origin: frame.origin(),
            cell_size: frame.cell_size(),
            axes: frame.axes(),
        }),
        walkable: &grid.walkable_bytes(),
        costs: grid.cost_bytes(),
        exits: grid.exit_bytes(),
        links: (grid.links().iter())
            .map(|link| (link.from, link.to, link.cost))
            .collect(),
    })?;
    if version >= ROADS_SINCE {
        add(&roads, &mut body)?;
    }
    if version >= HEIGHTS_SINCE {
        add(heights, &mut body)?;
    }
    if version >= PLANES_SINCE {
        add(&(classes, sight), &mut body)?;
    }
    if version >= LINK_EXTRAS_SINCE {
        add(&extras, &mut body)?;
    }
    if version >= OBJECTS_SINCE {
        objects::put(&map.objects, &mut body)?;
    }
    Ok((version, body))
}

fn add(value: &impl Serialize, body: &mut Vec<u8>) -> Result<(), postcard::Error> {
    body.extend(postcard::to_allocvec(value)?);
    Ok(())
}
