//! From how many chasers on a shared field costs less than a search for each of them.

/// A flow field costs about as much as a sweep and a half, and each chaser saves a sweep. Those who
/// share one also come past each other on it.
#[inline]
pub(crate) const fn near_field(chasers: u32) -> bool {
    chasers >= 2
}

/// Where the ground needs a weighted field, one of a whole window costs some fifty searches.
#[inline]
pub(super) const fn whole_weighted_field(chasers: u32) -> bool {
    chasers >= 48
}

/// How many cells a weighted field gives their cost that fewer share who have bodies: those nearest to the
/// target, seven steps around it on open ground. It costs some ten searches, and saves those who would stand
/// behind each other.
pub(super) const CLOSE_CELLS: u32 = 225;

/// One field over the portals of a map costs less than a path over them for each. To aim one costs
/// about as much as three paths across a map, and chasers far apart have it prepare clusters of
/// their own.
pub(super) const FAR_CHASERS_MIN: u32 = 8;

/// A far field is worth aiming anew when one in so many chasers would search otherwise: for all
/// others it prepares the ground around them again, each of which costs a part of a search.
pub(super) const FAR_DRIFT_SHARE: u32 = 8;
