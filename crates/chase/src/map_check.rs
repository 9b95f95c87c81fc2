//! Checks a map: size, walkable share, layers, connected regions, links that cannot be walked.

use nav_formats::MapFile;
use nav_grid::{
    Cell, Grid, Rules,
    index::Regions,
    map::{Sight, text::quote},
};
use serde::Serialize;
use std::{collections::BTreeMap, fmt};

/// Most pockets and broken links listed: enough to find the cause, and they fit a line.
const EXAMPLES_MAX: usize = 5;

/// The result of `chase check`. Prints as lines of text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapCheck {
    /// Number of columns.
    pub width: u16,
    /// Number of rows.
    pub height: u16,
    /// Number of floors.
    pub floors: u8,
    /// Whether the file contains the position of the map in the world.
    pub has_frame: bool,
    /// Walkable cells.
    pub walkable: u64,
    /// Share of walkable cells, 0 to 1.
    pub walkable_share: f64,
    /// Side of the body for which the fields below hold, in cells.
    pub footprint: u8,
    /// Cells where such a body fits.
    pub places: u64,
    /// Least and greatest step cost; `None` without step costs.
    pub costs: Option<(u8, u8)>,
    /// Walkable cells with restricted exits.
    pub exits: u64,
    /// Walkable cells of each terrain class that has some; empty if all are of class 0.
    pub classes: Vec<ClassCells>,
    /// Cells that can or cannot be seen through whatever their ground.
    pub sight: SightCells,
    /// Number of links.
    pub links: usize,
    /// Cells marked as main roads in the file.
    pub roads: usize,
    /// Number of objects of each class, by name. Objects without a class have an empty one.
    pub objects: BTreeMap<String, usize>,
    /// Connected regions.
    pub regions: usize,
    /// Share of places in the largest region, 0 to 1.
    pub largest_share: f64,
    /// All regions except the largest.
    pub pockets: Pockets,
    /// Links that start or end where the body does not fit.
    pub broken_links: BrokenLinks,
}

/// Cells of a terrain class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClassCells {
    /// Number of the class.
    pub class: u8,
    /// Walkable cells of this class.
    pub cells: u64,
}

/// Cells with a sight of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SightCells {
    /// Cells that can be seen through.
    pub clear: u64,
    /// Cells that cannot.
    pub blocked: u64,
}

/// Regions cut off from the largest one.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Pockets {
    /// Number of these regions.
    pub count: usize,
    /// Places in all of them.
    pub places: u64,
    /// First cells of the first few, as column, row and floor.
    pub first: Vec<[u16; 3]>,
}

/// Links that cannot be walked.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BrokenLinks {
    /// Number of these links.
    pub count: usize,
    /// Start and end of the first few, as column, row and floor.
    pub first: Vec<[[u16; 3]; 2]>,
}

impl MapCheck {
    /// Checks a map for agents that move by `rules`.
    ///
    /// # Complexity
    ///
    /// A few passes over all cells, and 4 bytes per cell.
    pub fn of(map: &MapFile, rules: Rules) -> Self {
        let grid = &map.grid;
        let regions = Regions::of(grid, rules);
        let places: u64 = regions.sizes().iter().map(|&size| u64::from(size)).sum();
        let largest = regions.largest();
        let in_largest = largest.map_or(0, |label| regions.sizes()[label as usize].into());
        Self {
            width: grid.width(),
            height: grid.height(),
            floors: grid.floors(),
            has_frame: map.frame.is_some(),
            walkable: grid.walkable_count(),
            walkable_share: share(grid.walkable_count(), grid.size().cells()),
            footprint: rules.footprint.side(),
            places,
            costs: costs(grid),
            exits: limited_exits(grid),
            classes: classes(grid),
            sight: sight(grid),
            links: grid.links().len(),
            roads: map.roads.len(),
            objects: objects(map),
            regions: regions.count(),
            largest_share: share(in_largest, places),
            pockets: Pockets {
                count: regions.count().saturating_sub(1),
                places: places - in_largest,
                first: first_cells(grid, &regions, largest),
            },
            broken_links: broken_links(grid, rules),
        }
    }
}

/// Counts the cells that bodies leave in some directions only.
fn limited_exits(grid: &Grid) -> u64 {
    if !grid.has_exits() {
        return 0;
    }
    let cells = grid.walkable_cells();
    cells
        .filter(|&cell| grid.exits(cell) != nav_grid::Directions::ALL)
        .count() as u64
}

/// Finds the links with an end at which a body does not fit.
fn broken_links(grid: &Grid, rules: Rules) -> BrokenLinks {
    let ground = grid.for_rules(rules);
    let mut broken = Vec::new();
    for link in grid.links() {
        let ends = [link.from, link.to];
        if ends.iter().any(|&end| !ground.fits(end, rules.footprint)) {
            broken.push(ends.map(triple));
        }
    }
    let count = broken.len();
    broken.truncate(EXAMPLES_MAX);
    let first = broken;
    BrokenLinks { count, first }
}

