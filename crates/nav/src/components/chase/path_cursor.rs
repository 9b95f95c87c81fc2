//! The path that a chaser follows, and how its chase stands.

use crate::{CellPosition, OnMap, occupancy::BodyPlaces};
use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav_grid::{Cell, Path, map::Shift};
use std::{
    fmt,
    hash::{Hash, Hasher},
    ops::Deref,
};

/// The path that a chaser follows, the place of the target for which it was computed, and how
/// the chase stands.
///
/// Path and place belong together. An interruption drops both (see [`PathCursor::interrupt`]), so
/// a chaser that wakes from a stun never compares its target's place with an old one.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Default, Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[component(on_add = look_at_map)]
pub struct PathCursor {
    path: KeptPath,
    // The target's place, taken apart so that the component stays within 16 bytes.
    x: u16,
    y: u16,
    offset: [u8; 2],
    floor: u8,
    mode: Mode,
}

/// Runs when `PathCursor` is added: marks the map of the agent as changed, since changes while it
/// had none were not seen.
fn look_at_map(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(mut on_map) = world.get_mut::<OnMap>(entity) {
        on_map.set_changed();
    }
}

/// How a chase stands: [`PathCursor::state`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ChaseState {
    /// Nothing was searched yet, or the chase was interrupted.
    #[default]
    Idle,
    /// The last search gave nothing to follow, or its path is used up.
    Waiting,
    /// It follows its guidance: see [`PathCursor::guidance`].
    Following,
    /// The target is within reach, or was at the last move tick.
    Reached,
    /// It waits for the [budget](crate::NavBudget) of a tick to have room for its search. Goes
    /// straight toward the target meanwhile.
    Queued,
}

/// The source of a chaser's steps: [`PathCursor::guidance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Guidance {
    /// A path of its own.
    OwnPath,
    /// The field around the target, shared by two or more chasers. It has no waypoints.
    SharedField,
    /// The shared field over the [portals](crate::NavMap::build_portals) of the map, for chasers
    /// too far away for the field around the target. It has no waypoints.
    FarField,
    /// A path past bodies that kept the chaser where it was, or around the cells of the target. It
    /// is kept until it is used up or the target moved by a quarter of it, whatever else could
    /// guide.
    Detour,
}

/// State, guidance and two flags in one byte, so that a million chasers stay small.
///
/// The lowest three bits are the state, the next three what the chaser follows. A chaser within
/// reach may keep its field or its path for when the target goes on.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(transparent))]
struct Mode(u8);

const STATE: u8 = 0b111;
const IDLE: u8 = 0;
const WAITING: u8 = 1;
const QUEUED: u8 = 2;
const FOLLOWING: u8 = 3;
const REACHED: u8 = 4;

const GUIDE: u8 = 0b111 << 3;
const PATH: u8 = 1 << 3;
const NEAR: u8 = 2 << 3;
const FAR: u8 = 3 << 3;

/// Without a step at the last move tick. Whatever else changes, only a step ends it.
const STANDS: u8 = 1 << 6;

/// Keeps its path: see [`Guidance::Detour`].
const KEPT: u8 = 1 << 7;

impl Mode {
    const fn is(self, mask: u8, bits: u8) -> bool {
        self.0 & mask == bits
    }

    /// Sets everything but whether the chaser stands.
    const fn set(&mut self, bits: u8) {
        self.0 = self.0 & STANDS | bits;
    }

    const fn state(self) -> ChaseState {
        match self.0 & STATE {
            WAITING => ChaseState::Waiting,
            QUEUED => ChaseState::Queued,
            FOLLOWING => ChaseState::Following,
            REACHED => ChaseState::Reached,
            // Damaged saves may hold other numbers.
            _ => ChaseState::Idle,
        }
    }

    const fn guidance(self) -> Option<Guidance> {
        if !self.is(STATE, FOLLOWING) {
            return None;
        }
        match self.0 & GUIDE {
            PATH if self.is(KEPT, KEPT) => Some(Guidance::Detour),
            PATH => Some(Guidance::OwnPath),
            NEAR => Some(Guidance::SharedField),
            FAR => Some(Guidance::FarField),
            _ => None,
        }
    }
}

impl fmt::Debug for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags = (!self.is(STANDS, 0), !self.is(KEPT, 0));
        write!(f, "{:?} {:?} {flags:?}", self.state(), self.guidance())
    }
}

impl PathCursor {
    /// The waypoints ahead.
    #[inline]
    pub fn path(&self) -> &Path {
        // Chasers on a shared field have none: the heap need not be read.
        if self.is_sharing() {
            KeptPath::NONE
        } else {
            &self.path
        }
    }

