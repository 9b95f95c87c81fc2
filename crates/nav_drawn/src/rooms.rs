//! Rooms with walking targets and their chasers, and further features on request.

use super::{
    Draw, Scene, Session,
    agents::{Npc, Target},
    inputs::{Kind, Mix},
};
use bevy_app::App;
use nav::{AgentId, Body, Chaser, Pace};
use nav_grid::{Cell, Footprint, Grid, Limits, Link, Size};

/// The features of the rooms, and the events in them.
#[derive(Clone, Copy, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "any of them goes with any other"
)]
pub struct Rooms {
    /// Whether chasers have bodies.
    pub bodies: bool,
    /// Whether ground has costs that chasers count.
    pub costs: bool,
    /// Whether there are two floors, and links.
    pub links: bool,
    /// Whether targets are beyond the windows of chasers.
    pub far: bool,
    /// Expansions a tick.
    pub budget: Option<u32>,
    /// Whether the app has behaviours, and agents have some.
    pub behaviours: bool,
    /// How often, in percent of all ticks, the map is edited.
    pub edits: u32,
    /// How often agents come and go.
    pub comings: u32,
    /// How often an unusual input comes.
    pub meddling: u32,
    /// Whether frames have no tick or many, and clocks jump.
    pub jumps: bool,
}

/// The number of targets.
const TARGETS: usize = 6;

impl Rooms {
    /// Makes an app for the rooms.
    pub fn app(self) -> App {
        super::stage::app(self.behaviours)
    }

    /// Makes a session with some chasers, in an app that [`Rooms::app`] made.
    ///
    /// # Panics
    ///
    /// Never: maps of these sizes can be made.
    pub fn session(self, app: App, chasers: usize, seed: u64) -> Session {
        let mut draw = Draw::new(seed);
        let scene = self.scene(&mut draw, chasers, seed);
        let mut session = Session::new(scene, app, draw.seed(), self.mix());
        for &target in &session.stage.targets {
            let world = session.stage.world.world();
            world.entity_mut(target).insert(AgentId::default());
        }
        if let Some(budget) = self.budget {
            session.stage.play(&super::Input::Budget(Some(budget)));
        }
        if self.behaviours {
            session.inputs.begin(&session.scene, &mut session.stage);
        }
        session
    }

    fn scene(self, draw: &mut Draw, chasers: usize, seed: u64) -> Scene {
        let grid = self.grid(draw);
        let ground: Vec<Cell> = grid.walkable_cells().collect();
        let mut scene = Scene::on(seed, grid);
        scene.regions = true;
        scene.portals = self.far && !self.costs;
        let targets = (0..TARGETS).map(|_| Target::at(draw.one_of(&ground)));
        scene.targets = targets.collect();
        let mut chaser = Chaser::default();
        if self.far || self.budget.is_some() {
            chaser.limits = Limits::UNBOUNDED;
        }
        if self.costs {
            chaser.pace = Pace::ByCost;
        }
        for _ in 0..chasers {
            scene.npcs.push(Npc {
                chaser,
                body: self.bodies.then(|| Body::solid(Footprint::ONE)),
                ..Npc::at(draw.one_of(&ground), draw.below(TARGETS))
            });
        }
        scene
    }

    fn grid(self, draw: &mut Draw) -> Grid {
        let (width, height) = if self.far { (150, 90) } else { (44, 36) };
        let seed = draw.below(1000) as u64;
        let rooms =
            mapgen::generate(mapgen::Kind::Rooms, width, height, seed).expect("a map of this size");
        let size = Size::new(width, height).with_floors(1 + u8::from(self.links));
        let mut grid = Grid::build(size, |cell| rooms.is_walkable(cell.on_floor(0)))
            .expect("a map of this size");
        let ground: Vec<Cell> = grid.walkable_cells().collect();
        if self.costs {
            for _ in 0..ground.len() / 8 {
                let cost = 2 + draw.below(6) as u8;
                let set = grid.set_cost(draw.one_of(&ground), cost);
                set.expect("a cell of the map");
            }
        }
        if self.links {
            for _ in 0..12 {
                let link = Link::new(draw.one_of(&ground), draw.one_of(&ground));
                for link in [link, link.reversed()] {
                    grid.set_link(link).expect("cells of the map");
                }
            }
        }
        grid
    }

    /// Returns the mix of inputs: weights are thousandths of an input per tick.
    fn mix(self) -> Mix {
        let mut weights = vec![(1_800, Kind::Walk)];
        let budgets = if self.budget.is_some() {
            self.meddling / 9
        } else {
            0
        };
        let kinds: [(u32, &[Kind]); 7] = [
            (self.edits, EDITS),
            (if self.links { self.edits / 9 } else { 0 }, &[Kind::Link]),
            (self.comings, &[Kind::Spawn, Kind::Despawn]),
            (self.meddling, ODD),
            (budgets, &[Kind::Budget]),
            (if self.jumps { 17 } else { 0 }, &[Kind::Frames]),
            (u32::from(self.jumps), &[Kind::JumpClock]),
        ];
        for (percent, kinds) in kinds {
            let each = 10 * percent / kinds.len() as u32;
            weights.extend(kinds.iter().map(|&kind| (each, kind)));
        }
        let all: u32 = weights.iter().map(|(weight, _)| weight).sum();
        Mix {
            most: all.div_ceil(500) as u16,
            weights,
        }
    }
}

const EDITS: &[Kind] = &[
    Kind::Door,
    Kind::Door,
    Kind::WallIn,
    Kind::Mud,
    Kind::Ledge,
    Kind::Undo,
    Kind::Build,
];

const ODD: &[Kind] = &[
    Kind::Teleport,
    Kind::WorldPlace,
    Kind::Coordinates,
    Kind::Switch,
    Kind::CallOff,
    Kind::Retune,
    Kind::Nonsense,
    Kind::Renew,
    Kind::Body,
    Kind::Period,
    Kind::Strip,
    Kind::Interrupt,
    Kind::Pause,
    Kind::Disable,
    Kind::Behave,
    Kind::ReplaceMap,
    Kind::OtherGround,
    Kind::CopyMap,
];
