//! Path requests: what is answered, in which order, and what becomes of those that wait.

use bevy_app::App;
use bevy_ecs::{prelude::*, system::SystemState};
use nav::{
    Chaser, Chasing, FindPathError, NavBudget, NavMap, NavQuery, OnMap, PathAnswer, PathRequest,
    Route, Want, saving,
};
use nav_grid::{
    Area, Cell, Direction, Directions, Footprint, Grid, Limits, Link, Method, Metric, Path,
    PathQuery, Rules, Search, Size, Status,
    methods::Dijkstra,
    query::{Fallback, Fault, QueryEnd},
    rules::CornerRule,
};
use nav_tests::{
    TestWorld, by_tier,
    drawn::Draw,
    scenes::app_with_behaviours,
    tape::{Tape, replay},
};
use nav_trace::TracePlugin;

type Answer = Result<Route, FindPathError>;

fn ask_on(world: &mut TestWorld, map: Entity, request: PathRequest) -> Entity {
    world.world().spawn((OnMap(map), request)).id()
}

fn ask(world: &mut TestWorld, request: PathRequest) -> Entity {
    let map = world.map;
    ask_on(world, map, request)
}

fn answer(world: &TestWorld, asker: Entity) -> Option<&Answer> {
    let answer = world.app.world().get::<PathAnswer>(asker)?;
    let waits = world.app.world().entity(asker).contains::<PathRequest>();
    assert!(!waits, "an answer replaces its request");
    Some(&answer.result)
}

fn answered(world: &TestWorld, askers: &[Entity]) -> usize {
    let all = askers.iter();
    all.filter(|&&asker| answer(world, asker).is_some()).count()
}

/// The same request for another goal.
fn to(request: PathRequest, to: Cell) -> PathRequest {
    let mut other = request;
    other.to = to;
    other
}

/// The answer to a request alone, after as many ticks as it takes.
fn answer_to(world: &mut TestWorld, request: PathRequest) -> Answer {
    let asker = ask(world, request);
    for _ in 0..2_000 {
        world.tick(1);
        if let Some(answer) = answer(world, asker) {
            return answer.clone();
        }
    }
    panic!("{request:?} is not answered");
}

fn at_once(world: &mut TestWorld, request: PathRequest) -> Answer {
    let map = world.map;
    let mut state = SystemState::<NavQuery>::new(world.world());
    let mut ways = state.get_mut(world.world()).expect("a valid parameter");
    ways.answer(map, &request)
}

/// The cost of the cheapest path; `None` if there is none.
fn dijkstra(grid: &Grid, request: &PathRequest) -> Option<u32> {
    let query = PathQuery::new(request.from, request.to)
        .with_rules(request.rules)
        .with_limits(Limits::UNBOUNDED);
    let outcome = Dijkstra::new().search(grid, &query, &mut Path::new());
    matches!(outcome.status, Status::Found | Status::AlreadyThere).then_some(outcome.cost)
}

/// Rooms with some layers on them.
fn ground(draw: &mut Draw, [costs, exits, links]: [bool; 3]) -> Grid {
    let (width, height) = draw.one_of(&[(30, 24), (70, 50), (130, 40)]);
    let kind = draw.one_of(&[mapgen::Kind::Rooms, mapgen::Kind::Clutter { percent: 20 }]);
    let floor = mapgen::generate(kind, width, height, draw.seed()).expect("a map of this size");
    let size = Size::new(width, height).with_floors(1 + u8::from(links));
    let grid = Grid::build(size, |cell| floor.is_walkable(cell.on_floor(0)));
    let mut grid = grid.expect("a map of this size");
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    for _ in 0..cells.len() / 8 {
        let cell = draw.one_of(&cells);
        if costs {
            let cost = 2 + draw.below(6) as u8;
            grid.set_cost(cell, cost).expect("a cell of the map");
        }
        if exits && draw.percent(30) {
            let closed = Directions::from(draw.one_of(&Direction::ALL));
            let open = Directions(!closed.0);
            grid.set_exits(cell, open).expect("a cell of the map");
        }
    }
    for _ in 0..if links { 8 } else { 0 } {
        let link = Link::new(draw.one_of(&cells), draw.one_of(&cells)).with_cost(3);
        grid.set_link(link).expect("cells of the map");
    }
    grid
}

