//! Chasers are visited row by row of Bevy's tables, and many chasers of one target without a view.
//! This must not change any result, so each test compares it with visiting chasers one by one.
//!
//! Visits one by one are forced by a disabling component that is kept outside of tables.

use bevy_ecs::prelude::*;
use nav::{Body, Chaser, Chasing, MoveTimer, NavBudget, NavMap, NavPlugin, Period, WorldPosition};
use nav_drawn::{
    Session,
    crowd::{crowd_in, digests},
};
use nav_grid::{Footprint, Link, Metric, Rules};
use nav_tests::by_tier;

/// Marks disabled entities. Bevy keeps it beside the tables.
#[derive(Component)]
#[component(storage = "SparseSet")]
struct Petrified;

/// Makes a crowd that is visited by rows or one by one.
fn crowd(by_rows: bool, seed: u64) -> Session {
    let mut app = nav_tests::app();
    if !by_rows {
        app.world_mut().register_disabling_component::<Petrified>();
    }
    app.add_plugins(NavPlugin::default());
    let mut crowd = crowd_in(app, seed);
    let world = crowd.stage.world.world();
    let tables = world.query::<&Chaser>().contiguous_iter(world).is_ok();
    assert_eq!(tables, by_rows, "or this shows nothing");
    crowd
}

/// Compares a crowd visited by rows with the same crowd visited one by one. `set_up` runs once,
/// `disturb` before each tick.
fn judge(set_up: impl Fn(&mut Session), disturb: impl Fn(&mut Session, usize)) {
    for seed in 1..=by_tier(1, 3) {
        let run = |by_rows| {
            let mut crowd = crowd(by_rows, seed);
            set_up(&mut crowd);
            digests(crowd, &disturb)
        };
        let (rows, single) = (run(true), run(false));
        let differs = rows.iter().zip(&single).position(|(a, b)| a != b);
        assert_eq!(differs, None, "the first tick that differs, seed {seed}");
    }
}

/// Tunes each chaser, by its number.
fn tune(crowd: &mut Session, tuning: impl Fn(usize) -> Chaser) {
    for (n, &chaser) in crowd.stage.npcs.iter().enumerate() {
        *crowd.stage.world.get_mut(chaser) = tuning(n);
    }
}

/// Inserts a bundle in some chasers, by number.
fn give<B: Bundle>(crowd: &mut Session, something: impl Fn(usize) -> Option<B>) {
    for n in 0..crowd.stage.npcs.len() {
        if let Some(something) = something(n) {
            let chaser = crowd.stage.npcs[n];
            crowd
                .stage
                .world
                .world()
                .entity_mut(chaser)
                .insert(something);
        }
    }
}

const fn nothing(_: &mut Session, _: usize) {}

#[test]
fn ghosts_and_bodies() {
    judge(|_| {}, nothing);
    judge(
        |crowd| give(crowd, |n| (n % 2 == 0).then(Body::default)),
        nothing,
    );
}

#[test]
fn world_coordinates() {
    judge(
        |crowd| give(crowd, |n| (n % 3 > 0).then(WorldPosition::default)),
        nothing,
    );
}

#[test]
fn all_tunings() {
    let tuning = |n: usize| {
        let mut chaser = Chaser {
            stop_distance: [1, 1, 3, 0, u16::MAX][n % 5],
            repath_distance: [0.5, 2.0, 0.0][n % 3],
            repath_interval: Period::from_millis([500, 200, 1000, 0][n % 4]),
            ..Chaser::default()
        };
        chaser.limits.radius = [20, 28, 60, 5][n % 4];
        chaser.rules.metric = [Metric::Unit, Metric::FourWay, Metric::Octile][n / 7 % 3];
        chaser.rules.footprint = Footprint::new([1, 1, 1, 2][n / 3 % 4]).unwrap();
        if n.is_multiple_of(11) {
            Chaser::classic()
        } else {
            chaser
        }
    };
    judge(|crowd| tune(crowd, tuning), nothing);
    // Chasers are tuned again on their way.
    judge(
        |_| {},
        |crowd, tick| {
            let n = tick * 37 % crowd.stage.npcs.len();
            *crowd.stage.world.get_mut(crowd.stage.npcs[n]) = tuning(tick);
        },
    );
}

#[test]
fn links_and_portals() {
    let links = |crowd: &mut Session| {
        let map = crowd.stage.world.map;
        let mut map = crowd.stage.world.get_mut::<NavMap>(map);
        let ground: Vec<_> = map.grid().walkable_cells().step_by(7).collect();
        for n in (0..ground.len()).step_by(2) {
            let link = Link::new(ground[n], ground[(n * 5 + 1) % ground.len()]);
            map.set_link(link).unwrap();
        }
        tune(crowd, |n| Chaser {
            stop_distance: 1 + n as u16 % 4,
            ..Chaser::default()
        });
    };
    judge(links, nothing);
    let portals = |crowd: &mut Session| {
        let map = crowd.stage.world.map;
        let mut map = crowd.stage.world.get_mut::<NavMap>(map);
        map.build_portals(Rules::default());
        tune(crowd, |n| {
            let mut chaser = Chaser::default();
            chaser.limits.radius = [28, 200, 20][n % 3];
            chaser
        });
    };
    judge(portals, nothing);
}

#[test]
fn individual_periods() {
    let timer = |n: usize| MoveTimer {
        chasing: Period::from_millis([50, 250, 130, 1][n % 4]),
        idle: Period::from_millis([500, 70][n % 2]),
        ..MoveTimer::default()
    };
    judge(
        |crowd| give(crowd, |n| Some(timer(n).staggered(n as u64 * 100))),
        nothing,
    );
}

#[test]
fn under_a_budget() {
    let budget = |crowd: &mut Session| {
        let expansions = Some(700);
        crowd
            .stage
            .world
            .world()
            .insert_resource(NavBudget::from(expansions));
    };
    judge(budget, nothing);
}

#[test]
fn stuns_and_lost_targets() {
    judge(
        |_| {},
        |crowd, tick| {
            let count = crowd.stage.npcs.len();
            let (chaser, other) = (
                crowd.stage.npcs[tick * 13 % count],
                crowd.stage.npcs[tick * 29 % count],
            );
            match tick % 4 {
                0 if chaser != other => {
                    let target = crowd.stage.world.get::<Chasing>(other).0;
                    if target != chaser {
                        crowd.stage.world.chase(chaser, target);
                    }
                }
                1 => {
                    let cursor = crowd.stage.world.get_mut::<nav::PathCursor>(chaser);
                    cursor.into_inner().interrupt();
                }
                2 => {
                    let at = crowd.stage.world.cell(other);
                    crowd.stage.world.put(chaser, at);
                }
                _ => {}
            }
            if tick == 100 {
                let target = crowd.stage.world.get::<Chasing>(chaser).0;
                crowd
                    .stage
                    .world
                    .world()
                    .entity_mut(target)
                    .remove::<nav::OnMap>();
            }
        },
    );
}
