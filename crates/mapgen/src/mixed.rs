//! Mixed terrain: districts of rooms, caves, clutter and lakes between ridges.

use crate::{
    canvas::{Canvas, Size},
    caves,
    connect::{JOINED_MIN, connect},
    noise::Noise,
    random::Random,
    rooms,
};
use std::{collections::BTreeMap, ops::Range};

/// Greatest and least distance between the centres of districts. Guesses.
const SPACING_MAX: usize = 72;
const SPACING_MIN: usize = 16;
/// Thickness of a ridge in cells, before noise bends it. A guess.
const RIDGE: i64 = 3;
/// Probability in percent of a gap in the ridge between two neighbouring districts. A guess.
const GAP_PERCENT: u8 = 75;
/// Height of the noise above which open ground becomes a lake; heights are -125 to 125. Measured:
/// an eighth of the ground is water, a fifth at 36 and a fifteenth at 60.
const LAKE: i32 = 48;
/// Percentage of extra doors. More than in plain rooms, because ridges cut rooms up and close
/// doors.
const EXTRA_DOORS_PERCENT: u8 = 60;
/// Bits of the index of a site: a cell looks at up to 25 sites.
const NUMBER_BITS: u32 = 5;

#[derive(Clone, Copy)]
enum Ground {
    Rooms,
    Caves,
    Clutter { percent: u8 },
    Open,
}

pub(crate) fn make(size: Size, random: &mut Random) -> Canvas {
    let districts = Districts::new(size, random);
    let rooms = rooms::make(size, EXTRA_DOORS_PERCENT, random);
    let caves = caves::scattered(size, random);
    let lakes = [
        Noise::new(size, 16, 100, random),
        Noise::new(size, 5, 25, random),
    ];
    let mut canvas = Canvas::blocked(size);
    let mut gaps = BTreeMap::new();
    let mut row = Row::new(canvas.width);
    for y in 0..canvas.height {
        row.fill(y, &districts, &lakes);
        for x in 0..canvas.width {
            let cell = canvas.at(x, y);
            let place = districts.place(x, y, &row);
            if let Some(pair) = place.ridge {
                let gap = gaps.entry(pair).or_insert((place.distance, x, y));
                *gap = (*gap).min((place.distance, x, y));
                continue;
            }
            canvas.open[cell] = match districts.grounds[place.district] {
                Ground::Rooms => rooms.open[cell],
                Ground::Caves => caves.open[cell],
                Ground::Clutter { percent } => !random.chance(percent),
                Ground::Open => row.lakes[x] < LAKE,
            };
        }
    }
    for &(_, x, y) in gaps.values() {
        if random.chance(GAP_PERCENT) {
            open_disc(&mut canvas, x, y, random.between(4, 7));
        }
    }
    connect(&mut canvas, JOINED_MIN);
    canvas
}

/// Values of one row, by column.
struct Row {
    /// Column and row of the cell, bent by noise, from which distances are measured.
    at_x: Vec<i32>,
    at_y: Vec<i32>,
    lakes: Vec<i32>,
    /// Squared distances to the two nearest sites. The lowest bits hold the index of the site among
    /// those looked at, in reading order.
    nearest: Vec<i32>,
    second: Vec<i32>,
}

impl Row {
    fn new(width: usize) -> Self {
        let [at_x, at_y, lakes, nearest, second] = std::array::from_fn(|_| vec![0; width]);
        Self {
            at_x,
            at_y,
            lakes,
            nearest,
            second,
        }
    }

    fn fill(&mut self, y: usize, districts: &Districts, lakes: &[Noise; 2]) {
        for (at, x) in self.at_x.iter_mut().zip(0..) {
            *at = x;
        }
        self.at_y.fill(y as i32);
        self.lakes.fill(0);
        for (row, noises) in [
            (&mut self.at_x, &districts.bend_x),
            (&mut self.at_y, &districts.bend_y),
            (&mut self.lakes, lakes),
        ] {
            for noise in noises {
                noise.add_row(y, row);
            }
        }
        districts.measure(y, self);
    }
}

fn open_disc(canvas: &mut Canvas, x: usize, y: usize, radius: i32) {
    let reach = radius as usize;
    for row in y.saturating_sub(reach)..(y + reach + 1).min(canvas.height) {
        for column in x.saturating_sub(reach)..(x + reach + 1).min(canvas.width) {
            let (dx, dy) = (x.abs_diff(column), y.abs_diff(row));
            if dx * dx + dy * dy <= reach * reach {
                let cell = canvas.at(column, row);
                canvas.open[cell] = true;
            }
        }
    }
}

/// Districts: the cells nearest to each site of a jittered lattice, with borders bent by noise.
struct Districts {
    spacing: usize,
    columns: usize,
    rows: usize,
    sites: Vec<(i64, i64)>,
    grounds: Vec<Ground>,
    bend_x: [Noise; 2],
    bend_y: [Noise; 2],
}

