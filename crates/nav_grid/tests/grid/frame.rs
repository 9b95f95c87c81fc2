//! Frames: world coordinates to cells and back.

#![expect(
    clippy::float_cmp,
    reason = "these coordinates have exact binary values"
)]

use crate::worlds::tries;
use nav_grid::{
    Frame,
    map::{Axes, AxisSign, UpAxis},
};
use proptest::prelude::*;

#[test]
fn editor_export() {
    let frame = Frame::new([-30.0, 0.0, 30.0], 1.0, Axes::Y_UP).unwrap();
    assert_eq!(frame.column_row([-1.6, 3.0, -10.52]), (28, 41));
    assert_eq!(frame.column_row([-30.0, 99.0, 30.0]), (0, 0));
    assert_eq!(
        frame.column_row([-30.6, 0.0, 30.6]),
        (-1, -1),
        "outside is computed, not clamped"
    );
}

#[test]
fn z_up() {
    let frame = Frame::new([100.0, 50.0, 7.0], 0.5, Axes::Z_UP).unwrap();
    assert_eq!(frame.column_row([101.0, 48.0, -3.0]), (2, 4));
    assert_eq!(frame.world((2, 4)), [101.0, 48.0, 7.0]);
}

#[test]
fn default_is_cells() {
    assert_eq!(Frame::default().column_row([3.0, 0.0, 5.0]), (3, 5));
}

fn any_axes() -> impl Strategy<Value = Axes> {
    let toward = || prop_oneof![Just(AxisSign::Positive), Just(AxisSign::Negative)];
    (
        prop_oneof![Just(UpAxis::Y), Just(UpAxis::Z)],
        toward(),
        toward(),
    )
        .prop_map(|(up, columns, rows)| Axes { up, columns, rows })
}

proptest! {
    #![proptest_config(tries(256, 256))]

    /// Every accepted frame returns every cell centre exactly.
    #[test]
    fn centres_round_trip(
        origin in prop::array::uniform3(prop_oneof![-1e4..1e4f64, -1e12..1e12f64, -1.0..1.0f64]),
        cell_size in prop_oneof![0.01..10.0f64, 1e-9..1e-3f64, 1e3..1e9f64],
        axes in any_axes(),
        column in 0..=i32::from(u16::MAX),
        row in 0..=i32::from(u16::MAX),
    ) {
        if let Ok(frame) = Frame::new(origin, cell_size, axes) {
            for cell in [(column, row), (0, 0), (8191, 8191), (65_535, 65_535)] {
                prop_assert_eq!(frame.column_row(frame.world(cell)), cell);
            }
        }
    }

    /// Reasonable frames are accepted: a kilometre-sized world in centimetre cells and up.
    #[test]
    fn accepted(
        origin in prop::array::uniform3(-1e6..1e6f64),
        cell_size in 0.01..100.0f64,
        axes in any_axes(),
    ) {
        prop_assert!(Frame::new(origin, cell_size, axes).is_ok());
    }
}
