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
    mut marks: Local<Marks>,
) {
    let expectant = &mut summons.expectant;
    if expectant.len() < MANY {
        let mut notes = bags.take();
        ground.decide_again(&mut pursuers, expectant, notes.content(), |_| true);
    } else {
        marks.set(expectant);
        let expected = Expected {
            ground: &ground,
            marks: &marks,
        };
        visit_all(pursuers.reborrow(), &bags, &expected);
        marks.clear(expectant);
        expectant.clear();
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
    marks: &'a Marks,
}

impl Visit<Notes> for Expected<'_, '_, '_> {
    fn now(&self) -> NavTime {
        self.ground.now()
    }

    fn has_turn(&self, pursuer: &PursuerItem) -> bool {
        self.marks.has(pursuer.entity)
    }

    #[inline]
    fn turns(&self, rows: &Rows, turns: &mut Turns) {
        let entities = rows.entities().iter();
        turns.note(0, entities.map(|&entity| self.marks.has(entity)));
    }

    fn scenes(&self) -> Scenes<'_> {
        self.ground.scenes()
    }

    #[inline]
    fn visit<'a>(&'a self, pursuer: &mut impl Pursues, scenes: &mut Scenes<'a>, notes: &mut Notes) {
        self.ground.decide(pursuer, scenes, false, notes);
    }
}

/// Entities that are marked, a bit for each index that an entity may have.
#[derive(Default)]
pub(crate) struct Marks {
    bits: Vec<u64>,
}

impl Marks {
    fn place(entity: Entity) -> (usize, u64) {
        let index = entity.index_u32();
        ((index / 64) as usize, 1 << (index % 64))
    }

    fn set(&mut self, entities: &[Entity]) {
        for (word, bit) in entities.iter().copied().map(Self::place) {
            if self.bits.len() <= word {
                self.bits.resize(word + 1, 0);
            }
            self.bits[word] |= bit;
        }
    }

    fn clear(&mut self, entities: &[Entity]) {
        for (word, _) in entities.iter().copied().map(Self::place) {
            self.bits[word] = 0;
        }
    }

    #[inline]
    fn has(&self, entity: Entity) -> bool {
        let (word, bit) = Self::place(entity);
        self.bits.get(word).is_some_and(|bits| bits & bit != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_of_those_who_are_marked() {
        let mut world = World::new();
        let entities: Vec<Entity> = (0..200).map(|_| world.spawn_empty().id()).collect();
        let (marked, others) = entities.split_at(70);
        let mut marks = Marks::default();
        assert!(!marks.has(entities[0]));
        marks.set(marked);
        assert!(marked.iter().all(|&entity| marks.has(entity)));
        assert!(!others.iter().any(|&entity| marks.has(entity)));
        marks.clear(marked);
        assert!(!entities.iter().any(|&entity| marks.has(entity)));
    }
}
