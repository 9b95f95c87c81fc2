//! Map of an editor: its grid, what becomes of the items on it, and what was left out.

use super::{
    item::{Editor, Item},
    link::{Fault, links},
    object::objects,
};
use crate::{
    editor_names::EditorNames,
    error::Problem,
    map_file::MapFile,
    warning::{Names, Warning},
};
use nav_grid::Grid;

/// Parts of a map that were left out.
#[derive(Default)]
pub(crate) struct LeftOut {
    /// Warnings about layers.
    pub(crate) about_layers: Vec<Warning>,
    /// Layers and items that the editor shows elsewhere.
    pub(crate) shifted: Names,
    /// Properties that mean nothing where they are.
    pub(crate) properties: Names,
}

impl LeftOut {
    /// Returns the map of a grid and items, with warnings.
    ///
    /// # Errors
    ///
    /// A link is invalid, with the offset of its item; or the map refuses it.
    pub(crate) fn map(
        mut self,
        mut grid: Grid,
        items: Vec<Item>,
        names: &EditorNames,
        editor: &Editor,
    ) -> Result<MapFile, Fault> {
        for item in items.iter().filter(|item| item.is_shifted) {
            self.shifted.add(&item.label);
        }
        let size = grid.size();
        let set = grid.set_links(links(&items, size, names, editor, &mut self.properties)?);
        set.map_err(|error| (Problem::refused(error), None))?;
        let (objects, about_objects) = objects(items, size, names, editor);
        let mut map = MapFile::from(grid).with_objects(objects);
        let warnings = &mut map.warnings;
        warnings.extend(self.about_layers);
        warnings.extend(about_objects);
        (self.shifted).warn(warnings, |parts| Warning::Shifted { parts });
        (self.properties).warn(warnings, |properties| Warning::Properties { properties });
        Ok(map)
    }
}
