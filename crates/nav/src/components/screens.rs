//! Who is on which part of a map.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav_grid::{Cell, Size};
use std::{num::NonZeroU16, ops::RangeInclusive};

/// The agents of a map by where they are, for servers that send each player only those nearby.
///
/// Add it to the entity of a [`NavMap`](super::NavMap) to have it kept; maps without it cost
/// nothing. The map is cut into *screens*, rectangles of 23×14 cells or of what
/// [`Screens::of`] says, counted from the upper left corner of each floor; those at the right and
/// at the bottom may be cut short. In it is everybody with a [`CellPosition`](super::CellPosition)
/// on the map whose [`OnMap`](super::OnMap) names the map, chaser or not, disabled or not. Agents
/// elsewhere, as at [`CellPosition::OUTSIDE`](super::CellPosition::OUTSIDE), are in no screen.
///
/// It is as of the last tick: brought up to date at the end of
/// [`NavSystems::Step`](crate::NavSystems::Step), with what the plugin and the game moved since
/// the tick before. Only those who are despawned, or lose one of the two components, leave at
/// once.
///
/// The order in which agents are named is unspecified, and depends on who came and went before.
/// Sort them by something of the game's own, as [`AgentId`](super::AgentId), where it could show.
/// The plugin itself never reads it.
///
/// Only the size of the screens is saved and cloned. Who is in them is found again in the next
/// tick.
///
/// ```
/// # use bevy_app::{App, FixedUpdate};
/// # use bevy_time::{TimePlugin, TimeUpdateStrategy};
/// use nav::{Screens, prelude::*};
///
/// # let mut app = App::new();
/// # app.add_plugins((TimePlugin, NavPlugin::new(FixedUpdate)))
/// #     .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// let map = (NavMap::new(Grid::open(64, 64)?), Screens::default());
/// let map = app.world_mut().spawn(map).id();
/// let near = app.world_mut().spawn((OnMap(map), CellPosition::new(25, 10))).id();
/// let far = app.world_mut().spawn((OnMap(map), CellPosition::new(60, 60))).id();
/// # for _ in 0..2 {
/// app.update();
/// # }
///
/// let screens = app.world().get::<Screens>(map).unwrap();
/// let player = screens.screen_of(Cell::new(20, 10));
/// assert!(screens.around(player).eq([near]));
/// assert!(screens.within(Cell::new(62, 58), 2).eq([far]));
/// # Ok::<(), nav_grid::GridError>(())
/// ```
///
/// # Complexity
///
/// A tick costs what it takes to find the agents that moved, and O(1) for each of them. One in
/// which a map is new, of another size, or newly has screens looks at all agents of all maps.
/// Memory on the heap: [`Screens::heap_bytes`], and 16 bytes for every entity that the world ever
/// held at once, shared by all maps.
#[derive(Component)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(from = "Sides", into = "Sides"))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "reflect",
    reflect(opaque, Component, Default, Clone, Debug, PartialEq)
)]
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
pub struct Screens {
    sides: Sides,
    /// Of the map; nothing until the plugin has seen it.
    size: Size,
    /// Screens of a floor, in a row and in a column.
    across: u16,
    down: u16,
    /// The screens in reading order, floor by floor, in pages that are taken when somebody comes.
    pages: Vec<Option<Box<Page>>>,
    /// Where everybody is. Most steps stay within a screen and change nothing but this, which lies
    /// in the order of arrival, so that a tick goes through it about from front to back.
    seats: Vec<Seat>,
    free: Vec<u32>,
    /// Tells apart what the plugin filled, and when; 0 for what it did not.
    filling: u64,
}

/// The columns and rows of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
struct Sides {
    columns: NonZeroU16,
    rows: NonZeroU16,
}

/// The place of a screen among those of its map, by [`Screens::screen_of`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct Screen {
    /// Screens to the left of it.
    pub column: u16,
    /// Screens above it.
    pub row: u16,
    /// The floor it lies on.
    pub floor: u8,
}

/// Screens must have cells: a side was 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenSizeError {
    /// The columns asked for.
    pub columns: u16,
    /// The rows asked for.
    pub rows: u16,
}

impl std::fmt::Display for ScreenSizeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { columns, rows } = self;
        write!(f, "a screen of {columns}x{rows} cells has none")
    }
}

impl std::error::Error for ScreenSizeError {}

const PAGE: usize = 64;

type Page = [Vec<Entry>; PAGE];

/// Somebody in a screen.
struct Entry {
    agent: Entity,
    seat: u32,
}

/// An agent of the map, or the one that was in this seat last.
struct Seat {
    agent: Entity,
    screen: u32,
    /// Where in the screen; [`FREE`] for nobody's seat.
    place: u32,
    cell: Cell,
}

const FREE: u32 = u32::MAX;

/// The agent is not, or not any more, where it was looked for.
pub(crate) struct Absent;

/// The size of no map.
pub(crate) const NO_SIZE: Size = Size::new(0, 0).with_floors(0);

