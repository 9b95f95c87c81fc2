//! What holds in every chase, however the world behaves.
//!
//! The harness judges every step of every tick; here are the worlds to judge in: random maps,
//! targets that wander and jump, doors, walls on top of agents, teleports, stuns, switched and
//! ended chases. A failure prints the case, shrunk; add it here as a test of its own.

use bevy_app::FixedUpdate;
use bevy_ecs::prelude::*;
use nav::{CellPosition, Chaser, Chasing, NavMap, NavSystems, PathCursor};
use nav_grid::{Cell, CornerRule, Grid, Metric, Rules, query::Fallback};
use nav_tests::TestWorld;
use proptest::prelude::*;

const SIDE: u16 = 24;
const TARGETS: usize = 3;
const CHASERS: usize = 12;

/// Something that happens between two ticks.
#[derive(Clone, Debug)]
enum Happening {
    Nothing,
    TargetMoves(usize, Cell),
    TargetCreeps(usize, f64, f64),
    Edit(Cell, bool),
    Teleport(usize, Cell),
    Stun(usize),
    Turn(usize, usize),
    /// Chases another chaser, possibly in a ring.
    TurnOnChaser(usize, usize),
    CalledOff(usize),
}

fn cell() -> impl Strategy<Value = Cell> {
    (0..SIDE, 0..SIDE).prop_map(Cell::from)
}

fn happening() -> impl Strategy<Value = Happening> {
    use Happening::{
        CalledOff, Edit, Nothing, Stun, TargetCreeps, TargetMoves, Teleport, Turn, TurnOnChaser,
    };
    let (target, chaser) = (0..TARGETS, 0..CHASERS);
    let world = -2.0..f64::from(SIDE) + 2.0;
    prop_oneof![
        6 => Just(Nothing),
        4 => (target.clone(), cell()).prop_map(|(n, at)| TargetMoves(n, at)),
        2 => (target.clone(), world.clone(), world).prop_map(|(n, x, y)| TargetCreeps(n, x, y)),
        4 => (cell(), any::<bool>()).prop_map(|(at, open)| Edit(at, open)),
        1 => (chaser.clone(), cell()).prop_map(|(n, at)| Teleport(n, at)),
        1 => chaser.clone().prop_map(Stun),
        1 => (chaser.clone(), target).prop_map(|(n, target)| Turn(n, target)),
        1 => (chaser.clone(), chaser.clone()).prop_map(|(n, other)| TurnOnChaser(n, other)),
        1 => chaser.prop_map(CalledOff),
    ]
}

fn tuning() -> impl Strategy<Value = Chaser> {
    let metric = prop::sample::select(Metric::ALL.to_vec());
    let corners = prop::sample::select(CornerRule::ALL.to_vec());
    (metric, corners, 1..4_u16, any::<bool>()).prop_map(|(metric, corners, stop, partial)| Chaser {
        rules: Rules::new(metric, corners),
        stop_distance: stop,
        fallback: if partial {
            Fallback::ClosestReached
        } else {
            Fallback::None
        },
        ..Chaser::default()
    })
}

fn map() -> impl Strategy<Value = Grid> {
    let cells = prop::collection::vec(prop::bool::weighted(0.75), usize::from(SIDE * SIDE));
    cells.prop_map(|open| {
        Grid::from_fn(SIDE, SIDE, |at| open[usize::from(at.y * SIDE + at.x)]).unwrap()
    })
}

