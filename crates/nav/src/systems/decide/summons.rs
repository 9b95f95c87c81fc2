//! Decide: chasers that are decided for once more, or between their move ticks.

use super::Ground;
use crate::{
    Chaser, NavMap, OnMap,
    systems::{
        fields::FarNotes,
        pursuers::{Pursuer, PursuerItem, Visit},
        search::{Notes, SearchQueue},
    },
};
use bevy_ecs::prelude::*;

/// Chasers that are decided for once more, or between their move ticks.
#[derive(Resource, Default)]
pub(crate) struct Summons {
    /// Those of a size that their map is not prepared for.
    newcomers: Vec<Entity>,
    /// Those whose path an edit broke.
    pub(crate) stranded: Vec<Entity>,
    /// Those whose field is made in this tick.
    pub(super) expectant: Vec<Entity>,
    pub(crate) far: FarNotes,
}

impl Summons {
    /// Takes up whom the tasks of a decision noted.
    pub(super) fn take_up(&mut self, notes: &mut Notes) {
        self.newcomers.append(&mut notes.newcomers);
        self.expectant.append(&mut notes.expectant);
        self.far.append(&mut notes.far);
    }
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
    let now = ground.clock.now();
    let Summons {
        newcomers,
        stranded,
        ..
    } = &mut *summons;
    ground.decide_again(&mut pursuers, newcomers, &mut notes, |_| true);
    let between = |pursuer: &PursuerItem| now < pursuer.beat.next_step;
    ground.decide_again(&mut pursuers, stranded, &mut notes, between);
    // Whoever could not be prepared for asks again.
    notes.newcomers.clear();
    summons.take_up(&mut notes);
    queue.take_up(&mut notes);
}

impl Ground<'_, '_> {
    /// Decides for some chasers, each for which a condition holds.
    pub(super) fn decide_again(
        &self,
        pursuers: &mut Query<Pursuer>,
        chasers: &mut Vec<Entity>,
        notes: &mut Notes,
        holds: impl Fn(&PursuerItem) -> bool,
    ) {
        let mut scenes = self.scenes();
        for chaser in chasers.drain(..) {
            if let Ok(mut pursuer) = pursuers.get_mut(chaser)
                && holds(&pursuer)
            {
                self.decide(&mut pursuer, &mut scenes, false, notes);
            }
        }
    }
}

pub(crate) fn some_look_far(summons: Res<Summons>) -> bool {
    !summons.far.is_empty()
}
