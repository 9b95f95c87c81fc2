//! Two guards walk beside a merchant, and catch up when he gets ahead; a thief waits to come from
//! behind.

use bevy_ecs::prelude::*;
use nav::prelude::*;
use nav_behaviour::{
    Approach, ApproachSide, BehaviourPlugins, CatchUp, Formation, FormationShape, InFormation,
    Patrol, PatrolOrder,
};
use nav_examples::{app, run_seconds};

fn main() -> Result {
    let mut app = app();
    app.add_plugins(BehaviourPlugins::default());
    let world = app.world_mut();
    let map = OnMap(world.spawn(NavMap::new(Grid::open(60, 20)?)).id());
    let way = [Cell::new(45, 10), Cell::new(45, 4)];
    let merchant = (
        (Chaser::default(), map, CellPosition::new(15, 10)),
        Formation::new(FormationShape::Line),
        Patrol::new(PatrolOrder::Once, way),
    );
    let merchant = world.spawn(merchant).id();
    let guards = [8, 12].map(|y| {
        // As fast as the merchant: without `CatchUp` they would stay behind for ever.
        let member = (InFormation(merchant), CatchUp::default());
        let place = (map, CellPosition::new(5, y));
        world.spawn((Chaser::default(), place, member)).id()
    });
    let thief = (Chaser::default(), map, CellPosition::new(40, 2));
    let thief = world.spawn((thief, Approach::new(ApproachSide::Behind)));
    let thief = thief.id();

    for second in 1..=12 {
        run_seconds(&mut app, 1);
        if second == 8 {
            app.world_mut().entity_mut(thief).insert(Chasing(merchant));
        }
        let at = |agent| app.world().get::<CellPosition>(agent).map(|at| at.cell);
        let (Some(to), Some(thief)) = (at(merchant), at(thief)) else {
            return Err("somebody is gone".into());
        };
        let gaps = guards.map(|guard| at(guard).map_or(0, |guard| guard.chebyshev(to)));
        println!("{second:2} s: {to}, guards {gaps:?} cells away, thief at {thief}");
        assert!(second < 12 || gaps.iter().all(|&gap| gap <= 2));
    }
    Ok(())
}
