//! Aiming fields: fields follow their targets, and edits of their maps.

use super::{
    store::{FieldGroup, Fields},
    target_fields::{FIELD_CHASERS_MIN, FieldKey, NearField, TargetFields},
};
use crate::{
    CellPosition, FieldAnchor, NavClock, NavMap, NavTime, Period,
    systems::storage::targets::{Target, Targets},
};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav_grid::{Cell, Grid, map::Tile};
use std::mem::take;

/// From this many fields aimed in one tick on, later aims are spread over their intervals.
///
/// Measured: with 128, the slowest of 100 ticks of the scenario `crowd-10k` aim for 0.2 ms instead
/// of 0.05 ms. With 8, the fields of 16 fast targets are spread, too, and their chasers fall
/// behind.
pub(super) const CROWDED_AIMS: usize = 32;

/// Ticks over which early aims are spread if [many](CROWDED_AIMS) would be in one: many targets
/// step in the same tick, which took a third longer without turns.
///
/// Measured on the scenario `crowd-10k`: the slowest of 100 ticks aim for 54 µs with 8 turns, 80 µs
/// with 4, 122 µs with 2 and 230 µs with one. With 16 there are 2.6 % fewer arrivals.
const TURNS: u64 = 8;

/// How soon after an aim a field may be aimed again for chasers near its target. For a target that
/// steps faster, the field leads to where the target was a step or two before, and the last steps
/// follow the target itself.
///
/// Measured: with 50 ms, the scenario `plain-10k` makes twice as many fields, and chasers are 0.4 %
/// longer beside targets that move. With 250 ms they are so for 2 % less of the time.
const EARLIEST: Period = Period::from_millis(100);

/// The slot of a target, and how closely chasers of a group need its fields to follow it.
pub(super) type Wish = (usize, Period, f32);

/// The anchors of all targets.
#[derive(SystemParam)]
pub(crate) struct Anchors<'w, 's> {
    pub(super) clock: Res<'w, NavClock>,
    pub(super) targets: ResMut<'w, Targets>,
    stored: Query<'w, 's, &'static mut FieldAnchor>,
}

impl Anchors<'_, '_> {
    /// Lowers the re-aim interval and distance of a target's fields. The first ones asked for in a
    /// tick are valid once the fields are [aimed](Self::aim).
    pub(super) fn follow_closer(&mut self, (slot, interval, repath_distance): Wish) {
        let mut anchor = self.targets.at(slot).anchor;
        anchor.follow_closer(interval, repath_distance);
        self.set(slot, anchor);
    }

    /// Whether a target takes its turn in this tick: it has one in every [`TURNS`] ticks.
    fn has_turn(&self, slot: usize) -> bool {
        let cell = self.targets.at(slot).seen.position.cell;
        let tick = self.clock.now().0 / self.clock.tick().max(1);
        let number = u64::from(cell.x) + u64::from(cell.y) + tick;
        number.is_multiple_of(TURNS)
    }

    /// Anchors the near field of a target at its present place. The interval counts from now, or
    /// from a moment within the next interval if the target `takes_turn`.
    pub(super) fn aim(&mut self, slot: usize, takes_turn: bool) {
        let target = self.targets.at(slot);
        let (mut anchor, place) = (target.anchor, target.seen.position);
        let (mut since, cell) = (self.clock.now(), place.cell);
        if takes_turn {
            let number = u64::from(cell.x) | u64::from(cell.y) << 16;
            since = since.put_off(number, anchor.interval);
        }
        anchor.aimed = Some((place, since));
        anchor.wanted = false;
        self.set(slot, anchor);
    }

    /// Anchors the far field of a target at its present place.
    pub(super) fn aim_far(&mut self, slot: usize) -> (CellPosition, NavTime) {
        let target = self.targets.at(slot);
        let aimed = (target.seen.position, self.clock.now());
        let mut anchor = target.anchor;
        anchor.far = Some(aimed);
        self.set(slot, anchor);
        aimed
    }

    fn set(&mut self, slot: usize, anchor: FieldAnchor) {
        self.targets.set_anchor(slot, anchor);
        if let Ok(mut stored) = self.stored.get_mut(self.targets.at(slot).entity) {
            *stored = anchor;
        }
    }
}

/// Gives every target a place among the fields of every group, and drops what earlier targets left
/// in new slots.
pub(super) fn make_room(targets: Res<Targets>, mut fields: ResMut<Fields>) {
    for group in fields.groups.iter_mut().filter(|group| group.is_used) {
        if group.targets.len() < targets.slots() {
            group
                .targets
                .resize_with(targets.slots(), TargetFields::default);
        }
        // Also the fields of the same target from before: which slot it gets must not show.
        for &slot in targets.fresh() {
            group.targets[slot] = TargetFields::default();
        }
    }
}

