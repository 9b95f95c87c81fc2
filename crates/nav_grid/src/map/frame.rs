//! Frames: world coordinates to cells and back.

use crate::cell::Cell;

/// How world coordinates map to the cells of a map: the place of cell 0,0, the size of a cell, the
/// world axes of columns and rows, and the heights of the floors.
///
/// The origin is the *centre* of cell 0,0, and a world point belongs to the nearest centre
/// (halves round toward the larger column and row). The coordinate along the up axis chooses the
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
/// [`Frame::column_row`] of [`Frame::world`] returns the same column and row, up to 65,535. An
/// origin so far away that floating point cannot tell cells apart is refused. Only additions,
/// multiplications, divisions and roundings are used, so results are the same on every platform.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "SavedFrame"))]
pub struct Frame {
    origin: [f64; 3],
    cell_size: f64,
    axes: Axes,
    heights: FloorHeights,
}

/// The world axes of a map's columns and rows, for a [`Frame`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Axes {
    /// The axis that points up. The other two span the ground: x, and then z or y.
    pub up: UpAxis,
    /// The direction along x in which the column number grows.
    pub columns: AxisSign,
    /// The direction along the other ground axis in which the row number grows.
    pub rows: AxisSign,
}

impl Axes {
    /// Y up, columns toward +x, rows toward −z: the bitmap exports of Y-up editors.
    pub const Y_UP: Self = Self {
        up: UpAxis::Y,
        columns: AxisSign::Positive,
        rows: AxisSign::Negative,
    };
    /// Z up, columns toward +x, rows toward −y: 2D games whose y points to the top of the screen.
    pub const Z_UP: Self = Self {
        up: UpAxis::Z,
        ..Self::Y_UP
    };
}

/// The world axis that points up, for a [`Frame`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum UpAxis {
    /// Rows run along z.
    #[default]
    Y,
    /// Rows run along y.
    Z,
}

/// The sign with which a column or row number follows its axis, for a [`Frame`].
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
    /// World x is the column and world z the row, one unit a cell: for servers that use cells as
    /// coordinates.
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
    /// [`FrameError`] when a number is not finite, the size is not positive, or the origin is so
    /// far out that neighbouring cells would share coordinates.
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
    /// [`FrameError`] when a height is not finite, heights do not rise from floor to floor, or
    /// their number is 0 or above 256.
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

    /// The axes of columns and rows.
    pub const fn axes(&self) -> Axes {
        self.axes
    }

    /// The heights of the floors.
    pub const fn heights(&self) -> &FloorHeights {
        &self.heights
    }

    /// Column and row nearest to a world point. Either may lie outside the map, and saturates
    /// at the ends of `i32`; a coordinate that is not a number counts as column or row 0.
    #[doc(hidden)]
    pub fn column_row(&self, world: [f64; 3]) -> (i32, i32) {
        let (column, row) = self.grid_point(world);
        ((column + 0.5).floor() as i32, (row + 0.5).floor() as i32)
    }

    /// A world point in units of cells; cell centres are whole numbers.
    #[doc(hidden)]
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

    /// The floor of a world point: the highest floor at or below it, or the lowest floor for points
    /// below all of them. `None` where all floors are at the height of the origin, and for a height
    /// that is not a number.
    ///
    /// A floor begins a sixteenth of a storey below its height. So the height of a body that was
    /// rounded, or that sinks into the ground a little, belongs to the floor. With a uniform storey
    /// height the result may exceed the floors of the map.
    ///
    /// `floor_of` of [`world_of`](Self::world_of) returns the floor of every cell whose floor has
    /// a height of its own.
    pub fn floor_of(&self, world: [f64; 3]) -> Option<u8> {
        let up = self.up_axis();
        let height = Some(world[up]).filter(|height| !height.is_nan());
        self.heights.floor_of(height?, self.origin[up])
    }

    const fn up_axis(&self) -> usize {
        match self.axes.up {
            UpAxis::Y => 1,
            UpAxis::Z => 2,
        }
    }

    const fn ground_axis(&self) -> usize {
        3 - self.up_axis()
    }
}

/// How high the floors of a map lie in the world: part of a [`Frame`].
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FloorHeights {
    /// All at the height of the frame's origin: the default. World coordinates do not tell floors
    /// apart.
    #[default]
    Origin,
    /// Floor n lies n storeys above the origin. The height of a storey in world units, above 0.
    Storeys(f64),
    /// World heights in order of floors, each above the one before. Further floors lie at the last
    /// height.
    Each(Vec<f64>),
}

