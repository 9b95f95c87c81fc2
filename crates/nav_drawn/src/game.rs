//! A game of some seconds on a scene: targets walk, run, jump and change places, doors open and
//! close, chasers come, go and get other targets. Then nothing more happens, and the rest of the
//! chases can be judged.

use super::{
    agents::Npc,
    crowds::crowd,
    draw::Draw,
    ground::NESW,
    near::around,
    stage::Stage,
    tuning::{name, plain},
    world::Scene,
};
use bevy_ecs::{entity_disabling::Disabled, prelude::*};
use nav::{CellPosition, Chasing, Destination, NavBudget, NavTime, OnMap, Pace, Period};
use nav_grid::{Cell, Direction, Grid, Method};
use std::collections::BTreeSet;

/// The movement of a target during the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Habit {
    /// Stands.
    Stand,
    /// Goes straight on, and turns now and then.
    Walk,
    /// Goes a step, and back.
    Sway,
    /// Is put elsewhere now and then, on another floor too.
    Jump,
    /// Changes places with another target now and then.
    Swap,
    /// Is a chaser on its way to a destination.
    Lead,
}

/// A scene, and the events of some seconds.
pub struct Game {
    /// The scene; after the game, its agents as the game left them.
    pub scene: Scene,
    draw: Draw,
    ticks: u64,
    /// The habit of each target, the ticks between two of its steps, its last cell and its heading.
    habits: Vec<(Habit, u64, Cell, Direction)>,
    /// Chasers that come later, each with its tick.
    late: Vec<(u64, Npc)>,
    /// Cells that open and close.
    doors: Vec<Cell>,
    /// How many of a hundred chasers get another target in a second, and how many are removed.
    given_away: u32,
    lost: u32,
    budget: Option<u32>,
}

/// Milliseconds of a tick.
const TICK: u64 = 50;

impl Game {
    /// Draws the game of a seed.
    pub fn new(seed: u64) -> Self {
        let mut draw = Draw::new(seed ^ 0x6A3E_5EED);
        let scene = if draw.percent(30) {
            Scene::new(seed)
        } else {
            crowd(&mut draw, seed)
        };
        let mut game = Self {
            scene,
            ticks: u64::from(draw.number(40, 400)),
            habits: Vec::new(),
            late: Vec::new(),
            doors: Vec::new(),
            given_away: 0,
            lost: 0,
            budget: None,
            draw,
        };
        game.draw_habits();
        game.draw_events();
        game
    }

    /// Draws whether the game has a feature, and lists it.
    fn draw_feature(&mut self, key: &'static str, percent: u32) -> bool {
        let is_on = self.draw.percent(percent);
        self.scene.features.push((key, is_on.to_string()));
        is_on
    }

    fn draw_habits(&mut self) {
        let moves = self.draw.one_of(&[
            Habit::Stand,
            Habit::Walk,
            Habit::Walk,
            Habit::Sway,
            Habit::Jump,
            Habit::Swap,
            Habit::Lead,
        ]);
        self.scene.features.push(("habit", name(moves)));
        let speed = self.draw.one_of(&[1, 2, 4, 5, 8, 20]);
        for target in &self.scene.targets {
            let heading = self.draw.one_of(&Direction::ALL);
            self.habits.push((moves, speed, target.at, heading));
        }
    }

