//! Edits of maps: repairs indexes, drops broken paths, and wakes chasers whose way may be shorter
//! now.

use crate::{
    AgentId, CellPosition, Chaser, MoveTimer, NavBudget, NavClock, NavDiagnostics, NavMap, NavTime,
    NavTimer, OnMap, PathCursor,
    budget::{MapShare, TickWork, WorkLeft},
    components::{Chase, Event, UnseenEdits},
    systems::{
        search::{LongSearch, PathRequests},
        storage::{pending::PendingDecisions, targets::Targets, tick_events::TickEvents},
    },
};
use bevy_ecs::{entity::EntityHashMap, prelude::*, query::QueryData};
use nav_grid::{Cell, map::Tile};

/// The changes of a [map](NavMap) since the last tick.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Edited {
    /// Everything: the map is new or was replaced.
    All,
    /// The cells of these tiles, in order.
    Tiles(Vec<Tile>),
    /// No cell, but an index was built.
    Index,
}

/// The changes of all maps since the last tick, for systems after
/// [`NavSystems::Observe`](crate::NavSystems::Observe).
#[derive(Resource, Default)]
pub struct SeenEdits(EntityHashMap<SeenEdit>);

/// The change of one map.
struct SeenEdit {
    edited: Edited,
    /// The tiles where other ways may be best now, in order.
    ways: Vec<Tile>,
}

impl SeenEdits {
    /// Whether no map changed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The change of a map, if any.
    pub fn of(&self, map: Entity) -> Option<&Edited> {
        self.0.get(&map).map(|seen| &seen.edited)
    }
}

