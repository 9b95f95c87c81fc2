//! NPCs that begin chases by themselves: of whom, and of whom not.

use super::scene::{activity, changes, open_with_behaviours, with_behaviours};
use bevy_app::FixedUpdate;
use bevy_ecs::prelude::*;
use nav::{
    AgentId, CellPosition, Chaser, Chasing, Destination, NavMap, NavSystems, OnMap, Paused,
    WorldPosition,
    behaviour::{
        Activity, ActivityCause, BehaviourSystems, GoTo, Home, Leash, LeashFrom, Notice,
        Noticeable, Noticed, Patrol, PatrolOrder, Returning,
    },
};
use nav_grid::{Cell, Grid, PathQuery, Size, smoothing::LineOfSight};
use nav_tests::TestWorld;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

/// An NPC that stands and looks around.
fn guard(world: &mut TestWorld, at: impl Into<Cell>, notice: Notice) -> Entity {
    let place = (CellPosition::at(at.into()), OnMap(world.map));
    let guard = (Chaser::default(), notice, place);
    world.world().spawn(guard).id()
}

/// Somebody to notice.
fn player(world: &mut TestWorld, at: impl Into<Cell>) -> Entity {
    let player = world.target(at.into());
    let noticeable = Noticeable::default();
    world.world().entity_mut(player).insert(noticeable);
    player
}

/// Whom an NPC chases.
fn chased(world: &TestWorld, npc: Entity) -> Option<Entity> {
    world
        .app
        .world()
        .get::<Chasing>(npc)
        .map(|chasing| chasing.0)
}

const SIGHT: Notice = Notice {
    needs_sight: true,
    ..Notice::new(12)
};

#[test]
fn the_nearest_player_is_noticed_and_not_just_any() {
    let at = Cell::new(20, 20);
    let choice = |cells: &[(u16, u16)]| {
        let mut world = open_with_behaviours(40, 40);
        let players: Vec<Entity> = cells.iter().map(|&at| player(&mut world, at)).collect();
        let npc = guard(&mut world, at, Notice::new(8));
        world.tick(1);
        let target = chased(&world, npc);
        players.iter().position(|&player| Some(player) == target)
    };
    assert_eq!(choice(&[(29, 20)]), None, "nine columns away");
    assert_eq!(choice(&[(28, 12)]), Some(0), "eight columns and rows away");
    assert_eq!(choice(&[(26, 20), (20, 25), (20, 13)]), Some(1));
    // As many columns or rows away: first straight ones, then by number.
    assert_eq!(choice(&[(24, 24), (16, 22), (22, 16), (20, 16)]), Some(3));
    assert_eq!(choice(&[(24, 24), (16, 22), (22, 16)]), Some(1));
}

#[test]
fn noticing_says_who_and_whom() {
    let mut world = open_with_behaviours(20, 9);
    let one = player(&mut world, (10, 4));
    let npc = guard(&mut world, (4, 4), Notice::new(8));
    world.tick(1);
    let mut messages = world.world().resource_mut::<Messages<Noticed>>();
    let said: Vec<Noticed> = messages.drain().collect();
    let cause = ActivityCause::Noticed;
    let expected = Noticed {
        agent: npc,
        target: one,
        cause,
    };
    assert_eq!(said, [expected]);
    assert_eq!(changes(&world, npc), [(Activity::Chasing, cause)]);
    world.seconds(3);
    assert!(world.is_beside(npc, one));
    assert!(world.world().resource::<Messages<Noticed>>().is_empty());
}

#[test]
fn a_nearer_player_and_one_that_hides_change_nothing() {
    let mut world = open_with_behaviours(40, 9);
    let one = player(&mut world, (12, 4));
    let npc = guard(&mut world, (4, 4), Notice::new(8));
    world.tick(2);
    player(&mut world, (6, 4));
    world.world().entity_mut(one).remove::<Noticeable>();
    world.tick(5);
    assert_eq!(chased(&world, npc), Some(one));
    let other = guard(&mut world, (14, 8), Notice::new(4));
    world.tick(5);
    assert_eq!(chased(&world, other), None, "it noticed one that hides");
}

#[test]
fn nobody_is_noticed_through_a_wall() {
    let mut world = with_behaviours(&[
        "............", //
        "....#.......",
        "....#.......",
        "....#.......",
        "............",
    ]);
    let one = player(&mut world, (7, 2));
    let npc = guard(&mut world, (2, 2), SIGHT);
    let blind = guard(&mut world, (2, 2), Notice::new(12));
    world.seconds(3);
    assert_eq!(chased(&world, npc), None);
    assert_eq!(chased(&world, blind), Some(one));
    // It comes round the corner.
    world.put(one, (7, 0));
    world.tick(6);
    assert_eq!(chased(&world, npc), None);
    world.put(one, (3, 0));
    world.tick(6);
    assert_eq!(chased(&world, npc), Some(one));
}

