//! Grids from the layers and objects of Tiled maps.

use super::{
    data::{self, Shape},
    error::{TiledError, TiledProblem, place},
    left_out, links,
    model::{TileLayer, TiledMap, Tileset, Value},
    objects,
    options::Options,
    templates,
    tilesets::{self, Property},
};
use crate::{cell_layer::CellLayer, map_file::MapFile, quote::quoted, warning::Names};
use nav_grid::{Cell, Grid, Size};

/// Highest floor: a map has up to 255.
const FLOOR_MAX: u8 = u8::MAX - 1;

/// Cells that a file of any length may have. A cell takes up to 12 bytes until the grid is done.
///
/// A guess: 2048×2048 cells, which take 48 MiB.
const CELLS_FREE: u64 = 4 << 20;

/// Meaning of the tiles of a layer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Walkable,
    Blocked,
    Cost,
    Numbers(CellLayer),
}

impl Role {
    fn of(layer: &TileLayer<'_>, options: &Options<'_>) -> Result<Option<Self>, TiledProblem> {
        match layer.properties.get("walkable") {
            Some(Value::Bool(true)) => return Ok(Some(Self::Walkable)),
            Some(Value::Bool(false)) => return Ok(Some(Self::Blocked)),
            Some(other) => {
                return Err(TiledProblem::Property {
                    owner: owner(layer),
                    property: "walkable",
                    found: Value::describe(Some(other)),
                    expected: "a bool".to_owned(),
                });
            }
            None => {}
        }
        let roles = [
            (&options.walkable, Self::Walkable),
            (&options.blocked, Self::Blocked),
            (&options.cost, Self::Cost),
            (&options.exits, Self::Numbers(CellLayer::Exits)),
            (&options.terrain, Self::Numbers(CellLayer::Classes)),
            (&options.sight, Self::Numbers(CellLayer::Sight)),
        ];
        let is_name = |name: &String| name.eq_ignore_ascii_case(&layer.name);
        let mut roles = roles.into_iter();
        Ok(roles.find_map(|(names, role)| names.iter().any(is_name).then_some(role)))
    }
}

const COST: Property = Property {
    name: "cost",
    max: Grid::COST_WORST,
    words: &[],
};
/// Properties that tiles and layers may have whatever the layer's role, with what they set.
const ANYWHERE: [(CellLayer, Property); 2] = [
    (
        CellLayer::Classes,
        Property {
            name: "terrain",
            max: CellLayer::Classes.max(),
            words: &[],
        },
    ),
    (
        CellLayer::Sight,
        Property {
            name: "sight",
            max: CellLayer::Sight.max(),
            words: &["ground", "clear", "blocked"],
        },
    ),
];

/// Layer with a known meaning.
struct Known<'l, 'a> {
    layer: &'l TileLayer<'a>,
    /// Role by name or by the property `walkable`.
    role: Option<Role>,
    /// Numbers of all its tiles, by [`ANYWHERE`].
    numbers: [Option<u8>; 2],
    floor: u8,
}

impl<'l, 'a> Known<'l, 'a> {
    /// Returns a layer if it has a meaning.
    fn of(layer: &'l TileLayer<'a>, options: &Options<'_>) -> Result<Option<Self>, TiledProblem> {
        let role = Role::of(layer, options)?;
        let mut numbers = [None; 2];
        for ((_, property), number) in ANYWHERE.into_iter().zip(&mut numbers) {
            if let Some(value) = layer.properties.get(property.name) {
                *number = Some(property.number(value, || owner(layer))?);
            }
        }
        if role.is_none() && numbers == [None; 2] {
            return Ok(None);
        }
        let floor = floor(layer)?;
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
}

fn owner(layer: &TileLayer<'_>) -> String {
    format!("layer '{}'", quoted(&layer.name))
}

/// Contents of the layers of a floor, a byte per cell in reading order. Empty without such a layer.
#[derive(Default)]
struct Floor {
    ground: Vec<u8>,
    walls: Vec<u8>,
    costs: Vec<u8>,
    /// Numbers by [`CellLayer`].
    numbers: [Vec<u8>; CellLayer::ALL.len()],
}

impl Floor {
    /// Returns the list for a role, and what it has for cells without a tile.
    fn list(&mut self, role: Role) -> (&mut Vec<u8>, u8) {
        match role {
            Role::Walkable => (&mut self.ground, 0),
            Role::Blocked => (&mut self.walls, 0),
            Role::Cost => (&mut self.costs, 1),
            Role::Numbers(layer) => (&mut self.numbers[layer as usize], layer.unsaid()),
        }
    }

