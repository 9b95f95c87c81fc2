//! Fields that all chasers of a target share.

mod aims;
mod common;
mod far;
mod make;
mod make_far;
mod ration;
mod upkeep;

pub(crate) use common::{Common, Lead, Share};
pub(crate) use far::{FarNotes, FarSharer};
pub(crate) use make::{make_aimed, make_asked_for};
pub(crate) use make_far::{aim_far, make_far_fields};
pub(crate) use upkeep::{aim, see_edits};

use self::{far::Far, make::Job, ration::Ration};
use super::targets::{Target, Targets};
use crate::{CellPosition, Chaser, Period};
use bevy_ecs::prelude::*;
use nav_grid::{
    Method, Rules, Search,
    fields::{FlowField, FlowMaker, WeightedField},
    methods::Sweep,
    rules::BodyPolicy,
};
use std::sync::atomic::AtomicBool;

/// From so many chasers on, one field for all costs less than a search for each. A field of flow
/// costs about as much as a sweep and a half, and each chaser saves one.
const FLOW_CHASERS_MIN: u32 = 3;

/// The same where the ground needs a weighted field, which costs some fifty searches.
const WEIGHTED_CHASERS_MIN: u32 = 48;

/// What chasers must have in common to share a field.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Kind {
    rules: Rules,
    radius: u16,
    interval: Period,
    displacement: f32,
}

impl Kind {
    /// The kind of a chaser; `None` for those whose searches are their own: who name a method, who
    /// want the classic search, and who mind bodies on their way.
    #[inline]
    pub(crate) fn of(chaser: &Chaser) -> Option<Self> {
        let shares = chaser.method == Method::Auto
            && chaser.heuristic.is_admissible(chaser.rules.metric)
            && chaser.rules.bodies == BodyPolicy::Ignore
            && chaser.limits.cost == nav_grid::rules::COST_MAX;
        shares.then_some(Self {
            rules: chaser.rules,
            radius: chaser.limits.radius.min(RADIUS_MAX),
            interval: chaser.repath_interval,
            displacement: chaser.displacement,
        })
    }
}

/// Windows of fields reach this far at most.
const RADIUS_MAX: u16 = Sweep::SUPPORT.radius_max;

/// The fields of all targets.
///
/// What a field says follows from its target's [`FieldAnchor`] and the map. It is made again if an
/// edit touches its window.
#[derive(Resource, Default)]
pub(crate) struct Fields {
    shapes: Vec<Shape>,
    makers: Vec<FlowMaker>,
    jobs: Vec<Job>,
    ration: Ration,
    /// Fields made, and the work that took, in this tick.
    pub(crate) made: u64,
    pub(crate) expanded: u64,
}

/// The fields of one kind of chaser.
struct Shape {
    kind: Kind,
    /// By the slot of the target.
    shared: Vec<Shared>,
}

#[derive(Default)]
struct Shared {
    /// What the field was made for.
    made: Option<Made>,
    field: Option<Field>,
    /// Whether it leads to where it is to lead, and its target has as many chasers as a field is
    /// worth.
    leads: bool,
    /// Whether it is asked for in this tick.
    asked: AtomicBool,
    /// The field for those beyond the window.
    far: Option<Box<Far>>,
}

#[derive(Clone, Copy)]
struct Made {
    target: Entity,
    map: Entity,
    place: CellPosition,
    version: u64,
    /// Whether the field can serve the ground.
    serves: bool,
    /// Whether one could that more chasers would be worth.
    wants_more: bool,
}

enum Field {
    Flow(Box<FlowField>),
    Weighted(Box<WeightedField>),
}

impl Fields {
    /// The number of a kind. One that was not met before gets fields for so many slots.
    pub(crate) fn meet(&mut self, kind: Kind, slots: usize) -> usize {
        let known = self.shapes.iter().position(|shape| shape.kind == kind);
        known.unwrap_or_else(|| {
            let mut shared = Vec::new();
            shared.resize_with(slots, Shared::default);
            self.shapes.push(Shape { kind, shared });
            self.shapes.len() - 1
        })
    }

    /// Whether a target has so many chasers that they share a field.
    #[inline]
    pub(crate) fn is_worth_it(chasers: u32) -> bool {
        chasers >= FLOW_CHASERS_MIN
    }

    /// What chasers of a kind share after the target in a slot.
    #[inline]
    pub(crate) fn common(&self, kind: usize, slot: usize) -> Option<Common<'_>> {
        let Shape { kind, shared } = &self.shapes[kind];
        Some(Common::new(kind, shared.get(slot)?))
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let shared = |shared: &Shared| match &shared.field {
            Some(Field::Flow(flow)) => size_of::<FlowField>() + flow.heap_bytes(),
            Some(Field::Weighted(field)) => size_of::<WeightedField>() + field.heap_bytes(),
            None => 0,
        };
        let far = |shared: &Shared| match &shared.far {
            Some(far) => size_of::<Far>() + far.field.heap_bytes(),
            None => 0,
        };
        let shape = |shape: &Shape| {
            let fields: usize = shape.shared.iter().map(|of| shared(of) + far(of)).sum();
            fields + shape.shared.capacity() * size_of::<Shared>()
        };
        self.shapes.iter().map(shape).sum()
    }
}

impl Shared {
    /// Whether so many chasers are still worth the field there is.
    fn is_worth_it(&self, chasers: u32) -> bool {
        !matches!(self.field, Some(Field::Weighted(_))) || chasers >= WEIGHTED_CHASERS_MIN
    }

    /// What it was made for, if that is a target where its anchor is now.
    fn made_for(&self, target: &Target) -> Option<&Made> {
        let (anchor, _) = target.anchor.aimed?;
        let made = self.made.as_ref()?;
        (made.is_of(target) && made.place == anchor).then_some(made)
    }

    /// Notes whether it leads chasers to a target.
    fn note_leads(&mut self, target: &Target) {
        self.leads = Fields::is_worth_it(target.chasers)
            && self.made_for(target).is_some_and(|made| made.serves);
    }

    /// Has it lead them to where the target was, until it is made anew.
    fn lead_on(&mut self, target: &Target) {
        self.leads = Fields::is_worth_it(target.chasers)
            && self
                .made
                .is_some_and(|made| made.serves && made.is_of(target));
    }
}

impl Made {
    /// What a field is to be made for that leads to a target from where it is anchored. Whether it
    /// serves shows when it is made.
    fn new(target: &Target, place: CellPosition, version: u64) -> Self {
        Self {
            target: target.entity,
            map: target.seen.map,
            place,
            version,
            serves: false,
            wants_more: false,
        }
    }

    /// Whether it was for a target, on the map where that is.
    #[inline]
    fn is_of(&self, target: &Target) -> bool {
        (self.target, self.map) == (target.entity, target.seen.map)
    }
}

/// Has every target have a place among the fields of every kind.
pub(crate) fn make_room(targets: Res<Targets>, mut fields: ResMut<Fields>) {
    for shape in &mut fields.shapes {
        if shape.shared.len() < targets.slots() {
            shape.shared.resize_with(targets.slots(), Shared::default);
        }
    }
}
