//! Loans: steps that this zone lends to bodies of other zones.

use super::{
    lists::{DatedList, LatestLists, SeenBody, WishedStep, newly_covered},
    view::VIEW,
};
use crate::{Zone, ZoneId};
use bevy_ecs::prelude::*;
use nav::{AgentId, Body, CellPosition, OnMap, extend::Mirror};
use nav_grid::{Area, Cell};
use std::collections::{BTreeMap, BTreeSet};

/// Marks the placeholder body that keeps the cells of a lent step free for the borrower.
#[derive(Component)]
pub(crate) struct Lent;

/// Steps that this zone lent.
#[derive(Default)]
pub(super) struct Loans(BTreeMap<LoanKey, Loan>);

/// Borrower of a step: the zone where it lives, and its id.
type LoanKey = (ZoneId, AgentId);

/// Lent step.
#[derive(Clone, Copy, Debug)]
struct Loan {
    wish: WishedStep,
    /// Placeholder that covers the cells.
    keeper: Entity,
}

/// Step that another zone requests from this one.
struct Asked {
    wish: WishedStep,
    key: LoanKey,
    map: Entity,
    body: Body,
    /// Cells of this zone that the body would newly cover.
    cells: Vec<Cell>,
}

/// Agents that cover each requested cell; `None` for placeholders and bodies without an id.
type Covered = BTreeMap<(Entity, Cell), Vec<Option<AgentId>>>;

impl Loans {
    /// Returns the steps lent to agents of a zone.
    pub(super) fn of(&self, to: ZoneId) -> Vec<(AgentId, WishedStep)> {
        let loans = self.0.iter().filter(|((asker, _), _)| *asker == to);
        loans
            .map(|(&(_, agent), loan)| (agent, loan.wish))
            .collect()
    }

    /// Lends the requested steps whose cells are free. Returns the number of new loans.
    ///
    /// Must run after the bodies of this zone have stepped.
    pub(super) fn lend(
        &mut self,
        world: &mut World,
        zone: &Zone,
        maps: &[Entity],
        latest: &LatestLists,
    ) -> u64 {
        let asked = self.asked(zone, maps, latest);
        if asked.is_empty() {
            return 0;
        }
        let mut covered = covered(world, zone, &asked);
        let mut lent = 0;
        for Asked {
            wish,
            key,
            map,
            body,
            cells,
        } in asked
        {
            let mut there = (cells.iter())
                .filter_map(|&cell| covered.get(&(map, cell)))
                .flatten();
            if there.any(|&agent| agent != Some(key.1)) {
                continue;
            }
            let place = (CellPosition::at(wish.to), OnMap(map), body);
            let keeper = world.spawn((Lent, Mirror, place)).id();
            self.0.insert(key, Loan { wish, keeper });
            for cell in cells {
                covered.entry((map, cell)).or_default().push(None);
            }
            lent += 1;
        }
        lent
    }

    /// Frees the cells of steps that are no longer requested.
    ///
    /// A borrower that took its step covers the cells itself by now: as a mirror, or as an agent
    /// that lives here.
    pub(super) fn free_unwished(&mut self, world: &mut World, latest: &LatestLists) {
        self.0.retain(|(asker, agent), loan| {
            let is_wished = latest.get(asker).is_some_and(|DatedList { tick, list }| {
                // A list older than the wish cannot contain it.
                *tick < loan.wish.since
                    || body_in(&list.bodies, *agent)
                        .is_some_and(|body| body.wish == Some(loan.wish))
            });
            if !is_wished {
                world.despawn(loan.keeper);
            }
            is_wished
        });
    }

    /// Returns the requested steps that are not lent yet, longest wait first.
    fn asked(&self, zone: &Zone, maps: &[Entity], latest: &LatestLists) -> Vec<Asked> {
        let mut asked = Vec::new();
        for (&asker, DatedList { list, .. }) in latest {
            for seen in &list.bodies {
                let (Some(wish), Some(&map)) = (seen.wish, maps.get(usize::from(seen.stand.map)))
                else {
                    continue;
                };
                let key = (asker, seen.agent);
                let body = seen.stand.body;
                let cells = newly_covered(body.footprint, seen.stand.cell, wish.to);
                let own = cells.filter(|&cell| zone.layout.zone_of(cell) == zone.id);
                let cells: Vec<Cell> = own.collect();
                if !cells.is_empty() && !self.0.contains_key(&key) {
                    asked.push(Asked {
                        wish,
                        key,
                        map,
                        body,
                        cells,
                    });
                }
            }
        }
        // All zones use the same order. Otherwise two bodies that need the same cells of several
        // zones could each get a part of them and block each other.
        asked.sort_unstable_by_key(|asked| (asked.wish.since, asked.key.1, asked.key.0));
        asked
    }
}

/// Finds a body in a list, which is ordered by id.
fn body_in(bodies: &[SeenBody], agent: AgentId) -> Option<&SeenBody> {
    let place = bodies.binary_search_by_key(&agent, |body| body.agent);
    bodies.get(place.ok()?)
}

