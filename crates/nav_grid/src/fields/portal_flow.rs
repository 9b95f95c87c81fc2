//! Answers of portal fields: the moves from a cell that lead nearer to the target.

use super::PortalField;
use crate::{
    cell::{Cell, Direction, Directions},
    index::{
        PortalGraph,
        portals::{NONE, SIDE, Spot, Tiling},
    },
    map::Area,
    query::Terrain,
};

/// A move that leads nearer to the target of a [`PortalField`](super::PortalField).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldMove {
    /// A step.
    Step(Direction),
    /// The link to this cell.
    Link(Cell),
}

/// The moves from a cell that lead on to the target of a [`PortalField`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PortalFlow {
    /// Steps after which the rest of the way is as much shorter as they cost, or more.
    pub nearer: Directions,
    /// Other steps after which the rest of the way is no longer: ways around a body on the nearer
    /// steps.
    pub level: Directions,
    /// The end of a link that leads nearer; only where no step does.
    pub link: Option<Cell>,
}

impl PortalField {
    /// The number of cells around a prepared cell that are known, too. A look reads the neighbours;
    /// after one step the next look needs no preparation.
    const REACH: u16 = 2;

    /// Computes the clusters within two cells of a cell, unless they are known, so that
    /// [`look`](Self::look) can read the cell and its neighbours. These are at most
    /// four clusters, and in most places one. Does nothing if the field
    /// has no target or the map was edited since.
    ///
    /// # Complexity
    ///
    /// As [`PortalField`] says of a first look.
    #[doc(hidden)]
    pub fn prepare<'a>(&mut self, terrain: impl Into<Terrain<'a>>, cell: Cell) {
        self.prepare_within(terrain, cell, u32::MAX);
    }

    /// The same for about `work` expanded portals. Returns whether nothing is left to do; otherwise
    /// the next call goes on.
    #[doc(hidden)]
    pub fn prepare_within<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        cell: Cell,
        work: u32,
    ) -> bool {
        let terrain = self.terrain(terrain);
        let portals = self.portals(terrain);
        let Some(portals) = portals.filter(|portals| portals.size().contains(cell)) else {
            return true;
        };
        let end = self.counters.expanded.saturating_add(work);
        let mut places = places_around(portals, cell);
        places.all(|place| self.settle(terrain.grid, portals, place, end))
    }

    /// Whether a cell was [prepared](Self::prepare), or need not be since all clusters around it
    /// are known.
    #[doc(hidden)]
    pub fn is_prepared<'a>(&self, terrain: impl Into<Terrain<'a>>, cell: Cell) -> bool {
        self.portals(terrain.into()).is_some_and(|portals| {
            portals.size().contains(cell)
                && places_around(portals, cell).all(|place| self.is_settled(place.0, place.1))
        })
    }

    /// The moves that lead on from a cell; none of them at the target. `None` if there is no way,
    /// the field has no target, the map was edited since, or the cell was not
    /// [prepared](Self::prepare).
    #[doc(hidden)]
    pub fn look<'a>(&self, terrain: impl Into<Terrain<'a>>, cell: Cell) -> Option<PortalFlow> {
        let terrain = self.terrain(terrain);
        let portals = self.portals(terrain)?;
        if !portals.size().contains(cell) {
            return None;
        }
        let rules = self.aim?.rules;
        let (_, page) = self.page(portals.tiling.cluster(cell))?;
        let spot = usize::from(Tiling::spot(cell));
        let cost = page.get(spot).copied().filter(|&cost| cost != NONE)?;
        let inner = 1..SIDE - 1;
        let inside = inner.contains(&(cell.x % SIDE)) && inner.contains(&(cell.y % SIDE));
        let mixed = terrain.grid.has_costs();
        let mut onward = PortalFlow::default();
        for direction in terrain.grid.steps(cell, rules) {
            let rest = if inside {
                let (dx, dy) = direction.delta();
                let beside = spot.wrapping_add_signed((dy * i32::from(SIDE) + dx) as isize);
                page.get(beside).copied()
            } else {
                cell.step(direction).and_then(|to| self.known(portals, to))
            };
            let way = Directions::from(direction).0;
            let to = cell.step(direction).filter(|_| mixed);
            let ground = to.map_or(1, |to| terrain.grid.cost_of_body(to, rules.footprint));
            let even = portals.step_costs.step(direction.is_diagonal());
            let step = portals.step_costs.onto(even, ground);
            match rest {
                Some(rest) if rest.saturating_add(step) <= cost => {
                    onward.nearer.0 |= way;
                }
                Some(rest) if rest <= cost => onward.level.0 |= way,
                _ => {}
            }
        }
        if onward.nearer.is_empty() {
            onward.link = self.link(portals, cell, cost);
        }
        Some(onward)
    }

    /// The next move toward the target from a cell; `None` at the target and wherever
    /// [`distance`](Self::distance) is `None`.
    ///
    /// Of several such moves it returns a straight step before a diagonal one and a step before a
    /// link, then the first step clockwise from north, or the first link.
    pub fn next_move<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        cell: Cell,
    ) -> Option<FieldMove> {
        let terrain = self.terrain(terrain);
        self.prepare(terrain, cell);
        let PortalFlow { nearer, link, .. } = self.look(terrain, cell)?;
        let straight = nearer.intersection(Directions::STRAIGHT);
        let step = straight.into_iter().chain(nearer).next();
        step.map(FieldMove::Step).or(link.map(FieldMove::Link))
    }

    /// The distance from a cell of the map in units of the step costs, or [`NONE`]; `None` if its
    /// cluster is not computed.
    pub(super) fn known(&self, portals: &PortalGraph, cell: Cell) -> Option<u32> {
        let (_, page) = self.page(portals.tiling.cluster(cell))?;
        page.get(usize::from(Tiling::spot(cell))).copied()
    }

    /// The end of the first link out of a cell on a way of this cost.
    fn link(&self, portals: &PortalGraph, cell: Cell, cost: u32) -> Option<Cell> {
        let spot = Tiling::spot(cell);
        let gates = portals.gates(portals.tiling.cluster(cell)).iter();
        let mut links = gates.filter(|gate| portals.is_link(gate.passage));
        let link =
            links.find(|gate| gate.spot() == spot && self.leads_on(portals, gate) == Some(cost))?;
        portals.link_end(link.passage)
    }
}

/// The parts of a field for a look at a cell: its cluster and its spot there, then the clusters
/// within [`PortalField::REACH`] cells.
fn places_around(portals: &PortalGraph, cell: Cell) -> impl Iterator<Item = (u32, Option<Spot>)> {
    let own = (portals.tiling.cluster(cell), Some(Tiling::spot(cell)));
    let others = around(portals, cell).map(|cluster| (cluster, None));
    std::iter::once(own).chain(others)
}

/// The clusters within [`PortalField::REACH`] cells of a cell.
fn around(portals: &PortalGraph, cell: Cell) -> impl Iterator<Item = u32> {
    let reach = PortalField::REACH;
    let area = Area::from(cell).grown(reach, reach).clipped(portals.size());
    let (first, last) = (area.first(), area.last());
    let rows = first.y / SIDE..=last.y / SIDE;
    rows.flat_map(move |row| {
        (first.x / SIDE..=last.x / SIDE).map(move |column| {
            portals.tiling.cluster(Cell {
                x: column * SIDE,
                y: row * SIDE,
                ..cell
            })
        })
    })
}
