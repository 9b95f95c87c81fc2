//! Noting what follows from the tuning of chasers: field group, reach and footprint.

use super::{group::FieldKey, store::Fields};
use crate::{Body, Chaser, NavTimer, components::Tuning, systems::storage::targets::Targets};
use bevy_ecs::{
    change_detection::{ContiguousComponentTicksRef, ContiguousRef},
    prelude::*,
};

type All<'w, 's> = Query<'w, 's, (Ref<'static, Chaser>, Option<Ref<'static, Body>>)>;

type IsTuned = Or<(Changed<Chaser>, (With<Chaser>, Changed<Body>))>;

type TunedData = (
    &'static mut Chaser,
    Option<&'static Body>,
    &'static mut Tuning,
    &'static mut NavTimer,
);

/// Notes the tunings of chasers that are new or tuned anew. A chaser with a [`Body`] is as large as
/// that.
pub(crate) fn note_tunings(
    mut chasers: ParamSet<(All, Query<TunedData, IsTuned>)>,
    targets: Res<Targets>,
    mut fields: ResMut<Fields>,
) {
    // Most of the time nobody is, and the tables know.
    let is_unchanged =
        |ticks: &ContiguousComponentTicksRef| ticks.summary_tick_is_changed() == Some(false);
    let is_settled = |(chasers, bodies): (ContiguousRef<Chaser>, Option<ContiguousRef<Body>>)| {
        is_unchanged(&ContiguousRef::split(chasers).1)
            && bodies.is_none_or(|bodies| is_unchanged(&ContiguousRef::split(bodies).1))
    };
    if chasers
        .p0()
        .contiguous_iter()
        .is_ok_and(|mut tables| tables.all(is_settled))
    {
        return;
    }
    for (mut chaser, body, mut tuning, mut timer) in &mut chasers.p1() {
        if let Some(body) = body {
            // Follows from the body: no change of the tuning.
            chaser.bypass_change_detection().rules.footprint = body.footprint;
        }
        let group = FieldKey::of(&chaser).map(|key| fields.group(key, targets.slots()));
        *tuning = Tuning::new(chaser.rules.footprint.side(), (chaser.stop_distance, chaser.reach_through_links), group);
        // What was searched for in vain may be found now.
        timer.set_awaits_change(None);
    }
}
