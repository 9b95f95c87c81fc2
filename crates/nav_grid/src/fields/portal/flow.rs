//! The moves that lead on to the target of a field.

use super::field::PortalField;
use crate::{
    cell::{Cell, Direction, Directions},
    index::{
        PortalGraph,
        portals::{NONE, SIDE, Tiling},
    },
    map::Area,
    query::Terrain,
};

/// How a walker gets nearer to the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldMove {
    /// By a step.
    Step(Direction),
    /// By the link that leads to this cell.
    Link(Cell),
}

/// The moves from a cell that lead on to the target of a [`PortalField`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PortalFlow {
    /// Steps after which the rest of the way is as much shorter as they cost, or more.
    pub nearer: Directions,
    /// Other steps after which the rest of the way is no longer: ways around somebody who is on
    /// all that lead nearer.
    pub level: Directions,
    /// The end of a link that leads nearer; only where no step does.
    pub link: Option<Cell>,
}

impl PortalField {
    /// So many cells around a prepared one are known: enough to look at the cells beside it.
    const REACH: u16 = 2;

    /// How many clusters one cell may have looked at.
    pub const CLUSTERS_AROUND: u32 = 4;

    /// Looks at the clusters of a cell and of those up to two cells from it, as far as that was
    /// not done since the field was aimed, so that [`look`](Self::look) knows the cell and the
    /// cells beside it: [four](Self::CLUSTERS_AROUND) clusters at most, and in most places one. Does
    /// nothing if the field has no target or the map was edited since.
    ///
    /// # Complexity
    ///
    /// As [`PortalGraph`] says of one portal for every cluster that is new.
    pub fn prepare<'a>(&mut self, terrain: impl Into<Terrain<'a>>, cell: Cell) {
        let terrain = terrain.into();
        if let Some(portals) = self.portals(terrain)
            && portals.size().contains(cell)
        {
            for cluster in around(portals, cell) {
                self.look_at(terrain.grid, portals, cluster);
            }
        }
    }

    /// Whether a cell was [prepared](Self::prepare), or need not be since all that is around it
    /// was looked at for others.
    pub fn is_prepared<'a>(&self, terrain: impl Into<Terrain<'a>>, cell: Cell) -> bool {
        self.portals(terrain.into()).is_some_and(|portals| {
            portals.size().contains(cell)
                && around(portals, cell).all(|cluster| self.page(cluster).is_some())
        })
    }

    /// The moves that lead on from a cell; none of them at the target. `None` if there is no way,
    /// the field has no target, the map was edited since, or the cell was not
    /// [prepared](Self::prepare).
    pub fn look<'a>(&self, terrain: impl Into<Terrain<'a>>, cell: Cell) -> Option<PortalFlow> {
        let terrain = terrain.into();
        let portals = self.portals(terrain)?;
        if !portals.size().contains(cell) {
            return None;
        }
        let rules = self.aim?.rules;
        let page = self.page(portals.tiling.cluster(cell))?;
        let spot = usize::from(Tiling::spot(cell));
        let cost = page.get(spot).copied().filter(|&cost| cost != NONE)?;
        let inner = 1..SIDE - 1;
        let inside = inner.contains(&(cell.x % SIDE)) && inner.contains(&(cell.y % SIDE));
        let mut onward = PortalFlow::default();
        for direction in terrain.grid.steps(cell, rules) {
            let step = if direction.is_diagonal() {
                portals.step_costs.diagonal
            } else {
                portals.step_costs.straight
            };
            let rest = if inside {
                let (dx, dy) = direction.delta();
                let beside = spot.wrapping_add_signed((dy * i32::from(SIDE) + dx) as isize);
                page.get(beside).copied()
            } else {
                cell.step(direction).and_then(|to| self.known(portals, to))
            };
            let way = Directions::from(direction).0;
            match rest {
                Some(rest) if rest.saturating_add(step as u32) <= cost => onward.nearer.0 |= way,
                Some(rest) if rest <= cost => onward.level.0 |= way,
                _ => {}
            }
        }
        if onward.nearer.is_empty() {
            onward.link = self.link(portals, cell, cost);
        }
        Some(onward)
    }

    /// How to get nearer to the target from a cell; `None` at the target and wherever
    /// [`distance`](Self::distance) is `None`.
    ///
    /// Of several moves that lead nearer it tells a straight step before a diagonal one and a step
    /// before a link, then the first one clockwise from north, or the first link.
    pub fn next_move<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        cell: Cell,
    ) -> Option<FieldMove> {
        let terrain = terrain.into();
        self.prepare(terrain, cell);
        let PortalFlow { nearer, link, .. } = self.look(terrain, cell)?;
        let straight = nearer.intersection(Directions::STRAIGHT);
        let step = straight.into_iter().chain(nearer).next();
        step.map(FieldMove::Step).or(link.map(FieldMove::Link))
    }

    /// The distance from a cell of the map in units of the step costs, or [`NONE`], if its cluster was
    /// looked at.
    pub(crate) fn known(&self, portals: &PortalGraph, cell: Cell) -> Option<u32> {
        let page = self.page(portals.tiling.cluster(cell))?;
        page.get(usize::from(Tiling::spot(cell))).copied()
    }

    /// The end of the first link out of a cell by which the rest of the way costs so much.
    fn link(&self, portals: &PortalGraph, cell: Cell, cost: u32) -> Option<Cell> {
        let spot = Tiling::spot(cell);
        let gates = portals.gates(portals.tiling.cluster(cell)).iter();
        let mut links = gates.filter(|gate| portals.is_link(gate.passage));
        let link =
            links.find(|gate| gate.spot() == spot && self.leads_on(portals, gate) == Some(cost))?;
        let exit = portals.exit(link.passage);
        Some(portals.tiling.cell(exit.cluster, exit.spot))
    }
}

/// The clusters that cells up to [`PortalField::REACH`] from one lie in.
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
