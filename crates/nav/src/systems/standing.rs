//! Who stands where.

use crate::{Body, NavMap};
use bevy_ecs::{
    entity::{EntityHashMap, EntityIndex},
    prelude::*,
};
use nav_grid::{Bodies, Cell, Directions, Footprint, Size, Terrain, Tile};
use std::collections::BTreeMap;

/// The bodies of each map, followed from step to step. Maps on which there never was one have no
/// stage. Hash maps are only looked up, never iterated where order could show.
#[derive(Resource, Default)]
pub(crate) struct Standing {
    stages: EntityHashMap<Stage>,
    /// By the index of an entity: where it was put down.
    places: Vec<Place>,
}

/// The bodies of one map.
pub(crate) struct Stage {
    bodies: Bodies,
    /// Those among them that wait for a cell beside them to become free.
    sleepers: Bodies,
    holders: Holders,
    /// Who else stands on a cell that somebody holds.
    others: BTreeMap<Cell, Vec<u32>>,
}

/// Where an agent was put down.
#[derive(Clone, Copy, Default)]
struct Place {
    map: Option<Entity>,
    cell: Cell,
    footprint: Footprint,
}

impl Standing {
    /// A map together with its bodies and what was prepared of it.
    pub(crate) fn terrain<'a>(&'a self, entity: Entity, map: &'a NavMap) -> Terrain<'a> {
        Terrain {
            bodies: self.stages.get(&entity).map(|stage| &stage.bodies),
            ..map.grid().with_charts(map.charts())
        }
    }

    pub(crate) fn stage(&self, map: Entity) -> Option<&Stage> {
        self.stages.get(&map)
    }

    /// Whether there never was a body.
    pub(super) fn is_empty(&self) -> bool {
        self.stages.is_empty()
    }

    /// Keeps the bodies of some maps, of the size that they have. Says whether it kept those of all.
    pub(super) fn keep(&mut self, size: impl Fn(Entity) -> Option<Size>) -> bool {
        let before = self.stages.len();
        self.stages
            .retain(|&map, stage| size(map) == Some(stage.bodies.size()));
        if self.stages.len() == before {
            return true;
        }
        let stages = &self.stages;
        for place in &mut self.places {
            place.map = place.map.filter(|map| stages.contains_key(map));
        }
        false
    }

    /// Whether an agent is where it was put down.
    #[inline]
    pub(super) fn is_at(
        &self,
        agent: Entity,
        map: Entity,
        footprint: Footprint,
        cell: Cell,
    ) -> bool {
        let place = self.places.get(agent.index_u32() as usize);
        place.is_some_and(|place| {
            (place.map, place.cell, place.footprint) == (Some(map), cell, footprint)
        })
    }

    /// Puts an agent down, or elsewhere than it was. Says whether that is news.
    pub(super) fn put(
        &mut self,
        agent: Entity,
        map: Entity,
        size: Size,
        body: Body,
        cell: Cell,
    ) -> bool {
        let index = agent.index_u32() as usize;
        if self.places.len() <= index {
            self.places.resize(index + 1, Place::default());
        }
        if self.is_at(agent, map, body.footprint, cell) {
            return false;
        }
        self.leave(agent);
        let stage = self.stages.entry(map).or_insert_with(|| Stage::new(size));
        stage.enter(agent.index_u32(), cell, body.footprint);
        self.places[index] = Place {
            map: Some(map),
            cell,
            footprint: body.footprint,
        };
        true
    }

    /// Takes an agent away.
    pub(crate) fn leave(&mut self, agent: Entity) {
        let Some(place) = self.places.get_mut(agent.index_u32() as usize) else {
            return;
        };
        if let Some(map) = place.map.take()
            && let Some(stage) = self.stages.get_mut(&map)
        {
            stage.exit(agent.index_u32(), place.cell, place.footprint);
        }
    }

    /// Moves an agent of the map, which has a stage, to another cell of it.
    #[inline]
    pub(crate) fn step(&mut self, agent: Entity, map: Entity, to: Cell) {
        let index = agent.index_u32();
        let (Some(place), Some(stage)) = (
            self.places.get_mut(index as usize),
            self.stages.get_mut(&map),
        ) else {
            return;
        };
        if place.footprint == Footprint::ONE && stage.others.is_empty() && !stage.is_held(to) {
            stage.swap(index, place.cell, to);
        } else {
            stage.exit(index, place.cell, place.footprint);
            stage.enter(index, to, place.footprint);
        }
        place.cell = to;
    }

    /// Notes that an agent of one cell waits for a neighbouring cell.
    pub(crate) fn sleep(&mut self, map: Entity, cell: Cell) {
        if let Some(stage) = self.stages.get_mut(&map) {
            stage.sleepers.set(cell, true);
        }
    }

    /// Notes that nobody on a cell waits any longer.
    pub(crate) fn rouse(&mut self, map: Entity, cell: Cell) {
        if let Some(stage) = self.stages.get_mut(&map) {
            stage.sleepers.set(cell, false);
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let stages: usize = self.stages.values().map(Stage::heap_bytes).sum();
        stages + self.places.capacity() * size_of::<Place>()
    }
}

impl Stage {
    fn new(size: Size) -> Self {
        Self {
            bodies: Bodies::new(size),
            sleepers: Bodies::new(size),
            holders: Holders::new(size),
            others: BTreeMap::new(),
        }
    }

