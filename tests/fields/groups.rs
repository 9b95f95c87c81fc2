//! Chasers of a group go for the member with the shortest way.

use bevy_ecs::{entity_disabling::Disabled, prelude::*};
use mapgen::Kind;
use nav::{
    CellPosition, Chaser, Chasing, MoveTimer, NavMap, OnMap, Period,
    groups::{Attraction, ChasingGroup, InGroup, MemberChosen, TargetGroup},
};
use nav_behaviour::Leash;
use nav_grid::{Area, Cell, Footprint, Grid, Rules};
use nav_tests::{TestWorld, scenes::app_with_behaviours};

/// Spawns a group with members at some cells.
fn group_at(world: &mut TestWorld, places: &[(u16, u16)]) -> (Entity, Vec<Entity>) {
    let group = world.world().spawn(TargetGroup).id();
    let members = places.iter().map(|&place| {
        let member = world.target(place);
        world.world().entity_mut(member).insert(InGroup(group));
        member
    });
    (group, members.collect())
}

/// Spawns a chaser of a group.
fn seeker(world: &mut TestWorld, place: (u16, u16), group: Entity) -> Entity {
    let parts = (
        Chaser::default(),
        CellPosition::new(place.0, place.1),
        OnMap(world.map),
        ChasingGroup::new(group),
    );
    world.world().spawn(parts).id()
}

fn target_of(world: &mut TestWorld, chaser: Entity) -> Option<Entity> {
    let chasing = world.world().get::<Chasing>(chaser);
    chasing.map(|chasing| chasing.0)
}

fn seeks(world: &mut TestWorld, chaser: Entity) -> bool {
    world.world().get::<ChasingGroup>(chaser).is_some()
}

/// A wall with a gap in the first row between a chaser on the left and a member beside it on the
/// right; another member is further off on the left.
fn behind_a_wall() -> (TestWorld, Vec<Entity>, Entity, Entity) {
    let mut grid = Grid::open(80, 80).expect("a map of this size");
    let wall = Area::new(Cell::new(40, 1), Cell::new(40, 79));
    grid.set_walkable(wall, false).expect("a part of the map");
    let mut world = TestWorld::on(grid);
    world.nav_map().build_portals(Rules::default());
    let (group, members) = group_at(&mut world, &[(44, 70), (20, 60)]);
    let chaser = seeker(&mut world, (36, 70), group);
    (world, members, chaser, group)
}

#[test]
fn by_way_not_by_air() {
    let (mut world, members, chaser, _) = behind_a_wall();
    world.tick(1);
    assert_eq!(
        target_of(&mut world, chaser),
        Some(members[0]),
        "at first in a straight line"
    );
    world.tick(2);
    assert_eq!(target_of(&mut world, chaser), Some(members[1]));
    world.seconds(8);
    assert!(world.is_beside(chaser, members[1]));
}

#[test]
fn in_line_without_portals() {
    let (mut world, members, chaser, _) = behind_a_wall();
    let grid = world.grid().clone();
    *world.nav_map() = NavMap::plain(grid);
    world.seconds(3);
    assert_eq!(target_of(&mut world, chaser), Some(members[0]));
}

#[test]
fn attraction_shortens() {
    let (mut world, members, chaser, _) = behind_a_wall();
    world.seconds(1);
    world.world().entity_mut(members[0]).insert(Attraction(150));
    world.seconds(4);
    assert_eq!(target_of(&mut world, chaser), Some(members[0]), "a taunt");
    world.world().entity_mut(members[0]).remove::<Attraction>();
    world.seconds(4);
    assert_eq!(target_of(&mut world, chaser), Some(members[1]));
}

#[test]
fn another_if_one_is_gone() {
    let ends: [fn(&mut World, Entity, Entity); 4] = [
        |world, member, _| _ = world.despawn(member),
        |world, member, _| _ = world.entity_mut(member).insert(Disabled),
        |world, member, _| _ = world.entity_mut(member).remove::<InGroup>(),
        |world, member, other| _ = world.entity_mut(member).insert(OnMap(other)),
    ];
    for end in ends {
        let (mut world, members, chaser, _) = behind_a_wall();
        world.seconds(1);
        let other = NavMap::new(Grid::open(4, 4).expect("a map of this size"));
        let other = world.world().spawn(other).id();
        end(world.world(), members[1], other);
        world.tick(6);
        assert_eq!(target_of(&mut world, chaser), Some(members[0]));
        world.world().despawn(members[0]);
        world.tick(6);
        assert_eq!(target_of(&mut world, chaser), None);
        assert!(seeks(&mut world, chaser));
    }
}

