//! A drawn scene in its app.

use super::world::Scene;
use bevy_app::App;
use bevy_ecs::prelude::*;
use nav::testing::{self, Scene as TestWorld};
use nav::{CellPosition, Chaser, Chasing, MoveTimer, NavMap, NavPlugin, OnMap};
use nav_grid::Method;

/// A scene in its app.
pub struct Stage {
    /// The app and what the plugin said.
    pub world: TestWorld,
    /// The targets of the scene, in order.
    pub targets: Vec<Entity>,
    /// Its chasers.
    pub npcs: Vec<Entity>,
    /// Those who stand about.
    pub idle: Vec<Entity>,
}

impl Scene {
    /// The scene in an app on one thread that has the plugin and nothing else.
    pub fn stage(&self) -> Stage {
        let mut app = testing::app();
        app.add_plugins(NavPlugin::default());
        self.stage_in(app)
    }

    /// The scene in an app with the plugin, which then runs on one thread.
    pub fn stage_in(&self, mut app: App) -> Stage {
        crate::without_threads(&mut app);
        let mut world = TestWorld::with_app(app, self.grid.clone());
        crate::without_threads(&mut world.app);
        let map = world.map;
        self.build_indexes(&mut world.get_mut::<NavMap>(map));
        let on_map = OnMap(map);
        let app = world.world();
        let targets: Vec<Entity> = self
            .targets
            .iter()
            .map(|target| {
                let place = (CellPosition::at(target.at), on_map);
                let entity = app.spawn(place).id();
                if let Some(body) = target.body {
                    app.entity_mut(entity).insert(body);
                }
                entity
            })
            .collect();
        let npcs = self.npcs.iter().map(|npc| {
            let timer = MoveTimer {
                next_step: npc.first_step,
                ..MoveTimer::default()
            };
            let place = (CellPosition::at(npc.at), on_map);
            let chase = (npc.chaser, timer, Chasing(targets[npc.target]));
            let entity = app.spawn((chase, place)).id();
            if let Some(body) = npc.body {
                app.entity_mut(entity).insert(body);
            }
            entity
        });
        let npcs = npcs.collect();
        let idle = self.idle.iter().map(|idle| {
            let place = (CellPosition::at(idle.at), on_map, idle.body);
            let entity = app.spawn(place).id();
            if let Some(chaser) = idle.chaser {
                app.entity_mut(entity).insert(chaser);
            }
            entity
        });
        let idle = idle.collect();
        Stage {
            world,
            targets,
            npcs,
            idle,
        }
    }

    fn build_indexes(&self, map: &mut NavMap) {
        let tunings: Vec<Chaser> = self.npcs.iter().map(|npc| npc.chaser).collect();
        let Some(first) = tunings.first() else {
            return;
        };
        for chaser in &tunings {
            if chaser.method == Method::Jps {
                map.build_jumps(chaser.rules.footprint, chaser.rules.corners);
            }
        }
        if self.regions {
            map.build_regions(first.rules);
        }
        if self.portals {
            map.build_portals(first.rules);
        }
        if first.method == Method::Mosaic {
            map.build_mosaic(first.rules.footprint);
        }
        if first.method == Method::Trunk {
            map.insert_roads(first.rules, self.roads.iter().copied())
                .expect("cells of the map");
        }
    }
}
