//! The relation of one body to another that meets it: one table, first match.

use crate::{AgentId, Body, Crowding};
use bevy_ecs::entity::Entity;
use nav_grid::{Cell, Rules, fields::Passage};
use std::cmp::Reverse;

/// A body that chases, as others see it. Another body stays where it is, whoever asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbour {
    pub(crate) id: AgentId,
    pub(crate) target: Entity,
    pub(crate) at: Cell,
    pub(crate) body: Body,
    /// Its rules, as if it ignored bodies.
    pub(crate) rules: Rules,
    pub(crate) stop_distance: u16,
    pub(crate) pose: Pose,
    /// Move ticks at which bodies were in its way.
    pub(crate) waits: u8,
    /// Attempts to clear its way that moved no body.
    pub(crate) failed_pushes: u8,
    /// Whether it may step in this tick: it stands, or it is its move tick.
    pub(crate) may_step: bool,
}

/// How a body that chases is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pose {
    /// It stepped at its last move tick.
    Moving,
    /// It stands, out of reach of its target.
    Waiting,
    /// It stands and has nothing to follow.
    Lost,
    /// It is within reach of its target.
    Reached,
}

/// A body that meets others on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asker {
    pub(crate) agent: Entity,
    pub(crate) id: AgentId,
    pub(crate) target: Entity,
    /// Its rules, as if it ignored bodies.
    pub(crate) rules: Rules,
    pub(crate) stop_distance: u16,
    /// Move ticks at which bodies were in its way.
    pub(crate) waits: u8,
    /// Attempts to clear its way that moved no body.
    pub(crate) failed_pushes: u8,
    /// Whether the target is on its cells.
    pub(crate) is_under: bool,
    /// Whether its way was found past bodies: it leads on behind those beside its target.
    pub(crate) passes: bool,
}

impl Asker {
    /// Whether bodies are to leave its path rather than go along it: at every other attempt, if
    /// that failed.
    pub(crate) const fn clears_path(&self) -> bool {
        self.failed_pushes % 2 == 1
    }
}

/// The relation of a body to another body that meets it, from the readiest to make room to a wall.
// Decision 19: docs/decisions/0019-ways-past-bodies-are-searches.md
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Relation {
    /// Moves on, to the same target or elsewhere.
    Mover,
    /// Waits for the same target.
    Companion,
    /// Waits for a way elsewhere.
    Waiter,
    /// Within reach of the same target, which it has to be as near to as the asker.
    Beside,
    /// Within reach of the same target, by other rules or from further off.
    Outer,
    /// Within reach of another target.
    Settled,
    /// Stays: chases no target, is chased or is paused.
    Stayer,
}

impl Relation {
    /// Returns the relation of a body, or of `None` that stays, to an asker.
    pub(crate) fn of(asker: &Asker, other: Option<&Neighbour>) -> Self {
        let Some(other) = other else {
            return Self::Stayer;
        };
        let is_companion = other.target == asker.target;
        let comes_as_near =
            other.rules == asker.rules && other.stop_distance <= asker.stop_distance;
        match (other.pose, is_companion) {
            (Pose::Reached, true) if comes_as_near => Self::Beside,
            (Pose::Reached, true) => Self::Outer,
            (Pose::Reached, false) => Self::Settled,
            (Pose::Moving, _) => Self::Mover,
            (Pose::Waiting | Pose::Lost, true) => Self::Companion,
            (Pose::Waiting | Pose::Lost, false) => Self::Waiter,
        }
    }

    /// Whether a body, or `None` that stays, [rests](Self::rests) for chasers of a target: all that
    /// the step asks of bodies in front, without a look-up of the body that waits.
    pub(crate) fn rests_for(target: Entity, other: Option<&Neighbour>) -> bool {
        other.is_none_or(|other| other.pose == Pose::Reached && other.target != target)
    }

    /// Whether the other body makes room for the asker.
    ///
    /// On its way it does for a body that waited longer, or as long with a lower number. Of two
    /// that waited, first of all the one with more failed pushes does, since the other one could
    /// not. Within reach of the asker's target, only for an asker whose way leads on past it: else
    /// both would only change places.
    pub(crate) fn yields(self, asker: &Asker, other: &Neighbour) -> bool {
        match self {
            Self::Stayer => false,
            Self::Settled => true,
            Self::Beside | Self::Outer => asker.passes || asker.is_under,
            Self::Mover | Self::Companion | Self::Waiter => {
                let pushes = if other.waits >= Crowding::WAITS_MIN {
                    (other.failed_pushes, asker.failed_pushes)
                } else {
                    (0, 0)
                };
                asker.is_under
                    || (Reverse(pushes.0), other.waits, Reverse(other.id))
                        < (Reverse(pushes.1), asker.waits, Reverse(asker.id))
            }
        }
    }

    /// Whether the body leaves a place beside the asker's target, if asked: it wants to go
    /// elsewhere, or may stand further off.
    pub(crate) const fn leaves_place(self) -> bool {
        matches!(self, Self::Waiter | Self::Outer)
    }

    /// Whether the body will be where it is until it is asked to leave.
    pub(crate) const fn rests(self) -> bool {
        matches!(self, Self::Settled | Self::Stayer)
    }

