//! Inputs drawn from a seed: everything that a game may do, and much that it should not.
//!
//! [`Inputs`] looks at a stage and draws the next inputs; [`Stage::play`] applies them. The two are
//! separate so that drawn inputs can also be printed, and applied to another world.

mod agents;
mod kind;
mod maps;
mod settings;

pub use kind::{Kind, Mix};

use super::{
    Draw, Scene, Stage,
    input::{Input, Role, Who},
};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Footprint};
use std::time::Duration;

/// The length of a tick.
const TICK: Duration = Duration::from_millis(50);

/// Draws the inputs of a stage, tick by tick.
pub struct Inputs {
    /// The source of randomness.
    pub draw: Draw,
    /// The kinds of inputs, and how often each comes.
    pub mix: Mix,
    /// The tick until which there is no map.
    pub map_is_back: Option<u64>,
    /// Ticks so far.
    pub now: u64,
    /// Whether the app has behaviours.
    pub has_behaviours: bool,
}

/// The stage for which inputs are drawn.
struct View<'a> {
    scene: &'a Scene,
    stage: &'a Stage,
    /// Earlier inputs of the same draw.
    inputs: Vec<Input>,
}

impl Inputs {
    /// Draws inputs of a mix.
    pub fn new(draw: Draw, mix: Mix) -> Self {
        Self {
            draw,
            mix,
            map_is_back: None,
            now: 0,
            has_behaviours: false,
        }
    }

    /// Draws inputs for an app with behaviours.
    #[must_use]
    pub fn with_behaviours(self, has_behaviours: bool) -> Self {
        Self {
            has_behaviours,
            ..self
        }
    }

    /// Draws the next inputs of a kind: mostly one, none if no agent suits it, and several if one
    /// requires another.
    pub fn next(&mut self, scene: &Scene, stage: &Stage, kind: Kind) -> Vec<Input> {
        let mut view = View {
            scene,
            stage,
            inputs: Vec::new(),
        };
        let input = self.draw_one(&mut view, kind);
        view.inputs.extend(input);
        view.inputs
    }

    /// Draws and applies the inputs of a tick one after the other; `told` receives each first.
    pub fn meddle(&mut self, scene: &Scene, stage: &mut Stage, told: &mut dyn FnMut(&Input)) {
        for _ in 0..self.draw.number(0, self.mix.most) {
            let kind = self.draw.weighted(&self.mix.weights);
            for input in self.next(scene, stage, kind) {
                told(&input);
                stage.play(&input);
            }
        }
    }

    /// Sets the next frame to one tick of the usual length.
    pub fn usual_frame() -> Input {
        Input::Frame(1, TICK)
    }

    /// Brings the map back, if it is time.
    pub fn map_back(&mut self) -> Option<Input> {
        self.map_is_back.take_if(|&mut tick| self.now >= tick)?;
        Some(Input::BringMapBack)
    }

    fn draw_one(&mut self, view: &mut View, kind: Kind) -> Option<Input> {
        match kind {
            Kind::Despawn => self.despawn(view),
            Kind::Spawn => Some(self.spawn(view)),
            Kind::Walk => self.walk(view),
            Kind::Teleport => self.teleport(view),
            Kind::WorldPlace => self.world_place(view),
            Kind::Coordinates => self.coordinates(view),
            Kind::ChangeMap => self.change_map(view),
            Kind::Switch => self.switch(view),
            Kind::CallOff => self.call_off(view),
            Kind::Body => self.body(view),
            Kind::Strip => self.strip(view),
            Kind::Interrupt => self.npc(view).map(Input::Interrupt),
            Kind::Pause => self.pause(view),
            Kind::Disable => self.disable(view),
            Kind::Door => Some(self.door(view)),
            Kind::WallIn => self.wall_in(view),
            Kind::Undo => Some(self.undo(view)),
            Kind::Mud => Some(self.mud(view)),
            Kind::Ledge => Some(self.ledge(view)),
            Kind::Link => Some(self.link(view)),
            Kind::Unlink => Self::unlink(view),
            Kind::Class => Some(self.class(view)),
            Kind::Sight => Some(self.sight(view)),
            Kind::ReplaceMap => Some(self.reset_map()),
            Kind::RemoveMap => Some(self.remove_map()),
            Kind::OtherGround => Some(self.other_ground()),
            Kind::CopyMap => Some(Input::CopyMap),
            Kind::Build => Some(self.build(view)),
            Kind::Retune => self.retune(view),
            Kind::Nonsense => self.nonsense(view),
            Kind::Renew => self.renew(view),
            Kind::Period => self.period(view),
            Kind::Behave => self.behave(view),
            Kind::Budget => Some(self.budget()),
            Kind::JumpClock => {
                let minutes = u64::from(self.draw.number(1, 20));
                Some(Input::Frame(1, Duration::from_secs(60 * minutes)))
            }
            Kind::Frames => Some(Input::Frame(self.draw.one_of(&[0, 0, 2, 7, 50]), TICK)),
            Kind::Restore => Some(Input::Restore),
        }
    }

    /// Draws one of some agents that still exist, if any does.
    fn one<'a>(&mut self, view: &View<'a>, some: &[Who]) -> Option<(Who, EntityRef<'a>)> {
        if some.is_empty() {
            return None;
        }
        let who = some[self.draw.below(some.len())];
        let world = view.stage.world.app.world();
        let agent = world.get_entity(view.stage.who(who)).ok()?;
        Some((who, agent))
    }

    fn one_npc<'a>(&mut self, view: &View<'a>) -> Option<(Who, EntityRef<'a>)> {
        let npcs: Vec<Who> = (0..view.stage.npcs.len()).map(Who::Npc).collect();
        self.one(view, &npcs)
    }

    fn one_target<'a>(&mut self, view: &View<'a>) -> Option<(Who, EntityRef<'a>)> {
        let targets: Vec<Who> = (0..view.stage.targets.len()).map(Who::Target).collect();
        self.one(view, &targets)
    }

    fn one_of_all<'a>(&mut self, view: &View<'a>) -> Option<(Who, EntityRef<'a>)> {
        let all: Vec<Who> = view.stage.everybody().collect();
        self.one(view, &all)
    }

    fn npc(&mut self, view: &View) -> Option<Who> {
        self.one_npc(view).map(|(who, _)| who)
    }

    /// Draws one of the targets; spawns one if there is none.
    fn any_target(&mut self, view: &mut View) -> Who {
        let mut count = view.stage.targets.len();
        if count == 0 {
            let at = self.cell(view);
            view.inputs.push(Input::Spawn(at, Role::Target, None));
            count = 1;
        }
        Who::Target(self.draw.below(count))
    }

    /// Draws any agent, which may be gone.
    fn anybody(&mut self, view: &mut View) -> Who {
        let all: Vec<Who> = view.stage.everybody().collect();
        if all.is_empty() {
            return self.any_target(view);
        }
        all[self.draw.below(all.len())]
    }

    /// Draws a cell, mostly of the map, and now and then outside of it.
    fn cell(&mut self, view: &View) -> Cell {
        let size = view.scene.grid.size();
        if self.draw.percent(6) {
            return self.draw.one_of(&[
                Cell::new(size.width, 0),
                Cell::new(u16::MAX, u16::MAX),
                Cell::new(0, 0).on_floor(200),
            ]);
        }
        self.draw.cell(size)
    }

    fn footprint(&mut self, view: &View) -> Footprint {
        let side = self.draw.one_of(view.scene.sides);
        Footprint::new(side).expect("1 to 8")
    }
}
