//! Small grids, edits and queries, by every method: on the map as it is, and with indexes that were
//! built before the edits and then repaired.

use arbitrary::{Arbitrary, Unstructured};
use nav_grid::{
    Area, Cell, CornerRule, Directions, Edit, Footprint, Grid, IndexedMap, Limits, Link, Metric,
    PathQuery, Planner, Rules, Size, Terrain,
    map::Bodies,
    rules::{BodyPolicy, Class, ClassCosts},
};
use nav_judge::{
    Terms, Xorshift, judge_all_methods, judge_all_methods_by, judge_exact_methods_by, judge_slices,
    settled, truth_of,
};

/// Decoded input. Numbers are taken modulo their range, so that every input is meaningful.
#[derive(Arbitrary, Debug)]
struct Case {
    width: u8,
    height: u8,
    floors: u8,
    /// Percentage of cells that are single walls. `seed` chooses which.
    clutter: u8,
    seed: u16,
    is_prepared: bool,
    walker: Walker,
    ask: Ask,
    /// Changes before the indexes are built.
    ground: Vec<Change>,
    /// Changes after that, each with whether the indexes are repaired then.
    edits: Vec<(Change, bool)>,
    bodies: Vec<(Place, u8)>,
    others: Vec<Ask>,
}

/// Rules of a walker.
#[derive(Arbitrary, Debug)]
struct Walker {
    metric: u8,
    cuts_corners: bool,
    side: u8,
    /// Whether bodies count, and up to which distance.
    near: Option<u8>,
    /// The costs of the first classes, and whether they count.
    classes: [u8; 4],
}

/// Change of the map.
#[derive(Arbitrary, Debug)]
enum Change {
    Wall(Patch),
    Ground(Patch),
    Cost(Patch, u8),
    Exits(Patch, u8),
    Class(Patch, u8),
    Link(Place, Place, u8),
    /// Removes the link with this number.
    Unlink(u8),
}

/// Rectangle of cells.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Patch {
    at: Place,
    columns: u8,
    rows: u8,
}

/// Cell.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Place {
    x: u8,
    y: u8,
    floor: u8,
}

/// Query.
#[derive(Arbitrary, Debug)]
struct Ask {
    start: Place,
    goal: Place,
    /// Radius of a bounded window.
    radius: Option<u8>,
    ends_with_step: bool,
    goal_side: u8,
}

/// Lists are cut to these lengths, so that an input stays one case. Guesses.
const CHANGES_MAX: usize = 24;
const BODIES_MAX: usize = 12;
const ASKS_MAX: usize = 3;

/// Most cells of a map: enough for two tiles of 64×64 cells in each direction.
const CELLS_MAX: u16 = 5000;

/// Slack for paths over portals in straight steps: exits in adverse places make the way to
/// the middle of a portal a long one.
const PORTAL_SLACK: u32 = 80;

