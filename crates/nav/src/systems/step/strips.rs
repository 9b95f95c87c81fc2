//! What bodies want, by the strips of ground that they stand on.

use super::propose::Proposal;
use crate::systems::standing::{Band, Stage, strip_of, strips};
use bevy_ecs::prelude::*;
use nav_grid::Size;

/// A [turn](Proposal::turn), and in the lowest 32 bits whose, as a place in the list of proposals.
pub(super) type Turn = u128;

/// Set in the turns of those who found no cell and have others make room.
pub(super) const PUSHES: Turn = 1 << 127;

/// The turns of a tick, by strips of ground.
///
/// Bodies in strips that do not touch have nothing to do with each other in one step, so threads
/// may give out the cells of one strip each: first those of strips with even numbers, then those
/// of strips with odd ones. Strips are a matter of the map alone; which thread has which one does
/// not show.
#[derive(Default)]
pub(super) struct Strips {
    /// The maps with bodies, and the number of the first strip of each.
    maps: Vec<(Entity, Size, usize)>,
    /// How many strips there are.
    count: usize,
    /// Where the turns of each strip begin: even ones, then odd ones.
    starts: Vec<u32>,
    turns: Vec<Turn>,
}

/// The turns of one strip.
pub(super) struct Strip<'a> {
    pub(super) map: Entity,
    pub(super) band: Band<'a>,
    pub(super) turns: &'a mut [Turn],
}

impl Strips {
    /// How many turns there are.
    pub(super) const fn len(&self) -> usize {
        self.turns.len()
    }

    /// Whether nobody has a turn.
    pub(super) const fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// Sorts proposals by strips: of bodies that were put down on their maps.
    pub(super) fn sort<'a>(
        &mut self,
        stages: impl Iterator<Item = (Entity, &'a mut Stage)>,
        proposals: &[Proposal],
    ) {
        self.maps.clear();
        self.count = 0;
        for (map, stage) in stages {
            self.maps.push((map, stage.size(), self.count));
            self.count += strips(stage.size());
        }
        self.starts.clear();
        self.starts.resize(2 * self.count + 1, 0);
        for proposal in proposals {
            if let Some(place) = self.place(proposal) {
                self.starts[place] += 1;
            }
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.turns.clear();
        self.turns.resize(sum as usize, 0);
        // From the end of each strip to where it begins.
        for (index, proposal) in proposals.iter().enumerate() {
            if let Some(place) = self.place(proposal) {
                self.starts[place] -= 1;
                let turn = Turn::from(proposal.turn) << 32 | index as Turn;
                self.turns[self.starts[place] as usize] = turn;
            }
        }
    }

    /// The place of a proposal's strip among all of them: even ones, then odd ones.
    fn place(&self, proposal: &Proposal) -> Option<usize> {
        let map = self
            .maps
            .binary_search_by_key(&proposal.map, |&(map, ..)| map);
        let (_, size, first) = self.maps[map.ok()?];
        let (strip, odd) = strip_of(size, proposal.from)?;
        Some(first + strip + self.count * usize::from(odd))
    }

    /// The strips with even or odd numbers in which somebody has a turn, one after the other, of
    /// the maps that were there when turns were sorted.
    pub(super) fn strips<'a>(
        &'a mut self,
        stages: impl Iterator<Item = (Entity, &'a mut Stage)> + Send,
        odd: bool,
    ) -> impl Iterator<Item = Strip<'a>> + Send {
        let first_turn = self.starts[self.count * usize::from(odd)];
        let (starts, count) = (&*self.starts, self.count);
        let mut rest = self
            .turns
            .get_mut(first_turn as usize..)
            .unwrap_or_default();
        let maps = self.maps.iter().zip(stages);
        let strips = maps.flat_map(move |(&(map, _, first), (_, stage))| {
            let strips = stage.strips(odd);
            strips.map(move |(strip, band)| (first + strip + count * usize::from(odd), map, band))
        });
        strips.filter_map(move |(place, map, band)| {
            let len = starts[place + 1] - starts[place];
            let (turns, more) = std::mem::take(&mut rest).split_at_mut(len as usize);
            rest = more;
            (len > 0).then_some(Strip { map, band, turns })
        })
    }
}
