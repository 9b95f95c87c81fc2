//! Rounds from one cell to the next.

use crate::{
    Activity, GoTo, GoToEnded,
    on_demand::on_demand,
    walks::{WalkSystems, add_walks},
};
use bevy_app::{App, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav::{Chaser, Chasing, NavClock, NavTime, Period};
use nav_grid::Cell;

/// Has a chaser that chases nobody walk from one stop to the next. A chase interrupts the round, which
/// goes on to the same stop afterwards.
///
/// A stop that cannot be reached keeps the agent waiting, unless its [`GiveUp`](crate::GiveUp) says for
/// how long: then it goes on to the next one.
#[derive(Component, Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "reflect",
    reflect(opaque, Component, Clone, Debug, PartialEq)
)]
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
#[require(Activity)]
pub struct Patrol {
    stops: Vec<PatrolStop>,
    order: PatrolOrder,
    /// The stop that it is on the way to, or the number of stops at the end of the round.
    next: usize,
    is_on_way_back: bool,
    /// When it goes on.
    leaves_at: NavTime,
}

/// A cell to go to, and how long to stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(opaque, Clone, Debug, PartialEq))]
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
pub struct PatrolStop {
    /// The cell.
    pub cell: Cell,
    /// How long to wait there.
    pub wait: Period,
}

/// What comes after the last stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum PatrolOrder {
    /// The first one: the default.
    #[default]
    Loop,
    /// The one before the last, and so on back to the first.
    PingPong,
    /// Nothing.
    Once,
}

impl From<Cell> for PatrolStop {
    /// Without a wait.
    fn from(cell: Cell) -> Self {
        Self {
            cell,
            wait: Period::default(),
        }
    }
}

impl Patrol {
    /// A round over some stops, the first of them first. Without stops the agent stays where it is.
    pub fn new(order: PatrolOrder, stops: impl IntoIterator<Item = impl Into<PatrolStop>>) -> Self {
        Self {
            stops: stops.into_iter().map(Into::into).collect(),
            order,
            next: 0,
            is_on_way_back: false,
            leaves_at: NavTime::default(),
        }
    }

    /// The stop that the agent is on the way to, or stands at until it goes on to the next one; `None`
    /// at the end of the round.
    pub fn next_stop(&self) -> Option<PatrolStop> {
        self.stops.get(self.next).copied()
    }

    /// Goes on to the next stop after the wait at this one.
    fn advance(&mut self, now: NavTime) {
        let Some(stop) = self.next_stop() else {
            return;
        };
        self.leaves_at = now.after(stop.wait);
        let last = self.stops.len() - 1;
        self.next = match self.order {
            PatrolOrder::Once => self.next + 1,
            PatrolOrder::Loop => (self.next + 1) % self.stops.len(),
            PatrolOrder::PingPong => {
                if self.next == 0 || self.next == last {
                    self.is_on_way_back = self.next == last && last > 0;
                }
                if self.is_on_way_back {
                    self.next - 1
                } else {
                    (self.next + 1).min(last)
                }
            }
        };
    }
}

/// Sends agents on their [`Patrol`]s.
pub struct PatrolPlugin(pub Interned<dyn ScheduleLabel>);

impl Plugin for PatrolPlugin {
    fn build(&self, app: &mut App) {
        add_walks(app, self.0);
        app.add_systems(
            self.0,
            on_demand::<Stands, _>(send_on).in_set(WalkSystems::Patrol),
        )
        .add_observer(note_stop);
    }
}

/// Notes that an agent came to a stop of its round.
fn note_stop(ended: On<GoToEnded>, clock: Res<NavClock>, mut patrols: Query<&mut Patrol>) {
    if let Ok(mut patrol) = patrols.get_mut(ended.agent)
        && patrol
            .next_stop()
            .is_some_and(|stop| stop.cell == ended.cell)
    {
        patrol.advance(clock.now());
    }
}

/// Has no chase and no walk.
type Stands = (With<Patrol>, With<Chaser>, Without<Chasing>, Without<GoTo>);

fn send_on(
    clock: Res<NavClock>,
    patrols: Query<(Entity, &Patrol), Stands>,
    mut commands: Commands,
) {
    for (agent, patrol) in &patrols {
        if let Some(stop) = patrol.next_stop()
            && clock.now() >= patrol.leaves_at
        {
            commands.entity(agent).insert(GoTo(stop.cell));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(order: PatrolOrder, stops: u16) -> Vec<Option<u16>> {
        let mut patrol = Patrol::new(order, (0..stops).map(|x| Cell::new(x, 0)));
        let mut visit = || {
            let stop = patrol.next_stop().map(|stop| stop.cell.x);
            patrol.advance(NavTime::default());
            stop
        };
        (0..7).map(|_| visit()).collect()
    }

    #[test]
    fn rounds_go_on_as_their_order_says() {
        let numbers = |stops: [i32; 7]| stops.map(|stop| u16::try_from(stop).ok()).to_vec();
        assert_eq!(round(PatrolOrder::Loop, 3), numbers([0, 1, 2, 0, 1, 2, 0]));
        assert_eq!(
            round(PatrolOrder::PingPong, 3),
            numbers([0, 1, 2, 1, 0, 1, 2])
        );
        assert_eq!(
            round(PatrolOrder::Once, 3),
            numbers([0, 1, 2, -1, -1, -1, -1])
        );
        assert_eq!(round(PatrolOrder::PingPong, 1), numbers([0; 7]));
        assert_eq!(round(PatrolOrder::Loop, 0), numbers([-1; 7]));
    }
}
