//! The walks of agents that wander, and the pauses between them.

use super::area::AreaSearch;
use crate::{
    Activity, Home, InFormation, Interrupted, Patrol,
    plugins::{WalkSystems, add_shared, behaviour_plugin},
};
use bevy_app::{App, Plugin};
use bevy_ecs::{prelude::*, query::QueryData};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{
    AgentId, CellPosition, Chaser, Chasing, GoTo, GoToEnded, NavClock, NavMap, NavTime, OnMap,
    Period,
    extend::{Fingerprint, on_demand, require_nav},
};
use nav_grid::Cell;

/// Lets a chaser walk about while it chases nothing, has no [`Patrol`] and no slot in a formation:
/// to a cell of its area, then after a pause to another one. A chase interrupts the walk, which
/// continues afterwards.
///
/// # The area
///
/// It belongs to the centre: [`around`](Self::around), or else the agent's [`Home`], or else its
/// cell when it began to wander. A cell of the area
///
/// - is at most [`radius`](Self::radius) steps from the centre, on a way that the agent's
///   [rules](nav::Chaser::rules) allow; a [link](nav_grid::Link) counts as one step;
/// - has a way back to the centre that stays in the area: no ledge, slide or one-way link from
///   which no way leads up again.
///
/// Of a larger area only the 4,096 cells nearest to the centre count: a radius of 31 on open
/// ground. An agent without a centre where it fits stays, and looks again after each pause.
///
/// # Walks
///
/// The agent goes by [`GoTo`], which takes the cheapest way. The cell and the pause follow from its
/// [`AgentId`] and the number of its walks: equal worlds wander equally. On the way to a cell that
/// becomes unreachable the agent waits for as long as its [`GiveUp`](crate::GiveUp) says, or until
/// its [`StuckWatch`](crate::StuckWatch) finds no progress; without either until the way is free.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[require(Activity, Chaser)]
pub struct Wander {
    /// The centre; `None`, the default, for the agent's [`Home`] or the cell where it began.
    pub around: Option<Cell>,
    /// Steps from the centre to the farthest cells, by way.
    pub radius: u16,
    /// The shortest pause between two walks; 2 s by default. A guess.
    pub least_pause: Period,
    /// The longest pause between two walks; 8 s by default. A guess. One below the shortest counts
    /// as that.
    pub greatest_pause: Period,
    /// The cell where it began to wander; `None` before its first look.
    began_at: Option<Cell>,
    /// Walks so far.
    walks: u32,
    /// The end of the pause.
    leaves_at: NavTime,
}

impl Wander {
    /// Replaces the cells around which it wanders.
    pub(crate) fn move_cells(&mut self, moved: impl Fn(Cell) -> Cell) {
        self.around = self.around.map(&moved);
        self.began_at = self.began_at.map(&moved);
    }

    /// Wandering in a number of steps around the agent's [`Home`], or the cell where it begins.
    pub const fn new(radius: u16) -> Self {
        Self {
            around: None,
            radius,
            least_pause: Period::from_millis(2000),
            greatest_pause: Period::from_millis(8000),
            began_at: None,
            walks: 0,
            leaves_at: NavTime(0),
        }
    }

    /// Replaces the centre.
    #[must_use]
    pub const fn with_centre(self, cell: Cell) -> Self {
        Self {
            around: Some(cell),
            ..self
        }
    }

    /// Replaces the shortest and the longest pause.
    #[must_use]
    pub fn with_pauses(self, least: impl Into<Period>, greatest: impl Into<Period>) -> Self {
        Self {
            least_pause: least.into(),
            greatest_pause: greatest.into(),
            ..self
        }
    }

    /// Begins at a cell. The first walk of a crowd that begins in one tick is spread over the
    /// longest pause.
    fn begin(&mut self, id: AgentId, cell: Cell, now: NavTime) {
        self.began_at = Some(cell);
        self.leaves_at = now.put_off(id.0.into(), self.greatest_pause);
    }

