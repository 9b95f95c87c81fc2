//! Making room: a body that waited long has those in front step aside.

use super::{
    detours::Detour,
    next_step::FieldRef,
    proposal::{Proposal, ProposedStep},
    push_memory::{Mover, PushMemory},
    strip_ground::{Reservation, StripGround},
};
use crate::{
    BodyKind, Chaser,
    systems::{
        directions::{heading, nearest, without},
        storage::chaser::ChaseKey,
        target_view::{TargetView, TargetViews},
    },
};
use bevy_ecs::entity::EntityIndex;
use nav_grid::{Area, Cell, Direction, Directions, Footprint, Rules, rules::BodyPolicy};
use std::cmp::Reverse;

/// One body's attempt to come forward.
///
/// Priority inheritance with backtracking, after "Priority Inheritance with Backtracking for Iterative
/// Multi-agent Path Finding" by Okumura, Machida, Défago and Tamura: a body that is asked to make room
/// takes over the asker's priority, tries its own ways in the order in which it likes them, and asks those
/// who stand there in turn; where one cannot, the one before tries another way. Nobody is asked who waited
/// longer than the first asker, or as long with a lower number, nor anybody between two move ticks of a
/// walk, and two never change places. Who gets to no place beside its own target counts as one who has just
/// begun to wait. Who chases the same target is not asked to go further away from it: that helps nobody.
/// Who is within reach of its target stays there: it moves along to a place beside it, if the asker's
/// [detour](super::detours) leads past it, and gives its place up only to who is inside the target.
///
/// Unlike there, only bodies that waited push, chains are bounded in depth and do not leave the
/// ground around a strip, and the work of a tick is bounded, too: the rest wait for the next one.
pub(super) struct Push<'a> {
    reservation: &'a Reservation<'a>,
    /// That of who began it, and the detour that it takes, if it does.
    proposal: &'a Proposal,
    detour: Option<&'a Detour>,
    memory: &'a mut PushMemory,
    /// How many visits are left when this attempt ends.
    deepest: i32,
    /// Those in the way mostly chase the same target.
    views: TargetViews<'a>,
}

/// How many bodies one attempt may ask, be they more than the strip has left.
const VISITS_PER_PUSH: i32 = 192;

/// How many bodies may have to move for one.
const DEPTH_MAX: u32 = 64;

impl<'a> Push<'a> {
    pub(super) fn new(
        reservation: &'a Reservation<'a>,
        proposal: &'a Proposal,
        detour: Option<&'a Detour>,
        memory: &'a mut PushMemory,
    ) -> Self {
        let deepest = memory.visits() - VISITS_PER_PUSH;
        let views = reservation.params.views(reservation.targets);
        Self {
            reservation,
            proposal,
            detour,
            memory,
            deepest,
            views,
        }
    }

    /// Has somebody in front of the body of the proposal step aside, and the body step there.
    pub(super) fn make_room(&mut self, ground: &mut StripGround) {
        let Proposal {
            agent,
            from,
            body,
            step,
            ..
        } = *self.proposal;
        if body.kind != BodyKind::Solid {
            return;
        }
        let (ways, wished) = match (self.by_detour(from), step) {
            (Some(by_detour), _) => by_detour,
            (None, ProposedStep::To(to)) => match from.direction_to(to) {
                Some(way) => (Directions::from(way), way),
                None => return,
            },
            (None, ProposedStep::Ranked { best, wished, .. }) => (best, wished),
            (None, ProposedStep::Aside { ways, wished }) => (ways, wished),
            (None, ProposedStep::Detour | ProposedStep::Along(_)) => return,
        };
        let mover = Mover::new(agent, body, false);
        let has_gone = self.make_any_way(ground, mover, from, (ways, wished), 0);
        self.memory.take_steps(ground);
        if has_gone && self.detour.is_some() {
            self.reservation.outcomes.by_detour(agent);
        }
    }

    /// Has those step aside who cover a place of the body of the proposal that lies elsewhere, as the
    /// end of a link does.
    pub(super) fn clear_place(&mut self, ground: &mut StripGround, place: Cell) {
        let area = self.proposal.body.footprint.area(place);
        if !self.clear_all(ground, area, area.cells(), 0) {
            self.memory.fail(ground, 0, self.proposal.target);
        }
        self.memory.take_steps(ground);
    }

    /// The ways by which a place lies nearer to the end of the detour, and the best of them.
    fn by_detour(&self, from: Cell) -> Option<(Directions, Direction)> {
        let detour = self.detour?;
        let map = self.reservation.params.map(Some(self.proposal.map))?;
        let ground = (map.grid(), detour.approach.rules);
        let field = detour.field_from(from, self.proposal.presses)?;
        let leads_on = |way: &Direction| {
            let step = field.best_step(ground, from, Directions::from(*way));
            step.is_some()
        };
        let ways = Directions::ALL.into_iter().filter(leads_on).collect();
        Some((ways, field.best_step(ground, from, ways)?))
    }

