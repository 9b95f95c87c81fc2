//! What a chaser follows.

use super::{CellPosition, route::Route};
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav_grid::{Cell, Path};

/// The path that a chaser follows, the place of the target for which it was computed, and how
/// the chase stands.
///
/// Path and place belong together: whatever interrupts the chase drops both (see
/// [`PathCursor::interrupt`]), so that a chaser that wakes from a stun never compares the
/// target's place with one it has no path to.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "reflect",
    reflect(opaque, Component, Default, Clone, Debug, PartialEq)
)]
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
pub struct PathCursor {
    path: Route,
    // The target's place, taken apart so that the component stays within 16 bytes.
    x: u16,
    y: u16,
    offset: [u8; 2],
    floor: u8,
    state: CursorState,
}

/// How a chase stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ChaseState {
    /// Nothing was searched yet, or the chase was interrupted.
    #[default]
    Idle,
    /// The last search gave nothing to follow, or what it gave is used up.
    Waiting,
    /// Has something to follow: see [`PathCursor::guidance`].
    Following,
    /// The target is within reach, or was at the last move tick.
    Reached,
    /// Wants a search, has nothing to follow, and waits for the [budget](crate::NavBudget) of a tick or, as one of
    /// hundreds who begin at once after targets beyond their windows, for its turn. Goes straight toward the target
    /// meanwhile.
    Queued,
}

/// What a chaser follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Guidance {
    /// A path of its own.
    OwnPath,
    /// The field around the target that it shares with others who chase it, two or more in all. It has
    /// no waypoints.
    SharedField,
    /// The field over the [portals](super::NavMap::build_portals) of the map that it shares with others,
    /// too far away from the target for the field around that.
    FarField,
    /// The way to the nearest free place from which the target is within reach, past bodies that move
    /// or make room and around others; or off the cells of a target that came onto the chaser's own. It
    /// has no waypoints.
    Detour,
}

/// State and guidance in one byte.
///
/// Numbered so that what is asked of every chaser at every tick is one comparison: states that have something in
/// common follow each other, and the two at rest differ in one bit. The order here is that of saved files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
enum CursorState {
    #[default]
    Idle = 0,
    Waiting = 1,
    OnPath = 9,
    Reached = 3,
    OnField = 7,
    Queued = 13,
    OnFarField = 8,
    OnDetour = 11,
    /// Within reach of a target that went on, and about to go along.
    Alongside = 4,
    /// Within reach of a target that moves about, and on the field around it.
    Beside = 5,
    /// As `Reached` and `Beside`, of a chaser that did not step at its last move tick.
    ReachedAtRest = 2,
    BesideAtRest = 6,
    /// On a path to a place beside the target, around its cells.
    OnPathAround = 10,
    /// As `OnDetour`, of a chaser that was held up by somebody who stays, after a target that moves.
    OnDetourHeldUp = 12,
}

impl CursorState {
    /// Within reach of the target or not, as last looked at.
    #[inline]
    const fn is_reached(self) -> bool {
        matches!(
            self,
            Self::Reached
                | Self::Alongside
                | Self::Beside
                | Self::ReachedAtRest
                | Self::BesideAtRest
        )
    }

    /// On the field around the target and within reach of that.
    #[inline]
    const fn is_beside(self) -> bool {
        matches!(self, Self::Beside | Self::BesideAtRest)
    }
}

impl PathCursor {
    /// The waypoints ahead.
    #[inline]
    pub fn path(&self) -> &Path {
        // Those who share a field have none: what is on the heap need not be looked at.
        if self.is_sharing() {
            Route::NONE
        } else {
            &self.path
        }
    }

