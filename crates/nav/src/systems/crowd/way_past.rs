//! The search for a way past the bodies around a target, to a place within reach of it.

use super::{
    gather::Crowd,
    relation::{Asker, Relation},
};
use crate::{
    occupancy::MapOccupancy,
    systems::{
        guidance::{
            list_nearer, list_places,
            reach::{Approach, DETOUR_RADIUS, overlaps},
            walk_down,
        },
        storage::targets::TargetSnapshot,
    },
};
use bevy_ecs::entity::Entity;
use nav_grid::{
    Area, Cell, Footprint, Grid, Method, Outcome, Path, Status,
    fields::{CostField, Passage},
    query::Counters,
};

/// Scratch memory of searches past bodies.
#[derive(Default)]
pub(crate) struct PastScratch {
    field: CostField,
    /// The places within reach of the target.
    places: Vec<Cell>,
    /// The places to which ways lead.
    goals: Vec<Cell>,
}

/// The body that holds a cell.
#[derive(Clone, Copy)]
struct Holder {
    agent: Entity,
    /// Its place.
    at: Cell,
    relation: Relation,
}

/// A search for a way past bodies.
///
/// Bodies that move on, make room or move along have tolls, and all others are walls: see
/// [`Relation::passage`]. The way leads to a free place, or to one that its holder leaves if asked. On
/// the way to a destination that a body holds for good, to a free cell that is nearer.
pub(crate) struct PastBodies<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) approach: Approach,
    pub(crate) target: &'a TargetSnapshot,
    pub(crate) from: Cell,
    /// Whether bodies make room.
    pub(crate) makes_room: bool,
    /// A place that could not be cleared, by which no way may lead.
    pub(crate) closed: Option<Cell>,
    /// Whether a free way comes first, however long: bodies in the way are in a dead end.
    pub(crate) is_stuck: bool,
}