/// Returns whether the input is a case.
pub(crate) fn run(bytes: &[u8]) -> bool {
    let Ok(mut case) = Case::arbitrary_take_rest(Unstructured::new(bytes)) else {
        return false;
    };
    case.ground.truncate(CHANGES_MAX);
    case.edits.truncate(CHANGES_MAX);
    case.bodies.truncate(BODIES_MAX);
    case.others.truncate(ASKS_MAX - 1);
    let size = case.size();
    let rules = case.walker.rules();
    let mut map = case.indexed(size, rules);
    let mut planner = Planner::new();
    let bodies = case.bodies(size);
    for (edit, repairs) in &case.edits {
        if let Some(edit) = edit.on(map.grid()) {
            map.apply(&edit).expect("an edit of this map");
        }
        if *repairs {
            map.repair();
        }
    }
    // Before the repair the indexes only know parts of the map without edits.
    let first = case.ask.query(size, rules);
    let query = settled(first, map.grid());
    let terrain = Terrain::from(&map).with_bodies(&bodies);
    judge_all_methods(&mut planner, terrain, &query, terms(false));
    map.repair();
    check_repaired(&map);
    let afresh = rebuilt(map.grid());
    assert_eq!(&afresh, map.grid());
    let terrain = Terrain::from(&map).with_bodies(&bodies);
    let others = case.others.iter().map(|ask| ask.query(size, rules));
    for query in others.chain([first]) {
        // First with its ends as drawn, possibly in walls, then with both on walkable ground.
        let on_ground = Some(settled(query, map.grid())).filter(|settled| *settled != query);
        for query in [query].into_iter().chain(on_ground) {
            let fresh = Terrain::from(&afresh).with_bodies(&bodies);
            let edited = Terrain::from(map.grid()).with_bodies(&bodies);
            let truth = truth_of(fresh, &query);
            judge_exact_methods_by(truth, fresh, &query);
            judge_exact_methods_by(truth, edited, &query);
            judge_all_methods_by(truth, &mut planner, terrain, &query, terms(true));
        }
    }
    // Only in a quarter of the cases, since it takes longer than everything else.
    if case.seed.is_multiple_of(4) {
        judge_slices(terrain, &settled(first, map.grid()));
    }
    true
}

const fn terms(is_prepared: bool) -> Terms {
    Terms {
        portal_slack: PORTAL_SLACK,
        is_prepared,
    }
}

/// Checks that repaired indexes equal those of the current map.
fn check_repaired(map: &IndexedMap) {
    let mut fresh = IndexedMap::new(map.grid().clone());
    fresh.build(&map.built()).expect("roads of this map");
    assert!(
        fresh.indexes().portals() == map.indexes().portals(),
        "portals"
    );
    assert!(fresh.indexes().mosaic() == map.indexes().mosaic(), "mosaic");
    assert!(fresh.indexes().roads() == map.indexes().roads(), "roads");
}

/// Returns an equal map without edits and without anything prepared.
fn rebuilt(grid: &Grid) -> Grid {
    let mut afresh =
        Grid::build(grid.size(), |cell| grid.is_walkable(cell)).expect("the size of a map");
    for cell in nav_judge::cells(grid.size()) {
        if grid.has_costs() && grid.is_walkable(cell) {
            afresh.set_cost(cell, grid.cost(cell)).expect("its cost");
        }
        if grid.has_exits() {
            afresh.set_exits(cell, grid.exits(cell)).expect("a cell");
        }
        if grid.has_classes() {
            afresh.set_class(cell, grid.class(cell)).expect("a cell");
        }
    }
    for &link in grid.links() {
        afresh.set_link(link).expect("its link");
    }
    afresh
}

impl Case {
    /// Returns the size, reduced if it has too many cells.
    fn size(&self) -> Size {
        let width = 1 + u16::from(self.width) % 96;
        let floors = 1 + self.floors % 3;
        let rows = CELLS_MAX / (width * u16::from(floors));
        let height = (1 + u16::from(self.height) % 72).min(rows);
        Size::new(width, height).with_floors(floors)
    }

    /// Returns the map before its edits, with all indexes.
    fn indexed(&self, size: Size, rules: Rules) -> IndexedMap {
        let mut random = Xorshift::new(self.seed.into());
        let walls = u32::from(self.clutter % 50);
        let mut grid = Grid::build(size, |_| random.below(100) >= walls).expect("sides in range");
        for change in &self.ground {
            if let Some(edit) = change.on(&grid) {
                grid.apply(&edit).expect("an edit of this map");
            }
        }
        let mut map = IndexedMap::new(grid);
        if self.is_prepared {
            map.prepare_footprint(rules);
            map.build_jumps(rules);
        }
        map.build_regions(rules);
        map.build_portals(rules);
        map.build_mosaic(rules);
        let roads = nav_judge::cells(size).filter(|cell| cell.x % 16 == 8 || cell.y % 16 == 8);
        map.insert_roads(rules, roads).expect("roads of this map");
        map
    }

