//! A world without end: chunks made from their coordinates, and a map as a window over those around
//! a player.

use bevy_ecs::prelude::*;
use nav::{
    maps::shift_map,
    nav_grid::{
        Area, GridError,
        map::{EditError, Shift},
    },
    prelude::*,
};
use nav_behaviour::Home;
use std::collections::{BTreeMap, BTreeSet};

/// Columns and rows of a chunk: those of a tile, by which windows move.
pub const SIDE: i32 = 64;

/// Chunks of the window in a row: with 16 the window moves every five chunks, and takes
/// 130 KB.
const WINDOW: i32 = 16;

/// Chunks beyond that of the player that are loaded: two, so that 128 cells around the player are
/// there.
const NEAR: i32 = 2;

/// Chunks beyond that of the player from which on they are shut: one more, so that a player who
/// walks to and fro over a border loads nothing twice.
const FAR: i32 = 3;

/// A chunk, by its column and row in the world.
pub type Chunk = (i32, i32);

/// A place in the world, in cells.
pub type Place = (i32, i32);

/// A hunter: it chases the player, and is kept wherever it is.
#[derive(Component)]
pub struct Hunter;

/// The player around whom the world is loaded.
#[derive(Component)]
pub struct Player;

/// The world, as far as it is loaded.
#[derive(Resource)]
pub struct Endless {
    /// The map that is the window.
    pub map: Entity,
    /// The chunk at its upper left.
    pub origin: Chunk,
    open: BTreeSet<Chunk>,
    /// The places of hunters on chunks that were shut, by chunk.
    pub away: BTreeMap<Chunk, Vec<Place>>,
    /// Chunks loaded so far.
    pub loaded: u32,
    /// Chunks shut so far.
    pub shut: u32,
    /// Moves of the window so far.
    pub moves: u32,
}

impl Endless {
    /// Spawns the map and the player in the middle of chunk 0,0, and loads the chunks around.
    ///
    /// # Errors
    ///
    /// None with these sizes.
    pub fn begin(world: &mut World) -> Result<Entity, BevyError> {
        let side = (WINDOW * SIDE) as u16;
        let map = world.spawn(NavMap::new(Grid::blocked(side, side)?)).id();
        let origin = (-WINDOW / 2, -WINDOW / 2);
        world.insert_resource(Self {
            map,
            origin,
            open: BTreeSet::new(),
            away: BTreeMap::new(),
            loaded: 0,
            shut: 0,
            moves: 0,
        });
        let at = CellPosition::at(world.resource::<Self>().cell((34, 34)));
        let player = world.spawn((Player, OnMap(map), at)).id();
        keep_window(world)?;
        // At load. Later the plugin does it by the budget of its ticks.
        let mut window = world.get_mut::<NavMap>(map).ok_or("the map is gone")?;
        window.prepare(Rules::default());
        Ok(player)
    }

    /// The place of a cell of the map.
    pub fn place(&self, cell: Cell) -> Place {
        let (column, row) = self.origin;
        let (x, y) = (i32::from(cell.x), i32::from(cell.y));
        (column * SIDE + x, row * SIDE + y)
    }

    /// The cell of a place in the window.
    pub fn cell(&self, (x, y): Place) -> Cell {
        let (column, row) = self.origin;
        Cell::new((x - column * SIDE) as u16, (y - row * SIDE) as u16)
    }

    /// The area of a chunk in the window.
    fn area(&self, (column, row): Chunk) -> Area {
        let first = self.cell((column * SIDE, row * SIDE));
        let last = Cell::new(first.x + SIDE as u16 - 1, first.y + SIDE as u16 - 1);
        Area::new(first, last)
    }
}

/// The chunk of a place.
pub const fn chunk_of((x, y): Place) -> Chunk {
    (x.div_euclid(SIDE), y.div_euclid(SIDE))
}

/// How many chunks lie between two, along rows or columns.
const fn apart(one: Chunk, other: Chunk) -> i32 {
    let (dx, dy) = (one.0.abs_diff(other.0), one.1.abs_diff(other.1));
    (if dx > dy { dx } else { dy }) as i32
}

/// Makes the ground of a chunk: blocks of 2×2 cells on a lattice, so that there is always a way
/// between them.
fn make((column, row): Chunk) -> Result<Grid, GridError> {
    Grid::from_fn(SIDE as u16, SIDE as u16, |cell| {
        let (x, y) = (i32::from(cell.x) / 4, i32::from(cell.y) / 4);
        // A hash of the block, as good as any.
        let block = (column * 16 + x).wrapping_mul(0x2545_F491)
            ^ (row * 16 + y).wrapping_mul(0x9E37_79B1_u32 as i32);
        let is_lane = cell.x % 4 > 1 || cell.y % 4 > 1;
        is_lane || (block ^ block >> 13).wrapping_mul(0x5BD1) >> 7 & 3 != 0
    })
}

/// Keeps the window around the player: shuts chunks behind, moves the map once the player comes
/// near its edge, and loads chunks ahead. Run it before the plugin's systems.
///
/// # Errors
///
/// None while the player is on the map.
pub fn keep_window(world: &mut World) -> Result {
    let mut players = world.query_filtered::<&CellPosition, With<Player>>();
    let cell = players.single(world)?.cell;
    let here = chunk_of(world.resource::<Endless>().place(cell));
    shut_behind(world, here)?;
    move_window(world, here)?;
    load_ahead(world, here)
}

