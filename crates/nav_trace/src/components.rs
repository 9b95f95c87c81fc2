//! Recorded components: columns of values, and bit masks of the components of an entity.

use crate::blocks::TraceError;
use bevy_ecs::{
    change_detection::Tick, component::ComponentId, entity_disabling::Disabled, prelude::*,
};
use nav::{AgentId, CellPosition, NavMap, saving::saved_columns, state::Column};

/// The components of an entity: a bit for each column, [`DISABLED`] and [`MAP`].
pub(crate) type Mask = u64;
/// The bit of [`Disabled`].
pub(crate) const DISABLED: Mask = 1 << 62;
/// The bit of [`NavMap`].
pub(crate) const MAP: Mask = 1 << 63;
/// Columns at most: the bits of a [`Mask`] below [`DISABLED`].
const COLUMNS_MAX: usize = 62;

/// The filter for agents. Those with a number and no place ask for paths.
pub(crate) type Agents = Or<(With<CellPosition>, With<AgentId>)>;

/// The recorded components of agents.
pub(crate) struct Components {
    /// The columns, in the order in which they are written. The bit of a column in a [`Mask`] is
    /// its place.
    pub(crate) columns: Vec<Column>,
    ids: Vec<ComponentId>,
    /// An agent has one of them, as [`Agents`] says.
    agent: [ComponentId; 2],
    disabled: ComponentId,
    map: ComponentId,
}

impl Components {
    /// All components of a world.
    ///
    /// # Errors
    ///
    /// [`TraceError::TooManyComponents`].
    pub(crate) fn all(world: &mut World) -> Result<Self, TraceError> {
        let columns = saved_columns(world);
        let (registered, most) = (columns.len(), COLUMNS_MAX);
        if registered > most {
            return Err(TraceError::TooManyComponents { registered, most });
        }
        Ok(Self::new(world, columns))
    }

    /// The components with these names, in the order of the names.
    ///
    /// # Errors
    ///
    /// [`TraceError::OtherComponents`].
    pub(crate) fn named(world: &mut World, names: &[String]) -> Result<Self, TraceError> {
        let all = saved_columns(world);
        let columns = names.iter().take(COLUMNS_MAX).map(|name| {
            let column = all.iter().find(|column| column.name == name);
            column.copied().ok_or_else(|| TraceError::OtherComponents {
                component: name.clone(),
            })
        });
        let columns = columns.collect::<Result<_, _>>()?;
        Ok(Self::new(world, columns))
    }

    fn new(world: &mut World, columns: Vec<Column>) -> Self {
        Self {
            ids: columns
                .iter()
                .map(|column| (column.register)(world))
                .collect(),
            columns,
            agent: [
                world.register_component::<CellPosition>(),
                world.register_component::<AgentId>(),
            ],
            disabled: world.register_component::<Disabled>(),
            map: world.register_component::<NavMap>(),
        }
    }

    /// The agents and maps of a world with their masks, in the order of storage.
    pub(crate) fn masks(&self, world: &World) -> impl Iterator<Item = (Entity, Mask)> {
        let archetypes = world.archetypes().iter().filter(move |archetype| {
            let mut ids = self.agent.into_iter().chain([self.map]);
            ids.any(|id| archetype.contains(id))
        });
        archetypes.flat_map(move |archetype| {
            // All entities of an archetype have the same components, and so the same mask.
            let columns = (0..).zip(&self.ids).map(|(place, &id)| (id, 1 << place));
            let mask = columns
                .chain([(self.disabled, DISABLED), (self.map, MAP)])
                .filter(|&(id, _)| archetype.contains(id))
                .fold(0, |mask, (_, bit)| mask | bit);
            archetype.entities().iter().map(move |row| (row.id(), mask))
        })
    }

    /// Returns whether a component of an agent was written at a tick that `is_news` accepts.
    pub(crate) fn any_changed(&self, agent: EntityRef, is_news: impl Fn(Tick) -> bool) -> bool {
        let ticks = self.ids.iter();
        ticks
            .filter_map(|&id| agent.get_change_ticks_by_id(id))
            .any(|ticks| is_news(ticks.changed))
    }
}
