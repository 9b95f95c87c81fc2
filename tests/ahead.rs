//! Points ahead: what they say is where a chaser goes, whatever it follows.

use bevy_ecs::{prelude::*, system::SystemState};
use mapgen::Kind;
use nav::{
    AheadForm, AheadSettings, Body, Chaser, Guidance, MoveTimer, NavBudget, NavMap, PathCursor,
    PointAhead, PointsAhead,
};
use nav_grid::{
    Area, Cell, Footprint, Frame, Grid, Limits, Link, Metric, Path, PathQuery, Rules, Size,
    map::{Axes, FloorHeights},
    path::TurningPoints,
    smoothing::LineOfSight,
};
use nav_tests::TestWorld;

/// Asks as a system of a game would.
fn ask<T>(world: &mut TestWorld, ask: impl FnOnce(&PointsAhead) -> T) -> T {
    let mut state = SystemState::<PointsAhead>::new(world.world());
    let ahead = state.get(world.app.world()).expect("the plugin is there");
    ask(&ahead)
}

fn ahead(world: &mut TestWorld, chaser: Entity, distance: u16) -> Vec<PointAhead> {
    ask(world, |points| points.ahead(chaser, distance).collect())
}

fn cells(points: &[PointAhead]) -> Vec<Cell> {
    points.iter().map(|point| point.cell).collect()
}

/// Where a chaser went, and what was said at each tick of where it would go.
struct Watched {
    chaser: Entity,
    visited: Vec<Cell>,
    /// How many cells it had visited, and those that were said to come.
    said: Vec<(usize, Vec<Cell>)>,
    /// What it followed when something was said.
    by: Vec<Option<Guidance>>,
}

/// Runs some seconds and checks that chasers go exactly where the points ahead say at every tick. The
/// targets stand.
fn watch(world: &mut TestWorld, chasers: &[Entity], seconds: u64) -> Vec<Watched> {
    let mut watched: Vec<Watched> = chasers
        .iter()
        .map(|&chaser| Watched {
            chaser,
            visited: vec![world.cell(chaser)],
            said: Vec::new(),
            by: Vec::new(),
        })
        .collect();
    for tick in 0..seconds * nav_tests::TICK_RATE {
        world.tick(1);
        // All of them now and then, the next ones always.
        let distance = if tick % 20 == 0 { 1000 } else { 24 };
        for of in &mut watched {
            let cell = world.cell(of.chaser);
            if of.visited.last() != Some(&cell) {
                of.visited.push(cell);
            }
            let points = ahead(world, of.chaser, distance);
            let guidance = world.cursor(of.chaser).guidance();
            if !points.is_empty() && !of.by.contains(&guidance) {
                of.by.push(guidance);
            }
            of.said.push((of.visited.len(), cells(&points)));
        }
    }
    for of in &watched {
        let is_there = of.said.last().is_none_or(|(_, said)| said.is_empty());
        for (before, said) in &of.said {
            let (chaser, from) = (of.chaser, of.visited[before - 1]);
            let went = &of.visited[*before..];
            // Who is still under way has some left.
            let is_right = went.starts_with(said) || !is_there && said.starts_with(went);
            assert!(
                is_right,
                "{chaser} from {from}\nwent {went:?}\nsaid {said:?}"
            );
        }
    }
    watched
}

/// Whether something was said while a chaser followed something.
fn was_said(watched: &[Watched], guidance: Guidance) -> bool {
    watched.iter().any(|of| of.by.contains(&Some(guidance)))
}

/// Cells to walk on, some of them anywhere.
fn places(world: &TestWorld, count: usize, footprint: Footprint) -> Vec<Cell> {
    let grid = world.get::<NavMap>(world.map).grid();
    let cells = grid
        .walkable_cells()
        .filter(|&cell| grid.fits(cell, footprint));
    let cells: Vec<Cell> = cells.collect();
    (0..count).map(|n| cells[n * 7919 % cells.len()]).collect()
}

fn far_sighted() -> Chaser {
    Chaser {
        limits: Limits::UNBOUNDED,
        ..Chaser::default()
    }
}

const KINDS: [Kind; 4] = [Kind::Rooms, Kind::Caves, Kind::Maze, Kind::Mixed];

/// A world on a map that is drawn from a seed.
fn drawn(kind: Kind, seed: u64) -> TestWorld {
    TestWorld::on(mapgen::generate(kind, 48, 40, seed).expect("a map of this size"))
}

