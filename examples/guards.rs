//! A guard sees a thief before it, loses him behind a house, looks around, and goes home. A spell
//! of fear drives it off.

use bevy_app::FixedUpdate;
use bevy_ecs::prelude::*;
use nav::prelude::*;
use nav_behaviour::{
    Activity, ActivityChanged, BehaviourPlugins, Flee, FleeEnded, Home, Memory, Notice, Noticeable,
    SearchEnded, SightLost, ViewCone,
};
use nav_examples::{app, run_seconds};
use nav_grid::Direction;

/// A house between two streets.
const TOWN: &str = "\
..............................
..............................
.......###############........
.......###############........
.......###############........
..............................
..............................";

/// The way of the thief, a cell in five ticks.
fn steal(mut thieves: Query<&mut CellPosition, With<Noticeable>>, mut ticks: Local<u16>) {
    *ticks += 1;
    for mut place in &mut thieves {
        let step = *ticks / 5;
        // Along the upper street, around the house, and back behind it.
        let cell = match step {
            0..=18 => Cell::new(8 + step, 1),
            19..=22 => Cell::new(26, step - 17),
            _ => Cell::new(49_u16.saturating_sub(step).max(9), 6),
        };
        place.set_if_neq(CellPosition::at(cell));
    }
}

fn main() -> Result {
    let mut app = app();
    app.add_plugins(BehaviourPlugins::default())
        .add_systems(FixedUpdate, steal.before(NavSystems::Behave));
    app.add_observer(|change: On<ActivityChanged>| println!("{:?}: {:?}", change.cause, change.to));
    app.add_observer(|lost: On<SightLost>| println!("goes to {} to look for him", lost.cell));
    app.add_observer(|ended: On<SearchEnded>| println!("finds nobody around {}", ended.cell));
    app.add_observer(|ended: On<FleeEnded>| println!("fears no longer: {:?}", ended.end));

    let world = app.world_mut();
    let map = OnMap(world.spawn(NavMap::new(text::read(TOWN.as_bytes())?)).id());
    world.spawn((map, CellPosition::new(8, 1), Noticeable::default()));
    let post = Cell::new(1, 1);
    let eyes = Notice {
        needs_sight: true,
        ..Notice::new(10)
    };
    // It faces the street, and knows for half a second more where he went.
    let mind = (
        eyes,
        ViewCone::new(120, Direction::East),
        Memory::default().with_times(Period::from_millis(500), Period::from_millis(3_000)),
    );
    // Slower than the thief.
    let pace = MoveTimer::default().with_chasing(Period::from_millis(400));
    let guard = (Chaser::default(), pace, map, CellPosition::at(post));
    let guard = world.spawn((guard, mind, Home(post))).id();
    run_seconds(&mut app, 40);
    let at = |app: &bevy_app::App| app.world().get::<CellPosition>(guard).map(|at| at.cell);
    assert_eq!(at(&app), Some(post));

    let fear = Flee::from_cell(post).with_distance(9);
    app.world_mut().entity_mut(guard).insert(fear);
    run_seconds(&mut app, 3);
    assert_eq!(app.world().get::<Activity>(guard), Some(&Activity::Fleeing));
    run_seconds(&mut app, 20);
    assert_eq!(at(&app), Some(post), "home again");
    Ok(())
}
