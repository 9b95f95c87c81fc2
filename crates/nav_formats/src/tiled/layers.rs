//! Layers of tiles that have a meaning, and the grid that they make.

use super::{
    model::{Layer, Map},
    tilesets::{Property, TileAt, Tilesets, wrong},
};
use crate::{
    cell_layer::CellLayer,
    editor::{Canvas, Fault, Role, Value, size_of},
    editor_names::{EditorNames, is_among, listed},
    error::{Problem, refuse},
    quote::quoted,
};
use nav_grid::{Grid, Size};
use std::collections::BTreeSet;

/// Highest floor: a map has up to 255.
const FLOOR_MAX: u8 = u8::MAX - 1;

/// Cells that a file of any length may have. A cell takes up to 12 bytes until the grid is done.
///
/// 2048×2048 of them take 48 MiB, so that a short file takes less than the 64 MiB of all readers.
const CELLS_FREE: u64 = 4 << 20;

const COST: Property = Property {
    name: "cost",
    max: Grid::COST_WORST,
    words: &[],
};
const EXITS: Property = Property {
    name: "exits",
    max: CellLayer::Exits.max(),
    words: &[],
};
const TERRAIN: Property = Property {
    name: "terrain",
    max: CellLayer::Classes.max(),
    words: &[],
};
const SIGHT: Property = Property {
    name: "sight",
    max: CellLayer::Sight.max(),
    words: &["ground", "clear", "blocked"],
};

/// Properties that tiles and layers may have whatever the layer's role, with what they set.
const ANYWHERE: [(CellLayer, Property); 2] =
    [(CellLayer::Classes, TERRAIN), (CellLayer::Sight, SIGHT)];

/// Layer with a known meaning.
pub(super) struct Known<'m> {
    layer: &'m Layer<'m>,
    /// Role by name or by the property `walkable`.
    role: Option<Role>,
    /// Numbers of all its tiles, by [`ANYWHERE`].
    numbers: [Option<u8>; 2],
    floor: u8,
}

impl<'m> Known<'m> {
    /// Returns a layer if it has a meaning.
    ///
    /// # Errors
    ///
    /// A property of it has a wrong value.
    pub(super) fn of(layer: &'m Layer<'m>, names: &EditorNames) -> Result<Option<Self>, Problem> {
        let role = role(layer, names)?;
        let mut numbers = [None; 2];
        for ((_, property), number) in ANYWHERE.into_iter().zip(&mut numbers) {
            if let Some(value) = layer.properties.get(property.name) {
                *number = Some(property.number(value, || layer.owner())?);
            }
        }
        if role.is_none() && numbers == [None; 2] {
            return Ok(None);
        }
        let floor = match &layer.around.floor {
            Value::Int(floor) => u8::try_from(*floor).ok(),
            _ => None,
        };
        let floor = floor.filter(|floor| *floor <= FLOOR_MAX).ok_or_else(|| {
            layer.wrong("floor", &layer.around.floor, &format!("0 to {FLOOR_MAX}"))
        })?;
        Ok(Some(Self {
            layer,
            role,
            numbers,
            floor,
        }))
    }

    /// Returns whether the layer says where ground or walls are.
    fn says_ground(&self) -> bool {
        matches!(self.role, Some(Role::Walkable | Role::Blocked | Role::Cost))
    }

    /// Adds the tiles of the layer.
    fn paint(&self, tilesets: &Tilesets, canvas: &mut Canvas) -> Result<(), Problem> {
        let mut also: Vec<_> = ANYWHERE.into_iter().zip(self.numbers).collect();
        // Most maps have none of them, and many tiles.
        also.retain(|&((numbers, property), of_layer)| {
            self.role != Some(Role::Numbers(numbers))
                && (of_layer.is_some() || tilesets.of_map.iter().any(|it| it.says(property)))
        });
        let layer = self.layer;
        layer.tiles(self.floor, |cell, gid, flips| {
            let tile = TileAt {
                tilesets,
                layer,
                cell,
                gid,
            };
            if let Some(role) = self.role {
                let value = match role {
                    Role::Walkable | Role::Blocked => 1,
                    Role::Cost => tile.number(COST)?,
                    Role::Numbers(CellLayer::Exits) => {
                        let (_, id) = tile.local()?;
                        flips.of(tile.in_range(EXITS, id.into())?)
                    }
                    Role::Numbers(CellLayer::Classes) => tile.number(TERRAIN)?,
                    Role::Numbers(CellLayer::Sight) => tile.number(SIGHT)?,
                };
                canvas.put(role, cell, value);
            }
            for &((numbers, property), of_layer) in &also {
                if let Some(value) = tile.own_number(property)?.or(of_layer) {
                    canvas.put(Role::Numbers(numbers), cell, value);
                }
            }
            Ok(())
        })?;
        if self.role == Some(Role::Walkable) {
            // A layer of ground without tiles makes the whole floor blocked.
            canvas.begin(self.floor, Role::Walkable);
        }
        Ok(())
    }
}

