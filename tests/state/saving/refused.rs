//! Saves that are refused.

use super::scene::{busy, fresh, save};
use nav::saving::{NavSave, RestoreError};
use nav_tests::TestWorld;
use serde_json::Value;

/// Returns a save of two bodies after a player, as text.
fn small_save() -> String {
    let (mut world, _, _) = busy();
    save(world.world())
}

#[test]
fn save_of_later_version() {
    let future = small_save().replacen(r#""version":9"#, r#""version":10"#, 1);
    let error = serde_json::from_str::<NavSave>(&future).unwrap_err();
    let error = error.to_string();
    assert!(
        error.starts_with("the save has version 10, and this build reads version 9"),
        "{error}"
    );
}

#[test]
fn changed_number() {
    let mut changed: Value = serde_json::from_str(&small_save()).unwrap();
    let columns = changed["agents"]["columns"].as_array_mut().unwrap();
    let positions = columns.iter_mut().find(|of| of["name"] == "CellPosition");
    let values = positions.unwrap()["values"].as_array_mut().unwrap();
    // The column of the target.
    let x = values.iter_mut().find(|value| **value == 16).unwrap();
    *x = 15.into();
    let mut world = fresh();
    let (before, entities) = (world.digest(), world.world().entities().len());
    let save: NavSave = serde_json::from_value(changed).unwrap();
    let error = save.restore(world.world()).unwrap_err();
    let words = error.to_string();
    assert!(
        words.starts_with("the save is damaged: CellPosition differs from what was saved (digest"),
        "{words}"
    );
    assert_eq!(world.digest(), before);
    assert_eq!(world.world().entities().len(), entities);
}

#[test]
fn save_cut_short() {
    let text = small_save();
    for length in (0..text.len()).step_by(97) {
        assert!(serde_json::from_str::<NavSave>(&text[..length]).is_err());
    }
}

#[test]
fn world_with_a_map() {
    let save: NavSave = serde_json::from_str(&small_save()).unwrap();
    let mut world = TestWorld::open(1, 1);
    let error = save.restore(world.world()).unwrap_err();
    assert_eq!(error, RestoreError::NotEmpty { maps: 1, agents: 0 });
}
