//! A game with a bit of everything, which does things between ticks as chance has it.

use bevy_app::App;
use bevy_ecs::{entity_disabling::Disabled, prelude::*};
use bevy_time::TimeUpdateStrategy;
use nav::{
    Body, CellPosition, Chaser, Chasing, NavBudget, NavMap, NavPlugin, OnMap, Pace, Paused, Period,
    WorldPosition,
    saving::{NavSave, save},
};
use nav_behaviour::{
    BehaviourPlugins, Formation, FormationShape, GiveUp, GoTo, Home, InFormation, Intercept,
    KeepDistance, Leash, Notice, Noticeable, Patrol, PatrolOrder, PatrolStop, StuckWatch,
};
use nav_grid::{Area, Cell, Footprint, Grid, Limits, Link, Rules, Size};
use nav_tests::drawn::Draw;

/// What a game has, and does.
#[derive(Clone, Copy, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "any of them goes with any other"
)]
pub struct Kind {
    pub bodies: bool,
    pub costs: bool,
    pub links: bool,
    pub far: bool,
    pub budget: Option<u32>,
    pub behaviours: bool,
    /// How often, in percent of all frames, it does each of these.
    pub edits: u32,
    pub comings: u32,
    pub meddling: u32,
    /// Whether frames have no tick or many, and clocks jump.
    pub jumps: bool,
}

fn app(kind: Kind) -> App {
    let mut app = nav_tests::app();
    app.add_plugins(NavPlugin::default());
    if kind.behaviours {
        app.add_plugins(BehaviourPlugins::default());
    }
    nav_tests::without_threads(&mut app);
    // No time passes in the first update.
    app.update();
    app
}

/// A component of the game's own.
#[derive(Component)]
struct Shuffled;

/// A running game.
pub struct Game {
    pub app: App,
    kind: Kind,
    draw: Draw,
    map: Entity,
    ground: Vec<Cell>,
    pub targets: Vec<Entity>,
    pub chasers: Vec<Entity>,
}

impl Game {
    /// A game in which nobody is yet.
    pub fn new(kind: Kind, seed: u64) -> Self {
        Self {
            app: app(kind),
            kind,
            draw: Draw::new(seed),
            map: Entity::PLACEHOLDER,
            ground: Vec::new(),
            targets: Vec::new(),
            chasers: Vec::new(),
        }
    }

    /// Puts agents of this game into another order of storage, which is to show nowhere.
    pub fn shuffle(&mut self) {
        let mut agents: Vec<Entity> = self.targets.iter().chain(&self.chasers).copied().collect();
        while !agents.is_empty() {
            let agent = agents.swap_remove(self.draw.below(agents.len()));
            if let Ok(mut agent) = self.app.world_mut().get_entity_mut(agent) {
                agent.insert(Shuffled);
            }
        }
    }

    /// Saves this game and restores it in an app of its own.
    pub fn restored(&mut self) -> Self {
        let saved = postcard::to_allocvec(&save(self.app.world_mut())).unwrap();
        let saved: NavSave = postcard::from_bytes(&saved).unwrap();
        let mut app = app(self.kind);
        // Entities are other ones than before.
        app.world_mut().spawn_batch((0..50).map(|_| ()));
        let known = saved.restore(app.world_mut()).unwrap();
        let of = |all: &[Entity]| all.iter().map(|one| known[one]).collect();
        Self {
            app,
            kind: self.kind,
            draw: self.draw.clone(),
            map: known[&self.map],
            ground: self.ground.clone(),
            targets: of(&self.targets),
            chasers: of(&self.chasers),
        }
    }

    /// Spawns the map and everybody on it.
    pub fn begin(&mut self, chasers: usize) {
        let seed = self.draw.below(1000) as u64;
        let map = self.map(seed);
        self.ground = map.grid().walkable_cells().collect();
        self.map = self.app.world_mut().spawn(map).id();
        let budget = NavBudget {
            expansions: self.kind.budget,
        };
        self.app.insert_resource(budget);
        for _ in 0..6 {
            self.spawn_target();
        }
        for _ in 0..chasers {
            self.spawn_chaser();
        }
    }

