//! How far the refinement of a path over portals has come.

use crate::cell::Cell;

/// How far the refinement of a path is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Refinement {
    pub(super) stage: RefineStage,
    /// What the sections that are done cost.
    pub(super) cost: u64,
    /// The link at the end of the section.
    pub(super) link: Option<(Cell, Cell)>,
    /// The stop that the section leads to so far, and of how many legs it is.
    pub(super) at: usize,
    pub(super) segments: u32,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum RefineStage {
    /// A section is to be begun.
    #[default]
    Section,
    Segments,
    Bends,
    Skips,
    /// A section is done.
    Done,
}