/// A request between cells of the ground, by drawn rules.
fn drawn(draw: &mut Draw, grid: &Grid) -> PathRequest {
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    let rules = Rules::new(draw.one_of(&Metric::ALL), draw.one_of(&CornerRule::ALL));
    let side = draw.one_of(&[1, 1, 1, 2, 3]);
    let rules = rules.with_footprint(Footprint::new(side).expect("up to 8"));
    let from = loop {
        let cell = draw.one_of(&cells);
        if grid.fits(cell, rules.footprint) {
            break cell;
        }
    };
    PathRequest::new(from, draw.one_of(&cells)).with_rules(rules)
}

/// Draws maps, asks on each, and compares with Dijkstra's search. Paths by portals may be dearer by
/// so many percent.
fn equal_dijkstra(spare: u32, map: impl Fn(Grid) -> NavMap) {
    for seed in 0..by_tier(24, 400) {
        let draw = &mut Draw::new(seed);
        let layers = [0; 3].map(|_| draw.percent(40));
        let grid = ground(draw, layers);
        let mut world = TestWorld::on(Grid::open(1, 1).expect("a map of this size"));
        *world.nav_map() = map(grid.clone());
        for _ in 0..6 {
            let request = drawn(draw, &grid);
            let about = format!("seed {seed}, layers {layers:?}, {request:?}");
            let least = dijkstra(&grid, &request);
            let waited = answer_to(&mut world, request);
            for answer in [waited, at_once(&mut world, request)] {
                let cost = answer.as_ref().ok().map(|route| route.outcome.cost);
                let most = |cost: u32| cost + cost * spare / 100 + spare.min(8) * cost.min(8);
                let is_right = cost.is_some() == least.is_some()
                    && cost
                        .zip(least)
                        .is_none_or(|(cost, least)| (least..=most(least)).contains(&cost));
                assert!(is_right, "{about}: {cost:?}, not {least:?}");
                if let Ok(route) = answer {
                    let walked = route.path.walk(&grid, request.from, request.rules);
                    assert_eq!(walked.ok(), cost, "{about}: walked");
                    assert_eq!(route.path.len(), route.steps as usize, "{about}");
                    let end = route.path.end().unwrap_or(request.from);
                    assert_eq!(end, request.to, "{about}: the end");
                }
            }
            let reach = request.wanting(Want::Reachability);
            for answer in [answer_to(&mut world, reach), at_once(&mut world, reach)] {
                assert_eq!(answer.is_ok(), least.is_some(), "{about}: reachable");
            }
        }
    }
}

#[test]
fn plain_maps_equal_dijkstra() {
    equal_dijkstra(0, NavMap::plain);
}

#[test]
fn prepared_maps_near_dijkstra() {
    // Bodies of several sizes and metrics want an index each.
    equal_dijkstra(25, NavMap::new);
}

#[test]
fn windows_that_hide_a_shorter_way() {
    // A dear gap that the window around the start shows, and a cheap one beyond it.
    let mut grid = Grid::open(60, 60).expect("a map of this size");
    let wall = Area::new(Cell::new(22, 0), Cell::new(22, 59));
    grid.set_walkable(wall, false).expect("a part of the map");
    for gap in [18, 50] {
        grid.set_walkable(Cell::new(22, gap), true).expect("a cell");
    }
    grid.set_cost(Cell::new(22, 18), 64).expect("a cell");
    let mut world = TestWorld::on(grid.clone());
    let request = PathRequest::new(Cell::new(20, 20), Cell::new(24, 20));
    let route = answer_to(&mut world, request).expect("a way around");
    assert_eq!(Some(route.outcome.cost), dijkstra(&grid, &request));
    assert_eq!(route.steps, 62);
}

#[test]
fn errors_say_what_is_wrong() {
    let mut world = TestWorld::new(&["..#.", "..#."]);
    let [here, there] = [(0, 0), (3, 1)].map(Cell::from);
    let off = Cell::new(9, 9);
    let invalid = |end, fault| Err(FindPathError::Invalid(end, fault));
    let cases = [
        (here, off, invalid(QueryEnd::Goal, Fault::OutsideMap)),
        (off, here, invalid(QueryEnd::Start, Fault::OutsideMap)),
        (
            here,
            Cell::new(2, 0),
            invalid(QueryEnd::Goal, Fault::Blocked),
        ),
        (here, there, Err(FindPathError::Unreachable)),
    ];
    for want in [Want::Path, Want::Cost, Want::Reachability] {
        for (from, to, expected) in &cases {
            let request = PathRequest::new(*from, *to).wanting(want);
            assert_eq!(&answer_to(&mut world, request), expected);
            assert_eq!(&at_once(&mut world, request), expected);
        }
    }
    let text = FindPathError::Invalid(QueryEnd::Goal, Fault::OutsideMap).to_string();
    assert_eq!(text, "the goal is outside the map");
}