    fn map(&mut self, seed: u64) -> NavMap {
        let (width, height) = if self.kind.far { (150, 90) } else { (44, 36) };
        let grid = mapgen::generate(mapgen::Kind::Rooms, width, height, seed).unwrap();
        let mut grid = if self.kind.links {
            let size = Size::new(width, height).with_floors(2);
            let below = |cell: Cell| grid.is_walkable(Cell::new(cell.x, cell.y));
            Grid::build(size, below).unwrap()
        } else {
            grid
        };
        let ground: Vec<Cell> = grid.walkable_cells().collect();
        if self.kind.costs {
            for _ in 0..ground.len() / 8 {
                let cost = 2 + self.draw.below(6) as u8;
                grid.set_cost(self.draw.one_of(&ground), cost).unwrap();
            }
        }
        if self.kind.links {
            for _ in 0..12 {
                let link = Link::new(self.draw.one_of(&ground), self.draw.one_of(&ground));
                grid.set_link(link).unwrap();
                grid.set_link(link.reversed()).unwrap();
            }
        }
        let mut map = NavMap::new(grid);
        map.build_regions(Rules::default());
        if self.kind.far && !self.kind.costs {
            map.build_portals(Rules::default());
        }
        map
    }

    fn cell(&mut self) -> Cell {
        self.draw.one_of(&self.ground)
    }

    fn spawn_target(&mut self) {
        let place = (OnMap(self.map), CellPosition::at(self.cell()));
        let world = self.app.world_mut();
        let target = world.spawn((nav::AgentId::default(), place)).id();
        if self.kind.behaviours {
            world.entity_mut(target).insert(Noticeable::default());
        }
        self.targets.push(target);
    }

    fn spawn_chaser(&mut self) {
        let place = (OnMap(self.map), CellPosition::at(self.cell()));
        let mut chaser = Chaser::default();
        if self.kind.far || self.kind.budget.is_some() {
            chaser.limits = Limits::UNBOUNDED;
        }
        if self.kind.costs {
            chaser.pace = Pace::ByCost;
        }
        let target = self.draw.one_of(&self.targets);
        let world = self.app.world_mut();
        let id = world.spawn((chaser, place)).id();
        if self.kind.bodies {
            world.entity_mut(id).insert(Body::solid(Footprint::ONE));
        }
        self.chasers.push(id);
        if self.kind.behaviours {
            self.behave(id);
        } else {
            self.app.world_mut().entity_mut(id).insert(Chasing(target));
        }
    }

    /// Gives an agent something to do of its own.
    fn behave(&mut self, agent: Entity) {
        let (here, there) = (self.cell(), self.cell());
        let target = self.draw.one_of(&self.targets);
        let wait = Period::from_millis(300);
        let stops = [here, there].map(|cell| PatrolStop { cell, wait });
        let what = self.draw.below(7);
        let mut agent = self.app.world_mut().entity_mut(agent);
        match what {
            0 => agent.insert((Notice::new(9), Leash::new(12), Home(here))),
            1 => agent.insert((Patrol::new(PatrolOrder::PingPong, stops), Notice::new(6))),
            2 => agent.insert(GoTo(there)),
            3 => agent.insert((Formation::new(FormationShape::Ring), GoTo(there))),
            4 => agent.insert((InFormation(target), StuckWatch::default())),
            5 => agent.insert((Chasing(target), KeepDistance { least: 3 }, Home(here))),
            _ => agent.insert((Chasing(target), Intercept::new(9), GiveUp::default())),
        };
    }

    /// Does something, or not, and runs a frame.
    pub fn frame(&mut self) {
        self.act();
        self.app.update();
    }

    /// Runs frames until so many ticks are over, or more.
    pub fn run(&mut self, frames: usize) {
        for _ in 0..frames {
            self.frame();
        }
    }

    fn act(&mut self) {
        for n in 0..self.targets.len() {
            if self.draw.percent(30) {
                let to = self.step_of(self.targets[n]);
                let target = self.targets[n];
                if let Some(mut place) = self.app.world_mut().get_mut::<CellPosition>(target) {
                    *place = CellPosition::at(to);
                }
            }
        }
        if self.draw.percent(self.kind.edits) {
            self.edit();
        }
        if self.draw.percent(self.kind.comings) {
            self.come_or_go();
        }
        if self.draw.percent(self.kind.meddling) {
            self.meddle();
        }
        if self.kind.jumps {
            let ticks = match self.draw.below(40) {
                0 => 50,
                1..4 => 0,
                4..7 => 3,
                _ => 1,
            };
            self.app
                .insert_resource(TimeUpdateStrategy::FixedTimesteps(ticks));
        }
    }

    /// A cell beside that of an agent, or its own.
    fn step_of(&mut self, agent: Entity) -> Cell {
        let turn = self.draw.below(8);
        let world = self.app.world();
        let (Some(place), Some(map)) = (
            world.get::<CellPosition>(agent),
            world.get::<NavMap>(self.map),
        ) else {
            return Cell::new(0, 0);
        };
        let steps = map.grid().steps(place.cell, Rules::default());
        let heading = steps.into_iter().nth(turn % (steps.len() as usize).max(1));
        heading
            .and_then(|heading| place.cell.step(heading))
            .unwrap_or(place.cell)
    }

