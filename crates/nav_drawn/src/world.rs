//! Scenes drawn from a seed: a map, standing targets, chasers and idle bodies.

use super::{
    agents::{Idle, Npc, Target},
    draw::Draw,
    ground::{self, Canvas, GroundKind, Layer, Shape, Spot},
    near::around_either_way,
    tuning::{Tuning, name},
};
use nav::{Body, Chaser, NavTime, Pace};
use nav_grid::{Area, Cell, Footprint, Grid, Method, Rules};
use std::collections::BTreeSet;

/// A scene, before its first tick.
pub struct Scene {
    /// Its seed.
    pub seed: u64,
    /// The drawn features by name, for filters and reports.
    pub features: Vec<(&'static str, String)>,
    /// The ground.
    pub grid: Grid,
    /// The targets.
    pub targets: Vec<Target>,
    /// The chasers.
    pub npcs: Vec<Npc>,
    /// The idle bodies.
    pub idle: Vec<Idle>,
    /// Whether regions are built for a method that does not need them.
    pub regions: bool,
    /// Whether portals are built for a method that does not need them.
    pub portals: bool,
    /// Cells of main roads.
    pub roads: Vec<Cell>,
    /// The limits that tunings must keep to.
    ground: GroundKind,
    /// Sizes of chasers.
    pub sides: &'static [u8],
}

/// Kinds of bodies of the chasers of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BodyMix {
    None,
    Soft,
    Solid,
    Mixed,
}

impl BodyMix {
    /// Draws the body of a chaser.
    fn draw(self, draw: &mut Draw, footprint: Footprint) -> Option<Body> {
        let (soft, solid) = (Body::soft(footprint), Body::solid(footprint));
        match self {
            Self::None => None,
            Self::Soft => Some(soft),
            Self::Solid => Some(solid),
            Self::Mixed => draw.one_of(&[None, Some(soft), Some(solid)]),
        }
    }
}

/// Where idle bodies stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IdleBodies {
    None,
    Doors,
    About,
}

impl Scene {
    /// Makes a scene without agents on some ground.
    pub fn on(seed: u64, grid: Grid) -> Self {
        Self {
            seed,
            features: Vec::new(),
            grid,
            targets: Vec::new(),
            npcs: Vec::new(),
            idle: Vec::new(),
            regions: false,
            portals: false,
            roads: Vec::new(),
            ground: GroundKind {
                shape: Shape::Rooms,
                layer: Layer::Plain,
                spot: Spot::Anywhere,
            },
            sides: &[1],
        }
    }

    /// Draws the scene of a seed.
    pub fn new(seed: u64) -> Self {
        let draw = &mut Draw::new(seed);
        let (ground, mut canvas) = GroundKind::draw(draw);
        let side_by_side = draw.percent(30);
        let spots = spots(draw, &mut canvas, ground.spot, side_by_side);
        let mut grid = canvas.to_grid();
        ground::lay(draw, &canvas, ground.layer, &spots, &mut grid);
        let bodies = draw.weighted(&[
            (3, BodyMix::None),
            (2, BodyMix::Soft),
            (6, BodyMix::Solid),
            (1, BodyMix::Mixed),
        ]);
        let sides =
            draw.weighted::<&'static [u8]>(&[(6, &[1]), (2, &[2]), (1, &[3]), (2, &[1, 2, 3])]);
        let tuning = Tuning::draw(draw, &grid, ground, sides);
        let idle_bodies = draw.weighted(&[
            (4, IdleBodies::None),
            (3, IdleBodies::Doors),
            (3, IdleBodies::About),
        ]);
        let mut taken = Taken::default();
        let targets = stand(draw, &grid, spots, tuning.chaser.stop_distance, &mut taken);
        let places = if side_by_side { "beside" } else { "apart" };
        let mut scene = Self {
            features: vec![
                ("shape", name(ground.shape)),
                ("layer", name(ground.layer)),
                ("spot", name(ground.spot)),
                ("targets", places.into()),
                ("bodies", name(bodies)),
                ("sides", sides.iter().map(u8::to_string).collect()),
                ("idle", name(idle_bodies)),
            ],
            targets,
            regions: tuning.regions,
            portals: tuning.portals,
            roads: tuning.roads.clone(),
            ground,
            sides,
            ..Self::on(seed, grid)
        };
        scene.features.extend(tuning.features());
        scene.put_idle(draw, &canvas, idle_bodies, &mut taken);
        let pack = draw.weighted(&[
            (2, (1, 1)),
            (2, (2, 2)),
            (4, (3, 8)),
            (3, (9, 20)),
            (2, (21, 60)),
        ]);
        let sizes = format!("{}-{}", pack.0, pack.1);
        scene.features.push(("pack", sizes));
        scene.put_npcs(draw, &tuning, (bodies, sides), pack, &mut taken);
        scene.mix(draw);
        scene
    }

