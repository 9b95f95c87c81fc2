//! The choice of a cell for one body, among the cells that its guide ranks and other bodies leave
//! free.

use super::{
    outcomes::{Outcome, Rest},
    proposals::Proposal,
};
use crate::{
    BodyKind,
    occupancy::{BodyPlaces, Entries, Footing, GateAsk, OccupancyRows},
    systems::guidance::{nearest, without},
};
use bevy_ecs::entity::EntityIndex;
use nav_grid::{Cell, Direction, Directions};

/// The result for a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Step(Cell),
    /// A cell that the gate has to admit first.
    Ask(Cell),
    Blocked,
}

/// Moves a body to the cell that it gets on the ground, before or after all others. Returns the
/// outcome.
pub(super) fn step_alone(
    occupancy: &mut BodyPlaces,
    proposal: &Proposal,
    best_at: impl FnMut(Cell) -> Directions,
) -> Outcome {
    let (agent, map, from, body) = (proposal.agent, proposal.map, proposal.from, proposal.body);
    let rows = occupancy.floor(map, from.floor);
    match rows.map_or(Choice::Blocked, |rows| choose(&rows, proposal, best_at)) {
        Choice::Step(to) => {
            occupancy.step(agent, map, to);
            Outcome::Step(Footing::new(to, body.footprint))
        }
        Choice::Ask(to) => {
            occupancy.asks.push(GateAsk { agent, from, to });
            Outcome::Ask
        }
        Choice::Blocked => WAITS,
    }
}

/// The outcome of a body that found no cell by itself. It looks again after its chasing period: no
/// body that goes away wakes it.
pub(super) const WAITS: Outcome = Outcome::Rest(Rest {
    is_in_front: true,
    is_held: false,
    is_woken: false,
    has_failed: false,
});

/// Returns the cell that a body gets by one of its ranked steps: the best that is free, a side by
/// which it goes round the bodies on those, or any other. A soft body goes through where none is
/// free.
///
/// `best_at` returns the best steps that lead on from a cell, as for [`go_round`].
pub(super) fn choose(
    rows: &OccupancyRows,
    proposal: &Proposal,
    mut best_at: impl FnMut(Cell) -> Directions,
) -> Choice {
    let (from, body, ranked) = (proposal.from, proposal.body, &proposal.ranked);
    let best = ranked.tiers[0];
    let Entries { mut free, closed } = rows.entries(proposal.agent, body, from, ranked.any());
    // Straight on as soon as the gate admits it.
    if !closed.intersection(best).is_empty() {
        free = free.intersection(best);
    }
    let mut step = first(rows, proposal, free, &mut best_at);
    if step.is_none() && body.kind == BodyKind::Soft {
        step = nearest(best, ranked.toward);
    }
    if let Some(to) = step.and_then(|step| from.step(step)) {
        return Choice::Step(to);
    }
    let ask = first(rows, proposal, closed, best_at).and_then(|ask| from.step(ask));
    ask.map_or(Choice::Blocked, Choice::Ask)
}

/// Returns the first of some steps: one of the best, a side by which the body goes round, or any
/// other.
#[inline]
fn first(
    rows: &OccupancyRows,
    proposal: &Proposal,
    steps: Directions,
    best_at: impl FnMut(Cell) -> Directions,
) -> Option<Direction> {
    let (toward, [best, sides, others]) = (proposal.ranked.toward, proposal.ranked.tiers);
    nearest(steps.intersection(best), toward)
        .or_else(|| go_round(rows, proposal, steps.intersection(sides), best_at))
        .or_else(|| nearest(steps.intersection(others), toward))
}

/// A step to the side, by preference toward the target, from which a best step is free or may be
/// admitted: a body that comes nearer by two steps does not go to and fro.
///
/// `best_at` returns the best steps that lead on from a cell; none beside the target, where they
/// end on it.
fn go_round(
    rows: &OccupancyRows,
    proposal: &Proposal,
    mut sides: Directions,
    mut best_at: impl FnMut(Cell) -> Directions,
) -> Option<Direction> {
    // In a crowd there is mostly none.
    while let Some(side) = nearest(sides, proposal.ranked.toward) {
        sides = without(sides, side);
        let to = proposal.from.step(side)?;
        let Entries { free, closed } = rows.entries(proposal.agent, proposal.body, to, best_at(to));
        if !free.is_empty() || !closed.is_empty() {
            return Some(side);
        }
    }
    None
}

