//! Entities of a level: links, and objects of the game.

use super::model::{Entity, Layer};
use crate::{
    editor::{Editor, Item, Place, Value},
    error::Problem,
    limit::Parts,
    quote::quoted,
};
use std::sync::Arc;

/// Words and customs of the editor.
pub(super) const LDTK: Editor = Editor {
    property: "field",
    types: "Integer, Float, Boolean, String, Multilines, FilePath, Color, an enum, Point or Entity ref, \
            or a list of up to 1000 of them without gaps",
    any_case: true,
    end: "a reference to an entity of the level, or a point",
    has_numbered_ends: false,
    has_classes: false,
};

/// Returns the entities of a level whose cells have sides of `cell_side` pixels.
///
/// # Errors
///
/// There are too many entities and values of their fields.
pub(super) fn items(layers: Vec<Layer>, cell_side: i64) -> Result<Vec<Item>, Problem> {
    let mut items = Vec::new();
    let mut parts = Parts::default();
    for mut layer in layers {
        let name: Arc<str> = Arc::from(std::mem::take(&mut layer.identifier));
        for entity in std::mem::take(&mut layer.entities) {
            let values = entity.fields.iter().map(|field| field.value.count());
            parts.take(1 + values.sum::<usize>())?;
            items.push(item(entity, &layer, &name, cell_side));
        }
    }
    Ok(items)
}

fn item(entity: Entity, layer: &Layer, name: &Arc<str>, cell_side: i64) -> Item {
    let [columns, rows] = [0, 1].map(|axis| span(&entity, axis, cell_side));
    let [x, y] = cell(&entity, layer, cell_side);
    let mut properties = Vec::with_capacity(entity.fields.len());
    for field in entity.fields {
        let scale = (layer.grid_size, cell_side);
        properties.push((
            field.identifier,
            of_type(field.value, field.is_colour, scale),
        ));
    }
    let [at_x, at_y] = entity.grid;
    Item {
        offset: None,
        label: format!("entity '{}' at {at_x},{at_y}", quoted(&entity.identifier)),
        id: entity.iid,
        class: entity.identifier,
        name: String::new(),
        layer: name.clone(),
        has_cell: true,
        place: Ok(Place {
            cell: [x, y, 0],
            before: [columns.0, rows.0],
            behind: [columns.1, rows.1],
        }),
        is_shifted: [layer.offset_x, layer.offset_y] != [0, 0],
        properties,
    }
}

/// Returns the column and row of an entity on the map.
fn cell(entity: &Entity, layer: &Layer, cell_side: i64) -> [i64; 2] {
    if layer.grid_size == cell_side {
        return entity.grid;
    }
    // The editor counts an entity whose pivot is on the lower or right border to the cell inside.
    [0, 1].map(|axis| {
        let inside = i64::from(entity.pivot[axis] >= 1.0);
        entity.px[axis].saturating_sub(inside).div_euclid(cell_side)
    })
}

/// Returns how many columns, or rows, an entity covers before its cell and behind it.
fn span(entity: &Entity, axis: usize, cell_side: i64) -> (u16, u16) {
    let pixels = [entity.width, entity.height][axis].max(0) as f64;
    let cells = (pixels / cell_side as f64).round().max(1.0) as u16;
    // The pivot is in the cell of the entity: 0 is its first column, 1 its last.
    let before = ((entity.pivot[axis] * f64::from(cells)).floor() as u16).min(cells - 1);
    (before, cells - 1 - before)
}

/// Returns a value with what JSON does not say: texts of colours, and points in cells of the map,
/// which the editor counts in those of the layer. `scale` is the sides of both in pixels.
fn of_type(value: Value, is_colour: bool, scale: (i64, i64)) -> Value {
    match value {
        Value::Text(text) if is_colour => Value::Colour(text),
        Value::Point(x, y) => {
            let [x, y] = [x, y].map(|at| at.saturating_mul(scale.0).div_euclid(scale.1));
            Value::Point(x, y)
        }
        Value::List(list) => Value::List(
            (list.into_iter())
                .map(|it| of_type(it, is_colour, scale))
                .collect(),
        ),
        value => value,
    }
}
