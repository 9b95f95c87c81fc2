//! Small worlds with everything that is saved and traced.

use bevy_app::App;
use nav::{Body, Chaser};
use nav_behaviour::{BehaviourPlugins, Intercept, KeepDistance, Leash, Notice, Noticeable};
use nav_grid::{Cell, Footprint, Rules};
use nav_testing::Scene;

/// Creates ghosts and bodies behind a wall, a chain, and an index of each kind.
pub(crate) fn hunt(app: App) -> Scene {
    let rows = [
        "............",
        ".A..#....T..",
        ".B..#.......",
        ".C..#..D....",
        "............",
    ];
    let mut scene = Scene::with_app(app, &rows);
    scene.insert('C', Body::solid(Footprint::ONE));
    scene.chase('D', 'A');
    let mut map = scene.nav_map();
    map.build_regions(Rules::default());
    map.build_portals(Rules::default());
    map.build_mosaic(Footprint::ONE);
    map.build_jumps(Rules::default());
    map.insert_roads(Rules::default(), [Cell::new(3, 3)])
        .expect("a road on the map");
    scene
}

/// Creates agents with behaviours.
pub(crate) fn behaving(mut app: App) -> Scene {
    app.add_plugins((nav::NavPlugin::default(), BehaviourPlugins::default()));
    let rows = ["..........", ".A......T.", ".B........", ".C...2...."];
    let mut scene = Scene::with_app(app, &rows);
    scene.insert('A', (Leash::new(3), Body::default()));
    scene.insert('B', (Notice::new(6), Intercept::new(5)));
    scene.insert('C', KeepDistance { least: 3 });
    scene.insert('T', Noticeable::default());
    scene.tune('C', |chaser: &mut Chaser| chaser.stop_distance = 4);
    scene
}