/// The district of a cell, or the ridge between two districts.
struct DistrictPlace {
    district: usize,
    /// Squared distance to the site of the district.
    distance: i64,
    /// The two districts that the ridge separates.
    ridge: Option<(usize, usize)>,
}

impl Districts {
    fn new(size: Size, random: &mut Random) -> Self {
        let (width, height) = size;
        let spacing = (width.min(height) / 3).clamp(SPACING_MIN, SPACING_MAX);
        let (columns, rows) = (width.div_ceil(spacing), height.div_ceil(spacing));
        // The margin keeps sites apart, so that no district is tiny.
        let margin = (spacing / 8) as i32;
        let mut sites = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let [x, y] = [column, row].map(|block| {
                    let offset = random.between(margin, spacing as i32 - 1 - margin);
                    (block * spacing) as i64 + i64::from(offset)
                });
                sites.push((x, y));
            }
        }
        let coarse = spacing as i32 / 6;
        let [bend_x, bend_y] = [(); 2].map(|()| {
            [
                Noise::new(size, spacing / 2, coarse, random),
                Noise::new(size, spacing.div_ceil(6), coarse / 3, random),
            ]
        });
        Self {
            spacing,
            columns,
            rows,
            grounds: deal(sites.len(), random),
            sites,
            bend_x,
            bend_y,
        }
    }

    /// Finds the two nearest sites of every cell of a row.
    ///
    /// Runs site by site over a block of columns, which all look at the same sites: the compiler
    /// turns such loops into vector code.
    fn measure(&self, y: usize, row: &mut Row) {
        let rows = near(y / self.spacing, self.rows);
        for block in 0..self.columns {
            let start = block * self.spacing;
            let end = (start + self.spacing).min(row.at_x.len());
            let (at_x, at_y) = (&row.at_x[start..end], &row.at_y[start..end]);
            let nearest = &mut row.nearest[start..end];
            let second = &mut row.second[start..end];
            nearest.fill(i32::MAX);
            second.fill(i32::MAX);
            let columns = near(block, self.columns);
            let sites = rows.clone().flat_map(|row| {
                let first = row * self.columns;
                &self.sites[first + columns.start..first + columns.end]
            });
            for (&(site_x, site_y), number) in sites.zip(0_i32..) {
                let cells = at_x.iter().zip(at_y).zip(&mut *nearest).zip(&mut *second);
                for (((x, y), nearest), second) in cells {
                    let (x, y) = (x - site_x as i32, y - site_y as i32);
                    let candidate = (x * x + y * y) << NUMBER_BITS | number;
                    *second = (*second).min((*nearest).max(candidate));
                    *nearest = (*nearest).min(candidate);
                }
            }
        }
    }

    /// Returns the place of column `x` of the measured row `y`.
    fn place(&self, x: usize, y: usize, row: &Row) -> DistrictPlace {
        let rows = near(y / self.spacing, self.rows);
        let columns = near(x / self.spacing, self.columns);
        let [first, second] = [row.nearest[x], row.second[x]].map(|key| {
            let number = (key & ((1 << NUMBER_BITS) - 1)) as usize;
            let site_row = rows.start + number / columns.len();
            let site_column = columns.start + number % columns.len();
            let district = site_row * self.columns + site_column;
            (i64::from(key >> NUMBER_BITS), district)
        });
        let is_alone = row.second[x] == i32::MAX;
        // The distance to the line halfway between two sites is the difference of the squared
        // distances, divided by twice the distance between the sites. It is compared without a
        // root: it is below half of `RIDGE` if the squared distance of the sites is at least
        // `least`².
        let is_ridge = !is_alone && {
            let least = (second.0 - first.0) / RIDGE + 1;
            distance(self.sites[first.1], self.sites[second.1]) >= least * least
        };
        DistrictPlace {
            district: first.1,
            distance: first.0,
            ridge: is_ridge.then(|| (first.1.min(second.1), first.1.max(second.1))),
        }
    }
}

/// Returns the blocks around a block that have the sites nearest to its cells.
fn near(block: usize, blocks: usize) -> Range<usize> {
    block.saturating_sub(2)..(block + 3).min(blocks)
}

fn distance((x, y): (i64, i64), (other_x, other_y): (i64, i64)) -> i64 {
    (x - other_x).pow(2) + (y - other_y).pow(2)
}

/// Deals grounds like cards, so that even few districts show all of them.
fn deal(districts: usize, random: &mut Random) -> Vec<Ground> {
    let mut grounds = Vec::new();
    while grounds.len() < districts {
        let percent = random.between(8, 28) as u8;
        let mut deck = [
            Ground::Rooms,
            Ground::Caves,
            Ground::Clutter { percent },
            Ground::Open,
        ];
        random.shuffle(&mut deck);
        grounds.extend(deck);
    }
    grounds.truncate(districts);
    grounds
}
