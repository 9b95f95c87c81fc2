//! Moves by links, whose ends lie anywhere: one after the other, since strips of ground do not hold
//! them.

use super::{choose::WAITS, intent::StepParams, outcomes::Outcome, proposals::Proposal};
use crate::{
    Body, BodyKind, NavMap, OnMap,
    links::{Traffic, any_slow_link, held_start, slow_link},
    occupancy::{BodyPlaces, Entry, Footing, GateAsk},
    systems::{
        guidance::Ranked,
        storage::{
            columns::{ChaserData, ChaserView},
            targets::Targets,
            tick_events::{TickEvents, in_order},
        },
    },
};
use bevy_ecs::prelude::*;
use nav_grid::Cell;

/// Whether a chaser goes to a cell by a link that holds few walkers.
#[inline(always)]
pub(super) fn is_bounded(map: &NavMap, chaser: &ChaserView, to: Cell) -> bool {
    let link = slow_link(map, chaser.cell(), to, || chaser.chaser.rules);
    link.is_some_and(|link| link.capacity > 0)
}

/// Returns the moves of a body whose first step is by a link that takes time or holds few: that
/// link alone, though its end may be beside the body.
#[inline(always)]
pub(super) fn by_slow_link(map: &NavMap, chaser: &ChaserView, ranked: Ranked) -> Ranked {
    if !map.grid().has_slow_links() {
        return ranked;
    }
    let from = chaser.cell();
    match ranked.first(from) {
        Some(to) if slow_link(map, from, to, || chaser.chaser.rules).is_some() => Ranked {
            link: Some(to),
            ..Ranked::default()
        },
        _ => ranked,
    }
}

/// Moves a body to the end of its link. Returns the outcome.
///
/// A body that waits for others to leave the link counts no wait, as before a gate: no body could
/// make room.
pub(super) fn link_alone(
    occupancy: &mut BodyPlaces,
    traffic: &mut Traffic,
    map: Option<&NavMap>,
    proposal: &Proposal,
) -> Outcome {
    let (agent, of_map, from, body) = (proposal.agent, proposal.map, proposal.from, proposal.body);
    let Some(to) = proposal.ranked.link else {
        return WAITS;
    };
    let slow = map.filter(|map| map.grid().has_slow_links());
    let link = slow.and_then(|map| any_slow_link(map, from, to));
    if link.is_some_and(|link| traffic.is_full(of_map, link)) {
        return Outcome::Ask;
    }
    match (occupancy.entry(of_map, agent, body, to), body.kind) {
        (Entry::Free, _) | (_, BodyKind::Soft) => {
            occupancy.step(agent, of_map, to);
            if let (Some(_), Some(map)) = (link, map) {
                traffic.enter(agent, of_map, (from, to));
                // From now on, so that no body enters it in this tick.
                let size = map.grid().size();
                if let Some(footprint) = held_start(body.footprint, from, to) {
                    occupancy.hold(agent, of_map, size, (from, footprint));
                }
            }
            Outcome::Step(Footing::new(to, body.footprint))
        }
        (Entry::Closed, _) => {
            occupancy.asks.push(GateAsk { agent, from, to });
            Outcome::Ask
        }
        (Entry::Taken, _) => WAITS,
    }
}

/// Whether ghosts wait for their turn at links.
pub(super) fn are_asked(events: Res<TickEvents>) -> bool {
    !events.at_links.is_empty()
}

/// Moves ghosts by links that hold few walkers, in the order of their numbers; the others wait for
/// their chasing period.
pub(super) fn take_turns(
    params: StepParams,
    mut targets: ResMut<Targets>,
    mut traffic: ResMut<Traffic>,
    mut ghosts: Query<ChaserData, (With<OnMap>, Without<Body>)>,
    mut events: ResMut<TickEvents>,
) {
    let mut turns = std::mem::take(&mut events.at_links);
    for &(_, agent, (to, arrives)) in in_order(&mut turns) {
        let Ok(mut ghost) = ghosts.get_mut(agent) else {
            continue;
        };
        ghost.visit(|mut ghost| {
            let mut views = params.views(&targets);
            let Some(view) = views.followed(&ghost) else {
                return;
            };
            let (from, map) = (ghost.cell(), view.target.seen.map);
            if any_slow_link(view.map, from, to).is_some_and(|link| traffic.is_full(map, link)) {
                params.hold(view, &mut ghost);
                return;
            }
            traffic.enter(agent, map, (from, to));
            params.go(view, &mut ghost, (to, arrives), &mut events);
        });
        if ghost.position.is_changed() {
            targets.set_position(agent, *ghost.position);
        }
    }
    turns.clear();
    events.at_links = turns;
}

