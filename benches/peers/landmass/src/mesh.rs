//! The navigation mesh of a grid map.

use bevy_landmass::prelude::*;
use bevy_math::Vec2;
use course::{Cell, Map};

/// A rectangle of free cells, as corners of cells; the end is excluded.
struct Rectangle {
    left: u16,
    top: u16,
    right: u16,
    bottom: u16,
}

/// Returns a mesh that covers all free cells.
///
/// Cells are merged into rectangles first: a polygon for each cell has four times as many polygons to search. Polygons
/// are connected where they share an edge, so a rectangle has a vertex wherever another one has a corner.
pub(crate) fn mesh(map: &Map) -> NavigationMesh2d {
    let rectangles = rectangles(map);
    let mut corners = Corners::new(map.side());
    for rectangle in &rectangles {
        let Rectangle {
            left,
            top,
            right,
            bottom,
        } = *rectangle;
        for (x, y) in [(left, top), (right, top), (right, bottom), (left, bottom)] {
            corners.insert(x, y);
        }
    }
    let polygons: Vec<Vec<usize>> = rectangles
        .iter()
        .map(|rectangle| corners.around(rectangle))
        .collect();
    NavigationMesh2d {
        vertices: corners.points,
        polygon_type_indices: vec![0; polygons.len()],
        polygons,
        height_mesh: None,
    }
}

/// Divides the free cells into rectangles: each as wide as it gets from its first cell, then as high.
fn rectangles(map: &Map) -> Vec<Rectangle> {
    let side = usize::from(map.side());
    let mut taken = vec![false; side * side];
    let index = |x: u16, y: u16| usize::from(y) * side + usize::from(x);
    let mut found = Vec::new();
    for Cell { x: left, y: top } in map.free_cells() {
        let is_open = |taken: &[bool], x, y| map.is_free(Cell { x, y }) && !taken[index(x, y)];
        if !is_open(&taken, left, top) {
            continue;
        }
        let mut right = left + 1;
        while is_open(&taken, right, top) {
            right += 1;
        }
        let mut bottom = top + 1;
        while (left..right).all(|x| is_open(&taken, x, bottom)) {
            bottom += 1;
        }
        for y in top..bottom {
            taken[index(left, y)..index(right, y)].fill(true);
        }
        found.push(Rectangle {
            left,
            top,
            right,
            bottom,
        });
    }
    found
}

/// The vertices of the mesh, found by their place.
struct Corners {
    /// Corners of cells in a row.
    width: usize,
    numbers: Vec<Option<usize>>,
    points: Vec<Vec2>,
}

impl Corners {
    fn new(side: u16) -> Self {
        let width = usize::from(side) + 1;
        Self {
            width,
            numbers: vec![None; width * width],
            points: Vec::new(),
        }
    }

    fn insert(&mut self, x: u16, y: u16) {
        let place = usize::from(y) * self.width + usize::from(x);
        if self.numbers[place].is_none() {
            self.numbers[place] = Some(self.points.len());
            self.points.push(Vec2::new(x.into(), y.into()));
        }
    }

    /// Returns the vertices on the border of a rectangle, counterclockwise with y upwards.
    fn around(
        &self,
        &Rectangle {
            left,
            top,
            right,
            bottom,
        }: &Rectangle,
    ) -> Vec<usize> {
        let border = (left..right)
            .map(|x| (x, top))
            .chain((top..bottom).map(|y| (right, y)))
            .chain((left + 1..=right).rev().map(|x| (x, bottom)))
            .chain((top + 1..=bottom).rev().map(|y| (left, y)));
        border
            .filter_map(|(x, y)| self.numbers[usize::from(y) * self.width + usize::from(x)])
            .collect()
    }
}
