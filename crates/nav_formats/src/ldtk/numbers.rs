//! Terrain classes and sight, from `IntGrid` layers that are named for them.

use super::{
    layers::Meaning,
    model::{Layer, LayerDefinition},
    options::Options,
    problem::LdtkProblem,
};
use crate::{cell_layer::CellLayer, quote::quoted};
use nav_grid::{Cell, map::Sight};
use std::collections::BTreeMap;

/// Returns what a layer sets, if it is named for terrain classes or sight.
pub(super) fn named(layer: &Layer, options: &Options<'_>) -> Option<CellLayer> {
    let is = |names: &[String]| {
        let name = &layer.identifier;
        names.iter().any(|it| it.eq_ignore_ascii_case(name))
    };
    match () {
        () if is(&options.terrain) => Some(CellLayer::Classes),
        () if is(&options.sight) => Some(CellLayer::Sight),
        () => None,
    }
}

/// Sets the numbers of cells of which no layer above said anything.
///
/// `numbers` has one for each value of the layer.
pub(super) fn paint(
    layer: &Layer,
    sets: CellLayer,
    definition: Option<&LayerDefinition>,
    options: &Options<'_>,
    numbers: &mut [u8],
) -> Result<(), LdtkProblem> {
    let values = definition.map_or(&[][..], |it| &it.int_grid_values);
    let mut names: BTreeMap<i64, &str> = BTreeMap::new();
    for value in values {
        if let Some(name) = value.identifier.as_deref().filter(|it| !it.is_empty()) {
            names.insert(value.value, name);
        }
    }
    if sets == CellLayer::Classes {
        // A wall painted there would be no wall, without a word.
        for name in names.values() {
            if let Some(Meaning::Wall | Meaning::Cost(_)) = Meaning::of(name, options)? {
                return Err(LdtkProblem::NameInTerrain {
                    layer: quoted(&layer.identifier),
                    value: quoted(name),
                });
            }
        }
    }
    let number = |value: i32| match sets {
        CellLayer::Sight => sight(value, names.get(&value.into()).copied()),
        _ => u8::try_from(value).ok().filter(|it| *it <= sets.max()),
    };
    let width = usize::try_from(layer.width).unwrap_or(1).max(1);
    let painted = numbers.iter_mut().zip(&layer.values).enumerate();
    for (index, (cell, &value)) in painted.filter(|(_, (_, value))| **value != 0) {
        let Some(number) = number(value) else {
            let name = names.get(&value.into());
            return Err(LdtkProblem::Number {
                layer: quoted(&layer.identifier),
                cell: Cell::new((index % width) as u16, (index / width) as u16),
                found: name.map_or(value.to_string(), |it| format!("{value} '{}'", quoted(it))),
                expected: match sets {
                    CellLayer::Sight => "one named clear or blocked, or 1 or 2 without a name",
                    _ => "1 to 15",
                },
            });
        };
        if *cell == sets.unsaid() {
            *cell = number;
        }
    }
    Ok(())
}

/// Returns the sight that a value means: by its name, or by its number if it has none.
fn sight(value: i32, name: Option<&str>) -> Option<u8> {
    let sight = match (name, value) {
        (Some(name), _) if name.eq_ignore_ascii_case("clear") => Sight::Clear,
        (Some(name), _) if name.eq_ignore_ascii_case("blocked") => Sight::Blocked,
        (None, 1) => Sight::Clear,
        (None, 2) => Sight::Blocked,
        _ => return None,
    };
    Some(sight as u8)
}
