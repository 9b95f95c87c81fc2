//! Where an agent without a chase goes: along its patrol.

use crate::{
    Activity, Interrupted,
    plugins::{WalkSystems, add_shared, behaviour_plugin},
};
use bevy_app::{App, Plugin};
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{
    Chaser, Chasing, GoTo, GoToEnded, NavClock, NavTime, Period,
    extend::{on_demand, require_nav},
};
use nav_grid::Cell;

/// A round of stops that a chaser walks while it chases nothing. A chase interrupts the round,
/// which continues to the same stop afterwards.
///
/// On the way to a stop that is unreachable, or barred by bodies, the agent waits for as long as
/// its [`GiveUp`](crate::GiveUp) says, or until its [`StuckWatch`](crate::StuckWatch) finds no
/// progress. Then it goes to the next stop. Without either it waits until the way is free. A stop
/// that another body holds counts as visited from beside it.
#[derive(Component, Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[require(Activity, Chaser)]
pub struct Patrol {
    stops: Vec<PatrolStop>,
    order: PatrolOrder,
    /// The next stop, or the number of stops after the last one.
    next: usize,
    is_on_way_back: bool,
    /// The end of the wait at the last stop.
    leaves_at: NavTime,
}

/// A cell to go to, and how long to wait there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque))]
#[cfg_attr(feature = "reflect", reflect(Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
pub struct PatrolStop {
    /// The cell.
    pub cell: Cell,
    /// How long to wait there.
    pub wait: Period,
}

/// The stop that follows the last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect))]
pub enum PatrolOrder {
    /// The first one: the default.
    #[default]
    Loop,
    /// The one before the last, and so on back to the first.
    PingPong,
    /// Nothing.
    Once,
}

impl PatrolStop {
    /// A stop at a cell with a wait.
    pub fn new(cell: Cell, wait: impl Into<Period>) -> Self {
        let wait = wait.into();
        Self { cell, wait }
    }
}

impl From<Cell> for PatrolStop {
    /// A stop without a wait.
    fn from(cell: Cell) -> Self {
        Self::new(cell, Period::default())
    }
}

impl Patrol {
    /// Replaces the cell of each stop.
    pub(crate) fn move_cells(&mut self, moved: impl Fn(Cell) -> Cell) {
        for stop in &mut self.stops {
            stop.cell = moved(stop.cell);
        }
    }

    /// A round of stops, from the first one on. Without stops the agent stays where it is.
    pub fn new(order: PatrolOrder, stops: impl IntoIterator<Item = impl Into<PatrolStop>>) -> Self {
        Self {
            stops: stops.into_iter().map(Into::into).collect(),
            order,
            next: 0,
            is_on_way_back: false,
            leaves_at: NavTime::default(),
        }
    }

    /// The stop to which the agent goes, or will go after its wait; `None` at the end of the round.
    pub fn next_stop(&self) -> Option<PatrolStop> {
        self.stops.get(self.next).copied()
    }

    /// Selects the following stop, for after the wait at this one.
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

behaviour_plugin! {
    /// Sends agents on their [`Patrol`]s.
    PatrolPlugin
}

impl Plugin for PatrolPlugin {
    fn build(&self, app: &mut App) {
        add_shared(app, self.schedule);
        let send_on = on_demand::<Standing, _>(send_on);
        app.add_systems(self.schedule, send_on.in_set(WalkSystems::Patrol))
            .add_observer(advance);
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "PatrolPlugin");
    }
}

/// Advances the patrol of an agent of which the walk to its stop ended.
fn advance(ended: On<GoToEnded>, clock: Res<NavClock>, mut patrols: Query<&mut Patrol>) {
    if let Ok(mut patrol) = patrols.get_mut(ended.agent)
        && (patrol.next_stop()).is_some_and(|stop| stop.cell == ended.cell)
    {
        patrol.advance(clock.now());
    }
}

/// An agent with a patrol, without a chase or a walk.
type Standing = (
    With<Patrol>,
    With<Chaser>,
    Without<Chasing>,
    Without<GoTo>,
    Without<Interrupted>,
);

fn send_on(
    clock: Res<NavClock>,
    patrols: Query<(Entity, &Patrol), Standing>,
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
    fn order_of_stops() {
        use PatrolOrder::{Loop, Once, PingPong};
        let numbers = |stops: [i32; 7]| stops.map(|stop| u16::try_from(stop).ok()).to_vec();
        assert_eq!(round(Loop, 3), numbers([0, 1, 2, 0, 1, 2, 0]));
        assert_eq!(round(PingPong, 3), numbers([0, 1, 2, 1, 0, 1, 2]));
        assert_eq!(round(Once, 3), numbers([0, 1, 2, -1, -1, -1, -1]));
        assert_eq!(round(PingPong, 1), numbers([0; 7]));
        assert_eq!(round(Loop, 0), numbers([-1; 7]));
    }
}