#[test]
fn no_map() {
    let mut world = TestWorld::open(4, 4);
    let request = PathRequest::new(Cell::new(0, 0), Cell::new(3, 3));
    let nowhere = world.world().spawn(request).id();
    let gone = world.world().spawn_empty().id();
    let elsewhere = ask_on(&mut world, gone, request);
    world.tick(1);
    for asker in [nowhere, elsewhere] {
        assert_eq!(answer(&world, asker), Some(&Err(FindPathError::NoMap)));
    }
    let mut state = SystemState::<NavQuery>::new(world.world());
    let mut ways = state.get_mut(world.world()).expect("a valid parameter");
    let asked = ways.path(gone, request.from, request.to, request.rules);
    assert_eq!(asked, Err(FindPathError::NoMap));
}

#[test]
fn wants_decide_what_is_kept() {
    let mut world = TestWorld::open(30, 30);
    let request = PathRequest::new(Cell::new(2, 3), Cell::new(14, 5));
    let of = |world: &mut TestWorld, want| answer_to(world, request.wanting(want)).expect("open");
    let path = of(&mut world, Want::Path);
    assert_eq!(
        (path.path.len(), path.steps, path.outcome.cost),
        (12, 12, 12)
    );
    let cost = of(&mut world, Want::Cost);
    assert_eq!(
        (cost.path.len(), cost.steps, cost.outcome.cost),
        (0, 12, 12)
    );
    let reach = of(&mut world, Want::Reachability);
    assert_eq!(
        (reach.path.len(), reach.steps, reach.outcome.cost),
        (0, 0, 0)
    );
    let there = answer_to(&mut world, PathRequest::new(request.to, request.to)).expect("there");
    assert_eq!((there.steps, there.outcome.cost), (0, 0));
}

#[test]
fn fallbacks_lead_nearer() {
    let mut world = TestWorld::new(&["..........#..", "..........#..", "..........#.."]);
    let request = PathRequest::new(Cell::new(1, 1), Cell::new(12, 1));
    assert_eq!(
        answer_to(&mut world, request),
        Err(FindPathError::Unreachable)
    );
    for fallback in [Fallback::NearestReachable, Fallback::ClosestReached] {
        let request = request.with_fallback(fallback);
        let route = answer_to(&mut world, request);
        let route = route.unwrap_or_else(|error| panic!("{fallback:?}: {error}"));
        assert_eq!(
            (route.reaches(), route.path.end()),
            (false, Some(Cell::new(9, 1)))
        );
        assert_eq!(at_once(&mut world, request).map(|route| route.steps), Ok(8));
        let wall = to(request, Cell::new(10, 1));
        assert!(answer_to(&mut world, wall).is_ok_and(|route| !route.reaches()));
    }
}

/// A map on which a far request takes many ticks of a budget of 100, and such a request.
fn long_way() -> (TestWorld, PathRequest) {
    let grid = mapgen::generate(mapgen::Kind::Rooms, 150, 90, 7).expect("a map of this size");
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    let mut world = TestWorld::on(Grid::open(1, 1).expect("a map of this size"));
    *world.nav_map() = NavMap::plain(grid);
    world.world().insert_resource(NavBudget::of(100));
    (world, PathRequest::new(cells[0], cells[cells.len() - 1]))
}

#[test]
fn removal_cancels() {
    let (mut world, request) = long_way();
    let [first, second, third] = [0; 3].map(|_| ask(&mut world, request));
    world.tick(2);
    // One is searched, and the others wait.
    world.world().entity_mut(first).remove::<PathRequest>();
    world.world().despawn(second);
    world.tick_until(|world| answer(world, third).is_some());
    assert_eq!(answer(&world, first), None);
    world.tick(2);
    let expanded = world.diagnostics().last_tick.expanded;
    assert_eq!(expanded, 0, "nothing is searched for who is gone");
}

#[test]
fn edits_begin_again() {
    let (mut world, request) = long_way();
    let asker = ask(&mut world, request);
    world.tick(3);
    assert_eq!(answer(&world, asker), None);
    // A wall beside the start, with one gap, and then a map on which nothing is as it was.
    let beside = Area::new(Cell::new(0, 20), Cell::new(149, 20));
    let mut map = world.nav_map();
    map.set_walkable(beside, false).expect("a part of the map");
    map.set_walkable(Cell::new(70, 20), true).expect("a cell");
    world.tick(3);
    assert_eq!(answer(&world, asker), None);
    let grid = Grid::open(150, 90).expect("a map of this size");
    world.nav_map().set_walkable(beside, true).expect("a part");
    world.tick(2);
    *world.nav_map() = NavMap::plain(grid.clone());
    world.tick_until(|world| answer(world, asker).is_some());
    let cost = answer(&world, asker).map(|answer| answer.clone().map(|route| route.outcome.cost));
    assert_eq!(cost.and_then(Result::ok), dijkstra(&grid, &request));
}

