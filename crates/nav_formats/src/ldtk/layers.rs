//! Grids from the `IntGrid` layers of a level.

use super::{
    links,
    model::{Definitions, Layer, LayerDefinition},
    numbers, objects,
    options::Options,
    problem::LdtkProblem,
};
use crate::{
    cell_layer::CellLayer,
    map_file::MapFile,
    quote::quoted,
    warning::{Names, Warning},
};
use nav_grid::{Grid, Size};
use std::collections::BTreeMap;

/// Meaning of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Wall,
    Ground,
    Cost(u8),
}

impl Meaning {
    /// Returns the meaning of a name, if it has one.
    pub(super) fn of(name: &str, options: &Options<'_>) -> Result<Option<Self>, LdtkProblem> {
        let named = |names: &[String]| names.iter().any(|it| it.eq_ignore_ascii_case(name));
        let own = options.costs.iter();
        let mut own = own.filter(|(it, _)| it.eq_ignore_ascii_case(name));
        if let Some((_, &cost)) = own.next() {
            return Self::of_cost(name, cost.into()).map(Some);
        }
        if named(&options.walkable) {
            return Ok(Some(Self::Ground));
        }
        if named(&options.blocked) {
            return Ok(Some(Self::Wall));
        }
        let digits = name.trim_start_matches(|it: char| !it.is_ascii_digit());
        let stem = name[..name.len() - digits.len()].trim_end_matches(['_', ' ', '-']);
        match digits.parse() {
            Ok(cost) if options.cost.iter().any(|it| it.eq_ignore_ascii_case(stem)) => {
                Self::of_cost(name, cost).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn of_cost(name: &str, found: u64) -> Result<Self, LdtkProblem> {
        match u8::try_from(found) {
            Ok(0) => Ok(Self::Wall),
            Ok(cost) if cost <= Grid::COST_WORST => Ok(Self::Cost(cost)),
            _ => Err(LdtkProblem::Cost {
                value: quoted(name),
                found,
            }),
        }
    }
}

/// Layer with known values.
struct Known<'l> {
    layer: &'l Layer,
    /// Meanings and names of the values that the project defines.
    values: BTreeMap<i64, (Option<Meaning>, String)>,
    /// Meaning of values without a name.
    unnamed: Option<Meaning>,
}

impl<'l> Known<'l> {
    /// Looks up the values of a layer. `None` if none has a meaning.
    fn of(
        layer: &'l Layer,
        definition: Option<&LayerDefinition>,
        options: &Options<'_>,
    ) -> Result<Option<Self>, LdtkProblem> {
        let unnamed = Meaning::of(&layer.identifier, options)?;
        let mut values = BTreeMap::new();
        for value in definition.map_or(&[][..], |it| &it.int_grid_values) {
            if let Some(name) = value.identifier.as_deref().filter(|name| !name.is_empty()) {
                values.insert(value.value, (Meaning::of(name, options)?, quoted(name)));
            }
        }
        let is_known = unnamed.is_some() || values.values().any(|(meaning, _)| meaning.is_some());
        Ok(is_known.then_some(Self {
            layer,
            values,
            unnamed,
        }))
    }

    fn meaning(&self, value: i32) -> Option<Meaning> {
        match self.values.get(&i64::from(value)) {
            Some(&(meaning, _)) => meaning,
            None => self.unnamed,
        }
    }

    /// Returns whether a value of the layer means ground.
    fn paints_ground(&self) -> bool {
        let named = self.values.values().map(|&(meaning, _)| meaning);
        // Values without a name count if the layer is painted with them.
        let mut unnamed = (self.layer.values.iter())
            .filter(|&&value| value != 0 && !self.values.contains_key(&i64::from(value)));
        let by_layer = (self.unnamed == Some(Meaning::Ground) && unnamed.next().is_some())
            .then_some(Meaning::Ground);
        named
            .chain([by_layer])
            .any(|it| it == Some(Meaning::Ground))
    }
}

/// Creates the map of a level.
pub(super) fn to_map(
    level: &str,
    mut layers: Vec<Layer>,
    definitions: &Definitions,
    options: &Options<'_>,
) -> Result<MapFile, LdtkProblem> {
    let (mut known, mut numbered) = (Vec::new(), Vec::new());
    let (mut others, mut shifted) = (Names::default(), Names::default());
    let by_uid: BTreeMap<i64, &LayerDefinition> =
        (definitions.layers.iter()).map(|it| (it.uid, it)).collect();
    layers.retain(|layer| {
        let definition = by_uid.get(&layer.definition);
        definition.is_none_or(|definition| !definition.is_ignored)
    });
    for layer in &layers {
        let values = match layer.kind.as_str() {
            "Entities" => continue,
            "IntGrid" => {
                let definition = by_uid.get(&layer.definition).copied();
                if let Some(sets) = numbers::named(layer, options) {
                    numbered.push((layer, sets, definition));
                    continue;
                }
                Known::of(layer, definition, options)?
            }
            _ => None,
        };
        match values {
            Some(values) => known.push(values),
            None => others.add(format_args!(
                "{} layer '{}'",
                quoted(&layer.kind),
                quoted(&layer.identifier)
            )),
        }
    }
    let Some(first) = known.first() else {
        return Err(LdtkProblem::NoMeaning {
            level: level.to_owned(),
            expected: names(options),
        });
    };
    let size = size(first.layer)?;
    let grid_size = first.layer.grid_size.max(1);
    let in_use = known.iter().map(|known| known.layer);
    for layer in in_use.chain(numbered.iter().map(|(layer, ..)| *layer)) {
        check(layer, first.layer)?;
        if [layer.offset_x, layer.offset_y] != [0, 0] {
            shifted.add(format_args!("layer '{}'", quoted(&layer.identifier)));
        }
    }
    let paints_ground = known.iter().any(Known::paints_ground);
    let costs = paint(&known, size, paints_ground);
    let mut unknown = Names::default();
    for known in &known {
        note_unknown(known, &mut unknown);
    }
    let mut grid = Grid::from_cost_bytes(size, costs).map_err(|error| refused(&error))?;
    for set in [CellLayer::Classes, CellLayer::Sight] {
        let mut cells = Vec::new();
        // The uppermost layer comes first.
        for &(layer, _, definition) in numbered.iter().filter(|(_, sets, _)| *sets == set) {
            cells.resize(layer.values.len(), set.unsaid());
            numbers::paint(layer, set, definition, options, &mut cells)?;
        }
        (set.set(&mut grid, cells)).map_err(|error| refused(&error))?;
    }
    let links = links::of(&layers, size, grid_size, options)?;
    grid.set_links(links.links)
        .map_err(|error| refused(&error))?;

    let mut map = MapFile::from(grid);
    let warnings = &mut map.warnings;
    warnings.extend(others.some().map(|layers| Warning::Layers {
        layers,
        hint: "an IntGrid layer gets one by the names of its values, such as 'wall', and the tag \
               'nav_ignore' of a layer silences this",
    }));
    warnings.extend(unknown.some().map(|values| Warning::Values {
        values,
        expected: names(options),
    }));
    let objects = objects::of(layers, size, grid_size, options)?;
    warnings.extend(objects.warnings);
    shifted.append(links.shifted);
    shifted.append(objects.shifted);
    let shifted = shifted.some();
    warnings.extend(shifted.map(|parts| Warning::Shifted { parts }));
    let properties = links.properties.some();
    warnings.extend(properties.map(|properties| Warning::Properties { properties }));
    Ok(map.with_objects(objects.objects))
}

fn refused(found: &dyn std::fmt::Display) -> LdtkProblem {
    LdtkProblem::Refused {
        found: found.to_string(),
    }
}

/// Returns names with a meaning, for messages.
fn names(options: &Options<'_>) -> String {
    let names = [&options.walkable, &options.blocked];
    let names: Vec<_> = names.into_iter().flatten().map(quoted).collect();
    names.join(", ")
}

fn size(layer: &Layer) -> Result<Size, LdtkProblem> {
    let side = |side, found: i64| match u16::try_from(found) {
        Ok(cells @ 1..=Grid::SIDE_MAX) => Ok(cells),
        _ => Err(LdtkProblem::Side {
            layer: quoted(&layer.identifier),
            side,
            found,
        }),
    };
    Ok(Size::new(
        side("width", layer.width)?,
        side("height", layer.height)?,
    ))
}

/// Checks that a layer has the size of the first one, and as many values.
fn check(layer: &Layer, first: &Layer) -> Result<(), LdtkProblem> {
    let sides = |it: &Layer| format!("{}x{}", it.width, it.height);
    if (layer.width, layer.height) != (first.width, first.height) {
        return Err(LdtkProblem::LayerSize {
            layer: quoted(&layer.identifier),
            found: sides(layer),
            expected: sides(first),
        });
    }
    let size = size(layer)?;
    let expected = usize::from(size.width) * usize::from(size.height);
    if layer.values.len() != expected {
        return Err(LdtkProblem::ValueCount {
            layer: quoted(&layer.identifier),
            found: layer.values.len(),
            expected,
        });
    }
    Ok(())
}

/// Returns the step cost of each cell, 0 for a wall, in reading order.
fn paint(known: &[Known<'_>], size: Size, paints_ground: bool) -> Vec<u8> {
    // Ground that no layer has painted yet.
    const UNPAINTED: u8 = u8::MAX;
    let area = usize::from(size.width) * usize::from(size.height);
    let mut cells = vec![UNPAINTED; area];
    // The uppermost layer comes first.
    for known in known {
        for (cell, &value) in cells.iter_mut().zip(&known.layer.values) {
            let meaning = if value == 0 {
                None
            } else {
                known.meaning(value)
            };
            match meaning {
                Some(Meaning::Wall) => *cell = 0,
                Some(Meaning::Cost(cost)) if matches!(*cell, UNPAINTED | 1) => *cell = cost,
                Some(Meaning::Ground) if *cell == UNPAINTED => *cell = 1,
                _ => {}
            }
        }
    }
    let empty = u8::from(!paints_ground);
    for cell in cells.iter_mut().filter(|cell| **cell == UNPAINTED) {
        *cell = empty;
    }
    cells
}

/// Notes the values of a layer that have no meaning.
fn note_unknown(known: &Known<'_>, unknown: &mut Names) {
    let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
    for &value in &known.layer.values {
        if value != 0 && known.meaning(value).is_none() {
            *counts.entry(value).or_default() += 1;
        }
    }
    for (value, count) in counts {
        let name = match known.values.get(&i64::from(value)) {
            Some((_, name)) => format!(" '{name}'"),
            None => String::new(),
        };
        let layer = quoted(&known.layer.identifier);
        unknown.add(format_args!(
            "{value}{name} of layer '{layer}' in {count} cells"
        ));
    }
}
