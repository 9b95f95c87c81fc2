//! Edits of maps: indexes are repaired, broken paths dropped, and those woken whose way may be shorter.

use crate::{
    AgentId, CellPosition, Chaser, MoveTimer, NavClock, NavMap, NavTime, NavTimer, OnMap,
    PathCursor,
    systems::{
        decide::PendingDecisions, restored::Restored, search::LongSearch,
        storage::tick_events::TickEvents,
    },
};
use bevy_ecs::{entity::EntityHashMap, prelude::*, query::QueryData, system::SystemChangeTick};
use nav_grid::{Cell, map::Tile};

/// What was edited on a map since the last tick.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Edited {
    /// The map is new, or another one than before.
    All,
    /// These tiles, in order.
    Tiles(Vec<Tile>),
    /// No cell, but an index was built of it.
    Index,
}

/// What was edited of each map since the last tick, for systems that run after
/// [`NavSystems::Observe`](crate::NavSystems::Observe).
#[derive(Resource, Default)]
pub struct SeenEdits(EntityHashMap<Edited>);

impl SeenEdits {
    /// Whether nothing was edited.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What was edited of a map, if anything was.
    pub fn of(&self, map: Entity) -> Option<&Edited> {
        self.0.get(&map)
    }
}

impl Edited {
    /// Whether something may have been edited in so many columns and rows to either side of a cell,
    /// on any floor. Edits are known by tiles of 64×64 cells.
    pub fn is_near(&self, cell: Cell, radius: u16) -> bool {
        let tiles = |at: u16| {
            let tile = |at: u16| (at / Tile::SIDE).min(u8::MAX.into()) as u8;
            tile(at.saturating_sub(radius))..=tile(at.saturating_add(radius))
        };
        match self {
            Self::All | Self::Index => true,
            Self::Tiles(edited) => {
                let (rows, columns) = (tiles(cell.y), tiles(cell.x));
                let is_near =
                    |tile: &Tile| rows.contains(&tile.row) && columns.contains(&tile.column);
                edited.iter().any(is_near)
            }
        }
    }

    fn touches(&self, cell: Cell) -> bool {
        match self {
            Self::All => true,
            Self::Index => false,
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
    chaser: Ref<'static, Chaser>,
    on_map: &'static OnMap,
    position: &'static CellPosition,
    cursor: &'static mut PathCursor,
    timer: &'static mut NavTimer,
    move_timer: &'static mut MoveTimer,
}

/// Drops paths that an edit of their map has broken, so that their chasers are decided for
/// anew within the tick, and wakes those nearby whose way may be shorter by now.
pub(super) fn follow_edits(
    clock: Res<NavClock>,
    mut maps: Query<(Entity, &mut NavMap)>,
    mut followers: Query<PathFollower>,
    mut events: ResMut<TickEvents>,
    mut pending: ResMut<PendingDecisions>,
    mut edited: ResMut<SeenEdits>,
    (restored, ticks): (Option<Res<Restored>>, SystemChangeTick),
) {
    if !edited.is_empty() {
        edited.0.clear();
    }
    for (entity, mut map) in maps.iter_mut().filter(|(_, map)| map.is_changed()) {
        // A note on what the plugin has seen is no change of the map.
        let map = map.bypass_change_detection();
        let has_new_index = map.see_new_index();
        let what = match map.see_edits() {
            Some(version) => Edited::Tiles(map.grid().tiles_edited_since(version).collect()),
            None => Edited::All,
        };
        if !matches!(&what, Edited::Tiles(tiles) if tiles.is_empty()) {
            edited.0.insert(entity, what);
        } else if has_new_index {
            edited.0.insert(entity, Edited::Index);
        }
    }
    if edited.is_empty() {
        return;
    }
    let now = clock.now();
    for follower in &mut followers {
        if let (Some(edited), Ok((_, map))) =
            (edited.of(follower.on_map.0), maps.get(follower.on_map.0))
        {
            // Whoever was saved knows the ground: a map that is loaded with it is no change. Of one that was
            // restored all was seen.
            let added = follower.chaser.added();
            let restored = restored.as_deref();
            let was_restored = restored.is_some_and(|of| of.has(added, ticks.this_run()));
            let is_loaded = follower.chaser.is_added() && !was_restored;
            let is_known = is_loaded && !matches!(edited, Edited::Tiles(_));
            let edited = (edited, is_known);
            follow(follower, edited, map, now, &mut events, &mut pending);
        }
    }
}

/// Has a search that takes several ticks begin again on a map that was replaced: it knows maps by their
/// versions only.
pub(super) fn search_again(edited: Res<SeenEdits>, mut long: ResMut<LongSearch>) {
    if let Some(map) = long.map()
        && matches!(edited.of(map), Some(Edited::All))
    {
        long.begin_again();
    }
}

/// Drops a path that an edit broke, and wakes those whose way may be shorter by now: who searched in
/// vain, and who goes a long way round. These not if the ground is known all the same.
fn follow(
    mut follower: PathFollowerItem,
    (edited, is_known): (&Edited, bool),
    map: &NavMap,
    now: NavTime,
    events: &mut TickEvents,
    pending: &mut PendingDecisions,
) {
    let place = follower.position.cell;
    let Chaser {
        limits,
        rules,
        repath_interval,
        ..
    } = *follower.chaser;
    let path = follower.cursor.path();
    let touched = || edited.touches(place) || path.iter().any(|cell| edited.touches(cell));
    if !path.is_empty()
        && touched()
        && let Err(broken) = path.walk(map.grid(), place, rules)
    {
        follower.cursor.drop_path();
        // What failed before the edit says nothing about the ground as it is now.
        follower.timer.set_failures(0);
        let (id, entity, map) = (*follower.id, follower.entity, follower.on_map.0);
        events.broken.push((id, entity, (map, broken.to)));
        pending.path_broken.push(entity);
        return;
    }
    if is_known {
        return;
    }
    let straight = path.end().map_or(0, |end| place.chebyshev(end));
    let is_ground = !matches!(edited, Edited::Index);
    let goes_round = is_ground && path.len() > usize::from(straight);
    let waits = follower.timer.awaits_change(place, now);
    if (goes_round || waits) && edited.is_near(place, limits.radius) {
        // All who could are not to search in one tick.
        let turn = now.put_off(follower.id.0.into(), repath_interval);
        if waits {
            follower.timer.set_awaits_change(None);
            follower.timer.set_next_search(turn);
            // It stands, and would look up now and when its wait is over, as all do who were spawned
            // with it: it looks at the first beat of its turn instead. Unless the game put its move
            // tick off further than that.
            let timer = &mut follower.move_timer;
            let latest = now.after(timer.longest_wait());
            let is_later = timer.next_step > turn && timer.next_step <= latest;
            if timer.is_due(now) || is_later {
                timer.wake(turn);
            }
        } else {
            follower.timer.set_may_be_shorter(true);
            let later = turn.max(follower.timer.next_search());
            follower.timer.set_next_search(later);
        }
    }
}
