//! Frames: world coordinates to cells and back.

use super::{floor_heights::FloorHeights, frame_error::FrameError};
use crate::cell::Cell;

/// How world coordinates map to the cells of a map: where cell 0,0 lies, how large a cell is,
/// which world axes columns and rows follow, and how high the floors lie.
///
/// The origin is the *centre* of cell 0,0, and a world point belongs to the nearest centre
/// (halves round toward the larger column and row). The axis that points up chooses the
/// [floor](Frame::floor_of), if the frame has [heights](Frame::with_heights) for floors.
///
/// # Example
///
/// A level exported from an editor whose y points up and whose rows run toward −z:
///
/// ```
/// use nav_grid::{Frame, map::Axes};
///
/// let frame = Frame::new([-30.0, 0.0, 30.0], 1.0, Axes::Y_UP)?;
/// assert_eq!(frame.column_row([-1.6, 3.0, -10.52]), (28, 41));
/// assert_eq!(frame.world((28, 41)), [-2.0, 0.0, -11.0]);
///
/// // With storeys of three units.
/// # use nav_grid::{Cell, map::FloorHeights};
/// let frame = frame.with_heights(FloorHeights::Storeys(3.0))?;
/// let upstairs = Cell::new(28, 41).on_floor(1);
/// assert_eq!(frame.world_of(upstairs), [-2.0, 3.0, -11.0]);
/// assert_eq!(frame.floor_of([-1.6, 4.2, -10.52]), Some(1));
/// # Ok::<(), nav_grid::map::FrameError>(())
/// ```
///
/// # Accuracy
///
/// [`Frame::column_row`] of [`Frame::world`] gives back every column and row up to 65,535: a
/// frame whose origin is so far away that floating point could not tell cells apart is refused.
/// Only additions, multiplications, divisions and roundings take part, so results are the same
/// on every platform.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "SavedFrame", into = "SavedFrame"))]
pub struct Frame {
    origin: [f64; 3],
    cell_size: f64,
    axes: Axes,
    heights: FloorHeights,
}

/// Which world axes a map's columns and rows follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Axes {
    /// The axis that points up. The other two span the ground: x, and then z or y.
    pub up: UpAxis,
    /// Which way along x the column number grows.
    pub columns: AxisSign,
    /// Which way along the other ground axis the row number grows.
    pub rows: AxisSign,
}

impl Axes {
    /// Y up, columns toward +x, rows toward −z: what the bitmap exports of Y-up editors use.
    pub const Y_UP: Self = Self {
        up: UpAxis::Y,
        columns: AxisSign::Positive,
        rows: AxisSign::Negative,
    };
    /// Z up, columns toward +x, rows toward −y: 2D games whose y points to the top of the screen.
    pub const Z_UP: Self = Self {
        up: UpAxis::Z,
        columns: AxisSign::Positive,
        rows: AxisSign::Negative,
    };
}

/// The world axis that points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum UpAxis {
    /// Rows run along z.
    #[default]
    Y,
    /// Rows run along y.
    Z,
}

/// The sign with which a column or row number follows its axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AxisSign {
    /// Numbers grow as the coordinate grows.
    #[default]
    Positive,
    /// Numbers grow as the coordinate falls.
    Negative,
}

impl AxisSign {
    const fn sign(self) -> f64 {
        match self {
            Self::Positive => 1.0,
            Self::Negative => -1.0,
        }
    }
}

impl Default for Frame {
    /// World x is the column and world z the row, one unit a cell: the frame of a server that
    /// thinks in cells.
    fn default() -> Self {
        Self {
            origin: [0.0; 3],
            cell_size: 1.0,
            axes: Axes::default(),
            heights: FloorHeights::Origin,
        }
    }
}

impl Frame {
    /// A frame with the centre of cell 0,0 at `origin` (x, y, z) and cells of `cell_size` world
    /// units a side. All floors are at the height of the origin.
    ///
    /// # Errors
    ///
    /// [`FrameError`] when a number is not finite, the size not positive, or the origin so far
    /// out that neighbouring cells would share coordinates.
    pub fn new(origin: [f64; 3], cell_size: f64, axes: Axes) -> Result<Self, FrameError> {
        if !(cell_size.is_finite() && cell_size > 0.0) {
            return Err(FrameError::CellSize(cell_size));
        }
        if origin.iter().any(|v| !v.is_finite()) {
            return Err(FrameError::Origin(origin));
        }
        // Going out and back rounds three times, each by at most half a unit in the last place
        // of the farthest coordinate; an eighth of a cell is well inside the half it may be off.
        let reach = origin.iter().map(|v| v.abs()).fold(0.0, f64::max);
        let farthest = reach + cell_size * f64::from(u16::MAX);
        if !farthest.is_finite() || farthest * f64::EPSILON * 2.0 > cell_size / 8.0 {
            return Err(FrameError::Precision { origin, cell_size });
        }
        Ok(Self {
            origin,
            cell_size,
            axes,
            heights: FloorHeights::Origin,
        })
    }

