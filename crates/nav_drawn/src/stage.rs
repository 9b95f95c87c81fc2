//! A drawn scene in its app.

use super::{agents::Npc, world::Scene};
use bevy_app::App;
use bevy_ecs::prelude::*;
use nav::{
    Body, CellPosition, ChaseState, Chaser, Chasing, Destination, MoveTimer, NavMap, NavPlugin,
    OnMap,
    saving::{NavSave, RestoreError, save},
};
use nav_behaviour::{BehaviourPlugins, FormationPlugin};
use nav_grid::{Grid, Method};
use nav_testing::{Scene as TestWorld, oracle::Goal};

/// A scene in its app.
pub struct Stage {
    /// The app, and the messages of the plugin.
    pub world: TestWorld,
    /// The targets of the scene, in order.
    pub targets: Vec<Entity>,
    /// Its chasers.
    pub npcs: Vec<Entity>,
    /// Its idle bodies.
    pub idle: Vec<Entity>,
    /// A small map beside that of the scene, once [`Stage::add_away`] made it.
    pub away: Entity,
    /// The ground of the scene.
    pub(super) grid: Grid,
}

/// A component of the game's own.
#[derive(Component)]
struct Shuffled;

/// Makes an app with the plugin and all behaviours.
pub fn app_with_behaviours() -> App {
    let mut app = app(false);
    app.add_plugins(BehaviourPlugins::default());
    app
}

/// Makes an app with the plugin, and with behaviours if asked for.
pub(super) fn app(has_behaviours: bool) -> App {
    if has_behaviours {
        return app_with_behaviours();
    }
    let mut app = nav_testing::app();
    app.add_plugins(NavPlugin::default());
    app
}

impl Stage {
    /// Returns whether the app has behaviours.
    pub fn has_behaviours(&self) -> bool {
        self.world.app.is_plugin_added::<FormationPlugin>()
    }

    /// Makes a small map to which agents can be sent away.
    ///
    /// # Panics
    ///
    /// Never: it is a map of 12 by 12 cells.
    pub fn add_away(&mut self) {
        let ground = Grid::open(12, 12).expect("a small map");
        self.away = self.world.add_map(ground);
    }

    /// Saves the world and restores it in an app of its own, which has other entities. No time
    /// passes in it. Agents that are gone are removed from the lists of both stages, so that inputs
    /// mean the same in both.
    ///
    /// # Errors
    ///
    /// When the save is refused after `through` processed it.
    ///
    /// # Panics
    ///
    /// When the digest differs.
    pub fn restored(
        &mut self,
        through: impl FnOnce(NavSave) -> NavSave,
    ) -> Result<Self, RestoreError> {
        let saved = through(save(self.world.world()).unwrap());
        let digest = self.world.digest();
        let mut app = app(self.has_behaviours());
        app.world_mut().spawn_batch((0..50).map(|_| ()));
        let entities = saved.restore(app.world_mut())?;
        let restored = nav::digest(app.world_mut());
        assert_eq!(restored, digest, "another digest after restoring");
        // No time passes in the first update of an app.
        let mut world = TestWorld::with_app(app, Grid::open(1, 1).expect("a cell"));
        let spare = world.map;
        world.world().despawn(spare);
        world.judges_steps = self.world.judges_steps;
        // A despawned map is gone in the restored world, too: agents may still be on it.
        let map = entities.get(&self.world.map).copied();
        world.map = map.unwrap_or_else(|| world.world().spawn_empty().id());
        if self.world.app.world().get_entity(self.world.map).is_err() {
            let map = world.map;
            world.world().despawn(map);
        }
        let mut lists = [&mut self.targets, &mut self.npcs, &mut self.idle].map(|list| {
            list.retain(|one| entities.contains_key(one));
            list.iter().map(|one| entities[one]).collect()
        });
        let [targets, npcs, idle] = lists.each_mut().map(std::mem::take);
        Ok(Self {
            world,
            targets,
            npcs,
            idle,
            away: entities.get(&self.away).copied().unwrap_or(self.away),
            grid: self.grid.clone(),
        })
    }

    /// Moves agents to other tables in a seeded order, which must not change any result.
    pub fn shuffle(&mut self, draw: &mut super::Draw) {
        let mut agents: Vec<Entity> = self.targets.iter().chain(&self.npcs).copied().collect();
        while !agents.is_empty() {
            let agent = agents.swap_remove(draw.below(agents.len()));
            if let Ok(mut agent) = self.world.world().get_entity_mut(agent) {
                agent.insert(Shuffled);
            }
        }
    }

    /// Returns the goal of the chasers of a target, wherever it is now.
    pub fn goal(&self, target: usize) -> Goal {
        let (target, world) = (self.targets[target], self.world.app.world());
        let body = world.get::<Body>(target).map(|body| body.footprint);
        Goal {
            cell: self.world.cell(target),
            body: body.unwrap_or_default(),
            is_entered: world.get::<Destination>(target).is_some(),
        }
    }

    /// Returns how many steps further away the target of a chaser may be, if it was within reach
    /// before.
    pub(super) fn slack(&self, chaser: Entity, npc: &Npc) -> u16 {
        let is_reached = self.world.cursor(chaser).state() == ChaseState::Reached;
        u16::from(is_reached) * npc.chaser.stop_hysteresis
    }

    /// Spawns a chaser of the scene on the map in the app.
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
    /// Puts the scene into an app with only the plugin, on one thread.
    pub fn stage(&self) -> Stage {
        self.stage_in(app(false))
    }

    /// Puts the scene into an app with the plugin and behaviours, on one thread.
    pub fn stage_with_behaviours(&self) -> Stage {
        self.stage_in(app(true))
    }

    /// Puts the scene into an app with the plugin, which then runs on one thread.
    pub fn stage_in(&self, app: App) -> Stage {
        self.stage_on_threads(app)
    }

    /// Puts the scene into an app with the plugin, with the number of threads that the app is set
    /// up for.
    pub fn stage_on_threads(&self, app: App) -> Stage {
        let mut world = TestWorld::with_app(app, self.grid.clone());
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
            away: Entity::PLACEHOLDER,
            grid: self.grid.clone(),
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
                map.build_jumps(chaser.rules);
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