    /// Bytes of the waypoints on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let path = self.path.0.as_deref();
        path.map_or(0, |path| size_of::<Path>() + path.heap_bytes())
    }

    /// How the chase stands.
    pub const fn state(&self) -> ChaseState {
        self.mode.state()
    }

    /// Returns the guidance of the chaser; `None` in every other state than
    /// [`ChaseState::Following`].
    pub const fn guidance(&self) -> Option<Guidance> {
        self.mode.guidance()
    }

    /// Where the target was when the last search was made, or a field or a detour taken up; `None`
    /// after an interruption.
    #[inline]
    pub fn searched_for(&self) -> Option<CellPosition> {
        let (offset, cell) = (self.offset, Cell::new(self.x, self.y).on_floor(self.floor));
        (!self.mode.is(STATE, IDLE)).then_some(CellPosition { cell, offset })
    }

    /// Whether a target at `place` is more than `cells` from where it was when the last search was
    /// made.
    #[inline]
    pub(crate) fn is_displaced(&self, place: CellPosition, cells: f32) -> bool {
        self.searched_for()
            .is_none_or(|before| place.displaced(&before, cells))
    }

    /// Drops the path and the place it was computed for: the chaser searches at its next chance.
    /// For stuns, teleports, knock-backs and whatever else moves a chaser by force.
    pub fn interrupt(&mut self) {
        self.path.clear();
        self.mode.set(IDLE);
    }

    /// Drops a path that the game knows is not to be walked: the next decision is to search. Keeps
    /// the place that it was for, so that the search waits for its interval.
    pub fn drop_path(&mut self) {
        self.path.clear();
        if self.mode.is(STATE | GUIDE, REACHED | PATH) {
            self.mode.0 &= !GUIDE;
        } else if !self.mode.is(GUIDE, 0) {
            self.mode.set(WAITING);
        }
    }

    /// Records where the target is.
    pub(super) fn note_place(&mut self, place: CellPosition) {
        let Cell { x, y, floor } = place.cell;
        (self.x, self.y, self.floor, self.offset) = (x, y, floor, place.offset);
    }

    /// Records a search for a target at `place`. Swaps in the path that it found, if any, and
    /// leaves the old buffer instead; otherwise keeps what there is to follow.
    pub(super) fn searched(&mut self, place: CellPosition, found: Option<&mut Path>) {
        self.note_place(place);
        if let Some(path) = found {
            std::mem::swap(self.path.edit(), path);
        }
        self.settle();
    }

    /// Follows the path, if there is one.
    pub(super) fn settle(&mut self) {
        self.mode.set(if self.path.is_empty() {
            WAITING
        } else {
            FOLLOWING | PATH
        });
    }

    /// Follows a shared field from now on, near or far.
    pub(super) fn share(&mut self, place: CellPosition, is_far: bool) {
        self.path.clear();
        self.note_place(place);
        self.mode.set(FOLLOWING | if is_far { FAR } else { NEAR });
    }

    /// Follows nothing from now on, since the target at `place` is on the chaser's cells.
    pub(super) fn stand_under(&mut self, place: CellPosition) {
        self.path.clear();
        self.note_place(place);
        self.mode.set(REACHED);
    }

    /// Keeps the path that it follows: see [`Guidance::Detour`].
    pub(super) const fn keep_path(&mut self) {
        if self.is_on_path() {
            self.mode.0 |= KEPT;
        }
    }

    /// Whether it is on a path that it keeps: see [`Guidance::Detour`].
    pub(crate) const fn is_on_detour(&self) -> bool {
        self.mode.is(STATE | GUIDE | KEPT, FOLLOWING | PATH | KEPT)
    }

    /// Waits for its turn to search, if there is nothing to follow.
    pub(super) fn queue(&mut self) {
        if self.path.is_empty() {
            self.mode.set(QUEUED);
        }
    }

    /// Appends a waypoint: the target walked one step on from the end of the path.
    pub(super) fn extend(&mut self, place: CellPosition) {
        self.path.edit().append(place.cell);
        self.searched(place, None);
    }

    /// Moves the path, and the place for which it was searched, with the window that shows them.
    /// Interrupts the chase if a cell of them has no coordinates then.
    pub(crate) fn shift(&mut self, by: Shift) {
        let Some(place) = self.searched_for() else {
            return;
        };
        let moved = by.moved(place.cell);
        if let (Some(cell), true) = (moved, self.path.edit().shift(by)) {
            self.note_place(CellPosition { cell, ..place });
        } else {
            self.interrupt();
        }
    }

    /// Takes the waypoint that it goes to. A path that does not lead there lies beside the chaser
    /// now, which made room for others: it returns to a path that it keeps, and drops any other.
    #[inline(always)]
    pub(super) fn walk(&mut self, from: Cell, to: Cell) {
        /// More waypoints than ways past bodies have: a body that is moved about for long searches
        /// again.
        const RETURN_MAX: usize = 256;
        if self.path.peek() == Some(to) {
            self.path.edit().pop();
            if !self.is_on_detour() || self.path.is_empty() {
                self.settle();
            }
        } else if self.is_on_detour() && self.path.len() < RETURN_MAX {
            self.path.edit().prepend(from);
        } else if !self.path.is_empty() {
            self.drop_path();
        }
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

    pub(crate) const fn is_on_path(&self) -> bool {
        self.mode.is(STATE | GUIDE, FOLLOWING | PATH)
    }

    pub(crate) const fn is_sharing(&self) -> bool {
        self.shares_near() || self.shares_far()
    }

    /// Whether it is on the field around its target, within reach or not.
    pub(crate) const fn shares_near(&self) -> bool {
        self.mode.is(GUIDE, NEAR)
    }

    pub(crate) const fn shares_far(&self) -> bool {
        self.mode.is(GUIDE, FAR)
    }

    pub(crate) const fn is_queued(&self) -> bool {
        self.mode.is(STATE, QUEUED)
    }

    /// Whether there is nothing to follow, nothing to wait for, and no target within reach.
    pub(crate) const fn has_nothing(&self) -> bool {
        self.mode.is(STATE, IDLE) || self.mode.is(STATE, WAITING)
    }

    /// Whether the target was within reach when last looked at.
    pub(crate) const fn is_reached(&self) -> bool {
        self.mode.is(STATE, REACHED)
    }

    /// Whether the target was within reach, and the chaser is on the field around it.
    pub(crate) const fn is_beside(&self) -> bool {
        self.mode.is(STATE | GUIDE, REACHED | NEAR)
    }

    /// Whether the target is within reach and the chaser took no step at its last move tick.
    pub(crate) const fn is_at_rest(&self) -> bool {
        self.mode.is(STATE | STANDS, REACHED | STANDS)
    }

    /// Whether the chaser took no step at its last move tick.
    pub const fn stands(&self) -> bool {
        !self.mode.is(STANDS, 0)
    }

    /// Records a move tick without a step.
    pub(super) const fn stand(&mut self) {
        self.mode.0 |= STANDS;
    }

    /// Records a step.
    pub(super) const fn set_off(&mut self) {
        self.mode.0 &= !STANDS;
    }

    /// Stays on the field around a moving target within reach.
    pub(super) fn keep_beside(&mut self, place: Option<CellPosition>) {
        self.path.clear();
        if let Some(place) = place {
            self.note_place(place);
        }
        self.mode.set(REACHED | NEAR);
    }

    /// Stays on the field around a target that went out of reach.
    pub(super) const fn leave_reach(&mut self) {
        self.mode.set(FOLLOWING | NEAR);
    }

    /// Rests within reach of the target. Keeps a path for when it goes on.
    pub(super) fn rest(&mut self, place: Option<CellPosition>) {
        if let Some(place) = place {
            self.note_place(place);
        }
        let guide = if self.path.is_empty() { 0 } else { PATH };
        self.mode.set(REACHED | guide);
    }
}

