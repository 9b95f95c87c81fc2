//! Bodies that cannot make room, and are let out.

use super::*;

/// Makes an attempt after a number of failed ones. Returns whether the body in front is stuck, and
/// the drawing.
fn attempt(rows: &[&str], path: &[(u16, u16)], failed_pushes: u8) -> (bool, Vec<String>) {
    let mut scene = Scene {
        path,
        failed_pushes,
        ..Scene::new(rows)
    };
    let is_stuck = scene.attempt(None);
    (is_stuck, scene.drawing.picture())
}

#[test]
fn stuck_in_a_dead_end() {
    for (row, is_stuck) in [
        (".AB#", true),
        (".ABC#", true),
        (".AB.", false),
        // A body that stays is a wall.
        (".AX#", false),
    ] {
        assert_eq!(attempt(&[row], &[], 0).0, is_stuck, "{row}");
    }
    // It may move in another tick.
    let mut scene = Scene::new(&[".ABC#"]);
    scene.tune = |sign, neighbour| neighbour.may_step = sign != 'C';
    assert!(!scene.attempt(None));
}

#[test]
fn let_out_of_a_dead_end() {
    for (row, after) in [(".AB#", "AB.#"), ("..CAB#", ".CAB.#"), ("..ABC#", ".AB.C#")] {
        // At every other attempt.
        assert_eq!(attempt(&[row], &[], 1), (false, vec![after.into()]));
        assert_eq!(attempt(&[row], &[], 2), (true, vec![row.into()]));
    }
    // Nor can the asker step back.
    assert_eq!(attempt(&["#AB#"], &[], 1), (true, vec!["#AB#".into()]));
}

#[test]
fn off_the_path_of_the_asker() {
    let rows = [".AB.", "##.#"];
    let path = &[(2, 0), (3, 0)];
    assert_eq!(attempt(&rows, path, 0).1, ["..AB", "##.#"]);
    assert_eq!(attempt(&rows, path, 1).1, ["..A.", "##B#"]);
}
