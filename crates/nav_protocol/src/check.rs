//! Checks whether a decoded packet makes sense.

use crate::packet::{Packet, PathAhead, Update};
use thiserror::Error;

/// The error of a packet that decodes and makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Nonsense {
    /// A coordinate, length or speed is infinite or NaN.
    #[error("a number is not finite")]
    NotFinite,
    /// A tick length or a cell size is 0.
    #[error("a tick or a cell has no size")]
    NoSize,
    /// A speed or a reach is negative.
    #[error("a speed or a reach is below 0")]
    Negative,
    /// A path is empty.
    #[error("a path has no points")]
    NoPoints,
    /// A path has another number of arrivals than points.
    #[error("a path has {points} points and {arrivals} arrivals")]
    Arrivals {
        /// Number of points.
        points: usize,
        /// Number of arrivals.
        arrivals: usize,
    },
    /// Arrivals do not start with 0, or decrease.
    #[error("the arrivals of a path do not begin with 0 or go back")]
    Order,
    /// Jumps name a missing point, or do not ascend.
    #[error("the jumps of a path name a point that it does not have, or do not ascend")]
    Jumps,
    /// Links name a first or a missing point or a jump, do not ascend, or are of no kind.
    #[error(
        "the links of a path name a point to which none leads, do not ascend, or are of a kind above 15"
    )]
    Links,
}

/// Checks what the types cannot express.
pub(crate) fn check(packet: &Packet) -> Result<(), Nonsense> {
    packet.updates.iter().try_for_each(check_update)
}

fn check_update(update: &Update) -> Result<(), Nonsense> {
    match update {
        Update::Start(start) => {
            finite(&[start.cell_size])?;
            let has_size = start.tick_micros > 0 && start.cell_size > 0.0;
            has_size.then_some(()).ok_or(Nonsense::NoSize)
        }
        Update::Appear(appear) => finite(&appear.at),
        Update::Path(path) => check_path(path),
        Update::Correct(correct) => {
            finite(&correct.at)?;
            check_lengths(&[correct.speed])
        }
        Update::Place(place) => finite(&place.at),
        Update::Vanish(_) => Ok(()),
    }
}

fn check_path(path: &PathAhead) -> Result<(), Nonsense> {
    check_lengths(&[path.speed, path.reach])?;
    path.nav_path.iter().try_for_each(|at| finite(at))?;
    let (points, arrivals) = (path.nav_path.len(), path.arrivals.len());
    if points == 0 {
        Err(Nonsense::NoPoints)
    } else if points != arrivals {
        Err(Nonsense::Arrivals { points, arrivals })
    } else if path.arrivals[0] != 0 || !path.arrivals.is_sorted() {
        Err(Nonsense::Order)
    } else if path.jumps.iter().any(|&jump| usize::from(jump) >= points)
        || !path.jumps.is_sorted_by(|one, next| one < next)
    {
        Err(Nonsense::Jumps)
    } else if !path.links.is_sorted_by(|one, next| one.point < next.point)
        || path.links.iter().any(|link| {
            let is_end = (1..points).contains(&link.point.into());
            !is_end || link.kind > KIND_MAX || path.jumps.contains(&link.point)
        })
    {
        Err(Nonsense::Links)
    } else {
        Ok(())
    }
}

/// The greatest kind of a link, as of maps.
const KIND_MAX: u8 = 15;

/// Checks that numbers are finite and at least 0.
fn check_lengths(numbers: &[f32]) -> Result<(), Nonsense> {
    finite(numbers)?;
    let all = numbers.iter().all(|&number| number >= 0.0);
    all.then_some(()).ok_or(Nonsense::Negative)
}

fn finite(numbers: &[f32]) -> Result<(), Nonsense> {
    let all = numbers.iter().all(|number| number.is_finite());
    all.then_some(()).ok_or(Nonsense::NotFinite)
}