#[test]
fn a_guard_leaves_its_friends_alone() {
    let mut world = open_with_behaviours(20, 9);
    let friend = player(&mut world, (5, 4));
    let foe = player(&mut world, (9, 4));
    world
        .world()
        .entity_mut(friend)
        .insert(Noticeable { factions: 0b01 });
    world
        .world()
        .entity_mut(foe)
        .insert(Noticeable { factions: 0b10 });
    let hostile = Notice {
        whom: 0b110,
        ..Notice::new(8)
    };
    let npc = guard(&mut world, (4, 4), hostile);
    // It is somebody to notice itself.
    world
        .world()
        .entity_mut(npc)
        .insert(Noticeable { factions: 0b100 });
    world.tick(2);
    assert_eq!(chased(&world, npc), Some(foe));
}

#[test]
fn nobody_runs_to_and_fro_before_a_player_beyond_its_leash() {
    let mut world = open_with_behaviours(60, 9);
    let one = player(&mut world, (4, 4));
    let npc = guard(&mut world, (30, 4), Notice::new(14));
    let leash = Leash {
        from: LeashFrom::Home,
        ..Leash::new(10)
    };
    let home = Home(Cell::new(30, 4));
    world.world().entity_mut(npc).insert((leash, home));
    world.put(one, (41, 4));
    world.seconds(5);
    assert_eq!(changes(&world, npc), [], "beyond the leash, within range");
    world.put(one, (40, 4));
    world.tick(2);
    assert_eq!(chased(&world, npc), Some(one));
    world.put(one, (43, 4));
    world.seconds(30);
    assert_eq!(world.cell(npc), home.0);
    let begun = changes(&world, npc);
    let begun = begun.iter().filter(|(to, _)| *to == Activity::Chasing);
    assert_eq!(begun.count(), 1, "{:?}", changes(&world, npc));
}

#[test]
fn whoever_returns_notices_nobody_on_its_way() {
    for notices_on_return in [false, true] {
        let mut world = open_with_behaviours(60, 9);
        let one = player(&mut world, (10, 4));
        let npc = guard(&mut world, (4, 4), Notice::new(8));
        let leash = Leash {
            notices_on_return,
            ..Leash::new(10)
        };
        let home = Home(Cell::new(4, 4));
        world.world().entity_mut(npc).insert((leash, home));
        world.tick(2);
        world.put(one, (40, 4));
        world.tick_until(|world| world.app.world().get::<Returning>(npc).is_some());
        world.tick(10);
        let at = world.cell(npc);
        world.put(one, (at.x + 4, 4));
        world.tick(2);
        let is_chase = chased(&world, npc) == Some(one);
        assert_eq!(is_chase, notices_on_return);
    }
}

#[test]
fn whoever_is_stunned_notices_nobody_until_it_wakes() {
    let mut world = open_with_behaviours(20, 9);
    let one = player(&mut world, (8, 4));
    let npc = guard(&mut world, (4, 4), Notice::new(8));
    world.world().entity_mut(npc).insert(Paused::default());
    world.seconds(2);
    assert_eq!(chased(&world, npc), None);
    world.world().entity_mut(npc).remove::<Paused>();
    world.tick(1);
    assert_eq!(chased(&world, npc), Some(one));
}

#[test]
fn a_call_for_help_reaches_those_near_and_goes_no_further() {
    let mut world = open_with_behaviours(90, 20);
    let one = player(&mut world, (8, 4));
    let caller = Notice {
        calls: 12,
        ..Notice::new(6)
    };
    let pack: Vec<Entity> = [14, 26, 27, 38]
        .map(|x| guard(&mut world, (x, 4), caller))
        .into();
    let peaceful = Notice { whom: 0, ..caller };
    let peaceful = guard(&mut world, (15, 4), peaceful);
    let tied = guard(&mut world, (16, 4), caller);
    world.world().entity_mut(tied).insert(Leash::new(7));
    let stunned = guard(&mut world, (17, 4), caller);
    world.world().entity_mut(stunned).insert(Paused::default());
    let busy = guard(&mut world, (18, 4), caller);
    let other = world.target((80, 4));
    world.chase(busy, other);
    world.tick(1);
    let targets: Vec<Option<Entity>> = pack.iter().map(|&npc| chased(&world, npc)).collect();
    assert_eq!(targets, [Some(one), Some(one), None, None]);
    let called = [(Activity::Chasing, ActivityCause::Called)];
    assert_eq!(changes(&world, pack[1]), called);
    for npc in [peaceful, tied, stunned] {
        assert_eq!(chased(&world, npc), None);
    }
    assert_eq!(chased(&world, busy), Some(other));
    world.tick(5);
    assert_eq!(chased(&world, pack[2]), None, "who was called calls");
}

