//! Links, which are entities of a level.

use super::{
    model::{Entity, Layer, Value},
    options::Options,
    problem::LdtkProblem,
};
use crate::{link_numbers::LINK_NUMBERS, quote::quoted, warning::Names};
use nav_grid::{Cell, Link, Size};
use std::collections::BTreeMap;

/// Links of a level, and what was left out.
pub(super) struct Found {
    pub(super) links: Vec<Link>,
    /// Fields that mean nothing on a link.
    pub(super) properties: Names,
    /// Links of layers with an offset.
    pub(super) shifted: Names,
}

/// Entity with the layer that it is in.
#[derive(Clone, Copy)]
pub(super) struct Placed<'l> {
    pub(super) entity: &'l Entity,
    pub(super) layer: &'l Layer,
}

impl Placed<'_> {
    pub(super) fn describe(self) -> String {
        let [x, y] = self.entity.grid;
        format!("entity '{}' at {x},{y}", quoted(&self.entity.identifier))
    }

    /// Returns the cell of an entity on a map whose cells have sides of `grid_size` pixels.
    pub(super) fn cell(self, grid_size: i64) -> Option<Cell> {
        let [x, y] = if self.layer.grid_size == grid_size {
            self.entity.grid
        } else {
            // The editor counts an entity whose pivot is on the lower or right border to the cell
            // inside.
            [0, 1].map(|axis| {
                let inside = i64::from(self.entity.pivot[axis] >= 1.0);
                self.entity.px[axis]
                    .saturating_sub(inside)
                    .div_euclid(grid_size)
            })
        };
        cell(x, y)
    }

    /// Returns whether the editor shows the entity elsewhere, by an offset of its layer.
    pub(super) fn is_shifted(self) -> bool {
        [self.layer.offset_x, self.layer.offset_y] != [0, 0]
    }
}

/// Returns whether a field means something on a link.
fn is_known(field: &str) -> bool {
    let numbers = LINK_NUMBERS.iter().map(|number| number.name);
    let mut known = ["to", "two_way"].into_iter().chain(numbers);
    known.any(|known| known.eq_ignore_ascii_case(field))
}

fn cell(x: i64, y: i64) -> Option<Cell> {
    Some(Cell::new(u16::try_from(x).ok()?, u16::try_from(y).ok()?))
}

/// Returns the links of a level.
pub(super) fn of(
    layers: &[Layer],
    size: Size,
    grid_size: i64,
    options: &Options<'_>,
) -> Result<Found, LdtkProblem> {
    let entities = layers.iter().flat_map(|layer| {
        let placed = move |entity| Placed { entity, layer };
        layer.entities.iter().map(placed)
    });
    let by_iid: BTreeMap<&str, Placed<'_>> = (entities.clone())
        .map(|placed| (placed.entity.iid.as_str(), placed))
        .collect();
    let mut found = Found {
        links: Vec::new(),
        properties: Names::default(),
        shifted: Names::default(),
    };
    for placed in entities.filter(|it| options.is_link(&it.entity.identifier)) {
        let pair = link(placed, &by_iid, size, grid_size)?;
        found.links.extend(pair.into_iter().flatten());
        if placed.is_shifted() {
            found.shifted.add(placed.describe());
        }
        for field in &placed.entity.fields {
            if !is_known(&field.identifier) {
                let field = quoted(&field.identifier);
                (found.properties).add(format_args!("field '{field}' of {}", placed.describe()));
            }
        }
    }
    Ok(found)
}

/// Returns a link, and the link back if it has two ways.
fn link<'l>(
    placed: Placed<'l>,
    by_iid: &BTreeMap<&str, Placed<'l>>,
    size: Size,
    grid_size: i64,
) -> Result<[Option<Link>; 2], LdtkProblem> {
    let field = |name: &str| {
        let fields = placed.entity.fields.iter();
        let mut fields = fields.filter(|it| it.identifier.eq_ignore_ascii_case(name));
        fields
            .next()
            .map(|it| &it.value)
            .filter(|it| **it != Value::Null)
    };
    let wrong = |name, expected: &str| LdtkProblem::Field {
        entity: placed.describe(),
        field: name,
        found: Value::describe(field(name)),
        expected: expected.to_owned(),
    };
    let inside = |cell: Option<Cell>, end| {
        let is_inside = |cell: &Cell| cell.x < size.width && cell.y < size.height;
        cell.filter(is_inside)
            .ok_or_else(|| LdtkProblem::LinkOutside {
                entity: placed.describe(),
                end,
            })
    };
    let from = inside(placed.cell(grid_size), "start")?;
    let to = match field("to") {
        // The editor counts points in the cells of the layer.
        Some(&Value::Point(x, y)) if placed.layer.grid_size == grid_size => cell(x, y),
        Some(&Value::Point(x, y)) => {
            let scaled = |it: i64| {
                it.saturating_mul(placed.layer.grid_size)
                    .div_euclid(grid_size)
            };
            cell(scaled(x), scaled(y))
        }
        Some(Value::Entity(iid)) => match by_iid.get(iid.as_str()) {
            Some(end) => end.cell(grid_size),
            None => return Err(wrong("to", "an entity of the same level")),
        },
        _ => {
            return Err(wrong(
                "to",
                "a reference to an entity of the level, or a point",
            ));
        }
    };
    let to = inside(to, "end")?;
    let both = match field("two_way") {
        None => false,
        Some(&Value::Bool(both)) => both,
        Some(_) => return Err(wrong("two_way", "a bool")),
    };
    let mut link = Link::new(from, to);
    for number in &LINK_NUMBERS {
        let changed = match field(number.name) {
            None => Some(link),
            Some(&Value::Int(value)) => number.put(link, value),
            Some(_) => None,
        };
        let expected = || format!("an int from {}", number.expected());
        link = changed.ok_or_else(|| wrong(number.name, &expected()))?;
    }
    Ok([Some(link), both.then(|| link.reversed())])
}