#[test]
fn a_lone_ghost_walks_the_points_of_its_own_path() {
    for kind in KINDS {
        for seed in 1..=4 {
            let mut world = drawn(kind, seed);
            let [from, to] = places(&world, 2, Footprint::ONE)[..] else {
                panic!("two places");
            };
            let target = world.target(to);
            let chaser = world.chaser_with(far_sighted(), from, target);
            let watched = watch(&mut world, &[chaser], 60);
            assert!(was_said(&watched, Guidance::OwnPath), "{kind:?} {seed}");
        }
    }
}

#[test]
fn chasers_that_share_a_field_walk_its_points() {
    for kind in KINDS {
        let mut shared = 0;
        for seed in 1..=4 {
            let mut world = drawn(kind, seed);
            let places = places(&world, 9, Footprint::ONE);
            let target = world.target(places[0]);
            let chasers: Vec<Entity> = places[1..]
                .iter()
                .map(|&place| world.chaser(place, target))
                .collect();
            let watched = watch(&mut world, &chasers, 40);
            shared += u32::from(was_said(&watched, Guidance::SharedField));
        }
        assert!(shared > 1, "{kind:?}");
    }
}

#[test]
fn far_chasers_walk_the_points_of_the_far_field_and_then_of_the_near_one() {
    for (kind, seed) in KINDS.into_iter().zip(5..) {
        let mut world = TestWorld::on(mapgen::generate(kind, 160, 96, seed).expect("a map"));
        let map = world.map;
        world.get_mut::<NavMap>(map).build_portals(Rules::default());
        let places = places(&world, 13, Footprint::ONE);
        let target = world.target(places[0]);
        let chasers: Vec<Entity> = places[1..]
            .iter()
            .map(|&place| world.chaser_with(far_sighted(), place, target))
            .collect();
        let watched = watch(&mut world, &chasers, 150);
        assert!(was_said(&watched, Guidance::FarField), "{kind:?}");
        assert!(was_said(&watched, Guidance::SharedField), "{kind:?}");
    }
}

/// Ground with costs, exits and links, on which 48 chasers share a weighted field.
#[test]
fn chasers_on_weighted_ground_walk_its_points_and_take_its_links() {
    for (kind, seed) in [(Kind::Rooms, 1), (Kind::Caves, 2), (Kind::Mixed, 3)] {
        let mut world = drawn(kind, seed);
        let places = places(&world, 61, Footprint::ONE);
        let map = world.map;
        let mut ground = world.get_mut::<NavMap>(map);
        for (n, &cell) in (0..).zip(&places) {
            let last = Cell::new((cell.x + 3).min(47), (cell.y + 2).min(39));
            ground.set_cost(Area::new(cell, last), n % 7 + 1).unwrap();
        }
        for pair in places[1..40].chunks_exact(2) {
            let link = Link::new(pair[0], pair[1]).with_cost(2);
            ground.set_link(link).unwrap();
        }
        let target = world.target(places[0]);
        let mut tuning = Chaser::default();
        tuning.rules.metric = Metric::Octile;
        let chasers: Vec<Entity> = places[1..]
            .iter()
            .map(|&place| world.chaser_with(tuning, place, target))
            .collect();
        let watched = watch(&mut world, &chasers, 30);
        assert!(was_said(&watched, Guidance::SharedField), "{kind:?}");
        let took_a_link = |of: &Watched| {
            let mut steps = of.visited.windows(2);
            steps.any(|step| step[0].chebyshev(step[1]) > 1)
        };
        assert!(watched.iter().any(took_a_link), "{kind:?}");
    }
}

#[test]
fn large_ghosts_alone_and_together_walk_their_points() {
    for side in [2, 3] {
        let footprint = Footprint::new(side).unwrap();
        for count in [1, 6] {
            let mut world = drawn(Kind::Clutter { percent: 5 }, u64::from(side));
            let map = world.map;
            world.get_mut::<NavMap>(map).prepare_footprint(footprint);
            let places = places(&world, count + 1, footprint);
            let target = world.target(places[0]);
            let mut tuning = far_sighted();
            tuning.rules.footprint = footprint;
            let chasers: Vec<Entity> = places[1..]
                .iter()
                .map(|&place| world.chaser_with(tuning, place, target))
                .collect();
            let watched = watch(&mut world, &chasers, 40);
            let guidance = if count == 1 {
                Guidance::OwnPath
            } else {
                Guidance::SharedField
            };
            assert!(was_said(&watched, guidance), "{side}, {count}");
        }
    }
}

