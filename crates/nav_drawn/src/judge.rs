//! Runs a scene and judges its end.

use super::{
    agents::is_solid,
    ends::{End, bodies, ends},
    picture::picture,
    stage::Stage,
    world::Scene,
};
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time};
use nav_grid::Cell;
use std::collections::BTreeMap;

/// Milliseconds of a tick while chasers move.
const FINE: u64 = 50;
/// Milliseconds of a tick while none moves: the period of a step.
const COARSE: u64 = 250;
/// Milliseconds without a move after which the scene is judged.
const QUIET: u64 = 5_000;
/// Milliseconds after that in which no chaser may move: a minute.
const WATCH: u64 = 60_000;
/// Milliseconds until all must be quiet: for the scene, and for each of its chasers. Slower steps
/// lengthen both.
const LIMIT: (u64, u64) = (90_000, 1_000);

/// A fault in the end of a chase.
#[derive(Clone, Debug)]
pub enum Failure {
    /// Some chasers still move when the time is over.
    Restless {
        /// The chasers that move.
        movers: Vec<usize>,
    },
    /// Some chasers wait, and could be beside their target: chaser, place.
    LeftOut(Vec<(usize, Cell)>),
    /// Some chasers search although nothing changes: chaser, searches.
    Searches(Vec<(usize, usize)>),
    /// Fields are made although nothing changes: their number.
    Fields(u64),
    /// A rule of every tick was broken.
    Broken(String),
}

impl Failure {
    /// Returns the kind of the fault.
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

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Restless { movers } => write!(f, "chasers {movers:?} still move"),
            Self::LeftOut(out) => {
                let places = out
                    .iter()
                    .map(|(chaser, place)| format!("{chaser} at {place}"));
                let places: Vec<String> = places.collect();
                write!(f, "chasers could be elsewhere: {}", places.join(", "))
            }
            Self::Searches(searches) => {
                let of = searches
                    .iter()
                    .map(|(chaser, count)| format!("{count} of {chaser}"));
                let of: Vec<String> = of.collect();
                write!(
                    f,
                    "searches of chasers in a minute of rest: {}",
                    of.join(", ")
                )
            }
            Self::Fields(fields) => write!(f, "{fields} fields are made in a minute of rest"),
            Self::Broken(rule) => f.write_str(rule),
        }
    }
}

/// The result of a scene.
#[derive(Default)]
pub struct Verdict {
    /// The fault, if there is one.
    pub failure: Option<Failure>,
    /// Chasers in reach of their target.
    pub arrived: usize,
    /// Chasers without a place, or without a way to one.
    pub waiting: usize,
    /// Chasers at the end of their own limits, which are not judged.
    pub excused: usize,
    /// The time at which the last of them stopped, in milliseconds.
    pub settled: u64,
    /// The map at the end.
    pub picture: String,
}

struct Judge<'a> {
    scene: &'a Scene,
    stage: Stage,
    now: u64,
    /// The time of the last move.
    moved: u64,
    places: Vec<Cell>,
    movers: Vec<usize>,
}

/// Runs a scene to its end and judges it.
pub fn judge(scene: &Scene) -> Verdict {
    judge_stage(scene, scene.stage())
}

/// Runs a scene that is in an app already to its end and judges it.
pub fn judge_stage(scene: &Scene, stage: Stage) -> Verdict {
    let mut judge = Judge {
        scene,
        stage,
        now: 0,
        moved: 0,
        places: scene.npcs.iter().map(|npc| npc.at).collect(),
        movers: Vec::new(),
    };
    let failure = judge.run().err();
    let ends = judge.ends();
    let mut verdict = Verdict {
        settled: judge.moved,
        picture: picture(scene, &judge.stage, &judge.places, &ends),
        failure,
        ..Verdict::default()
    };
    for end in ends {
        match end {
            End::Arrived => verdict.arrived += 1,
            End::Waits => verdict.waiting += 1,
            End::Excused => verdict.excused += 1,
            End::LeftOut(_) => {}
        }
    }
    verdict
}

