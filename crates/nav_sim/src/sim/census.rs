//! Counts chasers by the state of their chase.

use super::ground::{Ground, Taken};
use crate::report::{Ends, WaysAt};
use bevy_ecs::prelude::*;
use nav::{
    Body, CellPosition, ChaseState, Chaser, Chasing, Crowding, NavMap, OnMap, PathCursor, Reach,
};
use nav_grid::{Area, Cell, Footprint, Grid, Rules};
use std::collections::BTreeMap;

/// Counts what all chasers follow. One pass over them.
pub(super) fn ways(world: &mut World, seconds: f64) -> WaysAt {
    let mut at = WaysAt {
        seconds,
        ..WaysAt::default()
    };
    let mut cursors = world.query_filtered::<&PathCursor, With<Chasing>>();
    for cursor in cursors.iter(world) {
        at.count(cursor);
    }
    at
}

/// A chaser that is not beside its target.
struct Late {
    at: Cell,
    agent: Entity,
    /// Whether it did not move at its last move tick.
    stands: bool,
}

/// Chasers of one target that need the same kind of place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Followers {
    target: Entity,
    side: u8,
    has_body: bool,
}

/// Components read of a chaser.
type Agent<'a> = (
    Entity,
    &'a CellPosition,
    &'a Chaser,
    &'a PathCursor,
    Option<&'a Crowding>,
    &'a Chasing,
    Option<&'a Body>,
);

/// Counts the states of all chases on a map. One pass over all agents, and one over the cells
/// around targets and around chasers that are not beside them.
pub(super) fn ends(world: &mut World, map: Entity) -> Ends {
    let mut ends = Ends::default();
    let Some(grid) = world.get::<NavMap>(map).map(|map| map.grid().clone()) else {
        return ends;
    };
    let mut ground = Ground::new(&grid);
    let mut groups: BTreeMap<Followers, (Approach, Vec<Late>)> = BTreeMap::new();
    let mut idle = world.query_filtered::<(&CellPosition, &Body), Without<Chasing>>();
    for (place, body) in idle.iter(world) {
        ground.occupy(body.footprint.area(place.cell), Taken::Stays);
    }
    let mut chasers = world.query_filtered::<Agent, With<OnMap>>();
    for (agent, place, chaser, cursor, crowding, chasing, body) in chasers.iter(world) {
        let target = world.get::<CellPosition>(chasing.0);
        let approach = Approach {
            rules: chaser.rules,
            stop_distance: chaser.stop_distance,
            target: target.map_or(Cell::new(u16::MAX, u16::MAX), |target| target.cell),
        };
        // If reach depends on more than the distance, the chaser's own state decides.
        let says_so = cursor.state() == ChaseState::Reached;
        let is_beside = if chaser.reach == Reach::Sight {
            says_so
        } else {
            approach.is_beside(&grid, place.cell)
                || (chaser.reach_through_links || chaser.stop_hysteresis > 0) && says_so
        };
        if is_beside {
            ends.beside += 1;
            if let Some(body) = body {
                ground.occupy(body.footprint.area(place.cell), Taken::Stays);
            }
            continue;
        }
        let followers = Followers {
            target: chasing.0,
            side: chaser.rules.footprint.side(),
            has_body: body.is_some(),
        };
        let stands = crowding.is_some_and(|crowding| crowding.stands);
        let (_, late) = groups
            .entry(followers)
            .or_insert_with(|| (approach, Vec::new()));
        late.push(Late {
            at: place.cell,
            agent,
            stands,
        });
        // A body under way blocks a cell only for a moment.
        if let Some(body) = body.filter(|_| stands) {
            ground.occupy(body.footprint.area(place.cell), Taken::Waits);
        }
    }
    for (followers, (approach, late)) in groups {
        ends.count_late(world, &mut ground, followers, approach, late);
    }
    ends
}

impl Ends {
    fn count_on_the_way(&mut self, world: &World, chaser: Entity) {
        if let Some(cursor) = world.get::<PathCursor>(chaser) {
            self.on_the_way.count(cursor);
        }
    }

    /// Counts the chasers of one kind that are not beside their target.
    fn count_late(
        &mut self,
        world: &World,
        ground: &mut Ground<'_>,
        followers: Followers,
        approach: Approach,
        late: Vec<Late>,
    ) {
        let places: Vec<Cell> = approach.places(ground.grid()).collect();
        let regions = ground.regions(approach.rules);
        let labels: Vec<_> = places.iter().map(|&at| regions.label(at)).collect();
        let (late, cut_off): (Vec<Late>, Vec<Late>) = late.into_iter().partition(|late| {
            let label = regions.label(late.at);
            label.is_some() && labels.contains(&label)
        });
        self.no_way += cut_off.len() as u64;
        if !followers.has_body {
            for late in &late {
                self.count_on_the_way(world, late.agent);
            }
            return;
        }
        let from = late.iter().map(|late| late.at);
        let could = ground.who_finds_a_place(&places, (approach.rules, Taken::Stays), from.clone());
        // Only for standing bodies of one cell, checks whether other waiting bodies block them.
        let can = if followers.side == 1 && late.iter().any(|late| late.stands) {
            ground.who_finds_a_place(&places, (approach.rules, Taken::Waits), from)
        } else {
            vec![true; late.len()]
        };
        for ((late, could), can) in late.iter().zip(could).zip(can) {
            match (could, can || !late.stands) {
                (false, _) => self.no_place += 1,
                (true, false) => self.behind += 1,
                (true, true) => self.count_on_the_way(world, late.agent),
            }
        }
    }
}

