//! Steps of chasers without a body. They do not see each other, so their order does not matter.

use super::{
    apply::{apply_step, arrive},
    intent::{Intent, StepParams},
    links::is_bounded,
};
use crate::{
    Body, ChasedBy, OnMap,
    components::Event,
    occupancy::BodyPlaces,
    systems::{
        guidance::{Ranked, TargetView, TargetViews},
        storage::{
            columns::{ChaserData, ChaserView},
            targets::Targets,
            tick_events::TickEvents,
            visit::{VisitPool, visit_due},
        },
    },
};
use bevy_ecs::prelude::*;
use nav_grid::Cell;

/// Chasers without a body that are no targets.
type Ghosts<'w, 's> = Query<'w, 's, ChaserData, (With<OnMap>, Without<Body>, Without<ChasedBy>)>;

/// Moves chasers without a body.
pub(super) fn step_ghosts(
    params: StepParams,
    targets: Res<Targets>,
    ghosts: Ghosts,
    occupancy: Res<BodyPlaces>,
    mut events: ResMut<TickEvents>,
    mut pool: Local<VisitPool<TickEvents>>,
) {
    let now = params.now();
    visit_due(
        ghosts,
        |_, timer| timer.is_due(now),
        &mut pool,
        || (params.views(&targets), SharedSteps::default()),
        |mut ghost, (views, shared), events| {
            params.step_ghost(views, shared, &mut ghost, &occupancy, events);
        },
    );
    for scratch in pool.iter_mut() {
        events.append(scratch);
    }
}

/// The action of a ghost at its move tick.
#[derive(Clone, Copy)]
enum GhostStep {
    /// Asks again in the next tick.
    Again,
    /// Stays where it is.
    Stay,
    /// Is within reach of the target.
    Arrive,
    /// Goes to a cell, and is within reach of the target there or not.
    Go { to: Cell, arrives: bool },
}

/// Columns and rows around a target in which ghosts share their steps: a square with a cell for
/// each bit of [`SharedSteps::known`].
const SIDE: usize = u64::BITS.isqrt() as usize;

/// The steps of ghosts on the field around one target, by their cells: such a step follows from the
/// cell alone. Hundreds of ghosts around a target are on the same few cells, and steps take a third
/// of the time.
pub(super) struct SharedSteps {
    /// The [number](TargetView::number) of the view that they are of.
    view: u32,
    /// For which cells the step is known, a bit each.
    known: u64,
    steps: [GhostStep; SIDE * SIDE],
}

impl Default for SharedSteps {
    fn default() -> Self {
        Self {
            view: 0,
            known: 0,
            steps: [GhostStep::Again; SIDE * SIDE],
        }
    }
}

impl SharedSteps {
    /// The place of a ghost's step, if all ghosts on its cell take the same.
    #[inline(always)]
    fn place(&mut self, view: &TargetView, ghost: &ChaserView) -> Option<usize> {
        if self.view != view.number {
            self.view = view.number;
            self.known = 0;
        }
        let (at, target) = (ghost.cell(), view.cell());
        let is_shared = ghost.cursor.shares_near()
            && at.floor == target.floor
            && view.away(at) < SIDE as u16 / 2
            && view.approach.is_some();
        let (column, row) = (at.x.wrapping_sub(target.x), at.y.wrapping_sub(target.y));
        is_shared.then_some(usize::from(row) % SIDE * SIDE + usize::from(column) % SIDE)
    }

    #[inline(always)]
    fn get(&self, place: usize) -> Option<GhostStep> {
        (self.known >> place & 1 != 0).then(|| self.steps[place])
    }

    #[inline]
    fn insert(&mut self, place: usize, step: GhostStep) {
        // A ghost that asks again or stays may have lost what it followed.
        if matches!(step, GhostStep::Arrive | GhostStep::Go { .. }) {
            self.known |= 1 << place;
            self.steps[place] = step;
        }
    }
}

