//! Drawn worlds, in which NPCs notice the same targets as a naive look at all agents.

use super::scene::{chased, guard, player};
use crate::scene::on_with_behaviours;
use bevy_ecs::prelude::*;
use nav::{Chasing, Paused};
use nav_behaviour::{Home, Leash, LeashFrom, Notice, Noticeable, Returning};
use nav_grid::{Cell, Grid, PathQuery, Size, smoothing::LineOfSight};
use nav_judge::by_tier;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

/// An NPC of a drawn world, as a naive look sees it.
struct Npc {
    agent: Entity,
    cell: Cell,
    notice: Notice,
    leash: Option<Leash>,
    home: Option<Cell>,
    state: u32,
}

impl Npc {
    fn may_follow(&self, to: Cell) -> bool {
        let tied = match (self.leash, self.home) {
            (Some(leash), Some(home)) if leash.from == LeashFrom::Home => home,
            _ => self.cell,
        };
        self.leash
            .is_none_or(|leash| tied.floor == to.floor && tied.chebyshev(to) <= leash.range)
    }

    fn is_free(&self) -> bool {
        self.state < 3
    }
}

/// The rank of a target among those in range; numbers follow the order of spawning.
fn rank(from: Cell, to: Cell, number: usize) -> (u16, u32, usize) {
    let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    let square = |side: u16| u32::from(side) * u32::from(side);
    (from.chebyshev(to), square(dx) + square(dy), number)
}

#[test]
#[expect(
    clippy::too_many_lines,
    reason = "a drawn world, and what a naive look says of it, side by side"
)]
fn same_as_naive_look() {
    let worlds = by_tier(100, 1000);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut noticed, mut called, mut unseen) = (0, 0, 0);
    for drawn in 0..worlds {
        let sighted = drawn % 2 == 1;
        let side = random.random_range(12..90_u16);
        let size = Size::new(side, random.random_range(12..40_u16)).with_floors(2);
        let grid = Grid::build(size, |_| random.random_range(0..6) > 0).unwrap();
        let mut world = on_with_behaviours(grid.clone());
        let mut cell = || Cell {
            x: random.random_range(0..size.width),
            y: random.random_range(0..size.height),
            floor: 0,
        };
        let places: Vec<Cell> = (0..40).map(|_| cell()).collect();
        let floor = |random: &mut Xoshiro256PlusPlus| u8::from(random.random_range(0..5) == 0);
        let players: Vec<(Entity, Cell, u32)> = places[..8]
            .iter()
            .map(|at| {
                let at = at.on_floor(floor(&mut random));
                let factions = random.random_range(1..4_u32);
                let one = player(&mut world, at);
                world
                    .world()
                    .entity_mut(one)
                    .insert(Noticeable { factions });
                (one, at, factions)
            })
            .collect();
        let npcs: Vec<Npc> = places[8..]
            .iter()
            .map(|at| {
                let cell = at.on_floor(floor(&mut random));
                let notice = Notice {
                    range: random.random_range(0..14),
                    needs_sight: sighted,
                    whom: random.random_range(0..4),
                    calls: if sighted {
                        0
                    } else {
                        random.random_range(0..12)
                    },
                };
                let agent = guard(&mut world, cell, notice);
                let leash = (random.random_range(0..3) == 0).then(|| Leash {
                    from: LeashFrom::Home,
                    ..Leash::new(random.random_range(0..12))
                });
                let home = Cell::new(cell.x.saturating_sub(2), cell.y).on_floor(cell.floor);
                let home = (random.random_range(0..4) == 0).then_some(home);
                let state = random.random_range(0..6);
                let mut npc = world.world().entity_mut(agent);
                leash.map(|leash| npc.insert(leash));
                home.map(|home| npc.insert(Home(home)));
                match state {
                    3 => drop(npc.insert(Paused::default())),
                    4 => drop(npc.insert(Chasing(players[0].0))),
                    5 => drop(npc.insert(Returning)),
                    _ => {}
                }
                let home_known = home;
                Npc {
                    agent,
                    cell,
                    notice,
                    leash,
                    home: home_known,
                    state,
                }
            })
            .collect();
        // NPCs that need sight look in turns, and players stand still. NPCs on their way home have
        // left their place by then.
        let goes_home = |npc: &Npc| npc.home.is_some() && (npc.is_free() || npc.state == 5);
        world.tick(1);
        let own: Vec<Option<usize>> = npcs
            .iter()
            .map(|npc| {
                let Notice { range, whom, .. } = npc.notice;
                let in_range = |&(number, &(_, at, factions)): &(usize, &(Entity, Cell, u32))| {
                    npc.is_free()
                        && at.floor == npc.cell.floor
                        && at.chebyshev(npc.cell) <= range
                        && factions & whom != 0
                        && npc.may_follow(players[number].1)
                };
                let sees = |to: Cell| {
                    let sight = LineOfSight::new(&grid, &PathQuery::new(npc.cell, to));
                    !sighted || sight.sees(npc.cell, to)
                };
                let near = players.iter().enumerate().filter(in_range);
                let all = near.clone().count();
                let seen = near.filter(|(_, player)| sees(player.1));
                let nearest = seen.min_by_key(|&(number, player)| rank(npc.cell, player.1, number));
                unseen += usize::from(all > 0 && nearest.is_none());
                nearest.map(|(number, _)| number)
            })
            .collect();
        let hear = |npc: &Npc| {
            let calls = npcs
                .iter()
                .zip(&own)
                .enumerate()
                .filter_map(|(number, (by, &own))| {
                    let target = &players[own?];
                    let common = by.notice.whom & npc.notice.whom & target.2;
                    let is_near = by.cell.chebyshev(npc.cell) <= by.notice.calls;
                    let is_call = by.notice.calls > 0 && by.cell.floor == npc.cell.floor;
                    let follows = npc.is_free() && npc.may_follow(target.1);
                    (common != 0 && is_near && is_call && follows)
                        .then(|| (rank(npc.cell, by.cell, number), own))
                });
            calls.min_by_key(|&(rank, _)| rank)?.1
        };
        let expected: Vec<Option<usize>> = npcs
            .iter()
            .zip(&own)
            .map(|(npc, own)| own.or_else(|| hear(npc)))
            .collect();
        if sighted {
            world.tick(6);
        }
        for (npc, expected) in npcs.iter().zip(&expected) {
            if npc.state == 4 || sighted && goes_home(npc) {
                continue;
            }
            let target = chased(&world, npc.agent);
            let target = target.and_then(|target| players.iter().position(|one| one.0 == target));
            assert_eq!(
                target, *expected,
                "world {drawn}, {} at {}",
                npc.agent, npc.cell
            );
        }
        noticed += own.iter().flatten().count();
        called += expected.iter().flatten().count() - own.iter().flatten().count();
    }
    assert!(
        noticed > worlds && 10 * called > 3 * worlds && 10 * unseen > worlds,
        "{noticed} {called} {unseen}"
    );
}