fn objects(map: &MapFile) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for object in &map.objects {
        *counts.entry(object.class.clone()).or_default() += 1;
    }
    counts
}

fn costs(grid: &Grid) -> Option<(u8, u8)> {
    let mut costs = grid.walkable_cells().map(|cell| grid.cost(cell));
    let first = grid.has_costs().then(|| costs.next())??;
    Some(costs.fold((first, first), |(least, most), cost| {
        (least.min(cost), most.max(cost))
    }))
}

fn classes(grid: &Grid) -> Vec<ClassCells> {
    let mut counts = [0; 16];
    if grid.has_classes() {
        for cell in grid.walkable_cells() {
            counts[usize::from(grid.class(cell).number())] += 1;
        }
    }
    let mut classes = Vec::new();
    for (class, cells) in (0..).zip(counts) {
        if cells > 0 {
            classes.push(ClassCells { class, cells });
        }
    }
    if matches!(classes[..], [ClassCells { class: 0, .. }]) {
        return Vec::new();
    }
    classes
}

fn sight(grid: &Grid) -> SightCells {
    let [clear, blocked] = [Sight::Clear, Sight::Blocked].map(|sight| {
        let mut cells = 0;
        for &number in grid.sight_bytes() {
            cells += u64::from(number == sight as u8);
        }
        cells
    });
    SightCells { clear, blocked }
}

/// Returns the first cells of the first few regions except the largest.
fn first_cells(grid: &Grid, regions: &Regions, largest: Option<u32>) -> Vec<[u16; 3]> {
    let mut seen = Vec::new();
    let mut first = Vec::new();
    if regions.count() < 2 {
        return first;
    }
    for cell in grid.walkable_cells() {
        let label = regions.label(cell);
        if label.is_some() && label != largest && !seen.contains(&label) {
            seen.push(label);
            first.push(triple(cell));
            if first.len() == EXAMPLES_MAX {
                break;
            }
        }
    }
    first
}

const fn triple(cell: Cell) -> [u16; 3] {
    [cell.x, cell.y, cell.floor as u16]
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    part as f64 / whole as f64
}

impl fmt::Display for MapCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "size          {}x{} cells, floors {}",
            self.width, self.height, self.floors
        )?;
        let frame = if self.has_frame { "given" } else { "not given" };
        writeln!(f, "frame         {frame}")?;
        let percent = 100.0 * self.walkable_share;
        writeln!(f, "walkable      {} cells, {percent:.1} %", self.walkable)?;
        if self.footprint > 1 {
            let side = self.footprint;
            writeln!(f, "body {side}x{side}      fits at {} places", self.places)?;
        }
        match self.costs {
            Some((least, most)) => writeln!(f, "step costs    {least} to {most}")?,
            None => writeln!(f, "step costs    none")?,
        }
        writeln!(f, "exits         limited on {} cells", self.exits)?;
        if !self.classes.is_empty() {
            let counted = self.classes.iter();
            let texts = counted.map(|it| format!("{} on {} cells", it.class, it.cells));
            writeln!(f, "classes       {}", texts.collect::<Vec<_>>().join(", "))?;
        }
        let SightCells { clear, blocked } = self.sight;
        if clear + blocked > 0 {
            writeln!(
                f,
                "sight         clear on {clear} cells, blocked on {blocked}"
            )?;
        }
        writeln!(f, "links         {}", self.links)?;
        if self.roads > 0 {
            writeln!(f, "main roads    {} cells", self.roads)?;
        }
        if !self.objects.is_empty() {
            let counted = self.objects.iter();
            let texts = counted.map(|(class, count)| match class.as_str() {
                "" => format!("{count} without a class"),
                class => format!("{count} {}", quote(class.as_bytes())),
            });
            writeln!(f, "objects       {}", texts.collect::<Vec<_>>().join(", "))?;
        }
        self.fmt_regions(f)
    }
}

impl MapCheck {
    /// Writes what bodies can reach.
    fn fmt_regions(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = 100.0 * self.largest_share;
        writeln!(
            f,
            "regions       {}, the largest has {percent:.1} %",
            self.regions
        )?;
        let pockets = &self.pockets;
        if pockets.count > 0 {
            let (count, places) = (pockets.count, pockets.places);
            let first: Vec<String> = pockets.first.iter().copied().map(place).collect();
            writeln!(
                f,
                "pockets       {count} with {places} places, at {}",
                first.join(" ")
            )?;
        }
        let broken = &self.broken_links;
        if broken.count > 0 {
            let first = broken.first.iter();
            let texts = first.map(|&[from, to]| format!("{} to {}", place(from), place(to)));
            writeln!(
                f,
                "broken links  {} into or out of walls: {}",
                broken.count,
                texts.collect::<Vec<_>>().join("; ")
            )?;
        }
        Ok(())
    }
}

/// Writes a cell as a place on a map.
fn place([x, y, floor]: [u16; 3]) -> String {
    Cell::new(x, y).on_floor(floor as u8).to_string()
}