impl StepParams<'_, '_> {
    /// Moves a ghost at its move tick, and sets the next one.
    #[inline(always)]
    pub(super) fn step_ghost(
        &self,
        views: &mut TargetViews,
        shared: &mut SharedSteps,
        ghost: &mut ChaserView,
        occupancy: &BodyPlaces,
        events: &mut TickEvents,
    ) {
        let Some(view) = views.followed(ghost) else {
            self.stand(ghost, false);
            return;
        };
        let place = shared.place(view, ghost);
        let step = if let Some(step) = place.and_then(|place| shared.get(place)) {
            step
        } else {
            let step = self.ghost_step(view, ghost, occupancy);
            if let Some(place) = place {
                shared.insert(place, step);
            }
            step
        };
        match step {
            GhostStep::Again => {}
            GhostStep::Stay => self.hold(view, ghost),
            GhostStep::Arrive => self.rest(view, ghost, events),
            GhostStep::Go { to, arrives } if is_bounded(view.map, ghost, to) => {
                let (id, agent) = (*ghost.id, *ghost.entity);
                events.at_links.push((id, agent, (to, arrives)));
            }
            GhostStep::Go { to, arrives } => self.go(view, ghost, (to, arrives), events),
        }
    }

    /// Moves a ghost to a cell, where it is within reach or not.
    #[inline(always)]
    pub(super) fn go(
        &self,
        view: &TargetView,
        ghost: &mut ChaserView,
        (to, arrives): (Cell, bool),
        events: &mut TickEvents,
    ) {
        self.tick(ghost, true);
        apply_step(Some(view.map), ghost, to, events);
        if arrives {
            arrive(view, ghost, events);
        } else {
            ghost.apply(Event::LeftReach);
        }
    }

    /// Returns the action of a ghost that sees its target.
    #[inline(always)]
    fn ghost_step(
        &self,
        view: &TargetView,
        ghost: &mut ChaserView,
        occupancy: &BodyPlaces,
    ) -> GhostStep {
        let intent = self.intent(view, ghost).1;
        // Nothing bars ghosts on shared fields. A ghost that found no way around goes through.
        let may_be_barred = !ghost.cursor.is_sharing() && ghost.search_timer.failures() == 0;
        let bars = |to| may_be_barred && view.is_barred(ghost, occupancy, std::iter::once(to));
        match intent {
            Intent::Again => GhostStep::Again,
            Intent::Hold => GhostStep::Stay,
            Intent::Arrive => GhostStep::Arrive,
            Intent::Go(ranked) => {
                let to = match ranked.first(ghost.cell()) {
                    Some(to) if bars(to) => past_bodies(view, ghost, occupancy, ranked),
                    first => first,
                };
                match to {
                    Some(to) => GhostStep::Go {
                        to,
                        arrives: view.is_reached(ghost, to),
                    },
                    None => GhostStep::Stay,
                }
            }
        }
    }
}

/// Returns the step of a ghost where a body bars its first one: another that is as good, as off the
/// cells of its target. Else it stays until it has searched for a way around.
#[cold]
#[inline(never)]
fn past_bodies(
    view: &TargetView,
    ghost: &ChaserView,
    occupancy: &BodyPlaces,
    ranked: Ranked,
) -> Option<Cell> {
    let bars = |to| view.is_barred(ghost, occupancy, std::iter::once(to));
    ranked.first_open(ghost.cell(), bars)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_steps_that_lead_on_are_shared() {
        let mut shared = SharedSteps::default();
        let to = Cell::new(3, 4);
        let go = GhostStep::Go { to, arrives: true };
        for (place, step) in [GhostStep::Again, GhostStep::Stay, GhostStep::Arrive, go]
            .into_iter()
            .enumerate()
        {
            shared.insert(place, step);
        }
        assert!(shared.get(0).is_none() && shared.get(1).is_none());
        assert!(matches!(shared.get(2), Some(GhostStep::Arrive)));
        let Some(GhostStep::Go { to: cell, arrives }) = shared.get(3) else {
            panic!("the step of another ghost");
        };
        assert_eq!((cell, arrives), (to, true));
    }

    #[test]
    fn every_place_is_its_own() {
        let mut shared = SharedSteps::default();
        let to = |place: usize| Cell::new(place as u16, 0);
        for place in (0..SIDE * SIDE).step_by(3) {
            let arrives = false;
            shared.insert(
                place,
                GhostStep::Go {
                    to: to(place),
                    arrives,
                },
            );
        }
        for place in 0..SIDE * SIDE {
            match shared.get(place) {
                Some(GhostStep::Go { to: cell, .. }) => assert_eq!(cell, to(place)),
                _ => assert_ne!(place % 3, 0),
            }
        }
    }
}
