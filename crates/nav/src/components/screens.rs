//! The agents of a map by screens: which are near a place.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav_grid::{Cell, Size};
use std::{num::NonZeroU16, ops::RangeInclusive};

/// An index of the agents of a map by place, for servers that send each player only what is nearby.
///
/// Add it to the entity of a [`NavMap`](super::NavMap). Maps without it cost nothing. The map is
/// cut into *screens*: rectangles of 23×14 cells, or of the size given to [`Screens::of`]. They are
/// counted from the upper left corner of each floor. The last ones to the right and at the bottom
/// may be smaller.
///
/// A screen holds every agent with a [`CellPosition`](super::CellPosition) in it whose
/// [`OnMap`](super::OnMap) names the map, chaser or not, disabled or not. An agent off the map, as
/// at [`CellPosition::OUTSIDE`](super::CellPosition::OUTSIDE), is in no screen.
///
/// Screens are updated at the end of [`NavSystems::Step`](crate::NavSystems::Step), with all moves
/// of the plugin and the game since the tick before. An agent that is despawned or loses one of the
/// two components leaves its screen at once.
///
/// The order of agents is unspecified, and depends on earlier arrivals and departures. Sort them,
/// by [`AgentId`](super::AgentId) for example, where the order could show. The plugin itself never
/// reads screens.
///
/// Only the size of screens is saved and cloned. The next tick fills them.
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
/// A tick finds the agents that moved, and takes O(1) for each. A tick in which a map is new,
/// changes its size or gets screens looks at all agents of all maps. Memory:
/// [`Screens::heap_bytes`], and 16 bytes for each entity of the largest number that the world ever
/// held, shared by all maps.
#[derive(Component)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(from = "Sides", into = "Sides"))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Default, Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
pub struct Screens {
    sides: Sides,
    /// Of the map; [`NO_SIZE`] until the plugin has filled the screens.
    pub(super) size: Size,
    /// Number of screens in a row and in a column of a floor.
    pub(super) across: u16,
    pub(super) down: u16,
    /// The agents of each screen with their cells: the screens in reading order, floor by floor.
    pub(super) agents: Vec<Vec<(Entity, Cell)>>,
    /// The number of agents in all screens.
    pub(super) len: usize,
    /// The number of the filling by the plugin; 0 before the first.
    pub(super) filling: u64,
}

/// The columns and rows of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
struct Sides {
    columns: NonZeroU16,
    rows: NonZeroU16,
}

/// The place of a screen among the screens of its map: see [`Screens::screen_of`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect))]
pub struct Screen {
    /// Number of screens to the left of it.
    pub column: u16,
    /// Number of screens above it.
    pub row: u16,
    /// Its floor.
    pub floor: u8,
}

/// The error of [`Screens::of`]: a side is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a screen of {columns}x{rows} cells has none")]
pub struct ScreenSizeError {
    /// The requested columns.
    pub columns: u16,
    /// The requested rows.
    pub rows: u16,
}

/// A size that no map has.
pub(super) const NO_SIZE: Size = Size::new(0, 0).with_floors(0);

impl Screens {
    /// Default columns of a screen: about what a client shows at once, as
    /// [`ROWS`](Self::ROWS).
    pub const COLUMNS: u16 = 23;

    /// Default rows of a screen.
    pub const ROWS: u16 = 14;

    /// Screens of the given columns and rows of cells. With more than the map has, each floor is
    /// one screen.
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

    /// The number of agents in all screens.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether all screens are empty.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The screen of a cell. For a cell off the map it is an empty screen, or the one at the edge
    /// that the cell would extend.
    pub fn screen_of(&self, cell: Cell) -> Screen {
        Screen {
            column: cell.x / self.sides.columns,
            row: cell.y / self.sides.rows,
            floor: cell.floor,
        }
    }

    /// The agents in a screen, in no particular order; none for a screen off the map.
    ///
    /// # Complexity
    ///
    /// Linear in the agents returned.
    pub fn in_screen(&self, screen: Screen) -> impl Iterator<Item = Entity> {
        self.entries(screen).iter().map(|&(agent, _)| agent)
    }

    /// The agents in a screen and in the up to eight screens around it on the same floor, in no
    /// particular order.
    ///
    /// # Complexity
    ///
    /// Linear in the agents returned.
    pub fn around(&self, screen: Screen) -> impl Iterator<Item = Entity> {
        let Screen {
            column, row, floor, ..
        } = screen;
        let columns = column.saturating_sub(1)..=column.saturating_add(1);
        let rows = row.saturating_sub(1)..=row.saturating_add(1);
        self.block(columns, rows, floor).map(|&(agent, _)| agent)
    }

    /// The agents at most `radius` columns and rows from a cell on its floor, agents on the cell
    /// included, in no particular order. The cell need not be on the map.
    ///
    /// # Complexity
    ///
    /// Linear in the screens that the square around the cell touches, and the agents in them.
    pub fn within(&self, cell: Cell, radius: u16) -> impl Iterator<Item = Entity> {
        let reach = |at: u16, cells: u16, side: NonZeroU16| {
            let last = at.saturating_add(radius).min(cells.saturating_sub(1));
            at.saturating_sub(radius) / side..=last / side
        };
        let columns = reach(cell.x, self.size.width, self.sides.columns);
        let rows = reach(cell.y, self.size.height, self.sides.rows);
        self.block(columns, rows, cell.floor)
            .filter(move |(_, at)| at.chebyshev(cell) <= radius)
            .map(|&(agent, _)| agent)
    }

    /// Bytes on the heap.
    ///
    /// 24 for each screen, and 16 for each agent that fits into it. Room is kept when agents leave.
    pub fn heap_bytes(&self) -> usize {
        let room: usize = self.agents.iter().map(Vec::capacity).sum();
        room * size_of::<(Entity, Cell)>()
            + self.agents.capacity() * size_of::<Vec<(Entity, Cell)>>()
    }

    fn block(
        &self,
        columns: RangeInclusive<u16>,
        rows: RangeInclusive<u16>,
        floor: u8,
    ) -> impl Iterator<Item = &(Entity, Cell)> {
        rows.flat_map(move |row| columns.clone().map(move |column| (column, row)))
            .flat_map(move |(column, row)| self.entries(Screen { column, row, floor }))
    }

    /// The agents in a screen; none for a screen off the map.
    fn entries(&self, screen: Screen) -> &[(Entity, Cell)] {
        let Screen { column, row, floor } = screen;
        if column >= self.across || row >= self.down || floor >= self.size.floors {
            return &[];
        }
        let agents = self.agents.get(self.number(screen) as usize);
        agents.map_or(&[], Vec::as_slice)
    }

    /// The number of a screen of the map. There are no more screens than cells, whose number fits.
    fn number(&self, Screen { column, row, floor }: Screen) -> u32 {
        let row = u32::from(floor) * u32::from(self.down) + u32::from(row);
        row * u32::from(self.across) + u32::from(column)
    }

    /// The number of the screen of a cell; `None` off the map.
    #[inline]
    pub(super) fn number_of(&self, cell: Cell) -> Option<u32> {
        let on_map = self.size.contains(cell);
        on_map.then(|| self.number(self.screen_of(cell)))
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
            agents: Vec::new(),
            len: 0,
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
    /// Empty screens of the same size.
    fn clone(&self) -> Self {
        self.sides.into()
    }
}

impl PartialEq for Screens {
    /// Whether the screens have the same size. Their agents follow from the world.
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