/// Whether a body that rests stands where a proposal leads first. Looked up only where it counts:
/// bodies in the way to a target that stands are passed whatever they are.
pub(super) fn is_held(
    rows: &OccupancyRows,
    proposal: &Proposal,
    mut rests: impl FnMut(EntityIndex) -> bool,
) -> bool {
    let first = proposal.ranked.first(proposal.from);
    let Some(to) = first.filter(|_| proposal.minds_stayers) else {
        return false;
    };
    let mut cells = proposal.body.footprint.area(to).cells();
    cells.any(|cell| {
        // A sleeper waits in a chase of its own. In a crowd most sleep, and need no look-up.
        let holder = (!rows.is_asleep(cell)).then(|| rows.holder(cell)).flatten();
        holder.is_some_and(|holder| holder != proposal.agent.index() && rests(holder))
    })
}

#[cfg(test)]
mod tests {
    use super::{
        super::drawing::{Drawing, agent},
        *,
    };
    use crate::systems::guidance::{Ranked, heading};
    use nav_grid::Rules;
    use std::cmp::Ordering::{Equal, Greater, Less};

    /// Returns the steps of a body at a cell by a field that leads straight to `T`: nearer to it,
    /// alongside, and away from it. None ends on `T`.
    fn field(drawing: &Drawing, sign: char, from: Cell) -> Ranked {
        let target = drawing.find('T');
        let rules = Rules {
            footprint: drawing.body(sign).footprint,
            ..Rules::default()
        };
        let steps = drawing.grid.steps(from, rules);
        let tiers = [Less, Equal, Greater].map(|order| {
            let leads = |way: &Direction| {
                let to = from.step(*way).map(|to| to.chebyshev(target));
                to.is_some_and(|away| away > 0 && away.cmp(&from.chebyshev(target)) == order)
            };
            steps.into_iter().filter(leads).collect()
        });
        Ranked {
            tiers,
            link: None,
            toward: heading(from, target).expect("a target elsewhere"),
        }
    }

    /// Returns what the body `A`, or the soft body `1`, chooses in a drawing, by steps of a number
    /// of tiers.
    fn chosen(rows: &[&str], tiers: usize) -> Choice {
        let (drawing, mut taken) = (Drawing::new(rows), Drawing::new(rows));
        let sign = drawing.first('A').map_or('1', |_| 'A');
        let mut ranked = field(&drawing, sign, drawing.find(sign));
        ranked.tiers[tiers..].fill(Directions::NONE);
        let proposal = drawing.proposal(sign, ranked);
        choose(&taken.floor(), &proposal, |at| {
            if at.chebyshev(drawing.find('T')) > 1 {
                field(&drawing, sign, at).tiers[0]
            } else {
                Directions::NONE
            }
        })
    }

    /// Checks that the body steps to the cell with `o`, asks the gate for the one with `?`, or is
    /// blocked where neither is drawn.
    fn check(tiers: usize, drawings: &[&[&str]]) {
        for rows in drawings {
            let drawing = Drawing::new(rows);
            let expected = match (drawing.first('o'), drawing.first('?')) {
                (Some(to), _) => Choice::Step(to),
                (None, Some(to)) => Choice::Ask(to),
                (None, None) => Choice::Blocked,
            };
            assert_eq!(chosen(rows, tiers), expected, "{rows:?}");
        }
    }

    #[test]
    fn best_step_that_is_free() {
        check(
            2,
            &[
                &["....", "Ao.T", "...."],
                &["....", "AB.T", ".o.."],
                &[".o..", "AB.T", ".C.."],
                &[".#..", "AB.T", ".#.."],
            ],
        );
    }

    #[test]
    fn side_from_which_a_way_leads_on() {
        check(
            2,
            &[
                // Both lead on, and the first is clockwise of the target.
                &["....", ".B..", "AC.T", "oD..", "...."],
                &["....", "oB..", "AC.T", ".D.."],
                // No way leads on.
                &[".B..", "AC.T", ".D.."],
            ],
        );
        // Beside the target a side leads no nearer.
        check(2, &[&["..", "AT", ".."]]);
    }

