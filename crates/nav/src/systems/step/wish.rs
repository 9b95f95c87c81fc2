//! Where a chaser wants to step.

use super::{
    super::{
        compass::{heading, nearest},
        fields::{Fields, Lead},
        long_search::LongSearch,
        pursuers::Pursues,
        reach::{in_reach, overlaps},
        scene::{Scene, Scenes},
        targets::{Target, Targets},
    },
    Steps,
};
use crate::{CellPosition, NavClock, NavMap, PathCursor, WorldPosition};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav_grid::{Cell, Direction, Directions};

/// What all steps of a tick are taken by.
#[derive(SystemParam)]
pub(crate) struct Course<'w, 's> {
    pub(super) clock: Res<'w, NavClock>,
    pub(super) fields: Res<'w, Fields>,
    long: Res<'w, LongSearch>,
    maps: Query<'w, 's, &'static NavMap>,
}

/// What a chaser wants whose move tick it is.
pub(super) enum Wish {
    /// There is nothing to follow.
    Rest,
    /// The target came within reach.
    Arrive,
    /// It does not yet know, and asks again in the next tick.
    Wait,
    /// The next waypoint of its path.
    Waypoint(Cell),
    /// A step by a field, toward the target if there is a choice.
    Lead {
        field: FieldOf,
        lead: Lead,
        wished: Direction,
    },
}

/// The field that a chaser follows.
#[derive(Clone, Copy)]
pub(super) struct FieldOf {
    kind: u16,
    far: bool,
    slot: u32,
}

impl FieldOf {
    /// That of the target.
    pub(super) const fn slot(self) -> usize {
        self.slot as usize
    }
}

impl Course<'_, '_> {
    /// What chasers move about in.
    pub(super) fn scenes<'a>(&'a self, targets: &'a Targets) -> Scenes<'a> {
        Scenes::new(targets, &self.fields, &self.maps)
    }

    pub(super) fn map(&self, map: Option<Entity>) -> Option<&NavMap> {
        self.maps.get(map?).ok()
    }

    /// What a chaser wants to do at its move tick. Drops what can no longer be followed.
    #[inline]
    pub(super) fn wish(&self, scene: &Scene, walker: &mut impl Pursues) -> Wish {
        if !walker.cursor().is_sharing() {
            return self.wish_alone(scene, walker);
        }
        let (from, place) = (walker.cell(), scene.place());
        if scene.is_reached(walker, from) {
            return Wish::Arrive;
        }
        let Some(field) = Self::field(scene, walker.cursor()) else {
            return Self::lose(walker);
        };
        let lead = if field.far {
            self.look_far(scene.target, field, from)
        } else {
            scene.common.and_then(|common| common.look(from))
        };
        let Some(mut lead) = lead else {
            return Self::lose(walker);
        };
        let wished = heading(from, place).unwrap_or(Direction::North);
        if lead.nearer.is_empty() && lead.link.is_none() {
            // Where the target was when the field was aimed: on by the straight way.
            let legal = scene.grid().steps(from, scene.approach(walker).rules);
            lead.nearer = legal.intersection(Directions::from(wished));
        }
        Wish::Lead {
            field,
            lead,
            wished,
        }
    }

    /// What one wants that follows no field.
    #[inline(never)]
    fn wish_alone(&self, scene: &Scene, walker: &impl Pursues) -> Wish {
        if walker.cursor().is_queued() {
            return self.straight_on(scene, walker);
        }
        walker
            .cursor()
            .waypoint()
            .map_or(Wish::Rest, Wish::Waypoint)
    }

    /// The field does not lead on from where it is.
    #[cold]
    fn lose(walker: &mut impl Pursues) -> Wish {
        walker.cursor_mut().drop_path();
        Wish::Wait
    }

    /// The field that a chaser follows, or would if it had to.
    #[inline]
    pub(super) fn field(scene: &Scene, cursor: &PathCursor) -> Option<FieldOf> {
        Some(FieldOf {
            kind: scene.tuning.kind()? as u16,
            far: cursor.shares_far(),
            slot: scene.slot as u32,
        })
    }

    /// What leads on from a cell by the field of a target.
    #[inline]
    pub(super) fn look(&self, target: &Target, field: FieldOf, cell: Cell) -> Option<Lead> {
        if field.far {
            return self.look_far(target, field, cell);
        }
        let common = self.fields.common(field.kind.into(), field.slot());
        common.and_then(|common| common.look(cell))
    }

    #[cold]
    fn look_far(&self, target: &Target, field: FieldOf, cell: Cell) -> Option<Lead> {
        let map = self.map(Some(target.seen.map))?;
        self.fields
            .look_far((field.kind.into(), field.slot()), target, map, cell)
    }

