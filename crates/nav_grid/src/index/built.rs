//! What was built of a map, as a value: what it takes to build the same again.

use crate::{
    cell::Cell,
    rules::{CornerRule, Footprint, Rules},
};

/// What was built of an [`IndexedMap`](crate::IndexedMap): what it takes to build the same of an equal map,
/// for instance of one that was saved and loaded.
///
/// [`IndexedMap::built`](crate::IndexedMap::built) lists it, [`IndexedMap::build`](crate::IndexedMap::build)
/// builds it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct BuiltIndexes {
    /// Sizes of bodies of which the places are known where they fit.
    pub footprints: Vec<Footprint>,
    /// Sizes of bodies and corner rules of which the jumps are marked.
    pub jumps: Vec<(Footprint, CornerRule)>,
    /// The rules of the connected components.
    pub regions: Option<Rules>,
    /// The rules of the graph of portals.
    pub portals: Option<Rules>,
    /// The size of the bodies that the blocks of uniform ground are for.
    pub mosaic: Option<Footprint>,
    /// The rules of the main roads, and their cells.
    pub roads: Option<(Rules, Vec<Cell>)>,
}