    /// Sets a cell. The first one allocates the list, so that an empty or broken layer takes little
    /// memory.
    fn put(&mut self, size: Size, role: Role, cell: Cell, value: u8) {
        let (cells, unsaid) = self.list(role);
        if cells.is_empty() {
            cells.resize(area(size), unsaid);
        }
        if let Some(place) = cells.get_mut(index(size, cell)) {
            *place = value;
        }
    }
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
    map.layers.retain(|layer| !layer.ignored);
    map.objects.retain(|object| !object.ignored);
    let (width, height) = check(&map).map_err(|problem| at(problem, map.offset))?;
    open_files(&mut map, options)?;

    let mut known = Vec::new();
    let (mut decoration, mut shifted) = (Names::default(), Names::default());
    for layer in &map.layers {
        let found = Known::of(layer, options).map_err(|problem| at(problem, layer.offset))?;
        let Some(found) = found else {
            decoration.add(format_args!("tile layer '{}'", quoted(&layer.name)));
            continue;
        };
        if layer.shifted {
            shifted.add(format_args!("layer '{}'", quoted(&layer.name)));
        }
        known.push(found);
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
    let found = objects::of(&map, options, size);
    file.objects = found.objects;
    file.warnings = left_out::warnings(map, decoration, shifted, found.warnings, options);
    Ok(file)
}

/// Reads the files that a map refers to.
fn open_files(map: &mut TiledMap<'_>, options: &Options<'_>) -> Result<(), TiledError> {
    templates::open(map, &options.files)?;
    tilesets::open(&mut map.tilesets, &options.files)?;
    tilesets::open(&mut map.template_tilesets, &options.files)?;
    map.tilesets.sort_by_key(|tileset| tileset.first_gid);
    tilesets::pass_classes(map)
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
    match &layer.floor {
        Value::Int(floor) if (0..=i64::from(max)).contains(floor) => Ok(*floor as u8),
        other => Err(TiledProblem::Property {
            owner: owner(layer),
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
    let has_layer = |floor| (known.iter()).any(|it| it.floor == floor && it.says_ground());
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
    let mut also: Vec<_> = ANYWHERE.into_iter().zip(known.numbers).collect();
    // Most maps have none of them, and many tiles.
    also.retain(|&((numbers, property), of_layer)| {
        let is_in = |tileset: &Tileset| tileset.values.contains_key(property.name);
        let is_said = of_layer.is_some() || tilesets.iter().any(is_in);
        is_said && known.role != Some(Role::Numbers(numbers))
    });
    data::tiles(&layer.data, &shape, |cell, gid, flips| {
        if let Some(role) = known.role {
            let value = match role {
                Role::Walkable | Role::Blocked => 1,
                Role::Cost => COST.of_tile(tilesets, layer, cell, gid)?,
                Role::Numbers(CellLayer::Exits) => {
                    let (_, id) = tilesets::local(tilesets, layer, cell, gid)?;
                    let max = CellLayer::Exits.max();
                    let exits = tilesets::in_range(layer, cell, "exits", i64::from(id), max)?;
                    flips.of(exits)
                }
                Role::Numbers(numbers) => {
                    let property = ANYWHERE.iter().find(|(it, _)| *it == numbers);
                    match property {
                        Some((_, property)) => property.of_tile(tilesets, layer, cell, gid)?,
                        None => numbers.unsaid(),
                    }
                }
            };
            floor.put(size, role, cell, value);
        }
        for &((numbers, property), of_layer) in &also {
            let of_tile = property.said_by_tile(tilesets, layer, cell, gid)?;
            if let Some(value) = of_tile.or(of_layer) {
                floor.put(size, Role::Numbers(numbers), cell, value);
            }
        }
        Ok(())
    })?;
    if known.role == Some(Role::Walkable) && floor.ground.is_empty() {
        // A layer of ground without tiles makes the whole floor blocked.
        floor.ground.resize(area(size), 0);
    }
    Ok(())
}

fn area(size: Size) -> usize {
    usize::from(size.width) * usize::from(size.height)
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
    }
    for layer in CellLayer::ALL {
        let lists = || floors.iter().map(|floor| &floor.numbers[layer as usize]);
        if lists().all(Vec::is_empty) {
            continue;
        }
        let mut numbers = Vec::with_capacity(area(size) * floors.len());
        for list in lists() {
            numbers.extend(list);
            numbers.resize(numbers.len() + area(size) - list.len(), layer.unsaid());
        }
        layer
            .set(&mut grid, numbers)
            .map_err(|error| refused(&error))?;
    }
    Ok(grid)
}

/// Returns the cell at an index of [`Floor`]'s lists.
fn cell(size: Size, index: usize) -> Cell {
    let width = usize::from(size.width).max(1);
    Cell::new((index % width) as u16, (index / width) as u16)
}