    fn draw_events(&mut self) {
        if self.draw_feature("given_away", 25) {
            self.given_away = self.draw.one_of(&[5, 30, 100]);
        }
        if self.draw_feature("lost", 20) {
            self.lost = self.draw.one_of(&[2, 10]);
        }
        let has_doors = self.draw_feature("doors_move", 25);
        let has_waves = self.draw_feature("waves", 25);
        let has_tempos = self.draw_feature("tempos", 25);
        if self.draw_feature("budget", 15) {
            self.budget = Some(self.draw.one_of(&[200, 1_000, 5_000]));
        }
        let is_slow = self.draw_feature("lazy", 10);
        let by_cost = self.draw_feature("by_cost", 8);
        // Straight lines suffice only on open ground.
        if has_doors && !self.has_method(Method::Line) {
            let mut cells = doors(&self.scene.grid);
            while !cells.is_empty() && self.doors.len() < 6 {
                let nth = self.draw.below(cells.len());
                self.doors.push(cells.swap_remove(nth));
            }
        }
        for npc in &mut self.scene.npcs {
            if has_tempos {
                let periods = [50, 100, 250, 250, 500, 2_000];
                let (step, look) = (self.draw.one_of(&periods), self.draw.one_of(&periods));
                npc.periods = (
                    Period::from_millis(step),
                    Period::from_millis(look.max(step)),
                );
            }
            if is_slow {
                npc.chaser.repath_distance = 5.0;
                npc.chaser.repath_interval = Period::from_millis(5_000);
            }
            if by_cost {
                npc.chaser.pace = Pace::ByCost;
            }
        }
        // Indexes are built only for the chasers that are there from the start.
        if has_waves && self.scene.npcs.len() > 1 && !self.has_method(Method::Jps) {
            let last = self.draw.one_of(&[20, self.ticks, 2 * self.ticks]);
            let at = self.scene.npcs.len() / 2;
            for npc in self.scene.npcs.drain(at..) {
                let wave = u64::from(self.draw.number(1, 4));
                self.late.push((wave * last / 4, npc));
            }
            self.late.sort_by_key(|&(tick, _)| tick);
        }
    }

    /// Returns whether a chaser asks for a method.
    fn has_method(&self, method: Method) -> bool {
        let mut npcs = self.scene.npcs.iter();
        npcs.any(|npc| npc.chaser.method == method)
    }

    /// Plays the game, after which the scene has the agents that are left.
    ///
    /// # Panics
    ///
    /// When a chaser has no target of the scene in the end, or a step breaks a rule.
    pub fn play(&mut self) -> Stage {
        let mut stage = self.scene.stage();
        let world = stage.world.world();
        world.insert_resource(NavBudget::from(self.budget));
        self.set_off(&mut stage);
        let last = self.late.last().map_or(0, |&(tick, _)| tick);
        for tick in 1..=self.ticks.max(last + 1) {
            if tick < self.ticks {
                self.move_targets(&mut stage, tick);
                self.move_doors(&mut stage);
                self.move_chasers(&mut stage);
            }
            self.bring(&mut stage, tick);
            stage.world.tick(1);
        }
        self.leave_chasers(&mut stage);
        self.await_leaders(&mut stage);
        let world = stage.world.app.world();
        for (npc, &entity) in self.scene.npcs.iter_mut().zip(&stage.npcs) {
            npc.at = stage.world.cell(entity);
            let chased = world.get::<Chasing>(entity).map(|chasing| chasing.0);
            let place = stage.targets.iter().position(|&one| Some(one) == chased);
            npc.target = place.expect("who chases in a game chases a target of it");
        }
        for (target, &entity) in self.scene.targets.iter_mut().zip(&stage.targets) {
            target.at = stage.world.cell(entity);
        }
        self.scene.grid = stage.world.grid().clone();
        stage
    }

    /// Gives leaders destinations.
    fn set_off(&mut self, stage: &mut Stage) {
        for (n, &(habit, speed, ..)) in self.habits.iter().enumerate() {
            if habit != Habit::Lead {
                continue;
            }
            let target = &self.scene.targets[n];
            let footprint = target.goal().body;
            let mut ground = around(&self.scene.grid, target.at, 60);
            ground.retain(|&cell| self.scene.grid.fits(cell, footprint));
            if ground.is_empty() {
                continue;
            }
            let to = ground[self.draw.below(ground.len())];
            let map = OnMap(stage.world.map);
            let world = stage.world.world();
            let end = world.spawn((Destination, CellPosition::at(to), map)).id();
            let mut chaser = plain();
            chaser.rules.footprint = footprint;
            let timer = nav::MoveTimer {
                chasing: Period::from_millis(TICK as u32 * speed as u32),
                ..nav::MoveTimer::default()
            };
            world
                .entity_mut(stage.targets[n])
                .insert((chaser, timer, Chasing(end)));
        }
    }

