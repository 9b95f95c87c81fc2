//! Decide: chasers that are decided for once more, or between their move ticks.

use super::Ground;
use crate::{
    Chaser, NavMap, OnMap,
    systems::{
        fields::FarNotes,
        pursuers::Pursuer,
        search::{Notes, SearchQueue},
    },
};
use bevy_ecs::prelude::*;

/// Chasers that are decided for once more, or between their move ticks.
#[derive(Resource, Default)]
pub(crate) struct Summons {
    /// Those of a size that their map is not prepared for.
    pub(super) newcomers: Vec<Entity>,
    /// Those whose path an edit broke.
    pub(crate) stranded: Vec<Entity>,
    /// Those whose field is made in this tick.
    pub(super) expectant: Vec<Entity>,
    pub(crate) far: FarNotes,
}

pub(crate) fn some_are_summoned(summons: Res<Summons>) -> bool {
    !summons.newcomers.is_empty() || !summons.stranded.is_empty()
}

/// Prepares maps for chasers of a size that they are not prepared for.
pub(crate) fn meet_newcomers(
    summons: Res<Summons>,
    chasers: Query<(&Chaser, &OnMap)>,
    mut maps: Query<&mut NavMap>,
) {
    for (chaser, on_map) in chasers.iter_many(&summons.newcomers).flatten() {
        let footprint = chaser.rules.footprint;
        if let Ok(mut map) = maps.get_mut(on_map.0)
            && !map.grid().is_prepared(footprint)
        {
            // What agents can do on the map stays the same.
            map.bypass_change_detection().prepare_footprint(footprint);
        }
    }
}

/// Decides for those who had to be prepared for, and for those who lost their path between two
/// move ticks.
pub(crate) fn decide_for_summoned(
    ground: Ground,
    mut pursuers: Query<Pursuer>,
    mut queue: ResMut<SearchQueue>,
    mut summons: ResMut<Summons>,
    mut notes: Local<Notes>,
) {
    let Summons {
        newcomers,
        stranded,
        expectant,
        far,
    } = &mut *summons;
    let now = ground.clock.now();
    for chaser in newcomers.drain(..) {
        if let Ok(mut pursuer) = pursuers.get_mut(chaser) {
            ground.decide(&mut pursuer, false, &mut notes);
        }
    }
    for chaser in stranded.drain(..) {
        if let Ok(mut pursuer) = pursuers.get_mut(chaser)
            && now < pursuer.beat.next_step
        {
            ground.decide(&mut pursuer, false, &mut notes);
        }
    }
    // Whoever could not be prepared for asks again.
    notes.newcomers.clear();
    expectant.append(&mut notes.expectant);
    far.append(&mut notes.far);
    queue.take_up(&mut notes);
}

pub(crate) fn some_are_expectant(summons: Res<Summons>) -> bool {
    !summons.expectant.is_empty()
}

pub(crate) fn some_look_far(summons: Res<Summons>) -> bool {
    !summons.far.is_empty()
}

/// Decides for those whose field was not there yet, so that whether it was does not show. Whose
/// field has to wait for the budget of a tick waits, too.
pub(crate) fn decide_for_expectant(
    ground: Ground,
    mut pursuers: Query<Pursuer>,
    mut queue: ResMut<SearchQueue>,
    mut summons: ResMut<Summons>,
    mut notes: Local<Notes>,
) {
    let Summons { expectant, far, .. } = &mut *summons;
    for chaser in expectant.drain(..) {
        if let Ok(mut pursuer) = pursuers.get_mut(chaser) {
            ground.decide(&mut pursuer, false, &mut notes);
        }
    }
    for chaser in notes.expectant.drain(..) {
        if let Ok(mut pursuer) = pursuers.get_mut(chaser)
            && !pursuer.cursor.is_sharing()
        {
            pursuer.cursor.queue();
        }
    }
    far.append(&mut notes.far);
    queue.take_up(&mut notes);
}