    fn edit(&mut self) {
        let (one, other) = (self.cell(), self.cell());
        let what = self.draw.below(9);
        let Some(mut map) = self.app.world_mut().get_mut::<NavMap>(self.map) else {
            return;
        };
        let cost = u8::from(self.kind.costs) * 3 + 1;
        let near = Cell {
            x: one.x.saturating_add(3),
            ..one
        };
        match what {
            0 | 1 => drop(map.set_walkable(one, false)),
            2 | 3 => drop(map.set_walkable(one, true)),
            4 => drop(map.set_cost(one, cost)),
            5 => drop(map.set_exits(one, nav_grid::Directions::STRAIGHT)),
            6 if self.kind.links => drop(map.set_link(Link::new(one, other))),
            // One that is undone within the tick.
            7 => {
                let area = Area::new(one, near);
                let closed = map.set_walkable(area, false).is_ok();
                let opened = map.set_walkable(area, true).is_ok();
                assert_eq!(closed, opened);
            }
            _ => map.build_regions(Rules::default()),
        }
    }

    fn come_or_go(&mut self) {
        match self.draw.below(6) {
            0 | 1 => self.spawn_chaser(),
            2 => self.spawn_target(),
            3 if self.targets.len() > 3 => {
                let nth = self.draw.below(self.targets.len());
                let target = self.targets.swap_remove(nth);
                self.app.world_mut().despawn(target);
            }
            _ if self.chasers.len() > 8 => {
                let nth = self.draw.below(self.chasers.len());
                let chaser = self.chasers.swap_remove(nth);
                self.app.world_mut().despawn(chaser);
            }
            _ => {}
        }
    }

    /// What a game may do, however odd.
    fn meddle(&mut self) {
        let chaser = self.draw.one_of(&self.chasers);
        let target = self.draw.one_of(&self.targets);
        let cell = self.cell();
        let what = self.draw.below(22);
        let now = *self.app.world().resource::<nav::NavClock>();
        let budget = self.draw.one_of(&[None, Some(1), Some(200), Some(20_000)]);
        let mut agent = self.app.world_mut().entity_mut(chaser);
        match what {
            0 | 1 => drop(agent.insert(CellPosition::at(cell))),
            2 => drop(agent.insert(CellPosition::OUTSIDE)),
            3 | 4 => drop(agent.insert(Chasing(target))),
            5 => drop(agent.remove::<Chasing>()),
            6 => drop(agent.insert(Disabled)),
            7 => drop(agent.remove::<Disabled>()),
            8 => drop(agent.insert(Paused::for_period(&now, Period::from_millis(400)))),
            9 => drop(agent.remove::<Paused>()),
            10 => {
                let mut chaser = agent.get_mut::<Chaser>().unwrap();
                chaser.stop_distance = chaser.stop_distance % 4 + 1;
            }
            11 => {
                let mut timer = agent.get_mut::<nav::MoveTimer>().unwrap();
                timer.chasing = Period::from_millis(100 + 50 * u32::from(cell.x % 4));
            }
            12 => drop(agent.insert(Body::soft(Footprint::new(2).unwrap()))),
            13 => drop(agent.remove::<Body>()),
            14 => drop(agent.insert(WorldPosition([3.0, 0.0, 4.0]))),
            15 => {
                agent.remove::<Chaser>();
                agent.insert(Chaser::default());
            }
            16 => {
                let place = WorldPosition([cell.x.into(), 0.0, cell.y.into()]);
                self.app.world_mut().entity_mut(target).insert(place);
            }
            17 if self.kind.budget.is_some() => {
                self.app.insert_resource(NavBudget { expansions: budget });
            }
            18 => {
                let map = self.map(u64::from(cell.x));
                self.ground = map.grid().walkable_cells().collect();
                self.app.world_mut().entity_mut(self.map).insert(map);
            }
            19 => {
                if let Some(mut map) = self.app.world_mut().get_mut::<NavMap>(self.map) {
                    let copy = map.clone();
                    *map = copy;
                }
            }
            20 => {
                // Everybody onto a new map, of which the old one is gone.
                let map = self.map(u64::from(cell.y));
                self.ground = map.grid().walkable_cells().collect();
                let old = self.map;
                self.map = self.app.world_mut().spawn(map).id();
                let all: Vec<Entity> = self.targets.iter().chain(&self.chasers).copied().collect();
                for agent in all {
                    self.app
                        .world_mut()
                        .entity_mut(agent)
                        .insert(OnMap(self.map));
                }
                self.app.world_mut().despawn(old);
            }
            _ if self.kind.behaviours => self.behave(chaser),
            _ => {}
        }
    }
}