    /// Gives chasers of other chasers a target.
    fn leave_chasers(&mut self, stage: &mut Stage) {
        for n in 0..stage.npcs.len() {
            let chasing = stage.world.app.world().get::<Chasing>(stage.npcs[n]);
            if chasing.is_none_or(|chasing| !stage.targets.contains(&chasing.0)) {
                let whom = self.draw.one_of(&stage.targets);
                stage.world.chase(stage.npcs[n], whom);
            }
        }
    }

    /// Runs ticks until leaders stand.
    fn await_leaders(&self, stage: &mut Stage) {
        if !self.habits.iter().any(|&(habit, ..)| habit == Habit::Lead) {
            return;
        }
        let mut still = 0;
        for _ in 0..4_000 {
            let before = cells_of(&stage.targets, stage);
            stage.world.tick(1);
            still = if cells_of(&stage.targets, stage) == before {
                still + 1
            } else {
                0
            };
            if still == 200 {
                break;
            }
        }
    }

    fn move_targets(&mut self, stage: &mut Stage, tick: u64) {
        for n in 0..self.habits.len() {
            let (habit, speed, before, heading) = self.habits[n];
            if !tick.is_multiple_of(speed) {
                continue;
            }
            let at = stage.world.cell(stage.targets[n]);
            let rare = self.draw.percent(4 * speed as u32);
            match habit {
                Habit::Stand | Habit::Lead => {}
                Habit::Walk => {
                    if rare {
                        self.habits[n].3 = self.draw.one_of(&Direction::ALL);
                    }
                    let to = at.step(heading).filter(|&to| self.put(stage, n, to, true));
                    if to.is_none() {
                        self.habits[n].3 = self.draw.one_of(&Direction::ALL);
                    }
                }
                Habit::Sway => {
                    let to = if at == before {
                        at.step(heading)
                    } else {
                        Some(before)
                    };
                    if !to.is_some_and(|to| self.put(stage, n, to, true)) {
                        self.habits[n].3 = self.draw.one_of(&Direction::ALL);
                    }
                }
                Habit::Jump => {
                    if rare {
                        let cells: Vec<Cell> = self.scene.grid.walkable_cells().collect();
                        let to = self.draw.one_of(&cells);
                        self.put(stage, n, to, false);
                    }
                }
                Habit::Swap => {
                    let other = self.draw.below(self.habits.len());
                    if rare && other != n {
                        self.swap(stage, n, other);
                    }
                }
            }
        }
    }

    /// Moves a target if it has room there, and only by a legal step if `is_step` is set.
    fn put(&mut self, stage: &mut Stage, n: usize, to: Cell, is_step: bool) -> bool {
        let target = stage.targets[n];
        let body = self.scene.targets[n].body;
        let footprint = self.scene.targets[n].goal().body;
        let (grid, from) = (stage.world.grid(), stage.world.cell(target));
        let rules = plain().rules.with_footprint(footprint);
        let is_legal = if is_step {
            from.direction_to(to).is_some() && grid.allows_step(from, to, rules)
        } else {
            grid.fits(to, footprint)
        };
        // Games put bodies on top of each other, too. They move apart by themselves.
        let is_free = body.is_none() || {
            let taken = taken(stage, target);
            footprint
                .area(to)
                .cells()
                .all(|cell| !taken.contains(&cell))
        };
        if is_legal && is_free {
            stage.world.put(target, to);
        }
        is_legal && is_free
    }

