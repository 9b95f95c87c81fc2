//! Where the agents of a running scenario are and how each stands: what pictures show.

use super::others::Shown;
use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, ChaseState, Chaser, Chasing, OnMap, PathCursor};
use nav_grid::Cell;
use serde::{Deserialize, Serialize};

/// An agent as a picture shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Who it is.
    pub agent: Entity,
    /// Its upper left cell.
    pub cell: Cell,
    /// Columns and rows that it covers.
    pub side: u8,
    /// How it stands.
    pub role: Role,
}

/// How an agent of a scenario stands. In order: later ones are drawn over earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Role {
    /// Chases nobody and stays.
    Idle,
    /// A chaser with nothing to follow.
    Waiting,
    /// A chaser on its way.
    Chasing,
    /// A chaser within reach of its target.
    Beside,
    /// Is chased, or could be.
    Target,
}

impl Role {
    /// Of a chaser in a state.
    pub(super) const fn of(state: ChaseState) -> Self {
        match state {
            ChaseState::Reached => Self::Beside,
            ChaseState::Following | ChaseState::Queued => Self::Chasing,
            _ => Self::Waiting,
        }
    }
}

/// The agents of a map, those drawn first in front.
pub(super) fn figures(world: &mut World, map: Entity) -> Vec<Figure> {
    type Agent<'a> = (
        Entity,
        &'a CellPosition,
        &'a OnMap,
        Option<&'a Body>,
        Option<(&'a Chaser, &'a Chasing, &'a PathCursor)>,
        Option<&'a Shown>,
    );
    let mut agents = world.query::<Agent>();
    let on_map = agents.iter(world).filter(|(_, _, on, ..)| on.0 == map);
    let mut figures: Vec<Figure> = on_map
        .map(|(entity, place, _, body, chase, shown)| {
            let chase = chase.map(|(chaser, _, cursor)| (chaser, cursor));
            let shown = shown.copied();
            let Shown { side, role } = shown.unwrap_or_else(|| Shown::of(chase, body));
            Figure {
                agent: entity,
                cell: place.cell,
                side,
                role,
            }
        })
        .collect();
    figures.sort_unstable_by_key(|figure| (figure.role, figure.agent));
    figures
}
