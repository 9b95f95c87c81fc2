//! Path requests: their answers, their order, and changes while they wait.

mod answers;
mod drawn_ground;
mod limits;
mod reach;
mod reach_waiting;
mod several_goals;
mod spots;
mod waiting;

use bevy_ecs::{entity::EntityHashMap, prelude::*, system::SystemState};
use nav::{
    NavBudget, NavMap, OnMap,
    requests::{FindPathError, NavQuery, PathAnswer, PathRequest, Route},
    saving,
};
use nav_grid::{Area, Cell, Grid, Limits, Path, PathQuery, Search, Status, methods::Dijkstra};
use nav_tests::TestWorld;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};

pub type Answer = Result<Route, FindPathError>;

pub fn ask_on(world: &mut TestWorld, map: Entity, request: &PathRequest) -> Entity {
    world.world().spawn((OnMap(map), request.clone())).id()
}

pub fn ask(world: &mut TestWorld, request: &PathRequest) -> Entity {
    let map = world.map;
    ask_on(world, map, request)
}

pub fn answer(world: &TestWorld, asker: Entity) -> Option<&Answer> {
    let answer = world.app.world().get::<PathAnswer>(asker)?;
    let waits = world.app.world().entity(asker).contains::<PathRequest>();
    assert!(!waits, "an answer replaces its request");
    Some(&answer.result)
}

pub fn answered(world: &TestWorld, askers: &[Entity]) -> usize {
    let all = askers.iter();
    all.filter(|&&asker| answer(world, asker).is_some()).count()
}

/// Saves a world, and loads it into another one. Returns that, and its entities by those of the
/// first.
pub fn loaded(original: &mut TestWorld) -> (TestWorld, EntityHashMap<Entity>) {
    let save = saving::save(original.world()).unwrap();
    let mut loaded = TestWorld::open(1, 1);
    let map = loaded.map;
    loaded.world().despawn(map);
    let entities = save.restore(loaded.world()).expect("a whole save");
    (loaded, entities)
}

/// Saves a world before it answers, and checks that both worlds answer alike.
pub fn assert_goes_on<A: PartialEq + std::fmt::Debug>(
    original: &mut TestWorld,
    asker: Entity,
    answer: impl Fn(&TestWorld, Entity) -> Option<&A>,
) {
    assert_eq!(answer(original, asker), None);
    let (mut loaded, entities) = loaded(original);
    let other = entities[&asker];
    for _ in 0..2_000 {
        original.tick(1);
        loaded.tick(1);
        assert_eq!(loaded.digest(), original.digest());
        assert_eq!(answer(&loaded, other), answer(original, asker));
        if answer(original, asker).is_some() {
            return;
        }
    }
    panic!("it is not answered");
}

/// Returns the same request for another goal.
pub fn to(request: &PathRequest, to: Cell) -> PathRequest {
    let mut other = request.clone();
    other.to = to;
    other
}

/// Runs until a lone request is answered, and returns the answer.
pub fn answer_to(world: &mut TestWorld, request: &PathRequest) -> Answer {
    let asker = ask(world, request);
    for _ in 0..2_000 {
        world.tick(1);
        if let Some(answer) = answer(world, asker) {
            return answer.clone();
        }
    }
    panic!("{request:?} is not answered");
}

pub fn at_once(world: &mut TestWorld, request: &PathRequest) -> Answer {
    let map = world.map;
    let mut state = SystemState::<NavQuery>::new(world.world());
    let mut ways = state.get_mut(world.world()).expect("a valid parameter");
    ways.answer(map, request)
}

/// Returns the cost of the cheapest path, or `None` if no path exists.
pub fn dijkstra(grid: &Grid, request: &PathRequest) -> Option<u32> {
    let query = PathQuery::new(request.from, request.to)
        .with_rules(request.rules)
        .with_limits(Limits::UNBOUNDED);
    let outcome = Dijkstra::new().search(grid, &query, &mut Path::new());
    matches!(outcome.status, Status::Found | Status::AlreadyThere).then_some(outcome.cost)
}

/// Returns the least cost of each cell within `limit` of the start of a request, by a search cell
/// by cell.
pub fn naive_costs(grid: &Grid, request: &PathRequest, limit: u32) -> BTreeMap<Cell, u32> {
    let rules = request.rules;
    let mut reached = BTreeMap::from([(request.from, 0)]);
    let mut open = BinaryHeap::from([Reverse((0, request.from))]);
    while let Some(Reverse((cost, cell))) = open.pop() {
        if reached.get(&cell) != Some(&cost) {
            continue;
        }
        let steps = grid.steps(cell, rules).into_iter().filter_map(|direction| {
            let step = grid.step_cost(cell, direction, rules)?;
            Some((cell.step(direction)?, step))
        });
        let fits = |cell| grid.fits(cell, rules.footprint);
        let links = grid.links_from(cell).iter().filter(|link| fits(link.to));
        let links = links.map(|link| (link.to, u32::from(link.cost) * rules.metric.straight()));
        for (next, step) in steps.chain(links) {
            let total = cost + step;
            if total <= limit && reached.get(&next).is_none_or(|&known| total < known) {
                reached.insert(next, total);
                open.push(Reverse((total, next)));
            }
        }
    }
    reached
}

/// Builds a wall beside the start of a [long way](long_way), with one gap. Returns its cells.
pub fn wall_with_gap(world: &mut TestWorld) -> Area {
    let beside = Area::new(Cell::new(0, 20), Cell::new(149, 20));
    let mut map = world.nav_map();
    map.set_walkable(beside, false).expect("a part of the map");
    map.set_walkable(Cell::new(70, 20), true).expect("a cell");
    beside
}

/// Makes a map on which a far request takes many ticks of a budget of 100, and such a request.
pub fn long_way() -> (TestWorld, PathRequest) {
    let grid = mapgen::generate(mapgen::Kind::Rooms, 150, 90, 7).expect("a map of this size");
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    let mut world = TestWorld::on(Grid::open(1, 1).expect("a map of this size"));
    *world.nav_map() = NavMap::plain(grid);
    world.world().insert_resource(NavBudget::Units(100));
    (world, PathRequest::new(cells[0], cells[cells.len() - 1]))
}
