//! Whether a body is held up for long: by somebody who stays where it is.

use super::{
    proposal::{Proposal, ProposedStep},
    strip_ground::Reservation,
};
use crate::{occupancy::OccupancyRows, systems::directions::nearest};
use nav_grid::Cell;

impl Reservation<'_> {
    /// Whether somebody is on the cells to which a body would go first who stays there whoever asks for room: it
    /// chases nobody, or is paused.
    #[cold]
    pub(super) fn is_held_up(&self, rows: &OccupancyRows, proposal: &Proposal) -> bool {
        let Proposal {
            agent,
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
        let is_stayer = |cell: Cell| {
            // Whoever sleeps waits in a chase of its own. In a crowd most do, and need no look-up.
            let is_awake = !rows.is_asleep(cell);
            is_awake
                && rows.holder(cell).is_some_and(|holder| {
                    let (other, chaser) = self.standing(holder);
                    let is_paused = chaser.is_none_or(|chaser| chaser.move_timer.is_paused());
                    other != agent && is_paused
                })
        };
        to.is_some_and(|to| body.footprint.area(to).cells().any(is_stayer))
    }
}