    fn swap(&self, stage: &mut Stage, n: usize, other: usize) {
        let [size, other_size] =
            [n, other].map(|n| self.scene.targets[n].body.map(|body| body.footprint));
        if size != other_size {
            return;
        }
        let (one, other) = (stage.targets[n], stage.targets[other]);
        let (at, there) = (stage.world.cell(one), stage.world.cell(other));
        stage.world.put(one, there);
        stage.world.put(other, at);
    }

    fn move_doors(&mut self, stage: &mut Stage) {
        for n in 0..self.doors.len() {
            if !self.draw.percent(3) {
                continue;
            }
            let door = self.doors[n];
            let is_open = stage.world.grid().is_walkable(door);
            if !is_open || !is_taken(stage, door) {
                stage.world.edit(door, !is_open);
            }
        }
    }

    fn move_chasers(&mut self, stage: &mut Stage) {
        let per_second = (1_000 / TICK) as usize;
        for n in (0..stage.npcs.len()).rev() {
            if self.draw.below(per_second * 100) < self.given_away as usize {
                let whom = self.draw.one_of(&stage.targets);
                // One in four chases another chaser for a while.
                let other = self.draw.one_of(&stage.npcs);
                let is_other = other != stage.npcs[n] && self.draw.percent(25);
                let whom = if is_other { other } else { whom };
                stage.world.chase(stage.npcs[n], whom);
            }
            if self.draw.below(per_second * 100) < self.lost as usize && stage.npcs.len() > 1 {
                let agent = stage.npcs.remove(n);
                self.scene.npcs.remove(n);
                if self.draw.percent(50) {
                    stage.world.world().despawn(agent);
                } else {
                    stage.world.world().entity_mut(agent).insert(Disabled);
                }
            }
        }
    }

    /// Spawns the late chasers that have room.
    fn bring(&mut self, stage: &mut Stage, tick: u64) {
        while self.late.first().is_some_and(|&(at, _)| at <= tick) {
            let (_, mut npc) = self.late.remove(0);
            let taken = taken(stage, Entity::PLACEHOLDER);
            let footprint = npc.chaser.rules.footprint;
            let mut cells = footprint.area(npc.at).cells();
            let has_room = npc.body.is_none() || cells.all(|cell| !taken.contains(&cell));
            let grid = stage.world.grid();
            let is_on_target = cells_of(&stage.targets, stage).contains(&npc.at);
            if has_room && grid.fits(npc.at, footprint) && !is_on_target {
                npc.first_step = NavTime(0);
                stage.spawn(&npc);
                self.scene.npcs.push(npc);
            }
        }
    }
}

/// Returns the cells of all bodies but one.
fn taken(stage: &Stage, but: Entity) -> BTreeSet<Cell> {
    let bodies = super::ends::bodies(stage).filter(|&(agent, ..)| agent != but);
    bodies
        .flat_map(|(_, body, at)| body.footprint.area(at).cells().collect::<Vec<_>>())
        .collect()
}

/// Returns the cells of some agents.
fn cells_of(agents: &[Entity], stage: &Stage) -> Vec<Cell> {
    let agents = agents.iter();
    agents.map(|&agent| stage.world.cell(agent)).collect()
}

/// Returns whether a body covers a cell, or an agent without one stands there.
fn is_taken(stage: &Stage, cell: Cell) -> bool {
    taken(stage, Entity::PLACEHOLDER).contains(&cell)
        || cells_of(&stage.targets, stage).contains(&cell)
        || cells_of(&stage.npcs, stage).contains(&cell)
}

/// Returns cells between two walls that are opposite to each other, or between two corners of
/// walls.
fn doors(grid: &Grid) -> Vec<Cell> {
    let cells = grid.walkable_cells();
    let doors = cells.filter(|&cell| {
        let [n, e, s, w] = NESW.map(|way| {
            cell.step(way)
                .is_none_or(|beside| !grid.is_walkable(beside))
        });
        (n && s) != (e && w)
    });
    doors.collect()
}
