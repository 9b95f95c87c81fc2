//! The disturbances: changes of the map before a run, and of the world between ticks.
//!
//! All go through the public interface of the plugin, as a game's would.

use super::stage::{Random, Stage, chasers, draw, edit, grid, targets};
use nav::{
    Body, CellPosition, Chaser, Chasing, MoveTimer, NavClock, NavMap, OnMap, Period,
    requests::PathRequest,
};
use nav_grid::{
    Area, Cell, CornerRule, Direction, Footprint, Grid, Link, Metric, Rules, index::Regions,
};
use nav_sim::sim::Simulation;
use rand::RngExt;
use std::collections::BTreeSet;

/// Number of doors: one for ten targets of the default crowd.
const DOORS: usize = 100;
/// Number of links: two in five search windows of the default crowd hold the start of one, so that
/// searches with links and without them both occur.
const LINKS: usize = 300;
/// Cells of the map for each wall that is added to a swapped map: more than half of the paths of 41
/// cells, the side of a search window, then meet one.
const CELLS_PER_WALL: u64 = 50;
/// Number of sizes of bodies, the smallest ones: 1x1 to 3x3.
const SIZES: usize = 3;
/// Greatest distance of the ends of near requests, in columns and rows: what a screen of 25 cells
/// shows.
const NEAR: u16 = 12;
/// Size of the unprepared chaser; the crowd has bodies of one cell. On the wide map the largest
/// region of this size spans 1,437 rows, and that of the next size only 404.
const NEW_SIZE: u8 = 2;

/// Gives every cell a step cost of 1 to 3.
pub(super) fn costs(grid: &mut Grid, random: &mut Random) {
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    for cell in cells {
        grid.set_cost(cell, random.random_range(1..=3))
            .expect("a cell of the map");
    }
}

/// Adds links of the least cost between any two cells.
pub(super) fn links(grid: &mut Grid, random: &mut Random) {
    let links: Vec<Link> = (0..LINKS)
        .map(|_| Link::new(draw(grid, random), draw(grid, random)))
        .collect();
    grid.set_links(links).expect("cells of the map");
}

/// Gives every chaser settings of its own before the first tick.
///
/// Intervals are half to twice the default, re-path distances one to four times the default, and
/// radii 8 to 24 cells around the default of 20. Hardly two chasers get the same.
pub(super) fn tunings(stage: &mut Stage) {
    if !stage.is_start() {
        return;
    }
    let random = &mut stage.random;
    for chaser in chasers(&mut stage.simulation) {
        let world = stage.simulation.world_mut();
        let mut chaser = world.get_mut::<Chaser>(chaser).expect("a chaser");
        chaser.repath_interval = Period::from_micros(random.random_range(250_000..=1_000_000));
        chaser.repath_distance = random.random_range(0.5..2.0);
        chaser.limits.radius = random.random_range(8..=24);
    }
}

/// Gives chasers bodies of 1x1, 2x2 and 3x3 cells in turn before the first tick. A body covers the
/// cell of its chaser, and is the next smaller one where it would cover walls or other bodies.
///
/// `Scenario::sizes` cannot do this: it puts each size into its largest region, and the one for 3x3
/// bodies has 20,438 cells on the default map, too few for 33,333 bodies.
pub(super) fn sizes(stage: &mut Stage) {
    if !stage.is_start() {
        return;
    }
    let simulation = &mut stage.simulation;
    let sizes: Vec<Footprint> = Footprint::all().take(SIZES).collect();
    edit(simulation, |map| {
        for &size in &sizes {
            map.prepare_footprint(size);
        }
    });
    let mut taken = taken(simulation);
    for (chaser, number) in chasers(simulation).into_iter().zip(0..) {
        let place = simulation.world().get::<CellPosition>(chaser);
        let cell = place.expect("a place").cell;
        taken.remove(&cell);
        let mut wanted = sizes[..=number % SIZES].iter().rev();
        let placed = wanted
            .find_map(|&size| Some((size, free_anchor(grid(simulation), &taken, cell, size)?)));
        let (size, anchor) = placed.unwrap_or((Footprint::ONE, cell));
        taken.extend(size.area(anchor).cells());
        let mut entity = simulation.world_mut().entity_mut(chaser);
        entity.insert((Body::solid(size), CellPosition::at(anchor)));
        let mut chaser = entity.get_mut::<Chaser>().expect("a chaser");
        chaser.rules.footprint = size;
    }
}

