//! Windows of a larger world: moving a map with all that is on it.

use crate::{
    CellPosition, FieldAnchor, GoTo, NavMap, OnLink, OnMap, PathCursor, PathRequest, ReachRequest,
};
use bevy_ecs::{
    component::Mutable, entity::EntityHashSet, entity_disabling::Disabled, prelude::*, query::Allow,
};
use nav_grid::{
    Cell,
    map::{FrameError, Shift},
};

/// The observer event that a map moved as a window of a larger world. The target is the map.
///
/// Triggered by [`shift_map`] after the agents were moved: for cells that a game keeps in
/// components of its own. `nav_behaviour` moves homes, patrols, centres of wandering and beginnings
/// of chases.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapShifted {
    /// The map.
    #[event_target]
    pub map: Entity,
    /// How far the window moved. Cells moved the other way: [`Shift::moved`].
    pub by: Shift,
}

/// The reason why a [map was not moved](shift_map). The world is unchanged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShiftMapError {
    /// The entity has no [`NavMap`].
    #[error("there is no map to move")]
    NoMap,
    /// Some agents, or ends of walks, would be off the map.
    #[error("{agents} agents or ends of walks would be off the map: take them off first")]
    Outside {
        /// Their number.
        agents: usize,
    },
    /// The world is too far out for the frame of the map.
    #[error("the map cannot be moved that far: {0}")]
    Frame(#[from] FrameError),
}

/// Moves a map as a window over a larger world, with all that is on it, so that nothing in the
/// world moves.
///
/// The ground moves as [`Grid::shift`](nav_grid::Grid::shift) says, and the [frame](NavMap::frame)
/// the other way. Then the cells of agents, of their paths, walks, requests and fields.
/// [`MapShifted`] tells of it, for cells that other components hold. World positions stay as they
/// are. Chases go on along their paths; fields around targets are made again in the next tick, and
/// what the map prepared within the next ones.
///
/// Call it between two ticks, or before [`NavSystems::Observe`](crate::NavSystems::Observe), by a
/// command:
///
/// ```
/// # use bevy_ecs::prelude::*;
/// use nav::{nav_grid::map::Shift, prelude::*, maps::shift_map};
///
/// fn move_window(map: Single<Entity, With<NavMap>>, mut commands: Commands) {
///     let map = *map;
///     commands.queue(move |world: &mut World| shift_map(world, map, Shift::new(4, 0)));
/// }
/// # bevy_ecs::system::assert_is_system(move_window);
/// ```
///
/// # Errors
///
/// [`ShiftMapError`]; the world is unchanged then.
///
/// # Complexity
///
/// That of [`Grid::shift`](nav_grid::Grid::shift), and O(agents and their waypoints). Measured with
/// 1,000 chasers on 1024×1024 cells: see the page on worlds without end of the book.
pub fn shift_map(world: &mut World, map: Entity, by: Shift) -> Result<(), ShiftMapError> {
    let nav_map = world.get::<NavMap>(map).ok_or(ShiftMapError::NoMap)?;
    let size = nav_map.grid().size();
    let mut agents = world.query_filtered::<(&OnMap, &CellPosition), Allow<Disabled>>();
    let mut outside = 0;
    for (on_map, position) in agents.iter(world) {
        let stays = (by.moved(position.cell)).is_some_and(|cell| size.contains(cell));
        outside += usize::from(on_map.0 == map && !stays);
    }
    if outside > 0 {
        return Err(ShiftMapError::Outside { agents: outside });
    }
    if let Some(mut map) = world.get_mut::<NavMap>(map) {
        map.shift(by)?;
    }
    // The cells of all that is on the map, component by component.
    let mut all = world.query_filtered::<(Entity, &OnMap), Allow<Disabled>>();
    let on_it: EntityHashSet = all
        .iter(world)
        .filter(|(_, on_map)| on_map.0 == map)
        .map(|(entity, _)| entity)
        .collect();
    each::<CellPosition>(world, &on_it, |position| shift_cell(&mut position.cell, by));
    each::<GoTo>(world, &on_it, |go_to| shift_cell(&mut go_to.0, by));
    each::<PathCursor>(world, &on_it, |cursor| cursor.shift(by));
    each::<FieldAnchor>(world, &on_it, |anchor| shift_anchor(anchor, by));
    each::<PathRequest>(world, &on_it, |request| {
        shift_cell(&mut request.from, by);
        shift_cell(&mut request.to, by);
        for other in &mut request.others {
            shift_cell(other, by);
        }
    });
    each::<ReachRequest>(world, &on_it, |request| shift_cell(&mut request.from, by));
    shift_links(world, &on_it, by);
    world.trigger(MapShifted { map, by });
    Ok(())
}

/// Moves the links that agents are on. Inserted again, since bodies hold their starts.
fn shift_links(world: &mut World, on_it: &EntityHashSet, by: Shift) {
    let mut having = world.query_filtered::<(Entity, &OnLink), Allow<Disabled>>();
    let on_links = having
        .iter(world)
        .filter(|(agent, _)| on_it.contains(agent));
    let mut on_links: Vec<(Entity, OnLink)> = on_links.map(|(agent, on)| (agent, *on)).collect();
    on_links.sort_unstable_by_key(|&(agent, _)| agent);
    for (agent, on) in on_links {
        let moved = on.moved(|mut cell| {
            shift_cell(&mut cell, by);
            cell
        });
        world.entity_mut(agent).insert(moved);
    }
}

/// Changes a component of all that is on a map.
fn each<C: Component<Mutability = Mutable>>(
    world: &mut World,
    on_it: &EntityHashSet,
    change: impl Fn(&mut C),
) {
    let mut having = world.query_filtered::<(Entity, &mut C), Allow<Disabled>>();
    for (entity, mut component) in having.iter_mut(world) {
        if on_it.contains(&entity) {
            change(&mut component);
        }
    }
}

/// Moves a cell. One without coordinates becomes the last cell there can be, which is off every
/// map.
fn shift_cell(cell: &mut Cell, by: Shift) {
    let off = Cell::new(u16::MAX, u16::MAX).on_floor(cell.floor);
    *cell = by.moved(*cell).unwrap_or(off);
}

fn shift_anchor(anchor: &mut FieldAnchor, by: Shift) {
    for (place, _) in [&mut anchor.aimed, &mut anchor.far].into_iter().flatten() {
        shift_cell(&mut place.cell, by);
    }
    if let Some((cell, _)) = &mut anchor.still {
        shift_cell(cell, by);
    }
    shift_cell(&mut anchor.before.0, by);
}
