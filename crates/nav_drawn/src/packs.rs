//! Packs of chasers with standing targets, and which of their chasers could arrive.

use super::{
    draw::Draw,
    ways::{Ways, is_in_reach},
};
use bevy_ecs::prelude::*;
use nav::{Body, BodyKind, CellPosition, Chaser, Chasing, NavTimer, OnMap};
use nav_grid::{
    Area, Cell, Footprint, Grid, Rules,
    rules::{Class, ClassCosts, LinkKind, LinkKinds},
};
use nav_testing::{Scene as TestWorld, oracle};
use std::collections::{BTreeMap, BTreeSet};

/// The kind of chasers of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Company {
    /// Chasers without bodies.
    Ghosts,
    /// Soft bodies of one cell.
    Soft,
    /// Solid bodies of one cell.
    Solid,
    /// Solid bodies of one to three cells a side.
    Sizes,
    /// Chasers without bodies that may not enter water, and avoid roads. The ground has lakes and
    /// roads.
    Beasts,
}

impl Company {
    /// Returns the rules that all chasers of the company have, but for their size.
    pub(super) fn rules(self) -> Rules {
        match self {
            Self::Beasts => wary(),
            _ => Rules::default(),
        }
    }

    /// Returns the side of the largest chasers.
    pub(super) const fn sides(self) -> u8 {
        match self {
            Self::Sizes => 3,
            _ => 1,
        }
    }

    /// Returns some rules with each size of the chasers.
    pub(super) fn sizes(self, rules: Rules) -> impl Iterator<Item = Rules> {
        let sizes = Footprint::all().take(self.sides().into());
        sizes.map(move |size| rules.with_footprint(size))
    }

    /// Returns whether no two chasers may be on one cell.
    pub(super) const fn is_solid(self) -> bool {
        matches!(self, Self::Solid | Self::Sizes)
    }

    const fn body(self, footprint: Footprint) -> Option<Body> {
        match self {
            Self::Ghosts | Self::Beasts => None,
            Self::Soft => Some(Body::soft(footprint)),
            Self::Solid | Self::Sizes => Some(Body::solid(footprint)),
        }
    }
}

const WATER: Class = Class::new(1).unwrap();
const ROAD: Class = Class::new(2).unwrap();

/// Returns the rules of a chaser that may not enter water, and pays three times as much on roads.
pub(super) fn wary() -> Rules {
    let kind = LinkKind::new(2).expect("0 to 15");
    Rules::default()
        .with_classes(ClassCosts::ALL.without(WATER).with(ROAD, 3))
        .with_links(LinkKinds::ALL.without(kind))
}

/// Draws lakes and roads onto a map.
pub(super) fn flood(draw: &mut Draw, grid: &mut Grid) {
    for _ in 0..draw.number(1, 14) {
        let class = draw.one_of(&[WATER, ROAD]);
        let area = draw.area(grid.size(), 12);
        grid.set_class(area, class).expect("an area of the map");
    }
}

/// Ticks allowed for preparing maps and waiting for searches: half a minute.
const LOOK_TICKS: u64 = 30 * nav_testing::TICK_RATE;

/// Returns the ticks in which a chaser should make a number of moves: half as many again, and time
/// to look around. A step takes the same time on any ground.
pub(super) const fn ticks_for(moves: u64) -> u64 {
    moves * nav_testing::STEP_TICKS * 3 / 2 + LOOK_TICKS
}

/// A chaser at a cell, and the cell of its target.
#[derive(Clone, Copy)]
pub(super) struct Start {
    pub(super) at: Cell,
    pub(super) place: Cell,
    /// Its rules, with its size.
    pub(super) rules: Rules,
}

impl Start {
    /// Returns the cells of its body.
    pub(super) fn area(self) -> Area {
        self.rules.footprint.area(self.at)
    }

    /// Returns whether the chaser fits on its cell.
    pub(super) fn fits(self, grid: &Grid) -> bool {
        grid.for_rules(self.rules)
            .fits(self.at, self.rules.footprint)
    }

    /// Returns whether a chaser at a cell would be beside the target.
    pub(super) fn is_there(self, grid: &Grid, at: Cell) -> bool {
        is_in_reach(grid, self.rules.footprint, at, self.place)
    }

    /// Describes the chase of a chaser that is not beside its target.
    fn describe(self, world: &TestWorld, chaser: Entity) -> String {
        let Self {
            at: from,
            place,
            rules,
        } = self;
        let (cursor, timer) = (world.cursor(chaser), world.get::<NavTimer>(chaser));
        let how = (
            cursor.state(),
            cursor.guidance(),
            cursor.path().len(),
            timer.failures(),
        );
        let wary = if rules.classes == ClassCosts::ALL {
            ""
        } else {
            ", wary"
        };
        let is_free = self.has_free_way(world, chaser);
        let way = if is_free { ", a way is free" } else { "" };
        format!(
            "{from} to {}, {} wide{wary}, after {place}{way}: {how:?} {:?} {timer:?} map {:?}",
            world.cell(chaser),
            rules.footprint.side(),
            world.failures(chaser),
            world.grid().size()
        )
    }
}

