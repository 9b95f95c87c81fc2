//! Grid of a level, from its `IntGrid` layers.

use super::model::{Layer, LayerDefinition};
use crate::{
    cell_layer::CellLayer,
    editor::{Canvas, Role},
    editor_names::{EditorNames, is_among},
    error::Problem,
    quote::quoted,
    warning::{Names, Warning},
};
use nav_grid::{Cell, Grid, Size, map::Sight};
use std::collections::BTreeMap;

/// The result of reading the layers of a level.
pub(super) struct Read {
    pub(super) grid: Grid,
    /// Side of a cell in pixels.
    pub(super) cell_side: i64,
    /// Layers that the editor shows elsewhere.
    pub(super) shifted: Names,
    pub(super) warnings: Vec<Warning>,
}

/// Meaning of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Wall,
    Ground,
    Cost(u8),
}

/// Returns the meaning of a name, if it has one.
fn meaning_of(name: &str, names: &EditorNames) -> Result<Option<Meaning>, Problem> {
    let of_cost = |found: u64| match u8::try_from(found) {
        Ok(0) => Ok(Some(Meaning::Wall)),
        Ok(cost) if cost <= Grid::COST_WORST => Ok(Some(Meaning::Cost(cost))),
        _ => Err(Problem::Value(format!(
            "value '{}': cost {found} is out of range; expected 0 to {}",
            quoted(name),
            Grid::COST_WORST
        ))),
    };
    let mut costs = names.costs.iter();
    if let Some((_, &cost)) = costs.find(|(it, _)| it.eq_ignore_ascii_case(name)) {
        return of_cost(cost.into());
    }
    if is_among(name, &names.walkable) {
        return Ok(Some(Meaning::Ground));
    }
    if is_among(name, &names.blocked) {
        return Ok(Some(Meaning::Wall));
    }
    let digits = name.trim_start_matches(|it: char| !it.is_ascii_digit());
    let stem = name[..name.len() - digits.len()].trim_end_matches(['_', ' ', '-']);
    match digits.parse() {
        Ok(cost) if is_among(stem, &names.cost) => of_cost(cost),
        _ => Ok(None),
    }
}

/// Layer with known values.
struct IntGrid<'l> {
    layer: &'l Layer,
    /// The cell layer that a layer of terrain classes or sight sets.
    sets: Option<CellLayer>,
    /// Names of the values that the project defines, and their meanings.
    values: BTreeMap<i64, (&'l str, Option<Meaning>)>,
    /// Meaning of values without a name.
    unnamed: Option<Meaning>,
}

impl<'l> IntGrid<'l> {
    /// Looks up the values of a layer. `None` if none has a meaning.
    fn of(
        layer: &'l Layer,
        definition: Option<&'l LayerDefinition>,
        names: &EditorNames,
    ) -> Result<Option<Self>, Problem> {
        let sets = if is_among(&layer.identifier, &names.terrain) {
            Some(CellLayer::Classes)
        } else if is_among(&layer.identifier, &names.sight) {
            Some(CellLayer::Sight)
        } else {
            None
        };
        let unnamed = meaning_of(&layer.identifier, names)?;
        let mut values = BTreeMap::new();
        for value in definition.map_or(&[][..], |it| &it.int_grid_values) {
            if let Some(name) = value.identifier.as_deref().filter(|name| !name.is_empty()) {
                let meaning = meaning_of(name, names)?;
                let is_solid = matches!(meaning, Some(Meaning::Wall | Meaning::Cost(_)));
                if sets == Some(CellLayer::Classes) && is_solid {
                    // A wall painted there would be no wall, without a word.
                    return Err(Problem::Value(format!(
                        "layer '{}': value '{}' is only a terrain class there; rename it, or the layer",
                        quoted(&layer.identifier),
                        quoted(name)
                    )));
                }
                values.insert(value.value, (name, meaning));
            }
        }
        let mut meanings = values.values().map(|&(_, meaning)| meaning);
        let is_known = sets.is_some() || unnamed.is_some() || meanings.any(|it| it.is_some());
        Ok(is_known.then_some(Self {
            layer,
            sets,
            values,
            unnamed,
        }))
    }

