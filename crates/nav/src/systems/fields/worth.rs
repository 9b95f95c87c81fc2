//! From how many chasers on a shared field costs less than a search for each of them.

/// A flow field costs about as much as a sweep and a half, and each chaser saves a sweep. Those who
/// share one also come past each other on it.
#[inline]
pub(crate) const fn near_field(chasers: u32) -> bool {
    chasers >= 2
}

/// Where the ground needs a weighted field, that costs some fifty searches.
#[inline]
pub(super) const fn weighted_field(chasers: u32) -> bool {
    chasers >= 48
}

/// One field over the portals of a map costs less than a path over them for each. To aim one costs
/// about as much as three paths across a map, and chasers far apart have it prepare clusters of
/// their own.
pub(super) const FAR_CHASERS_MIN: u32 = 8;

/// A far field is worth aiming anew when one in so many chasers would search otherwise: for all
/// others it prepares the ground around them again, each of which costs a part of a search.
pub(super) const FAR_DRIFT_SHARE: u32 = 8;
