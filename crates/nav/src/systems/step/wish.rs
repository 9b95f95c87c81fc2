//! Where a chaser wants to step.

use super::{
    super::{
        compass::{heading, nearest, without},
        fields::{Fields, Lead},
        long_search::LongSearch,
        pursuers::Pursues,
        reach::{in_reach, overlaps},
        targets::{SeenTarget, Targets},
        tunings::{Tuning, Tunings},
    },
    Steps,
};
use crate::{CellPosition, NavClock, NavMap, PathCursor};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav_grid::{Cell, Direction, Directions, Grid, Rules};

/// What all steps of a tick are taken by.
#[derive(SystemParam)]
pub(crate) struct Course<'w, 's> {
    pub(super) clock: Res<'w, NavClock>,
    pub(super) tunings: Res<'w, Tunings>,
    pub(super) fields: Res<'w, Fields>,
    long: Res<'w, LongSearch>,
    maps: Query<'w, 's, &'static NavMap>,
}

/// What a chaser moves about in: the map that its target is on, too.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    /// That of its target.
    pub(super) slot: usize,
    pub(super) seen: &'a SeenTarget,
    tuning: Tuning,
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

impl Scene<'_> {
    /// Whether the target is so near, or would be after some more steps, that it may be within
    /// reach or in the way. Links are left out of account: who comes within reach by one sees that
    /// at its next move tick.
    #[inline]
    pub(super) fn is_near(&self, from: Cell, steps: u16) -> bool {
        let near = self.tuning.near.max(self.seen.body.side().into());
        from.chebyshev(self.seen.position.cell) <= near.saturating_add(steps)
    }

    /// Those of some ways that do not end on the target.
    #[inline]
    pub(super) fn off_target(&self, ways: Directions, from: Cell, rules: Rules) -> Directions {
        if !self.is_near(from, 1) {
            return ways;
        }
        ways.into_iter()
            .fold(ways, |ways, way| match from.step(way) {
                Some(to) if overlaps(rules, to, self.seen) => without(ways, way),
                _ => ways,
            })
    }
}

impl Course<'_, '_> {
    pub(super) fn grid(&self, map: Entity) -> Option<&Grid> {
        Some(self.maps.get(map).ok()?.grid())
    }

