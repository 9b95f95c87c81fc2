//! Grids from the layers and objects of Tiled maps.

use super::{
    data::{self, Shape},
    error::{TiledError, TiledProblem, place},
    left_out, links,
    model::{TileLayer, TiledMap, Tileset, Value},
    options::Options,
    tilesets,
};
use crate::{map_file::MapFile, quote::quoted, warning::Names};
use nav_grid::{Cell, Directions, Grid, Size};

/// Highest floor: a map has up to 255.
const FLOOR_MAX: u8 = u8::MAX - 1;

/// Cells that a file of any length may have. A cell takes up to 8 bytes until the grid is done.
///
/// A guess: 2048×2048 cells, which take 32 MiB.
const CELLS_FREE: u64 = 4 << 20;

/// Meaning of the tiles of a layer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Walkable,
    Blocked,
    Cost,
    Exits,
}

impl Role {
    fn of(layer: &TileLayer<'_>, options: &Options<'_>) -> Result<Option<Self>, TiledProblem> {
        let named = |names: &[String]| {
            names
                .iter()
                .any(|name| name.eq_ignore_ascii_case(&layer.name))
        };
        Ok(match layer.walkable {
            Some(Value::Bool(true)) => Some(Self::Walkable),
            Some(Value::Bool(false)) => Some(Self::Blocked),
            Some(other) => {
                return Err(TiledProblem::Property {
                    owner: format!("layer '{}'", quoted(&layer.name)),
                    property: "walkable",
                    found: Value::describe(Some(other)),
                    expected: "a bool".to_owned(),
                });
            }
            None if named(&options.walkable) => Some(Self::Walkable),
            None if named(&options.blocked) => Some(Self::Blocked),
            None if named(&options.cost) => Some(Self::Cost),
            None if named(&options.exits) => Some(Self::Exits),
            None => None,
        })
    }
}

/// Layer with a known meaning.
struct Known<'l, 'a> {
    layer: &'l TileLayer<'a>,
    role: Role,
    floor: u8,
}

/// Contents of the layers of a floor, a byte per cell in reading order. Empty without such a layer.
#[derive(Default)]
struct Floor {
    ground: Vec<u8>,
    walls: Vec<u8>,
    costs: Vec<u8>,
    exits: Vec<u8>,
}

/// Creates the map that a file describes. `bytes` are the file of the map, for line numbers in
/// errors.
pub(crate) fn to_map(
    mut map: TiledMap<'_>,
    bytes: &[u8],
    options: &Options<'_>,
) -> Result<MapFile, TiledError> {
    let at = |problem: TiledProblem, offset: Option<usize>| {
        problem.at(offset.map(|offset| place(bytes, offset)))
    };
    let (width, height) = check(&map).map_err(|problem| at(problem, map.offset))?;
    tilesets::open(&mut map.tilesets, &options.files)?;

    let mut known = Vec::new();
    let (mut decoration, mut shifted) = (Names::default(), Names::default());
    for layer in &map.layers {
        let role = Role::of(layer, options).map_err(|problem| at(problem, layer.offset))?;
        let Some(role) = role else {
            decoration.add(format_args!("tile layer '{}'", quoted(&layer.name)));
            continue;
        };
        if layer.shifted {
            shifted.add(format_args!("layer '{}'", quoted(&layer.name)));
        }
        let floor = floor(layer).map_err(|problem| at(problem, layer.offset))?;
        known.push(Known { layer, role, floor });
    }
    let floors = known
        .iter()
        .map(|it| it.floor)
        .max()
        .map_or(1, |top| top + 1);
    let size = Size::new(width, height).with_floors(floors);
    check_floors(&known, floors, options).map_err(|problem| at(problem, map.offset))?;
    check_cells(&known, size, bytes.len()).map_err(|problem| at(problem, map.offset))?;

    let mut list: Vec<_> = (0..floors).map(|_| Floor::default()).collect();
    for known in &known {
        if let Some(floor) = list.get_mut(usize::from(known.floor)) {
            paint(known, size, &map.tilesets, floor)
                .map_err(|problem| at(problem, known.layer.offset))?;
        }
    }
    let mut grid = grid(size, &list).map_err(|problem| at(problem, map.offset))?;
    let ids: links::Ids<'_> = map.objects.iter().map(|it| (it.id, it)).collect();
    let mut all = Vec::new();
    for object in &map.objects {
        let drawn = links::drawn(object, &map, &ids, options, size);
        all.extend(drawn.map_err(|problem| at(problem, object.offset))?);
    }
    grid.set_links(all.into_iter().flatten())
        .map_err(|error| at(refused(&error), map.offset))?;
    let mut file = MapFile::from(grid);
    file.warnings = left_out::warnings(map, decoration, shifted, options);
    Ok(file)
}

/// Returns the sides of a map, if they are valid for a grid.
fn check(map: &TiledMap<'_>) -> Result<(u16, u16), TiledProblem> {
    if map.infinite {
        return Err(TiledProblem::Infinite);
    }
    if map.orientation != "orthogonal" {
        let found = quoted(&map.orientation);
        return Err(TiledProblem::Orientation { found });
    }
    let side = |side, found| match u16::try_from(found) {
        Ok(cells @ 1..=Grid::SIDE_MAX) => Ok(cells),
        _ => Err(TiledProblem::Side { side, found }),
    };
    let sides = (side("width", map.width)?, side("height", map.height)?);
    if map.tile_width == 0 || map.tile_height == 0 {
        return Err(TiledProblem::TileSize {
            width: map.tile_width,
            height: map.tile_height,
        });
    }
    for layer in &map.layers {
        if (layer.width, layer.height) != (map.width, map.height) {
            return Err(TiledProblem::LayerSize {
                layer: quoted(&layer.name),
                width: layer.width,
                height: layer.height,
                expected: format!("{}x{}", map.width, map.height),
            });
        }
    }
    Ok(sides)
}

