//! Kernels whose instructions are counted: the inner loops of searches, fields and ticks.
//!
//! `kernels NAME` prepares one, warms it up, and runs it once more inside of [`measured`], the only
//! function that callgrind counts. `kernels` lists the names. `.ci/instructions` does the counting.

use bevy_ecs::prelude::*;
use bevy_tasks::ComputeTaskPool;
use mapgen::Kind;
use nav::{Body, Chasing, MoveTimer, NavPlugin};
use nav_grid::{
    Cell, CornerRule, Grid, IndexedMap, Limits, Metric, Path, PathQuery, Rules, Search,
    fields::{CostField, FieldLimits, FieldQuery, FlowField, FlowMaker},
    methods::{BoundedAStar, JumpPointSearch, Sweep},
    rules::{Class, ClassCosts},
};
use nav_testing::Scene;
use std::{hint::black_box, process::ExitCode};

/// Every kernel by name.
const KERNELS: [(&str, fn()); 11] = [
    ("astar", || near(BoundedAStar::new(), PathQuery::new)),
    ("astar-octile", || near(BoundedAStar::new(), octile)),
    ("sweep", || near(Sweep::new(), window)),
    ("sweep-classes", sweep_classes),
    ("jps", jps),
    ("flow-field", flow_field),
    ("flow-look-up", flow_look_up),
    ("weighted-field", weighted_field),
    ("crowd-tick", crowd_tick),
    ("ghosts-tick", ghosts_tick),
    ("crowd-10k", crowd_10k),
];

fn main() -> ExitCode {
    let Some(name) = std::env::args().nth(1) else {
        for (name, _) in KERNELS {
            println!("{name}");
        }
        return ExitCode::SUCCESS;
    };
    let found = KERNELS.into_iter().find(|(of, _)| *of == name);
    let Some((_, run)) = found else {
        eprintln!("there is no kernel {name:?}");
        return ExitCode::from(2);
    };
    run();
    ExitCode::SUCCESS
}

/// Runs the work that is counted.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
}

/// Runs work without side effects: once to warm up, and once to be counted.
fn warm_and_measured(mut work: impl FnMut()) {
    work();
    measured(&mut work);
}

fn clutter(side: u16) -> Grid {
    let kind = Kind::Clutter { percent: 20 };
    mapgen::generate(kind, side, side, 1).expect("a map of this size")
}

/// Returns 256 pairs of walkable cells up to 20 columns and rows apart, spread evenly over a map.
fn pairs(grid: &Grid) -> Vec<(Cell, Cell)> {
    let walkable: Vec<Cell> = grid.walkable_cells().collect();
    let mut pairs = Vec::new();
    for n in 0_usize.. {
        let start = walkable[n * 7919 % walkable.len()];
        let goal = Cell::new(
            (start.x + (n * 13 % 41) as u16).wrapping_sub(20),
            (start.y + (n * 29 % 41) as u16).wrapping_sub(20),
        );
        if start.chebyshev(goal) >= 5 && grid.is_walkable(goal) {
            pairs.push((start, goal));
        }
        if pairs.len() == 256 {
            break;
        }
    }
    pairs
}

fn octile(start: Cell, goal: Cell) -> PathQuery {
    PathQuery::new(start, goal).with_rules(Rules::new(Metric::Octile, CornerRule::Strict))
}

fn window(start: Cell, goal: Cell) -> PathQuery {
    PathQuery::new(start, goal).with_limits(Limits::window(20))
}

/// Runs near searches on a map without indexes.
fn near(method: impl Search, query: fn(Cell, Cell) -> PathQuery) {
    near_on(&clutter(128), method, query);
}

/// Runs [`near`] by the sweep, where the walls are ground of a class that the walker may not enter.
fn sweep_classes() {
    const CLASS: Class = Class::new(1).unwrap();
    let walls = clutter(128);
    let mut grid = Grid::open(128, 128).expect("a map of this size");
    let open: Vec<Cell> = grid.walkable_cells().collect();
    for cell in open.into_iter().filter(|&cell| !walls.is_walkable(cell)) {
        grid.set_class(cell, CLASS).expect("a cell of the map");
    }
    near_on(&grid, Sweep::new(), |start, goal| {
        let rules = Rules::default().with_classes(ClassCosts::ALL.without(CLASS));
        window(start, goal).with_rules(rules)
    });
}

