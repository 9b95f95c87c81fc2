//! Fields follow their targets, and edits of their maps.

use super::{
    anchors::{Anchors, CROWDED},
    group::{FieldGroup, FieldKey},
    store::Fields,
    target_fields::NearField,
    worth,
};
use crate::{
    FieldAnchor, NavMap, NavTime, Period,
    shared::CountKind,
    systems::storage::targets::{Target, Targets},
};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Grid, map::Tile};

/// Gives every target a place among the fields of every group, and no field of whom it follows there.
pub(crate) fn make_room(targets: Res<Targets>, mut fields: ResMut<Fields>) {
    fields.make_room(targets.slots());
    fields.drop_of_slots(targets.fresh());
}

/// Aims anew at targets that went away from where their fields lead.
///
/// Which fields there are does not matter, so that a world that was loaded aims alike.
pub(crate) fn aim(mut anchors: Anchors, mut fields: ResMut<Fields>, mut stale: Local<Vec<usize>>) {
    (fields.made, fields.expanded) = (0, 0);
    let now = anchors.clock.now();
    stale.clear();
    let due = |targets: &Targets, slot| targets.at(slot).is_due(now);
    let targets = &*anchors.targets;
    let slots = (0..targets.slots()).filter(|&slot| targets.is_chased(slot));
    stale.extend(slots.filter(|&slot| due(targets, slot).is_some()));
    let count = anchors.merge_with_others(CountKind::AimedAnew, &mut stale, &mut Vec::new());
    let crowded = count >= CROWDED;
    for slot in stale.drain(..) {
        let over = anchors.targets.at(slot).interval_over();
        if crowded && over.is_some_and(|over| now < over) && !anchors.has_turn(slot) {
            // For those near it only.
            continue;
        }
        // Whatever it waited for, others may have waited for as well.
        let due = due(&anchors.targets, slot);
        let is_late = due.is_some_and(|due| anchors.clock.previous() >= due);
        anchors.aim(slot, crowded && is_late);
        for group in &mut fields.groups {
            let of = group.targets.get_mut(slot);
            if let Some(of) = of.filter(|of| of.made.is_some()) {
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

/// Notes at the targets whose fields those near them want aimed anew that this is so.
pub(crate) fn note_wanted(
    targets: Res<Targets>,
    mut fields: ResMut<Fields>,
    mut anchors: Query<&mut FieldAnchor>,
) {
    for group in &mut fields.bypass_change_detection().groups {
        for (slot, of) in group.targets.iter_mut().enumerate() {
            if std::mem::take(of.wanted.get_mut())
                && !targets.at(slot).anchor.wanted
                && let Ok(mut anchor) = anchors.get_mut(targets.at(slot).entity)
            {
                anchor.wanted = true;
            }
        }
    }
}

/// How soon a field may be aimed anew for those near its target. Of a target that steps faster than that it
/// leads to where it was a step or two before, and the last steps follow the target itself.
const EARLIEST: Period = Period::from_millis(100);

impl Target {
    /// When the interval is over that its field was aimed for, if it was; until then it is aimed anew for
    /// those near it only.
    fn interval_over(&self) -> Option<NavTime> {
        let (_, since) = self.anchor.aimed?;
        Some(since.after(self.anchor.interval))
    }

    /// Since when its field is to be aimed anew, if it is by now.
    fn is_due(&self, now: NavTime) -> Option<NavTime> {
        let FieldAnchor {
            aimed,
            displacement,
            wanted,
            ..
        } = self.anchor;
        let ((anchor, since), place) = (aimed?, self.seen.position);
        let due = self.interval_over()?;
        let throttled = now >= due && place.displaced(&anchor, displacement);
        let is_too_soon = (since..since.after(EARLIEST)).contains(&now);
        let is_wanted = wanted && place.cell != anchor.cell && !is_too_soon;
        let is_due = place != anchor && (throttled || is_wanted) && worth::near_field(self.chasers);
        is_due.then_some(due)
    }
}

/// Drops the fields that edits reach into, and those of maps that are replaced by others.
pub(crate) fn drop_edited(
    maps: Query<(Entity, &NavMap), Changed<NavMap>>,
    mut fields: ResMut<Fields>,
) {
    for (entity, map) in &maps {
        if map.is_new() {
            fields.drop_of_map(entity);
        } else {
            fields.drop_of_edited_map(entity, map.grid());
        }
    }
}

impl Fields {
    /// Drops the fields of a map.
    fn drop_of_map(&mut self, map: Entity) {
        for of in self.groups.iter_mut().flat_map(|group| &mut group.targets) {
            of.made = of.made.filter(|made| made.map != map);
            if let Some(far) = &mut of.far {
                far.made = far.made.filter(|made| made.map != map);
            }
        }
    }

    /// Drops the fields with an edit in their window. Far ones are made again when somebody asks.
    fn drop_of_edited_map(&mut self, map: Entity, grid: &Grid) {
        for FieldGroup { key, targets, .. } in &mut self.groups {
            for of in targets {
                let Some(made) = of.made.as_mut().filter(|made| made.map == map) else {
                    continue;
                };
                let touched = made.serves && matches!(of.near, Some(NearField::Weighted(_)))
                    || edited(grid, made.place.cell, *key, made.version);
                if made.version == grid.version() {
                    continue;
                }
                made.version = grid.version();
                if touched {
                    of.made = None;
                }
            }
        }
    }
}

/// Whether a tile that the window of a field or its bodies reach into was edited since.
fn edited(grid: &Grid, centre: Cell, key: FieldKey, since: u64) -> bool {
    let side = u16::from(key.rules.footprint.side());
    // One more cell around: a step past a wall there is none of the window's.
    let reach = key.radius + 1;
    let first = |at: u16| at.saturating_sub(reach) / Tile::SIDE;
    let last = |at: u16, end: u16| at.saturating_add(reach + side).min(end - 1) / Tile::SIDE;
    let (columns, rows) = (
        first(centre.x)..=last(centre.x, grid.width()),
        first(centre.y)..=last(centre.y, grid.height()),
    );
    rows.into_iter().any(|row| {
        columns.clone().any(|column| {
            let cell = Cell {
                x: column * Tile::SIDE,
                y: row * Tile::SIDE,
                ..centre
            };
            grid.tile_version(Tile::of(cell)) > since
        })
    })
}