#[test]
fn changes_count_and_keep_the_turn() {
    let (mut world, request) = long_way();
    let first = ask(&mut world, request);
    world.tick(1);
    let second = ask(&mut world, request);
    world.tick(1);
    let off = Cell::new(900, 900);
    world.get_mut::<PathRequest>(first).to = off;
    world.tick(1);
    let expected = Err(FindPathError::Invalid(QueryEnd::Goal, Fault::OutsideMap));
    assert_eq!(answer(&world, first), Some(&expected));
    assert_eq!(answer(&world, second), None);
    let asked = world.get::<PathAnswer>(first).request;
    assert_eq!(asked, to(request, off));
}

#[test]
fn digest_covers_who_waits() {
    let (mut world, request) = long_way();
    let (mut other, _) = long_way();
    let asker = ask(&mut world, request);
    ask(&mut other, to(request, request.from));
    let digests = |world: &mut TestWorld, other: &mut TestWorld| (world.digest(), other.digest());
    let (one, two) = digests(&mut world, &mut other);
    assert_ne!(one, two, "another goal");
    world.tick(2);
    let waits = world.digest();
    world.world().entity_mut(asker).remove::<PathRequest>();
    assert_ne!(world.digest(), waits);
}

/// Near and far requests, some from NPCs, on a map that prepares itself, under a small budget.
fn busy(budget: u32, near: usize) -> (TestWorld, Vec<Entity>, Draw) {
    busy_in(nav_testing::app(), budget, near)
}

fn busy_in(app: App, budget: u32, near: usize) -> (TestWorld, Vec<Entity>, Draw) {
    let mut draw = Draw::new(5);
    let grid = mapgen::generate(mapgen::Kind::Rooms, 150, 90, 7).expect("a map of this size");
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    let mut world = TestWorld::with_app(app, grid);
    world.world().insert_resource(NavBudget::of(budget));
    let player = world.target(cells[40]);
    let npcs: Vec<Entity> = (0..20)
        .map(|n| world.chaser(cells[n * 600 % cells.len()], player))
        .collect();
    let mut askers = Vec::new();
    for n in 0..near {
        let from = draw.one_of(&cells);
        let to = if n % 4 == 0 {
            draw.one_of(&cells)
        } else {
            let close = |cell: &&Cell| cell.chebyshev(from) < 12;
            *cells.iter().filter(close).last().expect("itself")
        };
        let request = PathRequest::new(from, to);
        if let Some(&npc) = npcs.get(n).filter(|_| n % 3 == 0) {
            world.insert(npc, request);
            askers.push(npc);
        } else {
            askers.push(ask(&mut world, request));
        }
    }
    (world, askers, draw)
}

#[test]
fn saved_while_they_wait() {
    for at in [0, 1, 7, 30] {
        let (mut original, askers, _) = busy(300, 60);
        original.tick(at);
        assert!(answered(&original, &askers) < askers.len(), "at {at}");
        let save = saving::save(original.world());
        let mut loaded = TestWorld::open(1, 1);
        let map = loaded.map;
        loaded.world().despawn(map);
        let entities = save.restore(loaded.world()).expect("a whole save");
        for tick in 0..150 {
            assert_eq!(
                loaded.digest(),
                original.digest(),
                "saved at {at}, {tick} later"
            );
            for &asker in &askers {
                let there = loaded.app.world().get::<PathAnswer>(entities[&asker]);
                assert_eq!(there, original.app.world().get(asker));
            }
            original.tick(1);
            loaded.tick(1);
        }
        assert!(answered(&original, &askers) > 10);
    }
}

#[test]
fn traces_replay_requests() {
    let mut app = app_with_behaviours();
    app.add_plugins(TracePlugin::default());
    let (mut world, askers, mut draw) = busy_in(app, 300, 60);
    let tape = Tape::start(&mut world.app);
    // It begins after this tick.
    world.tick(1);
    let ground: Vec<Cell> = world.grid().walkable_cells().collect();
    for n in 0..120 {
        let request = PathRequest::new(draw.one_of(&ground), draw.one_of(&ground));
        let asker = askers[n % askers.len()];
        if n % 5 == 0 {
            world.world().entity_mut(asker).remove::<PathAnswer>();
            world.insert(asker, request);
        } else if n % 7 == 0 {
            world.world().entity_mut(asker).remove::<PathRequest>();
            ask(&mut world, request);
        }
        world.tick(1);
    }
    let (trace, _) = tape.finish(&mut world.app);
    if let Err(difference) = replay(&trace) {
        panic!("{difference}");
    }
}

