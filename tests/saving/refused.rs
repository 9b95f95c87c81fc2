//! Saves that are refused.

use super::scene::{busy, fresh, save};
use nav::saving::{NavSave, RestoreError};
use nav_tests::TestWorld;

/// A save of two bodies after a player, as text.
fn small_save() -> String {
    let (mut world, _, _) = busy();
    save(world.world())
}

#[test]
fn a_save_of_the_future_is_refused_by_its_version() {
    let future = small_save().replacen(r#""version":2"#, r#""version":3"#, 1);
    let error = serde_json::from_str::<NavSave>(&future).unwrap_err();
    let error = error.to_string();
    assert!(
        error.starts_with("the save has version 3, and this build reads version 2"),
        "{error}"
    );
}

#[test]
fn a_save_with_a_changed_number_is_refused_and_leaves_the_world_empty() {
    let text = small_save();
    let changed = text.replacen(r#""x":16"#, r#""x":15"#, 1);
    assert_ne!(text, changed);
    let mut world = fresh();
    let (before, entities) = (world.digest(), world.world().entities().len());
    let save: NavSave = serde_json::from_str(&changed).unwrap();
    let error = save.restore(world.world()).unwrap_err();
    assert!(matches!(error, RestoreError::Damaged { .. }), "{error}");
    assert_eq!(world.digest(), before);
    assert_eq!(world.world().entities().len(), entities);
}

#[test]
fn a_save_cut_short_is_refused() {
    let text = small_save();
    for length in (0..text.len()).step_by(97) {
        assert!(serde_json::from_str::<NavSave>(&text[..length]).is_err());
    }
}

#[test]
fn a_world_with_a_map_is_not_restored_into() {
    let save: NavSave = serde_json::from_str(&small_save()).unwrap();
    let mut world = TestWorld::open(1, 1);
    let error = save.restore(world.world()).unwrap_err();
    assert_eq!(error, RestoreError::NotEmpty { maps: 1, agents: 0 });
}
