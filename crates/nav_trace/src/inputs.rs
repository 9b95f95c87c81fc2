//! Finds what a game changed since the last look at its world.

use crate::{
    components::{Agents, Components},
    maps::MapCopies,
    numbers::Numbers,
    record::Inputs,
};
use bevy_ecs::{change_detection::Tick, entity_disabling::Disabled, prelude::*};
use nav::{NavBudget, NavClock, extend::AgentIds, state::StateRole};
use std::collections::BTreeMap;

/// The state of a world at the last look, to find later changes by the game.
pub(super) struct InputWatch {
    components: Components,
    pub(super) numbers: Numbers,
    maps: MapCopies,
    settings: Settings,
    /// Disabled agents.
    disabled: QueryState<Entity, (Agents, With<Disabled>)>,
    /// The tick of the last look.
    then: Tick,
}

/// The recorded resources.
type Settings = (NavClock, AgentIds, NavBudget);

/// The resources of a world; defaults where they are missing.
fn settings(world: &World) -> Settings {
    fn resource<R: Resource + Copy + Default>(world: &World) -> R {
        world.get_resource().copied().unwrap_or_default()
    }
    (resource(world), resource(world), resource(world))
}

impl InputWatch {
    /// Takes a first look. `all` are the agents and maps of the world, in the order of their
    /// numbers.
    pub(super) fn new(
        world: &mut World,
        components: Components,
        all: impl Iterator<Item = Entity>,
    ) -> Self {
        let mut numbers = Numbers::default();
        for entity in all {
            let number = numbers.assign(entity);
            debug_assert_eq!(number, numbers.last, "no number is assigned twice");
        }
        numbers.scan(world, &components);
        Self {
            maps: MapCopies::of(world),
            settings: settings(world),
            disabled: world.query_filtered(),
            then: world.increment_change_tick(),
            components,
            numbers,
        }
    }

    /// Returns what the game changed since the last look.
    ///
    /// # Errors
    ///
    /// A value that cannot be serialised.
    pub(super) fn inputs(&mut self, world: &mut World) -> postcard::Result<Inputs> {
        let (then, now) = (self.then, world.change_tick());
        let is_news = |tick: Tick| tick.is_newer_than(then, now);
        let news = self.numbers.scan(world, &self.components);
        let mut inputs = Inputs {
            born: news.born,
            gone: news.gone,
            maps: self.maps.changes(world, &self.numbers, is_news),
            ..Inputs::default()
        };
        let mut before = BTreeMap::new();
        for (number, had, has) in news.masks {
            before.insert(number, had);
            inputs.masks.push((number, has));
        }
        inputs.masks.sort_unstable();
        // A replay spawns in this order, which decides where it cannot copy an entity's index.
        inputs.born.sort_unstable_by_key(|&(_, entity)| entity);
        // A replay removes the `Chasing` of a disabled agent whose target is despawned, even where
        // the game had given it another target in time. All values of such an agent are written, so
        // that this has no consequences.
        let rewritten = self.disabled.iter(world).filter(|&agent| {
            let agent = world.get_entity(agent);
            agent.is_ok_and(|agent| self.components.any_changed(agent, is_news))
        });
        let rewritten: Vec<Entity> = rewritten.collect();
        for (place, column) in (0_u8..).zip(&self.components.columns) {
            // Of a component that shows what an agent does only the insertion counts: nothing
            // follows from its value.
            let is_shown = column.role == StateRole::Shown;
            let mut agents = Vec::new();
            (column.for_each)(world, &mut |agent, ticks| {
                let is_added = is_news(ticks.added);
                let is_written = is_added || !is_shown && is_news(ticks.changed);
                if is_written || rewritten.contains(&agent) {
                    let number = self.numbers.assign(agent);
                    agents.push((number, agent));
                    let had = before.get(&number).is_none_or(|had| had & 1 << place != 0);
                    if is_added && had {
                        inputs.renewed.push((place, number));
                    }
                }
            });
            if !agents.is_empty() {
                agents.sort_unstable();
                let values = (column.write)(world, &agents, &mut self.numbers)?;
                inputs.columns.push((place, values));
            }
        }
        inputs.renewed.sort_unstable();
        let now = settings(world);
        inputs.clock = (now.0 != self.settings.0).then_some(now.0);
        inputs.ids = (now.1 != self.settings.1).then_some(now.1);
        inputs.budget = (now.2 != self.settings.2).then_some(now.2);
        inputs.last = self.numbers.last;
        self.settings = now;
        self.then = world.increment_change_tick();
        Ok(inputs)
    }

    /// Looks at the world after the plugin or behaviours acted: what they changed is no input.
    pub(super) fn skip(&mut self, world: &mut World) {
        self.numbers.scan(world, &self.components);
        self.settings = settings(world);
        self.then = world.increment_change_tick();
    }
}
