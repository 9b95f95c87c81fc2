//! A body that is asked to make room: whether it does, and by which moves.

use super::{
    crowd::StandingBodyItem,
    detours::Detour,
    push::{Mover, Push},
};
use crate::systems::{
    guidance::{Guide, Ranked, TargetView, heading, reach::Approach},
    storage::columns::ChaseKey,
};
use bevy_ecs::entity::EntityIndex;
use nav_grid::{Cell, Direction, Directions, Footprint, Grid, rules::BodyPolicy};
use std::cmp::Reverse;

/// The relation of a body to its asker.
#[derive(Clone, Copy)]
enum Relation<'a> {
    /// It goes the same way by the asker's detour, or is beside the same target and comes no nearer.
    SameWay(&'a Detour),
    /// It is within reach of the same target from further off, or by other rules.
    Outer,
    /// It has a way of its own.
    OwnWay,
}

impl<'a> Push<'a, '_> {
    /// Asks the body that covers a cell. Returns the body, its place, and the moves by which it makes
    /// room; `None` if it makes no room for the asker.
    pub(super) fn ask(&mut self, holder: EntityIndex, cell: Cell) -> Option<(Mover, Cell, Ranked)> {
        let crowd = self.crowd;
        let (agent, chaser) = crowd.standing(holder);
        let chaser = chaser?;
        let (body, at) = (*chaser.body, chaser.position.cell);
        let footprint = body.footprint;
        let is_ready = chaser.move_timer.is_due(crowd.params.now()) || chaser.crowding.stands;
        if !is_ready || chaser.on_map.0 != self.proposal.map {
            return None;
        }
        let relation = self.relation(&chaser);
        // Where it was before the tick, from which it may have stepped.
        let is_here = at == cell && footprint == Footprint::ONE
            || footprint.area(at).contains(cell)
                && !crowd.outcomes.has_stepped(agent)
                && self.ground.rows.sees(at)
                && self.ground.rows.sees(footprint.area(at).last());
        if !is_here || !self.yields(&chaser, relation) {
            return None;
        }
        let mover = Mover {
            agent,
            body,
            is_beside: chaser.cursor.is_reached(),
        };
        let grid = crowd.params.map(Some(self.proposal.map))?.grid();
        let ways = match relation {
            Relation::SameWay(detour) => self.ways_with_asker(detour, &chaser, grid),
            Relation::Outer => self.ways_within_reach(&chaser),
            Relation::OwnWay => Some(self.ways_of_own(&chaser, grid)),
        };
        Some((mover, at, ways?))
    }

    /// Whether a body chases the asker's target.
    fn is_companion(&self, chaser: &StandingBodyItem) -> bool {
        chaser.chasing.0 == self.proposal.target
    }

    fn relation(&self, chaser: &StandingBodyItem) -> Relation<'a> {
        let Some(detour) = self.detour.filter(|_| self.is_companion(chaser)) else {
            return Relation::OwnWay;
        };
        let rules = chaser.chaser.rules.with_bodies(BodyPolicy::Ignore);
        if !chaser.cursor.is_reached() {
            return if detour.approach.rules == rules {
                Relation::SameWay(detour)
            } else {
                Relation::OwnWay
            };
        }
        let comes_as_near = chaser.comes_as_near(detour.approach);
        if comes_as_near && detour.is_place(chaser.position.cell) {
            Relation::SameWay(detour)
        } else if !comes_as_near && !self.proposal.is_under {
            Relation::Outer
        } else {
            Relation::OwnWay
        }
    }

    /// Whether a body makes room: within reach of the same target only by moving along or aside, and on
    /// its way if it waited less. There is no room under the target.
    fn yields(&self, chaser: &StandingBodyItem, relation: Relation) -> bool {
        let Self { proposal, .. } = self;
        if chaser.cursor.is_reached() || proposal.is_under {
            return !matches!(relation, Relation::OwnWay)
                || !self.is_companion(chaser)
                || proposal.is_under;
        }
        let asker = (proposal.waits, Reverse(proposal.id()));
        (chaser.crowding.counted_waits(), Reverse(*chaser.id)) < asker
    }

    /// All steps for a body of a pair of which one is large, on its way: before a door they wedge each
    /// other unless one goes back. Else none.
    fn ways_back(&self, chaser: &StandingBodyItem, grid: &Grid) -> Directions {
        let bodies = [*chaser.body, self.proposal.body];
        let is_large = bodies.iter().any(|body| body.footprint != Footprint::ONE);
        if is_large && !chaser.cursor.is_reached() {
            grid.steps(chaser.position.cell, chaser.chaser.rules)
        } else {
            Directions::NONE
        }
    }

    /// The moves of a body that goes the asker's way.
    fn ways_with_asker(
        &mut self,
        detour: &Detour,
        chaser: &StandingBodyItem,
        grid: &Grid,
    ) -> Option<Ranked> {
        let (at, from) = (chaser.position.cell, self.proposal.from);
        let is_large = chaser.body.footprint != Footprint::ONE;
        // A large body may make room for another one and stay beside the target.
        let along = if is_large && chaser.cursor.is_reached() {
            detour.ways_along(grid, at)
        } else {
            Directions::NONE
        };
        let mut ranked = self.by_detour(at).or_else(|| {
            let along = along.into_iter().next();
            Some(Ranked {
                toward: along.or_else(|| heading(from, at))?,
                ..Ranked::default()
            })
        })?;
        let [best, _, others] = ranked.tiers;
        let onward = Directions(best.0 | others.0);
        let back = self.ways_back(chaser, grid);
        let back = Directions(back.0 & !onward.0 & !along.0);
        ranked.tiers = [onward, along, back];
        Some(ranked)
    }

    /// The steps by which a body stays within its own reach.
    fn ways_within_reach(&mut self, chaser: &StandingBodyItem) -> Option<Ranked> {
        let (at, tuning) = (chaser.position.cell, chaser.chaser);
        let view = self.views.get(key_of(chaser))?;
        let mut ranked = view.aside(at, tuning.rules);
        let stays = |way: &Direction| {
            let to = at.step(*way);
            to.is_some_and(|to| view.is_within_reach(Approach::from(tuning), chaser.cursor, to))
        };
        ranked.tiers = ranked
            .tiers
            .map(|tier| tier.into_iter().filter(stays).collect());
        Some(ranked)
    }

    /// The moves of a body by its own guide, and all others if it does not chase the asker's target or
    /// has to leave that.
    fn ways_of_own(&mut self, chaser: &StandingBodyItem, grid: &Grid) -> Ranked {
        let at = chaser.position.cell;
        let rules = chaser.chaser.rules.with_bodies(BodyPolicy::Ignore);
        let others = if !self.is_companion(chaser) || self.proposal.is_under {
            grid.steps(at, rules)
        } else {
            self.ways_back(chaser, grid)
        };
        let view = self.views.get(key_of(chaser));
        let rules = view.and_then(TargetView::rules).unwrap_or(rules);
        // A far field is prepared around chasers whose move tick it is.
        let waypoint = chaser.cursor.path().peek();
        let shares = chaser.cursor.shares_near() || chaser.cursor.is_reached();
        let guide = view.and_then(|view| match view.field {
            Some(field) if shares => Some(Guide::Near(field)),
            _ => waypoint.map(Guide::Path),
        });
        let own = view.and_then(|view| guide?.next(view, at, || rules));
        let mut ranked = own.unwrap_or_default();
        let [best, sides, _] = ranked.tiers;
        if !others.is_empty() {
            ranked.tiers[2] = Directions(others.0 & !best.0 & !sides.0);
        }
        if let Some(view) = view {
            ranked.toward = heading(at, view.cell()).unwrap_or(Direction::North);
            ranked = view.clear_of_target(ranked, at, rules);
        }
        ranked
    }
}

/// Returns the key of a body's view. The body is on the map of the ground.
fn key_of(chaser: &StandingBodyItem) -> ChaseKey {
    ChaseKey::new(chaser.tuning, chaser.chasing, chaser.on_map)
}