#[test]
fn a_lone_body_walks_its_points_as_a_ghost_does() {
    let mut world = drawn(Kind::Rooms, 9);
    let places = places(&world, 2, Footprint::ONE);
    let target = world.target(places[0]);
    let chaser = world.chaser_with(far_sighted(), places[1], target);
    world
        .world()
        .entity_mut(chaser)
        .insert(Body::solid(Footprint::ONE));
    let watched = watch(&mut world, &[chaser], 60);
    assert!(was_said(&watched, Guidance::OwnPath));
}

/// Two floors, 4 units a storey, with stairs at the right.
fn house() -> (TestWorld, Link) {
    let mut grid = Grid::build(Size::new(14, 8).with_floors(2), |_| true).unwrap();
    let stairs = Link::new(Cell::new(10, 4), Cell::new(12, 3).on_floor(1));
    grid.set_link(stairs).unwrap();
    grid.set_link(stairs.reversed()).unwrap();
    let frame = Frame::new([-5.0, 1.0, 5.0], 0.5, Axes::Y_UP).unwrap();
    let frame = frame.with_heights(FloorHeights::Storeys(4.0)).unwrap();
    let mut world = TestWorld::open(1, 1);
    world.map = world.world().spawn(NavMap::with_frame(grid, frame)).id();
    (world, stairs)
}