    fn name(&self, value: i32) -> Option<&'l str> {
        self.values.get(&value.into()).map(|&(name, _)| name)
    }

    fn meaning(&self, value: i32) -> Option<Meaning> {
        let named = self.values.get(&value.into());
        named.map_or(self.unnamed, |&(_, meaning)| meaning)
    }

    /// Returns whether a value of the layer means ground.
    fn paints_ground(&self) -> bool {
        let mut meanings = self.values.values().map(|&(_, meaning)| meaning);
        // Values without a name count if the layer is painted with them.
        let mut unnamed =
            (self.layer.values.iter()).filter(|&&value| value != 0 && self.name(value).is_none());
        meanings.any(|it| it == Some(Meaning::Ground))
            || self.unnamed == Some(Meaning::Ground) && unnamed.next().is_some()
    }

    /// Returns the number of terrain class or sight that a value means.
    fn number(&self, sets: CellLayer, value: i32) -> Option<u8> {
        if sets == CellLayer::Classes {
            return u8::try_from(value).ok().filter(|it| *it <= sets.max());
        }
        let sight = match (self.name(value), value) {
            (Some(name), _) if name.eq_ignore_ascii_case("clear") => Sight::Clear,
            (Some(name), _) if name.eq_ignore_ascii_case("blocked") => Sight::Blocked,
            (None, 1) => Sight::Clear,
            (None, 2) => Sight::Blocked,
            _ => return None,
        };
        Some(sight as u8)
    }

    /// Checks that the layer has the size of the first one, and as many values.
    fn check(&self, first: &Layer) -> Result<(), Problem> {
        let layer = self.layer;
        let name = quoted(&layer.identifier);
        let (width, height) = (layer.width, layer.height);
        if (width, height) != (first.width, first.height) {
            return Err(Problem::Value(format!(
                "layer '{name}' has {width}x{height} cells, expected {}x{} as in the layers above it",
                first.width, first.height
            )));
        }
        let (found, expected) = (layer.values.len() as i64, width * height);
        if found != expected {
            let sentence = format!("layer '{name}' has {found} values, expected {expected}");
            return Err(Problem::Value(sentence));
        }
        Ok(())
    }

    /// Paints ground, walls and costs, or classes or sight, over what is there.
    fn paint(&self, canvas: &mut Canvas, has_ground: bool) -> Result<(), Problem> {
        let width = self.layer.width.max(1) as usize;
        let painted = self.layer.values.iter().enumerate();
        for (index, &value) in painted.filter(|(_, value)| **value != 0) {
            let cell = Cell::new((index % width) as u16, (index / width) as u16);
            if let Some(sets) = self.sets {
                let Some(number) = self.number(sets, value) else {
                    return Err(self.wrong(sets, cell, value));
                };
                canvas.put(Role::Numbers(sets), cell, number);
                continue;
            }
            match self.meaning(value) {
                Some(Meaning::Wall) => canvas.put(Role::Blocked, cell, 1),
                Some(Meaning::Cost(cost)) if cost > 1 => canvas.put(Role::Cost, cell, cost),
                _ => {}
            }
            if has_ground && self.meaning(value).is_some() {
                canvas.put(Role::Walkable, cell, 1);
            }
        }
        Ok(())
    }

    fn wrong(&self, sets: CellLayer, cell: Cell, value: i32) -> Problem {
        let layer = quoted(&self.layer.identifier);
        let name = self.name(value);
        let name = name.map_or(String::new(), |name| format!(" '{}'", quoted(name)));
        let expected = match sets {
            CellLayer::Sight => "one named clear or blocked, or 1 or 2 without a name",
            _ => "1 to 15",
        };
        Problem::Value(format!(
            "layer '{layer}', cell {cell}: value {value}{name}; expected {expected}"
        ))
    }

    /// Notes the values that have no meaning.
    fn note_unknown(&self, unknown: &mut Names) {
        let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
        for &value in &self.layer.values {
            if value != 0 && self.meaning(value).is_none() {
                *counts.entry(value).or_default() += 1;
            }
        }
        let layer = quoted(&self.layer.identifier);
        for (value, count) in counts {
            let name = self.name(value);
            let name = name.map_or(String::new(), |name| format!(" '{}'", quoted(name)));
            unknown.add(format_args!(
                "{value}{name} of layer '{layer}' in {count} cells"
            ));
        }
    }
}