impl Start {
    /// Returns whether the chaser could go to a place beside its target while all other bodies
    /// stay.
    fn has_free_way(self, world: &TestWorld, chaser: Entity) -> bool {
        let app = world.app.world();
        let bodies = app.try_query::<(Entity, &Body, &CellPosition)>();
        let areas: Vec<Area> = bodies
            .into_iter()
            .flat_map(|mut bodies| bodies.iter(app).collect::<Vec<_>>())
            .filter(|&(agent, body, _)| agent != chaser && body.kind == BodyKind::Solid)
            .map(|(_, body, at)| body.footprint.area(at.cell))
            .collect();
        let (grid, from) = (world.grid(), world.cell(chaser));
        let place = oracle::nearest_place(
            grid,
            self.rules,
            from,
            |at| {
                let own = Self { at, ..self }.area();
                !own.contains(self.place) && areas.iter().all(|area| !area.meets(own))
            },
            |at| self.is_there(grid, at),
        );
        place.is_some()
    }
}

/// Spawns targets and their chasers, with everything by default but their rules and their bodies.
/// In pictures the targets are A, B, C and D, and their chasers 1, 2, 3 and 4.
pub(super) fn spawn(
    world: &mut TestWorld,
    company: Company,
    targets: &[Cell],
    starts: Vec<Start>,
) -> Vec<(Entity, Start)> {
    let map = OnMap(world.map);
    let mut agents = BTreeMap::new();
    for (&place, letters) in targets
        .iter()
        .zip([('A', '1'), ('B', '2'), ('C', '3'), ('D', '4')])
    {
        let target = world.target(place);
        world.name(letters.0, target);
        agents.insert(place, (target, letters.1));
    }
    let chasers = starts.into_iter().map(|start| {
        let chaser = Chaser {
            // The size comes from the body.
            rules: start.rules.with_footprint(Footprint::ONE),
            ..Chaser::default()
        };
        let (target, letter) = agents[&start.place];
        let parts = (chaser, Chasing(target), CellPosition::at(start.at), map);
        let chaser = world.world().spawn(parts).id();
        world.name(letter, chaser);
        if let Some(body) = company.body(start.rules.footprint) {
            world.insert(chaser, body);
        }
        (chaser, start)
    });
    chasers.collect()
}

/// Describes the chasers that are not beside their targets.
pub(super) fn short_of(
    world: &TestWorld,
    chasers: impl IntoIterator<Item = (Entity, Start)>,
) -> Vec<String> {
    let chasers = chasers.into_iter();
    let short = chasers.filter(|&(chaser, start)| {
        let at = world.cell(chaser);
        !start.is_there(world.grid(), at)
    });
    short
        .map(|(chaser, start)| start.describe(world, chaser))
        .collect()
}

/// The ground as chasers with some rules see it, and the number of moves from each cell to each
/// target.
struct Left {
    rules: Rules,
    ways: Ways,
    to_places: Vec<(Cell, Vec<Option<u64>>)>,
}

impl Left {
    fn of(grid: &Grid, rules: Rules, targets: &[Cell]) -> Self {
        let ways = Ways::of(grid, rules);
        let to_places = targets.iter().map(|&place| {
            // The target's cell cannot be passed through, but a chaser may begin on it.
            let moves = ways.to(ways.places(grid, place), |at| !ways.covers(at, place));
            (place, moves)
        });
        Self {
            rules,
            to_places: to_places.collect(),
            ways,
        }
    }
}

/// The ground as the chasers of a world see it, and the number of moves from each cell to each
/// target.
pub(super) struct Ground(Vec<Left>);

impl Ground {
    /// Lists all ways for chasers with each of some rules, which have sizes.
    pub(super) fn of(grid: &Grid, rules: &[Rules], targets: &[Cell]) -> Self {
        let mut grid = grid.clone();
        for &rules in rules {
            // Listing the steps of large bodies takes half as long with it.
            grid.prepare_footprint(rules);
        }
        let left = rules.iter().map(|&rules| Left::of(&grid, rules, targets));
        Self(left.collect())
    }

    fn left(&self, rules: Rules) -> &Left {
        let left = self.0.iter().find(|left| left.rules == rules);
        left.expect("rules that the ground was made with")
    }

