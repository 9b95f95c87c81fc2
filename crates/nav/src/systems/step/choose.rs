//! Which cell a body gets: one that is free, or else one that would be if it were lent.

use super::{
    detours::Detour,
    proposal::{Proposal, ProposedStep},
    strip_ground::Reservation,
};
use crate::{
    BodyKind,
    occupancy::OccupancyRows,
    systems::directions::{nearest, without},
};
use nav_grid::{Cell, Direction, Directions};

impl Reservation<'_> {
    /// The free cell beside it to which a body's detour leads.
    pub(super) fn choose_detour(
        &self,
        rows: &OccupancyRows,
        proposal: &Proposal,
        detour: &Detour,
    ) -> Option<Cell> {
        let Proposal {
            agent, from, body, ..
        } = *proposal;
        let map = self.params.map(Some(proposal.map))?;
        let ways = match body.kind {
            BodyKind::Soft => Directions::ALL,
            _ => rows.free(agent, body.into(), from, Directions::ALL),
        };
        let (field, ground) = (detour.field(proposal)?, (map.grid(), detour.approach.rules));
        let best = field.best_step(ground, from, Directions::ALL)?;
        if !proposal.presses
            && !ways.contains(best)
            && detour.waits_for(self, rows, proposal, from.step(best)?)
        {
            return None;
        }
        from.step(field.best_step(ground, from, ways)?)
    }

    /// The same among those that have to be lent first.
    pub(super) fn choose_detour_if_lent(
        &self,
        rows: &OccupancyRows,
        proposal: &Proposal,
        detour: &Detour,
    ) -> Option<Cell> {
        let Proposal {
            agent, from, body, ..
        } = *proposal;
        let ways = rows.free_if_lent(agent, body.into(), from, Directions::ALL);
        if ways.is_empty() {
            return None;
        }
        let map = self.params.map(Some(proposal.map))?;
        let ground = (map.grid(), detour.approach.rules);
        from.step(detour.field(proposal)?.best_step(ground, from, ways)?)
    }

    /// The cell beside it that a proposal gets, if there is one.
    pub(super) fn choose(&self, rows: &OccupancyRows, proposal: &Proposal) -> Option<Cell> {
        let Proposal {
            agent,
            from,
            body,
            step,
            ..
        } = *proposal;
        let is_soft = body.kind == BodyKind::Soft;
        let is_free = |to| rows.is_free(agent, to, body.into());
        match step {
            ProposedStep::To(to) => (is_soft || is_free(to)).then_some(to),
            ProposedStep::Along(to) => is_free(to).then_some(to),
            ProposedStep::Detour => None,
            ProposedStep::Aside { ways, wished } => {
                let free = rows.free(agent, body.into(), from, ways);
                let way =
                    nearest(free, wished).or_else(|| nearest(ways, wished).filter(|_| is_soft));
                from.step(way?)
            }
            ProposedStep::Ranked {
                best,
                sides,
                wished,
                ..
            } => {
                // In one look: most of those who find none of the best look to the sides.
                let free = rows.free(agent, body.into(), from, Directions(best.0 | sides.0));
                let way = nearest(free.intersection(best), wished)
                    .or_else(|| {
                        // Straight on as soon as that is lent.
                        let lent = rows.free_if_lent(agent, body.into(), from, best);
                        let sides = if lent.is_empty() {
                            free.intersection(sides)
                        } else {
                            Directions::NONE
                        };
                        self.go_round(rows, proposal, sides)
                    })
                    .or_else(|| nearest(best, wished).filter(|_| is_soft));
                from.step(way?)
            }
        }
    }

    /// The cell that a proposal without one would get if it were lent.
    pub(super) fn choose_if_lent(&self, rows: &OccupancyRows, proposal: &Proposal) -> Option<Cell> {
        let Proposal {
            agent,
            from,
            body,
            step,
            ..
        } = *proposal;
        let of = |ways| rows.free_if_lent(agent, body.into(), from, ways);
        match step {
            ProposedStep::To(to) | ProposedStep::Along(to) => {
                rows.is_free_if_lent(agent, to, body.into()).then_some(to)
            }
            ProposedStep::Detour => None,
            ProposedStep::Aside { ways, wished } => from.step(nearest(of(ways), wished)?),
            ProposedStep::Ranked {
                best,
                sides,
                wished,
                ..
            } => {
                let way = nearest(of(best), wished);
                from.step(way.or_else(|| self.go_round(rows, proposal, of(sides)))?)
            }
        }
    }

    /// One of some ways to the side that leads nearer, or from which a best step is free, be it one that would
    /// have to be lent: whoever comes nearer by a step, or by two, does not go to and fro.
    #[inline]
    fn go_round(
        &self,
        rows: &OccupancyRows,
        proposal: &Proposal,
        sides: Directions,
    ) -> Option<Direction> {
        // In a crowd there is mostly none.
        if sides.is_empty() {
            return None;
        }
        self.find_way_round(rows, proposal, sides)
    }

    #[inline(never)]
    fn find_way_round(
        &self,
        rows: &OccupancyRows,
        proposal: &Proposal,
        mut sides: Directions,
    ) -> Option<Direction> {
        let Proposal {
            agent,
            from,
            body,
            step: ProposedStep::Ranked { field, wished, .. },
            ..
        } = *proposal
        else {
            return None;
        };
        let target = self.targets.at(field.slot());
        let place = target.seen.position.cell;
        while let Some(way) = nearest(sides, wished) {
            sides = without(sides, way);
            let to = from.step(way)?;
            let is_nearer = || self.params.is_nearer(field, to, from);
            let goes_on = || {
                let next = self.params.next_cells(target, field, to);
                let ahead = next.unwrap_or_default().best;
                let free = rows.free(agent, body.into(), to, ahead);
                !free.is_empty() || !rows.free_if_lent(agent, body.into(), to, ahead).is_empty()
            };
            let leads_on = is_nearer() || to.chebyshev(place) > 1 && goes_on();
            if leads_on {
                return Some(way);
            }
        }
        None
    }
}
