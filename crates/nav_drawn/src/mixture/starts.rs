//! The targets of worlds of the mixture, and the places where their chasers start.

use super::{
    super::{
        draw::Draw,
        near::around,
        packs::{Company, Fill, Ground, Start, draw_bodies, keep_apart, wary},
    },
    terrain::{Door, Terrain},
};
use nav_grid::{Cell, Footprint, Grid, Rules};

/// Largest distance of chasers from the camp of their pack, in columns and rows: a pack
/// that starts together meets itself and other packs at stairs and doors.
const CAMP: u16 = 5;

/// Chasers that are drawn for a target. About half of them are dropped: they would start in a wall
/// or on another one, or find no room or no way.
const TRIES: usize = 16;

/// Draws an end of a link that can be stood on, if there is one.
fn draw_link_end(draw: &mut Draw, grid: &Grid) -> Option<Cell> {
    let links = grid.links();
    if links.is_empty() {
        return None;
    }
    let link = links[draw.below(links.len())];
    let end = draw.one_of(&[link.from, link.to]);
    grid.is_walkable(end).then_some(end)
}

/// Draws one to four targets. Half of them are near the end of a link: bodies that rest beside
/// those stand in the way of others.
pub(super) fn draw_targets(draw: &mut Draw, grid: &Grid, doors: &[Door]) -> Vec<Cell> {
    let is_no_door = |cell: &Cell| doors.iter().all(|door| door.at != *cell);
    let cells: Vec<Cell> = grid.walkable_cells().filter(is_no_door).collect();
    let count = draw.weighted(&[(1, 1), (3, 2), (3, 3), (3, 4)]);
    let mut targets = Vec::new();
    // A target too near to another is drawn again, but not for ever: a small map has no room for
    // four.
    for _ in 0..4 * count {
        if targets.len() == count {
            break;
        }
        let is_near_link = draw.percent(50);
        let end = draw_link_end(draw, grid).filter(|_| is_near_link);
        let steps = draw.number(1, 2);
        let near = end.map_or_else(Vec::new, |end| around(grid, end, steps.into()));
        let near: Vec<Cell> = near.into_iter().filter(is_no_door).collect();
        targets.push(draw.one_of(if near.is_empty() { &cells } else { &near }));
        keep_apart(&mut targets);
    }
    targets
}

/// The chasers of a target, before they are drawn.
struct Pack {
    /// The cell of the target.
    place: Cell,
    /// The cell around which they start. Without one they start anywhere.
    camp: Option<Cell>,
}

impl Pack {
    /// Draws the pack of a target. Three of four have a camp: anywhere, at the end of a link, where
    /// packs with different targets meet, or near the target of another pack.
    fn draw(draw: &mut Draw, grid: &Grid, place: Cell, targets: &[Cell]) -> Self {
        let cells: Vec<Cell> = grid.walkable_cells().collect();
        let anywhere = draw.one_of(&cells);
        let at_link = draw_link_end(draw, grid).unwrap_or(anywhere);
        let at_target = draw.one_of(targets);
        let camp = draw.one_of(&[None, Some(anywhere), Some(at_link), Some(at_target)]);
        Self { place, camp }
    }

    /// Draws a chaser, if it fits on `grid`, the ground at the start, and on `end`.
    fn chaser(&self, draw: &mut Draw, rules: Rules, grid: &Grid, end: &Grid) -> Option<Start> {
        let size = grid.size();
        let at = if let Some(camp) = self.camp {
            Cell {
                x: (camp.x + draw.number(0, 2 * CAMP)).saturating_sub(CAMP),
                y: (camp.y + draw.number(0, 2 * CAMP)).saturating_sub(CAMP),
                ..camp
            }
        } else {
            let (x, y) = (
                draw.number(0, size.width - 1),
                draw.number(0, size.height - 1),
            );
            Cell::new(x, y).on_floor(draw.below(size.floors.into()) as u8)
        };
        // A door may be shut at the start and open at the end, or the other way round.
        let fits = |grid: &Grid| grid.for_rules(rules).fits(at, rules.footprint);
        let place = self.place;
        (fits(grid) && fits(end)).then_some(Start { at, place, rules })
    }
}

/// Draws chasers. `ground` is the ground at the end.
pub(super) fn draw_starts(
    draw: &mut Draw,
    company: Company,
    terrain: &Terrain,
    (end, ground): (&Grid, &Ground),
    targets: &[Cell],
    fill: Fill,
) -> Vec<Start> {
    let packs: Vec<Pack> = targets
        .iter()
        .map(|&place| Pack::draw(draw, end, place, targets))
        .collect();
    let mut next = |pack: &Pack| {
        let size = Footprint::new(draw.number(1, company.sides().into()) as u8);
        let is_wary = terrain.has_classes && draw.percent(40);
        let rules = if is_wary { wary() } else { Rules::default() };
        let rules = rules.with_footprint(size.expect("one to three cells"));
        pack.chaser(draw, rules, &terrain.grid, end)
    };
    if company == Company::Ghosts {
        let each = packs
            .iter()
            .flat_map(|pack| std::iter::repeat_n(pack, TRIES));
        return each.filter_map(next).collect();
    }
    draw_bodies(end, ground, targets, (TRIES, fill), |place| {
        next(packs.iter().find(|pack| pack.place == place)?)
    })
}
