//! A map with agents that is filmed.

use bevy_app::{App, TaskPoolPlugin};
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use nav::prelude::*;
use nav_behaviour::{Activity, BehaviourPlugins, Formation, Noticeable, Patrol, PatrolOrder};
use nav_sim::{
    picture::{Film, FilmError, Motion, Scene},
    sim::{Figure, Role},
};
use std::io::Write;

/// Ticks a second.
const HZ: u32 = 20;

/// Ticks of a step of an NPC, as of a default chaser, and of a player, who is a little slower.
const TICKS: [u32; 2] = [5, 6];

/// A player, who is hunted.
#[derive(Component)]
struct Player;

/// A map and its agents.
pub(super) struct Stage {
    app: App,
    map: Entity,
}

impl Stage {
    /// Creates a map without agents.
    pub(super) fn new(text: &str) -> Self {
        let mut app = App::new();
        app.add_plugins((TaskPoolPlugin::default(), TimePlugin))
            .add_plugins((NavPlugin::default(), BehaviourPlugins::default()))
            .insert_resource(Time::<Fixed>::from_hz(HZ.into()))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        // The maps of scenes are well-formed: a test makes all of them.
        let grid = text::read(text.as_bytes()).expect("the map of a scene");
        let map = app.world_mut().spawn(NavMap::new(grid)).id();
        Self { app, map }
    }

    /// Changes the map before the film begins.
    pub(super) fn change_map(&mut self, change: impl FnOnce(&mut NavMap)) {
        let mut map = self.app.world_mut().entity_mut(self.map);
        change(&mut map.get_mut().expect("the map of the scene"));
    }

    /// Spawns an NPC.
    pub(super) fn npc(&mut self, at: (u16, u16), components: impl Bundle) -> Entity {
        let place = (OnMap(self.map), CellPosition::new(at.0, at.1));
        let npc = (Chaser::default(), Activity::default());
        self.app
            .world_mut()
            .spawn((npc, place))
            .insert(components)
            .id()
    }

    /// Spawns a player who walks from one cell to the next, and then stays.
    pub(super) fn player(&mut self, at: (u16, u16), stops: &[(u16, u16)]) -> Entity {
        let timer = MoveTimer::default().with_chasing(Period::from_millis(1000 * TICKS[1] / HZ));
        let stops = stops.iter().map(|&(x, y)| Cell::new(x, y));
        let course = Patrol::new(PatrolOrder::Once, stops);
        let place = (OnMap(self.map), CellPosition::new(at.0, at.1));
        let player = (
            Player,
            Noticeable::default(),
            Chaser::default(),
            timer,
            course,
        );
        self.app.world_mut().spawn((player, place)).id()
    }

    /// Inserts components of an agent.
    pub(super) fn insert(&mut self, agent: Entity, components: impl Bundle) {
        self.app.world_mut().entity_mut(agent).insert(components);
    }

    /// Films the stage.
    pub(super) fn film(mut self, seconds: u32, out: impl Write) -> Result<(), FilmError> {
        let map = self.app.world().get::<NavMap>(self.map);
        let grid = map.expect("the map of the scene").grid();
        let scene = Scene::new(grid).expect("scenes are small");
        let ticks = u64::from(seconds * HZ);
        let mut film = Film::new(out, scene, ticks, HZ)?;
        let [npc, player] = TICKS.map(f64::from);
        let (mut motion, mut placed) = (Motion::new(npc, player), Vec::new());
        for tick in 0..ticks {
            self.app.update();
            motion.place(tick, &self.figures(), &mut placed);
            if film.shows(tick) {
                film.add(&placed)?;
            }
        }
        film.finish()
    }

    /// Returns the agents in the order in which they are drawn.
    fn figures(&mut self) -> Vec<Figure> {
        type Agent<'a> = (
            Entity,
            &'a CellPosition,
            &'a Chaser,
            &'a Activity,
            Has<Player>,
            Has<Formation>,
        );
        let world = self.app.world_mut();
        let mut agents = world.query::<Agent>();
        let mut figures: Vec<Figure> = agents
            .iter(world)
            .map(
                |(agent, place, chaser, &activity, is_player, leads)| Figure {
                    agent,
                    cell: place.cell,
                    side: chaser.rules.footprint.side(),
                    role: match activity {
                        _ if is_player => Role::Target,
                        Activity::InReach => Role::Beside,
                        Activity::Chasing => Role::Chasing,
                        Activity::Idle | Activity::Walking => Role::Idle,
                        _ => Role::Waiting,
                    },
                    leads,
                },
            )
            .collect();
        figures.sort_unstable_by_key(|figure| (figure.role, figure.agent));
        figures
    }
}
