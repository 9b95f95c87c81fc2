//! Which of several targets is the nearest by a portal field.

use super::portal_field::{NO_OWNER, PortalField};
use crate::{
    cell::{Cell, Direction},
    index::{
        PortalGraph,
        portals::{NONE, SIDE, Tiling},
    },
    query::Terrain,
    rules::Cost,
};

impl PortalField {
    /// The nearest target from a cell by the field, as its place in the list of the
    /// [aim](Self::aim_at_all), with the cost of the way to it and its handicap. `None` if there is
    /// no way, the field has no target, or the map was edited since.
    ///
    /// # Complexity
    ///
    /// As [`PortalField`] says of a first look, once for each cluster. After that it walks down the
    /// field as far as the cells from which nobody asked: all cells of a cluster together take some
    /// 1,000 steps.
    pub fn nearest<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        cell: Cell,
    ) -> Option<(usize, Cost)> {
        let terrain = self.terrain(terrain);
        let cost = self.distance(terrain, cell)?;
        let owner = match &*self.targets {
            [only] => only.number,
            _ => self.owner(terrain, cell)?,
        };
        Some((owner.into(), cost))
    }

    /// Forgets who asked from the spots of a page.
    pub(super) fn forget_owners(&mut self, page: usize) {
        let count = self.owner_pages.len().max(page + 1);
        self.owner_pages
            .resize_with(count, || Box::new([NO_OWNER; 1024]));
        self.owner_pages[page].fill(NO_OWNER);
    }

    /// The number of the target to which a cell of a computed cluster leads. Walks down to a cell
    /// where that is known, and notes it for all cells on the way.
    fn owner(&mut self, terrain: Terrain<'_>, cell: Cell) -> Option<u16> {
        let portals = self.portals(terrain)?;
        let cluster = portals.tiling.cluster(cell);
        let page = self.visit(cluster)?.page as usize;
        let mut trail = std::mem::take(&mut self.trail);
        trail.clear();
        let mut at = cell;
        let owner = loop {
            let known = self.owner_pages.get(page)?[usize::from(Tiling::spot(at))];
            if known != NO_OWNER {
                break Some(known);
            }
            trail.push(Tiling::spot(at));
            match self.down(terrain, portals, at) {
                Some(next) => at = next,
                None => break self.owner_of_seed(portals, at),
            }
        };
        if let Some(owner) = owner {
            for &spot in &trail {
                self.owner_pages[page][usize::from(spot)] = owner;
            }
        }
        self.trail = trail;
        owner
    }

    /// The first step from a cell, clockwise from north, whose end is in the same cluster and as
    /// much nearer as the step costs.
    fn down(&self, terrain: Terrain<'_>, portals: &PortalGraph, cell: Cell) -> Option<Cell> {
        let rules = self.aim?.rules;
        let (_, page) = self.page(portals.tiling.cluster(cell))?;
        let cost_at = |cell: Cell| page[usize::from(Tiling::spot(cell))];
        let cost = cost_at(cell);
        let leads_down = |direction: Direction| {
            let to = cell.step(direction)?;
            let is_inside = (to.x / SIDE, to.y / SIDE) == (cell.x / SIDE, cell.y / SIDE);
            let even = portals.step_costs.step(direction.is_diagonal());
            let ground = terrain.grid.cost_of_body(to, rules.footprint);
            let step = portals.step_costs.onto(even, ground);
            let rest = Some(cost_at(to)).filter(|&rest| is_inside && rest != NONE)?;
            (rest.saturating_add(step) == cost).then_some(to)
        };
        terrain
            .grid
            .steps(cell, rules)
            .into_iter()
            .find_map(leads_down)
    }

    /// The number of the target at a cell, or to which a gate there leads on at the cell's cost.
    fn owner_of_seed(&self, portals: &PortalGraph, cell: Cell) -> Option<u16> {
        let cluster = portals.tiling.cluster(cell);
        let spot = Tiling::spot(cell);
        let cost = self.known(portals, cell)?;
        let mut targets = self.targets.iter();
        if let Some(target) = targets.find(|target| (target.cell, target.handicap) == (cell, cost))
        {
            return Some(target.number);
        }
        let mut gates = portals.gates(cluster).iter();
        let gate =
            gates.find(|gate| gate.spot() == spot && self.leads_on(portals, gate) == Some(cost))?;
        let first = self.visit(gate.other)?.first as usize;
        let owner = self.owners.get(first + usize::from(gate.twin)).copied();
        owner.filter(|&owner| owner != NO_OWNER)
    }
}
