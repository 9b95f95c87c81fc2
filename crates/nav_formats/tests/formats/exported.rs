//! Maps as the exporters in `clients` write them.

use nav_formats::{Format, bitmap};
use nav_grid::{Cell, Frame, Grid, map::Axes};

/// Written by the exporters for Unity and Godot: their tests compare with this file, too.
const SCENE: &str = include_str!("../../../../clients/fixtures/scene.bitmap");

/// The same scene: a wall, a beam without headroom, a steep ramp and a hole.
const ROWS: [&str; 8] = [
    "........##",
    "....#.....",
    "....#.....",
    "....#.....",
    "....#.....",
    "....#.....",
    "##......##",
    "##......##",
];

fn scene() -> Grid {
    let walkable = |Cell { x, y, .. }| ROWS[usize::from(y)].as_bytes()[usize::from(x)] == b'.';
    Grid::from_fn(10, 8, walkable).unwrap()
}

#[test]
fn scene_of_an_editor() {
    let frame = Frame::new([-3.75, 0.25, 9.75], 0.5, Axes::Y_UP).unwrap();
    let map = Format::Bitmap.read(SCENE.as_bytes()).unwrap();
    assert_eq!(map.grid, scene());
    assert_eq!(map.frame.as_ref(), Some(&frame));
    assert_eq!(bitmap::write(&map.grid, &frame).unwrap(), SCENE);
}

/// An agent in the open cell east of the wall stands where the scene has it.
#[test]
fn places_of_cells() {
    let (_, frame) = bitmap::read(SCENE.as_bytes()).unwrap();
    let place = format!("{:?}", frame.world_of(Cell::new(5, 1)));
    assert_eq!(place, "[-1.25, 0.25, 9.25]");
    assert_eq!(frame.column_row([-1.4, 0.25, 9.4]), (5, 1));
}
