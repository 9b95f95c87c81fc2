//! A map with its agents, as pixels.

use super::{
    colour::Colour,
    drawing::Mark,
    link_marks::link_marks,
    png::{self, colour_of},
};
use crate::sim::Role;
use ::png::EncodingError;
use nav_grid::{Cell, Grid};
use std::io::Write;

/// An agent at a place in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Middle of its upper-left cell, in cells from the left edge of the map.
    pub x: f32,
    /// The same from the upper edge.
    pub y: f32,
    /// Its floor.
    pub floor: u8,
    /// Columns and rows that it covers.
    pub side: u8,
    /// Its role, which gives the colour.
    pub role: Role,
    /// Whether a ring marks it as the leader of others.
    pub leads: bool,
}

/// The ground of a map as pixels, on which agents are drawn. Floors are side by side, and each cell
/// is a square of the same whole number of pixels.
#[derive(Clone, Debug)]
pub struct Scene {
    zoom: u32,
    /// Columns and rows of pixels, with all floors and the gaps between them.
    size: (u32, u32),
    /// Pixels from the left edge of a floor to that of the next one.
    floor_width: u32,
    ground: Vec<u8>,
}

/// The error of a map too large for a picture of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a picture of agents shows maps of at most {max} columns, floors side by side, and as many rows; this one has {columns} and {rows}"
)]
pub struct SceneTooLarge {
    max: u32,
    columns: u32,
    rows: u32,
}

/// Most pixels of a side: larger films are slow to write and to show.
const SIDE_MAX: u32 = 2048;
/// Wanted longer side of a picture in pixels; sets the pixels per cell. Fits a web page.
const SIDE_WANTED: u32 = 720;
/// Most pixels per cell side. Maps of less than 45 cells a side make smaller pictures.
const ZOOM_MAX: u32 = 16;
/// Pixels between the rim of a leader and that of its ring; half of them are light. Shows on
/// the smallest cells of films, and overlaps no neighbour much.
const RING: f32 = 4.0;

impl Scene {
    /// Creates the ground of a map.
    ///
    /// # Errors
    ///
    /// The map has more than 2048 columns, with its floors side by side, or more than 2048 rows.
    pub fn new(grid: &Grid) -> Result<Self, SceneTooLarge> {
        let floors = u32::from(grid.floors());
        // One column separates two floors.
        let columns = (u32::from(grid.width()) + 1) * floors - 1;
        let rows = u32::from(grid.height());
        let longer = columns.max(rows);
        if longer > SIDE_MAX {
            return Err(SceneTooLarge {
                max: SIDE_MAX,
                columns,
                rows,
            });
        }
        let zoom = (SIDE_WANTED / longer).clamp(1, ZOOM_MAX);
        let mut scene = Self {
            zoom,
            size: (columns * zoom, rows * zoom),
            floor_width: (u32::from(grid.width()) + 1) * zoom,
            ground: vec![Colour::Ink.index(); (columns * zoom * rows * zoom) as usize],
        };
        for floor in 0..grid.floors() {
            for y in 0..grid.height() {
                for x in 0..grid.width() {
                    let cell = Cell::new(x, y).on_floor(floor);
                    scene.fill_cell(cell, colour_of(Mark::of_ground(grid, cell)));
                }
            }
            scene.draw_links(grid, floor);
        }
        Ok(scene)
    }

    /// Returns columns and rows of pixels.
    pub const fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Draws the ground, and the agents on it in their order. A pixel is an index into the palette.
    pub(super) fn draw(&self, agents: &[Placed], pixels: &mut Vec<u8>) {
        pixels.clone_from(&self.ground);
        for agent in agents {
            self.draw_agent(agent, pixels);
        }
    }

    /// Writes a picture of the ground and agents on it.
    ///
    /// # Errors
    ///
    /// `out` fails.
    pub fn write_png(&self, agents: &[Placed], out: impl Write) -> Result<(), EncodingError> {
        let mut pixels = Vec::new();
        self.draw(agents, &mut pixels);
        let mut writer = png::indexed(out, self.size)?;
        writer.write_image_data(&pixels)?;
        writer.finish()
    }

    fn fill_cell(&mut self, cell: Cell, colour: Colour) {
        let left = u32::from(cell.floor) * self.floor_width + u32::from(cell.x) * self.zoom;
        let top = u32::from(cell.y) * self.zoom;
        for y in top..top + self.zoom {
            let row = (y * self.size.0) as usize;
            let (first, end) = (row + left as usize, row + (left + self.zoom) as usize);
            self.ground[first..end].fill(colour.index());
        }
    }

    fn draw_links(&mut self, grid: &Grid, floor: u8) {
        let left = (u32::from(floor) * self.floor_width) as i32;
        let row_width = self.size.0 as usize;
        for mut mark in link_marks(grid, floor, self.zoom) {
            mark.left += left;
            let from_top = (self.ground.chunks_mut(row_width).enumerate())
                .skip(mark.top.max(0) as usize)
                .take(mark.height as usize);
            for (y, row) in from_top {
                mark.paint(y as i32, row);
            }
        }
    }

