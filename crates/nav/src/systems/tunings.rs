//! What follows from how chasers are tuned, for steps by the thousand.

use super::{
    fields::{Fields, Kind},
    reach::Approach,
    targets::Targets,
};
use crate::Chaser;
use bevy_ecs::{change_detection::ContiguousRef, prelude::*};
use nav_grid::Rules;

/// What follows from the tuning of a chaser, kept beside it.
#[derive(Component, Clone, Copy, PartialEq)]
pub(crate) struct Tuning {
    /// The number of its kind, or [`NO_KIND`].
    kind: u16,
    /// How many cells a target of its own size is away that it may reach, links aside.
    pub(crate) near: u16,
}

const NO_KIND: u16 = u16::MAX;

/// Of those whose tuning was not seen yet.
impl Default for Tuning {
    fn default() -> Self {
        Self {
            kind: NO_KIND,
            near: u16::MAX,
        }
    }
}

impl Tuning {
    fn of(chaser: &Chaser, kind: Option<usize>) -> Self {
        let side = u16::from(chaser.rules.footprint.side());
        let kind = kind.and_then(|kind| u16::try_from(kind).ok());
        Self {
            kind: kind.unwrap_or(NO_KIND),
            near: chaser.stop_distance.saturating_add(side - 1).max(side),
        }
    }

    /// How chasers of this tuning come near that are of a kind with some rules.
    pub(crate) fn approach(self, rules: Rules) -> Approach {
        let further = u16::from(rules.footprint.side()) - 1;
        Approach {
            rules,
            stop_distance: self.near.saturating_sub(further),
        }
    }

    /// The number of its kind; `None` if its searches are its own.
    #[inline]
    pub(crate) fn kind(self) -> Option<usize> {
        (self.kind != NO_KIND).then_some(self.kind.into())
    }
}

/// Notes the tunings of chasers that are new or tuned anew.
pub(crate) fn see_tunings(
    all: Query<Ref<Chaser>>,
    mut tuned: Query<(&Chaser, &mut Tuning), Changed<Chaser>>,
    targets: Res<Targets>,
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
    for (chaser, mut tuning) in &mut tuned {
        let kind = Kind::of(chaser).map(|kind| fields.meet(kind, targets.slots()));
        *tuning = Tuning::of(chaser, kind);
    }
}