fn near_on(grid: &Grid, mut method: impl Search, query: fn(Cell, Cell) -> PathQuery) {
    let queries: Vec<PathQuery> = pairs(grid).iter().map(|&(a, b)| query(a, b)).collect();
    let mut path = Path::new();
    let mut found = 0;
    warm_and_measured(|| {
        found = 0;
        for query in &queries {
            let outcome = method.search(grid, black_box(query), &mut path);
            found += usize::from(outcome.status.has_path());
        }
    });
    assert!(found > 128, "{found} of 256 are found");
}

/// Runs searches across a map whose jump points are marked.
fn jps() {
    let mut map = IndexedMap::new(clutter(256));
    map.build_jumps(Rules::default());
    let walkable: Vec<Cell> = map.grid().walkable_cells().collect();
    let queries = (0..24).map(|n| {
        let (from, to) = (n * 7919 % walkable.len(), n * 104_729 % walkable.len());
        octile(walkable[from], walkable[to]).with_limits(Limits::UNBOUNDED)
    });
    let queries: Vec<PathQuery> = queries.collect();
    let (mut method, mut path) = (JumpPointSearch::new(), Path::new());
    let mut found = 0;
    warm_and_measured(|| {
        found = 0;
        for query in &queries {
            let outcome = method.search(map.grid(), black_box(query), &mut path);
            found += usize::from(outcome.status.has_path());
        }
    });
    assert!(found > 16, "{found} of 24 are found");
}

/// Returns targets in the middle of a map, away from its edges.
fn targets(grid: &Grid) -> Vec<Cell> {
    let inside = |cell: &Cell| (24..104).contains(&cell.x) && (24..104).contains(&cell.y);
    let cells = grid.walkable_cells().filter(inside);
    cells.step_by(97).take(32).collect()
}

fn around(target: Cell) -> FieldQuery {
    FieldQuery::new(target).with_limits(FieldLimits::window(20))
}

/// Makes the fields around 32 targets.
fn flow_field() {
    let grid = clutter(128);
    let targets = targets(&grid);
    let (mut maker, mut field) = (FlowMaker::new(), FlowField::new());
    let mut touched = 0;
    warm_and_measured(|| {
        touched = 0;
        for &target in &targets {
            let outcome = maker.make(&grid, black_box(&around(target)), &mut field);
            touched += outcome.counters.touched;
        }
    });
    assert!(touched > 32 * 500, "{touched} cells are reached");
}

/// Looks up all cells of 32 fields.
fn flow_look_up() {
    let grid = clutter(128);
    let mut maker = FlowMaker::new();
    let fields = targets(&grid).into_iter().map(|target| {
        let mut field = FlowField::new();
        maker.make(&grid, &around(target), &mut field);
        (target, field)
    });
    let fields: Vec<(Cell, FlowField)> = fields.collect();
    let mut known = 0;
    warm_and_measured(|| {
        known = 0;
        for (target, field) in &fields {
            for n in 0..41 * 41 {
                let cell = Cell::new(target.x - 20 + n % 41, target.y - 20 + n / 41);
                known += usize::from(field.look(black_box(cell)).is_some());
            }
        }
    });
    assert!(known > 32 * 500, "{known} cells are known");
}

/// Makes the weighted fields around 8 targets on ground of different cost.
fn weighted_field() {
    let mut grid = clutter(128);
    let costs = (0..grid.size().cells()).map(|cell| 1 + (cell * 7 % 16) as u8);
    grid.set_cost_bytes(costs.collect())
        .expect("costs in range");
    let targets = targets(&grid);
    let mut field = CostField::new();
    let mut touched = 0;
    warm_and_measured(|| {
        touched = 0;
        for &target in &targets[..8] {
            let outcome = field.compute(&grid, black_box(&around(target)));
            touched += outcome.counters.touched;
        }
    });
    assert!(touched > 8 * 500, "{touched} cells are reached");
}