#[test]
fn points_on_stairs_are_both_ends_and_as_high_as_their_floors() {
    let (mut world, stairs) = house();
    let target = world.target(Cell::new(12, 7).on_floor(1));
    let chaser = world.chaser((3, 4), target);
    world.tick(1);
    let points = ahead(&mut world, chaser, 100);
    let foot = points.iter().position(|point| point.cell == stairs.from);
    let steps = foot.expect("the foot of the stairs is a point") + 1;
    let (foot, top) = (points[steps - 1], points[steps]);
    assert_eq!((top.cell, top.by_link), (stairs.to, true));
    assert!(!foot.by_link);
    assert_eq!((foot.world, top.world), ([0.0, 1.0, 3.0], [1.0, 5.0, 3.5]));
    let links = points.iter().filter(|point| point.by_link).count();
    assert_eq!(links, 1);
    // Every one in a straight line, but for the stairs.
    let turns = ask(&mut world, |of| {
        of.turns_ahead(chaser, 100).collect::<Vec<_>>()
    });
    assert!(turns.contains(&foot) && turns.contains(&top));
    assert_eq!(turns.last(), points.last());
    // Nearer than the stairs the whole way is straight, and never beyond their foot.
    for distance in [1, 3, 6, 100] {
        let far = ask(&mut world, |of| of.straight_ahead(chaser, distance)).unwrap();
        assert_eq!(far, points[steps.min(distance.into()) - 1], "{distance}");
    }
    world.tick_until(|world| world.cell(chaser) == stairs.from);
    assert_eq!(ask(&mut world, |of| of.straight_ahead(chaser, 9)), None);
    watch(&mut world, &[chaser], 20);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn who_waits_for_a_search_goes_straight() {
    let mut world = TestWorld::open(60, 20);
    world.world().insert_resource(NavBudget::of(0));
    let target = world.target((50, 15));
    let chaser = world.chaser_with(far_sighted(), (5, 5), target);
    world.tick(1);
    let points = cells(&ahead(&mut world, chaser, 8));
    assert_eq!(points.len(), 8);
    let mut went = Vec::new();
    while went.len() < 8 {
        world.tick_until(|world| {
            went.last().copied().unwrap_or(Cell::new(5, 5)) != world.cell(chaser)
        });
        went.push(world.cell(chaser));
    }
    assert!(
        went.ends_with(&points[..7]) || went == points,
        "{went:?} {points:?}"
    );
}

#[test]
fn who_has_its_target_on_its_cell_is_said_to_step_aside() {
    let mut world = TestWorld::open(20, 20);
    let target = world.target((10, 10));
    let chaser = world.chaser((5, 10), target);
    world.tick(3);
    let cell = world.cell(chaser);
    world.put(target, cell);
    // Not at its move tick, so that there is something to say before it steps.
    world.get_mut::<MoveTimer>(chaser).next_step.0 += 10_000_000_000;
    world.tick(1);
    let points = cells(&ahead(&mut world, chaser, 9));
    assert_eq!(points.len(), 1);
    world.get_mut::<MoveTimer>(chaser).next_step.0 = 0;
    world.tick(1);
    assert_eq!(vec![world.cell(chaser)], points);
    assert!(ahead(&mut world, chaser, 9).is_empty());
}

#[test]
fn the_cell_of_the_target_is_never_a_point() {
    for stop_distance in [1, 3] {
        let mut world = TestWorld::open(30, 12);
        let target = world.target((20, 6));
        let tuning = Chaser {
            stop_distance,
            ..Chaser::default()
        };
        let chaser = world.chaser_with(tuning, (4, 6), target);
        world.tick(1);
        let points = cells(&ahead(&mut world, chaser, 100));
        assert_eq!(points.last(), Some(&Cell::new(20 - stop_distance, 6)));
        let few = cells(&ahead(&mut world, chaser, 4));
        assert_eq!(few, points[..4]);
        assert!(ahead(&mut world, chaser, 0).is_empty());
    }
}

#[test]
fn who_chases_nobody_has_no_points() {
    let mut world = TestWorld::open(12, 12);
    let target = world.target((9, 9));
    let chaser = world.chaser((1, 1), target);
    assert!(ahead(&mut world, target, 9).is_empty());
    world.tick(1);
    assert!(!ahead(&mut world, chaser, 9).is_empty());
    world.world().entity_mut(chaser).remove::<nav::Chasing>();
    assert!(ahead(&mut world, chaser, 9).is_empty());
    world.world().despawn(target);
    world.tick(3);
    assert!(ahead(&mut world, chaser, 9).is_empty());
}

#[test]
fn turning_points_stand_for_all_points() {
    for kind in KINDS {
        let mut world = drawn(kind, 3);
        let places = places(&world, 6, Footprint::ONE);
        let target = world.target(places[0]);
        for &place in &places[1..] {
            world.chaser(place, target);
        }
        let chasers: Vec<Entity> = world
            .world()
            .query_filtered::<Entity, With<Chaser>>()
            .iter(world.app.world())
            .collect();
        world.tick(1);
        for chaser in chasers {
            for distance in [1, 4, 200] {
                let points = cells(&ahead(&mut world, chaser, distance));
                let turns: TurningPoints = ask(&mut world, |of| {
                    let turns = of.turns_ahead(chaser, distance);
                    turns
                        .map(|point| nav_grid::path::TurningPoint {
                            cell: point.cell,
                            by_link: point.by_link,
                        })
                        .collect()
                });
                let mut path = Path::new();
                turns.expand(world.cell(chaser), &mut path).unwrap();
                assert_eq!(path.iter().collect::<Vec<_>>(), points);
            }
        }
    }
}

#[test]
fn the_farthest_straight_point_is_in_sight_and_within_the_distance() {
    let mut bent = 0;
    for kind in KINDS {
        for count in [1, 5] {
            let mut world = drawn(kind, 6);
            let places = places(&world, count + 1, Footprint::ONE);
            let target = world.target(places[0]);
            let chasers: Vec<Entity> = places[1..]
                .iter()
                .map(|&place| world.chaser_with(far_sighted(), place, target))
                .collect();
            world.tick(1);
            for chaser in chasers {
                let (from, points) = (world.cell(chaser), ahead(&mut world, chaser, 12));
                let far = ask(&mut world, |of| of.straight_ahead(chaser, 12));
                assert_eq!(far.is_none(), points.is_empty());
                let Some(far) = far else { continue };
                assert!(points.contains(&far));
                let grid = world.get::<NavMap>(world.map).grid();
                let query = PathQuery::new(from, far.cell);
                assert!(LineOfSight::new(grid, &query).sees(from, far.cell));
                let path: Path = cells(&points).into_iter().collect();
                let expected = path.look_ahead(grid, &query, 12).map(|point| point.cell);
                assert_eq!(Some(far.cell), expected);
                bent += usize::from(is_bent(from, far.cell));
            }
        }
    }
    assert!(bent > 0, "or it shows little");
}

/// What a chaser's points are by the settings of a game.
fn points_as_set(
    world: &mut TestWorld,
    chaser: Entity,
    settings: AheadSettings,
) -> Vec<PointAhead> {
    world.world().insert_resource(settings);
    ask(world, |points| points.points(chaser).collect())
}

#[test]
fn points_are_given_as_the_game_set_it() {
    let mut world = drawn(Kind::Rooms, 5);
    let by_default = *world.app.world().resource::<AheadSettings>();
    assert_eq!(by_default, AheadSettings::default());
    let mut checked = 0;
    for pair in places(&world, 40, Footprint::ONE).chunks(2) {
        let target = world.target(pair[0]);
        let chaser = world.chaser_with(far_sighted(), pair[1], target);
        world.tick(2);
        let by_default = points_as_set(&mut world, chaser, AheadSettings::default());
        assert_eq!(by_default, ahead(&mut world, chaser, 20));
        for steps in [0, 1, 7, 300] {
            let mut as_set = |points| {
                let settings = AheadSettings { steps, points };
                points_as_set(&mut world, chaser, settings)
            };
            let [cells, turns] = [AheadForm::Cells, AheadForm::Turns].map(&mut as_set);
            let [ends, farthest] = [AheadForm::Straightened, AheadForm::Farthest].map(&mut as_set);
            assert_eq!(cells, ahead(&mut world, chaser, steps));
            let expected: (Vec<_>, Option<_>) = ask(&mut world, |points| {
                let turns = points.turns_ahead(chaser, steps).collect();
                (turns, points.straight_ahead(chaser, steps))
            });
            assert_eq!((turns, farthest.first().copied()), expected);
            assert!(farthest.len() <= 1 && ends.starts_with(&farthest));
            // Both lead to the same cell, by points of the way in the same order.
            assert_eq!(ends.last(), cells.last());
            let mut rest = cells.iter();
            assert!(
                ends.iter().all(|end| rest.any(|cell| cell == end)),
                "{ends:?}"
            );
            let grid = world.get::<NavMap>(world.map).grid().clone();
            let mut from = world.cell(chaser);
            for end in &ends {
                let query = PathQuery::new(from, world.cell(target));
                let sight = LineOfSight::new(&grid, &query);
                assert!(end.by_link || sight.sees(from, end.cell), "{from} {end:?}");
                from = end.cell;
            }
            if steps == 300 && !cells.is_empty() {
                assert!(ends.len() <= expected.0.len(), "{ends:?}");
                checked += u32::from(ends.len() < expected.0.len());
            }
        }
    }
    assert!(
        checked >= 8,
        "{checked} ways have fewer ends of lines than turns"
    );
}

#[test]
fn straightened_points_are_both_ends_of_stairs() {
    let (mut world, stairs) = house();
    let target = world.target(Cell::new(1, 1).on_floor(1));
    let chaser = world.chaser((1, 1), target);
    world.tick(2);
    let settings = AheadSettings {
        points: AheadForm::Straightened,
        ..AheadSettings::default()
    };
    let points = points_as_set(&mut world, chaser, settings);
    let head = points.iter().position(|point| point.by_link).unwrap();
    assert_eq!(points[head].cell, stairs.to);
    assert_eq!(points[head - 1].cell, stairs.from);
    assert!(head <= 2 && points.len() <= head + 3, "{points:?}");
}

/// Whether a line runs in none of the eight directions.
fn is_bent(from: Cell, to: Cell) -> bool {
    let (across, down) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    across != 0 && down != 0 && across != down
}

/// A game's system asks in the tick, after the plugin's.
#[test]
fn a_system_of_the_game_sees_where_chasers_are_in_this_tick() {
    #[derive(Resource, Default)]
    struct Told(Vec<(Cell, Option<Cell>)>);
    let mut app = nav_tests::app();
    app.add_plugins(nav::NavPlugin::default());
    app.init_resource::<Told>().add_systems(
        bevy_app::FixedUpdate,
        (|ahead: PointsAhead,
          chasers: Query<(Entity, &nav::CellPosition), With<PathCursor>>,
          mut told: ResMut<Told>| {
            for (chaser, position) in &chasers {
                let next = ahead.ahead(chaser, 1).next().map(|point| point.cell);
                told.0.push((position.cell, next));
            }
        })
        .after(nav::NavSystems::Report),
    );
    let mut world = TestWorld::with_app(app, Grid::open(20, 20).unwrap());
    let target = world.target((15, 10));
    world.chaser((3, 4), target);
    world.seconds(5);
    let told = &world.app.world().resource::<Told>().0;
    let mut steps = told.windows(2).filter(|pair| pair[0].0 != pair[1].0);
    assert!(steps.all(|pair| pair[0].1 == Some(pair[1].0)), "{told:?}");
    assert!(told.last().is_some_and(|last| last.1.is_none()));
}
