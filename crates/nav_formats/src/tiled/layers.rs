//! Grids from the layers and objects of Tiled maps.

use super::{
    data::{self, Shape},
    error::{TiledError, TiledProblem, place, quoted},
    links,
    model::{TileLayer, TiledMap, Tileset, Value},
    options::Options,
    tmj, tmx,
};
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
    fn of(layer: &TileLayer<'_>, options: &Options) -> Option<Self> {
        let named = |names: &[String]| {
            names
                .iter()
                .any(|name| name.eq_ignore_ascii_case(&layer.name))
        };
        match layer.walkable {
            Some(true) => Some(Self::Walkable),
            Some(false) => Some(Self::Blocked),
            None if named(&options.walkable) => Some(Self::Walkable),
            None if named(&options.blocked) => Some(Self::Blocked),
            None if named(&options.cost) => Some(Self::Cost),
            None if named(&options.exits) => Some(Self::Exits),
            None => None,
        }
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

/// Creates the grid that a map describes. `bytes` are the file of the map, for line numbers in
/// errors.
pub(crate) fn to_grid(
    mut map: TiledMap<'_>,
    bytes: &[u8],
    options: &Options,
) -> Result<Grid, TiledError> {
    let at = |problem: TiledProblem, offset: Option<usize>| {
        problem.at(offset.map(|offset| place(bytes, offset)))
    };
    let (width, height) = check(&map).map_err(|problem| at(problem, map.offset))?;
    open_tilesets(&mut map.tilesets, options)?;

    let mut known = Vec::new();
    for layer in &map.layers {
        if let Some(role) = Role::of(layer, options) {
            let floor = floor(layer).map_err(|problem| at(problem, layer.offset))?;
            known.push(Known { layer, role, floor });
        }
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
    Ok(grid)
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

/// Reads the costs of the external tilesets that were given.
fn open_tilesets(tilesets: &mut [Tileset], options: &Options) -> Result<(), TiledError> {
    for tileset in tilesets.iter_mut() {
        let Some(source) = tileset.source.take() else {
            continue;
        };
        if let Some(bytes) = options.tileset(&source) {
            let first_gid = tileset.first_gid;
            *tileset = if bytes.trim_ascii_start().starts_with(b"{") {
                tmj::read_tileset(bytes)?
            } else {
                tmx::read_tileset(bytes)?
            };
            tileset.first_gid = first_gid;
        }
        tileset.name = source;
    }
    tilesets.sort_by_key(|tileset| tileset.first_gid);
    Ok(())
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
    options: &Options,
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
    data::tiles(&layer.data, &shape, |cell, gid| {
        let value = match known.role {
            Role::Walkable | Role::Blocked => 1,
            Role::Cost => cost(tilesets, layer, cell, gid)?,
            Role::Exits => {
                let (_, id) = local(tilesets, layer, cell, gid)?;
                value(layer, cell, "exits", i64::from(id), Directions::ALL.0)?
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

/// Returns the tileset of a tile, if the map has any, and the tile's number in it.
fn local<'t>(
    tilesets: &'t [Tileset],
    layer: &TileLayer<'_>,
    cell: Cell,
    gid: u32,
) -> Result<(Option<&'t Tileset>, u32), TiledProblem> {
    let above = tilesets.partition_point(|tileset| tileset.first_gid <= gid);
    match above.checked_sub(1).and_then(|last| tilesets.get(last)) {
        Some(tileset) => Ok((Some(tileset), gid - tileset.first_gid)),
        None if tilesets.is_empty() => Ok((None, gid.saturating_sub(1))),
        None => Err(TiledProblem::UnknownTile {
            layer: quoted(&layer.name),
            cell,
            gid,
        }),
    }
}

fn cost(
    tilesets: &[Tileset],
    layer: &TileLayer<'_>,
    cell: Cell,
    gid: u32,
) -> Result<u8, TiledProblem> {
    let (tileset, id) = local(tilesets, layer, cell, gid)?;
    let cost = match tileset.filter(|tileset| !tileset.costs.is_empty()) {
        None => i64::from(id),
        Some(tileset) => *(tileset.costs.get(&id)).ok_or_else(|| TiledProblem::NoCost {
            layer: quoted(&layer.name),
            cell,
            tile: id,
            tileset: quoted(&tileset.name),
        })?,
    };
    value(layer, cell, "cost", cost, Grid::COST_WORST)
}

fn value(
    layer: &TileLayer<'_>,
    cell: Cell,
    what: &'static str,
    found: i64,
    max: u8,
) -> Result<u8, TiledProblem> {
    match u8::try_from(found) {
        Ok(value) if value <= max => Ok(value),
        _ => Err(TiledProblem::TileValue {
            layer: quoted(&layer.name),
            cell,
            what,
            found,
            max,
        }),
    }
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
