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
    let mut cells: Vec<Cell> = grid.walkable_cells().collect();
    cells.retain(|cell| doors.iter().all(|door| door.at != *cell));
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
        let mut near = end.map_or_else(Vec::new, |end| around(grid, end, steps.into()));
        near.retain(|cell| cells.contains(cell));
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

    /// Draws a chaser, if it fits on the ground at the start, and on `end`.
    fn chaser(
        &self,
        draw: &mut Draw,
        company: Company,
        terrain: &Terrain,
        end: &Grid,
    ) -> Option<Start> {
        let side = draw.number(1, company.sides().into()) as u8;
        let size = Footprint::new(side).expect("one to three cells");
        let is_wary = terrain.has_classes && draw.percent(40);
        let kind = if is_wary { wary() } else { Rules::default() };
        let start = Start {
            at: match self.camp {
                Some(camp) => draw.near(camp, CAMP),
                None => draw.cell(end.size()),
            },
            place: self.place,
            rules: kind.with_footprint(size),
        };
        // A door may be shut at the start and open at the end, or the other way round.
        (start.fits(&terrain.grid) && start.fits(end)).then_some(start)
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
    if company == Company::Ghosts {
        let each = packs
            .iter()
            .flat_map(|pack| std::iter::repeat_n(pack, TRIES));
        let starts = each.filter_map(|pack| pack.chaser(draw, company, terrain, end));
        return starts.collect();
    }
    draw_bodies(end, ground, targets, (TRIES, fill), |place| {
        let pack = packs.iter().find(|pack| pack.place == place)?;
        pack.chaser(draw, company, terrain, end)
    })
}
