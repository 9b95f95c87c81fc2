//! What rows are borrowed from.

use super::{
    Rows,
    columns::{Column, Shelf, Watched},
};
use crate::{
    AgentId, Body, CellPosition, Chaser, Chasing, MoveTimer, NavTimer, OnMap, PathCursor,
    WorldPosition,
    systems::{pursuers::PursuerContiguousItem, tunings::Tuning},
};
use bevy_ecs::{change_detection::ContiguousMut, prelude::*};

/// The columns of a table as Bevy hands them out.
pub(crate) struct Shelves<'w> {
    entities: &'w [Entity],
    ids: &'w [AgentId],
    tunings: &'w [Tuning],
    chasers: Watched<'w, Chaser>,
    chasing: Watched<'w, Chasing>,
    on_maps: Option<&'w [OnMap]>,
    bodies: Option<&'w [Body]>,
    positions: Shelf<'w, CellPosition>,
    worlds: Option<Shelf<'w, WorldPosition>>,
    cursors: Shelf<'w, PathCursor>,
    timers: Shelf<'w, NavTimer>,
    beats: Shelf<'w, MoveTimer>,
}

impl<'w> From<PursuerContiguousItem<'w, '_>> for Shelves<'w> {
    fn from(table: PursuerContiguousItem<'w, '_>) -> Self {
        Self {
            entities: table.entity,
            ids: table.id,
            tunings: table.tuning,
            chasers: table.chaser.into(),
            chasing: table.chasing.into(),
            on_maps: table.on_map,
            bodies: table.body,
            positions: ContiguousMut::bypass_change_detection_split(table.position),
            worlds: table
                .world
                .map(ContiguousMut::bypass_change_detection_split),
            cursors: ContiguousMut::bypass_change_detection_split(table.cursor),
            timers: ContiguousMut::bypass_change_detection_split(table.timer),
            beats: ContiguousMut::bypass_change_detection_split(table.beat),
        }
    }
}

impl Shelves<'_> {
    /// All rows of the table.
    pub(crate) fn rows(&mut self) -> Rows<'_> {
        Rows {
            entities: self.entities,
            ids: self.ids,
            tunings: self.tunings,
            chasers: self.chasers,
            chasing: self.chasing,
            on_maps: self.on_maps,
            bodies: self.bodies,
            positions: (&mut self.positions).into(),
            worlds: self.worlds.as_mut().map(Column::from),
            cursors: (&mut self.cursors).into(),
            timers: (&mut self.timers).into(),
            beats: (&mut self.beats).into(),
        }
    }
}
