//! The tuning of the chasers of a scene: method, metric, corners, policy and limits.

use super::{
    draw::Draw,
    ground::{GroundKind, Layer},
};
use nav::Chaser;
use nav_grid::{
    Cell, CornerRule, Footprint, Grid, Limits, Method, Metric, PathQuery, Planner, Rules, Terrain,
    query::Fallback,
    rules::{BodyPolicy, Heuristic},
};

/// Expansions that suffice for every search of a scene.
const PLENTY: u32 = 100_000;

/// The common tuning of all chasers of a scene.
pub struct Tuning {
    pub chaser: Chaser,
    /// Whether regions are built.
    pub regions: bool,
    /// Whether portals are built.
    pub portals: bool,
    /// Cells of main roads.
    pub roads: Vec<Cell>,
}

impl Tuning {
    /// Draws a tuning that suits a grid of a kind of ground, and chasers of some sizes.
    pub fn draw(draw: &mut Draw, grid: &Grid, kind: GroundKind, sides: &[u8]) -> Self {
        let rules = draw_rules(draw, sides);
        let mut method = if draw.percent(60) {
            Method::Auto
        } else {
            draw.one_of(&Method::ALL)
        };
        let open = kind.is_open();
        if !serves(method, grid, rules, open, sides) {
            method = Method::Auto;
        }
        let heuristic = if method == Method::Auto || method == Method::AStar {
            draw.weighted(&[(9, Heuristic::OpenGround), (1, Heuristic::Manhattan)])
        } else {
            Heuristic::OpenGround
        };
        let is_even = heuristic == Heuristic::OpenGround
            && matches!(rules.metric, Metric::Unit | Metric::FourWay);
        // A search that a sweep answers needs no more than the default.
        let is_swept = is_even && method == Method::Auto && kind.layer == Layer::Plain;
        let expansions = if is_swept { 150 } else { PLENTY };
        let regions = draw.percent(30);
        // Waypoints count cells only where every step costs the same.
        let has_even_ways = is_even
            && !matches!(kind.layer, Layer::Patches | Layer::Costs | Layer::Dear)
            && rules.bodies == BodyPolicy::Ignore
            && !matches!(method, Method::Portal | Method::Trunk);
        let stop_distance = draw.weighted(&[(7, 1), (1, 2), (1, 3)]);
        let fallback = draw.weighted(&[
            (8, Fallback::ClosestReached),
            (1, Fallback::None),
            (1, Fallback::NearestReachable),
        ]);
        let chaser = Chaser {
            stop_distance: if has_even_ways { stop_distance } else { 1 },
            rules,
            heuristic,
            limits: Limits {
                expansions,
                ..window(method)
            },
            fallback,
            method,
            ..Chaser::default()
        };
        let serves_portals = serves(Method::Portal, grid, rules, open, sides);
        let portals = method == Method::Portal || serves_portals && draw.percent(20);
        let (row, column) = (
            draw.number(0, grid.height() - 1),
            draw.number(0, grid.width() - 1),
        );
        let mut roads: Vec<Cell> = grid.walkable_cells().collect();
        roads.retain(|cell| cell.y == row || cell.x == column);
        Self {
            chaser,
            regions,
            portals,
            roads,
        }
    }

    /// Lists the drawn features by name.
    pub fn features(&self) -> Vec<(&'static str, String)> {
        let chaser = &self.chaser;
        let policy = match chaser.rules.bodies {
            BodyPolicy::AvoidNear(_) => "AvoidNear".to_string(),
            policy => format!("{policy:?}"),
        };
        vec![
            ("method", chaser.method.name().to_string()),
            ("metric", name(chaser.rules.metric)),
            ("corners", name(chaser.rules.corners)),
            ("policy", policy),
            ("heuristic", name(chaser.heuristic)),
            ("fallback", name(chaser.fallback)),
            ("stop", chaser.stop_distance.to_string()),
            (
                "indexes",
                format!("regions {} portals {}", self.regions, self.portals),
            ),
        ]
    }
}

/// Draws the rules of chasers, the first of some sizes.
fn draw_rules(draw: &mut Draw, sides: &[u8]) -> Rules {
    let metric = draw.weighted(&[
        (10, Metric::Unit),
        (3, Metric::Octile),
        (3, Metric::Grid),
        (3, Metric::FourWay),
        (1, Metric::TwoThree),
    ]);
    let corners = draw.weighted(&[(3, CornerRule::Strict), (1, CornerRule::Cut)]);
    let near = draw.number(1, 4) as u8;
    let policy = draw.weighted(&[
        (6, BodyPolicy::Ignore),
        (2, BodyPolicy::AvoidNear(near)),
        (2, BodyPolicy::AvoidAll),
    ]);
    Rules::new(metric, corners)
        .with_footprint(Footprint::new(sides[0]).expect("1 to 8"))
        .with_bodies(policy)
}

/// Returns the window of chasers with a method.
const fn window(method: Method) -> Limits {
    match method {
        // It must hold the whole map.
        Method::Portal => Limits::window(64),
        _ => Limits::window(20),
    }
}

/// Returns whether a method finds every way of a scene, by its documentation.
fn serves(method: Method, grid: &Grid, rules: Rules, open: bool, sides: &[u8]) -> bool {
    if method == Method::Auto {
        return true;
    }
    let query = PathQuery::new(Cell::default(), Cell::default())
        .with_rules(rules)
        .with_limits(window(method));
    let crowd = nav_grid::map::Bodies::new(grid.size());
    if Planner::support(method)
        .lacks(Terrain::from(grid).with_bodies(&crowd), &query)
        .is_some()
    {
        return false;
    }
    match method {
        // A straight line suffices only where nothing is in the way.
        Method::Line => open && rules.bodies == BodyPolicy::Ignore,
        // The sweep serves no window with costs or links.
        Method::Sweep => !grid.has_costs() && grid.links().is_empty(),
        // A map has one of each kind.
        Method::Portal | Method::Mosaic | Method::Trunk => sides.len() == 1,
        _ => true,
    }
}

/// Returns the name of a value in reports and filters.
pub fn name(value: impl std::fmt::Debug) -> String {
    let name = format!("{value:?}");
    let end = name.find([' ', '{', '(']).unwrap_or(name.len());
    name[..end].to_lowercase()
}

/// Returns the tuning of chasers without special wishes.
pub fn plain() -> Chaser {
    Chaser {
        limits: Limits {
            expansions: 20_000,
            ..Limits::window(60)
        },
        ..Chaser::default()
    }
}