    /// Returns whether a feature has a value.
    pub fn has(&self, key: &str, value: &str) -> bool {
        self.features
            .iter()
            .any(|(name, drawn)| *name == key && drawn.eq_ignore_ascii_case(value))
    }

    /// Returns how many times longer than usual a step of the slowest chaser takes.
    pub(super) fn slowness(&self) -> u64 {
        let slowest = self.npcs.iter().map(|npc| {
            let dearest = if npc.chaser.pace == Pace::ByCost {
                4
            } else {
                1
            };
            npc.periods.0.micros * dearest
        });
        let usual = Npc::usual_periods().0.micros;
        slowest
            .max()
            .map_or(1, |micros| micros.div_ceil(usual).max(1))
            .into()
    }

    fn put_idle(
        &mut self,
        draw: &mut Draw,
        canvas: &Canvas,
        bodies: IdleBodies,
        taken: &mut Taken,
    ) {
        let mut places = match bodies {
            IdleBodies::None => Vec::new(),
            IdleBodies::Doors => {
                let mut doors = canvas.doors();
                doors.sort_by_key(|&door| {
                    let targets = self.targets.iter();
                    targets.map(|target| target.at.chebyshev(door)).min()
                });
                doors.truncate(6);
                doors
            }
            IdleBodies::About => (0..12).map(|_| canvas.anywhere(draw)).collect(),
        };
        places.retain(|_| draw.percent(70));
        for at in places {
            let side = draw.weighted(&[(8, 1), (1, 2), (1, 3)]);
            let footprint = Footprint::new(side).expect("1 to 8");
            let body = if draw.percent(85) {
                Body::solid(footprint)
            } else {
                Body::soft(footprint)
            };
            if self.grid.fits(at, footprint) && taken.take(footprint.area(at)) {
                let chaser = draw.percent(30).then(|| Chaser {
                    rules: Rules::default().with_footprint(footprint),
                    ..Chaser::default()
                });
                self.idle.push(Idle { at, body, chaser });
            }
        }
    }

    fn put_npcs(
        &mut self,
        draw: &mut Draw,
        tuning: &Tuning,
        (bodies, sides): (BodyMix, &[u8]),
        pack: (u16, u16),
        taken: &mut Taken,
    ) {
        let staggered = draw.percent(50);
        let from_one_side = draw.percent(40);
        for target in 0..self.targets.len() {
            let center = self.targets[target].at;
            let mut ground = around_either_way(&self.grid, center, 15);
            // Links may lead far away: keep only starts with the target in their window.
            ground.retain(|cell| cell.chebyshev(center) <= 18);
            if from_one_side && !ground.is_empty() {
                let camp = ground[draw.below(ground.len())];
                ground.sort_by_key(|cell| (cell.floor != camp.floor, cell.chebyshev(camp)));
            }
            let mut next = 0;
            for _ in 0..draw.number(pack.0, pack.1) {
                let footprint = Footprint::new(draw.one_of(sides)).expect("1 to 8");
                let body = bodies.draw(draw, footprint);
                let place = (0..20).find_map(|_| {
                    let at = if from_one_side {
                        next += 1;
                        *ground.get(next - 1)?
                    } else {
                        *ground.get(draw.below(ground.len().max(1)))?
                    };
                    let area = footprint.area(at);
                    let is_free = body.is_none() || taken.is_free(area);
                    let mut targets = self.targets.iter();
                    let has_room = self.grid.fits(at, footprint)
                        && is_free
                        && !targets.any(|target| area.meets(target.area()));
                    has_room.then_some(at)
                });
                let Some(at) = place else {
                    continue;
                };
                if body.is_some() {
                    taken.take(footprint.area(at));
                }
                let mut chaser = tuning.chaser;
                chaser.rules.footprint = footprint;
                let first_step = if staggered { draw.number(0, 4) } else { 0 };
                self.npcs.push(Npc {
                    at,
                    target,
                    chaser,
                    body,
                    first_step: NavTime(u64::from(first_step) * 50_000_000),
                    periods: Npc::usual_periods(),
                });
            }
        }
    }