/// Returns where a body of a size stands that covers a cell, and no wall and no other body.
fn free_anchor(grid: &Grid, taken: &BTreeSet<Cell>, cell: Cell, size: Footprint) -> Option<Cell> {
    let before = u16::from(size.side()) - 1;
    let first = Cell {
        x: cell.x.saturating_sub(before),
        y: cell.y.saturating_sub(before),
        ..cell
    };
    Area::new(first, cell).cells().find(|&anchor| {
        let mut cells = size.area(anchor).cells();
        grid.fits(anchor, size) && cells.all(|cell| !taken.contains(&cell))
    })
}

/// Moves every target to any cell, once a second.
pub(super) fn teleport(stage: &mut Stage) {
    if !stage.is_second() {
        return;
    }
    for target in targets(&mut stage.simulation) {
        let cell = draw(grid(&stage.simulation), &mut stage.random);
        let mut target = stage.simulation.world_mut().entity_mut(target);
        target.insert(CellPosition::at(cell));
    }
}

/// Gives every chaser the target of another after half of the run, all before the same tick.
pub(super) fn assigned(stage: &mut Stage) {
    if !stage.is_after(2) {
        return;
    }
    let all = chasers(&mut stage.simulation);
    let world = stage.simulation.world_mut();
    let mut theirs: Vec<_> = (all.iter())
        .map(|&chaser| world.get::<Chasing>(chaser).copied())
        .collect();
    theirs.rotate_left(all.len() / 2);
    for (chaser, chasing) in all.into_iter().zip(theirs) {
        if let Some(chasing) = chasing {
            world.entity_mut(chaser).insert(chasing);
        }
    }
}

/// Puts every chaser where another one is after half of the run, all before the same tick.
pub(super) fn moved(stage: &mut Stage) {
    if !stage.is_after(2) {
        return;
    }
    let all = chasers(&mut stage.simulation);
    let world = stage.simulation.world_mut();
    let mut places: Vec<_> = (all.iter())
        .map(|&chaser| world.get::<CellPosition>(chaser).copied())
        .collect();
    places.rotate_left(all.len() / 2);
    for (chaser, place) in all.into_iter().zip(places) {
        if let Some(place) = place {
            world.entity_mut(chaser).insert(place);
        }
    }
}

/// Opens or closes every door before every tick. Neighbours in the list alternate, so that in each
/// tick half of them open and half of them close.
pub(super) fn doors(stage: &mut Stage) {
    if stage.is_start() {
        let grid = grid(&stage.simulation);
        let doors = (0..DOORS).map(|_| draw(grid, &mut stage.random));
        stage.cells = doors.collect();
    }
    edit(&mut stage.simulation, |map| {
        for (&door, number) in stage.cells.iter().zip(stage.tick..) {
            map.set_walkable(door, number.is_multiple_of(2))
                .expect("a cell of the map");
        }
    });
}

/// Replaces every other chaser after half of the run: despawns it, and spawns another with its
/// settings and its target in the cell where it had started.
///
/// Some of these cells are taken by then. A game may put bodies on top of each other.
pub(super) fn replaced(stage: &mut Stage) {
    if !stage.is_start() && !stage.is_after(2) {
        return;
    }
    let chasers = chasers(&mut stage.simulation).into_iter().step_by(2);
    if stage.is_start() {
        let world = stage.simulation.world();
        let places = chasers.filter_map(|chaser| world.get::<CellPosition>(chaser));
        stage.cells = places.map(|place| place.cell).collect();
        return;
    }
    let world = stage.simulation.world_mut();
    let next_step = world.resource::<NavClock>().now();
    let mut parts = world.query::<(&Chaser, &Chasing, &OnMap, &Body, &MoveTimer)>();
    for ((old, &start), number) in chasers.zip(&stage.cells).zip(0..) {
        let (&chaser, &chasing, &on_map, &body, &timer) =
            parts.get(world, old).expect("a chaser of the crowd");
        world.despawn(old);
        // Staggered, as the crowd is and as `MoveTimer` advises for many chasers that are spawned
        // at once.
        let timer = MoveTimer { next_step, ..timer }.staggered(number);
        let place = CellPosition::at(start);
        world.spawn((chaser, chasing, on_map, place, body, timer));
    }
}

