//! Decide: chasers whose field is made in the tick in which they come to it.

use super::{Ground, Summons};
use crate::{
    NavTime,
    systems::{
        bags::Bags,
        pursuers::{Pursuer, PursuerItem, Pursues, Visit, visit_all},
        rows::Rows,
        scene::Scenes,
        search::{Notes, SearchQueue},
        turns::Turns,
    },
};
use bevy_ecs::prelude::*;
use fixedbitset::FixedBitSet;

pub(crate) fn some_are_expectant(summons: Res<Summons>) -> bool {
    !summons.expectant.is_empty()
}

/// Decides for those whose field was not there yet, so that whether it was does not show. Whose
/// field has to wait for the budget of a tick waits, too.
pub(crate) fn decide_for_expectant(
    ground: Ground,
    mut pursuers: Query<Pursuer>,
    mut queue: ResMut<SearchQueue>,
    mut summons: ResMut<Summons>,
    mut bags: Local<Bags<Notes>>,
    mut marked: Local<FixedBitSet>,
) {
    let expectant = &mut summons.expectant;
    if expectant.len() < MANY {
        let mut notes = bags.take();
        ground.decide_again(&mut pursuers, expectant, notes.content(), |_| true);
    } else {
        for chaser in expectant.drain(..) {
            marked.grow_and_insert(chaser.index_u32() as usize);
        }
        let expected = Expected {
            ground: &ground,
            marked: &marked,
        };
        visit_all(pursuers.reborrow(), &bags, &expected);
        marked.clear();
    }
    for notes in bags.iter_mut() {
        for chaser in notes.expectant.drain(..) {
            if let Ok(mut pursuer) = pursuers.get_mut(chaser)
                && !pursuer.cursor.is_sharing()
            {
                pursuer.cursor.queue();
            }
        }
        summons.take_up(notes);
        queue.take_up(notes);
    }
}

/// From so many on, looking through all rows for them, in parallel, takes less time than looking
/// each of them up: a row that is passed over takes a sixtieth of that.
const MANY: usize = 16_384;

/// Decides for those who are marked.
struct Expected<'a, 'w, 's> {
    ground: &'a Ground<'w, 's>,
    /// By the index of an entity.
    marked: &'a FixedBitSet,
}

impl Expected<'_, '_, '_> {
    #[inline]
    fn has(&self, chaser: Entity) -> bool {
        self.marked.contains(chaser.index_u32() as usize)
    }
}

impl Visit<Notes> for Expected<'_, '_, '_> {
    fn now(&self) -> NavTime {
        self.ground.now()
    }

    fn has_turn(&self, pursuer: &PursuerItem) -> bool {
        self.has(pursuer.entity)
    }

    #[inline]
    fn turns(&self, rows: &Rows, turns: &mut Turns) {
        let entities = rows.entities().iter();
        turns.note(0, entities.map(|&entity| self.has(entity)));
    }

    fn scenes(&self) -> Scenes<'_> {
        self.ground.scenes()
    }

    #[inline]
    fn visit<'a>(&'a self, pursuer: &mut impl Pursues, scenes: &mut Scenes<'a>, notes: &mut Notes) {
        self.ground.decide(pursuer, scenes, false, notes);
    }
}