    /// Has a body go one of some ways, the best one that it can; says whether it went.
    fn make_any_way(
        &mut self,
        ground: &mut StripGround,
        mover: Mover,
        from: Cell,
        (mut ways, wished): (Directions, Direction),
        depth: u32,
    ) -> bool {
        while let Some(way) = nearest(ways, wished) {
            ways = without(ways, way);
            if self.make_way(ground, mover, from, way, depth) {
                return true;
            }
        }
        false
    }

    /// Has a body go one way once all are out of it; says whether it went.
    fn make_way(
        &mut self,
        ground: &mut StripGround,
        mover: Mover,
        from: Cell,
        way: Direction,
        depth: u32,
    ) -> bool {
        let Mover { agent, body, .. } = mover;
        let Some(to) = from.step(way) else {
            return false;
        };
        let footprint = body.footprint;
        if !ground.rows.is_open(agent, to, body.into()) {
            return false;
        }
        let first = self.memory.steps();
        let is_clear = if footprint == Footprint::ONE {
            self.clear(ground, to, depth)
        } else {
            let (here, there) = (footprint.area(from), footprint.area(to));
            let ahead = there.cells().filter(|&cell| !here.contains(cell));
            self.clear_all(ground, there, ahead, depth)
        };
        if is_clear {
            self.memory.go(ground, mover, from, to);
        } else {
            self.memory.fail(ground, first, self.proposal.target);
        }
        is_clear
    }

    /// Frees some cells of a place, to no cell of which anybody may come back meanwhile; says whether all
    /// are free now.
    fn clear_all(
        &mut self,
        ground: &mut StripGround,
        place: Area,
        mut cells: impl Iterator<Item = Cell>,
        depth: u32,
    ) -> bool {
        self.memory.claims.push(place);
        let are_clear = cells.all(|cell| self.clear(ground, cell, depth));
        self.memory.claims.pop();
        are_clear
    }

    /// Frees a cell, if it is not; says whether it is free now. Several may stand on it, as bodies that
    /// share cells do.
    fn clear(&mut self, ground: &mut StripGround, cell: Cell, depth: u32) -> bool {
        // What lies further away is another strip's.
        if !ground.rows.sees(cell) {
            return false;
        }
        let Proposal {
            from, body, target, ..
        } = *self.proposal;
        let is_asker = body.footprint.area(from).contains(cell);
        while let Some(holder) = ground.rows.holder(cell) {
            if is_asker || depth >= DEPTH_MAX || self.memory.visits() <= self.deepest {
                return false;
            }
            // Those in the chain were asked, too: nobody moves onto their cells.
            if !self.memory.asks(holder, target) {
                return false;
            }
            if !self.move_on(ground, holder, cell, depth) {
                return false;
            }
        }
        true
    }

    /// Has a body that stands in the way go on, or out of the way.
    fn move_on(
        &mut self,
        ground: &mut StripGround,
        holder: EntityIndex,
        cell: Cell,
        depth: u32,
    ) -> bool {
        let Some(asked) = self.ask(ground, holder, cell) else {
            return false;
        };
        let Asked {
            mover,
            at,
            mut ways,
            wished,
        } = asked;
        let Mover { agent, body, .. } = mover;
        let footprint = body.footprint;
        if footprint != Footprint::ONE || !self.memory.claims.is_empty() {
            for ways_of_a_kind in &mut ways {
                *ways_of_a_kind = self.off_claims(*ways_of_a_kind, footprint, at, cell);
            }
        }
        // Free cells before those that somebody would have to leave.
        let any = Directions(ways[0].0 | ways[1].0 | ways[2].0);
        let free = match body.kind {
            BodyKind::Solid => ground.rows.free(agent, body.into(), at, any),
            BodyKind::Soft => any,
        };
        for ways_of_a_kind in &ways {
            if let Some(way) = nearest(free.intersection(*ways_of_a_kind), wished)
                && let Some(to) = at.step(way)
            {
                self.memory.go(ground, mover, at, to);
                return true;
            }
        }
        let mut kinds = ways.into_iter();
        kinds.any(|ways| self.make_any_way(ground, mover, at, (ways, wished), depth + 1))
    }

    /// Those of some ways of a body that lead off a cell, and onto none that others freed.
    fn off_claims(
        &self,
        ways: Directions,
        footprint: Footprint,
        at: Cell,
        cell: Cell,
    ) -> Directions {
        let is_claimed =
            |one| one == cell || self.memory.claims.iter().any(|claim| claim.contains(one));
        let leads_off = |way: &Direction| {
            at.step(*way)
                .is_some_and(|to| !footprint.area(to).cells().any(is_claimed))
        };
        ways.into_iter().filter(leads_off).collect()
    }

