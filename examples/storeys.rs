//! A house of two storeys: the chaser looks for the stairs, takes the road to them rather than
//! the rubble, and finds the player upstairs.

use bevy_ecs::prelude::*;
use nav::{nav_grid::Area, prelude::*};
use nav_examples::app;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut grid = Grid::build(Size::new(16, 9).with_floors(2), |_| true)?;
    let rubble = Area::new(Cell::new(4, 0), Cell::new(9, 5));
    grid.set_cost(rubble, 8)?;
    let stairs = Link::new(Cell::new(14, 2), Cell::new(14, 3).on_floor(1)).with_cost(2);
    grid.set_link(stairs)?;
    grid.set_link(stairs.reversed())?;

    let mut app = app();
    let world = app.world_mut();
    let map = world.spawn(NavMap::new(grid)).id();
    let upstairs = CellPosition::at(Cell::new(5, 4).on_floor(1));
    let player = world.spawn((upstairs, OnMap(map))).id();
    let mut chaser = Chaser::default();
    chaser.limits.expansions = 500;
    let place = (CellPosition::new(1, 2), OnMap(map));
    let npc: Entity = world.spawn((chaser, place, Chasing(player))).id();

    let mut last = Cell::new(1, 2);
    for tick in 1..=200 {
        app.update();
        let cell = app
            .world()
            .get::<CellPosition>(npc)
            .ok_or("no chaser")?
            .cell;
        if cell != last {
            let cost = app
                .world()
                .get::<NavMap>(map)
                .ok_or("no map")?
                .grid()
                .cost(cell);
            println!("tick {tick}: at {cell}, ground of cost {cost}");
            last = cell;
        }
    }
    println!("{} cells from the player", last.chebyshev(upstairs.cell));
    Ok(())
}