/// How chasers approach their target.
#[derive(Clone, Copy)]
struct Approach {
    rules: Rules,
    stop_distance: u16,
    target: Cell,
}

impl Approach {
    /// Returns whether a body touches its target, or is within its stop distance in columns and
    /// rows.
    fn is_beside(self, grid: &Grid, anchor: Cell) -> bool {
        let Self {
            rules,
            stop_distance,
            target,
        } = self;
        let area = rules.footprint.area(anchor);
        if anchor.floor != target.floor {
            return false;
        }
        let (first, last) = (area.first(), area.last());
        let nearest = Cell {
            x: target.x.clamp(first.x, last.x),
            y: target.y.clamp(first.y, last.y),
            ..anchor
        };
        let hand = rules.with_footprint(Footprint::ONE);
        nearest == target
            || stop_distance > 1 && nearest.chebyshev(target) <= stop_distance
            || grid.allows_step(nearest, target, hand)
    }

    /// Returns the places beside the target, without its own cell.
    fn places(self, grid: &Grid) -> impl Iterator<Item = Cell> {
        let reach = self.stop_distance.min(64);
        let before = reach + u16::from(self.rules.footprint.side()) - 1;
        let Cell { x, y, .. } = self.target;
        let first = Cell {
            x: x.saturating_sub(before),
            y: y.saturating_sub(before),
            ..self.target
        };
        let last = Cell {
            x: x.saturating_add(reach),
            y: y.saturating_add(reach),
            ..self.target
        };
        let around = Area::new(first, last).cells();
        around.filter(move |&at| {
            let footprint = self.rules.footprint;
            let covers = footprint.area(at).contains(self.target);
            let fits = grid.for_rules(self.rules).fits(at, footprint);
            !covers && fits && self.is_beside(grid, at)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav::AgentId;
    use nav_grid::map::text;

    /// Creates a world in which no tick was run.
    fn world(rows: &[&str]) -> (World, Entity) {
        let mut world = World::new();
        let grid = text::read(rows.join("\n").as_bytes()).unwrap();
        let map = world.spawn(NavMap::new(grid)).id();
        (world, map)
    }

    fn put(world: &mut World, map: Entity, x: u16, y: u16) -> Entity {
        world
            .spawn((AgentId::default(), OnMap(map), CellPosition::new(x, y)))
            .id()
    }

    fn chase(world: &mut World, map: Entity, target: Entity, body: Body, x: u16, y: u16) {
        let mut chaser = Chaser::default();
        chaser.rules.footprint = body.footprint;
        let place = (OnMap(map), CellPosition::new(x, y));
        world.spawn((chaser, place, Chasing(target), body));
    }

    #[test]
    fn kept_out_or_no_way() {
        let (mut world, map) = world(&[
            "..........", //
            "######.###",
            ".....#...#",
            "####.#.#.#",
        ]);
        // The target is in the lower right, behind the door in the second row.
        let target = put(&mut world, map, 6, 3);
        let one = Body::default();
        chase(&mut world, map, target, one, 0, 0);
        chase(&mut world, map, target, one, 8, 3);
        chase(&mut world, map, target, one, 0, 2);
        let counted = ends(&mut world, map);
        let nothing = crate::report::Ways {
            nothing: 2,
            ..Default::default()
        };
        let expected = Ends {
            no_way: 1,
            on_the_way: nothing,
            ..Ends::default()
        };
        assert_eq!(counted, expected);

        // An idle body in the door, and a chaser that takes the only place.
        let door = put(&mut world, map, 6, 1);
        world.entity_mut(door).insert(one);
        let counted = ends(&mut world, map);
        assert_eq!((counted.no_place, counted.on_the_way.nothing), (1, 1));
        chase(&mut world, map, target, one, 6, 2);
        let counted = ends(&mut world, map);
        assert_eq!((counted.beside, counted.no_way), (1, 1));
        assert_eq!(counted.total(), 4);
    }

    #[test]
    fn room_for_large_bodies() {
        let rows = ["........"; 8];
        let (mut world, map) = world(&rows);
        let target = put(&mut world, map, 0, 0);
        let large = Body::solid(Footprint::new(3).unwrap());
        chase(&mut world, map, target, large, 5, 5);
        assert_eq!(ends(&mut world, map).on_the_way.nothing, 1);
        // Beside the corner there is room for a body of 3×3 at 1,0, at 0,1 or at 1,1.
        chase(&mut world, map, target, Body::default(), 0, 1);
        let counted = ends(&mut world, map);
        assert_eq!((counted.beside, counted.no_place), (1, 0));
        let idle = put(&mut world, map, 3, 1);
        world.entity_mut(idle).insert(Body::default());
        let counted = ends(&mut world, map);
        assert_eq!((counted.beside, counted.no_place), (1, 1));
    }
}