    /// Gives half of the chasers another tuning, in some scenes.
    fn mix(&mut self, draw: &mut Draw) {
        let is_mixed = draw.percent(15);
        let tunings = if is_mixed { "mixed" } else { "same" };
        self.features.push(("tunings", tunings.into()));
        if !is_mixed {
            return;
        }
        let other = self.other_tuning(draw);
        for npc in self.npcs.iter_mut().skip(1) {
            if draw.percent(50) {
                let footprint = npc.chaser.rules.footprint;
                npc.chaser = other;
                npc.chaser.rules.footprint = footprint;
            }
        }
    }

    /// Draws a tuning that suits the ground, with a method that needs no index of its own, for
    /// bodies of all sizes of the scene.
    pub fn other_tuning(&self, draw: &mut Draw) -> Chaser {
        let mut chaser = Tuning::draw(draw, &self.grid, self.ground, self.sides).chaser;
        if matches!(
            chaser.method,
            Method::Portal | Method::Mosaic | Method::Trunk
        ) {
            chaser.method = Method::Auto;
        }
        // Targets may be too large for other distances.
        chaser.stop_distance = 1;
        chaser
    }
}

/// Occupied cells.
#[derive(Default)]
struct Taken(BTreeSet<Cell>);

impl Taken {
    fn is_free(&self, area: Area) -> bool {
        area.cells().all(|cell| !self.0.contains(&cell))
    }

    /// Takes all cells of an area, if they are free.
    fn take(&mut self, area: Area) -> bool {
        let free = self.is_free(area);
        if free {
            self.0.extend(area.cells());
        }
        free
    }
}

/// Draws the spots of targets, and builds niches and corridors for them.
fn spots(draw: &mut Draw, canvas: &mut Canvas, spot: Spot, side_by_side: bool) -> Vec<Cell> {
    let count = if side_by_side {
        draw.weighted(&[(6, 2), (2, 3), (1, 4)])
    } else {
        draw.weighted(&[(5, 1), (2, 2), (1, 3), (1, 4)])
    };
    let mut spots: Vec<Cell> = Vec::new();
    for n in 0..count {
        let beside = spots.last().filter(|_| side_by_side).copied();
        let cell = match beside {
            Some(other) => beside_one(draw, canvas, other, &spots),
            None => canvas.spot(draw, if n == 0 { spot } else { Spot::Anywhere }),
        };
        if !spots.contains(&cell) {
            spots.push(cell);
        }
    }
    // Spots that a niche was built over are dropped.
    spots.retain(|&cell| canvas.is_open(cell));
    spots
}

/// Gives targets bodies, or none.
fn stand(
    draw: &mut Draw,
    grid: &Grid,
    spots: Vec<Cell>,
    stop_distance: u16,
    taken: &mut Taken,
) -> Vec<Target> {
    let with_bodies = draw.percent(50);
    let mut targets: Vec<Target> = Vec::new();
    for at in spots {
        // A stop distance counts waypoints to the target's cell, not to its body.
        let side = if stop_distance > 1 {
            1
        } else {
            draw.weighted(&[(7, 1), (2, 2), (1, 3)])
        };
        let side = if with_bodies { side } else { 1 };
        let footprint = Footprint::new(side).expect("1 to 8");
        if grid.fits(at, footprint) && taken.take(footprint.area(at)) {
            let body = with_bodies.then_some(if draw.percent(80) {
                Body::solid(footprint)
            } else {
                Body::soft(footprint)
            });
            targets.push(Target {
                at,
                body,
                is_entered: false,
            });
        }
    }
    targets
}

/// Draws a cell one to three columns or rows from another.
fn beside_one(draw: &mut Draw, canvas: &Canvas, other: Cell, spots: &[Cell]) -> Cell {
    for _ in 0..100 {
        let cell = draw.near(other, 3);
        if canvas.is_open(cell) && !spots.contains(&cell) {
            return cell;
        }
    }
    canvas.anywhere(draw)
}
