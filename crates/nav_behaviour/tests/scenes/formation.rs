//! Formations behind, beside and around a leader.

use super::scene::{
    TestWorld, activity, open_with_behaviours, open_with_formations, walk_ends, with_behaviours,
};
use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, Chaser, Chasing, OnMap};
use nav_behaviour::{Activity, Formation, FormationShape, Home, InFormation};
use nav_grid::Cell;
use std::collections::BTreeSet;

/// Spawns members with bodies around a leader in a cell.
fn squad(
    world: &mut TestWorld,
    leader: (u16, u16),
    shape: FormationShape,
    count: u16,
) -> (Entity, Vec<Entity>) {
    let leader_entity = world.target(leader);
    let formation = Formation::new(shape);
    world
        .world()
        .entity_mut(leader_entity)
        .insert((formation, Body::default()));
    let members = (0..count)
        .map(|n| {
            let place = (
                CellPosition::new(leader.0 - 1, leader.1 + n),
                OnMap(world.map),
            );
            let member = (
                Chaser::default(),
                Body::default(),
                InFormation(leader_entity),
                place,
            );
            world.world().spawn(member).id()
        })
        .collect();
    (leader_entity, members)
}

fn cells(world: &TestWorld, members: &[Entity]) -> Vec<Cell> {
    members.iter().map(|&member| world.cell(member)).collect()
}

/// Leads a squad along a row, four cells a second.
fn lead(world: &mut TestWorld, leader: Entity, cells: impl Iterator<Item = (u16, u16)>) {
    for cell in cells {
        world.put(leader, cell);
        world.tick(5);
    }
}

#[test]
fn wedge_follows_leader() {
    let mut world = open_with_behaviours(60, 21);
    let (leader, members) = squad(&mut world, (5, 10), FormationShape::Wedge, 4);
    lead(&mut world, leader, (6..40).map(|x| (x, 10)));
    world.seconds(3);
    assert_eq!(
        cells(&world, &members),
        [(38, 11), (38, 9), (37, 12), (37, 8)].map(Cell::from)
    );
    assert!(
        members
            .iter()
            .all(|&member| activity(&world, member) == Activity::Idle)
    );
}

#[test]
fn members_with_homes() {
    let mut world = open_with_behaviours(60, 21);
    let (leader, members) = squad(&mut world, (5, 10), FormationShape::Wedge, 2);
    let homes = [(2, 2), (2, 18)].map(Cell::from);
    for (&member, home) in members.iter().zip(homes) {
        world.world().entity_mut(member).insert(Home(home));
    }
    lead(&mut world, leader, (6..30).map(|x| (x, 10)));
    world.seconds(3);
    assert_eq!(cells(&world, &members), [(28, 11), (28, 9)].map(Cell::from));
    for &member in &members {
        world.world().entity_mut(member).remove::<InFormation>();
    }
    world.seconds(20);
    assert_eq!(cells(&world, &members), homes);
}

#[test]
fn line_turns_with_leader() {
    let mut world = open_with_behaviours(60, 60);
    let (leader, members) = squad(&mut world, (10, 30), FormationShape::Line, 4);
    lead(&mut world, leader, (11..30).map(|x| (x, 30)));
    world.seconds(3);
    assert!(cells(&world, &members).iter().all(|cell| cell.x == 29));
    lead(&mut world, leader, (31..45).map(|y| (29, y)));
    world.seconds(3);
    assert!(cells(&world, &members).iter().all(|cell| cell.y == 44));
}

#[test]
fn formation_passes_a_door() {
    let mut rows = vec![".".repeat(40); 21];
    for (y, row) in rows.iter_mut().enumerate() {
        if y != 10 {
            row.replace_range(18..22, "####");
        }
    }
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut world = with_behaviours(&rows);
    let (leader, members) = squad(&mut world, (5, 10), FormationShape::Wedge, 6);
    lead(&mut world, leader, (6..36).map(|x| (x, 10)));
    world.seconds(4);
    let at = cells(&world, &members);
    assert!(at.iter().all(|cell| (30..36).contains(&cell.x)), "{at:?}");
    let spread: BTreeSet<u16> = at.iter().map(|cell| cell.y).collect();
    assert_eq!(spread, BTreeSet::from([7, 8, 9, 11, 12, 13]));
}