/// Makes the grid of a level, of its layers with a meaning.
///
/// # Errors
///
/// No layer of ground has a meaning, or one is invalid.
pub(super) fn read(
    level: &str,
    layers: &[Layer],
    by_uid: &BTreeMap<i64, &LayerDefinition>,
    names: &EditorNames,
) -> Result<Read, Problem> {
    let mut warnings = Vec::new();
    let known = known(layers, by_uid, names, &mut warnings)?;
    let examples = [&names.walkable, &names.blocked].into_iter().flatten();
    let examples = examples.map(quoted).collect::<Vec<_>>().join(", ");
    let ground = || known.iter().filter(|grid| grid.sets.is_none());
    let Some(first) = ground().next() else {
        return Err(Problem::Value(format!(
            "level '{level}' has no IntGrid layer with a known value; expected values with names \
             such as {examples}"
        )));
    };
    let first = first.layer;
    let mut canvas = Canvas::new(size(first)?);
    let (mut shifted, mut unknown) = (Names::default(), Names::default());
    for grid in &known {
        grid.check(first)?;
        if [grid.layer.offset_x, grid.layer.offset_y] != [0, 0] {
            shifted.add(format_args!("layer '{}'", quoted(&grid.layer.identifier)));
        }
    }
    let paints_ground = ground().any(IntGrid::paints_ground);
    if paints_ground {
        canvas.begin(0, Role::Walkable);
    }
    // The uppermost layer comes first in the file, and is painted last.
    for grid in known.iter().rev() {
        grid.paint(&mut canvas, paints_ground)?;
    }
    for grid in ground() {
        grid.note_unknown(&mut unknown);
    }
    unknown.warn(&mut warnings, |values| Warning::Values {
        values,
        expected: examples,
    });
    Ok(Read {
        grid: canvas.into_grid()?,
        cell_side: first.grid_size.max(1),
        shifted,
        warnings,
    })
}

/// Returns the layers with a meaning, and warns of others that are no entities.
fn known<'l>(
    layers: &'l [Layer],
    by_uid: &BTreeMap<i64, &'l LayerDefinition>,
    names: &EditorNames,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<IntGrid<'l>>, Problem> {
    let (mut known, mut others) = (Vec::new(), Names::default());
    for layer in layers.iter().filter(|layer| layer.kind != "Entities") {
        let definition = by_uid.get(&layer.definition).copied();
        let grid = match layer.kind.as_str() {
            "IntGrid" => IntGrid::of(layer, definition, names)?,
            _ => None,
        };
        match grid {
            Some(grid) => known.push(grid),
            None => others.add(format_args!(
                "{} layer '{}'",
                quoted(&layer.kind),
                quoted(&layer.identifier)
            )),
        }
    }
    others.warn(warnings, |layers| Warning::Layers {
        layers,
        hint: "an IntGrid layer gets one by the names of its values, such as 'wall', and the tag \
               'nav_ignore' of a layer silences this",
    });
    Ok(known)
}

fn size(layer: &Layer) -> Result<Size, Problem> {
    let side = |side, found: i64| match u16::try_from(found) {
        Ok(cells @ 1..=Grid::SIDE_MAX) => Ok(cells),
        _ => Err(Problem::Value(format!(
            "layer '{}': {side} {found} is out of range; expected 1 to {}",
            quoted(&layer.identifier),
            Grid::SIDE_MAX
        ))),
    };
    let width = side("width", layer.width)?;
    Ok(Size::new(width, side("height", layer.height)?))
}