/// Blocks the eight neighbours of every target after a quarter of the run.
pub(super) fn sealed(stage: &mut Stage) {
    if !stage.is_after(4) {
        return;
    }
    let targets = targets(&mut stage.simulation);
    let world = stage.simulation.world();
    let places = targets.into_iter().filter_map(|target| world.get(target));
    let cells = places.flat_map(|&CellPosition { cell, .. }| {
        let neighbours = Direction::ALL.into_iter();
        neighbours.filter_map(move |direction| cell.step(direction))
    });
    let grid = grid(&stage.simulation);
    let walls: Vec<Cell> = cells.filter(|&cell| grid.contains(cell)).collect();
    edit(&mut stage.simulation, |map| {
        for wall in walls {
            map.set_walkable(wall, false).expect("a cell of the map");
        }
    });
}

/// Replaces the map after half of the run by one of the same size, with more walls. Agents keep
/// the ground under them, because a game that swaps maps places them on ground.
pub(super) fn swapped(stage: &mut Stage) {
    if !stage.is_after(2) {
        return;
    }
    let taken = taken(&mut stage.simulation);
    let mut other = grid(&stage.simulation).clone();
    for _ in 0..other.size().cells() / CELLS_PER_WALL {
        let wall = draw(&other, &mut stage.random);
        if !taken.contains(&wall) {
            other.set_walkable(wall, false).expect("a cell of the map");
        }
    }
    let map = stage.simulation.map();
    let world = stage.simulation.world_mut();
    world.entity_mut(map).insert(NavMap::new(other));
}

/// Spawns a chaser after half of the run, with a size and a metric that no other has, and a target
/// that stands at the other end of the map.
pub(super) fn unprepared(stage: &mut Stage) {
    if !stage.is_after(2) {
        return;
    }
    let size = Footprint::new(NEW_SIZE).expect("a size of bodies");
    let rules = Rules::new(Metric::Octile, CornerRule::Strict).with_footprint(size);
    let (first, last) = ends(grid(&stage.simulation), rules);
    let on_map = OnMap(stage.simulation.map());
    let world = stage.simulation.world_mut();
    let target = world.spawn((on_map, CellPosition::at(last))).id();
    let chaser = Chaser {
        rules,
        ..Chaser::default()
    };
    let place = CellPosition::at(first);
    world.spawn((chaser, Chasing(target), on_map, place, Body::solid(size)));
}

/// Spawns a chaser without a target beside each chaser after half of the run, all before the same
/// tick. Where no neighbouring cell is free, it spawns none.
pub(super) fn spawned(stage: &mut Stage) {
    if !stage.is_after(2) {
        return;
    }
    let mut taken = taken(&mut stage.simulation);
    let old = chasers(&mut stage.simulation);
    let on_map = OnMap(stage.simulation.map());
    let grid = grid(&stage.simulation);
    let world = stage.simulation.world();
    let mut new = Vec::with_capacity(old.len());
    for &CellPosition { cell, .. } in old.into_iter().filter_map(|old| world.get(old)) {
        let steps = grid.steps(cell, Rules::default()).into_iter();
        let mut beside = steps.filter_map(|direction| cell.step(direction));
        if let Some(free) = beside.find(|&beside| taken.insert(beside)) {
            let place = CellPosition::at(free);
            new.push((Chaser::default(), Body::default(), on_map, place));
        }
    }
    stage.simulation.world_mut().spawn_batch(new);
}

/// Asks for a path for each chaser after half of the run, each to a cell on the same screen.
pub(super) fn requests(stage: &mut Stage) {
    ask(stage, |grid, random, from| {
        loop {
            let [x, y] = [from.x, from.y]
                .map(|at| at.saturating_sub(NEAR) + random.random_range(0..=2 * NEAR));
            let cell = Cell::new(x, y);
            if grid.is_walkable(cell) {
                return cell;
            }
        }
    });
}

/// Asks for a path for each chaser after half of the run, each to any cell.
pub(super) fn far_requests(stage: &mut Stage) {
    ask(stage, |grid, random, _| draw(grid, random));
}

/// Asks for paths from drawn cells, each to the cell that `to` draws.
fn ask(stage: &mut Stage, mut to: impl FnMut(&Grid, &mut Random, Cell) -> Cell) {
    if !stage.is_after(2) {
        return;
    }
    let count = chasers(&mut stage.simulation).len();
    let on_map = OnMap(stage.simulation.map());
    let grid = grid(&stage.simulation);
    let mut requests = Vec::with_capacity(count);
    for _ in 0..count {
        let from = draw(grid, &mut stage.random);
        let to = to(grid, &mut stage.random, from);
        requests.push((on_map, PathRequest::new(from, to)));
    }
    stage.simulation.world_mut().spawn_batch(requests);
}