    /// Bytes on the heap: the waypoints.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.path.heap_bytes()
    }

    /// How the chase stands.
    #[inline]
    pub const fn state(&self) -> ChaseState {
        match self.state {
            CursorState::Idle => ChaseState::Idle,
            CursorState::Waiting => ChaseState::Waiting,
            CursorState::Reached
            | CursorState::ReachedAtRest
            | CursorState::Alongside
            | CursorState::Beside
            | CursorState::BesideAtRest => ChaseState::Reached,
            CursorState::Queued => ChaseState::Queued,
            CursorState::OnPath
            | CursorState::OnPathAround
            | CursorState::OnField
            | CursorState::OnFarField
            | CursorState::OnDetour
            | CursorState::OnDetourHeldUp => ChaseState::Following,
        }
    }

    /// What the chaser follows; `None` in every other state than [`ChaseState::Following`].
    #[inline]
    pub const fn guidance(&self) -> Option<Guidance> {
        match self.state {
            CursorState::OnPath | CursorState::OnPathAround => Some(Guidance::OwnPath),
            CursorState::OnField => Some(Guidance::SharedField),
            CursorState::OnFarField => Some(Guidance::FarField),
            CursorState::OnDetour | CursorState::OnDetourHeldUp => Some(Guidance::Detour),
            _ => None,
        }
    }

    /// Whether it follows a path of its own.
    #[inline]
    pub(crate) const fn is_on_path(&self) -> bool {
        matches!(self.state, CursorState::OnPath | CursorState::OnPathAround)
    }

    /// Has the path that it follows be one around the cells of its target.
    pub(crate) fn go_around(&mut self) {
        if self.is_on_path() {
            self.state = CursorState::OnPathAround;
        }
    }

    /// Whether it follows a path around the cells of its target.
    #[inline]
    pub(crate) const fn goes_around(&self) -> bool {
        matches!(self.state, CursorState::OnPathAround)
    }

    /// Where the target was when the last search was made, or a field or a detour taken up, or `None` if
    /// that is forgotten.
    #[inline]
    pub fn searched_for(&self) -> Option<CellPosition> {
        (self.state != CursorState::Idle).then_some(CellPosition {
            cell: Cell {
                x: self.x,
                y: self.y,
                floor: self.floor,
            },
            offset: self.offset,
        })
    }

    /// Whether a target that is at `place` now is more than `cells` from where it was when the last
    /// search was made, or that search is forgotten.
    #[inline]
    pub(crate) fn is_displaced(&self, place: CellPosition, cells: f32) -> bool {
        self.searched_for()
            .is_none_or(|before| place.displaced(&before, cells))
    }

    /// Drops the path and the place it was computed for: the chaser searches anew at its next
    /// chance. For stuns, teleports, knock-backs and whatever else moves a chaser by force.
    pub fn interrupt(&mut self) {
        self.path.clear();
        self.state = CursorState::Idle;
    }

    /// Records where the target is.
    pub(crate) fn note_place(&mut self, place: CellPosition) {
        let CellPosition {
            cell: Cell { x, y, floor },
            offset,
        } = place;
        (self.x, self.y, self.floor, self.offset) = (x, y, floor, offset);
    }

    /// Records that a search was made for a target at `place`. If it found a path, swaps that
    /// in and leaves the old buffer in its stead; else keeps what there is to follow.
    pub(crate) fn searched(&mut self, place: CellPosition, found: Option<&mut Path>) {
        self.note_place(place);
        if let Some(path) = found {
            std::mem::swap(self.path.edit(), path);
        }
        self.settle();
    }

    /// Drops the path, of which a game knows that it is not to be walked: the next decision is to search. The place
    /// that it was for is kept, so that a target there is not searched for again before the interval is over.
    pub fn drop_path(&mut self) {
        self.path.clear();
        if self.is_sharing() || self.is_on_detour() || self.is_on_path() {
            self.state = CursorState::Waiting;
        }
    }

    /// Follows a shared field from now on, near or far, after a target at `place`.
    pub(crate) fn share(&mut self, place: CellPosition, far: bool) {
        self.path.clear();
        self.searched(place, None);
        self.state = if far {
            CursorState::OnFarField
        } else {
            CursorState::OnField
        };
    }

    /// Follows the way to the nearest free place beside a target at `place` from now on.
    pub(crate) fn detour(&mut self, place: CellPosition) {
        self.path.clear();
        self.searched(place, None);
        self.state = CursorState::OnDetour;
    }

    /// Whether it follows the way to a free place.
    #[inline]
    pub(crate) const fn is_on_detour(&self) -> bool {
        matches!(
            self.state,
            CursorState::OnDetour | CursorState::OnDetourHeldUp
        )
    }

    /// Notes that the detour leads past somebody who stays, after a target that moves: it is kept to
    /// wherever that goes.
    pub(crate) fn be_held_up(&mut self) {
        if self.is_on_detour() {
            self.state = CursorState::OnDetourHeldUp;
        }
    }

    /// Whether the detour that it follows is kept to wherever the target goes.
    #[inline]
    pub(crate) const fn was_held_up(&self) -> bool {
        matches!(self.state, CursorState::OnDetourHeldUp)
    }

    /// The next waypoint of a path that it follows.
    #[inline]
    pub(crate) fn waypoint(&self) -> Option<Cell> {
        if self.is_on_path() {
            self.path.peek()
        } else {
            None
        }
    }

    /// Whether it follows a shared field.
    #[inline]
    pub(crate) const fn is_sharing(&self) -> bool {
        self.shares_near() || self.shares_far()
    }

    /// Whether it follows a field around its target.
    #[inline]
    pub(crate) const fn shares_near(&self) -> bool {
        matches!(self.state, CursorState::OnField) || self.state.is_beside()
    }

    /// Whether it follows a field over portals.
    #[inline]
    pub(crate) const fn shares_far(&self) -> bool {
        matches!(self.state, CursorState::OnFarField)
    }

    /// Whether there is nothing to follow and nothing to wait for.
    #[inline]
    pub(crate) const fn rests(&self) -> bool {
        use CursorState::{Idle, Reached, ReachedAtRest, Waiting};
        matches!(self.state, Idle | Waiting | Reached | ReachedAtRest)
    }

    /// Waits for its turn to search, if it has nothing to follow.
    pub(crate) fn queue(&mut self) {
        if self.path.is_empty() {
            self.state = CursorState::Queued;
        }
    }

    /// Whether it waits for its turn to search.
    #[inline]
    pub(crate) const fn is_queued(&self) -> bool {
        matches!(self.state, CursorState::Queued)
    }

    /// Follows a target that walked a step on from the end of the path to `place`.
    pub(crate) fn extend(&mut self, place: CellPosition) {
        self.path.edit().append(place.cell);
        self.searched(place, None);
    }

    /// Takes the next waypoint.
    pub(crate) fn advance(&mut self) {
        self.path.edit().pop();
        if !self.goes_around() || self.path.is_empty() {
            self.settle();
        }
    }

    /// Whether the target was within reach when last looked at.
    pub(crate) const fn is_reached(&self) -> bool {
        self.state.is_reached()
    }

    /// Whether it is within reach of the target, and did not step at its last move tick.
    #[inline]
    pub(crate) const fn is_at_rest(&self) -> bool {
        matches!(
            self.state,
            CursorState::ReachedAtRest | CursorState::BesideAtRest
        )
    }

    /// Whether it is so on the field around the target.
    #[inline]
    pub(crate) const fn is_beside_at_rest(&self) -> bool {
        matches!(self.state, CursorState::BesideAtRest)
    }

    /// Notes that a chaser within reach of its target did not step at its move tick.
    #[inline]
    pub(crate) fn come_to_rest(&mut self) {
        self.state = match self.state {
            CursorState::Reached => CursorState::ReachedAtRest,
            CursorState::Beside => CursorState::BesideAtRest,
            state => state,
        };
    }

    /// Notes that a chaser steps that rested.
    #[inline]
    pub(crate) fn set_off(&mut self) {
        self.state = match self.state {
            CursorState::ReachedAtRest => CursorState::Reached,
            CursorState::BesideAtRest => CursorState::Beside,
            state => state,
        };
    }

    /// Goes along with a target that is within reach and went on.
    pub(crate) fn go_along(&mut self) {
        self.state = CursorState::Alongside;
    }

    /// Whether it goes along with its target.
    #[inline]
    pub(crate) const fn goes_along(&self) -> bool {
        matches!(self.state, CursorState::Alongside)
    }

    /// Keeps to the field around a target that moves about, within reach of it or not any longer.
    /// Returns whether it is news that it is.
    pub(crate) fn keep_beside(&mut self, is_beside: bool) -> bool {
        let before = self.is_reached();
        self.state = match is_beside {
            true if self.is_at_rest() => CursorState::BesideAtRest,
            true => CursorState::Beside,
            false => CursorState::OnField,
        };
        is_beside && !before
    }

    /// Whether it is on the field around its target and within reach of that.
    #[inline]
    pub(crate) const fn is_beside(&self) -> bool {
        self.state.is_beside()
    }

    /// Rests within reach of a target at `place`.
    pub(crate) fn rest_beside(&mut self, place: CellPosition) {
        let is_at_rest = self.is_at_rest();
        self.searched(place, None);
        self.state = CursorState::Reached;
        if is_at_rest {
            self.come_to_rest();
        }
    }

    /// Says whether the target is within reach and returns whether that is news.
    pub(crate) fn set_reached(&mut self, reached: bool) -> bool {
        let before = self.is_reached();
        if reached {
            self.state = if self.is_at_rest() {
                CursorState::ReachedAtRest
            } else {
                CursorState::Reached
            };
        } else if before {
            self.settle();
        }
        reached && !before
    }

    fn settle(&mut self) {
        self.state = if self.path.is_empty() {
            CursorState::Waiting
        } else {
            CursorState::OnPath
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hot_components_stay_small_and_the_state_of_a_chaser_within_64_bytes() {
        let state = crate::NavMemory::STATE_BYTES;
        assert!(state <= 64, "{state} bytes");
        assert!(size_of::<PathCursor>() <= 16);
        assert!(size_of::<super::super::Chaser>() <= 36);
        assert!(size_of::<super::super::NavTimer>() <= 8);
        assert!(size_of::<super::super::MoveTimer>() <= 16);
        assert!(size_of::<CellPosition>() <= 8);
    }

    #[test]
    fn an_interruption_forgets_path_and_place_together() {
        let mut cursor = PathCursor::default();
        let mut path: Path = [Cell::new(1, 1), Cell::new(2, 2)].into_iter().collect();
        cursor.searched(CellPosition::new(2, 2), Some(&mut path));
        assert_eq!(cursor.state(), ChaseState::Following);
        assert_eq!(cursor.searched_for(), Some(CellPosition::new(2, 2)));
        cursor.interrupt();
        assert_eq!((cursor.path().len(), cursor.searched_for()), (0, None));
    }

    #[test]
    fn reaching_is_news_once() {
        let mut cursor = PathCursor::default();
        assert!(cursor.set_reached(true));
        assert!(!cursor.set_reached(true));
        assert!(!cursor.set_reached(false));
        assert_eq!(cursor.state(), ChaseState::Waiting);
        assert!(cursor.set_reached(true));
    }
}
