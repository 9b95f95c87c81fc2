//! Click to move: a tooltip shows how far the hovered cell is, and a click sends the hero there.

use bevy_ecs::prelude::*;
use nav::{nav_grid::map::text, prelude::*, requests::Want};
use nav_examples::{app, run_seconds};

/// The cells under the mouse. The last one is clicked.
const HOVERED: [(u16, u16); 4] = [(5, 1), (8, 2), (3, 2), (8, 4)];

/// Prints the tooltip. The budget decides in which tick.
fn show(answered: On<Insert<PathAnswer>>, answers: Query<&PathAnswer>) -> Result {
    let answer = answers.get(answered.entity)?;
    let to = answer.request.to;
    match &answer.result {
        Ok(route) => println!("{to}: {} steps", route.steps),
        Err(error) => println!("{to}: {error}"),
    }
    Ok(())
}

fn main() -> Result {
    let mut app = app();
    app.add_observer(show);
    let grid = text::read(
        b"..........\n\
          .#######..\n\
          .#.....#..\n\
          .#######..\n\
          ..........\n",
    )?;
    let world = app.world_mut();
    let map = world.spawn(NavMap::new(grid)).id();
    let hero = (Chaser::default(), OnMap(map), CellPosition::new(0, 2));
    let hero = world.spawn(hero).id();
    let tooltip = world.spawn(OnMap(map)).id();

    for hovered in HOVERED.map(Cell::from) {
        let world = app.world_mut();
        let from = world.get::<CellPosition>(hero).ok_or("no hero")?.cell;
        // A tooltip needs no path. A request replaces an earlier one, answered or not.
        let request = PathRequest::new(from, hovered).wanting(Want::Cost);
        world.entity_mut(tooltip).insert(request);
        app.update();
    }

    let clicked = Cell::from(HOVERED[3]);
    app.world_mut().entity_mut(hero).insert(GoTo(clicked));
    run_seconds(&mut app, 5);
    let at = app.world().get::<CellPosition>(hero).ok_or("no hero")?.cell;
    println!("the hero is at {at}");
    assert_eq!(at, clicked);
    Ok(())
}