impl Edited {
    /// Whether an edit may lie within `radius` columns and rows of a cell, on any floor.
    ///
    /// Edits are known by tiles of 64×64 cells only.
    pub fn is_near(&self, cell: Cell, radius: u16) -> bool {
        match self {
            Self::All | Self::Index => true,
            Self::Tiles(edited) => are_near(edited, cell, radius),
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

/// Whether one of some tiles may have a cell within `radius` columns and rows of a cell, on any
/// floor.
fn are_near(tiles: &[Tile], cell: Cell, radius: u16) -> bool {
    let [rows, columns] = [cell.y, cell.x].map(|at| {
        let (first, last) = (at.saturating_sub(radius), at.saturating_add(radius));
        first / Tile::SIDE..=last / Tile::SIDE
    });
    let mut tiles = tiles.iter();
    tiles.any(|tile| rows.contains(&tile.row.into()) && columns.contains(&tile.column.into()))
}

/// Sets the budget of the tick, and builds and repairs the indexes of maps, so that this tick's
/// searches can use them. Maps share the work equally.
pub(super) fn prepare_maps(
    budget: Res<NavBudget>,
    clock: Res<NavClock>,
    targets: Res<Targets>,
    mut maps: Query<&mut NavMap>,
    mut work: ResMut<TickWork>,
    mut diagnostics: ResMut<NavDiagnostics>,
) {
    let chasers = targets.chasers();
    let share = MapShare::of(*budget, chasers, clock.tick());
    if chasers == 0 {
        maps.iter_mut()
            .for_each(|mut map| map.bypass_change_detection().want_ahead());
    }
    work.all = budget.work(chasers);
    let mut left = WorkLeft::new(share.work, work.debt);
    let due = maps.iter().filter(|map| map.is_due()).count() as u32;
    let each = left.work.checked_div(due).unwrap_or(0).max(1);
    if left.work > 0 {
        for mut map in maps.iter_mut().filter(|map| map.is_due()) {
            // A repaired index is no change of the ground. A new one is followed in the next tick.
            left.take(map.bypass_change_detection().prepare_within(each).into());
            if map.has_new_index() {
                map.set_changed();
            }
        }
    }
    diagnostics.note_maps(maps.iter().map(|map| map.progress()));
    let charged = left.taken.min(share.charged.into());
    let free = u32::try_from(left.taken - charged).unwrap_or(u32::MAX);
    let spare = share.work - share.charged;
    (work.spent, work.debt) = (charged + std::mem::take(&mut work.groups), left.debt);
    work.spare = spare.saturating_sub(free);
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
    move_timer: &'static mut MoveTimer,
}

impl PathFollowerItem<'_, '_> {
    fn chase(&mut self) -> Chase<Mut<'_, PathCursor>, Mut<'_, NavTimer>> {
        Chase::of(self.cursor.reborrow(), self.timer.reborrow())
    }
}

/// Drops paths that edits broke, so that their chasers decide again in this tick. Wakes nearby
/// chasers whose way may be shorter now.
pub(super) fn follow_edits(
    clock: Res<NavClock>,
    mut maps: Query<(Entity, &mut NavMap)>,
    mut followers: Query<PathFollower>,
    mut events: ResMut<TickEvents>,
    mut pending: ResMut<PendingDecisions>,
    mut edited: ResMut<SeenEdits>,
) {
    if !edited.is_empty() {
        edited.0.clear();
    }
    for (entity, mut map) in maps.iter_mut().filter(|(_, map)| map.is_changed()) {
        // Noting that the plugin has seen an edit is no change of the map.
        let map = map.bypass_change_detection();
        let has_new_index = map.see_new_index();
        let (what, ways) = match map.see_edits() {
            Some(UnseenEdits { tiles, ways }) => (Edited::Tiles(tiles), ways),
            None => (Edited::All, Vec::new()),
        };
        let what = match what {
            Edited::Tiles(tiles) if tiles.is_empty() && !has_new_index => continue,
            Edited::Tiles(tiles) if tiles.is_empty() => Edited::Index,
            what => what,
        };
        let seen = SeenEdit { edited: what, ways };
        edited.0.insert(entity, seen);
    }
    if edited.is_empty() {
        return;
    }
    let now = clock.now();
    for follower in &mut followers {
        let map = follower.on_map.0;
        if let (Some(edited), Ok((_, map))) = (edited.0.get(&map), maps.get(map)) {
            follow(follower, edited, map, now, &mut events, &mut pending);
        }
    }
}

/// Restarts searches over several ticks whose map was replaced, since they know maps by version
/// only.
pub(super) fn search_again(
    edited: Res<SeenEdits>,
    mut long: ResMut<LongSearch>,
    mut requests: ResMut<PathRequests>,
) {
    for long in [&mut *long, &mut requests.long] {
        if let Some(map) = long.map()
            && matches!(edited.of(map), Some(Edited::All))
        {
            long.begin_again();
        }
    }
}

/// Columns and rows on either side of a path where an edit of ways counts for who follows it. Tiles
/// of 64 cells say where edits are, so that most are noticed from further off; what is dearer than
/// eight steps aside is seldom worth leaving a path for.
const BESIDE: u16 = 8;

/// Drops the path of a chaser if an edit broke it. Otherwise wakes the chaser if its way may be
/// shorter now: if its searches failed, its path makes a detour, or ways on or beside its path
/// changed.
fn follow(
    mut follower: PathFollowerItem,
    SeenEdit { edited, ways }: &SeenEdit,
    map: &NavMap,
    now: NavTime,
    events: &mut TickEvents,
    pending: &mut PendingDecisions,
) {
    let place = follower.position.cell;
    let (rules, limits) = (follower.chaser.rules, follower.chaser.limits);
    let path = follower.cursor.path();
    if !path.is_empty()
        && (edited.touches(place) || path.iter().any(|cell| edited.touches(cell)))
        && let Err(broken) = path.walk(map.grid(), place, rules)
    {
        follower.chase().apply(Event::PathCut);
        let (id, entity, map) = (*follower.id, follower.entity, follower.on_map.0);
        events.broken.push((id, entity, (map, broken.to)));
        pending.path_broken.push(entity);
        return;
    }
    let straight = path.end().map_or(0, |end| place.chebyshev(end));
    let is_ground = !matches!(edited, Edited::Index);
    let goes_round = is_ground && path.len() > usize::from(straight);
    let waits = follower.timer.awaits_change(place, now);
    // A path that only leads nearer may lead the wrong way.
    let leads_nearer = !is_ground && !path.is_empty() && follower.timer.failures() > 0;
    let is_near = (goes_round || leads_nearer || waits) && edited.is_near(place, limits.radius);
    let leads_by = || {
        let mut ahead = std::iter::once(place).chain(path.iter().step_by(BESIDE.into()));
        ahead.any(|cell| are_near(ways, cell, BESIDE))
    };
    if is_near || !ways.is_empty() && !path.is_empty() && leads_by() {
        // Spreads the searches of all woken chasers over an interval.
        let turn = now.put_off(follower.id.0.into(), follower.chaser.repath_interval);
        if waits {
            follower.chase().apply(Event::MayLead { at: turn });
            // It would decide now and when its wait is over, together with all chasers spawned with
            // it. Instead it decides at the first move tick of its turn, unless the game put off
            // its move tick beyond its longest wait.
            let timer = &mut follower.move_timer;
            let latest = now.after(timer.longest_wait());
            let is_later = timer.next_step > turn && timer.next_step <= latest;
            if timer.is_due(now) || is_later {
                timer.wake(turn, follower.cursor.stands());
            }
        } else {
            follower.chase().apply(Event::MayBeShorter {
                at: turn,
                leads_nearer,
            });
        }
    }
}