fn apply(world: &mut TestWorld, what: &Happening, targets: &[Entity], chasers: &[Entity]) {
    match *what {
        Happening::Nothing => {}
        Happening::TargetMoves(n, at) => world.put(targets[n], at),
        Happening::TargetCreeps(n, x, y) => world.put_at(targets[n], x, y),
        Happening::Edit(at, open) => world.edit(at, open),
        Happening::Teleport(n, at) => world.put(chasers[n], at),
        Happening::Stun(n) => world.get_mut::<PathCursor>(chasers[n]).interrupt(),
        Happening::Turn(n, target) => world.chase(chasers[n], targets[target]),
        Happening::TurnOnChaser(n, other) if n == other => {}
        Happening::TurnOnChaser(n, other) => world.chase(chasers[n], chasers[other]),
        Happening::CalledOff(n) => {
            world.world().entity_mut(chasers[n]).remove::<Chasing>();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn no_illegal_step_ever(
        grid in map(),
        spots in prop::collection::vec(cell(), TARGETS + CHASERS),
        tunings in prop::collection::vec(tuning(), CHASERS),
        happenings in prop::collection::vec(happening(), 400),
    ) {
        let mut world = TestWorld::on(grid);
        let targets: Vec<Entity> = spots[..TARGETS].iter().map(|&at| world.target(at)).collect();
        let chasers: Vec<Entity> = spots[TARGETS..]
            .iter()
            .zip(&tunings)
            .zip(targets.iter().cycle())
            .map(|((&at, &tuning), &target)| world.chaser_with(tuning, at, target))
            .collect();
        for what in &happenings {
            apply(&mut world, what, &targets, &chasers);
            world.tick(1);
        }
    }

    /// Whatever happened: once the world is quiet, everybody who can get there does.
    #[test]
    fn all_who_can_arrive_in_the_end(
        grid in map(),
        spots in prop::collection::vec(cell(), TARGETS + CHASERS),
        happenings in prop::collection::vec(happening(), 150),
        gathering in cell(),
    ) {
        let mut world = TestWorld::on(grid);
        let thorough = Chaser { limits: nav_grid::Limits::UNBOUNDED, ..Chaser::default() };
        let targets: Vec<Entity> = spots[..TARGETS].iter().map(|&at| world.target(at)).collect();
        let chasers: Vec<Entity> = spots[TARGETS..]
            .iter()
            .zip(targets.iter().cycle())
            .map(|(&at, &target)| world.chaser_with(thorough, at, target))
            .collect();
        for what in &happenings {
            apply(&mut world, what, &targets, &chasers);
            world.tick(1);
        }
        world.edit(gathering, true);
        world.put(targets[0], gathering);
        for &chaser in &chasers {
            if world.get::<NavMap>(world.map).grid().is_walkable(world.cell(chaser)) {
                world.chase(chaser, targets[0]);
            }
        }
        // The longest way, at four cells a second.
        world.seconds(u64::from(SIDE * SIDE) / 4);
        for &chaser in &chasers {
            let Some(&Chasing(target)) = world.world().get(chaser) else { continue };
            if target != targets[0] {
                continue;
            }
            let query = nav_grid::PathQuery::new(world.cell(chaser), gathering)
                .with_limits(nav_grid::Limits::UNBOUNDED);
            let grid = world.get::<NavMap>(world.map).grid();
            let mut path = nav_grid::Path::new();
            let outcome = nav_grid::Search::search(&mut nav_grid::methods::Dijkstra::new(), grid, &query, &mut path);
            // Beside the target, on it (it came to the chaser), or with no way to it.
            if outcome.status.has_path() {
                prop_assert_eq!(path.len(), 1, "{} is still on its way", chaser);
            }
        }
    }
}

/// A judge who never objects is no judge.
fn meddle(with: fn(&mut CellPosition)) {
    let mut world = TestWorld::on(Grid::from_fn(9, 9, |at| at.x != 4).unwrap());
    let target = world.target((2, 7));
    world.chaser((1, 1), target);
    world.tick(1);
    let meddler = move |mut chasers: Query<&mut CellPosition, With<Chaser>>| {
        chasers.iter_mut().for_each(|mut place| with(&mut place));
    };
    let late = meddler.after(NavSystems::Report);
    world.app.add_systems(FixedUpdate, late);
    world.tick(1);
}

#[test]
#[should_panic(expected = "which is neither step nor link")]
fn a_leap_is_noticed() {
    meddle(|place| place.cell.x = 7);
}

#[test]
#[should_panic(expected = "went into the wall")]
fn a_step_into_a_wall_is_noticed() {
    meddle(|place| place.cell.x = 4);
}

#[test]
#[should_panic(expected = "between its move ticks")]
fn a_step_out_of_turn_is_noticed() {
    meddle(|place| place.cell.y = 3);
}