    /// Asks who covers a cell; `None` if nobody may ask it to make room.
    fn ask(&mut self, ground: &StripGround, holder: EntityIndex, cell: Cell) -> Option<Asked> {
        let Reservation {
            params, outcomes, ..
        } = *self.reservation;
        let Proposal {
            waits,
            target,
            step,
            ..
        } = *self.proposal;
        let id = self.proposal.id();
        let (agent, chaser) = self.reservation.standing(holder);
        let chaser = chaser?;
        let now = params.now();
        let (body, at) = (*chaser.body, chaser.position.cell);
        let footprint = body.footprint;
        let ready = chaser.move_timer.is_due(now) || chaser.search_timer.stands();
        if !ready || chaser.on_map.0 != ground.map {
            return None;
        }
        // Companions go the same way. Who is within reach of the same target goes nowhere but along.
        let is_beside = chaser.cursor.is_reached();
        let mover = Mover::new(agent, body, is_beside);
        let is_companion = chaser.chasing.0 == target;
        let same_way = self.detour.filter(|detour| {
            let is_alike =
                detour.approach.rules == chaser.chaser.rules.with_bodies(BodyPolicy::Ignore);
            is_companion && is_alike && (!is_beside || detour.is_place(at))
        });
        // There is no room inside the target.
        let is_inside = matches!(step, ProposedStep::Aside { .. });
        let yields = if is_beside || is_inside {
            same_way.is_some() || !is_companion || is_inside
        } else {
            (chaser.search_timer.waits(), Reverse(*chaser.id)) < (waits, Reverse(id))
        };
        // Where it was before the tick, from which it may have stepped.
        let is_here = at == cell && footprint == Footprint::ONE
            || footprint.area(at).contains(cell)
                && !outcomes.has_stepped(agent)
                && ground.rows.sees(at)
                && ground.rows.sees(footprint.area(at).last());
        if !yields || !is_here {
            return None;
        }
        if let Some(detour) = same_way {
            let (ways, wished) = self.by_detour(at).unzip();
            // A large body may make room for another one and stay beside the target.
            let along = if is_beside && footprint != Footprint::ONE {
                detour.ways_along(params.map(Some(ground.map))?.grid(), at)
            } else {
                Directions::NONE
            };
            return Some(Asked {
                mover,
                at,
                ways: [ways.unwrap_or_default(), along, Directions::NONE],
                wished: wished.or_else(|| along.into_iter().next())?,
            });
        }
        let view = self.views.get(ChaseKey {
            tuning: *chaser.tuning,
            target: chaser.chasing.0,
            map: ground.map,
        });
        let rules = rules_of(view, chaser.chaser);
        let legal = || {
            let map = params.map(Some(ground.map));
            map.map_or(Directions::NONE, |map| map.grid().steps(at, rules))
        };
        // A far field is prepared around those whose move tick it is.
        let on_field = chaser.cursor.shares_near() || chaser.cursor.is_reached();
        let next = view.filter(|_| on_field).and_then(|view| {
            let field = FieldRef::of(view, chaser.cursor)?;
            params.next_cells(view.target, field, at)
        });
        let (best, sides) = match (next, chaser.cursor.path().peek()) {
            (Some(next), _) => (next.best, next.sides),
            (None, Some(to)) => {
                let ahead = at.direction_to(to).map(Directions::from);
                let ahead = ahead.map_or(Directions::NONE, |ahead| ahead.intersection(legal()));
                (ahead, Directions::NONE)
            }
            (None, None) => (Directions::NONE, Directions::NONE),
        };
        let others = if is_companion && !is_inside {
            Directions::NONE
        } else {
            Directions(legal().0 & !best.0 & !sides.0)
        };
        let off_target = |ways| match view {
            Some(view) => view.off_target(ways, (at, view.away(at)), rules),
            None => ways,
        };
        let place = view.map_or(at, TargetView::cell);
        Some(Asked {
            mover,
            at,
            ways: [off_target(best), off_target(sides), off_target(others)],
            wished: heading(at, place).unwrap_or(Direction::North),
        })
    }
}

/// By which rules somebody moves.
#[inline]
fn rules_of(view: Option<&TargetView>, chaser: &Chaser) -> Rules {
    #[expect(
        clippy::unnecessary_lazy_evaluations,
        reason = "the widest column is read for those without a group only"
    )]
    view.and_then(TargetView::rules)
        .unwrap_or_else(|| chaser.rules)
}

/// Somebody who was asked to make room.
struct Asked {
    mover: Mover,
    at: Cell,
    /// The ways that it likes first: the best ones to its target, those to the side of them, any other.
    ways: [Directions; 3],
    wished: Direction,
}