/// Drops the path of a chaser, and ends the sleep of its body: what it waited for belongs to
/// another chase.
pub(in crate::components) fn interrupt(world: &mut DeferredWorld, chaser: Entity) {
    if let Some(mut cursor) = world.get_mut::<PathCursor>(chaser) {
        cursor.interrupt();
    }
    if let Some(mut occupancy) = world.get_resource_mut::<BodyPlaces>() {
        occupancy.wake(chaser);
    }
}

/// The path of a chaser, or none, in one word: an empty [`Path`] would take three words of each
/// chaser on a shared field.
#[derive(Clone, Debug, Default)]
struct KeptPath(Option<Box<Path>>);

impl KeptPath {
    const NONE: &Path = &Path::new();

    fn edit(&mut self) -> &mut Path {
        self.0.get_or_insert_default()
    }

    /// Drops the waypoints and keeps the memory.
    fn clear(&mut self) {
        if let Some(path) = &mut self.0 {
            path.clear();
        }
    }
}

impl Deref for KeptPath {
    type Target = Path;

    #[inline]
    fn deref(&self) -> &Path {
        self.0.as_deref().unwrap_or(Self::NONE)
    }
}

impl PartialEq for KeptPath {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for KeptPath {}

impl Hash for KeptPath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

#[cfg(feature = "serialize")]
impl serde::Serialize for KeptPath {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

#[cfg(feature = "serialize")]
impl<'de> serde::Deserialize<'de> for KeptPath {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let path = Path::deserialize(deserializer)?;
        Ok(Self((!path.is_empty()).then(|| Box::new(path))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hot_components_stay_small() {
        let state = crate::NavMemory::STATE_BYTES;
        assert!(state <= 64, "{state} bytes");
        assert!(size_of::<PathCursor>() <= 16);
        assert!(size_of::<crate::Chaser>() <= 56);
        assert!(size_of::<crate::NavTimer>() <= 8);
        assert!(size_of::<crate::MoveTimer>() <= 16);
        assert!(size_of::<CellPosition>() <= 8);
    }
}