/// Aims again at targets that left the place to which their fields lead.
///
/// Does not depend on which fields exist, so that a loaded world aims as the saved one.
pub(super) fn aim(mut anchors: Anchors, mut fields: ResMut<Fields>, mut stale: Local<Vec<usize>>) {
    (fields.made, fields.expanded) = (0, 0);
    let now = anchors.clock.now();
    let targets = &*anchors.targets;
    let is_stale =
        |&slot: &usize| targets.is_chased(slot) && targets.at(slot).is_due(now).is_some();
    stale.clear();
    stale.extend((0..targets.slots()).filter(is_stale));
    let crowded = stale.len() >= CROWDED_AIMS;
    for slot in stale.drain(..) {
        let target = anchors.targets.at(slot);
        // Before its interval is over, a field is aimed for chasers near the target only.
        let is_early = target.interval_over().is_some_and(|over| now < over);
        if crowded && is_early && !anchors.has_turn(slot) {
            continue;
        }
        // Other targets may have waited for the same.
        let is_late = target
            .is_due(now)
            .is_some_and(|due| anchors.clock.previous() >= due);
        anchors.aim(slot, crowded && is_late);
        for group in &mut fields.groups {
            let made = group.targets.get_mut(slot).filter(|of| of.made.is_some());
            if let Some(of) = made {
                *of.asked.get_mut() = true;
            }
        }
    }
    for group in &mut fields.groups {
        for (slot, of) in group.targets.iter_mut().enumerate() {
            of.update_leads(anchors.targets.at(slot));
        }
    }
}

/// Notes at each target whether chasers near it want its field aimed at its next cell.
pub(crate) fn note_wanted(
    targets: Res<Targets>,
    mut fields: ResMut<Fields>,
    mut anchors: Query<&mut FieldAnchor>,
) {
    for group in &mut fields.bypass_change_detection().groups {
        for (slot, of) in group.targets.iter_mut().enumerate() {
            if take(of.wanted.get_mut())
                && !targets.at(slot).anchor.wanted
                && let Ok(mut anchor) = anchors.get_mut(targets.at(slot).entity)
            {
                anchor.wanted = true;
            }
        }
    }
}

impl Target {
    /// Returns the end of the interval since the last aim. Until then, only chasers near the target
    /// cause another aim.
    fn interval_over(&self) -> Option<NavTime> {
        let (_, since) = self.anchor.aimed?;
        Some(since.after(self.anchor.interval))
    }

    /// Returns since when the target's field should be aimed, if it should be by now.
    fn is_due(&self, now: NavTime) -> Option<NavTime> {
        let (FieldAnchor { aimed, wanted, .. }, place) = (self.anchor, self.seen.position);
        let ((anchor, since), due) = (aimed?, self.interval_over()?);
        let throttled = now >= due && place.displaced(&anchor, self.anchor.repath_distance);
        let is_too_soon = (since..since.after(EARLIEST)).contains(&now);
        let is_wanted = wanted && place.cell != anchor.cell && !is_too_soon;
        let has_enough = self.chasers >= FIELD_CHASERS_MIN;
        (place != anchor && (throttled || is_wanted) && has_enough).then_some(due)
    }
}

/// Drops near fields with an edit in their window, and all fields of replaced maps. Far fields of
/// edited maps are made again on request.
pub(crate) fn drop_edited(
    maps: Query<(Entity, &NavMap), Changed<NavMap>>,
    mut fields: ResMut<Fields>,
) {
    for (map, nav_map) in &maps {
        let (grid, is_new) = (nav_map.grid(), nav_map.is_new());
        for FieldGroup { key, targets, .. } in &mut fields.groups {
            for of in targets {
                if is_new {
                    of.made = of.made.filter(|made| made.map != map);
                    if let Some(far) = &mut of.far {
                        far.made = far.made.filter(|made| made.map != map);
                    }
                } else if let Some(made) = of.made.as_mut().filter(|made| made.map == map)
                    && made.version != grid.version()
                {
                    // Links lead cost fields to other floors, which `is_edited` does not look at.
                    let is_cost = made.serves && matches!(of.near, Some(NearField::Cost(_)));
                    let touched = is_cost || is_edited(grid, made.place.cell, *key, made.version);
                    made.version = grid.version();
                    if touched {
                        of.made = None;
                    }
                }
            }
        }
    }
}

/// Whether a tile within reach of the window of a field, or of bodies in it, was edited since.
fn is_edited(grid: &Grid, centre: Cell, key: FieldKey, since: u64) -> bool {
    let side = u16::from(key.rules.footprint.side());
    // One more cell on each side: a step past a wall there is no step of the window.
    let reach = key.radius + 1;
    let tiles = |at: u16, end: u16| {
        let last = at.saturating_add(reach + side).min(end - 1);
        at.saturating_sub(reach) / Tile::SIDE..=last / Tile::SIDE
    };
    tiles(centre.y, grid.height()).any(|row| {
        tiles(centre.x, grid.width()).any(|column| {
            let cell = Cell {
                x: column * Tile::SIDE,
                y: row * Tile::SIDE,
                ..centre
            };
            grid.tile_version(Tile::of(cell)) > since
        })
    })
}