/// Returns the cells of all agents.
fn taken(simulation: &mut Simulation) -> BTreeSet<Cell> {
    let world = simulation.world_mut();
    let mut places = world.query::<&CellPosition>();
    places.iter(world).map(|place| place.cell).collect()
}

/// Returns the first and the last cell of the largest region in reading order, so that there is a
/// way from one to the other.
fn ends(grid: &Grid, rules: Rules) -> (Cell, Cell) {
    let regions = Regions::of(grid, rules);
    let largest = regions.largest();
    assert!(largest.is_some(), "the map has ground for large bodies");
    let mut cells = (grid.walkable_cells()).filter(|&cell| regions.label(cell) == largest);
    let first = cells.next().expect("a region has cells");
    (first, cells.last().unwrap_or(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cliffs::{Cliff, Crowd, Setting, measure::stage};
    use bevy_ecs::prelude::*;

    /// Runs a cliff on a small map, and returns its chasers before and after the run.
    fn run(name: &str) -> (Stage, Vec<Entity>, Vec<Entity>) {
        let setting = Setting {
            chasers: 300,
            seconds: 4.0,
            seed: 1,
            threads: Some(1),
            runs: 1,
        };
        let cliff = Cliff {
            crowd: Crowd::Plain,
            ..Cliff::of_name(name).unwrap()
        };
        let map = cliff.crowd.map(&setting).unwrap();
        let (mut stage, _) = stage(&cliff, &setting, map).unwrap();
        let before = chasers(&mut stage.simulation);
        while !stage.is_over() {
            (cliff.disturb)(&mut stage);
            stage.simulation.tick();
            stage.tick += 1;
        }
        let after = chasers(&mut stage.simulation);
        (stage, before, after)
    }

    #[test]
    fn half_the_chasers_are_replaced() {
        let (_, before, after) = run("replaced");
        assert_eq!((before.len(), after.len()), (300, 300));
        let kept = after.iter().filter(|chaser| before.contains(chaser));
        assert_eq!(kept.count(), 150);
    }

    #[test]
    fn sealed_targets_cannot_step() {
        let (mut stage, ..) = run("sealed");
        for target in targets(&mut stage.simulation) {
            let place = stage
                .simulation
                .world()
                .get::<CellPosition>(target)
                .unwrap();
            let ways = grid(&stage.simulation).steps(place.cell, Rules::default());
            assert!(ways.is_empty(), "{}", place.cell);
        }
    }

    #[test]
    fn all_sizes_apart() {
        let (stage, _, chasers) = run("sizes");
        let (mut cells, mut counts) = (BTreeSet::new(), [0; SIZES]);
        for chaser in chasers {
            let chaser = stage.simulation.world().entity(chaser);
            let (body, place) = chaser.get_components::<(&Body, &CellPosition)>().unwrap();
            counts[usize::from(body.footprint.side()) - 1] += 1;
            for cell in body.footprint.area(place.cell).cells() {
                assert!(grid(&stage.simulation).is_walkable(cell), "{cell}");
                assert!(cells.insert(cell), "{cell} is taken twice");
            }
        }
        assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
    }

    #[test]
    fn bodies_are_spawned_apart() {
        let (stage, before, after) = run("spawned");
        // Some have no free cell beside them.
        let new = after.len() - before.len();
        assert!((250..=300).contains(&new), "{new}");
        let mut cells = BTreeSet::new();
        for chaser in after {
            let CellPosition { cell, .. } = stage.simulation.world().get(chaser).unwrap();
            assert!(grid(&stage.simulation).is_walkable(*cell), "{cell}");
            assert!(cells.insert(*cell), "{cell} is taken twice");
        }
    }

    #[test]
    fn map_prepares_for_new_chaser() {
        let (stage, before, after) = run("unprepared");
        assert_eq!(after.len(), before.len() + 1);
        let world = stage.simulation.world();
        let new = world.get::<Chaser>(after[before.len()]).unwrap();
        let map = world.get::<NavMap>(stage.simulation.map()).unwrap();
        assert!(map.indexes().portals_for(new.rules).is_some());
        let old = world.get::<Chaser>(before[0]).unwrap();
        assert_ne!(old.rules, new.rules);
    }
}
