//! Followers that catch up: faster while they are behind their place, slower while ahead of it.

use crate::{
    Formation, InFormation, ReturnEnd,
    plugins::{SteerSystems, add_shared, behaviour_plugin},
};
use bevy_app::{App, Plugin};
use bevy_ecs::{prelude::*, query::QueryData, schedule::common_conditions::any_with_component};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{
    CellPosition, Chaser, Chasing, GoTo, MoveTimer, NavClock, OnMap, Period, extend::require_nav,
    go_to::WalkEnd,
};
use nav_grid::{Cell, Direction};

/// Lets a follower go faster while it is behind its place, and slower while it is ahead of it.
///
/// The place of a member of a [`Formation`] is its slot, and that of any other chaser is where its
/// target is within [reach](nav::Chaser::stop_distance). The follower goes faster once it is more
/// than [`behind`](Self::behind) cells away, until it is at most half as many away: so a target
/// that stops and goes does not make it change with each step. A member is ahead while its slot
/// lies behind it, as seen by its leader. Cells are counted in a straight line.
///
/// It changes [`MoveTimer::chasing`], and restores that where it is neither behind nor ahead, when
/// the chase ends, and when this is removed. A period that the game sets meanwhile counts as the
/// new one. It has no effect on walks of [`GoTo`], patrols and other walks to places that stay.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Default, Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[require(Chaser)]
pub struct CatchUp {
    /// The cells behind its place beyond which it goes faster; 2 by default: a follower of a
    /// leader in motion is one behind at most of its steps.
    pub behind: u16,
    /// Its speed while it is behind, in percent of its own; 150 by default, and at least 100:
    /// it closes a gap of four cells in two seconds, and does not look like a dash. While it
    /// is ahead it is slower by the same factor.
    pub percent: u16,
    /// How it goes.
    gait: Gait,
    /// Its own period and its replacement, while it goes faster or slower.
    periods: Option<(Period, Period)>,
}

/// How a follower goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
enum Gait {
    #[default]
    Normal,
    Faster,
    Slower,
}

/// Cells from a follower to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    Behind(u16),
    Ahead,
}

impl Default for CatchUp {
    fn default() -> Self {
        Self::new(2, 150)
    }
}

impl CatchUp {
    /// Goes at a speed, in percent of its own, while it is more than some cells behind.
    pub const fn new(behind: u16, percent: u16) -> Self {
        Self {
            behind,
            percent,
            gait: Gait::Normal,
            periods: None,
        }
    }

    /// Whether it goes faster now, to catch up.
    pub fn is_catching_up(&self) -> bool {
        self.gait == Gait::Faster
    }

    /// How it goes from now on.
    const fn gait_at(&self, gap: Gap) -> Gait {
        match (gap, self.gait) {
            (Gap::Ahead, _) => Gait::Slower,
            (Gap::Behind(cells), Gait::Faster) if cells > self.behind / 2 => Gait::Faster,
            (Gap::Behind(cells), _) if cells > self.behind => Gait::Faster,
            (Gap::Behind(_), _) => Gait::Normal,
        }
    }

    /// A period at the speed of the present gait.
    fn paced(&self, own: Period) -> Period {
        let micros = own.nanos() / 1000;
        let percent = u64::from(self.percent.max(100));
        let paced = match self.gait {
            Gait::Normal => return own,
            Gait::Faster => micros * 100 / percent,
            Gait::Slower => micros * percent / 100,
        };
        Period::from_micros(u32::try_from(paced).unwrap_or(u32::MAX))
    }

    /// The own period of a follower that has one now.
    fn own(&self, present: Period) -> Period {
        let replaced = self.periods.filter(|&(_, set)| set == present);
        replaced.map_or(present, |(own, _)| own)
    }

    /// Takes the gait of a gap. Returns the period that replaces the present one.
    fn take(&mut self, gap: Gap, present: Period) -> Period {
        let own = self.own(present);
        self.gait = self.gait_at(gap);
        let set = self.paced(own);
        self.periods = (self.gait != Gait::Normal).then_some((own, set));
        set
    }
}

impl Gap {
    /// The gap between a follower and its slot behind a leader with a heading.
    fn to_slot(follower: Cell, slot: Cell, leader: Direction) -> Self {
        let away = follower.chebyshev(slot);
        let (dx, dy) = leader.delta();
        let ahead_x = dx * (i32::from(follower.x) - i32::from(slot.x));
        let ahead_y = dy * (i32::from(follower.y) - i32::from(slot.y));
        // Of a diagonal heading both axes count.
        let along = (ahead_x + ahead_y) / (dx.abs() + dy.abs()).max(1);
        if follower.floor == slot.floor && 2 * along > i32::from(away) {
            Self::Ahead
        } else {
            Self::Behind(away)
        }
    }
}

behaviour_plugin! {
    /// Sets the pace of followers with [`CatchUp`].
    CatchUpPlugin
}