/// The nearest in line left for another map a moment ago, before the field follows: a chaser goes
/// for the next one.
#[test]
fn member_of_another_map_is_not_chosen() {
    #[derive(Resource, Default)]
    struct Chosen(Vec<Entity>);

    let mut world = TestWorld::open(40, 5);
    world.world().init_resource::<Chosen>();
    world
        .world()
        .add_observer(|chosen: On<MemberChosen>, mut all: ResMut<Chosen>| {
            all.0.push(chosen.member);
        });
    let (group, members) = group_at(&mut world, &[(12, 2), (30, 2)]);
    world.tick(1);
    let other = world.add_map(&["...."][..]);
    world.insert(members[0], OnMap(other));
    let chaser = seeker(&mut world, (2, 2), group);
    world.tick(3);
    assert_eq!(world.app.world().resource::<Chosen>().0, [members[1]]);
    assert_eq!(target_of(&mut world, chaser), Some(members[1]));
}

#[test]
fn ends_with_the_group() {
    let (mut world, _, chaser, group) = behind_a_wall();
    world.seconds(1);
    world.world().despawn(group);
    world.tick(2);
    assert!(!seeks(&mut world, chaser));
    assert_eq!(target_of(&mut world, chaser), None);
    let (mut world, _, chaser, _) = behind_a_wall();
    world.seconds(1);
    world.world().entity_mut(chaser).remove::<ChasingGroup>();
    world.tick(1);
    assert_eq!(target_of(&mut world, chaser), None);
}

/// Two members go to and fro at equal distances. The chaser comes to one of them.
#[test]
fn does_not_flap() {
    let mut world = TestWorld::open(100, 20);
    world.nav_map().build_portals(Rules::default());
    let (group, members) = group_at(&mut world, &[(20, 10), (80, 10)]);
    let chaser = seeker(&mut world, (50, 10), group);
    let mut chosen: Vec<Option<Entity>> = Vec::new();
    for second in 0..20_u16 {
        let (near, far) = if second % 2 == 0 { (0, 9) } else { (9, 0) };
        world.put(members[0], (20 - near, 10));
        world.put(members[1], (80 + far, 10));
        world.seconds(1);
        chosen.push(target_of(&mut world, chaser));
    }
    chosen.dedup();
    assert!(chosen.len() <= 3, "{chosen:?}");
    let beside = members
        .iter()
        .filter(|&&member| world.cell(chaser).chebyshev(world.cell(member)) <= 10);
    assert_eq!(beside.count(), 1);
}

/// Large bodies and all kinds of ground: the chosen member is the one with the least distance, as
/// each field alone says.
#[test]
fn nearest_of_drawn_places() {
    for (seed, kind) in [Kind::Rooms, Kind::Clutter { percent: 20 }, Kind::Caves]
        .into_iter()
        .enumerate()
    {
        let grid = mapgen::generate(kind, 200, 160, seed as u64).expect("a map of this size");
        let mut world = TestWorld::on(grid);
        world.nav_map().build_portals(Rules::default());
        let places = nav_tests::scenes::places(world.grid(), 60, Footprint::ONE);
        let (group, members) = group_at(&mut world, &[]);
        assert!(members.is_empty());
        let members: Vec<Entity> = places[..20]
            .iter()
            .map(|cell| {
                let member = world.target((cell.x, cell.y));
                world.world().entity_mut(member).insert(InGroup(group));
                member
            })
            .collect();
        let seekers: Vec<Entity> = places[20..]
            .iter()
            .map(|cell| seeker(&mut world, (cell.x, cell.y), group))
            .collect();
        for &seeker in &seekers {
            // Stays where it is after its first step.
            let slow = MoveTimer::default().with_chasing(Period::from_millis(600_000));
            world.world().entity_mut(seeker).insert(slow);
        }
        world.seconds(2);
        let map = world.map;
        for seeker in seekers {
            let start = world.cell(seeker);
            let target = target_of(&mut world, seeker).expect("a member");
            let indexed = world.get::<NavMap>(map).indexed();
            let distance = |member: Entity| {
                let mut field = nav_grid::fields::PortalField::new();
                let aimed = field.aim(indexed, Rules::default(), world.cell(member));
                aimed.ok().and_then(|()| field.distance(indexed, start))
            };
            let best = members.iter().filter_map(|&member| distance(member)).min();
            let own = distance(target);
            assert_eq!(own, best, "{kind:?}: from {start} to {target}");
        }
    }
}

#[test]
fn leash_ends_the_chase() {
    let mut world = TestWorld::with_app(app_with_behaviours(), &[".".repeat(60)]);
    let (group, members) = group_at(&mut world, &[(30, 0)]);
    let chaser = seeker(&mut world, (2, 0), group);
    world.insert(chaser, Leash::new(10));
    world.put(members[0], (55, 0));
    world.seconds(20);
    assert!(!seeks(&mut world, chaser));
    assert_eq!(world.cell(chaser), Cell::new(2, 0), "it is home again");
}
