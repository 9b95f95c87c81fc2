//! A scene in its app, with random inputs before each tick.

use super::{
    Draw, Scene, Stage,
    input::Input,
    inputs::{Inputs, Mix},
};
use bevy_app::App;

/// A scene in its app, with its inputs.
pub struct Session {
    /// The scene at its start.
    pub scene: Scene,
    /// Its current state.
    pub stage: Stage,
    /// The source of its inputs.
    pub inputs: Inputs,
}

impl Session {
    /// Puts a scene into an app with the plugin, which then runs on one thread; `seed` decides the
    /// inputs.
    pub fn new(scene: Scene, app: App, seed: u64, mix: Mix) -> Self {
        let stage = scene.stage_in(app);
        Self::on(scene, stage, seed, mix)
    }

    /// Makes a session on a given stage.
    pub fn on(scene: Scene, stage: Stage, seed: u64, mix: Mix) -> Self {
        Self {
            inputs: Inputs::new(Draw::new(seed), mix).with_behaviours(stage.has_behaviours()),
            scene,
            stage,
        }
    }

    /// Applies the inputs before a tick; `told` receives each first. With `meddles` false only the
    /// necessary ones.
    pub fn prepare(&mut self, meddles: bool, told: &mut dyn FnMut(&Input)) {
        self.inputs.now += 1;
        self.stage.play(&Inputs::usual_frame());
        if meddles {
            self.inputs.meddle(&self.scene, &mut self.stage, told);
        }
        if let Some(input) = self.inputs.map_back() {
            told(&input);
            self.stage.play(&input);
        }
    }

    /// Applies random inputs and runs a frame, which mostly is a tick.
    pub fn frame(&mut self) {
        self.prepare(true, &mut |_| {});
        self.stage.world.tick(1);
    }

    /// Runs some frames.
    pub fn run(&mut self, frames: usize) {
        for _ in 0..frames {
            self.frame();
        }
    }

    /// Runs a frame and returns the digest after it.
    pub fn digest_after_frame(&mut self) -> u64 {
        self.frame();
        self.stage.world.digest()
    }

    /// Runs a frame, and the same one on another stage, which is this session restored.
    pub fn frame_beside(&mut self, other: &mut Stage) {
        let mut done = vec![Inputs::usual_frame()];
        self.prepare(true, &mut |input| done.push(input.clone()));
        for input in &done {
            other.play(input);
        }
        self.stage.world.tick(1);
        other.world.tick(1);
    }
}
