//! Objects of the game, which an editor placed.

use super::{
    item::{Editor, Item, NoPlace, cell_of},
    json::Value,
    link::end_id,
};
use crate::{
    editor_names::{EditorNames, is_among},
    object::{MapObject, covered},
    quote::quoted,
    warning::{Names, Warning},
};
use nav_grid::{Area, Cell, Size};
use std::collections::BTreeSet;

/// Parts of objects that were left out.
#[derive(Default)]
struct LeftOut {
    /// Objects without a cell by their reason, in the order in which the reasons were met.
    without_cell: Vec<(&'static str, Names)>,
    /// Objects that reach over the edge of the map.
    cut: Names,
    /// Properties of types that are not read.
    types: Names,
}

/// Returns the items of a map that are no links, and warnings about what was left out of them.
///
/// An item without a cell is left out, and refuses no map: it may be decoration.
pub(crate) fn objects(
    items: Vec<Item>,
    size: Size,
    names: &EditorNames,
    editor: &Editor,
) -> (Vec<MapObject>, Vec<Warning>) {
    let (links, items): (Vec<Item>, Vec<Item>) =
        (items.into_iter()).partition(|item| is_among(&item.class, &names.link));
    let ends: BTreeSet<String> = (links.iter())
        .filter_map(|item| end_id(item, editor))
        .collect();
    let mut objects = Vec::new();
    let mut left_out = LeftOut::default();
    for item in items {
        match area(&item, size) {
            Ok((cell, (area, is_cut))) => {
                if is_cut {
                    left_out.cut.add(item.describe(editor));
                }
                let mut object = MapObject {
                    area,
                    ..MapObject::new("", "", cell)
                };
                left_out.fill(&mut object, item, size, editor);
                objects.push(object);
            }
            // The end of a link has its meaning, whatever its shape.
            Err(_) if ends.contains(&item.id) => {}
            Err(reason) => left_out.add(reason, &item, editor),
        }
    }
    (objects, left_out.warnings(editor))
}

/// Returns the cell of an item, and the cells that it covers and whether the map ends within them;
/// or why it has no cell.
fn area(item: &Item, size: Size) -> Result<(Cell, (Area, bool)), &'static str> {
    if !item.has_cell {
        return Err("only points, rectangles and tiles have a cell");
    }
    let place = item.place.as_ref().map_err(NoPlace::reason)?;
    let cell = cell_of(place.cell, size).ok_or("they lie outside the map")?;
    Ok((cell, covered(cell, place.before, place.behind, size)))
}

impl LeftOut {
    /// Adds an item that has no cell.
    fn add(&mut self, reason: &'static str, item: &Item, editor: &Editor) {
        let known = self.without_cell.iter().position(|(it, _)| *it == reason);
        let index = known.unwrap_or_else(|| {
            self.without_cell.push((reason, Names::default()));
            self.without_cell.len() - 1
        });
        self.without_cell[index].1.add(item.describe(editor));
    }

    /// Gives an object what its item has beside its place.
    fn fill(&mut self, object: &mut MapObject, item: Item, size: Size, editor: &Editor) {
        for (name, value) in item.properties {
            if value == Value::Null {
                continue;
            }
            if let Some(value) = value.into_property(size) {
                object.properties.insert(name, value);
            } else {
                let (property, name) = (editor.property, quoted(name));
                let owner = &item.label;
                self.types
                    .add(format_args!("{property} '{name}' of {owner}"));
            }
        }
        object.id = item.id;
        object.class = item.class;
        object.name = item.name;
        object.layer = item.layer;
    }

    fn warnings(self, editor: &Editor) -> Vec<Warning> {
        let without_cell = self.without_cell.into_iter();
        let mut warnings: Vec<Warning> = without_cell
            .map(|(reason, objects)| Warning::Objects { objects, reason })
            .collect();
        let expected = editor.types;
        (self.cut).warn(&mut warnings, |objects| Warning::Cut { objects });
        (self.types).warn(&mut warnings, |properties| Warning::Types {
            properties,
            expected,
        });
        warnings
    }
}
