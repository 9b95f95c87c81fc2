//! Map of an editor: its grid, and what becomes of the items on it.

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

/// Map with its links and objects, and what was left out of them.
pub(crate) struct Furnished {
    pub(crate) map: MapFile,
    /// Items that the editor shows elsewhere.
    pub(crate) shifted: Names,
    /// Properties that mean nothing on links.
    pub(crate) of_links: Names,
    pub(crate) about_objects: Vec<Warning>,
}

impl Furnished {
    /// Adds the items of a map to its grid.
    ///
    /// # Errors
    ///
    /// A link is invalid, with the offset of its item; or the map refuses it.
    pub(crate) fn new(
        mut grid: Grid,
        items: Vec<Item>,
        names: &EditorNames,
        editor: &Editor,
    ) -> Result<Self, Fault> {
        let (mut shifted, mut of_links) = (Names::default(), Names::default());
        for item in items.iter().filter(|item| item.is_shifted) {
            shifted.add(&item.label);
        }
        let size = grid.size();
        let set = grid.set_links(links(&items, size, names, editor, &mut of_links)?);
        set.map_err(|error| (Problem::refused(error), None))?;
        let (objects, about_objects) = objects(items, size, names, editor);
        Ok(Self {
            map: MapFile::from(grid).with_objects(objects),
            shifted,
            of_links,
            about_objects,
        })
    }
}
