//! Where a chaser wants to step.

use super::{
    super::{
        compass::{heading, nearest, without},
        fields::{Fields, Lead},
        long_search::LongSearch,
        pursuers::PursuerItem,
        reach::{in_reach, overlaps},
        rows::Rows,
        targets::{SeenTarget, Targets},
    },
    Steps,
};
use crate::{Chaser, NavClock, NavMap};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav_grid::{Cell, Direction, Directions, Grid};

/// What all steps of a tick are taken by.
#[derive(SystemParam)]
pub(crate) struct Course<'w, 's> {
    pub(super) clock: Res<'w, NavClock>,
    pub(super) fields: Res<'w, Fields>,
    long: Res<'w, LongSearch>,
    maps: Query<'w, 's, &'static NavMap>,
}

/// What a chaser moves about in.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    /// That of its target.
    pub(super) slot: usize,
    pub(super) seen: &'a SeenTarget,
    /// The map of both.
    pub(super) grid: &'a Grid,
}

/// A chaser that follows a field and is not near its target: what most of a crowd does, told from
/// its row.
pub(super) struct Ride {
    pub(super) shape: usize,
    /// That of its target.
    pub(super) slot: usize,
    pub(super) from: Cell,
    pub(super) wished: Direction,
    /// With a step that leads nearer.
    pub(super) lead: Lead,
}

impl Ride {
    /// Where it leads if nobody is in the way.
    #[inline]
    pub(super) fn step(&self) -> Option<Cell> {
        self.from.step(nearest(self.lead.nearer, self.wished)?)
    }
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
        shape: usize,
        lead: Lead,
        wished: Direction,
    },
}

impl Course<'_, '_> {
    /// How the chaser in a row goes on by the field it follows, if it has a step by it and cannot
    /// come within reach of its target by that.
    #[inline]
    pub(super) fn ride(&self, targets: &Targets, rows: &Rows, row: usize) -> Option<Ride> {
        if !rows.cursors.at(row).is_sharing() || rows.worlds.is_some() {
            return None;
        }
        let slot = targets.slot(rows.chasing.at(row).0)?;
        let seen = &targets.at(slot).seen;
        let (chaser, from) = (rows.chasers.at(row), rows.positions.at(row).cell);
        if rows.map(row) != Some(seen.map) || is_near(chaser, from, seen, 1) {
            return None;
        }
        let shape = self.fields.shape_of(chaser)?;
        let lead = self.fields.look(shape, slot, from)?;
        let wished = heading(from, seen.position.cell).unwrap_or(Direction::North);
        (!lead.nearer.is_empty()).then_some(Ride {
            shape,
            slot,
            from,
            wished,
            lead,
        })
    }

    pub(super) fn grid(&self, map: Entity) -> Option<&Grid> {
        Some(self.maps.get(map).ok()?.grid())
    }

    /// The place of a cell in the world.
    pub(super) fn world(&self, map: Entity, cell: Cell) -> Option<[f64; 3]> {
        let frame = self.maps.get(map).ok()?.frame();
        Some(frame.world((cell.x.into(), cell.y.into())))
    }