    /// The cells of a body.
    fn cells(&self, anchor: Cell, footprint: Footprint) -> impl Iterator<Item = Cell> + use<> {
        let size = self.bodies.size();
        let on_map = size.contains(anchor);
        let area = footprint.area(anchor).clipped(size);
        area.cells().take(if on_map { usize::MAX } else { 0 })
    }

    #[inline]
    fn is_held(&self, cell: Cell) -> bool {
        self.holders.of(cell).is_some()
    }

    /// Moves somebody of one cell that holds it to one that nobody holds.
    #[inline]
    fn swap(&mut self, agent: u32, from: Cell, to: Cell) {
        self.sleepers.set(from, false);
        self.holders.set(from, None);
        self.bodies.set(from, false);
        self.holders.set(to, Some(agent));
        self.bodies.set(to, true);
    }

    fn enter(&mut self, agent: u32, anchor: Cell, footprint: Footprint) {
        for cell in self.cells(anchor, footprint) {
            let holder = self.holders.of(cell);
            if holder.is_none() {
                self.holders.set(cell, Some(agent));
                self.bodies.set(cell, true);
            } else {
                self.others.entry(cell).or_default().push(agent);
            }
        }
    }

    fn exit(&mut self, agent: u32, anchor: Cell, footprint: Footprint) {
        self.sleepers.set(anchor, false);
        for cell in self.cells(anchor, footprint) {
            let heir = if self.others.is_empty() {
                None
            } else {
                self.part(agent, cell)
            };
            if self.holders.of(cell) == Some(agent) {
                self.holders.set(cell, heir);
                self.bodies.set(cell, heir.is_some());
            }
        }
    }

    /// Takes an agent off the list of those who share a cell; if it is the one that holds it,
    /// names another.
    fn part(&mut self, agent: u32, cell: Cell) -> Option<u32> {
        let holds = self.holders.of(cell) == Some(agent);
        let others = self.others.get_mut(&cell)?;
        let leaver = if holds {
            others.len().checked_sub(1)
        } else {
            others.iter().position(|&other| other == agent)
        };
        let left = leaver.map(|leaver| others.swap_remove(leaver));
        if others.is_empty() {
            self.others.remove(&cell);
        }
        left.filter(|_| holds)
    }

    /// Who holds a cell.
    pub(crate) fn holder(&self, cell: Cell) -> Option<EntityIndex> {
        EntityIndex::from_raw_u32(self.holders.of(cell)?)
    }

    /// In which directions of a cell somebody stands beside it.
    #[inline]
    pub(crate) fn taken_around(&self, cell: Cell) -> Directions {
        self.bodies.occupied_around(cell)
    }

    /// Whether a body may stand at a place but for itself.
    pub(crate) fn is_free(&self, agent: Entity, anchor: Cell, footprint: Footprint) -> bool {
        self.cells(anchor, footprint).all(|cell| {
            self.holders
                .of(cell)
                .is_none_or(|holder| holder == agent.index_u32())
        })
    }

    /// In which directions of a cell somebody waits for one to become free.
    #[inline]
    pub(crate) fn sleepers_at(&self, cell: Cell) -> Directions {
        self.sleepers.occupied_around(cell)
    }

    fn heap_bytes(&self) -> usize {
        self.bodies.heap_bytes() + self.sleepers.heap_bytes() + self.holders.heap_bytes()
    }
}

/// Who holds each cell, in pages the size of tiles that are taken when somebody comes.
struct Holders {
    columns: usize,
    rows: usize,
    pages: Vec<Option<Box<Page>>>,
}

const PAGE: usize = Tile::SIDE as usize * Tile::SIDE as usize;

/// The index of an entity and one more, or 0 for nobody.
type Page = [u32; PAGE];

impl Holders {
    fn new(size: Size) -> Self {
        let columns = usize::from(size.width.div_ceil(Tile::SIDE));
        let rows = usize::from(size.height.div_ceil(Tile::SIDE));
        let mut pages = Vec::new();
        pages.resize_with(columns * rows * usize::from(size.floors), || None);
        Self {
            columns,
            rows,
            pages,
        }
    }

    #[inline]
    fn place(&self, cell: Cell) -> (usize, usize) {
        let tile = Tile::of(cell);
        let row = usize::from(tile.floor) * self.rows + usize::from(tile.row);
        let spot = cell.y % Tile::SIDE * Tile::SIDE + cell.x % Tile::SIDE;
        (row * self.columns + usize::from(tile.column), spot.into())
    }

    #[inline]
    fn of(&self, cell: Cell) -> Option<u32> {
        let (page, spot) = self.place(cell);
        let page = self.pages.get(page)?.as_ref()?;
        page[spot % PAGE].checked_sub(1)
    }

    /// For a cell of the map.
    #[inline]
    fn set(&mut self, cell: Cell, holder: Option<u32>) {
        let (page, spot) = self.place(cell);
        if let Some(page) = self.pages.get_mut(page) {
            let page = page.get_or_insert_with(|| Box::new([0; PAGE]));
            page[spot % PAGE] = holder.map_or(0, |agent| agent + 1);
        }
    }

    fn heap_bytes(&self) -> usize {
        let taken = self.pages.iter().flatten().count();
        taken * size_of::<Page>() + self.pages.capacity() * size_of::<Option<Box<Page>>>()
    }
}
