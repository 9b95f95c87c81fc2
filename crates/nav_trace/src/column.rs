//! What a game wrote to the components of agents.

use crate::{error::TraceError, masks::Masks, numbers::Numbers};
use bevy_ecs::{
    change_detection::{ComponentTicks, Tick},
    component::ComponentId,
    prelude::*,
};
use nav::{
    saving::saved_columns,
    state::{Column, StateRole},
};

/// What is newer than a look at the world.
#[derive(Clone, Copy)]
pub(crate) struct Since {
    /// When that was.
    pub(crate) then: Tick,
    /// When it is now.
    pub(crate) now: Tick,
}

impl Since {
    /// Whether something happened after that look.
    pub(crate) fn is_news(self, tick: Tick) -> bool {
        tick.is_newer_than(self.then, self.now)
    }
}

/// What a game wrote to the components of one kind.
#[derive(Default)]
pub(crate) struct Written {
    /// Numbers and values, as a trace keeps them; nothing if nothing was written.
    pub(crate) values: Vec<u8>,
    /// Of whom it was inserted, rather than overwritten, by number.
    pub(crate) added: Vec<u32>,
}

/// All components that agents can have, in the order in which they are written.
pub(crate) struct TracedColumns {
    columns: Vec<Column>,
    ids: Vec<ComponentId>,
}

impl TracedColumns {
    /// So many at most, since a trace has a bit for each.
    pub(crate) const MAX: usize = Masks::COLUMNS;

    /// Those of a world.
    ///
    /// # Errors
    ///
    /// [`TraceError::TooManyComponents`].
    pub(crate) fn all(world: &mut World) -> Result<Self, TraceError> {
        let columns = saved_columns(world);
        if columns.len() > Self::MAX {
            return Err(TraceError::TooManyComponents {
                registered: columns.len(),
                most: Self::MAX,
            });
        }
        Ok(Self::of(columns, world))
    }

    /// Those of a world that have some names, in their order.
    ///
    /// # Errors
    ///
    /// [`TraceError::OtherComponents`].
    pub(crate) fn named(world: &mut World, names: &[String]) -> Result<Self, TraceError> {
        let all = saved_columns(world);
        let columns = names.iter().take(Self::MAX).map(|name| {
            let column = all.iter().find(|column| column.name() == name);
            column.copied().ok_or_else(|| TraceError::OtherComponents {
                component: name.clone(),
            })
        });
        let columns = columns.collect::<Result<_, _>>()?;
        Ok(Self::of(columns, world))
    }

    fn of(columns: Vec<Column>, world: &mut World) -> Self {
        let ids = columns.iter().map(|column| column.register(world));
        Self {
            ids: ids.collect(),
            columns,
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter()
    }

    pub(crate) fn ids(&self) -> &[ComponentId] {
        &self.ids
    }

    /// That with a number.
    pub(crate) fn get(&self, number: u8) -> Option<&Column> {
        self.columns.get(usize::from(number))
    }

    /// The names, in order: a trace of other columns cannot be read.
    pub(crate) fn names(&self) -> Vec<String> {
        self.iter().map(|column| column.name().into()).collect()
    }

    /// Whether something of an agent was written since a look.
    pub(crate) fn are_written(&self, agent: EntityRef, since: Since) -> bool {
        let ticks = self.ids.iter();
        ticks
            .filter_map(|&id| agent.get_change_ticks_by_id(id))
            .any(|ticks| since.is_news(ticks.changed))
    }
}

/// What was written to a component since a look, and whatever some agents have.
///
/// # Errors
///
/// A value that cannot be serialised.
pub(crate) fn written(
    column: Column,
    world: &World,
    since: Since,
    numbers: &mut Numbers,
    all_of: &[Entity],
) -> Result<Written, postcard::Error> {
    // Agents say what they are doing after the tick, and nothing follows from it.
    let only_new = column.role() == StateRole::Shown;
    let mut agents = Vec::new();
    let mut added = Vec::new();
    column.for_each(world, |agent, ticks: ComponentTicks| {
        let is_added = since.is_news(ticks.added);
        let is_written = is_added || !only_new && since.is_news(ticks.changed);
        if is_written || all_of.contains(&agent) {
            let number = numbers.give(agent);
            if is_added {
                added.push(number);
            }
            agents.push((number, agent));
        }
    });
    if agents.is_empty() {
        return Ok(Written::default());
    }
    agents.sort_unstable();
    added.sort_unstable();
    let values = column.write(world, &agents, numbers)?;
    Ok(Written { values, added })
}
