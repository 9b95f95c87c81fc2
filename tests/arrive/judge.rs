//! Runs a scene and judges its end.

use crate::world::{Scene, Stage, is_solid};
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time};
use nav::{Body, CellPosition, ChaseState, PathCursor};
use nav_grid::{Cell, Footprint, Grid, rules::BodyPolicy};
use nav_tests::oracle;
use std::collections::HashMap;

/// Milliseconds a tick while somebody moves.
const FINE: u64 = 50;
/// Milliseconds a tick while nobody does: the period of a step.
const COARSE: u64 = 250;
/// Nobody moved for so long: time to judge.
const QUIET: u64 = 5_000;
/// And then nobody moves for a minute.
const WATCH: u64 = 60_000;
/// By when all is quiet, in milliseconds: for the scene, and for each of its chasers.
const LIMIT: (u64, u64) = (90_000, 1_000);

/// What is wrong with the end of a chase.
#[derive(Clone, Debug)]
pub enum Failure {
    /// Some still move when the time is over.
    Restless { movers: Vec<usize> },
    /// Some wait, and could be beside their target: chaser, place.
    LeftOut(Vec<(usize, Cell)>),
    /// Some search although nothing changes: chaser, searches.
    Searches(Vec<(usize, usize)>),
    /// So many fields are made although nothing changes.
    Fields(u64),
    /// A rule of every tick was broken.
    Broken(String),
}

impl Failure {
    /// Its kind.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Restless { .. } => "restless",
            Self::LeftOut(_) => "left out",
            Self::Searches(_) => "searches",
            Self::Fields(_) => "fields",
            Self::Broken(_) => "broken rule",
        }
    }
}

/// How a scene ended.
#[derive(Default)]
pub struct Verdict {
    pub failure: Option<Failure>,
    /// Chasers in reach of their target.
    pub arrived: usize,
    /// Chasers for whom there is no place, or no way to one.
    pub waiting: usize,
    /// Chasers that stand where their own limits end, and are not judged.
    pub excused: usize,
    /// When the last of them stood still, in milliseconds.
    pub settled: u64,
    /// The map at the end.
    pub picture: String,
}

/// Where a chaser stands in the end.
enum End {
    Arrived,
    Waits,
    Excused,
    /// It could be here.
    LeftOut(Cell),
}

struct Judge<'a> {
    scene: &'a Scene,
    stage: Stage,
    now: u64,
    /// When somebody moved last.
    moved: u64,
    places: Vec<Cell>,
    movers: Vec<usize>,
}

/// Runs a scene to its end.
pub fn judge(scene: &Scene) -> Verdict {
    let mut judge = Judge {
        scene,
        stage: scene.stage(),
        now: 0,
        moved: 0,
        places: scene.npcs.iter().map(|npc| npc.at).collect(),
        movers: Vec::new(),
    };
    let failure = judge.run().err();
    let ends = judge.ends();
    let count = |wanted: fn(&End) -> bool| ends.iter().filter(|end| wanted(end)).count();
    Verdict {
        arrived: count(|end| matches!(end, End::Arrived)),
        waiting: count(|end| matches!(end, End::Waits)),
        excused: count(|end| matches!(end, End::Excused)),
        settled: judge.moved,
        picture: judge.picture(&ends),
        failure,
    }
}