    /// Begins the pause after a walk, or after a look that found no cell.
    fn pause(&mut self, id: AgentId, now: NavTime) {
        let longest = self.greatest_pause.micros.max(self.least_pause.micros);
        let range = u64::from(longest - self.least_pause.micros) + 1;
        // The upper half of the word chose the cell of the walk.
        let micros = self.least_pause.micros + part(self.word(id) as u32, range) as u32;
        self.leaves_at = now.after(Period::from_micros(micros));
        self.walks = self.walks.wrapping_add(1);
    }

    /// The next cell, of those of the area: another one than the agent's own.
    fn choose(&self, id: AgentId, at: Cell, cells: &[Cell]) -> Option<Cell> {
        let upper = (self.word(id) >> u32::BITS) as u32;
        let first = part(upper, cells.len() as u64) as usize;
        let both = cells.iter().cycle().skip(first).take(cells.len().min(2));
        both.copied().find(|&cell| cell != at)
    }

    /// The drawn bits of this walk.
    fn word(&self, id: AgentId) -> u64 {
        Fingerprint::of(&(id, self.walks))
    }
}

/// A number below a bound that grows evenly with a word.
fn part(word: u32, bound: u64) -> u64 {
    (u64::from(word) * bound) >> u32::BITS
}

behaviour_plugin! {
    /// Sends agents that [`Wander`] on their walks.
    ///
    /// # Complexity
    ///
    /// A choice searches its area, at most 4,096 cells: some 0.1 µs each, five times that on maps
    /// with exits or links. All choices of a tick together take at most 0.8 ms more than one area
    /// does; the agents that wait longest come first. Of 10,000 agents with a radius of 10, 15
    /// choose in a tick. Where more pauses end than that, they get longer.
    WanderPlugin
}

/// The work of all choices of a tick together, in cells. Measured: 0.5 to 0.8 ms.
const WORK_PER_TICK: usize = 8192;

/// The work of a choice beside its cells, so that small areas are bounded, too. A guess.
const WORK_PER_CHOICE: usize = 64;

/// The most choices of a tick.
const CHOICES_MAX: usize = WORK_PER_TICK / WORK_PER_CHOICE;

impl Plugin for WanderPlugin {
    fn build(&self, app: &mut App) {
        add_shared(app, self.schedule);
        let send_on = on_demand::<AtLeisure, _>(send_on);
        app.add_systems(self.schedule, send_on.in_set(WalkSystems::Wander))
            .add_observer(pause);
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "WanderPlugin");
    }
}

/// Begins the pause of an agent of which a walk ended.
fn pause(
    ended: On<GoToEnded>,
    clock: Res<NavClock>,
    mut wanderers: Query<(&AgentId, &mut Wander)>,
) {
    if let Ok((&id, mut wander)) = wanderers.get_mut(ended.agent) {
        wander.pause(id, clock.now());
    }
}

/// An agent that wanders, without a chase or a walk.
type AtLeisure = (
    With<Wander>,
    With<Chaser>,
    Without<Chasing>,
    Without<GoTo>,
    Without<Patrol>,
    Without<InFormation>,
    Without<Interrupted>,
);

#[derive(QueryData)]
#[query_data(mutable)]
struct Wanderer {
    entity: Entity,
    id: &'static AgentId,
    wander: &'static mut Wander,
    chaser: &'static Chaser,
    position: &'static CellPosition,
    on_map: &'static OnMap,
    home: Option<&'static Home>,
}

impl WandererItem<'_, '_> {
    /// Chooses the next cell, or begins another pause if there is none. Returns the cell, and the
    /// work.
    fn choose(
        &mut self,
        maps: &Query<&NavMap>,
        search: &mut AreaSearch,
        now: NavTime,
    ) -> (Option<Cell>, usize) {
        let (id, at, wander) = (*self.id, self.position.cell, &*self.wander);
        let centre = (wander.around.or(self.home.map(|home| home.0)))
            .or(wander.began_at)
            .unwrap_or(at);
        let cell = maps.get(self.on_map.0).ok().and_then(|map| {
            let cells = search.cells(map.grid(), self.chaser.rules, centre, wander.radius);
            wander.choose(id, at, cells)
        });
        if cell.is_none() {
            self.wander.pause(id, now);
        }
        (cell, search.work())
    }
}