    /// The straight way for those who wait for a search; they stand where there is none, and those
    /// whose search is under way stay where it began.
    fn straight_on(&self, scene: &Scene, walker: &impl Pursues) -> Wish {
        let from = walker.cell();
        let legal = scene.grid().steps(from, scene.approach(walker).rules);
        let way = heading(from, scene.place()).filter(|&way| legal.contains(way));
        match way.and_then(|way| from.step(way)) {
            Some(to) if self.long.chaser() != Some(walker.entity()) => Wish::Waypoint(to),
            _ => Wish::Wait,
        }
    }

    /// Has a chaser take the step that it takes by itself at its move tick, if it has one to take
    /// and may; keeps its beat.
    #[inline]
    pub(super) fn walk<P: Pursues>(
        &self,
        scenes: &mut Scenes,
        walker: &mut P,
        steps: &mut Steps,
        may_step: impl FnOnce(&P, Cell) -> bool,
    ) {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        let Some(scene) = Self::chase_of(scenes, walker) else {
            walker.beat_mut().tick(now, previous, false);
            return;
        };
        let to = match self.wish(scene, walker) {
            Wish::Wait => return,
            Wish::Rest => {
                walker.beat_mut().tick(now, previous, false);
                return;
            }
            Wish::Arrive => {
                walker.beat_mut().tick(now, previous, false);
                arrive(walker, steps);
                return;
            }
            Wish::Waypoint(to) => Some(to),
            Wish::Lead { lead, wished, .. } => match nearest(lead.nearer, wished) {
                Some(way) => walker.cell().step(way),
                None => lead.link,
            },
        };
        walker.beat_mut().tick(now, previous, true);
        if let Some(to) = to
            && Self::allows(scene, walker, to)
            && may_step(walker, to)
        {
            Self::go(scene, walker, to, steps);
        }
    }

    /// What a chaser moves about in that has something to follow there.
    #[inline]
    pub(super) fn chase_of<'s, 'a>(
        scenes: &'s mut Scenes<'a>,
        walker: &impl Pursues,
    ) -> Option<&'s Scene<'a>> {
        if walker.cursor().rests() {
            return None;
        }
        scenes.of(walker)
    }

    /// Whether a chaser may take the step that it wishes, bodies aside. What leads over one that is
    /// forbidden by now is dropped.
    #[inline]
    pub(super) fn allows(scene: &Scene, walker: &mut impl Pursues, to: Cell) -> bool {
        // Fields lead by what is legal, and end where the target is within reach.
        let is_legal = walker.cursor().is_sharing() || Self::allows_waypoint(scene, walker, to);
        is_legal
            && !(scene.is_near(to, 0)
                && overlaps(scene.approach(walker).rules, to, &scene.target.seen))
    }

    #[inline(never)]
    fn allows_waypoint(scene: &Scene, walker: &mut impl Pursues, to: Cell) -> bool {
        let (approach, from, grid) = (scene.approach(walker), walker.cell(), scene.grid());
        // A path can lie beside its walker after a teleport, or behind a door that closed.
        if !grid.allows_move(from, to, approach.rules) {
            walker.cursor_mut().drop_path();
            return false;
        }
        let seen = &scene.target.seen;
        !(scene.is_near(from, 0) && in_reach(approach, grid, from, seen, walker.cursor()))
    }

    /// Has a chaser go to a cell, and notes if that is within reach of its target.
    #[inline]
    pub(super) fn go(scene: &Scene, walker: &mut impl Pursues, to: Cell, steps: &mut Steps) {
        Self::put(Some(scene.map), walker, to, steps);
        if scene.is_reached(walker, to) {
            arrive(walker, steps);
        }
    }

    /// Has a chaser on a map go to a cell.
    #[inline]
    pub(super) fn put(
        map: Option<&NavMap>,
        walker: &mut impl Pursues,
        to: Cell,
        steps: &mut Steps,
    ) {
        if !walker.cursor().is_sharing() {
            Self::advance(walker, to);
        }
        *walker.position_mut() = CellPosition::at(to);
        if let Some(map) = map
            && let Some(world) = walker.world_mut()
        {
            *world = WorldPosition::of(map.frame(), to);
        }
        if walker.body().is_some() && walker.timer().stands() {
            walker.timer_mut().set_stands(false);
        }
        steps.taken += 1;
    }

    /// Has the path of a chaser begin behind a cell that it goes to.
    #[inline(never)]
    fn advance(walker: &mut impl Pursues, to: Cell) {
        if walker.cursor().path().peek() == Some(to) {
            walker.cursor_mut().advance();
        } else if !walker.cursor().path().is_empty() {
            // Out of the way of others: the path lies beside it now.
            walker.cursor_mut().drop_path();
        }
    }
}

/// Notes that a chaser is within reach of its target.
pub(super) fn arrive(walker: &mut impl Pursues, steps: &mut Steps) {
    if walker.cursor_mut().set_reached(true) {
        // Nobody is in the way of the others.
        if walker.body().is_some() {
            walker.timer_mut().set_waits(0);
        }
        let (id, chaser, target) = (walker.id(), walker.entity(), walker.target());
        steps.arrivals.push((id, chaser, target));
    }
}
