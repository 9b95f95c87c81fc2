//! A scene in its app, and what chance does to it from tick to tick.

use super::{
    Scene, Stage,
    input::Input,
    inputs::{Inputs, Mix},
};
use bevy_app::App;

/// A scene in its app, to which inputs are done.
pub struct Session {
    /// What it began as.
    pub scene: Scene,
    /// What it is now.
    pub stage: Stage,
    /// What happens next.
    pub inputs: Inputs,
}

impl Session {
    /// A scene in an app with the plugin, which then runs on one thread; `seed` decides what happens to it.
    pub fn new(scene: Scene, app: App, seed: u64, mix: Mix) -> Self {
        let stage = scene.stage_in(app);
        Self::on(scene, stage, seed, mix)
    }

    /// The same on a stage that is there already.
    pub fn on(scene: Scene, stage: Stage, seed: u64, mix: Mix) -> Self {
        let inputs = Inputs::new(super::Draw::new(seed), mix);
        let inputs = inputs.with_behaviours(stage.has_behaviours());
        Self {
            scene,
            stage,
            inputs,
        }
    }

    /// Does what comes before a tick: `told` hears of each input first. With `meddles` false only what has to be.
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

    /// Does what chance has it, and runs a frame: mostly a tick.
    pub fn frame(&mut self) {
        self.prepare(true, &mut |_| {});
        self.stage.world.tick(1);
    }

    /// Runs so many frames.
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

    /// Runs a frame, and the same in another stage, that of this session after it was restored.
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