    #[test]
    fn other_steps_come_last() {
        check(
            3,
            &[
                &["..B..", ".AC.T", "o.D.."],
                &["..B..", ".AC.T", ".oD..", "....."],
            ],
        );
        check(2, &[&["..B..", ".AC.T", "..D.."]]);
    }

    #[test]
    fn soft_body_goes_through() {
        assert_eq!(chosen(&["1B.T"], 3), Choice::Step(Cell::new(1, 0)));
        // It needs no leave of the gate either.
        assert_eq!(chosen(&["1=.T"], 3), Choice::Step(Cell::new(1, 0)));
        // Free cells come first.
        check(3, &[&["....", "1B.T", ".o.."]]);
        // It stays where nothing leads nearer.
        check(3, &[&["1#.T"]]);
    }

    #[test]
    fn gate_is_asked_for_the_best_step() {
        check(
            3,
            &[
                &["A?.T"],
                // An equally good free cell needs no leave.
                &[".=..", "A=.T", ".o.."],
                // Straight on as soon as the gate admits it: no side is taken meanwhile.
                &[".=..", "A?.T", ".=..", "...."],
                &[".B..", "A?.T", ".C..", "...."],
            ],
        );
    }

    #[test]
    fn gate_is_asked_for_other_steps() {
        // For a side from which a way leads on, or may once the gate admits it.
        check(
            2,
            &[
                &[".B..", "AC.T", "?D..", "...."],
                &[".B..", "AC.T", "?D..", ".=.."],
            ],
        );
        // A side that leads on free ground needs no leave.
        check(2, &[&["....", "oB..", "AC.T", "=D..", "...."]]);
        check(3, &[&["#.B..", "?AC.T", "#.D.."]]);
    }

    #[test]
    fn large_body_needs_all_cells() {
        assert_eq!(
            chosen(&["AA..T", "AA..."], 2),
            Choice::Step(Cell::new(1, 0))
        );
        check(2, &[&["AA..T", "AAB..", "....."]]);
        let room = ["AA..T", "AAB..", ".....", "....."];
        assert_eq!(chosen(&room, 2), Choice::Step(Cell::new(0, 1)));
        // One closed cell is enough to ask.
        assert_eq!(chosen(&["AA..T", "AA=.."], 2), Choice::Ask(Cell::new(1, 0)));
    }

    #[test]
    fn held_by_a_body_that_rests() {
        let held = |rows: &[&str], resting: &str, asleep: &str, minds_stayers| {
            let mut drawing = Drawing::new(rows);
            for sign in asleep.chars() {
                let at = drawing.find(sign);
                drawing.floor().sleep(at);
            }
            let east = Ranked::steps(Direction::East.into(), Direction::East);
            let proposal = Proposal {
                minds_stayers,
                ..drawing.proposal('A', east)
            };
            let mut resting = resting.chars().map(|sign| agent(sign).index());
            is_held(&drawing.floor(), &proposal, |holder| {
                resting.any(|other| other == holder)
            })
        };
        assert!(held(&["AB."], "B", "", true));
        assert!(!held(&["AB."], "B", "", false));
        assert!(!held(&["AB."], "", "", true));
        // A sleeper waits itself.
        assert!(!held(&["AB."], "B", "B", true));
        assert!(!held(&["A.B"], "B", "", true));
        // A large body is held by any, but not by itself.
        assert!(held(&["AA.", "AAB"], "B", "", true));
        assert!(!held(&["AA.", "AA."], "A", "", true));
    }

    #[test]
    fn alone_on_the_ground() {
        let mut drawing = Drawing::new(&["AB.", "..."]);
        let ranked = Ranked::steps(Directions::ALL, Direction::East);
        let proposal = drawing.proposal('A', ranked);
        let outcome = step_alone(&mut drawing.places, &proposal, |_| Directions::NONE);
        assert!(matches!(outcome, Outcome::Step(_)));
        assert_eq!(drawing.picture(), [".B.", ".A."]);
        // There is no such floor.
        let nowhere = Proposal {
            map: agent('M'),
            ..proposal
        };
        let outcome = step_alone(&mut drawing.places, &nowhere, |_| Directions::NONE);
        assert!(matches!(outcome, Outcome::Rest(_)));
    }
}
