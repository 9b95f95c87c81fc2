//! The components that an app adds to the state.

#[cfg(feature = "serialize")]
use super::column::Column;
use super::{fingerprint::Fingerprint, role::StateRole};
use crate::{CellPosition, resource::InitExt, shared::Mirror};
use bevy_app::App;
use bevy_ecs::{entity::EntityMapper, entity_disabling::Disabled, prelude::*, query::Allow};
use std::hash::Hash;

/// Visits the agents that have a component: the agent, the entities that the value names, and the fingerprint of
/// the value without them.
type Digest = fn(&World, &mut dyn FnMut(Entity, &[Entity], u64));

/// A registered component.
#[derive(Clone, Copy)]
pub(crate) struct Registered {
    pub(crate) name: &'static str,
    role: StateRole,
    pub(crate) digest: Digest,
    remove: fn(&mut EntityWorldMut),
    #[cfg(feature = "serialize")]
    column: Option<Column>,
}

impl Registered {
    /// A component that saves do not hold.
    fn of<C: Component + Clone + Hash>(name: &'static str, role: StateRole) -> Self {
        Self {
            name,
            role,
            digest: digest_of::<C>,
            remove: remove::<C>,
            #[cfg(feature = "serialize")]
            column: None,
        }
    }
}

/// The components that were registered, in the order of their names.
#[derive(Resource, Clone, Default)]
pub struct StateComponents {
    registered: Vec<Registered>,
}

impl StateComponents {
    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.registered.iter().map(|one| one.name)
    }

    /// Whether nothing was registered.
    pub fn is_empty(&self) -> bool {
        self.registered.is_empty()
    }

    /// The registered components that the digest covers, each with its place.
    pub(crate) fn digested(&self) -> impl Iterator<Item = (usize, &Registered)> {
        let all = self.registered.iter().enumerate();
        all.filter(|(_, one)| one.role != StateRole::Shown)
    }

    /// Removes what decides what an agent does.
    #[cfg(feature = "serialize")]
    pub(crate) fn remove_decisions(&self, agent: &mut EntityWorldMut) {
        for one in &self.registered {
            if one.role != StateRole::Seen {
                (one.remove)(agent);
            }
        }
    }

    /// The registered components that saves hold.
    #[cfg(feature = "serialize")]
    pub(crate) fn saved(&self) -> impl Iterator<Item = Column> + '_ {
        self.registered.iter().filter_map(|one| one.column)
    }

    fn add(&mut self, new: Registered) {
        match self
            .registered
            .binary_search_by_key(&new.name, |one| one.name)
        {
            Err(place) => self.registered.insert(place, new),
            Ok(place) => {
                let there = &mut self.registered[place];
                assert!(
                    std::ptr::fn_addr_eq(there.remove, new.remove),
                    "two components of the state are named {}",
                    new.name
                );
                #[cfg(feature = "serialize")]
                {
                    there.column = there.column.or(new.column);
                }
            }
        }
    }
}

/// Registers components of the state.
pub trait StateAppExt {
    /// Counts a component among the state. Its name stands for it in saves, digests and reports. Once more changes
    /// nothing.
    ///
    /// # Panics
    ///
    /// When another component has the name.
    fn register_state<C: Component + Clone + Hash>(
        &mut self,
        name: &'static str,
        role: StateRole,
    ) -> &mut Self;

    /// The same, of a component that saves hold.
    ///
    /// # Panics
    ///
    /// When another component has the name.
    #[cfg(feature = "serialize")]
    fn register_saved_state<C>(&mut self, name: &'static str, role: StateRole) -> &mut Self
    where
        C: super::column::SavedComponent + Hash;
}

impl StateAppExt for App {
    fn register_state<C: Component + Clone + Hash>(
        &mut self,
        name: &'static str,
        role: StateRole,
    ) -> &mut Self {
        add(self, Registered::of::<C>(name, role))
    }

    #[cfg(feature = "serialize")]
    fn register_saved_state<C>(&mut self, name: &'static str, role: StateRole) -> &mut Self
    where
        C: super::column::SavedComponent + Hash,
    {
        let column = Some(Column::of::<C>(name, role));
        let registered = Registered::of::<C>(name, role);
        add(
            self,
            Registered {
                column,
                ..registered
            },
        )
    }
}

fn add(app: &mut App, registered: Registered) -> &mut App {
    app.init::<StateComponents>();
    let mut components = app.world_mut().resource_mut::<StateComponents>();
    components.add(registered);
    app
}

fn remove<C: Component>(agent: &mut EntityWorldMut) {
    agent.remove::<C>();
}

/// All agents that live here, disabled ones too.
type Agents = (With<CellPosition>, Without<Mirror>, Allow<Disabled>);

fn digest_of<C: Component + Clone + Hash>(
    world: &World,
    visit: &mut dyn FnMut(Entity, &[Entity], u64),
) {
    let Some(mut agents) = world.try_query_filtered::<(Entity, &C), Agents>() else {
        return;
    };
    let mut named = Named(Vec::new());
    for (agent, value) in agents.iter(world) {
        named.0.clear();
        let mut value = value.clone();
        C::map_entities(&mut value, &mut named);
        visit(agent, &named.0, Fingerprint::of(&value));
    }
}

/// Lists the entities that a value names, and leaves the same in place of each.
struct Named(Vec<Entity>);

impl EntityMapper for Named {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        self.0.push(source);
        Entity::PLACEHOLDER
    }

    fn set_mapped(&mut self, _: Entity, _: Entity) {}
}
