//! This crate's own binary format, for servers that start fast. Behind the feature `binary`.
//!
//! Holds everything that a map can have. Numbers are little-endian.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `NAVGRID` and 0x1a |
//! | 2 | version of the format, 1 |
//! | 8 | length of the body |
//! | 4 | CRC-32 of the body |
//! | the rest | the body, in the wire format of `postcard` |
//!
//! The body is the size (columns, rows, floors), the frame if there is one, the walkable cells
//! as bits with each row in whole bytes, a cost byte per cell or none, an exit byte per cell or
//! none, and the links.
//!
//! A map of 5000×5000 cells takes 3.1 MB, and 25 MB more for each of costs and exits.

pub use super::binary_problem::BinaryProblem;

use super::{
    binary_problem::VERSION,
    error::{ParseError, Problem},
    map_file::MapFile,
    position::Position,
    write_error::WriteError,
};
use nav_grid::{Frame, Grid, Link, Size};
use serde::{Deserialize, Serialize};

pub(crate) const EXTENSIONS: &[&str] = &["navgrid"];

const MAGIC: [u8; 8] = *b"NAVGRID\x1a";
const HEADER_LEN: usize = MAGIC.len() + 2 + 8 + 4;

#[derive(Serialize, Deserialize)]
struct Body<'a> {
    size: Size,
    frame: Option<Frame>,
    #[serde(borrow)]
    walkable: &'a [u8],
    #[serde(borrow)]
    costs: &'a [u8],
    #[serde(borrow)]
    exits: &'a [u8],
    links: Vec<Link>,
}

pub(crate) fn looks_like(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads a map.
///
/// # Errors
///
/// [`ParseError`] with the number of the byte when the header is not one of this version, the
/// body is not as long as it says or was changed, or a layer does not fit the size.
///
/// # Complexity
///
/// O(bytes). Memory follows the file, not what it says of itself.
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
    if version != VERSION {
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
    read_body(body).map_err(|problem| at(HEADER_LEN, problem))
}

/// The bytes of a header field, which must lie within the header.
fn field<const N: usize>(header: &[u8], offset: usize) -> [u8; N] {
    std::array::from_fn(|index| header[offset + index])
}

fn read_body(bytes: &[u8]) -> Result<MapFile, BinaryProblem> {
    let (body, rest): (Body, _) =
        postcard::take_from_bytes(bytes).map_err(|error| BinaryProblem::Body {
            reason: error.to_string(),
        })?;
    if !rest.is_empty() {
        return Err(BinaryProblem::Body {
            reason: format!("{} bytes follow the links", rest.len()),
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
    grid.set_links(body.links)?;
    Ok(MapFile {
        grid,
        frame: body.frame,
    })
}

/// Writes a map with everything it has. [`read`] gives back an equal one.
///
/// # Errors
///
/// [`WriteError::Encoder`] if the encoder fails, which it has no reason to.
pub fn write(map: &MapFile) -> Result<Vec<u8>, WriteError> {
    let walkable = map.grid.walkable_bytes();
    let body = Body {
        size: map.grid.size(),
        frame: map.frame,
        walkable: &walkable,
        costs: map.grid.cost_bytes(),
        exits: map.grid.exit_bytes(),
        links: map.grid.links().to_vec(),
    };
    let body = postcard::to_allocvec(&body).map_err(|error| WriteError::Encoder {
        reason: error.to_string(),
    })?;
    let mut bytes = Vec::with_capacity(HEADER_LEN + body.len());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(crc32fast::hash(&body).to_le_bytes());
    bytes.extend(body);
    Ok(bytes)
}
