//! A world of districts between ridges.

use crate::{
    canvas::{Canvas, Size},
    caves,
    connect::connect,
    noise::Noise,
    random::Random,
    rooms,
};
use std::collections::BTreeMap;

/// Distance between the middles of districts on large maps.
const SPACING_MAX: usize = 72;
const SPACING_MIN: usize = 16;
/// Thickness of a ridge in cells, as long as noise does not stretch it.
const RIDGE: i64 = 3;
/// Chance of a gap in the ridge between two neighbouring districts.
const GAP_PERCENT: u8 = 75;
/// Height of the noise above which open ground turns into a lake.
const LAKE: i32 = 48;
/// Cut up by ridges, rooms need more doors than elsewhere to stay together.
const EXTRA_DOORS_PERCENT: u8 = 60;
/// Smaller leftovers than this are filled and not dug to.
const JOINED_MIN: usize = 30;

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
    for y in 0..canvas.height {
        for x in 0..canvas.width {
            let cell = canvas.at(x, y);
            let place = districts.place(x, y);
            if let Some(pair) = place.ridge {
                let gap = gaps.entry(pair).or_insert((place.distance, x, y));
                *gap = (*gap).min((place.distance, x, y));
                continue;
            }
            canvas.open[cell] = match districts.grounds[place.district] {
                Ground::Rooms => rooms.open[cell],
                Ground::Caves => caves.open[cell],
                Ground::Clutter { percent } => !random.chance(percent),
                Ground::Open => lakes[0].at(x, y) + lakes[1].at(x, y) < LAKE,
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

/// The cells nearest to each of a lattice of shaken sites, with borders bent by noise.
struct Districts {
    spacing: usize,
    columns: usize,
    rows: usize,
    sites: Vec<(i64, i64)>,
    grounds: Vec<Ground>,
    bend_x: [Noise; 2],
    bend_y: [Noise; 2],
}

/// Where a cell lies.
struct Place {
    district: usize,
    /// Square of the distance to the site of the district.
    distance: i64,
    /// The two districts that the cell keeps apart.
    ridge: Option<(usize, usize)>,
}

impl Districts {
    fn new(size: Size, random: &mut Random) -> Self {
        let (width, height) = size;
        let spacing = (width.min(height) / 3).clamp(SPACING_MIN, SPACING_MAX);
        let (columns, rows) = (width.div_ceil(spacing), height.div_ceil(spacing));
        let margin = (spacing / 8) as i32;
        let mut sites = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let mut shaken = |block: usize| {
                    let offset = random.between(margin, spacing as i32 - 1 - margin);
                    (block * spacing) as i64 + i64::from(offset)
                };
                sites.push((shaken(column), shaken(row)));
            }
        }
        let mut bend = || {
            let coarse = spacing as i32 / 6;
            [
                Noise::new(size, spacing / 2, coarse, random),
                Noise::new(size, spacing.div_ceil(6), coarse / 3, random),
            ]
        };
        let (bend_x, bend_y) = (bend(), bend());
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

    fn place(&self, x: usize, y: usize) -> Place {
        let bent = |bend: &[Noise; 2]| i64::from(bend[0].at(x, y) + bend[1].at(x, y));
        let at = (x as i64 + bent(&self.bend_x), y as i64 + bent(&self.bend_y));
        let near = |block: usize, blocks: usize| block.saturating_sub(2)..(block + 3).min(blocks);
        let mut first = (i64::MAX, 0);
        let mut second = first;
        for row in near(y / self.spacing, self.rows) {
            for column in near(x / self.spacing, self.columns) {
                let district = row * self.columns + column;
                let candidate = (distance(at, self.sites[district]), district);
                if candidate < first {
                    (first, second) = (candidate, first);
                } else if candidate < second {
                    second = candidate;
                }
            }
        }
        // The distance to the line halfway between two sites is the difference of the squared
        // distances to them over twice the distance between them.
        let is_ridge = second.0 < i64::MAX && {
            let apart = distance(self.sites[first.1], self.sites[second.1]).isqrt();
            second.0 - first.0 < RIDGE * apart
        };
        Place {
            district: first.1,
            distance: first.0,
            ridge: is_ridge.then(|| (first.1.min(second.1), first.1.max(second.1))),
        }
    }
}

fn distance((x, y): (i64, i64), (other_x, other_y): (i64, i64)) -> i64 {
    (x - other_x).pow(2) + (y - other_y).pow(2)
}

/// Deals grounds like cards, so that even a few districts show all of them.
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
