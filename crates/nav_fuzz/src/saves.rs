//! Saves of navigation state: restored into a fresh world, which then continues.

use bevy_app::App;
use heap_meter::peak_during;
use nav::{
    NavPlugin, digest,
    saving::{NavSave, RestoreError},
};
use nav_behaviour::{BehaviourPlugins, register_components};

/// First byte of an input whose rest is a save in JSON.
pub(crate) const JSON: u8 = b'j';
/// First byte before a save in postcard.
pub(crate) const POSTCARD: u8 = b'p';

/// Heap in bytes that reading may take for any input. A guess.
const ALWAYS: usize = 64 << 20;
/// Heap that reading may take for each byte of the input: 256 bytes for a cell, which takes a bit
/// of the input, and of which every index may be built.
pub(crate) const PER_BYTE: usize = 2048;

/// Ticks for which a restored world runs. A guess.
const TICKS: u32 = 12;

/// Returns whether the input is a save whose contents could be restored.
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

/// Restores a save.
///
/// If the digest does not match the contents, also restores the save with the right digest, as an
/// attacker would write it.
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

/// Returns the number of entities of a world.
fn entities(app: &mut App) -> u32 {
    app.world().entities().count_spawned()
}

/// Creates an app without agents that knows the components of behaviours.
fn fresh() -> App {
    let mut app = nav_testing::app();
    register_components(&mut app);
    app
}

/// Checks that the world equals the saved one and runs on.
fn go_on(mut app: App, save: &NavSave) {
    assert_eq!(digest(app.world_mut()), save.digest());
    app.add_plugins((NavPlugin::default(), BehaviourPlugins::default()));
    for _ in 0..TICKS {
        app.update();
    }
    // The state after these ticks can be saved and restored in turn.
    let next = nav::saving::save(app.world_mut()).expect("all is saved");
    let now = digest(app.world_mut());
    let mut other = fresh();
    let restored = next.restore(other.world_mut());
    assert!(restored.is_ok(), "{restored:?}");
    assert_eq!(digest(other.world_mut()), now);
}
