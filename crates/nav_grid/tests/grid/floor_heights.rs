//! Heights of floors: floors to world coordinates and back.

#![expect(
    clippy::float_cmp,
    reason = "these coordinates have exact binary values, or are compared with themselves"
)]

use crate::worlds::tries;
use nav_grid::{
    Cell, Frame,
    map::{Axes, FloorHeights, FrameError},
};
use proptest::prelude::*;

fn house(heights: FloorHeights) -> Frame {
    let frame = Frame::new([-30.0, 2.0, 30.0], 0.5, Axes::Y_UP).unwrap();
    frame.with_heights(heights).unwrap()
}

#[test]
fn without_heights() {
    let frame = Frame::new([0.0, 7.0, 0.0], 1.0, Axes::Y_UP).unwrap();
    assert_eq!(frame.floor_of([0.0, 99.0, 0.0]), None);
    assert_eq!(
        frame.world_of(Cell::new(2, 3).on_floor(9)),
        [2.0, 7.0, -3.0]
    );
    assert_eq!(*frame.heights(), FloorHeights::Origin);
}

#[test]
fn storeys() {
    let cell = Cell::new(4, 2).on_floor(3);
    let frame = house(FloorHeights::Storeys(2.5));
    assert_eq!(frame.world_of(cell), [-28.0, 9.5, 29.0]);
    let frame = Frame::new([0.0, 0.0, -5.0], 1.0, Axes::Z_UP).unwrap();
    let frame = frame.with_heights(FloorHeights::Storeys(4.0)).unwrap();
    assert_eq!(frame.world_of(cell), [4.0, -2.0, 7.0]);
    assert_eq!(frame.floor_of([4.0, 99.0, 7.0]), Some(3));
}

#[test]
fn listed() {
    let frame = house(FloorHeights::Each(vec![-3.0, 0.0, 12.5]));
    let height = |floor| frame.world_of(Cell::new(0, 0).on_floor(floor))[1];
    assert_eq!([height(0), height(1), height(2)], [-3.0, 0.0, 12.5]);
    assert_eq!(height(200), 12.5, "beyond the list the last one counts");
    let floor = |height| frame.floor_of([0.0, height, 0.0]).unwrap();
    assert_eq!(floor(-1.0), 0);
    assert_eq!(floor(11.0), 1, "under the ceiling of the hall");
    assert_eq!(floor(99.0), 2, "nothing is above the last one");
    assert_eq!(floor(-99.0), 0, "nor below the first");
}

#[test]
fn jumping_and_sinking() {
    let frame = house(FloorHeights::Storeys(3.2));
    let floor = |height: f64| frame.floor_of([0.0, height, 0.0]);
    assert_eq!(floor(2.0 + 3.2 + 2.9), Some(1));
    assert_eq!(floor(2.0 + 3.2 - 0.19), Some(1));
    assert_eq!(floor(2.0 + 3.2 - 0.21), Some(0));
    assert_eq!(floor(f64::NAN), None);
}

#[test]
fn refused() {
    let frame = |heights| Frame::default().with_heights(heights).unwrap_err();
    for height in [0.0, -3.0, f64::NAN, f64::INFINITY, 1e308] {
        let error = frame(FloorHeights::Storeys(height));
        assert!(matches!(error, FrameError::StoreyHeight(_)), "{height}");
    }
    assert_eq!(
        frame(FloorHeights::Each(vec![0.0, 3.0, 3.0])).to_string(),
        "height 3 of floor 2 must be a finite number above that of the floor below"
    );
    for heights in [
        vec![f64::NAN],
        vec![0.0, f64::INFINITY],
        vec![f64::NEG_INFINITY],
    ] {
        let error = frame(FloorHeights::Each(heights));
        assert!(matches!(error, FrameError::Height { .. }), "{error}");
    }
    let many = |count: u32| (0..count).map(f64::from).collect();
    assert_eq!(
        frame(FloorHeights::Each(many(0))),
        FrameError::HeightCount(0)
    );
    assert_eq!(
        frame(FloorHeights::Each(many(257))),
        FrameError::HeightCount(257)
    );
    assert!(
        Frame::default()
            .with_heights(FloorHeights::Each(many(256)))
            .is_ok()
    );
    let far = Frame::new([0.0, 1e9, 0.0], 1.0, Axes::Y_UP).unwrap();
    let error = far.with_heights(FloorHeights::Storeys(1e-9)).unwrap_err();
    assert_eq!(error, FrameError::StoreyHeight(1e-9));
}

proptest! {
    #![proptest_config(tries(256, 256))]

    /// Exact, and rounded to the single precision of a renderer.
    #[test]
    fn round_trip(
        height in -1e4..1e4f64,
        storey in 0.5..50.0f64,
        listed in prop::collection::vec(0.5..50.0f64, 1..=256),
        column in 0..=u16::MAX,
    ) {
        let frame = Frame::new([5.0, height, 5.0], 1.0, Axes::Y_UP).unwrap();
        let mut at = height;
        let listed: Vec<f64> = listed.into_iter().map(|gap| { at += gap; at }).collect();
        let floors = listed.len();
        let uniform = frame.clone().with_heights(FloorHeights::Storeys(storey)).unwrap();
        let listed = frame.with_heights(FloorHeights::Each(listed)).unwrap();
        for (frame, floors) in [(uniform, 256), (listed, floors)] {
            for floor in (0..=u8::MAX).take(floors) {
                let cell = Cell::new(column, 3).on_floor(floor);
                let world = frame.world_of(cell);
                prop_assert_eq!(frame.floor_of(world), Some(floor));
                let rounded = world.map(|at| f64::from(at as f32));
                prop_assert_eq!(frame.floor_of(rounded), Some(floor));
                prop_assert_eq!(frame.column_row(world), (column.into(), 3));
            }
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn saved_without_heights() {
    let old = r#"{"origin":[1.0,2.0,3.0],"cell_size":0.5}"#;
    let frame: Frame = serde_json::from_str(old).unwrap();
    assert_eq!(*frame.heights(), FloorHeights::Origin);
    for heights in [
        FloorHeights::Origin,
        FloorHeights::Storeys(2.5),
        FloorHeights::Each(vec![-1.0, 4.0]),
    ] {
        let frame = frame.clone().with_heights(heights).unwrap();
        let text = serde_json::to_string(&frame).unwrap();
        assert_eq!(serde_json::from_str::<Frame>(&text).unwrap(), frame);
    }
    let flat = r#"{"origin":[1.0,2.0,3.0],"cell_size":0.5,"heights":{"Storeys":0.0}}"#;
    let error = serde_json::from_str::<Frame>(flat).unwrap_err();
    assert!(error.to_string().contains("storey height 0"), "{error}");
}
