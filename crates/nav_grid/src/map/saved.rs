//! How a map is saved by serde: its size, one bit per cell without border, and the layers that
//! it has.

use super::{
    grid::Grid,
    link::Link,
    size::{GridError, Size},
    tiles::TileVersions,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

#[derive(Serialize, Deserialize)]
#[serde(rename = "Grid", deny_unknown_fields)]
struct SavedGrid {
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
        SavedGrid {
            width: size.width,
            height: size.height,
            floors: size.floors,
            walkable,
            costs: self.cost_bytes().to_vec(),
            exits: self.exit_bytes().to_vec(),
            links: self.links().to_vec(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Grid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let saved = SavedGrid::deserialize(deserializer)?;
        let size = Size::new(saved.width, saved.height).with_floors(saved.floors);
        let words = (size.cells() as usize).div_ceil(64);
        if saved.walkable.len() != words {
            return Err(D::Error::custom(format_args!(
                "a grid of {size} cells needs {words} words of walkable bits, not {}",
                saved.walkable.len()
            )));
        }
        let mut grid = Self::build(size, |cell| {
            let n = size.index(cell);
            saved.walkable[n / 64] >> (n % 64) & 1 == 1
        })
        .map_err(|error: GridError| D::Error::custom(error))?;
        let out_of_range = |&cost: &u8| !(1..=Self::COST_WORST).contains(&cost);
        if let Some(n) = saved.costs.iter().position(out_of_range) {
            return Err(D::Error::custom(format_args!(
                "cell number {n} has the step cost {}, which must be 1 to {}",
                saved.costs[n],
                Self::COST_WORST
            )));
        }
        grid.set_cost_bytes(saved.costs).map_err(D::Error::custom)?;
        grid.set_exit_bytes(saved.exits).map_err(D::Error::custom)?;
        grid.set_links(saved.links).map_err(D::Error::custom)?;
        // What was loaded is new, whatever it took to put it together.
        grid.tiles = TileVersions::new(size);
        Ok(grid)
    }
}