impl Screens {
    /// The columns of a screen by default.
    pub const COLUMNS: u16 = 23;

    /// The rows of a screen by default.
    pub const ROWS: u16 = 14;

    /// Screens of so many columns and rows of cells. More than the map has make each floor one
    /// screen.
    ///
    /// # Errors
    ///
    /// When either is 0.
    pub fn of(columns: u16, rows: u16) -> Result<Self, ScreenSizeError> {
        match (NonZeroU16::new(columns), NonZeroU16::new(rows)) {
            (Some(columns), Some(rows)) => Ok(Sides { columns, rows }.into()),
            _ => Err(ScreenSizeError { columns, rows }),
        }
    }

    /// Columns of cells in a screen, at least 1.
    pub const fn columns(&self) -> u16 {
        self.sides.columns.get()
    }

    /// Rows of cells in a screen, at least 1.
    pub const fn rows(&self) -> u16 {
        self.sides.rows.get()
    }

    /// Number of agents in all screens together.
    pub const fn len(&self) -> usize {
        self.seats.len() - self.free.len()
    }

    /// Whether nobody is in any screen.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The screen that a cell lies in. Cells that are not on the map lie in screens in which there
    /// is nobody, or beyond the edge of one that is cut short.
    #[inline]
    pub fn screen_of(&self, cell: Cell) -> Screen {
        Screen {
            column: cell.x / self.sides.columns,
            row: cell.y / self.sides.rows,
            floor: cell.floor,
        }
    }

    /// Those in a screen, in no particular order; nobody for one that the map does not have.
    ///
    /// # Complexity
    ///
    /// Linear in those named.
    pub fn in_screen(&self, screen: Screen) -> impl Iterator<Item = Entity> {
        self.entries(screen).iter().map(|entry| entry.agent)
    }

    /// Those in a screen and in the up to eight around it on the same floor, in no particular
    /// order.
    ///
    /// # Complexity
    ///
    /// Linear in those named.
    pub fn around(&self, screen: Screen) -> impl Iterator<Item = Entity> {
        let near = |at: u16| at.saturating_sub(1)..=at.saturating_add(1);
        self.block(near(screen.column), near(screen.row), screen.floor)
            .map(|entry| entry.agent)
    }

    /// Those at most `radius` columns and rows of cells from a cell on its floor, those on the cell
    /// included, in no particular order. The cell need not be on the map.
    ///
    /// # Complexity
    ///
    /// Linear in the screens of the map that the square around the cell touches, and those in them.
    pub fn within(&self, cell: Cell, radius: u16) -> impl Iterator<Item = Entity> {
        let reach = |at: u16, cells: u16, side: NonZeroU16| {
            let last = at.saturating_add(radius).min(cells.saturating_sub(1));
            at.saturating_sub(radius) / side..=last / side
        };
        let columns = reach(cell.x, self.size.width, self.sides.columns);
        let rows = reach(cell.y, self.size.height, self.sides.rows);
        self.block(columns, rows, cell.floor)
            .filter(move |entry| {
                let seat = self.seats.get(entry.seat as usize);
                seat.is_some_and(|seat| seat.cell.chebyshev(cell) <= radius)
            })
            .map(|entry| entry.agent)
    }

    /// Bytes on the heap. 8 for every run of 64 screens; 24 for every screen of a run that somebody
    /// ever was in; 16 for every agent that a screen has room for, and 28 for every one that the map
    /// has room for. Room is kept when agents leave.
    pub fn heap_bytes(&self) -> usize {
        let pages = self.pages.iter().flatten();
        let entries: usize = pages
            .clone()
            .flat_map(|page| page.iter().map(Vec::capacity))
            .sum();
        entries * size_of::<Entry>()
            + pages.count() * size_of::<Page>()
            + self.pages.capacity() * size_of::<Option<Box<Page>>>()
            + self.seats.capacity() * size_of::<Seat>()
            + self.free.capacity() * size_of::<u32>()
    }

    fn block(
        &self,
        columns: RangeInclusive<u16>,
        rows: RangeInclusive<u16>,
        floor: u8,
    ) -> impl Iterator<Item = &Entry> {
        rows.flat_map(move |row| columns.clone().map(move |column| (column, row)))
            .flat_map(move |(column, row)| self.entries(Screen { column, row, floor }))
    }

    /// Those in a screen, which need not exist.
    fn entries(&self, screen: Screen) -> &[Entry] {
        let Screen { column, row, floor } = screen;
        if column >= self.across || row >= self.down || floor >= self.size.floors {
            return &[];
        }
        let number = self.number(screen) as usize;
        match self.pages.get(number / PAGE) {
            Some(Some(page)) => &page[number % PAGE],
            _ => &[],
        }
    }

    /// The number of a screen of the map. There are no more screens than cells, which fit.
    #[inline]
    fn number(&self, Screen { column, row, floor }: Screen) -> u32 {
        let row = u32::from(floor) * u32::from(self.down) + u32::from(row);
        row * u32::from(self.across) + u32::from(column)
    }

