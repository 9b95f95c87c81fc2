//! A drawn scene in its app.

use super::{agents::Npc, world::Scene};
use bevy_app::App;
use bevy_ecs::prelude::*;
use nav::{
    Body, CellPosition, ChaseState, Chaser, Chasing, Destination, MoveTimer, NavMap, NavPlugin,
    OnMap,
};
use nav_grid::Method;
use nav_testing::{Scene as TestWorld, oracle::Goal};

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

impl Stage {
    /// What the chasers of a target are to reach, wherever that is by now.
    pub fn goal(&self, target: usize) -> Goal {
        let (target, world) = (self.targets[target], self.world.app.world());
        let body = world.get::<Body>(target).map(|body| body.footprint);
        Goal {
            cell: self.world.cell(target),
            body: body.unwrap_or_default(),
            is_entered: world.get::<Destination>(target).is_some(),
        }
    }

    /// How many steps further the target of a chaser may be, since it was within reach.
    pub(super) fn slack(&self, chaser: Entity, npc: &Npc) -> u16 {
        let is_reached = self.world.cursor(chaser).state() == ChaseState::Reached;
        u16::from(is_reached) * npc.chaser.stop_slack
    }

    /// Puts a chaser of the scene in the app, where its map is.
    pub fn spawn(&mut self, npc: &Npc) -> Entity {
        let timer = MoveTimer {
            next_step: npc.first_step,
            chasing: npc.periods.0,
            idle: npc.periods.1,
        };
        let place = (CellPosition::at(npc.at), OnMap(self.world.map));
        let chase = (npc.chaser, timer, Chasing(self.targets[npc.target]));
        let mut entity = self.world.world().spawn((chase, place));
        if let Some(body) = npc.body {
            entity.insert(body);
        }
        let entity = entity.id();
        self.npcs.push(entity);
        entity
    }
}

impl Scene {
    /// The scene in an app on one thread that has the plugin and nothing else.
    pub fn stage(&self) -> Stage {
        let mut app = nav_testing::app();
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
                if target.is_entered {
                    app.entity_mut(entity).insert(Destination);
                }
                entity
            })
            .collect();
        let mut stage = Stage {
            world,
            targets,
            npcs: Vec::new(),
            idle: Vec::new(),
        };
        for npc in &self.npcs {
            stage.spawn(npc);
        }
        let app = stage.world.world();
        let idle = self.idle.iter().map(|idle| {
            let place = (CellPosition::at(idle.at), on_map, idle.body);
            let entity = app.spawn(place).id();
            if let Some(chaser) = idle.chaser {
                app.entity_mut(entity).insert(chaser);
            }
            entity
        });
        stage.idle = idle.collect();
        stage
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