impl Judge<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        let usual = LIMIT.0 + LIMIT.1 * self.scene.npcs.len() as u64;
        let limit = usual * self.scene.slowness();
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
                if self.now - self.moved < WATCH {
                    continue;
                }
                let quiet = self.quiet(&before.0, before.1);
                // Bodies that wait may look for ways past each other for a minute after the last
                // arrival.
                if quiet.is_ok() || self.now - self.moved >= 2 * WATCH {
                    return quiet;
                }
            } else if self.now >= limit {
                return Err(Failure::LeftOut(left_out));
            } else {
                self.wait(limit)?;
            }
        }
    }

    /// Runs ticks until a chaser moves, or until the time `end`.
    fn wait(&mut self, end: u64) -> Result<(), Failure> {
        let moved = self.moved;
        while self.now < end && self.moved == moved {
            self.tick(COARSE)?;
        }
        Ok(())
    }

    /// Runs a tick of some milliseconds, and checks the rules of every tick.
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

    /// Checks that no two solid bodies share a cell or changed places.
    fn keep_apart(&self, movers: &[(usize, Cell)]) -> Result<(), Failure> {
        let mut holders = BTreeMap::new();
        for (entity, area) in self.solids() {
            for cell in area.cells() {
                if let Some(other) = holders.insert(cell, entity) {
                    let (one, other) = (self.way(entity, movers), self.way(other, movers));
                    let text = format!("{one} and {other} are both at {cell}");
                    return Err(Failure::Broken(text));
                }
            }
        }
        let mut solids = movers.to_vec();
        solids.retain(|&(n, _)| self.scene.npcs[n].body.is_some_and(is_solid));
        for &(n, from) in &solids {
            let to = self.places[n];
            let mut others = solids.iter();
            if let Some((other, _)) =
                others.find(|&&(other, start)| start == to && self.places[other] == from)
            {
                let text = format!("chasers {n} and {other} changed places at {from} and {to}");
                return Err(Failure::Broken(text));
            }
        }
        Ok(())
    }

    /// Describes an agent, and its move in this tick.
    fn way(&self, entity: Entity, movers: &[(usize, Cell)]) -> String {
        let Some(n) = self.stage.npcs.iter().position(|&npc| npc == entity) else {
            return format!("{entity}, who does not chase,");
        };
        let side = self.scene.npcs[n].chaser.rules.footprint;
        match movers.iter().find(|(mover, _)| *mover == n) {
            Some((_, from)) => format!("chaser {n} of {side} from {from} to {}", self.places[n]),
            None => format!("chaser {n} of {side} at {}", self.places[n]),
        }
    }

    /// Returns all solid bodies.
    fn solids(&self) -> impl Iterator<Item = (Entity, nav_grid::Area)> + '_ {
        bodies(&self.stage)
            .filter(|(_, body, _)| is_solid(*body))
            .map(|(entity, body, at)| (entity, body.footprint.area(at)))
    }

    fn searches(&self) -> Vec<usize> {
        let world = &self.stage.world;
        let mut counts: BTreeMap<Entity, usize> = BTreeMap::new();
        for (_, found) in &world.found {
            *counts.entry(found.chaser).or_default() += 1;
        }
        for (_, failed) in &world.failed {
            *counts.entry(failed.chaser).or_default() += 1;
        }
        let npcs = self.stage.npcs.iter();
        npcs.map(|npc| counts.get(npc).copied().unwrap_or(0))
            .collect()
    }

    fn fields(&self) -> u64 {
        self.stage.world.diagnostics().total.fields
    }

    /// Checks that searches have ended: chasers beside their target made none since, the others one
    /// at most, and new fields are no more than chasers that wait.
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

    fn ends(&self) -> Vec<End> {
        ends(self.scene, &self.stage, &self.places)
    }
}
