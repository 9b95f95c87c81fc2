//! Edits of maps: indexes are repaired, and paths that an edit broke are dropped.

use crate::{
    AgentId, CellPosition, Chaser, NavMap, NavTimer, OnMap, PathCursor,
    systems::{decide::PendingDecisions, storage::tick_events::TickEvents},
};
use bevy_ecs::{entity::EntityHashMap, prelude::*, query::QueryData};
use nav_grid::{Cell, map::Tile};

/// What was edited on a map since the last look.
pub(crate) enum Edited {
    /// The map is new, or another one than before.
    All,
    /// These tiles, in order.
    Tiles(Vec<Tile>),
}

impl Edited {
    fn touches(&self, cell: Cell) -> bool {
        match self {
            Self::All => true,
            Self::Tiles(tiles) => tiles.binary_search(&Tile::of(cell)).is_ok(),
        }
    }
}

/// Repairs the indexes of edited maps, so that this tick's searches can use them.
pub(super) fn repair_indexes(mut maps: Query<&mut NavMap, Changed<NavMap>>) {
    for mut map in &mut maps {
        // What agents can do on the map stays the same.
        map.bypass_change_detection().repair_indexes();
    }
}

#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct PathFollower {
    entity: Entity,
    id: &'static AgentId,
    chaser: &'static Chaser,
    on_map: &'static OnMap,
    position: &'static CellPosition,
    cursor: &'static mut PathCursor,
    timer: &'static mut NavTimer,
}

/// Drops paths that an edit of their map has broken, so that their chasers are decided for
/// anew within the tick. Looks only at paths with a waypoint in an edited tile.
pub(super) fn drop_broken_paths(
    mut maps: Query<(Entity, &mut NavMap)>,
    mut followers: Query<PathFollower>,
    mut events: ResMut<TickEvents>,
    mut pending: ResMut<PendingDecisions>,
    mut edited: Local<EntityHashMap<Edited>>,
) {
    edited.clear();
    for (entity, mut map) in maps.iter_mut().filter(|(_, map)| map.is_changed()) {
        // A note on what the plugin has seen is no change of the map.
        let map = map.bypass_change_detection();
        let what = match map.see_edits() {
            Some(version) => Edited::Tiles(map.grid().tiles_edited_since(version).collect()),
            None => Edited::All,
        };
        if !matches!(&what, Edited::Tiles(tiles) if tiles.is_empty()) {
            edited.insert(entity, what);
        }
    }
    if edited.is_empty() {
        return;
    }
    for mut follower in &mut followers {
        let path = follower.cursor.path();
        let (Some(edited), Ok((_, map))) =
            (edited.get(&follower.on_map.0), maps.get(follower.on_map.0))
        else {
            continue;
        };
        let place = follower.position.cell;
        let touched = || edited.touches(place) || path.iter().any(|cell| edited.touches(cell));
        if path.is_empty() || !touched() {
            continue;
        }
        if let Err(broken) = path.walk(map.grid(), place, follower.chaser.rules) {
            follower.cursor.drop_path();
            // What failed before the edit says nothing about the ground as it is now.
            follower.timer.set_failures(0);
            let (id, entity, map) = (*follower.id, follower.entity, follower.on_map.0);
            events.broken.push((id, entity, (map, broken.to)));
            pending.path_broken.push(entity);
        }
    }
}