/// Returns the agents on requested cells.
fn covered(world: &mut World, zone: &Zone, asked: &[Asked]) -> Covered {
    let cells = asked
        .iter()
        .flat_map(|asked| asked.cells.iter().map(|&cell| (asked.map, cell)));
    let wished: BTreeSet<(Entity, Cell)> = cells.collect();
    // Most requests are for cells at the border. Bodies further inside are then skipped.
    let mut cells = wished.iter().map(|&(_, cell)| Area::new(cell, cell));
    let all = cells.any(|area| !zone.layout.is_near_others(zone.id, area, VIEW));
    let mut bodies = world.query::<(Option<&AgentId>, &Body, &CellPosition, &OnMap)>();
    let mut covered = Covered::new();
    for (agent, body, position, on_map) in bodies.iter(world) {
        let area = body.footprint.area(position.cell);
        if !all && !zone.layout.is_near_others(zone.id, area, VIEW) {
            continue;
        }
        for cell in area.cells() {
            let place = (on_map.0, cell);
            if wished.contains(&place) {
                covered.entry(place).or_default().push(agent.copied());
            }
        }
    }
    covered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ZoneCounts, ZoneLayout,
        borders::lists::{BorderList, SeenStand},
        exchange::Exchange,
        local,
    };
    use nav_grid::Size;

    /// Id of a body, its column, and the requested column with the tick of the request.
    type Listed = (u32, u16, Option<(u16, u64)>);

    /// Right one of two zones, with its loans.
    struct Lender {
        world: World,
        zone: Zone,
        map: Entity,
        loans: Loans,
        latest: LatestLists,
    }

    impl Lender {
        fn new() -> Option<Self> {
            let layout = ZoneLayout::new(Size::new(128, 64), 2, 1).ok()?;
            let bus = local(2).pop()?;
            let id = ZoneId(1);
            let exchange = Exchange::new(id, &layout, Box::new(bus));
            let counts = ZoneCounts::default();
            let mut world = World::new();
            let map = world.spawn_empty().id();
            Some(Self {
                world,
                zone: Zone {
                    id,
                    layout,
                    exchange,
                    counts,
                    tick: 0,
                    period: 1,
                    holds: true,
                },
                map,
                loans: Loans::default(),
                latest: LatestLists::new(),
            })
        }

        /// Receives a list from the left zone. Returns the agents that have a loan afterwards.
        fn receive(&mut self, tick: u64, bodies: &[Listed]) -> Vec<u32> {
            let wished = |(x, since)| WishedStep {
                since,
                to: Cell::new(x, 5),
            };
            let body = |&(id, x, wish): &Listed| SeenBody {
                agent: AgentId(id),
                stand: SeenStand {
                    map: 0,
                    cell: Cell::new(x, 5),
                    body: Body::default(),
                },
                wish: wish.map(wished),
            };
            let bodies = bodies.iter().map(body).collect();
            let list = BorderList {
                watched: Vec::new(),
                bodies,
                left: Vec::new(),
                loans: Vec::new(),
            };
            self.latest.insert(ZoneId(0), DatedList { tick, list });
            self.loans.free_unwished(&mut self.world, &self.latest);
            let maps = [self.map];
            self.loans
                .lend(&mut self.world, &self.zone, &maps, &self.latest);
            let lent = self.loans.of(ZoneId(0));
            lent.into_iter().map(|(agent, _)| agent.0).collect()
        }

        /// Counts the bodies on a cell of the zone, placeholders included.
        fn on(&mut self, x: u16) -> usize {
            let mut places = self.world.query_filtered::<&CellPosition, With<Body>>();
            let places = places.iter(&self.world);
            places.filter(|place| place.cell == Cell::new(x, 5)).count()
        }
    }

    #[test]
    fn loan_ends_with_request() {
        let mut lender = Lender::new().expect("two tiles");
        assert_eq!(lender.receive(7, &[(3, 63, Some((64, 7)))]), [3]);
        assert_eq!(lender.on(64), 1);
        // A late list does not end a loan.
        assert_eq!(lender.receive(90, &[(3, 63, Some((64, 7)))]), [3]);
        assert_eq!(lender.on(64), 1);
        assert_eq!(lender.receive(91, &[(3, 64, None)]), [0; 0]);
        assert_eq!(lender.on(64), 0, "its mirror is there");
    }

    #[test]
    fn repeated_request_is_lent_again() {
        let mut lender = Lender::new().expect("two tiles");
        lender.receive(7, &[(3, 63, Some((64, 7)))]);
        lender.receive(9, &[(3, 63, Some((64, 9)))]);
        let loan = lender.loans.of(ZoneId(0))[0].1;
        assert_eq!((loan.since, lender.on(64)), (9, 1));
    }

    #[test]
    fn older_request_first() {
        let mut lender = Lender::new().expect("two tiles");
        let both = [(3, 63, Some((64, 8))), (4, 63, Some((64, 7)))];
        assert_eq!(lender.receive(8, &both), [4]);
        assert_eq!(lender.receive(9, &both), [4], "and keeps it");
        let mut lender = Lender::new().expect("two tiles");
        let both = [(3, 63, Some((64, 8))), (4, 63, Some((64, 8)))];
        assert_eq!(lender.receive(8, &both), [3]);
    }

    #[test]
    fn occupied_cell_is_not_lent() {
        let mut lender = Lender::new().expect("two tiles");
        let place = (CellPosition::new(64, 5), OnMap(lender.map), Body::default());
        let own = lender.world.spawn((AgentId(1), place)).id();
        let asker = [(3, 63, Some((64, 7)))];
        assert_eq!(lender.receive(7, &asker), [0; 0]);
        lender.world.despawn(own);
        assert_eq!(lender.receive(8, &asker), [3]);
    }

    #[test]
    fn foreign_cells_are_not_lent() {
        let mut lender = Lender::new().expect("two tiles");
        assert_eq!(lender.receive(7, &[(3, 61, Some((62, 7)))]), [0; 0]);
    }
}