    /// What a chaser moves about in, if its target is on the same map.
    #[inline]
    pub(super) fn scene<'a>(
        &self,
        targets: &'a Targets,
        walker: &impl Pursues,
    ) -> Option<Scene<'a>> {
        self.scene_of(targets, walker.entity(), walker.target(), walker.map()?)
    }

    /// What a chaser on a map moves about in, if a target is on the same map.
    #[inline]
    pub(super) fn scene_of<'a>(
        &self,
        targets: &'a Targets,
        chaser: Entity,
        target: Entity,
        map: Entity,
    ) -> Option<Scene<'a>> {
        let slot = targets.slot_on(target, map)?;
        Some(Scene {
            slot,
            seen: &targets.at(slot).seen,
            tuning: self.tunings.of(chaser),
        })
    }

    /// What a chaser moves about in that has something to follow there.
    #[inline]
    pub(super) fn chase_of<'a>(
        &self,
        targets: &'a Targets,
        walker: &impl Pursues,
    ) -> Option<Scene<'a>> {
        if walker.cursor().rests() {
            return None;
        }
        self.scene(targets, walker)
    }

    /// Whether a chaser that stepped to a cell is within reach of its target.
    #[inline]
    pub(super) fn is_reached(
        &self,
        targets: &Targets,
        scene: &Scene,
        walker: &impl Pursues,
        at: Cell,
    ) -> bool {
        scene.is_near(at, 0) && self.is_within_reach(targets, scene, walker, at)
    }

    fn is_within_reach(
        &self,
        targets: &Targets,
        scene: &Scene,
        walker: &impl Pursues,
        at: Cell,
    ) -> bool {
        let Some(grid) = self.grid(scene.seen.map) else {
            return false;
        };
        let (chaser, cursor) = (walker.chaser(), walker.cursor());
        in_reach(chaser, grid, at, scene.seen, cursor)
            || cursor.is_sharing()
                && scene.tuning.kind().is_some_and(|kind| {
                    self.fields
                        .is_in_ring(kind, targets, scene.slot, chaser, at)
                })
    }

    /// What a chaser wants to do at its move tick. Drops what can no longer be followed.
    #[inline]
    pub(super) fn wish(&self, targets: &Targets, scene: &Scene, walker: &mut impl Pursues) -> Wish {
        if walker.cursor().is_sharing() {
            return self.follow(targets, scene, walker);
        }
        if walker.cursor().is_queued() {
            return self.straight_on(scene, walker);
        }
        match walker.cursor().path().peek() {
            Some(waypoint) if !walker.cursor().is_reached() => Wish::Waypoint(waypoint),
            _ => Wish::Rest,
        }
    }

    /// What one wants that follows a field.
    #[inline]
    fn follow(&self, targets: &Targets, scene: &Scene, walker: &mut impl Pursues) -> Wish {
        let (from, place) = (walker.cell(), scene.seen.position.cell);
        if self.is_reached(targets, scene, walker, from) {
            return Wish::Arrive;
        }
        let field = Self::field(scene, walker.cursor());
        let lead = field.and_then(|field| Some((field, self.look(targets, field, from)?)));
        let Some((field, mut lead)) = lead else {
            walker.cursor_mut().drop_path();
            return Wish::Wait;
        };
        let wished = heading(from, place).unwrap_or(Direction::North);
        if lead.nearer.is_empty() && lead.link.is_none() {
            // Where the target was when the field was aimed: on by the straight way.
            lead.nearer = self
                .steps(scene, walker)
                .intersection(Directions::from(wished));
        }
        Wish::Lead {
            field,
            lead,
            wished,
        }
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

    /// What leads on from a cell by a field.
    #[inline]
    pub(super) fn look(&self, targets: &Targets, field: FieldOf, cell: Cell) -> Option<Lead> {
        if field.far {
            return self.look_far(targets, field, cell);
        }
        self.fields.look(field.kind.into(), field.slot(), cell)
    }

    #[cold]
    fn look_far(&self, targets: &Targets, field: FieldOf, cell: Cell) -> Option<Lead> {
        let target = targets.at(field.slot());
        let map = self.maps.get(target.seen.map).ok()?;
        self.fields
            .look_far((field.kind.into(), field.slot()), target, map, cell)
    }

    /// The straight way for those who wait for a search; they stand where there is none, and those
    /// whose search is under way stay where it began.
    fn straight_on(&self, scene: &Scene, walker: &impl Pursues) -> Wish {
        let from = walker.cell();
        let way = heading(from, scene.seen.position.cell);
        let step = way.filter(|&way| self.steps(scene, walker).contains(way));
        match step.and_then(|way| from.step(way)) {
            Some(to) if self.long.chaser() != Some(walker.entity()) => Wish::Waypoint(to),
            _ => Wish::Wait,
        }
    }

    /// The legal steps of a chaser.
    fn steps(&self, scene: &Scene, walker: &impl Pursues) -> Directions {
        let grid = self.grid(scene.seen.map);
        grid.map_or(Directions::NONE, |grid| {
            grid.steps(walker.cell(), walker.chaser().rules)
        })
    }

    /// The step that a chaser takes by itself at its move tick, if it has one to take; keeps its
    /// beat.
    #[inline]
    pub(super) fn step_of<'a>(
        &self,
        targets: &'a Targets,
        walker: &mut impl Pursues,
        steps: &mut Steps,
    ) -> Option<(Cell, Scene<'a>)> {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        let Some(scene) = self.chase_of(targets, walker) else {
            walker.beat_mut().tick(now, previous, false);
            return None;
        };
        let to = match self.wish(targets, &scene, walker) {
            Wish::Wait => return None,
            Wish::Rest => {
                walker.beat_mut().tick(now, previous, false);
                return None;
            }
            Wish::Arrive => {
                walker.beat_mut().tick(now, previous, false);
                arrive(walker, steps);
                return None;
            }
            Wish::Waypoint(to) => Some(to),
            Wish::Lead { lead, wished, .. } => match nearest(lead.nearer, wished) {
                Some(way) => walker.cell().step(way),
                None => lead.link,
            },
        };
        walker.beat_mut().tick(now, previous, true);
        let to = to?;
        self.allows(&scene, walker, to).then_some((to, scene))
    }

    /// Whether a chaser may step to a cell, bodies aside. What leads over a step that is forbidden
    /// by now is dropped.
    #[inline]
    pub(super) fn allows(&self, scene: &Scene, walker: &mut impl Pursues, to: Cell) -> bool {
        let (sharing, near) = (
            walker.cursor().is_sharing(),
            scene.is_near(walker.cell(), 0),
        );
        sharing && !near || self.allows_near(scene, walker, to, near)
    }

    fn allows_near(&self, scene: &Scene, walker: &mut impl Pursues, to: Cell, near: bool) -> bool {
        let Some(grid) = self.grid(scene.seen.map) else {
            return false;
        };
        let (chaser, from) = (walker.chaser(), walker.cell());
        // A path can lie beside its walker after a teleport, or behind a door that closed.
        if !walker.cursor().is_sharing() && !grid.allows_move(from, to, chaser.rules) {
            walker.cursor_mut().drop_path();
            return false;
        }
        !near
            || !overlaps(chaser.rules, to, scene.seen)
                && !in_reach(chaser, grid, from, scene.seen, walker.cursor())
    }

    /// Has a chaser go to a cell, and notes if that is within reach of its target.
    #[inline]
    pub(super) fn go(
        &self,
        targets: &Targets,
        scene: &Scene,
        walker: &mut impl Pursues,
        to: Cell,
        steps: &mut Steps,
    ) {
        self.put(walker, to, steps);
        if self.is_reached(targets, scene, walker, to) {
            arrive(walker, steps);
        }
    }

    /// Has a chaser go to a cell.
    #[inline]
    pub(super) fn put(&self, walker: &mut impl Pursues, to: Cell, steps: &mut Steps) {
        if walker.cursor().path().peek() == Some(to) {
            walker.cursor_mut().advance();
        } else if !walker.cursor().path().is_empty() {
            // Out of the way of others: the path lies beside it now.
            walker.cursor_mut().drop_path();
        }
        *walker.position_mut() = CellPosition::at(to);
        let map = walker.map();
        if let Some(world) = walker.world_mut()
            && let Some(map) = map.and_then(|map| self.maps.get(map).ok())
        {
            world.0 = map.frame().world((to.x.into(), to.y.into()));
        }
        if walker.body().is_some() && walker.timer().stands() {
            walker.timer_mut().set_stands(false);
        }
        steps.taken += 1;
    }
}

/// Notes that a chaser is within reach of its target.
pub(super) fn arrive(walker: &mut impl Pursues, steps: &mut Steps) {
    if walker.cursor_mut().set_reached(true) {
        walker.timer_mut().set_waits(0);
        let (id, chaser, target) = (walker.id(), walker.entity(), walker.target());
        steps.arrivals.push((id, chaser, target));
    }
}