#[test]
fn whoever_is_called_by_two_follows_the_nearer_one() {
    let mut world = open_with_behaviours(60, 20);
    let (left, right) = (player(&mut world, (5, 4)), player(&mut world, (45, 4)));
    let caller = Notice {
        calls: 30,
        ..Notice::new(5)
    };
    guard(&mut world, (10, 4), caller);
    guard(&mut world, (40, 4), caller);
    let called = [20, 30].map(|x| guard(&mut world, (x, 4), caller));
    world.tick(1);
    let targets = called.map(|npc| chased(&world, npc));
    assert_eq!(targets, [Some(left), Some(right)]);
}

#[test]
fn a_patrol_is_interrupted_and_goes_on_afterwards() {
    let mut world = open_with_behaviours(40, 20);
    let one = player(&mut world, (12, 12));
    let npc = guard(&mut world, (2, 4), Notice::new(8));
    let stops = [Cell::new(30, 4), Cell::new(2, 4)];
    let patrol = Patrol::new(PatrolOrder::Loop, stops);
    world.world().entity_mut(npc).insert(patrol);
    world.tick_until(|world| chased(world, npc) == Some(one));
    assert!(world.cell(npc).x >= 4, "out of range still");
    world.seconds(3);
    assert_eq!(activity(&world, npc), Activity::InReach);
    world.world().entity_mut(one).despawn();
    world.tick_until(|world| world.cell(npc) == Cell::new(30, 4));
}

#[test]
fn whoever_goes_to_a_rally_point_notices_on_the_way() {
    let mut world = open_with_behaviours(40, 9);
    let rally = (Destination, CellPosition::new(35, 4), OnMap(world.map));
    let rally = world.world().spawn(rally).id();
    let one = player(&mut world, (20, 4));
    let npc = guard(&mut world, (4, 4), Notice::new(5));
    world.chase(npc, rally);
    world.tick(2);
    assert_eq!(chased(&world, npc), Some(rally));
    world.tick_until(|world| chased(world, npc) == Some(one));
}

#[test]
fn nobody_is_noticed_on_another_floor_or_map() {
    let grid = Grid::build(Size::new(20, 9).with_floors(2), |_| true).unwrap();
    let mut world = super::scene::on_with_behaviours(grid);
    let npc = guard(&mut world, (4, 4), Notice::new(9));
    let upstairs = guard(&mut world, Cell::new(4, 4).on_floor(1), Notice::new(9));
    let other_map = world.add_map(&["....................."; 9]);
    let elsewhere = player(&mut world, (5, 4));
    world.world().entity_mut(elsewhere).insert(OnMap(other_map));
    let one = player(&mut world, Cell::new(8, 4).on_floor(1));
    world.seconds(1);
    assert_eq!(chased(&world, npc), None);
    assert_eq!(chased(&world, upstairs), Some(one));
    let map = world.map;
    world.world().entity_mut(elsewhere).insert(OnMap(map));
    world.tick(1);
    assert_eq!(chased(&world, npc), Some(elsewhere));
}

#[test]
fn a_map_of_another_size_and_one_that_is_gone_are_looked_at_anew() {
    let mut world = open_with_behaviours(20, 9);
    let npc = guard(&mut world, (4, 4), Notice::new(9));
    let one = player(&mut world, (19, 8));
    world.tick(3);
    let map = world.map;
    let larger = NavMap::new(Grid::open(300, 200).unwrap());
    world.world().entity_mut(map).insert(larger);
    world.put(one, (250, 150));
    world.put(npc, (245, 150));
    world.tick(1);
    assert_eq!(chased(&world, npc), Some(one));
    world.world().entity_mut(npc).remove::<Chasing>();
    world.world().entity_mut(map).despawn();
    world.tick(3);
    assert_eq!(chased(&world, npc), None);
}

