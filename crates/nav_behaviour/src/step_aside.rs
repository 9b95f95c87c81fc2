//! Idle bodies that make way for others.

use crate::{
    Activity, Interrupted,
    plugins::{WalkSystems, add_shared, behaviour_plugin},
};
use bevy_app::{App, Plugin};
use bevy_ecs::{
    prelude::*, query::QueryData, schedule::common_conditions::any_with_component,
    system::SystemParam,
};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{
    Body, CellPosition, Chaser, Chasing, Crowding, GoTo, NavClock, NavMap, NavTime, OnMap, Paused,
    Period, UpcomingPath, extend::require_nav, occupancy::Occupancy,
};
use nav_grid::{Area, Cell, Grid, Rules};

/// Lets a body that chases nothing make way, such as a villager in a doorway.
///
/// Without it such a body stays where it is, and others go round it where they can. With it the
/// body looks for a free place beside the path of a body that waits for its cell, walks there by
/// [`GoTo`], and walks back later, once the way is free. It stays if there is no such place
/// within [`STEPS_MAX`](Self::STEPS_MAX) steps. Others with it are not in its way: each asks the
/// next. A chase, or a walk that something else began, ends the matter: then it does not walk back.
///
/// A tick looks at the cells around each idle body with it, and for a body that waits for its cell
/// at up to 1,681 cells within [`STEPS_MAX`](Self::STEPS_MAX); where it finds no place, again 250
/// ms later.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[require(Activity, Chaser)]
pub struct StepAside {
    /// How long after it was last asked it walks back, and how often it looks whether it can; 4 s
    /// by default, in which a default chaser takes 16 steps.
    pub period: Period,
    aside: Option<Aside>,
    /// Before this it looks for no place.
    looks_at: NavTime,
}

/// A walk out of the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
struct Aside {
    /// The cell where it stood before.
    from: Cell,
    to: Cell,
    /// The time of its walk back.
    until: NavTime,
}

impl Default for StepAside {
    fn default() -> Self {
        Self {
            period: Period::from_millis(4000),
            aside: None,
            looks_at: NavTime::default(),
        }
    }
}

impl StepAside {
    /// How far it walks at most: through a room or a corridor as long as a window of the default
    /// radius.
    pub const STEPS_MAX: u16 = 20;

    /// How soon it looks again where it found no place: a step at the default pace later, when
    /// others may have moved.
    const LOOK: Period = Period::from_millis(250);

    /// Whether it made way and has not set off back.
    pub const fn is_aside(&self) -> bool {
        self.aside.is_some()
    }
}

behaviour_plugin! {
    /// Lets idle bodies with [`StepAside`] make way.
    StepAsidePlugin
}

impl Plugin for StepAsidePlugin {
    fn build(&self, app: &mut App) {
        add_shared(app, self.schedule);
        let systems = (forget, make_way)
            .chain()
            .run_if(any_with_component::<StepAside>);
        app.add_systems(self.schedule, systems.in_set(WalkSystems::StepAside));
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "StepAsidePlugin");
    }
}

/// An agent that goes somewhere.
type Going = (With<StepAside>, Or<(With<Chasing>, With<GoTo>)>);

/// Forgets where agents stood that were sent elsewhere since.
fn forget(mut agents: Query<(&mut StepAside, Option<&GoTo>), Going>) {
    for (mut step_aside, go_to) in &mut agents {
        if let Some(aside) = step_aside.aside
            && go_to.is_none_or(|go_to| go_to.0 != aside.to)
        {
            step_aside.aside = None;
        }
    }
}

/// An agent that chases nothing and goes nowhere.
type Idle = (
    Without<Chasing>,
    Without<GoTo>,
    Without<Paused>,
    Without<Interrupted>,
);

#[derive(QueryData)]
#[query_data(mutable)]
struct Bystander {
    agent: Entity,
    step_aside: &'static mut StepAside,
    chaser: &'static Chaser,
    body: &'static Body,
    on_map: &'static OnMap,
    position: &'static CellPosition,
}

/// The surroundings of bystanders.
#[derive(SystemParam)]
struct Crowd<'w, 's> {
    maps: Query<'w, 's, &'static NavMap>,
    occupancy: Occupancy<'w, 's>,
    upcoming: UpcomingPath<'w, 's>,
    walkers: Query<'w, 's, (&'static Chaser, &'static Chasing, &'static Crowding)>,
    positions: Query<'w, 's, &'static CellPosition>,
    bystanders: Query<'w, 's, (), (With<StepAside>, Idle)>,
}

/// Sends agents out of the way of bodies that wait for them, and back.
///
/// Each looks at the bodies as they stand, so the order of agents does not matter.
fn make_way(
    clock: Res<NavClock>,
    mut bystanders: Query<Bystander, Idle>,
    crowd: Crowd,
    mut walks: Local<Walks>,
    mut commands: Commands,
) {
    let now = clock.now();
    for mut one in &mut bystanders {
        let aside = one.step_aside.aside;
        let until = now.after(one.step_aside.period);
        let may_look = now >= one.step_aside.looks_at;
        let asker = may_look.then(|| crowd.asker(&one)).flatten();
        let place = asker.and_then(|asker| crowd.place(&one, asker, &mut walks));
        if asker.is_some() && place.is_none() {
            one.step_aside.looks_at = now.after(StepAside::LOOK);
        }
        if let Some(to) = place {
            let from = aside.map_or(one.position.cell, |aside| aside.from);
            one.step_aside.aside = Some(Aside { from, to, until });
            commands.entity(one.agent).insert(GoTo(to));
        } else if let Some(aside) = aside.filter(|aside| now >= aside.until) {
            let may_return = crowd.may_walk(&one, aside.from, &mut walks);
            one.step_aside.aside = (!may_return).then_some(Aside { until, ..aside });
            if may_return {
                commands.entity(one.agent).insert(GoTo(aside.from));
            }
        }
    }
}

impl Crowd<'_, '_> {
    /// A body that waits to step onto the cells of a bystander.
    fn asker(&self, one: &BystanderItem) -> Option<Entity> {
        let own = one.body.footprint.area(one.position.cell);
        let near = self.occupancy.within(one.on_map.0, own.grown(1, 1));
        near.into_iter().find(|&other| {
            let walker = self.walkers.get(other);
            walker.is_ok_and(|(.., crowding)| crowding.is_blocked())
                && self.path(other, 1).any(|area| area.meets(own))
        })
    }

