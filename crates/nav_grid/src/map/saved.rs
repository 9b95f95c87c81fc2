//! How a map is saved by serde: its size, one bit per cell without border, and the layers that
//! it has.

use super::{
    grid::Grid,
    link::Link,
    size::{GridError, Size},
};
use crate::{Cell, Directions};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

#[derive(Serialize, Deserialize)]
#[serde(rename = "Grid", deny_unknown_fields)]
struct Saved {
    width: u16,
    height: u16,
    #[serde(default = "one")]
    floors: u8,
    /// Bit `n % 64` of word `n / 64` is the `n`-th cell in reading order, floor by floor.
    walkable: Vec<u64>,
    /// A byte per cell, or none.
    #[serde(default)]
    costs: Vec<u8>,
    /// A byte per cell, or none.
    #[serde(default)]
    exits: Vec<u8>,
    #[serde(default)]
    links: Vec<Link>,
}

const fn one() -> u8 {
    1
}

impl Serialize for Grid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let size = self.size;
        let mut walkable = vec![0; (size.cells() as usize).div_ceil(64)];
        for cell in self.walkable_cells() {
            let n = size.index(cell);
            walkable[n / 64] |= 1 << (n % 64);
        }
        let bytes = |wanted: bool, byte: &dyn Fn(Cell) -> u8| -> Vec<u8> {
            let cells = wanted.then(|| cells(size)).into_iter().flatten();
            cells.map(byte).collect()
        };
        Saved {
            width: size.width,
            height: size.height,
            floors: size.floors,
            walkable,
            costs: bytes(self.has_costs(), &|cell| self.costs.get(cell, size)),
            exits: bytes(self.has_exits(), &|cell| self.exits(cell).0),
            links: self.links().to_vec(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Grid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let saved = Saved::deserialize(deserializer)?;
        let size = Size::new(saved.width, saved.height).with_floors(saved.floors);
        let needed = |what: &str, expected: usize, found: usize| {
            D::Error::custom(format_args!(
                "a grid of {size} cells needs {expected} {what}, not {found}"
            ))
        };
        let cells_count = size.cells() as usize;
        let words = cells_count.div_ceil(64);
        if saved.walkable.len() != words {
            let found = saved.walkable.len();
            return Err(needed("words of walkable bits", words, found));
        }
        for (what, layer) in [("costs", &saved.costs), ("exits", &saved.exits)] {
            if !layer.is_empty() && layer.len() != cells_count {
                return Err(needed(what, cells_count, layer.len()));
            }
        }
        let mut grid = Self::build(size, |cell| {
            let n = size.index(cell);
            saved.walkable[n / 64] >> (n % 64) & 1 == 1
        })
        .map_err(|error: GridError| D::Error::custom(error))?;
        for (cell, &cost) in cells(size).zip(&saved.costs) {
            if !(1..=Self::COST_WORST).contains(&cost) {
                return Err(D::Error::custom(format_args!(
                    "cell {cell} has the step cost {cost}, which must be 1 to {}",
                    Self::COST_WORST
                )));
            }
            grid.costs.set(cell, size, cost);
        }
        for (cell, &exits) in cells(size).zip(&saved.exits) {
            grid.exits.set(cell, size, Directions(exits).0);
        }
        for &link in &saved.links {
            grid.set_link(link).map_err(D::Error::custom)?;
        }
        // What was loaded is new, whatever it took to put it together.
        grid.tiles = super::tiles::TileVersions::new(size);
        Ok(grid)
    }
}

/// The cells of a map in reading order, floor by floor.
fn cells(size: Size) -> impl Iterator<Item = Cell> {
    (0..size.floors).flat_map(move |floor| {
        (0..size.height).flat_map(move |y| (0..size.width).map(move |x| Cell { x, y, floor }))
    })
}