#[test]
fn a_player_is_noticed_where_its_world_position_is() {
    let mut world = open_with_behaviours(60, 60);
    let at_origin = guard(&mut world, (2, 2), Notice::new(6));
    let npc = guard(&mut world, (40, 40), Notice::new(6));
    let place = (WorldPosition([44.0, 0.0, 41.0]), OnMap(world.map));
    let one = world.world().spawn((place, Noticeable::default())).id();
    world.tick(1);
    assert_eq!(chased(&world, at_origin), None, "before it has a cell");
    assert_eq!(chased(&world, npc), Some(one));
}

#[derive(Resource)]
struct Doomed(Vec<Entity>);

fn despawn_doomed(mut doomed: ResMut<Doomed>, mut commands: Commands) {
    for entity in doomed.0.drain(..) {
        commands.entity(entity).despawn();
    }
}

#[test]
fn whoever_is_despawned_in_the_same_tick_is_chased_by_nobody() {
    for order in 0..3 {
        let mut world = open_with_behaviours(20, 9);
        let one = player(&mut world, (8, 4));
        let npc = guard(&mut world, (4, 4), Notice::new(9));
        let second = guard(&mut world, (4, 6), Notice::new(9));
        world.world().insert_resource(Doomed(vec![one, second]));
        let notice = BehaviourSystems::Notice;
        let app = &mut world.app;
        match order {
            0 => app.add_systems(FixedUpdate, despawn_doomed.before(notice)),
            1 => app.add_systems(FixedUpdate, despawn_doomed.in_set(notice)),
            _ => app.add_systems(
                FixedUpdate,
                despawn_doomed.after(notice).before(NavSystems::All),
            ),
        };
        world.tick(2);
        assert_eq!(chased(&world, npc), None, "{order}");
        assert_eq!(activity(&world, npc), Activity::Idle, "{order}");
        world.seconds(1);
    }
}

#[test]
fn the_order_of_spawning_does_not_matter() {
    let run = |reversed: bool| {
        let mut world = open_with_behaviours(60, 60);
        let map = world.map;
        let mut agents: Vec<u16> = (0..60).collect();
        if reversed {
            agents.reverse();
        }
        for n in agents {
            let place = (CellPosition::new(n * 7 % 60, n * 13 % 60), OnMap(map));
            let agent = (AgentId(u32::from(n) + 1), place);
            let agent = world.world().spawn(agent).id();
            if n % 6 == 0 {
                world
                    .world()
                    .entity_mut(agent)
                    .insert(Noticeable::default());
                continue;
            }
            let notice = Notice {
                calls: n % 5 * 2,
                needs_sight: n % 7 == 0,
                ..Notice::new(2 + n % 4)
            };
            let home = Home(Cell::new(n * 7 % 60, n * 13 % 60));
            let npc = (Chaser::default(), notice, Leash::new(9), home);
            world.world().entity_mut(agent).insert(npc);
        }
        let mut digests = Vec::new();
        for _ in 0..200 {
            world.tick(1);
            digests.push(world.digest());
        }
        digests
    };
    assert_eq!(run(false), run(true));
}

/// What a naive look at everybody says of a drawn world.
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

/// The order of those who are chosen; numbers are given in the order of spawning.
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
fn a_thousand_drawn_worlds_notice_as_a_naive_look_does() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut noticed, mut called, mut unseen) = (0, 0, 0);
    for drawn in 0..1000 {
        let sighted = drawn % 2 == 1;
        let side = random.random_range(12..90_u16);
        let size = Size::new(side, random.random_range(12..40_u16)).with_floors(2);
        let grid = Grid::build(size, |_| random.random_range(0..6) > 0).unwrap();
        let mut world = super::scene::on_with_behaviours(grid.clone());
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
        // Those who need sight look in their turn, and players stand still. Those who go home
        // meanwhile are not on their place any longer.
        let goes_home = |npc: &Npc| npc.home.is_some() && npc.is_free();
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
        noticed > 1000 && called > 300 && unseen > 100,
        "{noticed} {called} {unseen}"
    );
}

#[test]
fn a_walk_that_ends_in_a_chase_leaves_nothing_behind() {
    let mut world = open_with_behaviours(40, 9);
    let one = player(&mut world, (20, 4));
    let npc = guard(&mut world, (4, 4), Notice::new(5));
    world.world().entity_mut(npc).insert(GoTo(Cell::new(35, 4)));
    world.tick_until(|world| chased(world, npc) == Some(one));
    world.tick(1);
    let mut ends = world.world().query::<&nav::behaviour::WalkEnd>();
    assert_eq!(ends.iter(world.app.world()).count(), 0);
}