#[test]
fn members_share_a_dead_end() {
    // A dead end, in which only the leader has room beside another agent.
    let mut world = with_behaviours(&[
        "####################",
        "#..................#",
        "####################",
    ]);
    let leader = world.target((4, 1));
    let formation = Formation::new(FormationShape::Ring);
    world.world().entity_mut(leader).insert(formation);
    let members: Vec<Entity> = (0..3)
        .map(|n| {
            let place = (CellPosition::new(3 - n, 1), OnMap(world.map));
            let member = (
                Chaser::default(),
                Body::default(),
                InFormation(leader),
                place,
            );
            world.world().spawn(member).id()
        })
        .collect();
    lead(&mut world, leader, (5..19).map(|x| (x, 1)));
    world.seconds(5);
    let still = cells(&world, &members);
    assert_eq!(still, [(17, 1), (16, 1), (15, 1)].map(Cell::from));
    let steps = world.diagnostics().total.steps;
    world.seconds(30);
    assert_eq!(world.diagnostics().total.steps, steps, "they mill about");
}

#[test]
fn members_chase_and_come_back() {
    let mut world = open_with_behaviours(40, 21);
    let (_, members) = squad(&mut world, (10, 10), FormationShape::Ring, 8);
    world.seconds(4);
    let player = world.target((30, 10));
    world.chase(members[2], player);
    world.seconds(6);
    assert!(world.is_beside(members[2], player));
    world.world().despawn(player);
    world.seconds(6);
    let at: BTreeSet<Cell> = cells(&world, &members).into_iter().collect();
    assert_eq!(at.len(), 8);
    assert!(
        at.iter().all(|cell| cell.chebyshev(Cell::new(10, 10)) == 1),
        "{at:?}"
    );
}

#[test]
fn leaving_member_stays() {
    let mut world = open_with_behaviours(40, 21);
    let (leader, members) = squad(&mut world, (10, 10), FormationShape::Column, 3);
    lead(&mut world, leader, (11..20).map(|x| (x, 10)));
    world.world().entity_mut(members[0]).remove::<InFormation>();
    world.tick(1);
    let at = world.cell(members[0]);
    assert!(world.app.world().get::<Chasing>(members[0]).is_none());
    lead(&mut world, leader, (20..30).map(|x| (x, 10)));
    assert_eq!(world.cell(members[0]), at);
    world.world().despawn(leader);
    world.tick(2);
    assert_eq!(walk_ends(&mut world), 0, "ends of walks were left over");
}

#[test]
fn formations_alone_leave_no_walks() {
    let mut world = open_with_formations(30, 21);
    let (leader, members) = squad(&mut world, (5, 10), FormationShape::Wedge, 4);
    lead(&mut world, leader, (6..20).map(|x| (x, 10)));
    assert_eq!(walk_ends(&mut world), members.len());
    for &member in &members {
        world.world().entity_mut(member).remove::<InFormation>();
    }
    world.tick(1);
    assert_eq!(walk_ends(&mut world), 0);
}

/// Ground for a leader that is put elsewhere: open, or a place with little room.
const GROUNDS: [(u16, u16); 4] = [(25, 10), (50, 10), (55, 2), (55, 18)];

#[test]
fn leader_put_elsewhere() {
    use FormationShape::{Column, Line, Ring, Wedge};
    for shape in [Column, Line, Wedge, Ring] {
        for (to, walks_before) in GROUNDS.into_iter().flat_map(|to| [(to, false), (to, true)]) {
            let mut rows = vec![".".repeat(60); 21];
            // A corridor and a small room on the right.
            for (y, row) in rows.iter_mut().enumerate() {
                let wall = match y {
                    1 | 3 | 15 | 20 => "###########.",
                    16..=19 => "#.........#.",
                    _ => continue,
                };
                row.replace_range(48..60, wall);
            }
            rows[15].replace_range(55..56, ".");
            let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
            let mut world = with_behaviours(&rows);
            let (leader, members) = squad(&mut world, (10, 10), shape, 5);
            if walks_before {
                lead(&mut world, leader, (11..16).map(|x| (x, 10)));
            }
            world.seconds(3);
            world.put(leader, to);
            world.seconds(40);
            let at = cells(&world, &members);
            let context = format!("{shape:?} to {to:?}, walked {walks_before}: {at:?}");
            let distinct: BTreeSet<Cell> = at.iter().copied().collect();
            assert_eq!(distinct.len(), 5, "{context}");
            let far = |cell: &Cell| cell.chebyshev(to.into()) > 6;
            assert!(!at.iter().any(far), "{context}");
            let steps = world.diagnostics().total.steps;
            world.seconds(5);
            assert_eq!(
                world.diagnostics().total.steps,
                steps,
                "{context}: they mill about"
            );
        }
    }
}

#[test]
fn column_forms_behind_leader_put_elsewhere() {
    let mut world = open_with_behaviours(60, 21);
    let (leader, members) = squad(&mut world, (5, 10), FormationShape::Column, 4);
    lead(&mut world, leader, (6..20).map(|x| (x, 10)));
    world.put(leader, (35, 10));
    world.seconds(8);
    let behind = [(34, 10), (33, 10), (32, 10), (31, 10)].map(Cell::from);
    assert_eq!(cells(&world, &members), behind);
}