impl Judge<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        let limit = LIMIT.0 + LIMIT.1 * self.scene.npcs.len() as u64;
        loop {
            while self.now - self.moved < QUIET {
                if self.now > limit {
                    let movers = std::mem::take(&mut self.movers);
                    return Err(Failure::Restless { movers });
                }
                self.tick(FINE)?;
            }
            let left_out = self.left_out();
            if left_out.is_empty() {
                let before = (self.searches(), self.fields());
                let end = self.now + WATCH;
                self.wait(end)?;
                if self.now - self.moved >= WATCH {
                    return self.quiet(&before.0, before.1);
                }
            } else if self.now >= limit {
                return Err(Failure::LeftOut(left_out));
            } else {
                self.wait(limit)?;
            }
        }
    }

    /// Lets time go by until somebody moves, or until some moment.
    fn wait(&mut self, end: u64) -> Result<(), Failure> {
        let moved = self.moved;
        while self.now < end && self.moved == moved {
            self.tick(COARSE)?;
        }
        Ok(())
    }

    /// One tick of so many milliseconds, and the rules of every tick.
    fn tick(&mut self, milliseconds: u64) -> Result<(), Failure> {
        let world = &mut self.stage.world;
        world
            .world()
            .resource_mut::<Time<Fixed>>()
            .set_timestep(std::time::Duration::from_millis(milliseconds));
        world.tick(1);
        self.now += milliseconds;
        let world = &self.stage.world;
        let mut movers = Vec::new();
        for (n, (&npc, place)) in self.stage.npcs.iter().zip(&mut self.places).enumerate() {
            let now = world.cell(npc);
            if now != *place {
                movers.push((n, *place));
                *place = now;
            }
        }
        if movers.is_empty() {
            return Ok(());
        }
        if self.now - self.moved > QUIET {
            self.movers.clear();
        }
        self.moved = self.now;
        self.keep_apart(&movers)?;
        for (n, _) in movers {
            if !self.movers.contains(&n) {
                self.movers.push(n);
            }
        }
        Ok(())
    }

    /// No two solid bodies are in one cell or changed places.
    fn keep_apart(&self, movers: &[(usize, Cell)]) -> Result<(), Failure> {
        let mut holders = HashMap::new();
        for (entity, area) in self.solids() {
            for cell in area.cells() {
                if let Some(other) = holders.insert(cell, entity) {
                    let text = format!("{entity} and {other} are both at {cell}");
                    return Err(Failure::Broken(text));
                }
            }
        }
        for &(n, from) in movers {
            let to = self.places[n];
            let solid = |n: usize| self.scene.npcs[n].body.is_some_and(is_solid);
            let swapped = |&&(other, start): &&(usize, Cell)| {
                start == to && self.places[other] == from && solid(other)
            };
            if let Some((other, _)) = movers.iter().find(swapped).filter(|_| solid(n)) {
                let text = format!("chasers {n} and {other} changed places at {from} and {to}");
                return Err(Failure::Broken(text));
            }
        }
        Ok(())
    }

    /// All solid bodies.
    fn solids(&self) -> impl Iterator<Item = (Entity, nav_grid::Area)> + '_ {
        self.bodies()
            .filter(|(_, body, _)| is_solid(*body))
            .map(|(entity, body, at)| (entity, body.footprint.area(at)))
    }

    /// All bodies.
    fn bodies(&self) -> impl Iterator<Item = (Entity, Body, Cell)> + '_ {
        let stage = &self.stage;
        let all = stage.targets.iter().chain(&stage.npcs).chain(&stage.idle);
        all.filter_map(|&entity| {
            let world = self.stage.world.app.world();
            let body = world.get::<Body>(entity)?;
            let place = world.get::<CellPosition>(entity)?;
            Some((entity, *body, place.cell))
        })
    }

    fn searches(&self) -> Vec<usize> {
        let world = &self.stage.world;
        let mut counts: HashMap<Entity, usize> = HashMap::new();
        for (_, found) in &world.found {
            *counts.entry(found.chaser).or_default() += 1;
        }
        for (_, failed) in &world.failed {
            *counts.entry(failed.chaser).or_default() += 1;
        }
        let count = |npc| counts.get(npc).copied().unwrap_or(0);
        self.stage.npcs.iter().map(count).collect()
    }

    fn fields(&self) -> u64 {
        self.stage.world.diagnostics().total.fields
    }

    /// Searches are flat: those beside their target made none since, the others one at most, and
    /// there are no more new fields than chasers that wait.
    fn quiet(&self, searches: &[usize], fields: u64) -> Result<(), Failure> {
        let ends = self.ends();
        let mut restless = Vec::new();
        for (n, (now, before)) in self.searches().iter().zip(searches).enumerate() {
            let allowed = usize::from(!matches!(ends[n], End::Arrived));
            if now - before > allowed {
                restless.push((n, now - before));
            }
        }
        if !restless.is_empty() {
            return Err(Failure::Searches(restless));
        }
        let waiting = ends.iter().filter(|end| !matches!(end, End::Arrived));
        let fields = self.fields() - fields;
        if fields > waiting.count() as u64 {
            return Err(Failure::Fields(fields));
        }
        Ok(())
    }

    fn left_out(&self) -> Vec<(usize, Cell)> {
        let ends = self.ends().into_iter().enumerate();
        ends.filter_map(|(n, end)| match end {
            End::LeftOut(place) => Some((n, place)),
            _ => None,
        })
        .collect()
    }

    /// How it ended for each chaser.
    fn ends(&self) -> Vec<End> {
        let mut holders: HashMap<Cell, Vec<Entity>> = HashMap::new();
        for (entity, body, at) in self.bodies() {
            for cell in body.footprint.area(at).cells() {
                holders.entry(cell).or_default().push(entity);
            }
        }
        (0..self.scene.npcs.len())
            .map(|n| self.end(n, &holders))
            .collect()
    }

    fn end(&self, n: usize, holders: &HashMap<Cell, Vec<Entity>>) -> End {
        let npc = &self.scene.npcs[n];
        let (own, at) = (self.stage.npcs[n], self.places[n]);
        let target = self.stage.targets[npc.target];
        let goal = self.scene.targets[npc.target].goal();
        let grid = &self.scene.grid;
        let rules = npc.chaser.rules;
        let stop = npc.chaser.stop_distance;
        if oracle::in_reach(grid, rules, stop, at, goal) {
            return End::Arrived;
        }
        let radius = npc.chaser.limits.radius;
        if at.chebyshev(goal.cell) > radius {
            return End::Excused;
        }
        let avoids = rules.bodies != BodyPolicy::Ignore;
        // Who goes by searches around bodies finds what those find: no step past their corners.
        let walled = avoids.then(|| {
            let mut walled = grid.clone();
            for (&cell, holders) in holders {
                if holders
                    .iter()
                    .any(|&holder| holder != own && holder != target)
                {
                    walled.set_walkable(cell, false).expect("a cell of the map");
                }
            }
            walled
        });
        let keeps_off = npc.body.is_some_and(is_solid) || avoids;
        let free = |anchor: Cell| {
            let area = rules.footprint.area(anchor);
            let is_taken = |cell: Cell| {
                let holders = holders.get(&cell);
                holders.is_some_and(|holders| holders.iter().any(|&holder| holder != own))
            };
            !oracle::overlap(area, goal.area()) && !(keeps_off && area.cells().any(is_taken))
        };
        let wanted = |anchor: Cell| oracle::in_reach(grid, rules, stop, anchor, goal);
        // Most who wait do so since every place is taken.
        let reach = stop + u16::from(rules.footprint.side()) + u16::from(goal.body.side());
        let around = (goal.cell.y.saturating_sub(reach)..=goal.cell.y + reach).flat_map(|y| {
            let columns = goal.cell.x.saturating_sub(reach)..=goal.cell.x + reach;
            columns.map(move |x| Cell { x, y, ..goal.cell })
        });
        let mut around = around.filter(|&cell| grid.fits(cell, rules.footprint));
        if !around.any(|cell| free(cell) && wanted(cell)) {
            return End::Waits;
        }
        let ground: &Grid = walled.as_ref().unwrap_or(grid);
        let within = |cell: Cell| cell.chebyshev(at) <= radius;
        let place = |in_window: bool| {
            let free = |cell| free(cell) && (!in_window || within(cell));
            oracle::nearest_place(ground, rules, at, free, wanted)
        };
        match (place(true), place(false)) {
            (Some(place), _) => End::LeftOut(place),
            // Its way leaves its window.
            (None, Some(_)) => End::Excused,
            (None, None) => End::Waits,
        }
    }

    /// The map: `T` a target, `I` an idle body, letters of their target for chasers, small ones
    /// for those in reach; `*` a place that somebody should have, and `?` who should have it.
    fn picture(&self, ends: &[End]) -> String {
        let grid = &self.scene.grid;
        let mut signs: HashMap<Cell, char> = HashMap::new();
        let mut paint = |at: Cell, side: Footprint, sign: char| {
            for cell in side.area(at).cells() {
                signs.insert(cell, sign);
            }
        };
        for idle in &self.scene.idle {
            paint(idle.at, idle.body.footprint, 'I');
        }
        for (n, npc) in self.scene.npcs.iter().enumerate() {
            let letter = (b'a' + npc.target as u8) as char;
            let sign = match ends[n] {
                End::Arrived => letter,
                End::LeftOut(_) => '?',
                _ => letter.to_ascii_uppercase(),
            };
            paint(self.places[n], npc.chaser.rules.footprint, sign);
        }
        for target in &self.scene.targets {
            paint(target.at, target.goal().body, 'T');
        }
        for end in ends {
            if let End::LeftOut(place) = end {
                signs.entry(*place).or_insert('*');
            }
        }
        let mut text = String::new();
        for floor in 0..grid.floors() {
            for y in 0..grid.height() {
                for x in 0..grid.width() {
                    let cell = Cell::new(x, y).on_floor(floor);
                    let cost = grid.cost(cell);
                    text.push(match signs.get(&cell) {
                        Some(&sign) => sign,
                        None if !grid.is_walkable(cell) => '#',
                        None if cost > 1 => char::from(b'0' + cost.min(9)),
                        None if grid.exits(cell) != nav_grid::Directions::ALL => '+',
                        None => '.',
                    });
                }
                text.push('\n');
            }
            text.push('\n');
        }
        for link in grid.links() {
            text += &format!("link {} to {}, cost {}\n", link.from, link.to, link.cost);
        }
        for (n, end) in ends.iter().enumerate() {
            if let End::LeftOut(place) = end {
                let npc = self.stage.npcs[n];
                let cursor = self.stage.world.get::<PathCursor>(npc);
                text += &format!(
                    "chaser {n} ({npc}) of target {} at {} could be at {place}: {:?} by {:?}\n",
                    self.scene.npcs[n].target,
                    self.places[n],
                    cursor.state(),
                    cursor.guidance(),
                );
            }
        }
        let lost = self.stage.npcs.iter().enumerate().filter(|&(n, &npc)| {
            let state = self.stage.world.get::<PathCursor>(npc).state();
            state == ChaseState::Reached && !matches!(ends[n], End::Arrived)
        });
        for (n, npc) in lost {
            text += &format!("chaser {n} ({npc}) says it arrived, and is not in reach\n");
        }
        text
    }
}