    /// The cells that a walker will cover after each of its next steps.
    fn path(&self, walker: Entity, steps: u16) -> impl Iterator<Item = Area> {
        let chaser = self.walkers.get(walker).ok().map(|(chaser, ..)| chaser);
        let points = self.upcoming.cells(walker, steps);
        points.filter_map(move |point| Some(chaser?.rules.footprint.area(point.cell)))
    }

    /// The nearest free place that is neither on the path of an asker nor on its target.
    fn place(&self, one: &BystanderItem, asker: Entity, walks: &mut Walks) -> Option<Cell> {
        let (chaser, chasing, _) = self.walkers.get(asker).ok()?;
        let mut kept_free: Vec<Area> = self.path(asker, 2 * StepAside::STEPS_MAX).collect();
        for at in self.positions.iter_many([asker, chasing.0]).flatten() {
            kept_free.push(chaser.rules.footprint.area(at.cell));
        }
        let grid = self.maps.get(one.on_map.0).ok()?.grid();
        walks.nearest(
            (grid, one.chaser.rules, one.position.cell),
            |place| self.may_pass(one, place),
            |_, place| {
                self.others(one, place).next().is_none()
                    && !kept_free.iter().any(|&area| area.meets(place))
            },
        )
    }

    /// Whether an agent can walk to a cell.
    fn may_walk(&self, one: &BystanderItem, to: Cell, walks: &mut Walks) -> bool {
        self.maps.get(one.on_map.0).is_ok_and(|map| {
            let start = (map.grid(), one.chaser.rules, one.position.cell);
            let way = walks.nearest(start, |place| self.may_pass(one, place), |at, _| at == to);
            way.is_some()
        })
    }

    /// Whether no body is on a place but bystanders, who can be asked in turn.
    fn may_pass(&self, one: &BystanderItem, place: Area) -> bool {
        self.others(one, place)
            .all(|other| self.bystanders.contains(other))
    }

    /// The other bodies on a place.
    fn others(&self, one: &BystanderItem, place: Area) -> impl Iterator<Item = Entity> {
        let (map, agent) = (one.on_map.0, one.agent);
        let holders = (place.cells()).filter_map(move |cell| self.occupancy.who(map, cell));
        holders.filter(move |&holder| holder != agent)
    }
}

/// The cells to which short walks lead.
#[derive(Default)]
struct Walks {
    /// With the number of steps, in that order.
    cells: Vec<(Cell, u16)>,
    /// Whether each cell of the square around the start is among them.
    known: Vec<bool>,
}

impl Walks {
    /// Columns and rows of the square around the start.
    const SIDE: usize = 2 * StepAside::STEPS_MAX as usize + 1;

    /// The number of a cell in the square around a start.
    #[inline]
    fn index(start: Cell, cell: Cell) -> usize {
        let [x, y] = [(cell.x, start.x), (cell.y, start.y)]
            .map(|(to, from)| usize::from(to + StepAside::STEPS_MAX - from));
        y * Self::SIDE + x
    }

    /// The nearest cell by steps over places that `passes` allows that `ends` accepts. Of several
    /// as near the first by the directions of steps.
    fn nearest(
        &mut self,
        (grid, rules, start): (&Grid, Rules, Cell),
        passes: impl Fn(Area) -> bool,
        ends: impl Fn(Cell, Area) -> bool,
    ) -> Option<Cell> {
        self.known.clear();
        self.known.resize(Self::SIDE * Self::SIDE, false);
        self.known[Self::index(start, start)] = true;
        self.cells.clear();
        self.cells.push((start, 0));
        let mut next = 0;
        while let Some(&(at, steps)) = self.cells.get(next) {
            if ends(at, rules.footprint.area(at)) {
                return Some(at);
            }
            next += 1;
            if steps == StepAside::STEPS_MAX {
                continue;
            }
            for to in (grid.steps(at, rules).into_iter()).filter_map(|way| at.step(way)) {
                let known = &mut self.known[Self::index(start, to)];
                if !*known && passes(rules.footprint.area(to)) {
                    *known = true;
                    self.cells.push((to, steps + 1));
                }
            }
        }
        None
    }
}
