//! Runs a scene and keeps the digest of each tick.

use crate::scenes::app_with_behaviours;
use bevy_app::App;
use nav_testing::{Drawing, Scene};

/// Opens a scene, runs its ticks, and keeps the digest after each.
pub struct Recorder<'a> {
    set_up: &'a dyn Fn(&mut App),
    digests: Vec<u64>,
}

impl<'a> Recorder<'a> {
    /// Makes a recorder. `set_up` prepares each app after the plugins are added and before anything
    /// runs.
    pub fn new(set_up: &'a dyn Fn(&mut App)) -> Self {
        let digests = Vec::new();
        Self { set_up, digests }
    }

    /// Opens a scene in an app with navigation and all behaviours. Its steps are not judged, since
    /// digests cover more and Opens a scene in an app with navigation and all behaviours. Its steps
    /// are not judged, since digests cover more and take less time.
    /// # Panics
    ///
    /// When the drawing is wrong.
    #[track_caller]
    pub fn open(&self, drawing: impl Into<Drawing>) -> Scene {
        let mut app = app_with_behaviours();
        (self.set_up)(&mut app);
        let mut scene = Scene::with_app(app, drawing);
        scene.judges_steps = false;
        scene
    }

    /// Runs a tick and keeps its digest.
    pub fn tick(&mut self, scene: &mut Scene) {
        scene.tick(1);
        self.digests.push(scene.digest());
    }

    /// Returns the digest after each tick.
    pub fn into_digests(self) -> Vec<u64> {
        self.digests
    }
}
