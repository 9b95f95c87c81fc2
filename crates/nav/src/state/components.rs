//! The components of the state: the list of those of this crate, and the registry for others.

#[cfg(feature = "serialize")]
use super::column::Column;
use super::fingerprint::Fingerprint;
use crate::{AgentId, CellPosition, shared::Mirror};
use bevy_app::App;
use bevy_ecs::{entity::EntityMapper, entity_disabling::Disabled, prelude::*, query::Allow};
use std::{any::TypeId, hash::Hash};

/// Calls a macro with the components of this crate that belong to the state.
///
/// Columns of saves, parts of the digest and the order of restoring follow from this list. Each
/// line has a name, the type, and the function of `digest/agent_state.rs` that hashes it. Hooks of
/// the first group write components of the second, so it is restored first, and registered
/// components between them.
macro_rules! core_components {
    ($expand:ident $($more:tt)*) => {
        $expand! {
            // What a game states. Numbers first: a target without one would get the next free one.
            {
                agent_id: AgentId => hash_value,
                cell_position: CellPosition => hash_value,
                world_position: WorldPosition => hash_world_position,
                on_map: OnMap => hash_on_map,
                body: Body => hash_value,
                destination: Destination => hash_value,
                walk_end: WalkEnd => hash_value,
                go_to: GoTo => hash_value,
                path_request: PathRequest => hash_value,
                chaser: Chaser => hash_chaser,
                chasing: Chasing => hash_chasing,
            }
            // What the plugin tracks, and `Paused`, whose hook clears the path.
            {
                paused: Paused => hash_value,
                field_anchor: FieldAnchor => hash_anchor,
                path_cursor: PathCursor => hash_value,
                nav_timer: NavTimer => hash_value,
                crowding: Crowding => hash_value,
                move_timer: MoveTimer => hash_value,
            }
            $($more)*
        }
    };
}
pub(crate) use core_components;

/// The filter for all agents, disabled ones too. Those with a number and no place ask for paths.
pub(crate) type Agents = (Or<(With<CellPosition>, With<AgentId>)>, Allow<Disabled>);

/// The role of a component in the [state](crate::state).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateRole {
    /// It decides what the agent does. It is digested, saved, and moves with the agent to another
    /// process.
    Decides,
    /// It decides what other agents do about this one. As [`Self::Decides`], and a mirror of the
    /// agent in another process keeps it.
    Seen,
    /// It reports what the agent does and decides nothing. It is saved, and not digested.
    Shown,
}

/// Visits the agents that have a component: the agent, the entities that the value names, and the
/// fingerprint of the value without them.
type Digest = fn(&World, &mut dyn FnMut(Entity, &[Entity], u64));

/// A registered component.
#[derive(Clone, Copy)]
pub(crate) struct Registered {
    pub(crate) name: &'static str,
    role: StateRole,
    of_type: TypeId,
    pub(crate) digest: Digest,
    #[cfg(feature = "serialize")]
    remove: fn(&mut EntityWorldMut),
    #[cfg(feature = "serialize")]
    column: Option<Column>,
}

/// The registered components, in the order of their names.
#[derive(Resource, Clone, Default)]
pub struct StateComponents(Vec<Registered>);