fn floor(layer: &TileLayer<'_>) -> Result<u8, TiledProblem> {
    let max = FLOOR_MAX;
    match layer.floor {
        Value::Int(floor) if (0..=i64::from(max)).contains(&floor) => Ok(floor as u8),
        other => Err(TiledProblem::Property {
            owner: format!("layer '{}'", quoted(&layer.name)),
            property: "floor",
            found: Value::describe(Some(other)),
            expected: format!("0 to {max}"),
        }),
    }
}

/// Checks that every floor has a layer. Otherwise a property with many digits would claim memory
/// for empty floors.
fn check_floors(
    known: &[Known<'_, '_>],
    floors: u8,
    options: &Options<'_>,
) -> Result<(), TiledProblem> {
    let has_layer =
        |floor| (known.iter()).any(|known| known.floor == floor && known.role != Role::Exits);
    match (0..floors).find(|&floor| !has_layer(floor)) {
        None => Ok(()),
        Some(floor) => {
            let names = [&options.walkable, &options.blocked, &options.cost];
            let names: Vec<_> = names.into_iter().flatten().map(quoted).collect();
            Err(TiledProblem::NoLayer {
                floor,
                expected: names.join(", "),
            })
        }
    }
}

/// Bounds the number of cells. Only compressed layers can have more cells than bytes.
fn check_cells(
    known: &[Known<'_, '_>],
    size: Size,
    file_length: usize,
) -> Result<(), TiledProblem> {
    let cells = u64::from(size.width) * u64::from(size.height) * u64::from(size.floors);
    let max = CELLS_FREE + file_length as u64;
    if cells > max && known.iter().any(|known| known.layer.data.is_compressed()) {
        return Err(TiledProblem::TooManyCells { cells, max });
    }
    Ok(())
}

/// Adds the tiles of a layer.
fn paint(
    known: &Known<'_, '_>,
    size: Size,
    tilesets: &[Tileset],
    floor: &mut Floor,
) -> Result<(), TiledProblem> {
    let layer = known.layer;
    let shape = Shape {
        name: &layer.name,
        width: size.width,
        height: size.height,
    };
    let (cells, unsaid) = match known.role {
        Role::Walkable => (&mut floor.ground, 0),
        Role::Blocked => (&mut floor.walls, 0),
        Role::Cost => (&mut floor.costs, 1),
        Role::Exits => (&mut floor.exits, Directions::ALL.0),
    };
    // The first tile allocates the floor, so that an empty or broken layer takes little memory.
    let area = usize::from(size.width) * usize::from(size.height);
    let mut put = |cell: Cell, value| {
        if cells.is_empty() {
            cells.resize(area, unsaid);
        }
        if let Some(place) = cells.get_mut(index(size, cell)) {
            *place = value;
        }
    };
    data::tiles(&layer.data, &shape, |cell, gid, flips| {
        let value = match known.role {
            Role::Walkable | Role::Blocked => 1,
            Role::Cost => tilesets::cost(tilesets, layer, cell, gid)?,
            Role::Exits => {
                let (_, id) = tilesets::local(tilesets, layer, cell, gid)?;
                let max = Directions::ALL.0;
                flips.of(tilesets::in_range(
                    layer,
                    cell,
                    "exits",
                    i64::from(id),
                    max,
                )?)
            }
        };
        put(cell, value);
        Ok(())
    })?;
    if known.role == Role::Walkable && cells.is_empty() {
        // A layer of ground without tiles makes the whole floor blocked.
        cells.resize(area, unsaid);
    }
    Ok(())
}

fn index(size: Size, cell: Cell) -> usize {
    usize::from(cell.y) * usize::from(size.width) + usize::from(cell.x)
}

fn refused(found: &dyn std::fmt::Display) -> TiledProblem {
    TiledProblem::Refused {
        found: found.to_string(),
    }
}

fn grid(size: Size, floors: &[Floor]) -> Result<Grid, TiledProblem> {
    let walkable = |cell: Cell| {
        floors.get(usize::from(cell.floor)).is_some_and(|floor| {
            let at = index(size, cell);
            floor.ground.get(at) != Some(&0)
                && floor.walls.get(at).is_none_or(|&wall| wall == 0)
                && floor.costs.get(at) != Some(&0)
        })
    };
    let mut grid = Grid::build(size, walkable).map_err(|error| refused(&error))?;
    for (number, floor) in (0..).zip(floors) {
        for (at, &cost) in floor.costs.iter().enumerate() {
            let cell = cell(size, at).on_floor(number);
            if cost > 1 && grid.is_walkable(cell) {
                grid.set_cost(cell, cost).map_err(|error| refused(&error))?;
            }
        }
        for (at, &exits) in floor.exits.iter().enumerate() {
            if exits != Directions::ALL.0 {
                let cell = cell(size, at).on_floor(number);
                grid.set_exits(cell, Directions(exits))
                    .map_err(|error| refused(&error))?;
            }
        }
    }
    Ok(grid)
}

/// Returns the cell at an index of [`Floor`]'s lists.
fn cell(size: Size, index: usize) -> Cell {
    let width = usize::from(size.width).max(1);
    Cell::new((index % width) as u16, (index / width) as u16)
}