/// Runs chasers around the middle of a map, less than `within` cells from it, after a target that
/// steps about. Counts 20 ticks, after `before` ticks that are not counted.
fn ticks(chasers: usize, bodies: bool, before: u16, within: u16) {
    let grid = clutter(128);
    let middle = Cell::new(64, 64);
    let near = |cell: &Cell| (1..within).contains(&cell.chebyshev(middle));
    let mut ground: Vec<Cell> = grid.walkable_cells().filter(near).collect();
    let row: Vec<Cell> = (64..128)
        .map(|x| Cell::new(x, 64))
        .filter(|&cell| grid.is_walkable(cell))
        .collect();
    let mut scene = scene_on(grid);
    // The budget keeps searches over the whole map out of the count.
    let map = scene.nav_map().clone().into_plain();
    *scene.nav_map() = map;
    let target = scene.target(row[0]);
    for n in 0..chasers {
        let at = ground.swap_remove(n * 7919 % ground.len());
        let chaser: Entity = scene.chaser(at, target);
        if bodies {
            scene.insert(chaser, Body::default());
        }
    }
    count_ticks(&mut scene, before, |scene, number| {
        scene.put(target, row[usize::from(number / 5 % 8)]);
    });
}

/// Makes a scene without other threads, of which the work is not counted.
fn scene_on(grid: Grid) -> Scene {
    let mut app = nav_testing::app();
    app.add_plugins(NavPlugin::default());
    nav_tests::run_on_one_thread(&mut app);
    let mut scene = Scene::with_app(app, grid);
    scene.judges_steps = false;
    nav_tests::run_on_one_thread(&mut scene.app);
    scene
}

/// Counts 20 ticks, after `before` ticks that are not counted; `act` moves the targets of each.
fn count_ticks(scene: &mut Scene, before: u16, act: impl Fn(&mut Scene, u16)) {
    let tick = |scene: &mut Scene, number: u16| {
        act(scene, number);
        scene.app.update();
    };
    for number in 0..before {
        tick(scene, number);
    }
    let steps = scene.diagnostics().total.steps;
    measured(&mut || {
        for number in before..before + 20 {
            tick(scene, number);
        }
    });
    assert!(
        ComputeTaskPool::try_get().is_none(),
        "there are other threads"
    );
    let steps = scene.diagnostics().total.steps - steps;
    let mut chasers = scene.world().query::<&Chasing>();
    let chasers = chasers.iter(scene.app.world()).count() as u64;
    assert!(steps > chasers / 2, "{steps} steps in 20 ticks");
}

/// Runs a small solid crowd that closes in on a target.
fn crowd_tick() {
    ticks(300, true, 10, 40);
}

/// Runs ghosts that share a field. All are near the target, so hardly any of them searches.
fn ghosts_tick() {
    ticks(1000, false, 10, 19);
}

/// Runs ten thousand solid bodies after a hundred targets that walk to and fro, as in the scenario
/// of this name.
fn crowd_10k() {
    let grid = mapgen::generate(Kind::Mixed, 512, 512, 1).unwrap();
    let ground: Vec<Cell> = grid.walkable_cells().collect();
    let cell = |number: usize| ground[number * 7919 % ground.len()];
    let mut scene = scene_on(grid);
    let targets: Vec<Entity> = (0..100).map(|n| scene.target(cell(n))).collect();
    for n in 100..10_100 {
        let chaser: Entity = scene.chaser(cell(n), targets[n % 100]);
        scene.insert(
            chaser,
            (
                Body::default(),
                MoveTimer::default().staggered(512 * n as u64),
            ),
        );
    }
    count_ticks(&mut scene, 20, |scene, number| {
        for (n, &target) in targets.iter().enumerate() {
            // A cell and the next one of its row.
            let at = n * 7919 % ground.len() + usize::from(number / 5 % 2);
            scene.put(target, ground[at % ground.len()]);
        }
    });
}
