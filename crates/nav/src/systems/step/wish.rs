//! Where a chaser wants to step.

use super::{
    super::{
        compass::{heading, nearest, without},
        fields::{Fields, Kind, Lead},
        long_search::LongSearch,
        reach::{in_reach, overlaps},
        targets::{SeenTarget, Targets},
    },
    WalkerItem,
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

/// What a chaser wants whose move tick it is.
pub(super) enum Wish {
    /// There is nothing to follow.
    Rest,
    /// It does not yet know, and asks again in the next tick.
    Wait,
    /// The next waypoint of its path.
    Waypoint(Cell),
    /// A step by a field, toward the target if there is a choice.
    Lead {
        shape: usize,
        slot: usize,
        lead: Lead,
        wished: Direction,
    },
}

impl Course<'_, '_> {
    pub(super) fn grid(&self, map: Entity) -> Option<&Grid> {
        Some(self.maps.get(map).ok()?.grid())
    }

    /// The place of a cell in the world.
    pub(super) fn world(&self, map: Entity, cell: Cell) -> Option<[f64; 3]> {
        let frame = self.maps.get(map).ok()?.frame();
        Some(frame.world((cell.x.into(), cell.y.into())))
    }

    /// The slot of a chaser's target, if both are on the same map.
    pub(super) fn slot(&self, targets: &Targets, walker: &WalkerItem) -> Option<usize> {
        let slot = targets.slot(walker.chasing.0)?;
        (targets.at(slot).seen.map == walker.on_map.0).then_some(slot)
    }

    /// Whether a chaser that stepped to a cell is within reach of its target.
    pub(super) fn is_reached(&self, targets: &Targets, walker: &WalkerItem, at: Cell) -> bool {
        let (Some(slot), Some(grid)) = (self.slot(targets, walker), self.grid(walker.on_map.0))
        else {
            return false;
        };
        let (chaser, seen) = (walker.chaser, targets.at(slot).seen);
        in_reach(chaser, grid, at, &seen, &walker.cursor)
            || chaser.stop_distance > 1
                && walker.cursor.is_sharing()
                && Kind::of(chaser)
                    .and_then(|kind| self.fields.shape(kind))
                    .is_some_and(|shape| {
                        self.fields
                            .is_within(shape, targets, slot, at, chaser.stop_distance)
                    })
    }

    /// What a chaser wants to do at its move tick. Drops what can no longer be followed.
    pub(super) fn wish(&self, targets: &Targets, walker: &mut WalkerItem) -> Wish {
        if walker.cursor.is_reached() {
            return Wish::Rest;
        }
        let (Some(slot), Some(grid)) = (self.slot(targets, walker), self.grid(walker.on_map.0))
        else {
            return Wish::Rest;
        };
        let (chaser, from, seen) = (walker.chaser, walker.position.cell, targets.at(slot).seen);
        if walker.cursor.is_sharing() {
            let shape = Kind::of(chaser).and_then(|kind| self.fields.shape(kind));
            let lead = shape.and_then(|shape| {
                let lead = self.fields.look(shape, targets, slot, from)?;
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
                slot,
                lead,
                wished,
            };
        }
        if walker.cursor.is_queued() {
            return self.straight_on(grid, walker, &seen);
        }
        let Some(waypoint) = walker.cursor.path().peek() else {
            return Wish::Rest;
        };
        Wish::Waypoint(waypoint)
    }

    /// The straight way for those who wait for a search; they stand where there is none, and those
    /// whose search is under way stay where it began.
    fn straight_on(&self, grid: &Grid, walker: &WalkerItem, seen: &SeenTarget) -> Wish {
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
    pub(super) fn step_of(&self, targets: &Targets, walker: &mut WalkerItem) -> Option<Cell> {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        if now < walker.beat.next_step {
            return None;
        }
        let wish = self.wish(targets, walker);
        let following = match wish {
            Wish::Wait => return None,
            Wish::Rest => false,
            Wish::Waypoint(_) | Wish::Lead { .. } => true,
        };
        walker.beat.tick(now, previous, following);
        let to = match wish {
            Wish::Rest | Wish::Wait => return None,
            Wish::Waypoint(to) => to,
            Wish::Lead { lead, wished, .. } => match nearest(lead.nearer, wished) {
                Some(way) => walker.position.cell.step(way)?,
                None => lead.link?,
            },
        };
        self.allows(targets, walker, to).then_some(to)
    }

    /// Whether a chaser may step to a cell, bodies aside. What leads over a step that is forbidden
    /// by now is dropped.
    pub(super) fn allows(&self, targets: &Targets, walker: &mut WalkerItem, to: Cell) -> bool {
        let (Some(slot), Some(grid)) = (self.slot(targets, walker), self.grid(walker.on_map.0))
        else {
            return false;
        };
        let (rules, from, seen) = (
            walker.chaser.rules,
            walker.position.cell,
            targets.at(slot).seen,
        );
        // A path can lie beside its walker after a teleport, or behind a door that closed.
        if !walker.cursor.is_sharing() && !grid.allows_move(from, to, rules) {
            walker.cursor.drop_path();
            return false;
        }
        !overlaps(rules, to, &seen) && !in_reach(walker.chaser, grid, from, &seen, &walker.cursor)
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