    fn draw_agent(&self, agent: &Placed, pixels: &mut [u8]) {
        let zoom = self.zoom as f32;
        let further = (f32::from(agent.side) - 1.0) / 2.0;
        let left = (u32::from(agent.floor) * self.floor_width) as f32;
        let (x, y) = (
            left + (agent.x + further) * zoom,
            (agent.y + further) * zoom,
        );
        let (share, colour) = match agent.role {
            Role::Target => (0.62, Colour::Blue),
            Role::Beside => (0.42, Colour::Red),
            Role::Chasing => (0.42, Colour::Orange),
            Role::Waiting => (0.42, Colour::Grey),
            Role::Idle => (0.48, Colour::Teal),
        };
        let radius = (share * zoom * f32::from(agent.side)).max(0.5);
        if agent.leads {
            self.fill_disc((x, y), radius + RING, Colour::Ink, pixels);
            self.fill_disc((x, y), radius + RING / 2.0, Colour::Paper, pixels);
        }
        if agent.role == Role::Target && self.zoom > 2 {
            self.fill_disc((x, y), radius + 1.2, Colour::Paper, pixels);
        }
        self.fill_disc((x, y), radius, colour, pixels);
    }

    fn fill_disc(&self, (x, y): (f32, f32), radius: f32, colour: Colour, pixels: &mut [u8]) {
        let (width, height) = self.size;
        // Pixels whose middle lies within the disc.
        let [columns, rows] = [(x, width), (y, height)].map(|(middle, size)| {
            let first = (middle - radius - 0.5).ceil().max(0.0) as u32;
            let end = (middle + radius + 0.5).floor().max(0.0) as u32;
            first..end.min(size)
        });
        for row in rows {
            let dy = row as f32 + 0.5 - y;
            for column in columns.clone() {
                let dx = column as f32 + 0.5 - x;
                if dx * dx + dy * dy <= radius * radius {
                    pixels[(row * width + column) as usize] = colour.index();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::{Link, Size, map::text};

    fn agent(x: f32, y: f32, role: Role) -> Placed {
        Placed {
            x,
            y,
            floor: 0,
            side: 1,
            role,
            leads: false,
        }
    }

    #[test]
    fn agents_in_their_cells() {
        let grid = text::read(b"...\n.#.\n...\n").unwrap();
        let scene = Scene::new(&grid).unwrap();
        assert_eq!(scene.size(), (48, 48));
        let mut pixels = Vec::new();
        scene.draw(&[agent(0.5, 2.5, Role::Chasing)], &mut pixels);
        let colour = |x: usize, y: usize| pixels[y * 48 + x];
        assert_eq!(colour(8, 40), Colour::Orange.index());
        assert_eq!(colour(40, 8), Colour::Paper.index());
        assert_eq!(colour(24, 24), Colour::Ink.index());
        let drawn = pixels.iter().filter(|&&one| one == Colour::Orange.index());
        assert!((120..160).contains(&drawn.count()));
    }

    #[test]
    fn agents_at_the_edge() {
        let grid = Grid::open(1, 1).unwrap();
        let scene = Scene::new(&grid).unwrap();
        let mut pixels = Vec::new();
        for (x, y) in [(0.0, 0.0), (1.0, 1.0), (-5.0, 9.0)] {
            scene.draw(&[agent(x, y, Role::Target)], &mut pixels);
            assert_eq!(pixels.len(), 256);
        }
    }

    #[test]
    fn leader_is_ringed() {
        let scene = Scene::new(&Grid::open(3, 3).unwrap()).unwrap();
        let mut pixels = Vec::new();
        let mut leader = agent(1.5, 1.5, Role::Idle);
        for leads in [false, true] {
            leader.leads = leads;
            scene.draw(&[leader], &mut pixels);
            assert_eq!(pixels.contains(&Colour::Ink.index()), leads);
            assert!(pixels.contains(&Colour::Teal.index()));
        }
    }

    #[test]
    fn stairs_on_each_floor() {
        let mut grid = Grid::build(Size::new(40, 20).with_floors(2), |_| true).unwrap();
        let foot = Cell::new(22, 4);
        grid.set_link(Link::new(foot, foot.on_floor(1))).unwrap();
        let scene = Scene::new(&grid).unwrap();
        let (half, width) = (scene.floor_width as usize, scene.size.0 as usize);
        let mut steps = [0; 2];
        for (at, &pixel) in scene.ground.iter().enumerate() {
            if pixel == Colour::Violet.index() {
                steps[usize::from(at % width >= half)] += 1;
            }
        }
        assert_eq!(steps, [96, 96]);
    }

    #[test]
    fn too_large_map() {
        let grid = Grid::open(1000, 3).unwrap();
        assert_eq!(Scene::new(&grid).unwrap().size(), (1000, 3));
        let grid = Grid::open(2049, 3).unwrap();
        let refused = Scene::new(&grid).unwrap_err().to_string();
        assert!(refused.ends_with("this one has 2049 and 3"), "{refused}");
    }
}
