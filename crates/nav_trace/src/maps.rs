//! What a game changed of maps.

use crate::{column::Since, numbers::Numbers, record::MapChange};
use bevy_ecs::{entity_disabling::Disabled, prelude::*, query::Allow};
use nav::NavMap;
use nav_grid::{Area, Cell, Edit, Frame, Grid, Link, index::BuiltIndexes, map::Tile};
use std::collections::BTreeMap;

/// Maps as they were when they were last looked at, to compare with.
#[derive(Default)]
pub(super) struct MapsBefore(BTreeMap<u32, MapBefore>);

/// A map as it was.
struct MapBefore {
    grid: Grid,
    frame: Frame,
    built: BuiltIndexes,
}

impl MapBefore {
    fn of(map: &NavMap) -> Self {
        Self {
            grid: map.grid().clone(),
            frame: map.frame().clone(),
            built: map.indexed().built(),
        }
    }
}

impl MapsBefore {
    /// All maps of a world. All of them have numbers.
    pub(super) fn of(world: &mut World, numbers: &Numbers) -> Self {
        let mut maps = world.query_filtered::<(Entity, &NavMap), Allow<Disabled>>();
        let maps = maps.iter(world);
        let maps = maps.filter_map(|(map, is)| Some((numbers.of(map)?, MapBefore::of(is))));
        Self(maps.collect())
    }

    /// Forgets a map that is gone.
    pub(super) fn forget(&mut self, number: u32) {
        self.0.remove(&number);
    }

    /// What changed since a look, by the numbers of maps.
    ///
    /// # Complexity
    ///
    /// O(1) for a map that nobody wrote to; for another one a pass over it, 64 cells at a time, and over
    /// the cells of the tiles that were edited.
    pub(super) fn changes(
        &mut self,
        world: &mut World,
        since: Since,
        numbers: &Numbers,
    ) -> Vec<(u32, MapChange)> {
        let mut maps = world.query_filtered::<(Entity, Ref<NavMap>), Allow<Disabled>>();
        let changed = maps.iter(world).filter_map(|(entity, map)| {
            if !since.is_news(map.last_changed()) {
                return None;
            }
            let number = numbers.of(entity)?;
            Some((
                number,
                self.change(number, &map, since.is_news(map.added())),
            ))
        });
        let mut changed: Vec<_> = changed.collect();
        changed.sort_unstable_by_key(|&(number, _)| number);
        changed
    }

    fn change(&mut self, number: u32, map: &NavMap, is_added: bool) -> MapChange {
        let before = self.0.get_mut(&number);
        let before = before.filter(|_| !is_added && !map.is_new());
        if let Some(before) = before.filter(|before| before.frame == *map.frame())
            && let Some(change) = before.edited(map)
        {
            return change;
        }
        self.0.insert(number, MapBefore::of(map));
        MapChange::Other {
            map: Box::new(map.clone()),
            is_added,
        }
    }
}

impl MapBefore {
    /// The edits that made it what it is now, or nothing if it is another one.
    fn edited(&mut self, map: &NavMap) -> Option<MapChange> {
        let (before, now) = (&self.grid, map.grid());
        if before.size() != now.size() {
            return None;
        }
        let tiles: Vec<Tile> = now.tiles_edited_since(before.version()).collect();
        let mut edits: Vec<Edit> = Vec::new();
        for &tile in &tiles {
            edits_of_tile(before, now, tile, &mut edits);
        }
        if before.links() != now.links() {
            let is_gone = |link: &&Link| !has_link(now, link.from, link.to);
            let gone = before.links().iter().filter(is_gone);
            edits.extend(gone.map(|&Link { from, to, .. }| Edit::Unlink { from, to }));
            let is_new = |link: &&Link| before.links().binary_search(link).is_err();
            edits.extend(
                now.links()
                    .iter()
                    .filter(is_new)
                    .map(|&link| Edit::Link(link)),
            );
        }
        let mut edited = before.clone();
        for edit in &edits {
            edited.apply(edit).ok()?;
        }
        if edited != *now {
            return None;
        }
        let built = map.indexed().built();
        let is_built = built != self.built;
        // Edits are new if their number is greater than that of its last one.
        self.grid = now.clone();
        self.built.clone_from(&built);
        Some(MapChange::Edited {
            edits,
            tiles,
            built: (is_built || map.has_new_index()).then_some(built),
            has_new_index: map.has_new_index(),
        })
    }
}

fn has_link(grid: &Grid, from: Cell, to: Cell) -> bool {
    grid.links_from(from).iter().any(|link| link.to == to)
}

/// What a cell is like.
type Ground = (bool, u8, nav_grid::Directions);

fn ground(grid: &Grid, cell: Cell) -> Ground {
    (grid.is_walkable(cell), grid.cost(cell), grid.exits(cell))
}

/// The edits of a tile, a run of cells of a row at a time.
fn edits_of_tile(before: &Grid, now: &Grid, tile: Tile, edits: &mut Vec<Edit>) {
    let corner = |at: u8| u16::from(at) * Tile::SIDE;
    let (left, top) = (corner(tile.column), corner(tile.row));
    for y in top..(top + Tile::SIDE).min(now.height()) {
        let mut run: Option<(Cell, Cell, Ground)> = None;
        for x in left..(left + Tile::SIDE).min(now.width()) {
            let cell = Cell::new(x, y).on_floor(tile.floor);
            let is = ground(now, cell);
            if is == ground(before, cell) {
                push_run(&mut run, edits);
                continue;
            }
            match &mut run {
                Some((_, last, like)) if *like == is => *last = cell,
                _ => {
                    push_run(&mut run, edits);
                    run = Some((cell, cell, is));
                }
            }
        }
        push_run(&mut run, edits);
    }
}

fn push_run(run: &mut Option<(Cell, Cell, Ground)>, edits: &mut Vec<Edit>) {
    let Some((first, last, (is_walkable, cost, exits))) = run.take() else {
        return;
    };
    let area = Area::new(first, last);
    edits.push(Edit::Exits(area, exits));
    // A cost opens what it is given to.
    edits.push(if is_walkable {
        Edit::Cost(area, cost)
    } else {
        Edit::Walkable(area, false)
    });
}

/// Changes a map as a game did.
///
/// # Errors
///
/// Edits that the map refuses: those of another one.
pub(super) fn repeat(world: &mut World, entity: Entity, change: MapChange) -> Result<(), ()> {
    let mut entity = world.get_entity_mut(entity).map_err(drop)?;
    match change {
        MapChange::Other { map, is_added } => {
            if is_added {
                entity.remove::<NavMap>();
            }
            match entity.get_mut::<NavMap>() {
                Some(mut there) => *there = *map,
                None => {
                    entity.insert(*map);
                }
            }
        }
        MapChange::Edited {
            edits,
            tiles,
            built,
            has_new_index,
        } => {
            let mut map = entity.get_mut::<NavMap>().ok_or(())?;
            map.set_changed();
            for edit in &edits {
                map.apply(edit).map_err(drop)?;
            }
            if !tiles.is_empty() {
                map.touch_tiles(tiles);
            }
            if let Some(built) = built {
                map.build_as(&built, has_new_index).map_err(drop)?;
            }
        }
    }
    Ok(())
}
