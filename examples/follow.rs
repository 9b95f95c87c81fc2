//! A squad follows its leader in a wedge, through a gate one by one, and spreads again behind it.

use bevy_app::App;
use bevy_ecs::prelude::*;
use nav::Destination;
use nav::prelude::*;
use nav_behaviour::{BehaviourPlugins, Formation, FormationShape, InFormation};
use nav_examples::{app, run_seconds};

const WIDTH: u16 = 44;
const HEIGHT: u16 = 13;
const GATE: u16 = 22;
const ROW: u16 = HEIGHT / 2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut app = app();
    app.add_plugins(BehaviourPlugins::default());
    let wall = |cell: Cell| cell.x == GATE && cell.y != ROW;
    let grid = Grid::from_fn(WIDTH, HEIGHT, |cell| !wall(cell))?;
    let world = app.world_mut();
    let map = world.spawn(NavMap::new(grid)).id();
    let leader = (
        Formation::new(FormationShape::Wedge),
        (CellPosition::new(6, ROW), OnMap(map)),
    );
    let leader = world.spawn(leader).id();
    for n in 0..6 {
        let place = (CellPosition::new(n % 2, ROW + n / 2), OnMap(map));
        let member = (Chaser::default(), Body::default(), InFormation(leader));
        world.spawn((member, place));
    }
    for x in 7..WIDTH - 4 {
        // The game moves the leader: a player, or an NPC with a chase of its own.
        let place = CellPosition::new(x, ROW);
        app.world_mut().entity_mut(leader).insert(place);
        for _ in 0..6 {
            app.update();
        }
        if x == GATE + 4 {
            draw(&mut app, leader);
        }
        // The leader stands for two seconds, and the members close up.
        if [18, WIDTH - 5].contains(&x) {
            run_seconds(&mut app, 2);
            draw(&mut app, leader);
        }
    }
    Ok(())
}

/// Prints the map with the leader, `L`, and its members, `m`.
fn draw(app: &mut App, leader: Entity) {
    let mut rows = vec![vec!['.'; WIDTH.into()]; HEIGHT.into()];
    for (y, row) in rows.iter_mut().enumerate() {
        if y != usize::from(ROW) {
            row[usize::from(GATE)] = '#';
        }
    }
    let mut agents = app
        .world_mut()
        .query_filtered::<(Entity, &CellPosition), Without<Destination>>();
    for (agent, place) in agents.iter(app.world()) {
        let sign = if agent == leader { 'L' } else { 'm' };
        rows[usize::from(place.cell.y)][usize::from(place.cell.x)] = sign;
    }
    for row in rows {
        println!("{}", row.into_iter().collect::<String>());
    }
    println!();
}
