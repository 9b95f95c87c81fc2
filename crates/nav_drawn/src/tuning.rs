//! The tuning of the chasers of a scene: method, metric, corners, policy and limits.

use super::{
    draw::Draw,
    ground::{Layer, Shape, Spot},
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
    pub fn draw(
        draw: &mut Draw,
        grid: &Grid,
        shape: Shape,
        layer: Layer,
        spot: Spot,
        sides: &[u8],
    ) -> Self {
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
        let footprint = Footprint::new(sides[0]).expect("1 to 8");
        let rules = Rules::new(metric, corners)
            .with_footprint(footprint)
            .with_bodies(policy);
        let wish = if draw.percent(60) {
            Method::Auto
        } else {
            draw.one_of(&Method::ALL)
        };
        let open = shape == Shape::Open
            && layer == Layer::Plain
            && matches!(spot, Spot::Anywhere | Spot::Wall);
        let method = if serves(wish, grid, rules, open, sides) {
            wish
        } else {
            Method::Auto
        };
        let heuristic = if method == Method::Auto || method == Method::AStar {
            draw.weighted(&[(9, Heuristic::OpenGround), (1, Heuristic::Manhattan)])
        } else {
            Heuristic::OpenGround
        };
        let radius = match method {
            // The limit must hold the whole map.
            Method::Portal => 64,
            _ => 20,
        };
        // A search that a sweep answers needs no more than the default.
        let swept = method == Method::Auto
            && layer == Layer::Plain
            && matches!(metric, Metric::Unit | Metric::FourWay)
            && heuristic == Heuristic::OpenGround;
        let expansions = if swept { 150 } else { PLENTY };
        let regions = draw.percent(30);
        // Waypoints count cells only where every step costs the same.
        let plain = matches!(
            layer,
            Layer::Plain | Layer::Exits | Layer::Links | Layer::Storeys
        ) && matches!(metric, Metric::Unit | Metric::FourWay)
            && policy == BodyPolicy::Ignore
            && heuristic == Heuristic::OpenGround
            && !matches!(method, Method::Portal | Method::Trunk);
        let stop_distance = draw.weighted(&[(7, 1), (1, 2), (1, 3)]);
        let fallback = draw.weighted(&[
            (8, Fallback::ClosestReached),
            (1, Fallback::None),
            (1, Fallback::NearestReachable),
        ]);
        let chaser = Chaser {
            stop_distance: if plain { stop_distance } else { 1 },
            rules,
            heuristic,
            limits: Limits {
                radius,
                expansions,
                ..Limits::default()
            },
            fallback,
            method,
            ..Chaser::default()
        };
        let serves_portals = serves(Method::Portal, grid, rules, open, sides);
        let portals = method == Method::Portal || serves_portals && draw.percent(20);
        let row = draw.number(0, grid.height() - 1);
        let column = draw.number(0, grid.width() - 1);
        let roads = grid
            .walkable_cells()
            .filter(|cell| cell.y == row || cell.x == column)
            .collect();
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

/// Returns whether a method finds every way of a scene, by its documentation.
fn serves(method: Method, grid: &Grid, rules: Rules, open: bool, sides: &[u8]) -> bool {
    if method == Method::Auto {
        return true;
    }
    let query = PathQuery::new(Cell::default(), Cell::default())
        .with_rules(rules)
        .with_limits(Limits::window(if method == Method::Portal {
            64
        } else {
            20
        }));
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
