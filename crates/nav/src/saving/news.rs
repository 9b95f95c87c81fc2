//! What a game changed of chasers since their last tick: what their components do not say.

use super::stand_ins::StandIns;
use crate::{Body, Chaser, Chasing, components::SearchesAlone, systems::NewsSince};
use bevy_ecs::{change_detection::ComponentTicks, prelude::*};
use serde::{Deserialize, Serialize};

/// The chasers that got another target or another tuning since the last tick.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewsSave {
    retargeted: Vec<Entity>,
    retuned: Vec<Entity>,
}

impl NewsSave {
    /// That of some agents. Chasers that have had no tick yet are all new, here as when they are restored.
    pub(super) fn of(world: &World, agents: impl Iterator<Item = Entity>) -> Self {
        let mut news = Self::default();
        let Some(since) = NewsSince::of(world) else {
            return news;
        };
        let now = world.read_change_tick();
        let is_changed =
            |of: Option<ComponentTicks>, since| of.is_some_and(|of| of.is_changed(since, now));
        for agent in agents.filter_map(|agent| world.get_entity(agent).ok()) {
            let Some(chaser) = agent.get_change_ticks::<Chaser>() else {
                continue;
            };
            let is_retargeted = is_changed(agent.get_change_ticks::<Chasing>(), since.targets);
            if is_retargeted && !chaser.is_added(since.targets, now) {
                news.retargeted.push(agent.id());
            }
            // Whom the crate itself has search alone, or share again, is not tuned by the game.
            let is_tuned = |of| is_changed(of, since.tunings);
            let is_led = is_tuned(agent.get_change_ticks::<SearchesAlone>());
            let is_retuned = is_tuned(Some(chaser)) || is_tuned(agent.get_change_ticks::<Body>());
            if is_retuned && !is_led && !chaser.is_added(since.tunings, now) {
                news.retuned.push(agent.id());
            }
        }
        news
    }

    /// Has agents of a world that was restored be changed since.
    pub(super) fn restore(self, entities: &mut StandIns) {
        rewrite::<Chasing>(entities, &self.retargeted);
        rewrite::<Chaser>(entities, &self.retuned);
    }
}

/// Writes a component of agents once more, which marks it as changed: relationships cannot be written in place.
fn rewrite<C: Component + Clone>(entities: &mut StandIns, agents: &[Entity]) {
    for agent in agents {
        let agent = entities.known.get(agent).copied();
        let agent = agent.and_then(|agent| entities.world.get_entity_mut(agent).ok());
        if let Some(mut agent) = agent
            && let Some(component) = agent.get::<C>().cloned()
        {
            agent.insert(component);
        }
    }
}