    /// What a chaser moves about in, if its target is on the same map.
    #[inline]
    pub(super) fn scene<'a>(
        &'a self,
        targets: &'a Targets,
        walker: &PursuerItem,
    ) -> Option<Scene<'a>> {
        let slot = targets.slot(walker.chasing.0)?;
        let seen = &targets.at(slot).seen;
        let map = walker.map()?;
        let grid = self.grid(map).filter(|_| seen.map == map)?;
        Some(Scene { slot, seen, grid })
    }

    /// Whether a chaser that stepped to a cell is within reach of its target.
    pub(super) fn is_reached(
        &self,
        targets: &Targets,
        scene: &Scene,
        walker: &PursuerItem,
        at: Cell,
    ) -> bool {
        let chaser = &*walker.chaser;
        if !is_near(chaser, at, scene.seen, 0) {
            return false;
        }
        in_reach(chaser, scene.grid, at, scene.seen, &walker.cursor)
            || walker.cursor.is_sharing()
                && self.fields.shape_of(chaser).is_some_and(|shape| {
                    self.fields
                        .is_in_ring(shape, targets, scene.slot, chaser, at)
                })
    }

    /// What a chaser wants to do at its move tick. Drops what can no longer be followed.
    #[inline]
    pub(super) fn wish(&self, targets: &Targets, scene: &Scene, walker: &mut PursuerItem) -> Wish {
        if walker.cursor.is_reached() {
            return Wish::Rest;
        }
        let Scene { slot, seen, grid } = *scene;
        let (chaser, from) = (&*walker.chaser, walker.position.cell);
        if walker.cursor.is_sharing() {
            if self.is_reached(targets, scene, walker, from) {
                return Wish::Arrive;
            }
            let lead = self.fields.shape_of(chaser).and_then(|shape| {
                let lead = self.fields.look(shape, slot, from)?;
                Some((shape, lead))
            });
            let Some((shape, mut lead)) = lead else {
                walker.cursor.drop_path();
                return Wish::Wait;
            };
            let wished = heading(from, seen.position.cell).unwrap_or(Direction::North);
            if lead.nearer.is_empty() && lead.link.is_none() {
                // Where the target was when the field was aimed: on by the straight way.
                lead.nearer = grid
                    .steps(from, chaser.rules)
                    .intersection(Directions::from(wished));
            }
            return Wish::Lead {
                shape,
                lead,
                wished,
            };
        }
        if walker.cursor.is_queued() {
            return self.straight_on(grid, walker, seen);
        }
        let Some(waypoint) = walker.cursor.path().peek() else {
            return Wish::Rest;
        };
        Wish::Waypoint(waypoint)
    }

    /// The straight way for those who wait for a search; they stand where there is none, and those
    /// whose search is under way stay where it began.
    fn straight_on(&self, grid: &Grid, walker: &PursuerItem, seen: &SeenTarget) -> Wish {
        let from = walker.position.cell;
        let way = heading(from, seen.position.cell);
        let step = way.filter(|&way| grid.steps(from, walker.chaser.rules).contains(way));
        match step.and_then(|way| from.step(way)) {
            Some(to) if self.long.chaser() != Some(walker.entity) => Wish::Waypoint(to),
            _ => Wish::Wait,
        }
    }

    /// The step that a chaser takes by itself, if it is its move tick and it has one to take;
    /// keeps its beat.
    #[inline]
    pub(super) fn step_of<'a>(
        &'a self,
        targets: &'a Targets,
        walker: &mut PursuerItem,
        steps: &mut Steps,
    ) -> Option<(Cell, Scene<'a>)> {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        if now < walker.beat.next_step {
            return None;
        }
        let Some(scene) = self.scene(targets, walker) else {
            walker.beat.tick(now, previous, false);
            return None;
        };
        let wish = self.wish(targets, &scene, walker);
        let following = match wish {
            Wish::Wait => return None,
            Wish::Arrive => {
                walker.beat.tick(now, previous, false);
                walker.arrive(steps);
                return None;
            }
            Wish::Rest => false,
            Wish::Waypoint(_) | Wish::Lead { .. } => true,
        };
        walker.beat.tick(now, previous, following);
        let to = match wish {
            Wish::Rest | Wish::Arrive | Wish::Wait => return None,
            Wish::Waypoint(to) => to,
            Wish::Lead { lead, wished, .. } => match nearest(lead.nearer, wished) {
                Some(way) => walker.position.cell.step(way)?,
                None => lead.link?,
            },
        };
        Self::allows(&scene, walker, to).then_some((to, scene))
    }

    /// Whether a chaser may step to a cell, bodies aside. What leads over a step that is forbidden
    /// by now is dropped.
    pub(super) fn allows(scene: &Scene, walker: &mut PursuerItem, to: Cell) -> bool {
        let (rules, from) = (walker.chaser.rules, walker.position.cell);
        // A path can lie beside its walker after a teleport, or behind a door that closed.
        if !walker.cursor.is_sharing() && !scene.grid.allows_move(from, to, rules) {
            walker.cursor.drop_path();
            return false;
        }
        !is_near(&walker.chaser, from, scene.seen, 0)
            || !overlaps(rules, to, scene.seen)
                && !in_reach(&walker.chaser, scene.grid, from, scene.seen, &walker.cursor)
    }

    /// The ways of a lead that do not end on the target.
    pub(super) fn off_target(
        ways: Directions,
        from: Cell,
        seen: &SeenTarget,
        chaser: &Chaser,
    ) -> Directions {
        let near = from.chebyshev(seen.position.cell)
            <= 1 + u16::from(chaser.rules.footprint.side()) + u16::from(seen.body.side());
        if !near {
            return ways;
        }
        ways.into_iter()
            .fold(ways, |ways, way| match from.step(way) {
                Some(to) if overlaps(chaser.rules, to, seen) => without(ways, way),
                _ => ways,
            })
    }
}

/// Whether a target is so near, or would be after some more steps, that it may be within reach or
/// in the way. Links are left out of account: who comes within reach by one sees that at its next
/// move tick.
#[inline]
pub(super) fn is_near(chaser: &Chaser, from: Cell, seen: &SeenTarget, steps: u16) -> bool {
    let side = u16::from(chaser.rules.footprint.side());
    let ahead = chaser.stop_distance.saturating_add(side - 1);
    let beside = side.max(seen.body.side().into());
    from.chebyshev(seen.position.cell) <= ahead.max(beside).saturating_add(steps)
}