    /// The same frame with other heights of floors.
    ///
    /// # Errors
    ///
    /// [`FrameError`] when a height is not finite, heights do not rise from floor to floor, or there
    /// are none or more than 256.
    pub fn with_heights(self, heights: FloorHeights) -> Result<Self, FrameError> {
        heights.check(self.origin[self.up_axis()])?;
        Ok(Self { heights, ..self })
    }

    /// World position of the centre of cell 0,0.
    pub const fn origin(&self) -> [f64; 3] {
        self.origin
    }

    /// World units along the side of a cell.
    pub const fn cell_size(&self) -> f64 {
        self.cell_size
    }

    /// The axes that columns and rows follow.
    pub const fn axes(&self) -> Axes {
        self.axes
    }

    /// How high the floors lie.
    pub const fn heights(&self) -> &FloorHeights {
        &self.heights
    }

    /// Column and row nearest to a world point. Either may lie outside the map, and saturates
    /// at the ends of `i32`; a coordinate that is not a number counts as column or row 0.
    pub fn column_row(&self, world: [f64; 3]) -> (i32, i32) {
        let (column, row) = self.grid_point(world);
        ((column + 0.5).floor() as i32, (row + 0.5).floor() as i32)
    }

    /// Where a world point lies in units of cells, cell centres being whole numbers.
    pub fn grid_point(&self, world: [f64; 3]) -> (f64, f64) {
        let ground = self.ground_axis();
        let along = |axis: usize, toward: AxisSign| {
            (world[axis] - self.origin[axis]) * toward.sign() / self.cell_size
        };
        (along(0, self.axes.columns), along(ground, self.axes.rows))
    }

    /// World position of the centre of a column and row, at the height of the origin.
    pub fn world(&self, (column, row): (i32, i32)) -> [f64; 3] {
        let mut world = self.origin;
        world[0] += f64::from(column) * self.cell_size * self.axes.columns.sign();
        world[self.ground_axis()] += f64::from(row) * self.cell_size * self.axes.rows.sign();
        world
    }

    /// World position of the centre of a cell, at the height of its floor.
    pub fn world_of(&self, cell: Cell) -> [f64; 3] {
        let mut world = self.world((cell.x.into(), cell.y.into()));
        let up = self.up_axis();
        world[up] = self.heights.of(cell.floor, self.origin[up]);
        world
    }

    /// The floor of a world point: the highest one at or below it, and for points below all floors
    /// the lowest. `None` where all floors are at the height of the origin, and for a height that is
    /// not a number.
    ///
    /// A floor counts from a sixteenth of the storey below it on: so a height that was rounded, or of
    /// somebody who sinks into the ground a little, is that of the floor. Where heights are a uniform
    /// storey apart the floor may be above those that the map has.
    ///
    /// `floor_of` of [`world_of`](Self::world_of) gives back the floor of every cell whose floor has
    /// a height of its own.
    pub fn floor_of(&self, world: [f64; 3]) -> Option<u8> {
        let up = self.up_axis();
        if world[up].is_nan() {
            return None;
        }
        self.heights.floor_of(world[up], self.origin[up])
    }

    const fn up_axis(&self) -> usize {
        match self.axes.up {
            UpAxis::Y => 1,
            UpAxis::Z => 2,
        }
    }

    const fn ground_axis(&self) -> usize {
        match self.axes.up {
            UpAxis::Y => 2,
            UpAxis::Z => 1,
        }
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Frame", deny_unknown_fields)]
struct SavedFrame {
    origin: [f64; 3],
    cell_size: f64,
    #[serde(default)]
    axes: Axes,
    #[serde(default)]
    heights: FloorHeights,
}

#[cfg(feature = "serde")]
impl TryFrom<SavedFrame> for Frame {
    type Error = FrameError;

    fn try_from(saved: SavedFrame) -> Result<Self, FrameError> {
        Self::new(saved.origin, saved.cell_size, saved.axes)?.with_heights(saved.heights)
    }
}

#[cfg(feature = "serde")]
impl From<Frame> for SavedFrame {
    fn from(frame: Frame) -> Self {
        Self {
            origin: frame.origin,
            cell_size: frame.cell_size,
            axes: frame.axes,
            heights: frame.heights,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coordinate_that_is_not_a_number_does_not_panic() {
        let frame = Frame::default();
        assert_eq!(
            frame.column_row([f64::NAN, 0.0, f64::INFINITY]),
            (0, i32::MAX)
        );
    }

    #[test]
    fn halves_round_toward_the_larger_cell_on_both_sides_of_the_origin() {
        let frame = Frame::default();
        assert_eq!(frame.column_row([0.5, 0.0, 1.5]), (1, 2));
        assert_eq!(frame.column_row([-0.5, 0.0, -1.5]), (0, -1));
    }

    #[test]
    fn frames_that_lose_cells_are_refused() {
        assert!(matches!(
            Frame::new([1e18, 0.0, 0.0], 1.0, Axes::Y_UP),
            Err(FrameError::Precision { .. })
        ));
        for size in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(
                Frame::new([0.0; 3], size, Axes::Y_UP),
                Err(FrameError::CellSize(_))
            ));
        }
        assert!(matches!(
            Frame::new([0.0, f64::NAN, 0.0], 1.0, Axes::Y_UP),
            Err(FrameError::Origin(_))
        ));
    }
}