impl Layer<'_> {
    fn owner(&self) -> String {
        format!("layer '{}'", quoted(&self.name))
    }

    /// Returns the problem of a property that is not what is expected.
    pub(super) fn wrong(&self, property: &str, value: &Value, expected: &str) -> Problem {
        wrong(&self.owner(), property, value, expected)
    }
}

/// Returns the role of a layer by its property `walkable` or its name.
fn role(layer: &Layer<'_>, names: &EditorNames) -> Result<Option<Role>, Problem> {
    match layer.properties.get("walkable") {
        Some(Value::Bool(true)) => return Ok(Some(Role::Walkable)),
        Some(Value::Bool(false)) => return Ok(Some(Role::Blocked)),
        Some(other) => return Err(layer.wrong("walkable", other, "a bool")),
        None => {}
    }
    let roles = [
        (&names.walkable, Role::Walkable),
        (&names.blocked, Role::Blocked),
        (&names.cost, Role::Cost),
        (&names.exits, Role::Numbers(CellLayer::Exits)),
        (&names.terrain, Role::Numbers(CellLayer::Classes)),
        (&names.sight, Role::Numbers(CellLayer::Sight)),
    ];
    let mut roles = roles.into_iter();
    Ok(roles.find_map(|(names, role)| is_among(&layer.name, names).then_some(role)))
}

/// Returns the sides of a map, if they are valid for a grid.
///
/// # Errors
///
/// The map is infinite, not orthogonal or too large, or a layer has another size.
pub(super) fn check(map: &Map<'_>, tile_layers: &[Layer<'_>]) -> Result<Size, Problem> {
    if map.infinite {
        refuse!(
            Unsupported,
            "the map is infinite; expected one of fixed size (a check box in Map Properties)"
        );
    }
    if map.orientation != "orthogonal" {
        let found = quoted(&map.orientation);
        refuse!(Unsupported, "orientation '{found}'; expected 'orthogonal'");
    }
    let (width, height) = (map.width, map.height);
    let size = size_of("", width.into(), height.into())?;
    if map.tilewidth == 0 || map.tileheight == 0 {
        refuse!(
            Value,
            "tiles of {}x{} pixels; expected at least 1x1",
            map.tilewidth,
            map.tileheight
        );
    }
    for layer in tile_layers {
        let (owner, found) = (layer.owner(), (layer.width, layer.height));
        if found != (width, height) {
            let (x, y) = found;
            refuse!(
                Value,
                "{owner} is {x}x{y}, expected the map's {width}x{height}"
            );
        }
    }
    Ok(size)
}

/// Makes the grid of a file of `length` bytes.
///
/// # Errors
///
/// A floor has no layer, compressed layers have too many cells, or a layer is invalid; with its
/// offset.
pub(super) fn grid(
    size: Size,
    known: &[Known<'_>],
    tilesets: &Tilesets,
    names: &EditorNames,
    length: usize,
) -> Result<Grid, Fault> {
    let top = known.iter().map(|it| it.floor).max().unwrap_or(0);
    let size = size.with_floors(top + 1);
    // Otherwise a property with many digits would claim memory for empty floors.
    let grounds: BTreeSet<u8> = (known.iter())
        .filter_map(|it| it.says_ground().then_some(it.floor))
        .collect();
    if let Some(floor) = (0..=top).find(|floor| !grounds.contains(floor)) {
        let names = listed(&[&names.walkable, &names.blocked, &names.cost]);
        let sentence = format!("floor {floor} has no layer of tiles; expected one named {names}");
        return Err((Problem::Value(sentence), None));
    }
    // Only compressed layers can have more cells than bytes.
    let (cells, most) = (size.cells(), CELLS_FREE + length as u64);
    if cells > most && known.iter().any(|known| known.layer.is_compressed()) {
        let sentence = format!(
            "{cells} cells on all floors; expected up to {most} where layers are compressed"
        );
        return Err((Problem::TooMuch(sentence), None));
    }
    let mut canvas = Canvas::new(size);
    for known in known {
        (known.paint(tilesets, &mut canvas)).map_err(|problem| (problem, known.layer.offset))?;
    }
    canvas.into_grid().map_err(|problem| (problem, None))
}
