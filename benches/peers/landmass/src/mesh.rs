//! The navigation meshes of a grid map.

use bevy_landmass::prelude::*;
use bevy_math::Vec2;
use course::{Cell, Map};
use std::{collections::BTreeMap, ops::Range};

/// Columns and rows of a mesh. The crate looks through all polygons of a mesh for that of a point,
/// twice a tick and agent: with one mesh for the whole map, nine tenths of a tick went into that.
/// 32 is a guess.
const TILE: u16 = 32;

/// A rectangle of free cells.
struct Rectangle {
    columns: Range<u16>,
    rows: Range<u16>,
}

impl Rectangle {
    /// Returns the corners of cells on its border, counterclockwise with y upwards.
    fn border(&self) -> impl Iterator<Item = (u16, u16)> {
        let (left, right) = (self.columns.start, self.columns.end);
        let (top, bottom) = (self.rows.start, self.rows.end);
        (left..right)
            .map(move |x| (x, top))
            .chain((top..bottom).map(move |y| (right, y)))
            .chain((left + 1..=right).rev().map(move |x| (x, bottom)))
            .chain((top + 1..=bottom).rev().map(move |y| (left, y)))
    }
}

/// Returns the meshes of all tiles, which together cover all free cells. The crate connects them
/// along their borders.
pub(crate) fn meshes(map: &Map) -> Vec<NavigationMesh2d> {
    let starts = || (0..map.side()).step_by(TILE.into());
    let tiles = starts().flat_map(|y| starts().map(move |x| (x, y)));
    let all = tiles.map(|(x, y)| {
        let end = |start: u16| map.side().min(start + TILE);
        mesh(&rectangles(map, x..end(x), y..end(y)))
    });
    all.filter(|mesh| !mesh.polygons.is_empty()).collect()
}

/// Makes a polygon of each rectangle.
///
/// Polygons are connected where they share an edge, so a rectangle has a vertex wherever another
/// one has a corner.
fn mesh(rectangles: &[Rectangle]) -> NavigationMesh2d {
    let mut vertices = Vec::new();
    let mut numbers = BTreeMap::new();
    for Rectangle { columns, rows } in rectangles {
        for x in [columns.start, columns.end] {
            for y in [rows.start, rows.end] {
                numbers.entry((x, y)).or_insert_with(|| {
                    vertices.push(Vec2::new(x.into(), y.into()));
                    vertices.len() - 1
                });
            }
        }
    }
    let polygon = |rectangle: &Rectangle| -> Vec<usize> {
        let border = rectangle.border();
        border
            .filter_map(|corner| numbers.get(&corner).copied())
            .collect()
    };
    let polygons: Vec<_> = rectangles.iter().map(polygon).collect();
    NavigationMesh2d {
        vertices,
        polygon_type_indices: vec![0; polygons.len()],
        polygons,
        height_mesh: None,
    }
}

/// Divides the free cells of a tile into rectangles: each as wide as it gets from its first cell,
/// then as high. A polygon for each cell would be five times as many to search.
fn rectangles(map: &Map, columns: Range<u16>, rows: Range<u16>) -> Vec<Rectangle> {
    let width = columns.len();
    let mut taken = vec![false; width * rows.len()];
    let place =
        |x: u16, y: u16| usize::from(y - rows.start) * width + usize::from(x - columns.start);
    let mut found = Vec::new();
    for top in rows.clone() {
        for left in columns.clone() {
            let is_open = |taken: &[bool], x, y| {
                let is_inside = columns.contains(&x) && rows.contains(&y);
                is_inside && map.is_free(Cell { x, y }) && !taken[place(x, y)]
            };
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
                taken[place(left, y)..=place(right - 1, y)].fill(true);
            }
            found.push(Rectangle {
                columns: left..right,
                rows: top..bottom,
            });
        }
    }
    found
}
