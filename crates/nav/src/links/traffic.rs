//! How many walkers are on each link.

use bevy_ecs::prelude::*;
use nav_grid::{Cell, Link};

/// The walkers on links, in order: a link and its reverse together.
///
/// Derived from [`OnLink`](super::OnLink); walkers that take a link in this tick come before they
/// have it.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traffic(Vec<(Ends, Entity)>);

/// A map and both ends of a link, the lower one first.
type Ends = (Entity, Cell, Cell);

fn ends(map: Entity, (from, to): (Cell, Cell)) -> Ends {
    (map, from.min(to), from.max(to))
}

impl Traffic {
    /// Whether no more walkers may take a link of a map.
    pub(crate) fn is_full(&self, map: Entity, link: &Link) -> bool {
        let ends = ends(map, (link.from, link.to));
        let first = self.0.partition_point(|(other, _)| *other < ends);
        let from_first = self.0[first..].iter();
        let walkers = from_first.take_while(|(other, _)| *other == ends);
        link.capacity > 0 && walkers.count() >= link.capacity.into()
    }

    /// Notes that an agent is on a link.
    pub(crate) fn enter(&mut self, agent: Entity, map: Entity, link: (Cell, Cell)) {
        let entry = (ends(map, link), agent);
        if let Err(place) = self.0.binary_search(&entry) {
            self.0.insert(place, entry);
        }
    }

    /// Notes that an agent is on a link no longer.
    pub(super) fn leave(&mut self, agent: Entity, map: Entity, link: (Cell, Cell)) {
        if let Ok(place) = self.0.binary_search(&(ends(map, link), agent)) {
            self.0.remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions_count_together() {
        let entity = |index| Entity::from_raw_u32(index).expect("a valid index");
        let (map, other_map) = (entity(1), entity(2));
        let up = Link::new(Cell::new(3, 3), Cell::new(3, 3).on_floor(1)).with_capacity(2);
        let down = up.reversed();
        let ends = |link: &Link| (link.from, link.to);
        let mut traffic = Traffic::default();
        traffic.enter(entity(7), map, ends(&up));
        // Once, however often it is said.
        traffic.enter(entity(7), map, ends(&up));
        traffic.enter(entity(8), other_map, ends(&up));
        assert!(!traffic.is_full(map, &up) && !traffic.is_full(map, &down));
        traffic.enter(entity(9), map, ends(&down));
        assert!(traffic.is_full(map, &up) && traffic.is_full(map, &down));
        assert!(!traffic.is_full(other_map, &up) && !traffic.is_full(map, &up.with_capacity(0)));
        traffic.leave(entity(7), map, ends(&up));
        traffic.leave(entity(7), map, ends(&up));
        assert!(!traffic.is_full(map, &up) && traffic.is_full(map, &up.with_capacity(1)));
    }
}
