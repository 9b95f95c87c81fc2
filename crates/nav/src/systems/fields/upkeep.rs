//! Observe: fields follow their targets and the edits of their maps.

use super::{
    Field, Fields, Kind, Shape,
    aims::{Aims, CROWDED},
};
use crate::{FieldAnchor, NavMap, NavTime, systems::targets::Target};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Grid, map::Tile};

/// Aims anew at targets that went away from where their fields lead.
///
/// Which fields there are does not matter, so that a world that was loaded aims alike.
pub(crate) fn aim(
    mut aims: Aims,
    mut fields: ResMut<Fields>,
    mut stale: Local<Vec<(usize, NavTime)>>,
) {
    (fields.made, fields.expanded) = (0, 0);
    let now = aims.clock.now();
    let due = |slot| Some((slot, aims.targets.at(slot).is_due(now)?));
    stale.clear();
    stale.extend((0..aims.targets.slots()).filter_map(due));
    let crowded = stale.len() >= CROWDED;
    for (slot, due) in stale.drain(..) {
        // Whatever it waited for, others may have waited for as well.
        let is_late = aims.clock.previous() >= due;
        aims.aim(slot, crowded && is_late);
        for shape in &mut fields.shapes {
            let shared = shape.shared.get_mut(slot);
            if let Some(shared) = shared.filter(|shared| shared.made.is_some()) {
                *shared.asked.get_mut() = true;
            }
        }
    }
    for shape in &mut fields.shapes {
        for (slot, shared) in shape.shared.iter_mut().enumerate() {
            shared.note_leads(aims.targets.at(slot));
        }
    }
}

impl Target {
    /// Since when its field is to be aimed anew, if it is by now.
    fn is_due(&self, now: NavTime) -> Option<NavTime> {
        let FieldAnchor {
            aimed,
            interval,
            displacement,
            ..
        } = self.anchor;
        let ((anchor, since), place) = (aimed?, self.seen.position);
        let due = since.after(interval);
        let is_due = place != anchor
            && now >= due
            && place.displaced(&anchor, displacement)
            && Fields::is_worth_it(self.chasers);
        is_due.then_some(due)
    }
}

/// Drops the fields that edits reach into, and those of maps that are replaced by others.
pub(crate) fn see_edits(
    maps: Query<(Entity, &NavMap), Changed<NavMap>>,
    mut fields: ResMut<Fields>,
) {
    for (entity, map) in &maps {
        if map.is_new() {
            fields.drop_all(entity);
        } else {
            fields.drop_edited(entity, map.grid());
        }
    }
}

impl Fields {
    /// Drops the fields of a map.
    fn drop_all(&mut self, map: Entity) {
        for shared in self.shapes.iter_mut().flat_map(|shape| &mut shape.shared) {
            shared.made = shared.made.filter(|made| made.map != map);
            if let Some(far) = &mut shared.far {
                far.made = far.made.filter(|made| made.map != map);
            }
        }
    }

    /// Drops the fields with an edit in their window. Far ones are made again when somebody asks.
    fn drop_edited(&mut self, map: Entity, grid: &Grid) {
        for Shape { kind, shared } in &mut self.shapes {
            for shared in shared {
                let Some(made) = shared.made.as_mut().filter(|made| made.map == map) else {
                    continue;
                };
                let touched = made.serves && matches!(shared.field, Some(Field::Weighted(_)))
                    || edited(grid, made.place.cell, *kind, made.version);
                if made.version == grid.version() {
                    continue;
                }
                made.version = grid.version();
                if touched {
                    shared.made = None;
                }
            }
        }
    }
}

/// Whether a tile that the window of a field or its bodies reach into was edited since.
fn edited(grid: &Grid, centre: Cell, kind: Kind, since: u64) -> bool {
    let side = u16::from(kind.rules.footprint.side());
    // One more cell around: a step past a wall there is none of the window's.
    let reach = kind.radius + 1;
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