#[cfg(test)]
mod tests {
    use super::{
        super::drawing::{Drawing, MAP, agent},
        *,
    };
    use nav_grid::Link;

    /// Moves bodies by a link to the last cell of a row, one after the other. Returns the outcomes,
    /// the row afterwards, and how often the gate is asked.
    fn moves(row: &str, signs: &str, link: impl Fn(Link) -> Link) -> (Vec<Outcome>, String, usize) {
        let mut drawing = Drawing::new(&[row]);
        let mut grid = drawing.grid.clone();
        let to = Cell::new(row.len() as u16 - 1, 0);
        let places = signs.chars().map(|sign| drawing.find(sign));
        let places: Vec<Cell> = places.collect();
        for &from in &places {
            grid.set_link(link(Link::new(from, to))).expect("cells");
        }
        let (map, mut traffic) = (NavMap::plain(grid), Traffic::default());
        let signs = signs.chars().zip(&places);
        let outcomes = signs.map(|(sign, &from)| {
            let proposal = drawing.proposal(sign, Ranked::to(from, to));
            link_alone(&mut drawing.places, &mut traffic, Some(&map), &proposal)
        });
        let outcomes = outcomes.collect();
        let picture = drawing.picture().remove(0);
        (outcomes, picture, drawing.places.asks.len())
    }

    fn goes(column: u16) -> Outcome {
        Outcome::Step(Footing::new(
            Cell::new(column, 0),
            Body::default().footprint,
        ))
    }

    #[test]
    fn first_body_takes_the_link() {
        let plain = |row, signs| moves(row, signs, |link| link);
        assert_eq!(plain("A...", "A"), (vec![goes(3)], "...A".into(), 0));
        assert_eq!(plain("A..B", "A"), (vec![WAITS], "A..B".into(), 0));
        assert_eq!(plain("A..=", "A"), (vec![Outcome::Ask], "A..=".into(), 1));
        let both = |first, second| vec![first, second];
        let row = "A.B....";
        assert_eq!(
            plain(row, "AB"),
            (both(goes(6), WAITS), "..B...A".into(), 0)
        );
        assert_eq!(
            plain(row, "BA"),
            (both(goes(6), WAITS), "A.....B".into(), 0)
        );
        // A soft body shares the end, which another one still holds, and needs no leave.
        assert_eq!(plain("1..B", "1"), (vec![goes(3)], "...B".into(), 0));
        assert_eq!(plain("1..=", "1"), (vec![goes(3)], "...1".into(), 0));
        assert_eq!(plain("1.2....", "12").0, both(goes(6), goes(6)));
    }

    #[test]
    fn body_on_a_link_holds_both_ends() {
        let (outcomes, row, asks) = moves("A...", "A", |link| link.with_millis(400));
        assert_eq!((outcomes, row.as_str(), asks), (vec![goes(3)], "A..A", 0));
        // Nothing is left to hold where both overlap.
        let mut drawing = Drawing::new(&["AA..", "AA.."]);
        let mut grid = drawing.grid.clone();
        let link = Link::new(Cell::new(0, 0), Cell::new(1, 0)).with_millis(400);
        grid.set_link(link).expect("cells");
        let (map, mut traffic) = (NavMap::plain(grid), Traffic::default());
        let ranked = Ranked {
            link: Some(link.to),
            ..Ranked::default()
        };
        let proposal = drawing.proposal('A', ranked);
        link_alone(&mut drawing.places, &mut traffic, Some(&map), &proposal);
        assert_eq!(drawing.picture(), [".AA.", ".AA."]);
    }

    #[test]
    fn full_link_counts_no_wait() {
        let mut drawing = Drawing::new(&["A...B"]);
        let mut grid = drawing.grid.clone();
        let up = Link::new(Cell::new(0, 0), Cell::new(2, 0)).with_capacity(1);
        grid.set_link(up).expect("cells");
        let (map, mut traffic) = (NavMap::plain(grid), Traffic::default());
        traffic.enter(agent('B'), MAP, (up.to, up.from));
        let proposal = drawing.proposal('A', Ranked::to(up.from, up.to));
        let outcome = link_alone(&mut drawing.places, &mut traffic, Some(&map), &proposal);
        assert_eq!(outcome, Outcome::Ask);
        assert!(drawing.places.asks.is_empty());
        assert_eq!(drawing.picture(), ["A...B"]);
    }
}
