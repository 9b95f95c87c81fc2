//! What repeating the edits of a map takes beside them.

use super::map::NavMap;
use nav_grid::{
    index::{BuiltIndexes, RoadError},
    map::Tile,
};

impl NavMap {
    /// Whether an index was built since the plugin last looked.
    pub const fn has_new_index(&self) -> bool {
        self.has_new_index
    }

    /// Counts tiles as edited though nothing of them changes.
    pub fn touch_tiles(&mut self, tiles: impl IntoIterator<Item = Tile>) {
        self.map.touch_tiles(tiles);
    }

    /// Builds what was built of another map, and drops what was not. `is_news` is whether the plugin is to
    /// notice.
    ///
    /// # Errors
    ///
    /// [`RoadError`] if a main road leaves the map; everything else is built.
    pub fn build_as(&mut self, built: &BuiltIndexes, is_news: bool) -> Result<(), RoadError> {
        if built.regions.is_none() {
            self.remove_regions();
        }
        if built.portals.is_none() {
            self.remove_portals();
        }
        if built.mosaic.is_none() {
            self.remove_mosaic();
        }
        if built.roads.is_none() {
            self.remove_roads();
        }
        self.has_new_index |= is_news;
        self.map.build(built)
    }
}
