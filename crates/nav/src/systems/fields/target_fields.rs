//! The fields of one target for one group of chasers.

use super::{far_field::FarField, origin::FieldOrigin, wish::FollowWish, worth};
use crate::systems::storage::targets::Target;
use nav_grid::fields::{FlowField, WeightedField};
use std::sync::atomic::AtomicBool;

/// The fields of one target for one group of chasers.
#[derive(Default)]
pub(super) struct TargetFields {
    /// What the near field was made for.
    pub(super) made: Option<FieldOrigin>,
    pub(super) near: Option<NearField>,
    /// Whether the near field leads to where it is to lead, and its target has as many chasers as
    /// a field is worth.
    pub(super) leads: bool,
    /// Whether the near field is asked for in this tick.
    pub(super) asked: AtomicBool,
    /// Whether somebody near the target wants it aimed anew.
    pub(super) wanted: AtomicBool,
    /// How closely those who came to the near field in this tick want it to follow the target.
    pub(super) wish: FollowWish,
    /// The field for those beyond the window of the near one.
    pub(super) far: Option<Box<FarField>>,
}

/// A field around a target.
pub(super) enum NearField {
    /// On ground where every step costs the same.
    Flow(Box<FlowField>),
    /// On any other.
    Weighted(Box<WeightedField>),
}

impl TargetFields {
    /// What the near field was made for, if that is a target where its anchor is now.
    pub(super) fn made_for(&self, target: &Target) -> Option<&FieldOrigin> {
        let (anchor, _) = target.anchor.aimed?;
        let made = self.made.as_ref()?;
        (made.is_of(target) && made.place == anchor).then_some(made)
    }

    /// Updates whether it leads chasers to a target.
    pub(super) fn update_leads(&mut self, target: &Target) {
        self.leads = worth::near_field(target.chasers)
            && self.made_for(target).is_some_and(|made| made.serves);
    }

    /// Has it lead them to where the target was, until it is made anew.
    pub(super) fn lead_on(&mut self, target: &Target) {
        self.leads = worth::near_field(target.chasers)
            && self
                .made
                .is_some_and(|made| made.serves && made.is_of(target));
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        let near = match &self.near {
            Some(NearField::Flow(flow)) => size_of::<FlowField>() + flow.heap_bytes(),
            Some(NearField::Weighted(field)) => size_of::<WeightedField>() + field.heap_bytes(),
            None => 0,
        };
        near + self.far.as_deref().map_or(0, FarField::heap_bytes)
    }
}