    /// The toll of a place on which `count` bodies stand, of which this is the least ready to make
    /// room.
    ///
    /// A body beside the target moves along to other places beside it only, so ways lead past a
    /// body that `is_beside` among those places. While bodies do not make room, only bodies that
    /// move on let others pass.
    pub(crate) fn passage(self, count: u8, is_beside: bool, makes_room: bool) -> Passage {
        let toll = |toll: u8| Passage::Toll(toll.saturating_mul(count));
        match self {
            Self::Stayer => Passage::Blocked,
            Self::Mover => toll(MOVER_TOLL),
            _ if !makes_room => Passage::Blocked,
            Self::Companion => toll(MOVER_TOLL),
            Self::Waiter | Self::Outer => toll(WAITER_TOLL),
            Self::Beside if is_beside => Passage::AmongGoals(NEIGHBOUR_TOLL.saturating_mul(count)),
            Self::Beside => toll(NEIGHBOUR_TOLL),
            Self::Settled => toll(SETTLED_TOLL),
        }
    }
}

// Tolls in straight steps, by how long a body keeps another one waiting. Guesses in the order of
// that: a moving body clears its cell in about two move ticks, one beside the target has to find
// another place, a waiting one goes off its way and back, and an arrived one is asked last.
const MOVER_TOLL: u8 = 2;
const NEIGHBOUR_TOLL: u8 = 4;
const WAITER_TOLL: u8 = 8;
const SETTLED_TOLL: u8 = 24;

#[cfg(test)]
mod tests {
    use super::*;
    use Pose::{Lost, Moving, Reached, Waiting};
    use Relation::{Beside, Companion, Mover, Outer, Settled, Stayer, Waiter};
    use nav_grid::Footprint;

    const OWN: Entity = Entity::PLACEHOLDER;

    fn other_target() -> Entity {
        Entity::from_raw_u32(7).expect("a valid index")
    }

    fn asker() -> Asker {
        Asker {
            agent: OWN,
            id: AgentId(5),
            target: OWN,
            rules: Rules::default(),
            stop_distance: 1,
            waits: 3,
            failed_pushes: 0,
            is_under: false,
            passes: false,
        }
    }

    fn neighbour(pose: Pose) -> Neighbour {
        Neighbour {
            id: AgentId(9),
            target: OWN,
            at: Cell::new(0, 0),
            body: Body::default(),
            rules: Rules::default(),
            stop_distance: 1,
            pose,
            waits: 3,
            failed_pushes: 0,
            may_step: true,
        }
    }

    #[test]
    fn relation_of_each_pose() {
        let of = |pose, target| {
            let other = Neighbour {
                target,
                ..neighbour(pose)
            };
            let relation = Relation::of(&asker(), Some(&other));
            assert_eq!(relation.rests(), Relation::rests_for(OWN, Some(&other)));
            relation
        };
        assert_eq!(
            [Moving, Waiting, Lost, Reached].map(|pose| of(pose, OWN)),
            [Mover, Companion, Companion, Beside]
        );
        let elsewhere = [Moving, Waiting, Lost, Reached].map(|pose| of(pose, other_target()));
        assert_eq!(elsewhere, [Mover, Waiter, Waiter, Settled]);
        assert_eq!(Relation::of(&asker(), None), Stayer);
        assert!(Relation::rests_for(OWN, None));
    }

    #[test]
    fn outer_stops_further_off_or_by_other_rules() {
        let archer = Neighbour {
            stop_distance: 6,
            ..neighbour(Reached)
        };
        let mut large = neighbour(Reached);
        large.rules.footprint = Footprint::new(2).expect("a side of two");
        for other in [archer, large] {
            assert_eq!(Relation::of(&asker(), Some(&other)), Outer);
        }
        let also_archer = Asker {
            stop_distance: 6,
            ..asker()
        };
        assert_eq!(Relation::of(&also_archer, Some(&archer)), Beside);
    }

    #[test]
    fn longest_wait_goes_first() {
        for relation in [Mover, Companion, Waiter] {
            let yields = |waits, id| {
                let other = Neighbour {
                    waits,
                    id: AgentId(id),
                    ..neighbour(Waiting)
                };
                relation.yields(&asker(), &other)
            };
            assert_eq!([yields(2, 1), yields(4, 9)], [true, false]);
            // Of equals the lower number.
            assert_eq!([yields(3, 9), yields(3, 1)], [true, false]);
        }
    }

    #[test]
    fn reached_bodies_yield() {
        let other = &neighbour(Reached);
        let passing = Asker {
            passes: true,
            ..asker()
        };
        let under = Asker {
            is_under: true,
            ..asker()
        };
        // By the asker: on its way, on a way past bodies, and under its target.
        let yields = |relation: Relation| {
            [asker(), passing, under].map(|asker| relation.yields(&asker, other))
        };
        assert_eq!(yields(Beside), [false, true, true]);
        assert_eq!(yields(Outer), [false, true, true]);
        assert_eq!(yields(Settled), [true; 3]);
        assert_eq!(yields(Stayer), [false; 3]);
    }

    #[test]
    fn tolls_grow_with_reluctance_and_number() {
        let toll = |relation: Relation, count| match relation.passage(count, false, true) {
            Passage::Toll(toll) => Some(toll),
            _ => None,
        };
        let all = [Mover, Companion, Beside, Waiter, Outer, Settled, Stayer];
        let tolls = [Some(2), Some(2), Some(4), Some(8), Some(8), Some(24), None];
        assert_eq!(all.map(|relation| toll(relation, 1)), tolls);
        assert_eq!(
            (toll(Mover, 3), toll(Settled, 200)),
            (Some(6), Some(u8::MAX))
        );
        assert_eq!(Beside.passage(1, true, true), Passage::AmongGoals(4));
        assert_eq!(Stayer.passage(1, false, true), Passage::Blocked);
    }

    #[test]
    fn without_room_only_movers_let_pass() {
        for relation in [Companion, Waiter, Beside, Outer, Settled, Stayer] {
            assert_eq!(
                relation.passage(1, true, false),
                Passage::Blocked,
                "{relation:?}"
            );
        }
        assert_eq!(Mover.passage(1, true, false), Passage::Toll(2));
    }
}