#[test]
fn neither_side_starves() {
    // Many far chasers of a target each that walks, and many far requests.
    for budget in [60, 400, 2_000] {
        let (mut world, askers, mut draw) = busy(budget, 400);
        let map = world.map;
        let ground: Vec<Cell> = world.grid().walkable_cells().collect();
        for _ in 0..200 {
            let at = nav::CellPosition::at(draw.one_of(&ground));
            let alone = world.world().spawn((OnMap(map), at)).id();
            world.chaser(draw.one_of(&ground), alone);
        }
        world.seconds(by_tier(20, 60));
        let searches = world.diagnostics().total.searches();
        let count = answered(&world, &askers);
        assert!(count > 10, "{budget}: {count} requests are answered");
        assert!(searches > 10, "{budget}: {searches} searches of chasers");
    }
}

#[test]
fn far_ones_leave_near_ones_their_turn() {
    // No near search fits so small a budget for certain.
    let (mut world, far) = long_way();
    let before: Vec<Entity> = (0..3).map(|_| ask(&mut world, far)).collect();
    world.tick(1);
    let beside = far.from.step(Direction::East).expect("a cell of the map");
    let near = ask(&mut world, to(far, beside));
    let mut after = Vec::new();
    for _ in 0..2_000 {
        after.push(ask(&mut world, far));
        world.tick(1);
        if answer(&world, near).is_some() {
            assert_eq!(answered(&world, &before), before.len());
            assert_eq!(answered(&world, &after), 0);
            return;
        }
    }
    panic!("the near one is not answered");
}

#[test]
fn budget_bounds_the_work() {
    let (mut world, askers, _) = busy(300, 200);
    let mut taken = 0;
    for _ in 0..400 {
        world.tick(1);
        let expanded = world.diagnostics().last_tick.expanded;
        assert!(expanded <= 300, "{expanded}");
        taken += expanded;
        if answered(&world, &askers) == askers.len() {
            return;
        }
    }
    assert!(
        taken > 300 * 400 * 9 / 10,
        "{taken}: it is used while somebody waits"
    );
}

#[test]
fn first_asked_is_first() {
    let (mut world, far) = long_way();
    let near = PathRequest::new(far.from, far.from);
    let mut askers: Vec<Vec<Entity>> = vec![Vec::new(), Vec::new()];
    for _ in 0..20 {
        for (kind, request) in [near, far].into_iter().enumerate() {
            let mut request = request;
            // Beside each other, so that all take about as long.
            request.to.x = request.to.x.saturating_sub(u16::from(kind == 1));
            askers[kind].push(ask(&mut world, request));
        }
        world.tick(1);
    }
    for _ in 0..2_000 {
        world.tick(1);
        for asked in &askers {
            let count = answered(&world, asked);
            let first = answered(&world, &asked[..count]);
            assert_eq!(first, count, "those who asked first");
        }
    }
    for asked in &askers {
        assert_eq!(answered(&world, asked), asked.len());
    }
}

#[test]
fn chasers_walk_on_while_they_ask() {
    let mut world = TestWorld::open(40, 40);
    let player = world.target((30, 20));
    let npc = world.chaser((4, 20), player);
    world.tick(20);
    let before = world.cell(npc);
    let request = PathRequest::new(Cell::new(0, 0), Cell::new(39, 39));
    world.insert(npc, request.wanting(Want::Cost));
    world.tick(20);
    assert!(answer(&world, npc).is_some_and(Result::is_ok));
    assert!(world.cell(npc).x > before.x);
    assert!(world.app.world().entity(npc).contains::<Chasing>());
    assert!(world.app.world().entity(npc).contains::<Chaser>());
}

#[test]
fn far_requests_prepare_the_map() {
    let grid = mapgen::generate(mapgen::Kind::Rooms, 200, 120, 3).expect("a map of this size");
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    let request = PathRequest::new(cells[0], cells[cells.len() - 1]);
    let mut world = TestWorld::on(grid);
    answer_to(&mut world, request).expect("a way");
    world.seconds(5);
    let map = world.nav_map();
    assert!(map.indexed().ready_portals(request.rules).is_some());
    let route = answer_to(&mut world, request).expect("a way");
    assert_eq!(route.outcome.method, Method::Portal);
}