/// Shuts the chunks that are far from the player. Hunters there are put away, villagers are made
/// again.
fn shut_behind(world: &mut World, here: Chunk) -> Result {
    let open = world.resource::<Endless>().open.iter();
    let far: Vec<Chunk> = open
        .copied()
        .filter(|&chunk| apart(chunk, here) > FAR)
        .collect();
    for chunk in far {
        let area = world.resource::<Endless>().area(chunk);
        let mut agents =
            world.query_filtered::<(Entity, &CellPosition, Has<Hunter>), With<Chaser>>();
        let on_it = agents
            .iter(world)
            .filter(|(_, at, _)| area.contains(at.cell));
        let on_it: Vec<(Entity, Cell, bool)> = on_it
            .map(|(agent, at, is_hunter)| (agent, at.cell, is_hunter))
            .collect();
        for (agent, cell, is_hunter) in on_it {
            world.despawn(agent);
            let mut endless = world.resource_mut::<Endless>();
            let place = endless.place(cell);
            if is_hunter {
                endless.away.entry(chunk).or_default().push(place);
            }
        }
        let mut endless = world.resource_mut::<Endless>();
        endless.open.remove(&chunk);
        endless.shut += 1;
        let map = endless.map;
        edit(world, map, |map| map.set_walkable(area, false))?;
    }
    Ok(())
}

/// Moves the window so that the player is in its middle, if chunks around would be outside.
fn move_window(world: &mut World, here: Chunk) -> Result {
    let endless = world.resource::<Endless>();
    let (map, origin) = (endless.map, endless.origin);
    let (column, row) = (here.0 - origin.0, here.1 - origin.1);
    let inner = FAR..WINDOW - FAR;
    if inner.contains(&column) && inner.contains(&row) {
        return Ok(());
    }
    let by = (column - WINDOW / 2, row - WINDOW / 2);
    shift_map(world, map, Shift::new(by.0 as i16, by.1 as i16))?;
    let mut endless = world.resource_mut::<Endless>();
    endless.origin = (origin.0 + by.0, origin.1 + by.1);
    endless.moves += 1;
    Ok(())
}

/// Loads the chunks near the player, with a villager at home in each and the hunters that were put
/// away there.
fn load_ahead(world: &mut World, here: Chunk) -> Result {
    for column in here.0 - NEAR..=here.0 + NEAR {
        for row in here.1 - NEAR..=here.1 + NEAR {
            let chunk = (column, row);
            let mut endless = world.resource_mut::<Endless>();
            if !endless.open.insert(chunk) {
                continue;
            }
            endless.loaded += 1;
            let (map, first) = (endless.map, endless.area(chunk).first());
            let away = endless.away.remove(&chunk).unwrap_or_default();
            let ground = make(chunk)?;
            edit(world, map, |map| map.paste(first, &ground))?;
            let home = Cell::new(first.x + 2, first.y + 2);
            let villager = (Chaser::default(), Home(home), OnMap(map));
            world.spawn((villager, CellPosition::at(home)));
            for place in away {
                hunt(world, place)?;
            }
        }
    }
    Ok(())
}

/// Spawns a hunter of the player.
///
/// # Errors
///
/// When there is no player.
pub fn hunt(world: &mut World, place: Place) -> Result<Entity, BevyError> {
    let player = world
        .query_filtered::<Entity, With<Player>>()
        .single(world)?;
    let endless = world.resource::<Endless>();
    let at = CellPosition::at(endless.cell(place));
    // As quick as the player, a cell a tick, and never at rest for long.
    let pace = MoveTimer {
        chasing: std::time::Duration::from_millis(50).into(),
        ..MoveTimer::default()
    };
    let hunter = (Hunter, Chaser::default(), pace, Chasing(player));
    Ok(world.spawn((hunter, OnMap(endless.map), at)).id())
}

/// Moves the player a cell along the lanes between blocks: three chunks to the east, three to the
/// south.
///
/// # Errors
///
/// When there is no player.
pub fn walk(world: &mut World) -> Result {
    let mut players = world.query_filtered::<&CellPosition, With<Player>>();
    let cell = players.single(world)?.cell;
    let (x, y) = world.resource::<Endless>().place(cell);
    let leg = 3 * SIDE;
    // Along a staircase: where columns have got ahead of rows, go down.
    let goes_east = (x - 34).div_euclid(leg) <= (y - 34).div_euclid(leg);
    let next = if goes_east { (x + 1, y) } else { (x, y + 1) };
    let next = world.resource::<Endless>().cell(next);
    let mut players = world.query_filtered::<&mut CellPosition, With<Player>>();
    players.single_mut(world)?.cell = next;
    Ok(())
}

fn edit(
    world: &mut World,
    map: Entity,
    change: impl FnOnce(&mut NavMap) -> Result<u32, EditError>,
) -> Result {
    let mut map = world.get_mut::<NavMap>(map).ok_or("the map is gone")?;
    change(&mut map)?;
    Ok(())
}
