//! Grid of a level, from its `IntGrid` layers.

use super::model::{Layer, LayerDefinition};
use crate::{
    cell_layer::{CellLayer, cell_at},
    editor::{Canvas, LeftOut, Role, size_of},
    editor_names::{EditorNames, is_among, listed},
    error::{Problem, refuse},
    quote::quoted,
    warning::{Names, Warning},
};
use nav_grid::{Cell, Grid, map::Sight};
use std::collections::BTreeMap;

/// The result of reading the layers of a level.
pub(super) struct Read {
    pub(super) grid: Grid,
    /// Side of a cell in pixels.
    pub(super) cell_side: i64,
    pub(super) left_out: LeftOut,
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
    let mut costs = names.costs.iter();
    let digits = name.trim_start_matches(|it: char| !it.is_ascii_digit());
    let stem = name[..name.len() - digits.len()].trim_end_matches(['_', ' ', '-']);
    let cost = if let Some((_, &cost)) = costs.find(|(it, _)| it.eq_ignore_ascii_case(name)) {
        u64::from(cost)
    } else if is_among(name, &names.walkable) {
        return Ok(Some(Meaning::Ground));
    } else if is_among(name, &names.blocked) {
        return Ok(Some(Meaning::Wall));
    } else if let (true, Ok(cost)) = (is_among(stem, &names.cost), digits.parse()) {
        cost
    } else {
        return Ok(None);
    };
    let (name, most) = (quoted(name), Grid::COST_WORST);
    match u8::try_from(cost) {
        Ok(0) => Ok(Some(Meaning::Wall)),
        Ok(cost) if cost <= most => Ok(Some(Meaning::Cost(cost))),
        _ => refuse!(
            Value,
            "value '{name}': cost {cost} is out of range; expected 0 to {most}"
        ),
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
                    refuse!(
                        Value,
                        "layer '{}': value '{}' is only a terrain class there; rename it, or the layer",
                        quoted(&layer.identifier),
                        quoted(name)
                    );
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
            refuse!(
                Value,
                "layer '{name}' has {width}x{height} cells, expected {}x{} as in the layers above it",
                first.width,
                first.height
            );
        }
        let (found, expected) = (layer.values.len() as i64, width * height);
        if found != expected {
            refuse!(
                Value,
                "layer '{name}' has {found} values, expected {expected}"
            );
        }
        Ok(())
    }

    /// Paints ground, walls and costs, or classes or sight, over what is there.
    fn paint(&self, canvas: &mut Canvas, has_ground: bool) -> Result<(), Problem> {
        let painted = self.layer.values.iter().enumerate();
        for (index, &value) in painted.filter(|(_, value)| **value != 0) {
            let cell = cell_at(self.layer.width as u16, index);
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

    /// Returns a value with its name, for messages.
    fn describe(&self, value: i32) -> String {
        match self.name(value) {
            Some(name) => format!("{value} '{}'", quoted(name)),
            None => value.to_string(),
        }
    }

    fn wrong(&self, sets: CellLayer, cell: Cell, value: i32) -> Problem {
        let (layer, value) = (quoted(&self.layer.identifier), self.describe(value));
        let expected = match sets {
            CellLayer::Sight => "one named clear or blocked, or 1 or 2 without a name",
            _ => "1 to 15",
        };
        Problem::Value(format!(
            "layer '{layer}', cell {cell}: value {value}; expected {expected}"
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
            let value = self.describe(value);
            unknown.add(format_args!("{value} of layer '{layer}' in {count} cells"));
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
    let mut left_out = LeftOut::default();
    let known = known(layers, by_uid, names, &mut left_out.about_layers)?;
    let examples = listed(&[&names.walkable, &names.blocked]);
    let ground = known.iter().filter(|grid| grid.sets.is_none());
    let Some(IntGrid { layer: first, .. }) = ground.clone().next() else {
        refuse!(
            Value,
            "level '{level}' has no IntGrid layer with a known value; expected values with names \
             such as {examples}"
        );
    };
    let owner = format!("layer '{}': ", quoted(&first.identifier));
    let mut canvas = Canvas::new(size_of(&owner, first.width, first.height)?);
    let mut unknown = Names::default();
    for grid in &known {
        grid.check(first)?;
        if [grid.layer.offset_x, grid.layer.offset_y] != [0, 0] {
            (left_out.shifted).add(format_args!("layer '{}'", quoted(&grid.layer.identifier)));
        }
    }
    let paints_ground = ground.clone().any(IntGrid::paints_ground);
    if paints_ground {
        canvas.begin(0, Role::Walkable);
    }
    // The uppermost layer comes first in the file, and is painted last.
    for grid in known.iter().rev() {
        grid.paint(&mut canvas, paints_ground)?;
    }
    for grid in ground {
        grid.note_unknown(&mut unknown);
    }
    unknown.warn(&mut left_out.about_layers, |values| Warning::Values {
        values,
        expected: examples,
    });
    Ok(Read {
        grid: canvas.into_grid()?,
        cell_side: first.grid_size.max(1),
        left_out,
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