    fn bodies(&self, size: Size) -> Bodies {
        let mut bodies = Bodies::new(size);
        for &(at, side) in &self.bodies {
            bodies.occupy(at.cell(size), footprint(side));
        }
        bodies
    }
}

impl Walker {
    fn rules(&self) -> Rules {
        let metric = Metric::ALL[usize::from(self.metric) % Metric::ALL.len()];
        let corners = CornerRule::ALL[usize::from(self.cuts_corners)];
        let bodies = match self.near {
            None => BodyPolicy::Ignore,
            Some(u8::MAX) => BodyPolicy::AvoidAll,
            Some(near) => BodyPolicy::AvoidNear(near % 16),
        };
        Rules::new(metric, corners)
            .with_footprint(footprint(self.side))
            .with_bodies(bodies)
            .with_classes(self.classes())
    }

    /// Returns the default for half of all walkers.
    fn classes(&self) -> ClassCosts {
        if self.classes[0].is_multiple_of(2) {
            return ClassCosts::ALL;
        }
        (Class::all().zip(&self.classes)).fold(ClassCosts::ALL, |costs, (class, byte)| {
            costs.with(class, byte / 2 % (ClassCosts::COST_MAX + 1))
        })
    }
}

/// Returns one of four classes.
fn class_of(byte: u8) -> Class {
    Class::new(byte % 4).expect("a class")
}

/// Returns a footprint. Large bodies are rarer than small ones.
fn footprint(side: u8) -> Footprint {
    let side = match side {
        0..=127 => 1,
        128..=239 => 2 + side % 2,
        _ => 1 + side % 8,
    };
    Footprint::new(side).expect("1 to 8")
}

impl Change {
    /// Returns the edit for a map; `None` if it has no meaning there.
    fn on(&self, grid: &Grid) -> Option<Edit> {
        let size = grid.size();
        Some(match *self {
            Self::Wall(patch) => Edit::Walkable(patch.area(size), false),
            Self::Ground(patch) => Edit::Walkable(patch.area(size), true),
            Self::Cost(patch, cost) => Edit::Cost(patch.area(size), cost % (Grid::COST_WORST + 1)),
            Self::Exits(patch, exits) => Edit::Exits(patch.area(size), Directions(exits)),
            Self::Class(patch, class) => Edit::Class(patch.area(size), class_of(class)),
            Self::Link(from, to, cost) => {
                let link = Link::new(from.cell(size), to.cell(size));
                Edit::Link(link.with_cost(1 + u16::from(cost)))
            }
            Self::Unlink(number) => {
                let number = usize::from(number).checked_rem(grid.links().len())?;
                let Link { from, to, .. } = grid.links()[number];
                Edit::Unlink { from, to }
            }
        })
    }
}

impl Patch {
    fn area(self, size: Size) -> Area {
        let first = self.at.cell(size);
        let last = Cell {
            x: (first.x + u16::from(self.columns)).min(size.width - 1),
            y: (first.y + u16::from(self.rows)).min(size.height - 1),
            ..first
        };
        Area::new(first, last)
    }
}

impl Place {
    fn cell(self, size: Size) -> Cell {
        Cell {
            x: u16::from(self.x) % size.width,
            y: u16::from(self.y) % size.height,
            floor: self.floor % size.floors,
        }
    }
}

impl Ask {
    fn query(&self, size: Size, rules: Rules) -> PathQuery {
        let limits = match self.radius {
            Some(radius) => Limits::window(1 + u16::from(radius) % 64),
            None => Limits::UNBOUNDED,
        };
        PathQuery::new(self.start.cell(size), self.goal.cell(size))
            .with_rules(rules)
            .with_limits(limits)
            .with_last_step(self.ends_with_step)
            .with_goal_body(footprint(self.goal_side))
    }
}
