//! The far field of a target: over the portals of its map, for chasers beyond the near field.

use super::origin::FieldOrigin;
use crate::{NavMap, systems::storage::targets::Target};
use nav_grid::{Cell, Terrain, fields::PortalField};

/// The field of a target over the portals of its map.
#[derive(Default)]
pub(super) struct FarField {
    pub(super) field: PortalField,
    pub(super) made: Option<FieldOrigin>,
    /// The cells from which chasers ask in this tick.
    pub(super) asked: Vec<Cell>,
}

impl FarField {
    /// What it was made for, if that is a target where its anchor is now, on the map as it is.
    pub(super) fn made_for(&self, target: &Target, map: &NavMap) -> Option<&FieldOrigin> {
        let (anchor, _) = target.anchor.far?;
        let made = self.made.as_ref()?;
        let is_current = made.place == anchor && made.version == map.grid().version();
        (made.is_of(target) && is_current).then_some(made)
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        size_of::<Self>() + self.field.heap_bytes()
    }
}

/// A map with its indexes. Nobody is in the way of a field.
pub(super) fn terrain(map: &NavMap) -> Terrain<'_> {
    Terrain::from(map.indexed())
}
