//! Finding out what a game changed.

use crate::{
    column::{Since, TracedColumns, written},
    maps::MapsBefore,
    masks::{MAP, Masks},
    numbers::Numbers,
    record::Inputs,
};
use bevy_ecs::{change_detection::Tick, entity_disabling::Disabled, prelude::*};
use nav::{AgentIds, CellPosition, NavBudget, NavClock};
use std::collections::BTreeMap;

/// Compares a world with what it was at the last look.
pub(super) struct InputWatch {
    columns: TracedColumns,
    masks: Masks,
    numbers: Numbers,
    maps: MapsBefore,
    settings: Settings,
    switched: Switched,
    /// When it last looked.
    then: Tick,
}

/// Disabled agents. Of one that was given another target, while the one before was despawned, a replay first takes
/// the chase away: what follows from that did not happen.
type Switched = QueryState<Entity, (With<CellPosition>, With<Disabled>)>;

/// A resource of a world, or its default.
fn resource<R: Resource + Copy + Default>(world: &World) -> R {
    world.get_resource().copied().unwrap_or_default()
}

/// What is in resources.
#[derive(Clone, Copy, PartialEq)]
struct Settings {
    clock: NavClock,
    ids: AgentIds,
    budget: NavBudget,
}

impl Settings {
    fn of(world: &World) -> Self {
        Self {
            clock: resource(world),
            ids: resource(world),
            budget: resource(world),
        }
    }
}

impl InputWatch {
    /// Takes a first look at a world of which those are all agents and maps, in the order of their
    /// numbers.
    pub(super) fn new(
        world: &mut World,
        columns: TracedColumns,
        all: impl Iterator<Item = Entity>,
    ) -> Self {
        let masks = Masks::new(world, columns.ids());
        let mut numbers = Numbers::default();
        for entity in all {
            let number = numbers.give(entity);
            debug_assert_eq!(number, numbers.last(), "none is given twice");
        }
        numbers.look(world, &masks);
        Self {
            maps: MapsBefore::of(world, &numbers),
            settings: Settings::of(world),
            switched: world.query_filtered(),
            then: world.increment_change_tick(),
            columns,
            masks,
            numbers,
        }
    }

    pub(super) const fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// What the game changed since the last look.
    ///
    /// # Errors
    ///
    /// A value that cannot be serialised.
    pub(super) fn inputs(&mut self, world: &mut World) -> postcard::Result<Inputs> {
        let since = Since {
            then: self.then,
            now: world.change_tick(),
        };
        let Self {
            columns,
            masks,
            numbers,
            maps,
            settings,
            switched,
            ..
        } = self;
        let mut inputs = Inputs::default();
        let news = numbers.look(world, masks);
        inputs.gone = news.gone.iter().map(|&(number, _)| number).collect();
        let born = news
            .born
            .into_iter()
            .map(|entity| (numbers.give(entity), entity));
        inputs.born = born.collect();
        let mut before = BTreeMap::new();
        for (entity, had, has) in news.masks {
            let number = numbers.give(entity);
            numbers.note(entity, has);
            before.insert(number, had);
            inputs.masks.push((number, has));
            if has & MAP == 0 {
                maps.forget(number);
            }
        }
        inputs.masks.sort_unstable();
        for &number in &inputs.gone {
            maps.forget(number);
        }
        inputs.maps = maps.changes(world, since, numbers);
        let switched = switched.iter(world).filter(|&agent| {
            let agent = world.get_entity(agent);
            agent.is_ok_and(|agent| columns.are_written(agent, since))
        });
        let switched: Vec<Entity> = switched.collect();
        for (number, column) in (0_u8..).zip(columns.iter()) {
            let written = written(*column, world, since, numbers, &switched)?;
            if written.values.is_empty() {
                continue;
            }
            inputs.columns.push((number, written.values));
            let had = |agent: &u32| before.get(agent).is_none_or(|had| had & 1 << number != 0);
            let again = written.added.into_iter().filter(had);
            inputs.renewed.extend(again.map(|agent| (number, agent)));
        }
        let now = Settings::of(world);
        inputs.clock = (now.clock != settings.clock).then_some(now.clock);
        inputs.ids = (now.ids != settings.ids).then_some(now.ids);
        inputs.budget = (now.budget != settings.budget).then_some(now.budget);
        inputs.last = numbers.last();
        *settings = now;
        self.then = world.increment_change_tick();
        Ok(inputs)
    }

    /// Looks on while others act than the game: what they changed is no input.
    pub(super) fn look_on(&mut self, world: &mut World) {
        let news = self.numbers.look_after_tick(world, &self.masks);
        for (number, _) in news.gone {
            self.maps.forget(number);
        }
        self.settings = Settings::of(world);
        self.then = world.increment_change_tick();
    }
}
