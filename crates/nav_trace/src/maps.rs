//! Changes that a game made to maps: found by comparing with a copy, and repeated.

use crate::{
    numbers::Numbers,
    record::{MapChange, MapEdits},
};
use bevy_ecs::{change_detection::Tick, entity_disabling::Disabled, prelude::*, query::Allow};
use nav::NavMap;
use nav_grid::{
    Area, Cell, Directions, Edit, Frame, Grid, Link,
    index::BuiltIndexes,
    map::{Sight, Tile},
    rules::Class,
};
use std::collections::BTreeMap;

/// Copies of all maps at the last look, to compare with.
pub(super) struct MapCopies(BTreeMap<Entity, MapCopy>);

struct MapCopy {
    grid: Grid,
    frame: Frame,
    built: BuiltIndexes,
}

impl MapCopies {
    /// Copies the maps of a world.
    pub(super) fn of(world: &mut World) -> Self {
        let mut maps = world.query_filtered::<(Entity, &NavMap), Allow<Disabled>>();
        let mut copies = BTreeMap::new();
        for (entity, map) in maps.iter(world) {
            copies.insert(entity, MapCopy::of(map));
        }
        Self(copies)
    }

    /// Returns the maps that changed, by number, and updates their copies. `is_news` tells whether
    /// a tick is after the last look.
    ///
    /// # Complexity
    ///
    /// O(1) for a map without writes. Otherwise a pass over the map, 64 cells at a time, and over
    /// the cells of its edited tiles.
    pub(super) fn changes(
        &mut self,
        world: &mut World,
        numbers: &Numbers,
        is_news: impl Fn(Tick) -> bool,
    ) -> Vec<(u32, MapChange)> {
        self.0.retain(|&map, _| world.get::<NavMap>(map).is_some());
        let mut maps = world.query_filtered::<(Entity, Ref<NavMap>), Allow<Disabled>>();
        let mut changed = Vec::new();
        for (entity, map) in maps.iter(world) {
            if is_news(map.last_changed())
                && let Some(number) = numbers.of(entity)
            {
                changed.push((number, self.change(entity, &map, is_news(map.added()))));
            }
        }
        changed.sort_unstable_by_key(|&(number, _)| number);
        changed
    }

    fn change(&mut self, entity: Entity, map: &NavMap, is_added: bool) -> MapChange {
        if !is_added
            && !map.is_new()
            && let Some(copy) = self.0.get_mut(&entity)
            && let Some(edited) = copy.edited(map)
        {
            return MapChange::Edited(edited);
        }
        self.0.insert(entity, MapCopy::of(map));
        let map = Box::new(map.clone());
        MapChange::Other { map, is_added }
    }
}

impl MapCopy {
    fn of(map: &NavMap) -> Self {
        Self {
            grid: map.grid().clone(),
            frame: map.frame().clone(),
            built: map.indexed().built(),
        }
    }

    /// Returns the edits since the copy and updates it. `None` if edits do not explain the map: it
    /// is another one.
    fn edited(&mut self, map: &NavMap) -> Option<MapEdits> {
        let (before, now) = (&self.grid, map.grid());
        if before.size() != now.size() || self.frame != *map.frame() {
            return None;
        }
        let tiles: Vec<Tile> = now.tiles_edited_since(before.version()).collect();
        let ways = now.ways_edited_since(before.version()).collect();
        let mut edits = Vec::new();
        for &tile in &tiles {
            push_edits(before, now, tile, &mut edits);
        }
        for &Link { from, to, .. } in before.links() {
            if now.links_from(from).iter().all(|link| link.to != to) {
                edits.push(Edit::Unlink { from, to });
            }
        }
        for link in now.links() {
            if before.links().binary_search(link).is_err() {
                edits.push(Edit::Link(*link));
            }
        }
        let mut edited = before.clone();
        for edit in &edits {
            edited.apply(edit).ok()?;
        }
        if edited != *now {
            return None;
        }
        let built = map.indexed().built();
        let was_built = map.was_built();
        let is_built = built != self.built || was_built;
        // Not `edited`, which has other versions: the next look asks for edits after the last one
        // of `now`.
        self.grid = now.clone();
        self.built.clone_from(&built);
        Some(MapEdits {
            edits,
            tiles,
            ways,
            built: is_built.then(|| Box::new(built)),
            was_built,
        })
    }
}

/// The part of a cell that edits change.
fn ground(grid: &Grid, cell: Cell) -> ((bool, u8), Directions, Class, Sight) {
    let walls = (grid.is_walkable(cell), grid.cost(cell));
    (walls, grid.exits(cell), grid.class(cell), grid.sight(cell))
}

/// Adds the edits that lead from `before` to `now` in a tile: two to four for each run of equal
/// cells in a row.
fn push_edits(before: &Grid, now: &Grid, tile: Tile, edits: &mut Vec<Edit>) {
    let corner = [tile.column, tile.row].map(|at| u16::from(at) * Tile::SIDE);
    let [first, last] = [0, Tile::SIDE - 1].map(|by| Cell::new(corner[0] + by, corner[1] + by));
    let area = Area::new(first.on_floor(tile.floor), last).clipped(now.size());
    let mut changed: Vec<Cell> = area.cells().collect();
    changed.retain(|&cell| ground(now, cell) != ground(before, cell));
    for run in
        changed.chunk_by(|&a, &b| (a.x + 1, a.y) == (b.x, b.y) && ground(now, a) == ground(now, b))
    {
        let area = Area::new(run[0], run[run.len() - 1]);
        let ((is_walkable, cost), exits, class, sight) = ground(now, run[0]);
        edits.push(Edit::Exits(area, exits));
        // The usual map has neither.
        if before.has_classes() || now.has_classes() {
            edits.push(Edit::Class(area, class));
        }
        if before.has_sight() || now.has_sight() {
            edits.push(Edit::Sight(area, sight));
        }
        // A cost opens the cells that it is set for.
        edits.push(if is_walkable {
            Edit::Cost(area, cost)
        } else {
            Edit::Walkable(area, false)
        });
    }
}

/// Changes a map as a game did. Returns `None` for edits that the map refuses: those of another
/// map.
pub(super) fn repeat(world: &mut World, entity: Entity, change: MapChange) -> Option<()> {
    let mut entity = world.get_entity_mut(entity).ok()?;
    match change {
        MapChange::Other { map, is_added } => {
            if !is_added && let Some(mut there) = entity.get_mut::<NavMap>() {
                *there = *map;
            } else {
                entity.remove::<NavMap>();
                entity.insert(*map);
            }
        }
        MapChange::Edited(edited) => {
            let mut map = entity.get_mut::<NavMap>()?;
            map.set_changed();
            for edit in &edited.edits {
                map.apply(edit).ok()?;
            }
            if !edited.tiles.is_empty() {
                map.touch_tiles(edited.tiles, edited.ways);
            }
            if let Some(built) = edited.built {
                map.build_as(&built, edited.was_built).ok()?;
            }
        }
    }
    Some(())
}
