//! Picture of the tiles in written maps.

/// File name of [`PICTURE`] in written maps, in the folder of the map.
pub const PICTURE_NAME: &str = "nav-tiles.png";

/// Picture of the 256 tiles that written maps use, as PNG.
///
/// Tiled opens the maps without it, but then shows no tiles. Tiles 1 to 64 are costs, and a higher cost is
/// darker. Each tile has a spoke for every direction in the set that its number stands for.
pub const PICTURE: &[u8] = include_bytes!("nav-tiles.png");

/// Tiles in a row of the picture, and number of rows: room for 256 tiles.
pub(super) const COLUMNS: usize = 16;
/// Side of a tile of the picture in pixels.
pub(super) const TILE: usize = 16;
/// Side of the picture in pixels.
pub(super) const SIDE: usize = COLUMNS * TILE;