/// The greatest number of floors of a map.
const FLOORS_MAX: usize = u8::MAX as usize + 1;

/// The part of a storey below a floor that still counts as the floor: far above the
/// rounding of coordinates, far below the height of a step.
const ROUNDED_UP: f64 = 1.0 / 16.0;

impl FloorHeights {
    /// Checks that they tell floors apart, above an origin of this height.
    ///
    /// # Errors
    ///
    /// [`FrameError::StoreyHeight`], [`FrameError::HeightCount`] or [`FrameError::Height`].
    fn check(&self, origin: f64) -> Result<(), FrameError> {
        match self {
            Self::Origin => {}
            &Self::Storeys(height) => {
                let tells_apart = height > 0.0
                    && (1..=u8::MAX)
                        .all(|floor| self.of(floor, origin) > self.of(floor - 1, origin));
                if !(tells_apart && self.of(u8::MAX, origin).is_finite()) {
                    return Err(FrameError::StoreyHeight(height));
                }
            }
            Self::Each(heights) => {
                if heights.is_empty() || heights.len() > FLOORS_MAX {
                    return Err(FrameError::HeightCount(heights.len()));
                }
                let mut below = f64::NEG_INFINITY;
                for (floor, &height) in (0..=u8::MAX).zip(heights) {
                    if !(height.is_finite() && height > below) {
                        return Err(FrameError::Height { floor, height });
                    }
                    below = height;
                }
            }
        }
        Ok(())
    }

    /// The height of a floor, above an origin of this height.
    #[inline]
    fn of(&self, floor: u8, origin: f64) -> f64 {
        match self {
            Self::Origin => origin,
            Self::Storeys(height) => origin + f64::from(floor) * height,
            Self::Each(heights) => {
                let at = heights.get(usize::from(floor)).or(heights.last());
                at.copied().unwrap_or(origin)
            }
        }
    }

    /// The floor of a point at this height; `None` where floors are not told apart.
    fn floor_of(&self, height: f64, origin: f64) -> Option<u8> {
        let top = match self {
            Self::Origin => return None,
            Self::Storeys(_) => u8::MAX,
            Self::Each(heights) => heights.len().min(FLOORS_MAX).saturating_sub(1) as u8,
        };
        // Points below all floors belong to the lowest one, so it is not asked.
        let (mut low, mut high) = (0, top);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            let (below, at) = (self.of(middle - 1, origin), self.of(middle, origin));
            if height >= at - (at - below) * ROUNDED_UP {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        Some(low)
    }
}

/// A [`Frame`] could not be made from the numbers given.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// The cell size is not a positive finite number.
    #[error("cell size {0} must be a positive number")]
    CellSize(f64),
    /// The origin has a coordinate that is not finite.
    #[error("origin {0:?} must have three finite coordinates")]
    Origin([f64; 3]),
    /// Cells this small cannot be told apart this far from zero.
    #[error(
        "cells of {cell_size} cannot be told apart with the origin at {origin:?}; move the origin nearer to zero"
    )]
    Precision {
        /// The origin given.
        origin: [f64; 3],
        /// The cell size given.
        cell_size: f64,
    },
    /// The height of a storey is not a positive finite number, or too small to tell floors apart at
    /// the height of the origin.
    #[error("storey height {0} must be a positive number that tells 256 floors apart")]
    StoreyHeight(f64),
    /// Heights are given for no floor, or for more than a map can have.
    #[error("heights of {0} floors; there must be 1 to 256")]
    HeightCount(usize),
    /// The height of a floor is not a finite number above that of the floor below.
    #[error(
        "height {height} of floor {floor} must be a finite number above that of the floor below"
    )]
    Height {
        /// The first such floor.
        floor: u8,
        /// The height given.
        height: f64,
    },
}

/// The serde form of a frame, before its numbers are checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_is_cell_zero() {
        let frame = Frame::default();
        assert_eq!(
            frame.column_row([f64::NAN, 0.0, f64::INFINITY]),
            (0, i32::MAX)
        );
    }

    #[test]
    fn halves_round_up() {
        let frame = Frame::default();
        assert_eq!(frame.column_row([0.5, 0.0, 1.5]), (1, 2));
        assert_eq!(frame.column_row([-0.5, 0.0, -1.5]), (0, -1));
    }

    #[test]
    fn lossy_frames_are_refused() {
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
