//! The choice among the targets of a threat list: a pure function of amounts.

use bevy_ecs::entity::Entity;
use nav::{AgentId, NavTime};
use std::cmp::Reverse;

/// The percentage of the present target's amount that another one beside the chaser has to exceed.
/// The number of MMO servers, such as `TrinityCore` and `AzerothCore`.
const PERCENT_BESIDE: u64 = 110;

/// The same further away: a chaser does not turn its back on fighters for little. From the same
/// servers.
const PERCENT_BEYOND: u64 = 130;

/// A target that may be chased.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) target: Entity,
    pub(super) id: AgentId,
    pub(super) amount: u32,
    pub(super) is_beside: bool,
}

impl Candidate {
    /// Whether it takes over from a target with an amount.
    fn exceeds(&self, held: u32) -> bool {
        let percent = if self.is_beside {
            PERCENT_BESIDE
        } else {
            PERCENT_BEYOND
        };
        u64::from(self.amount) * 100 > u64::from(held) * percent
    }
}

/// The present chase of an agent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Present {
    pub(super) target: Option<Entity>,
    /// The amount that others have to exceed; `None` if any other target is better.
    pub(super) held: Option<u32>,
    /// Whether the game took the target off the list.
    pub(super) is_dropped: bool,
    /// Until when the agent ignores the target if there is another one: it is out of reach for too
    /// long.
    pub(super) ignored_until: Option<NavTime>,
}

/// The target to which an agent switches, if it does: the taunter, or else the highest candidate
/// that takes over.
pub(super) fn choose(
    candidates: &[Candidate],
    present: Present,
    taunter: Option<Entity>,
) -> Option<Candidate> {
    if let Some(taunter) = candidates.iter().find(|one| Some(one.target) == taunter) {
        return (Some(taunter.target) != present.target).then_some(*taunter);
    }
    let others = candidates.iter().filter(|one| {
        Some(one.target) != present.target && present.held.is_none_or(|held| one.exceeds(held))
    });
    let highest = others.max_by_key(|one| (one.amount, Reverse((one.id, one.target))));
    highest.copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_ecs::prelude::*;

    /// The amounts of three targets, each beside the chaser if it is negative.
    fn candidates(amounts: [i64; 3]) -> Vec<Candidate> {
        let mut world = World::new();
        let one = |(n, amount): (u32, i64)| Candidate {
            target: world.spawn_empty().id(),
            id: AgentId(9 - n),
            amount: u32::try_from(amount.unsigned_abs()).unwrap(),
            is_beside: amount < 0,
        };
        (0..).zip(amounts).map(one).collect()
    }

    #[test]
    fn highest_takes_over() {
        /// Off the list, which has an amount of 0.
        const OFF: Option<usize> = Some(3);
        let most = i64::from(u32::MAX);
        // The present target, the taunter and the one to which the chaser switches.
        let cases = [
            ([5, 9, 2], None, None, Some(1)),
            // Of equal ones the least number.
            ([9, 5, 9], None, None, Some(2)),
            ([0, 0, 0], None, None, Some(2)),
            ([100, 130, 0], Some(0), None, None),
            ([100, 131, 0], Some(0), None, Some(1)),
            ([100, -110, 0], Some(0), None, None),
            ([100, -111, 0], Some(0), None, Some(1)),
            // The highest candidate that takes over, which is not the highest.
            ([100, 130, -120], Some(0), None, Some(2)),
            ([-100, 50, 131], Some(0), None, Some(2)),
            ([0, 0, 1], Some(0), None, Some(2)),
            ([0, 0, 0], Some(0), None, None),
            ([most, most, 0], Some(0), None, None),
            // A taunter, beside the present target and as that.
            ([100, 1, 0], Some(0), Some(1), Some(1)),
            ([1, 100, 0], Some(0), Some(0), None),
            ([5, 9, 2], None, Some(2), Some(2)),
            ([0, 0, 0], OFF, None, None),
            ([0, 1, 0], OFF, None, Some(1)),
        ];
        for (amounts, present, taunter, expected) in cases {
            let all = candidates(amounts);
            let target = |at: usize| all.get(at).map_or(Entity::PLACEHOLDER, |one| one.target);
            let held = |at: usize| all.get(at).map_or(0, |one| one.amount);
            let before = Present {
                target: present.map(target),
                held: present.map(held),
                ..Present::default()
            };
            let chosen = choose(&all, before, taunter.map(target));
            let expected = expected.map(target);
            let chosen = chosen.map(|chosen| chosen.target);
            assert_eq!(chosen, expected, "{amounts:?}, {present:?}, {taunter:?}");
        }
    }

    #[test]
    fn skipped_holds_nothing() {
        let all = candidates([1, 2, 3]);
        let before = Present {
            target: Some(Entity::PLACEHOLDER),
            ..Present::default()
        };
        let chosen = choose(&all[..1], before, Some(all[2].target));
        assert_eq!(chosen.map(|chosen| chosen.target), Some(all[0].target));
        assert!(choose(&[], before, None).is_none());
    }
}
