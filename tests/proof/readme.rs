//! The test that the book shows.

#[cfg(test)]
mod tests {
    use bevy_app::FixedUpdate;
    use bevy_ecs::prelude::*;
    use nav::prelude::*;
    use nav_testing::{Scene, app};

    /// Of the game: a thief who is caught is gone.
    fn arrest(mut caught: MessageReader<TargetReached>, mut commands: Commands) {
        for message in caught.read() {
            commands.entity(message.target).try_despawn();
        }
    }

    #[test]
    fn guards_catch_the_thief_once_the_gate_is_open() {
        let mut app = app();
        app.add_plugins(NavPlugin::default())
            .add_systems(FixedUpdate, arrest.after(NavSystems::Report));
        let rows = [
            "###########",
            "#G...#....#",
            "#G...g..T.#",
            "#G...#....#",
            "###########",
        ];
        let mut scene = Scene::with_app(app, &rows);
        scene.insert('G', Body::default());
        scene.edit('g', false);
        scene.seconds(5);
        scene.check(
            scene.reached.is_empty(),
            "nobody gets through a closed gate",
        );

        scene.edit('g', true);
        let ticks = scene.tick_until(|scene| !scene.reached.is_empty());
        scene.check(ticks < 60, format!("{ticks} ticks are more than 3 s"));
        scene.tick(1);
        scene.assert_state('G', ChaseState::Idle);
    }
}