    /// Returns the ways of chasers with some rules.
    pub(super) fn ways(&self, rules: Rules) -> &Ways {
        &self.left(rules).ways
    }

    /// Returns the places beside the target that the chaser could reach.
    fn places(&self, grid: &Grid, start: Start) -> Vec<Area> {
        let ways = self.ways(start.rules);
        let is_reached = ways.from(start.at, |at| !ways.covers(at, start.place));
        let places = ways.places(grid, start.place);
        places
            .filter(|&at| ways.number(at).is_some_and(|number| is_reached[number]))
            .map(|at| Start { at, ..start }.area())
            .collect()
    }

    /// Returns the number of moves to a place beside the target, if there is a way.
    pub(super) fn moves(&self, start: Start) -> Option<u64> {
        let left = self.left(start.rules);
        let mut places = left.to_places.iter();
        let (_, moves) = places.find(|(place, _)| *place == start.place)?;
        moves[left.ways.number(start.at)?]
    }
}

/// The room beside a target, and the bodies that take it.
pub(super) struct Room<'a> {
    grid: &'a Grid,
    ground: &'a Ground,
    fill: Fill,
    /// The cells that bodies take, each as many as its side is long.
    taken: usize,
    /// The places that each body could reach.
    places: Vec<Vec<Area>>,
}

/// The number of bodies that a target may have, by the cells beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Bodies take half the cells.
    Half,
    /// Bodies take all cells.
    All,
}

impl<'a> Room<'a> {
    /// Creates the free room beside a target.
    pub(super) const fn new(grid: &'a Grid, ground: &'a Ground, fill: Fill) -> Self {
        Self {
            grid,
            ground,
            fill,
            taken: 0,
            places: Vec::new(),
        }
    }

    /// Returns whether there is room for one more body beside its target, and takes it.
    ///
    /// That is if the body and those before it could stand in places of their own at once, each in
    /// one that it could reach if the others were not there. They do not take more than their part
    /// of the cells that a body of one cell could reach from the start of the last one. The first
    /// body of a target always has room.
    pub(super) fn admits(&mut self, start: Start) -> bool {
        let taken = self.taken + usize::from(start.rules.footprint.side());
        let needed = match self.fill {
            Fill::Half => 2 * taken,
            Fill::All => taken,
        };
        let small = Start {
            rules: start.rules.with_footprint(Footprint::ONE),
            ..start
        };
        let cells = self.ground.places(self.grid, small).len();
        if self.taken > 0 && needed > cells {
            return false;
        }
        self.places.push(self.ground.places(self.grid, start));
        // Bodies of one cell have room by their number.
        let is_admitted = taken == self.places.len() || have_room(&self.places, &mut Vec::new());
        if is_admitted {
            self.taken = taken;
        } else {
            self.places.pop();
        }
        is_admitted
    }
}

/// Returns whether bodies can stand at once, each in one of its places, beside others that stand on
/// `taken`.
fn have_room(places: &[Vec<Area>], taken: &mut Vec<Area>) -> bool {
    let Some((own, others)) = places.split_first() else {
        return true;
    };
    own.iter().any(|&place| {
        if taken.iter().any(|other| other.meets(place)) {
            return false;
        }
        taken.push(place);
        let have_room = have_room(others, taken);
        taken.pop();
        have_room
    })
}

/// Draws the starts of bodies, up to `tries` for each target, which `next` draws: on free cells,
/// with a way to the target and room beside it.
pub(super) fn draw_bodies(
    grid: &Grid,
    ground: &Ground,
    targets: &[Cell],
    (tries, fill): (usize, Fill),
    mut next: impl FnMut(Cell) -> Option<Start>,
) -> Vec<Start> {
    let mut taken: BTreeSet<Cell> = targets.iter().copied().collect();
    let mut starts = Vec::new();
    for &place in targets {
        let mut room = Room::new(grid, ground, fill);
        for _ in 0..tries {
            let Some(start) = next(place) else { continue };
            let own: Vec<Cell> = start.area().cells().collect();
            if ground.moves(start).is_some()
                && own.iter().all(|cell| !taken.contains(cell))
                && room.admits(start)
            {
                taken.extend(own);
                starts.push(start);
            }
        }
    }
    starts
}

/// Removes targets that are so near to another one that the rings of cells around them, in which
/// bodies stand, meet.
pub(super) fn keep_apart(targets: &mut Vec<Cell>) {
    let mut apart: Vec<Cell> = Vec::new();
    targets.retain(|&at| {
        let mut others = apart.iter();
        let is_apart = others.all(|other| other.floor != at.floor || other.chebyshev(at) > 8);
        apart.extend(is_apart.then_some(at));
        is_apart
    });
}