impl Plugin for CatchUpPlugin {
    fn build(&self, app: &mut App) {
        add_shared(app, self.schedule);
        let set_pace = set_pace.run_if(any_with_component::<CatchUp>);
        app.add_systems(self.schedule, set_pace.in_set(SteerSystems::SetPace))
            .add_observer(restore_pace);
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "CatchUpPlugin");
    }
}

#[derive(QueryData)]
#[query_data(mutable)]
struct Follower {
    catch_up: &'static mut CatchUp,
    timer: &'static mut MoveTimer,
    chaser: &'static Chaser,
    position: &'static CellPosition,
    on_map: &'static OnMap,
    chasing: Option<&'static Chasing>,
    leader: Option<&'static InFormation>,
    has_walk: Has<GoTo>,
}

#[derive(QueryData)]
struct Place {
    position: &'static CellPosition,
    on_map: &'static OnMap,
    is_walk_end: Has<WalkEnd>,
    is_return_end: Has<ReturnEnd>,
}

/// Sets the periods of followers at their move ticks, before they step.
fn set_pace(
    clock: Res<NavClock>,
    mut followers: Query<Follower>,
    places: Query<Place>,
    formations: Query<&Formation>,
) {
    let now = clock.now();
    for mut one in &mut followers {
        if !one.timer.is_due(now) {
            continue;
        }
        let gap = one.gap(&places, &formations).unwrap_or(Gap::Behind(0));
        let mut next = *one.catch_up;
        let period = next.take(gap, one.timer.chasing);
        one.catch_up.set_if_neq(next);
        if one.timer.chasing != period {
            one.timer.chasing = period;
        }
    }
}

impl FollowerItem<'_, '_> {
    /// The gap to its place; `None` if it has none that moves.
    fn gap(&self, places: &Query<Place>, formations: &Query<&Formation>) -> Option<Gap> {
        let place = places.get(self.chasing?.0).ok()?;
        if place.on_map != self.on_map || place.is_return_end {
            return None;
        }
        let (from, to) = (self.position.cell, place.position.cell);
        if !place.is_walk_end {
            let reach = self.chaser.stop_distance;
            return Some(Gap::Behind(from.chebyshev(to).saturating_sub(reach)));
        }
        let leader = self.leader.filter(|_| !self.has_walk)?;
        let formation = formations.get(leader.0).ok()?;
        Some(Gap::to_slot(from, to, formation.heading()))
    }
}

/// Gives a follower its own period back.
fn restore_pace(event: On<Remove<CatchUp>>, mut followers: Query<(&CatchUp, &mut MoveTimer)>) {
    if let Ok((catch_up, mut timer)) = followers.get_mut(event.event_target()) {
        let own = catch_up.own(timer.chasing);
        if timer.chasing != own {
            timer.chasing = own;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: Period = Period::from_millis(300);

    #[test]
    fn gaits_by_gap() {
        let mut one = CatchUp::new(4, 150);
        for (gap, millis) in [
            (Gap::Behind(4), 300),
            (Gap::Behind(5), 200),
            (Gap::Behind(3), 200),
            (Gap::Behind(2), 300),
            (Gap::Behind(4), 300),
            (Gap::Ahead, 450),
            (Gap::Behind(1), 300),
            (Gap::Ahead, 450),
            (Gap::Behind(9), 200),
        ] {
            let present = one.paced(OWN);
            let set = one.take(gap, present);
            assert_eq!(set, Period::from_millis(millis), "{gap:?}");
            assert_eq!(one.own(set), OWN, "{gap:?}");
        }
    }

    #[test]
    fn period_of_game_counts() {
        let mut one = CatchUp::default();
        assert_eq!(one.take(Gap::Behind(9), OWN), Period::from_millis(200));
        let of_game = Period::from_millis(600);
        assert_eq!(one.take(Gap::Behind(9), of_game), Period::from_millis(400));
        let present = Period::from_millis(400);
        assert_eq!(one.take(Gap::Behind(0), present), of_game);
    }

    #[test]
    fn never_slower_behind() {
        for percent in [0, 99, 100] {
            assert_eq!(CatchUp::new(0, percent).take(Gap::Behind(9), OWN), OWN);
        }
        let longest = Period::from_micros(u32::MAX);
        let mut one = CatchUp::new(0, u16::MAX);
        assert_eq!(one.take(Gap::Ahead, longest), longest);
        assert_eq!(one.own(longest), longest);
    }

    #[test]
    fn ahead_of_slot() {
        let slot = Cell::new(10, 10);
        for (at, heading, gap) in [
            ((12, 10), Direction::East, Gap::Ahead),
            ((8, 10), Direction::East, Gap::Behind(2)),
            ((11, 14), Direction::East, Gap::Behind(4)),
            ((12, 11), Direction::East, Gap::Ahead),
            ((10, 10), Direction::East, Gap::Behind(0)),
            ((12, 8), Direction::NorthEast, Gap::Ahead),
            ((12, 12), Direction::NorthEast, Gap::Behind(2)),
            ((8, 12), Direction::NorthEast, Gap::Behind(2)),
        ] {
            assert_eq!(Gap::to_slot(at.into(), slot, heading), gap, "{at:?}");
        }
    }
}
