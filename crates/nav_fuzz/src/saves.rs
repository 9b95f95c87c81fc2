//! Saves of navigation state: restored into a fresh world, which then goes on.

use bevy_app::App;
use heap_meter::peak_during;
use nav::{
    NavPlugin, digest,
    saving::{NavSave, RestoreError},
};
use nav_behaviour::{BehaviourPlugins, register_components};

/// How an input begins: that the rest is JSON.
pub(crate) const JSON: u8 = b'j';
/// That it is postcard.
pub(crate) const POSTCARD: u8 = b'p';

/// What reading may take from the heap beside that which is in proportion to the input.
const ALWAYS: usize = 64 << 20;
/// What it may take for each byte of the input: a cell is a bit, and every index of it may be built.
const PER_BYTE: usize = 2048;

/// Ticks for which a world that was restored goes on.
const TICKS: u32 = 12;

/// Returns whether it is a save whose contents could be restored.
pub(crate) fn run(bytes: &[u8]) -> bool {
    let Some((&kind, rest)) = bytes.split_first() else {
        return false;
    };
    let (save, peak) = peak_during(|| match kind {
        JSON => serde_json::from_slice(rest).ok(),
        POSTCARD => postcard::from_bytes::<NavSave>(rest).ok(),
        _ => None,
    });
    let allowed = ALWAYS + PER_BYTE * bytes.len();
    assert!(peak <= allowed, "{peak} bytes for {} of input", bytes.len());
    save.is_some_and(|save| restore(&save))
}

/// Restores a save; if its digest is not that of its contents, restores it with the right one, too, as
/// somebody would write it who means harm.
fn restore(save: &NavSave) -> bool {
    let mut app = fresh();
    let before = entities(&mut app);
    match save.clone().restore(app.world_mut()) {
        Ok(_) => {
            go_on(app, save);
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert_eq!(entities(&mut app), before, "what is refused leaves nothing");
            let RestoreError::Damaged { found, .. } = error else {
                return false;
            };
            let forged = save.clone().with_digest(found);
            let restored = forged.clone().restore(app.world_mut());
            assert!(restored.is_ok(), "{restored:?}");
            go_on(app, &forged);
            true
        }
    }
}

/// The number of entities of a world.
fn entities(app: &mut App) -> u32 {
    app.world().entities().count_spawned()
}

/// An app without agents, which knows the components of behaviours.
fn fresh() -> App {
    let mut app = nav_testing::app();
    register_components(&mut app);
    app
}

/// The world is the one that was saved, and goes on.
fn go_on(mut app: App, save: &NavSave) {
    assert_eq!(digest(app.world_mut()), save.digest());
    app.add_plugins((NavPlugin::default(), BehaviourPlugins::default()));
    for _ in 0..TICKS {
        app.update();
    }
    // What it became can be saved and restored in turn.
    let next = nav::saving::save(app.world_mut());
    let now = digest(app.world_mut());
    let mut other = fresh();
    let restored = next.restore(other.world_mut());
    assert!(restored.is_ok(), "{restored:?}");
    assert_eq!(digest(other.world_mut()), now);
}
