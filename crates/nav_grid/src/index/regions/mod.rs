//! Connected components of a map for one kind of walker.

mod edges;
mod joined_parts;
mod regions_of_map;
mod tile_parts;

pub use regions_of_map::Regions;