    /// The number of the screen of a cell, if that is on the map.
    #[inline]
    fn number_of(&self, cell: Cell) -> Option<u32> {
        let on_map = self.size.contains(cell);
        on_map.then(|| self.number(self.screen_of(cell)))
    }

    #[inline]
    fn screen_mut(&mut self, number: u32) -> Option<&mut Vec<Entry>> {
        let page = self.pages.get_mut(number as usize / PAGE)?.as_mut()?;
        Some(&mut page[number as usize % PAGE])
    }

    /// Whether these are of a map of some size, and as they were filled last.
    pub(crate) fn are(&self, size: Size, filling: Option<u64>) -> bool {
        self.size == size && Some(self.filling) == filling
    }

    /// Empties the screens, to be filled with those on a map of some size.
    pub(crate) fn begin(&mut self, size: Size, filling: u64) {
        if self.size == size {
            for screen in self
                .pages
                .iter_mut()
                .flatten()
                .flat_map(|page| page.iter_mut())
            {
                screen.clear();
            }
        } else {
            self.size = size;
            self.across = size.width.div_ceil(self.columns());
            self.down = size.height.div_ceil(self.rows());
            let screens = usize::from(self.across) * usize::from(self.down);
            self.pages = Vec::new();
            self.pages
                .resize_with((screens * usize::from(size.floors)).div_ceil(PAGE), || None);
        }
        self.seats.clear();
        self.free.clear();
        self.filling = filling;
    }

    /// Gives an agent that is in no screen a seat, if its cell is on the map.
    pub(crate) fn enter(&mut self, agent: Entity, cell: Cell) -> Option<u32> {
        let screen = self.number_of(cell)?;
        let page = self.pages.get_mut(screen as usize / PAGE)?;
        let page = page.get_or_insert_with(|| Box::new([const { Vec::new() }; PAGE]));
        let entries = &mut page[screen as usize % PAGE];
        let seat = match self.free.pop() {
            Some(seat) => seat,
            None => u32::try_from(self.seats.len()).ok()?,
        };
        let taken = Seat {
            agent,
            screen,
            place: entries.len() as u32,
            cell,
        };
        entries.push(Entry { agent, seat });
        match self.seats.get_mut(seat as usize) {
            Some(free) => *free = taken,
            None => self.seats.push(taken),
        }
        Some(seat)
    }

    /// Takes an agent out of its screen.
    pub(crate) fn exit(&mut self, agent: Entity, seat: u32) -> Result<(), Absent> {
        let left = self.seat_mut(agent, seat)?;
        let (screen, place) = (left.screen, left.place as usize);
        left.place = FREE;
        self.free.push(seat);
        let entries = self.screen_mut(screen).ok_or(Absent)?;
        if place < entries.len() {
            entries.swap_remove(place);
        }
        let heir = entries.get(place).map(|heir| heir.seat as usize);
        if let Some(heir) = heir.and_then(|heir| self.seats.get_mut(heir)) {
            heir.place = place as u32;
        }
        Ok(())
    }

    /// Notes the cell of an agent. Fails if that is not in the screen that the agent is in.
    #[inline]
    pub(crate) fn follow(&mut self, agent: Entity, seat: u32, cell: Cell) -> Result<(), Absent> {
        let screen = self.number_of(cell);
        let seat = self.seat_mut(agent, seat)?;
        if screen != Some(seat.screen) {
            return Err(Absent);
        }
        seat.cell = cell;
        Ok(())
    }

    #[inline]
    fn seat_mut(&mut self, agent: Entity, seat: u32) -> Result<&mut Seat, Absent> {
        let seat = self.seats.get_mut(seat as usize);
        seat.filter(|seat| seat.agent == agent && seat.place != FREE)
            .ok_or(Absent)
    }
}

impl Default for Screens {
    /// Screens of 23×14 cells.
    fn default() -> Self {
        let columns = const { NonZeroU16::new(Self::COLUMNS).unwrap() };
        let rows = const { NonZeroU16::new(Self::ROWS).unwrap() };
        Sides { columns, rows }.into()
    }
}

impl From<Sides> for Screens {
    fn from(sides: Sides) -> Self {
        Self {
            sides,
            size: NO_SIZE,
            across: 0,
            down: 0,
            pages: Vec::new(),
            seats: Vec::new(),
            free: Vec::new(),
            filling: 0,
        }
    }
}

#[cfg(feature = "serialize")]
impl From<Screens> for Sides {
    fn from(screens: Screens) -> Self {
        screens.sides
    }
}

impl Clone for Screens {
    /// Screens of the same size, with nobody in them yet.
    fn clone(&self) -> Self {
        self.sides.into()
    }
}

impl PartialEq for Screens {
    /// Whether the screens are of the same size. Who is in them follows from the world.
    fn eq(&self, other: &Self) -> bool {
        self.sides == other.sides
    }
}

impl std::fmt::Debug for Screens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Screens")
            .field("columns", &self.columns())
            .field("rows", &self.rows())
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}