impl PastBodies<'_> {
    /// Whether the window around the target, in which ways are searched, holds the body.
    pub(crate) const fn is_near_enough(&self) -> bool {
        self.from.chebyshev(self.target.position.cell) <= DETOUR_RADIUS
    }

    /// Searches among the bodies of a map for a body that meets them.
    pub(crate) fn search(
        &self,
        (crowd, bodies): (&Crowd, &MapOccupancy),
        asker: &Asker,
        scratch: &mut PastScratch,
        path: &mut Path,
    ) -> Outcome {
        let holder = |cell| {
            let agent = crowd.agent(bodies.holder(cell)?);
            if agent == asker.agent {
                return None;
            }
            let neighbour = crowd.neighbour(agent);
            Some(Holder {
                agent,
                at: neighbour.map_or(cell, |neighbour| neighbour.at),
                relation: Relation::of(asker, neighbour.as_ref()),
            })
        };
        self.search_past(holder, scratch, path)
    }

    /// Searches past the holders of cells, each with its relation to the body. Lays the way into `path`.
    ///
    /// If bodies are in a dead end, first for a way on which nobody has to make room, however long.
    fn search_past(
        &self,
        holder: impl Fn(Cell) -> Option<Holder>,
        scratch: &mut PastScratch,
        path: &mut Path,
    ) -> Outcome {
        let mut spent = 0;
        if self.makes_room && self.is_stuck {
            let free = Self {
                makes_room: false,
                ..*self
            };
            let outcome = free.search_once(&holder, scratch, path);
            if outcome.status == Status::Found {
                return outcome;
            }
            spent = outcome.counters.expanded;
        }
        let mut outcome = self.search_once(&holder, scratch, path);
        outcome.counters.expanded += spent;
        outcome
    }

    /// Searches once. Up to three fields: to free places, to places that their holders leave, and past bodies that
    /// lose theirs.
    fn search_once(
        &self,
        holder: impl Fn(Cell) -> Option<Holder>,
        PastScratch {
            field,
            places,
            goals,
        }: &mut PastScratch,
        path: &mut Path,
    ) -> Outcome {
        let rules = self.approach.rules;
        let target = self.target;
        // The body on a place that is least ready to make room, and the number of bodies there.
        let bodies_at = |place: Cell| {
            let (mut last, mut found) = (None, None);
            for cell in rules.footprint.area(place).cells() {
                let Some(body) = holder(cell) else {
                    continue;
                };
                if last != Some(body.agent) {
                    last = Some(body.agent);
                    let (least, count) = found.unwrap_or((body.relation, 0_u8));
                    found = Some((body.relation.max(least), count.saturating_add(1)));
                }
            }
            found
        };
        list_places(self.grid, self.approach, target, places);
        let is_free = |place: &&Cell| bodies_at(**place).is_none();
        let is_held =
            |place: &Cell| bodies_at(*place).is_some_and(|(relation, _)| relation.rests());
        goals.clear();
        goals.extend(places.iter().filter(is_free));
        let only_nearer = target.is_entered && !places.is_empty() && places.iter().all(is_held);
        let mut nearest = goals.len();
        if only_nearer {
            let is_free = |place| bodies_at(place).is_none();
            nearest = list_nearer((self.grid, rules), target, self.from, is_free, goals);
        }
        places.sort_unstable();
        path.clear();
        let mut counters = Counters::default();
        let window = (target.position.cell, DETOUR_RADIUS);
        let mut search = |goals: &[Cell], places: &[Cell]| {
            if goals.is_empty() {
                return None;
            }
            field.compute_past((self.grid, rules), window, goals, &[self.from], |place| {
                if overlaps(rules, place, target) || self.closed == Some(place) {
                    return Passage::Blocked;
                }
                match bodies_at(place) {
                    None => Passage::Free,
                    // Coming nearer is not worth that a body gives up its place.
                    Some((Relation::Settled, _)) if only_nearer => Passage::Blocked,
                    Some((relation, count)) => {
                        let is_beside = places.binary_search(&place).is_ok();
                        relation.passage(count, is_beside, self.makes_room)
                    }
                }
            });
            counters.expanded += field.expanded();
            walk_down(field, (self.grid, rules), self.from, path)
        };
        let mut cost = search(&goals[..nearest], places);
        if cost.is_none() && nearest < goals.len() {
            cost = search(goals, places);
        }
        if cost.is_none() && self.makes_room && !only_nearer {
            let leaves = |place: &&Cell| {
                let area = rules.footprint.area(**place);
                bodies_at(**place).is_some()
                    && area.cells().all(|cell| {
                        holder(cell).is_none_or(|body| {
                            body.relation.leaves_place()
                                || body.relation == Relation::Beside
                                    && self.can_shift(body, area, places, &holder)
                        })
                    })
            };
            goals.clear();
            goals.extend(places.iter().filter(leaves));
            cost = search(goals, places);
        }
        if cost.is_none() && self.makes_room && !only_nearer {
            // There is no other way than past bodies that lose their places, and get others behind.
            goals.clear();
            goals.extend(places.iter().filter(is_free));
            cost = search(goals, &[]);
        }
        let status = match cost {
            Some(_) => Status::Found,
            None => Status::Unreachable,
        };
        let cost = cost.unwrap_or_default();
        let outcome = Outcome::new(Method::Dijkstra, status).with_cost(cost);
        outcome.with_counters(counters)
    }

    /// Whether a large body beside the target has another place one step further, off an area: large bodies
    /// can stand so that the room for another one is divided.
    fn can_shift(
        &self,
        body: Holder,
        off: Area,
        places: &[Cell],
        holder: impl Fn(Cell) -> Option<Holder>,
    ) -> bool {
        let rules = self.approach.rules;
        let is_free = |cell| {
            !off.contains(cell) && holder(cell).is_none_or(|there| there.agent == body.agent)
        };
        let shifts = |to: Cell| {
            places.binary_search(&to).is_ok() && rules.footprint.area(to).cells().all(is_free)
        };
        rules.footprint != Footprint::ONE
            && self
                .grid
                .steps(body.at, rules)
                .into_iter()
                .any(|way| body.at.step(way).is_some_and(shifts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CellPosition;
    use nav_grid::Rules;

    /// A drawing: `#` is wall, `T` the target, `C` the body that searches. Others are bodies, by what they are to it.
    fn relation_of(letter: u8) -> Option<Relation> {
        match letter {
            b'm' => Some(Relation::Mover),
            b'c' => Some(Relation::Companion),
            b'w' => Some(Relation::Waiter),
            b'b' => Some(Relation::Beside),
            b'o' => Some(Relation::Outer),
            b's' => Some(Relation::Settled),
            b'x' => Some(Relation::Stayer),
            _ => None,
        }
    }

    /// Searches in a drawing for a body that comes within reach of its target, or onto its cell, past others that
    /// make room or not.
    struct Drawing<'a> {
        rows: &'a [&'a str],
        is_entered: bool,
        makes_room: bool,
        closed: Option<Cell>,
        is_stuck: bool,
    }

    impl<'a> Drawing<'a> {
        fn new(rows: &'a [&'a str]) -> Self {
            Self {
                rows,
                is_entered: false,
                makes_room: true,
                closed: None,
                is_stuck: false,
            }
        }

        fn letter(&self, cell: Cell) -> u8 {
            self.rows[usize::from(cell.y)].as_bytes()[usize::from(cell.x)]
        }

        fn find(&self, grid: &Grid, letter: u8) -> Cell {
            let size = grid.size();
            let cells =
                Area::new(Cell::new(0, 0), Cell::new(size.width - 1, size.height - 1)).cells();
            let mut found = cells.filter(|&cell| self.letter(cell) == letter);
            found.next().expect("a letter of the drawing")
        }

        /// The way found, as columns and rows.
        fn way(&self) -> Option<Vec<(u16, u16)>> {
            let (width, height) = (self.rows[0].len() as u16, self.rows.len() as u16);
            let grid = Grid::from_fn(width, height, |cell| self.letter(cell) != b'#');
            let grid = grid.expect("sides of a map");
            let target = TargetSnapshot {
                position: CellPosition::at(self.find(&grid, b'T')),
                map: Entity::PLACEHOLDER,
                body: Footprint::ONE,
                is_entered: self.is_entered,
            };
            let search = PastBodies {
                grid: &grid,
                approach: Approach {
                    rules: Rules::default(),
                    stop_distance: 1,
                    ..Approach::default()
                },
                target: &target,
                from: self.find(&grid, b'C'),
                makes_room: self.makes_room,
                closed: self.closed,
                is_stuck: self.is_stuck,
            };
            let holder = |cell: Cell| {
                let relation = relation_of(self.letter(cell))?;
                let index = u32::from(cell.y) * 100 + u32::from(cell.x);
                Some(Holder {
                    agent: Entity::from_raw_u32(index)?,
                    at: cell,
                    relation,
                })
            };
            let mut path = Path::new();
            let outcome = search.search_past(holder, &mut PastScratch::default(), &mut path);
            let cells = path.iter().map(|cell| (cell.x, cell.y)).collect();
            (outcome.status == Status::Found).then_some(cells)
        }
    }

    #[test]
    fn free_way_around_a_stayer() {
        let rows = [
            "......", //
            ".Cx.T.", "......",
        ];
        let way = Drawing::new(&rows).way().expect("a way");
        let [first, (last, _)] = way[..] else {
            panic!("{way:?}");
        };
        assert!(first != (2, 1) && last == 3, "{way:?}");
    }

    #[test]
    fn stayer_in_the_only_door() {
        let rows = [
            "..#...", //
            ".Cx.T.", "..#...",
        ];
        assert_eq!(Drawing::new(&rows).way(), None);
    }

    #[test]
    fn settled_in_the_only_door_makes_room() {
        let rows = [
            "..#...", //
            ".Cs.T.", "..#...",
        ];
        let mut drawing = Drawing::new(&rows);
        assert_eq!(drawing.way(), Some(vec![(2, 1), (3, 1)]));
        drawing.makes_room = false;
        assert_eq!(drawing.way(), None);
    }

    #[test]
    fn long_free_way_beside_one_that_gives_up_its_place() {
        // Around takes 12 steps more, less than what it costs to ask.
        let rows = [
            "..#...", //
            ".Cs.T.", "..#...", "..#...", "..#...", "..#...", "......",
        ];
        let way = Drawing::new(&rows).way().expect("a way");
        assert!(way.contains(&(2, 6)), "{way:?}");
    }

    #[test]
    fn along_places_beside_the_target() {
        // Behind one that is beside the target a place is free: it moves along.
        let rows = [
            "#####", //
            "Cb.##", "##T##", "#####",
        ];
        assert_eq!(Drawing::new(&rows).way(), Some(vec![(1, 1), (2, 1)]));
        // Not to a place away from the target.
        let full = [
            "#####", //
            "Cb###", "##T##", "#####",
        ];
        assert_eq!(Drawing::new(&full).way(), None);
    }

    #[test]
    fn place_that_its_holder_leaves() {
        for letter in ["w", "o"] {
            let row = format!("C.{letter}T");
            assert_eq!(
                Drawing::new(&[&row]).way(),
                Some(vec![(1, 0), (2, 0)]),
                "{letter}"
            );
        }
        for letter in ["c", "m", "b", "s"] {
            let row = format!("C.{letter}T");
            assert_eq!(Drawing::new(&[&row]).way(), None, "{letter}");
        }
    }

    #[test]
    fn free_place_before_one_that_its_holder_leaves() {
        let rows = [
            "C.wT.", //
            ".....",
        ];
        let way = Drawing::new(&rows).way().expect("a way");
        assert_ne!(way.last(), Some(&(2, 0)));
    }

    #[test]
    fn another_way_past_what_could_not_be_cleared() {
        let rows = [
            "..s...", //
            ".Cs.T.", "..s...",
        ];
        let mut drawing = Drawing::new(&rows);
        let first = drawing.way().expect("a way")[0];
        drawing.closed = Some(Cell::new(first.0, first.1));
        let second = drawing.way().expect("another way")[0];
        assert_ne!(first, second);
    }

    #[test]
    fn free_way_if_bodies_are_stuck() {
        // Around takes 30 steps more.
        let mut rows = vec!["..#....", ".Cs.T..", "..#...."];
        rows.extend(["..#...."; 14]);
        rows.push(".......");
        let mut drawing = Drawing::new(&rows);
        let way = drawing.way().expect("a way");
        assert!(way.contains(&(2, 1)), "{way:?}");
        drawing.is_stuck = true;
        let way = drawing.way().expect("a way");
        assert!(way.contains(&(2, 17)), "{way:?}");
        // There is no other way.
        rows.pop();
        let mut drawing = Drawing::new(&rows);
        drawing.is_stuck = true;
        let way = drawing.way().expect("a way");
        assert!(way.contains(&(2, 1)), "{way:?}");
    }

    #[test]
    fn past_a_body_that_loses_its_place() {
        // The only free place is on the other side, and the only way leads over the one that is taken.
        let rows = [
            "###....", //
            "..C#...", "#b##.#.", "#.T.#..", "#.##.#.", "#......",
        ];
        let way = Drawing::new(&rows).way().expect("a way");
        assert!(way.contains(&(1, 2)), "{way:?}");
    }

    #[test]
    fn nearer_to_a_destination_that_is_held() {
        // A body rests on the destination, which is where the target is drawn: it is held for good.
        let rows = [
            "C......", //
            ".......",
        ];
        let target = TargetSnapshot {
            position: CellPosition::at(Cell::new(5, 0)),
            map: Entity::PLACEHOLDER,
            body: Footprint::ONE,
            is_entered: true,
        };
        let drawing = Drawing::new(&rows);
        let grid = Grid::open(7, 2).expect("sides of a map");
        let search = PastBodies {
            grid: &grid,
            approach: Approach {
                rules: Rules::default(),
                stop_distance: 1,
                ..Approach::default()
            },
            target: &target,
            from: drawing.find(&grid, b'C'),
            makes_room: true,
            closed: None,
            is_stuck: false,
        };
        let holder = |cell: Cell| {
            (cell == Cell::new(5, 0)).then_some(Holder {
                agent: Entity::PLACEHOLDER,
                at: cell,
                relation: Relation::Stayer,
            })
        };
        let mut path = Path::new();
        let outcome = search.search_past(holder, &mut PastScratch::default(), &mut path);
        assert_eq!(outcome.status, Status::Found);
        let end = path.end().expect("waypoints");
        assert_eq!(end.chebyshev(Cell::new(5, 0)), 1, "{end}");
    }

    #[test]
    fn only_bodies_near_their_target_search() {
        let grid = Grid::open(200, 1).expect("sides of a map");
        let near = |x| {
            let target = TargetSnapshot {
                position: CellPosition::at(Cell::new(0, 0)),
                map: Entity::PLACEHOLDER,
                body: Footprint::ONE,
                is_entered: false,
            };
            let search = PastBodies {
                grid: &grid,
                approach: Approach::default(),
                target: &target,
                from: Cell::new(x, 0),
                makes_room: true,
                closed: None,
                is_stuck: false,
            };
            search.is_near_enough()
        };
        assert_eq!(
            [near(DETOUR_RADIUS), near(DETOUR_RADIUS + 1)],
            [true, false]
        );
    }
}
