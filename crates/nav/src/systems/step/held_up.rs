//! Whether a body is held up for long: by somebody who stays where it is.

use super::{
    proposal::{Proposal, ProposedStep},
    strip_ground::{Reservation, StandingBodyItem},
};
use crate::{occupancy::OccupancyRows, systems::directions::nearest};
use nav_grid::Cell;

impl Reservation<'_> {
    /// Whether somebody is on the cells to which a body would go first who stays there while its target moves:
    /// it chases nobody, is paused, or is within reach of another target.
    #[cold]
    pub(super) fn is_held_up(&self, rows: &OccupancyRows, proposal: &Proposal) -> bool {
        let Proposal {
            agent,
            target,
            from,
            body,
            step,
            ..
        } = *proposal;
        let to = match step {
            ProposedStep::To(to) => Some(to),
            ProposedStep::Ranked { best, wished, .. } => {
                nearest(best, wished).and_then(|way| from.step(way))
            }
            _ => None,
        };
        let stays = |other: StandingBodyItem| {
            other.move_timer.is_paused() || other.cursor.is_reached() && other.chasing.0 != target
        };
        let is_taken = |cell: Cell| {
            let holder = rows.holder(cell);
            let other = holder.map(|holder| self.entities.resolve_from_index(holder));
            let other = other.filter(|&other| other != agent);
            other.is_some_and(|other| self.solids.get(other).map_or(true, stays))
        };
        to.is_some_and(|to| body.footprint.area(to).cells().any(is_taken))
    }
}
