//! Fields that all chasers of a target share.

mod aims;
mod far;
mod make;
mod make_far;
mod ration;
mod upkeep;

pub(crate) use far::{FarNotes, FarSharer};
pub(crate) use make::make_fields;
pub(crate) use make_far::{aim_far, make_far_fields};
pub(crate) use upkeep::{aim, see_edits};

use self::{far::Far, make::Job, ration::Ration};
use super::{
    scene::Scene,
    targets::{Target, Targets},
};
use crate::{CellPosition, Chaser, Period};
use bevy_ecs::prelude::*;
use nav_grid::{
    BodyPolicy, Cell, Directions, FlowField, FlowMaker, Method, Rules, Search, Sweep, WeightedField,
};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

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
            && chaser.limits.cost == nav_grid::COST_MAX;
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

/// What there is to follow from a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lead {
    /// Steps that lead nearer; none at the end.
    pub(crate) nearer: Directions,
    /// Steps that lead neither nearer nor away.
    pub(crate) level: Directions,
    /// A link that leads nearer.
    pub(crate) link: Option<Cell>,
}

/// What a shared field has for a chaser.
pub(crate) enum Share {
    /// It is on it.
    Leads,
    /// It is made, or made anew, in this tick.
    Coming,
    /// It does not reach the chaser, or cannot serve the ground.
    Nothing,
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

    /// What a field has for a chaser at a cell; asks for it to be made if it has to be.
    pub(crate) fn share(&self, shape: usize, target: &Target, slot: usize, cell: Cell) -> Share {
        let Shape { kind, shared } = &self.shapes[shape];
        let Some(shared) = shared.get(slot) else {
            return Share::Nothing;
        };
        let anchor = target.anchor.aimed.map(|(place, _)| place);
        let centre = anchor.unwrap_or(target.seen.position);
        if centre.cell.chebyshev(cell) > kind.radius {
            return Share::Nothing;
        }
        match shared.made_for(target) {
            Some(made) if !(made.wants_more && target.chasers >= WEIGHTED_CHASERS_MIN) => {
                let serves = made.serves && shared.is_worth_it(target.chasers);
                if serves && shared.reaches(cell) {
                    Share::Leads
                } else {
                    Share::Nothing
                }
            }
            _ => shared.ask(),
        }
    }

    /// Whether chasers that follow the field of a target go on by it: it leads, or is made anew in
    /// this tick.
    #[inline]
    pub(crate) fn goes_on(&self, shape: usize, slot: usize) -> bool {
        let shared = self.shapes[shape].shared.get(slot);
        shared.is_some_and(|shared| shared.leads || shared.asked.load(Relaxed))
    }

    /// What leads on from a cell to the anchor of a target. Nothing where the field does not reach,
    /// and nothing from one that leads elsewhere.
    #[inline]
    pub(crate) fn look(&self, shape: usize, slot: usize, cell: Cell) -> Option<Lead> {
        let shared = self.shapes[shape].shared.get(slot)?;
        if shared.leads {
            shared.look(cell)
        } else {
            None
        }
    }

    /// Whether a chaser that keeps further away than a step is near enough: whether the way from a
    /// cell to where the target is takes at most as many steps as it keeps away, by a field that is
    /// aimed there.
    #[inline]
    pub(crate) fn is_in_ring(&self, scene: &Scene, chaser: &Chaser, cell: Cell) -> bool {
        chaser.stop_distance > 1 && self.is_within(scene, cell, chaser.stop_distance)
    }

    fn is_within(&self, scene: &Scene, mut cell: Cell, steps: u16) -> bool {
        let (place, slot) = (scene.place(), scene.slot);
        let aimed = scene.target.anchor.aimed;
        let Some(kind) = scene.tuning.kind() else {
            return false;
        };
        if cell.chebyshev(place) > steps || aimed.is_none_or(|(aimed, _)| aimed.cell != place) {
            return false;
        }
        for _ in 0..steps {
            let lead = self.look(kind, slot, cell);
            let nearer = lead.and_then(|lead| lead.nearer.into_iter().next());
            match nearer.and_then(|way| cell.step(way)) {
                Some(next) if next == place => return true,
                Some(next) => cell = next,
                None => return false,
            }
        }
        false
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

    fn ask(&self) -> Share {
        // Read first: all chasers of a target ask for the same.
        if !self.asked.load(Relaxed) {
            self.asked.store(true, Relaxed);
        }
        Share::Coming
    }

    /// Whether a way leads from a cell to where the field is anchored.
    #[inline]
    fn reaches(&self, cell: Cell) -> bool {
        match &self.field {
            Some(Field::Flow(flow)) => flow.reaches(cell),
            Some(Field::Weighted(field)) => field.cost(cell).is_some(),
            None => false,
        }
    }

    #[inline]
    fn look(&self, cell: Cell) -> Option<Lead> {
        match self.field.as_ref()? {
            Field::Flow(flow) => {
                let flow = flow.look(cell)?;
                Some(Lead {
                    nearer: flow.nearer,
                    level: flow.level,
                    link: None,
                })
            }
            Field::Weighted(field) => {
                field.cost(cell)?;
                let next = field.next(cell);
                let step = next.and_then(|next| cell.direction_to(next));
                Some(Lead {
                    nearer: step.map_or(Directions::NONE, Directions::from),
                    level: Directions::NONE,
                    link: next.filter(|_| step.is_none()),
                })
            }
        }
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
