//! Places and roles of the agents of a running scenario, as pictures show them.

use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, ChaseState, Chaser, Chasing, OnMap, PathCursor};
use nav_grid::Cell;
use serde::{Deserialize, Serialize};

/// An agent as pictures show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Its entity.
    pub agent: Entity,
    /// Its upper-left cell.
    pub cell: Cell,
    /// Columns and rows that it covers.
    pub side: u8,
    /// Its role.
    pub role: Role,
    /// Whether it leads a formation. No agent of a scenario does.
    pub leads: bool,
}

/// The role of an agent. Later ones are drawn over earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Role {
    /// An idle body, without a target.
    Idle,
    /// A chaser with nothing to follow.
    Waiting,
    /// A chaser on its way.
    Chasing,
    /// A chaser within reach of its target.
    Beside,
    /// A target, or an agent that could be one.
    Target,
}

/// The look of an agent that another process runs.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// Columns and rows that it covers.
    pub side: u8,
    /// Its role.
    pub role: Role,
}

impl Shown {
    /// Returns the look of an agent that may chase and may have a body.
    pub fn of(chase: Option<(&Chaser, &PathCursor)>, body: Option<&Body>) -> Self {
        let (side, role) = match (chase, body) {
            (Some((chaser, cursor)), _) => (chaser.rules.footprint.side(), role_of(cursor.state())),
            (None, Some(body)) => (body.footprint.side(), Role::Idle),
            (None, None) => (1, Role::Target),
        };
        Self { side, role }
    }
}

/// Returns the agents of a map in drawing order.
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
                leads: false,
            }
        })
        .collect();
    figures.sort_unstable_by_key(|figure| (figure.role, figure.agent));
    figures
}

const fn role_of(state: ChaseState) -> Role {
    match state {
        ChaseState::Reached => Role::Beside,
        ChaseState::Following | ChaseState::Queued => Role::Chasing,
        _ => Role::Waiting,
    }
}
