//! What follows from how chasers are tuned, for steps by the thousand.

use super::{
    fields::{Fields, Kind},
    targets::Targets,
};
use crate::Chaser;
use bevy_ecs::{change_detection::ContiguousRef, prelude::*};

/// What follows from the tuning of a chaser.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Tuning {
    /// The number of its kind, or [`NO_KIND`].
    kind: u16,
    /// How many cells a target of its own size is away that it may reach, links aside.
    pub(crate) near: u16,
}

const NO_KIND: u16 = u16::MAX;

impl Tuning {
    /// Of those whose tuning was not seen yet.
    pub(crate) const NONE: Self = Self {
        kind: NO_KIND,
        near: u16::MAX,
    };

    fn of(chaser: &Chaser, kind: Option<usize>) -> Self {
        let side = u16::from(chaser.rules.footprint.side());
        let kind = kind.and_then(|kind| u16::try_from(kind).ok());
        Self {
            kind: kind.unwrap_or(NO_KIND),
            near: chaser.stop_distance.saturating_add(side - 1).max(side),
        }
    }

    /// The number of its kind; `None` if its searches are its own.
    #[inline]
    pub(crate) fn kind(self) -> Option<usize> {
        (self.kind != NO_KIND).then_some(self.kind.into())
    }
}

/// The tunings of all chasers, by the index of an entity.
#[derive(Resource, Default)]
pub(crate) struct Tunings(Vec<Tuning>);

impl Tunings {
    /// That of a chaser, as it was when the set of systems began that asks.
    #[inline]
    pub(crate) fn of(&self, chaser: Entity) -> Tuning {
        let tuning = self.0.get(chaser.index_u32() as usize).copied();
        tuning.unwrap_or(Tuning::NONE)
    }

    fn note(&mut self, chaser: Entity, tuning: Tuning) {
        let index = chaser.index_u32() as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, tuning);
        }
        self.0[index] = tuning;
    }
}

/// Notes the tunings of chasers that are new or tuned anew.
pub(crate) fn see_tunings(
    all: Query<Ref<Chaser>>,
    tuned: Query<(Entity, &Chaser), Changed<Chaser>>,
    targets: Res<Targets>,
    mut tunings: ResMut<Tunings>,
    mut fields: ResMut<Fields>,
) {
    // Most of the time nobody is, and tables know.
    let untouched = |column| {
        let (_, ticks) = ContiguousRef::split(column);
        ticks.summary_tick_is_changed() == Some(false)
    };
    if all
        .contiguous_iter()
        .is_ok_and(|mut tables| tables.all(untouched))
    {
        return;
    }
    for (entity, chaser) in &tuned {
        let kind = Kind::of(chaser).map(|kind| fields.meet(kind, targets.slots()));
        tunings.note(entity, Tuning::of(chaser, kind));
    }
}
