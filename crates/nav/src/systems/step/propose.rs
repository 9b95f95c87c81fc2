//! What bodies want, and whose turn it is.

use super::{
    Course, Steps, arrive, push,
    solid::Hand,
    strips::Strips,
    wish::{FieldOf, Wish},
};
use crate::{
    AgentId, Body, ChasedBy, NavTime, NavTimer, OnMap,
    systems::{
        bags::Bags,
        fields::Lead,
        pursuers::{Pursuer, Pursues, Visit, visit_all},
        scene::Scenes,
        standing::Standing,
        targets::Targets,
    },
};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Direction, Directions};

/// Chasers with a body that nobody chases.
pub(super) type Solids<'w, 's> =
    Query<'w, 's, Pursuer, (With<OnMap>, With<Body>, Without<ChasedBy>)>;

/// A step that a body wants to take.
#[derive(Clone, Copy)]
pub(crate) struct Proposal {
    /// Whose turn it is, before that of all with a higher number.
    pub(super) turn: u64,
    pub(super) waits: u8,
    /// Whether it has others make room if it has to.
    pub(super) pushes: bool,
    pub(super) id: AgentId,
    pub(super) agent: Entity,
    pub(super) target: Entity,
    pub(super) map: Entity,
    pub(super) from: Cell,
    pub(super) body: Body,
    pub(super) aim: Aim,
}

/// Where a proposal leads.
#[derive(Clone, Copy)]
pub(super) enum Aim {
    /// To one cell.
    At(Cell),
    /// To any that a field leads to, those in a wished direction first.
    Along {
        field: FieldOf,
        nearer: Directions,
        level: Directions,
        wished: Direction,
    },
}

/// The turn of a body. Of those after one target, or after targets near each other, those in front
/// come first, so that those behind them can follow; of equals who waited longer, then by number.
/// What is near each other in memory, a target's surroundings, is so looked at in one go.
fn turn(target: Cell, from: Cell, waits: u8, id: AgentId) -> u64 {
    const SQUARE: u16 = 32;
    let (row, column) = (target.y / SQUARE, target.x / SQUARE);
    let distance = target.chebyshev(from).min(511);
    let waits = NavTimer::WAITS_MAX - waits;
    u64::from(row) << 54
        | u64::from(column) << 44
        | u64::from(distance) << 35
        | u64::from(waits) << 32
        | u64::from(id.0)
}

/// What bodies want in a tick, and whose turn it is.
#[derive(Resource, Default)]
pub(crate) struct Wants {
    bags: Bags<(Vec<Proposal>, Steps)>,
    pub(super) proposals: Vec<Proposal>,
    pub(super) strips: Strips,
    /// Of each task.
    pub(super) hands: Vec<Hand>,
}

/// Finds what each chaser with a body wants.
pub(crate) fn propose_steps(
    course: Course,
    targets: Res<Targets>,
    standing: Res<Standing>,
    solids: Solids,
    mut wants: ResMut<Wants>,
    mut steps: ResMut<Steps>,
) {
    let Wants {
        bags, proposals, ..
    } = &mut *wants;
    let propose = Propose {
        course: &course,
        targets: &targets,
        standing: &standing,
    };
    visit_all(solids, bags, &propose);
    proposals.clear();
    for (bag, arrivals) in bags.iter_mut() {
        // Those of a large crowd are megabytes: half of them need not be copied.
        if proposals.is_empty() {
            std::mem::swap(proposals, bag);
        } else {
            proposals.append(bag);
        }
        steps.take_up(arrivals);
    }
}

/// Asks bodies what they want.
struct Propose<'a, 'w, 's> {
    course: &'a Course<'w, 's>,
    targets: &'a Targets,
    standing: &'a Standing,
}

impl Visit<(Vec<Proposal>, Steps)> for Propose<'_, '_, '_> {
    fn now(&self) -> NavTime {
        self.course.clock.now()
    }

    fn scenes(&self) -> Scenes<'_> {
        self.course.scenes(self.targets)
    }

    #[inline]
    fn visit<'a>(
        &'a self,
        body: &mut impl Pursues,
        scenes: &mut Scenes<'a>,
        (proposals, steps): &mut (Vec<Proposal>, Steps),
    ) {
        let proposal = self.course.propose(scenes, body, steps);
        // Those that the game puts elsewhere in the middle of a tick are put down in the next one.
        proposals.extend(proposal.filter(|proposal| {
            let footprint = proposal.body.footprint;
            let Proposal {
                agent, map, from, ..
            } = *proposal;
            self.standing.is_at(agent, map, footprint, from)
        }));
    }
}

impl Course<'_, '_> {
    /// What a body wants at its move tick. Keeps the beat of those who want nothing; that of the
    /// others is kept when it is known whether they step.
    #[inline]
    fn propose(
        &self,
        scenes: &mut Scenes,
        walker: &mut impl Pursues,
        steps: &mut Steps,
    ) -> Option<Proposal> {
        let Some(scene) = Self::chase_of(scenes, walker) else {
            self.stand(walker);
            return None;
        };
        let from = walker.cell();
        let aim = match self.wish(scene, walker) {
            Wish::Wait => return None,
            Wish::Rest => {
                self.stand(walker);
                return None;
            }
            Wish::Arrive => {
                arrive(walker, steps);
                self.stand(walker);
                return None;
            }
            Wish::Waypoint(to)
            | Wish::Lead {
                lead: Lead { link: Some(to), .. },
                ..
            } => Aim::At(to),
            Wish::Lead {
                field,
                lead,
                wished,
            } => {
                let off_target = |ways| scene.off_target(ways, from, scene.approach(walker).rules);
                Aim::Along {
                    field,
                    nearer: off_target(lead.nearer),
                    level: off_target(lead.level),
                    wished,
                }
            }
        };
        let (now, previous) = (self.clock.now(), self.clock.previous());
        if let Aim::At(to) = aim
            && !Self::allows(scene, walker, to)
        {
            walker.beat_mut().tick(now, previous, true);
            return None;
        }
        let (id, waits) = (walker.id(), walker.timer().waits());
        Some(Proposal {
            turn: turn(scene.place(), from, waits, id),
            waits,
            pushes: push::is_due(id, walker.timer(), walker.beat(), now),
            id,
            agent: walker.entity(),
            target: walker.target(),
            map: scene.target.seen.map,
            from,
            body: walker.body().unwrap_or_default(),
            aim,
        })
    }

    /// Has a body stand for its idle period.
    fn stand(&self, walker: &mut impl Pursues) {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        walker.beat_mut().tick(now, previous, false);
        if !walker.timer().stands() {
            walker.timer_mut().set_stands(true);
        }
    }
}