impl StateComponents {
    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.0.iter().map(|component| component.name)
    }

    /// Whether no component is registered.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The registered components that the digest covers, each with its place.
    pub(crate) fn digested(&self) -> impl Iterator<Item = (usize, &Registered)> {
        let all = self.0.iter().enumerate();
        all.filter(|(_, component)| component.role != StateRole::Shown)
    }

    /// Removes the registered components that a mirror of an agent does not keep.
    #[cfg(feature = "serialize")]
    pub(crate) fn remove_decisions(&self, agent: &mut EntityWorldMut) {
        let all = self.0.iter();
        for component in all.filter(|component| component.role != StateRole::Seen) {
            (component.remove)(agent);
        }
    }

    /// The first component that the digest covers, that an agent has and that saves do not hold.
    #[cfg(feature = "serialize")]
    pub(crate) fn first_unsaved(&self, world: &World) -> Option<&'static str> {
        let mut unsaved = self.digested().filter(|(_, it)| it.column.is_none());
        let found = unsaved.find(|(_, component)| {
            let mut is_there = false;
            (component.digest)(world, &mut |_, _, _| is_there = true);
            is_there
        });
        found.map(|(_, component)| component.name)
    }

    /// The columns of registered components that saves hold.
    #[cfg(feature = "serialize")]
    pub(crate) fn columns(&self) -> impl Iterator<Item = Column> + '_ {
        self.0.iter().filter_map(|component| component.column)
    }
}

/// Registers components of the [state](crate::state).
pub trait StateAppExt {
    /// Adds a component to the state. The name identifies it in saves, digests and reports.
    ///
    /// A second registration changes nothing.
    ///
    /// # Panics
    ///
    /// When another component has the name.
    fn register_state<C>(&mut self, name: &'static str, role: StateRole) -> &mut Self
    where
        C: Component + Clone + Hash;

    /// Adds a component to the state that saves hold as well.
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
    fn register_state<C>(&mut self, name: &'static str, role: StateRole) -> &mut Self
    where
        C: Component + Clone + Hash,
    {
        register::<C>(self, name, role);
        self
    }

    #[cfg(feature = "serialize")]
    fn register_saved_state<C>(&mut self, name: &'static str, role: StateRole) -> &mut Self
    where
        C: super::column::SavedComponent + Hash,
    {
        let column = &mut register::<C>(self, name, role).column;
        column.get_or_insert(Column::of::<C>(name, role));
        self
    }
}

/// Adds a component to the registry if it is missing, and returns its entry.
fn register<'a, C>(app: &'a mut App, name: &'static str, role: StateRole) -> &'a mut Registered
where
    C: Component + Clone + Hash,
{
    app.init_resource::<StateComponents>();
    let StateComponents(all) = app
        .world_mut()
        .resource_mut::<StateComponents>()
        .into_inner();
    let found = all.binary_search_by_key(&name, |component| component.name);
    let place = found.unwrap_or_else(|place| {
        let new = Registered {
            name,
            role,
            of_type: TypeId::of::<C>(),
            digest: digest_of::<C>,
            #[cfg(feature = "serialize")]
            remove: |agent| _ = agent.remove::<C>(),
            #[cfg(feature = "serialize")]
            column: None,
        };
        all.insert(place, new);
        place
    });
    let is_same = all[place].of_type == TypeId::of::<C>();
    assert!(is_same, "two components of the state are named {name}");
    &mut all[place]
}

fn digest_of<C: Component + Clone + Hash>(
    world: &World,
    visit: &mut dyn FnMut(Entity, &[Entity], u64),
) {
    // A mirror counts in the process of its agent.
    let mut agents = world.try_query_filtered::<(Entity, &C), (Agents, Without<Mirror>)>();
    let mut named = Named {
        replacement: Some(Entity::PLACEHOLDER),
        ..Named::default()
    };
    for (agent, value) in agents.iter_mut().flat_map(|agents| agents.iter(world)) {
        named.entities.clear();
        let mut value = value.clone();
        C::map_entities(&mut value, &mut named);
        visit(agent, &named.entities, Fingerprint::of(&value));
    }
}

/// Lists the entities that components name.
#[derive(Default)]
pub(crate) struct Named {
    pub(crate) entities: Vec<Entity>,
    /// The entity that replaces each of them; `None` keeps them.
    replacement: Option<Entity>,
}

impl EntityMapper for Named {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        self.entities.push(source);
        self.replacement.unwrap_or(source)
    }

    fn set_mapped(&mut self, _: Entity, _: Entity) {}
}
