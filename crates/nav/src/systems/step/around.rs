//! The world around bodies that step, as the plain values from which their steps follow.
//!
//! All look-ups of the step in components and resources of other bodies are here: bodies as they
//! were before any of them stepped.

use super::{
    intent::StepParams, outcomes::Outcomes, proposals::Proposal, push::Bystanders, room::Request,
};
use crate::systems::{
    crowd::{Asker, Crowd, Neighbour, Relation},
    guidance::{Guide, Ranked, TargetViews},
    storage::{columns::ChaseKey, targets::Targets},
};
use bevy_ecs::{entity::EntityIndex, prelude::*};
use nav_grid::{Cell, Directions, Path, Rules};

/// The surroundings of all bodies of a tick.
pub(super) struct Around<'a> {
    pub(super) params: &'a StepParams<'a, 'a>,
    pub(super) targets: &'a Targets,
    pub(super) crowd: &'a Crowd<'a, 'a>,
    pub(super) outcomes: &'a Outcomes,
    pub(super) proposals: &'a [Proposal],
}

impl<'a> Around<'a> {
    pub(super) fn views(&self) -> TargetViews<'a> {
        self.params.views(self.targets)
    }

    pub(super) fn proposal(&self, place: u32) -> &'a Proposal {
        &self.proposals[place as usize]
    }

    /// Returns the body of a proposal as an asker, and its path.
    pub(super) fn asker(&self, proposal: &Proposal) -> Option<(Asker, &'a Path)> {
        let body = self.crowd.body(proposal.agent)?;
        Some((body.asker(proposal.is_under), body.cursor.path()))
    }

    /// Whether a body stays where it is until the body of a proposal asks it to leave.
    pub(super) fn rests(&self, holder: EntityIndex, proposal: &Proposal) -> bool {
        let other = self.crowd.neighbour(self.crowd.agent(holder));
        Relation::rests_for(proposal.target, other.as_ref())
    }
}

/// Returns the best steps that lead on from a cell by the shared field of a proposal's body; none
/// beside its target.
#[inline]
pub(super) fn best_steps(views: &mut TargetViews, proposal: &Proposal, at: Cell) -> Directions {
    if let Some(view) = views.get(proposal.key())
        && at.chebyshev(view.cell()) > 1
        && let Some(guide) = proposal.field.and_then(|field| field.guide(view))
        && let Some(ranked) = guide.next(view, at, || view.rules().unwrap_or_default())
    {
        ranked.tiers[0]
    } else {
        Directions::NONE
    }
}

/// The bodies of one map, looked up in the world.
pub(super) struct BodiesOfMap<'a> {
    pub(super) around: &'a Around<'a>,
    pub(super) map: Entity,
    /// Bodies in the way mostly chase the same target.
    pub(super) views: TargetViews<'a>,
}

impl Bystanders for BodiesOfMap<'_> {
    fn body(&self, holder: EntityIndex) -> Option<(Entity, Neighbour)> {
        let crowd = self.around.crowd;
        let agent = crowd.agent(holder);
        Some((agent, crowd.neighbour(agent)?))
    }

    fn ways(&mut self, agent: Entity, request: &Request) -> Option<Ranked> {
        let body = self.around.crowd.body(agent)?;
        if body.on_map.0 != self.map {
            return None;
        }
        let (at, rules) = (request.body.at, request.body.rules);
        let key = ChaseKey::new(body.tuning, body.chasing, body.on_map);
        let view = self.views.get(key)?;
        // A far field is prepared around chasers whose move tick it is.
        let own = || {
            let guide = Guide::of(body.cursor, body.cursor.path().peek(), view)
                .filter(|guide| !matches!(guide, Guide::Far))?;
            guide.next(view, at, || view.rules().unwrap_or(rules))
        };
        let stays = |to| view.is_within_reach(body.chaser.into(), body.cursor, to);
        let steps = view.grid().steps(at, rules);
        let ranked = request.ways(steps, view.cell(), || own().unwrap_or_default(), stays);
        Some(view.clear_of_target(ranked, at, rules))
    }

    fn steps(&self, from: Cell, rules: Rules) -> Directions {
        let map = self.around.params.map(Some(self.map));
        map.map_or(Directions::NONE, |map| map.grid().steps(from, rules))
    }
}