/// Sends agents on of which the pause is over, the longest waiting first.
fn send_on(
    clock: Res<NavClock>,
    maps: Query<&NavMap>,
    mut wanderers: Query<Wanderer, AtLeisure>,
    mut commands: Commands,
    mut search: Local<AreaSearch>,
    mut due: Local<Vec<(NavTime, AgentId, Entity)>>,
) {
    let now = clock.now();
    for mut one in &mut wanderers {
        if one.wander.began_at.is_none() {
            one.wander.begin(*one.id, one.position.cell, now);
        } else if one.wander.leaves_at <= now {
            due.push((one.wander.leaves_at, *one.id, one.entity));
        }
    }
    if due.len() > CHOICES_MAX {
        due.select_nth_unstable(CHOICES_MAX);
        due.truncate(CHOICES_MAX);
    }
    due.sort_unstable();
    let mut left = WORK_PER_TICK;
    for (_, _, agent) in due.drain(..) {
        if left == 0 {
            break;
        }
        if let Ok(mut one) = wanderers.get_mut(agent) {
            let (cell, work) = one.choose(&maps, &mut search, now);
            left = left.saturating_sub(work + WORK_PER_CHOICE);
            if let Some(cell) = cell {
                commands.entity(agent).insert(GoTo(cell));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const ID: AgentId = AgentId(7);

    #[test]
    fn pauses_within_bounds() {
        let millis = Period::from_millis;
        for (least, greatest) in [(200, 900), (0, 1), (5, 5), (0, 0), (u32::MAX, u32::MAX)] {
            let mut wander = Wander::new(3).with_pauses(millis(least), millis(greatest));
            let mut seen = BTreeSet::new();
            for _ in 0..200 {
                wander.pause(ID, NavTime(40));
                seen.insert(wander.leaves_at.0 - 40);
            }
            let (first, last) = (*seen.first().unwrap(), *seen.last().unwrap());
            let bounds = [millis(least).nanos(), millis(greatest).nanos()];
            assert!(bounds[0] <= first && last <= bounds[1], "{seen:?}");
            // Both ends are come near to.
            let tenth = (bounds[1] - bounds[0]) / 10;
            assert!(first <= bounds[0] + tenth && last + tenth >= bounds[1]);
        }
        let mut wander = Wander::new(3).with_pauses(millis(9), millis(2));
        wander.pause(ID, NavTime(0));
        assert_eq!(wander.leaves_at, NavTime(9_000_000));
    }

    #[test]
    fn cells_are_drawn_evenly() {
        let cells: Vec<Cell> = (0..10).map(|x| Cell::new(x, 0)).collect();
        let mut wander = Wander::new(9);
        let mut counts = [0; 10];
        for _ in 0..1000 {
            let cell = wander.choose(ID, Cell::new(9, 9), &cells).unwrap();
            counts[usize::from(cell.x)] += 1;
            wander.pause(ID, NavTime(0));
        }
        assert!(
            counts.iter().all(|count| (60..140).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn own_cell_is_skipped() {
        let cells: Vec<Cell> = (0..3).map(|x| Cell::new(x, 0)).collect();
        let wander = Wander::new(9);
        for at in &cells {
            assert!(wander.choose(ID, *at, &cells).is_some_and(|to| to != *at));
        }
        let alone = wander.choose(ID, cells[0], &cells[..1]);
        assert_eq!(alone, None);
        assert_eq!(wander.choose(ID, cells[1], &cells[..1]), Some(cells[0]));
        assert_eq!(wander.choose(ID, cells[0], &[]), None);
    }
}
