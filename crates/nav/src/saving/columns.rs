//! The components of all agents, a column for each kind.

#[cfg(feature = "trace")]
use super::visit::ColumnVisitor;
use crate::{
    AgentId, Body, CellPosition, Chaser, Chasing, Destination, FieldAnchor, MoveTimer, NavTimer,
    OnMap, PathCursor, Paused, WorldPosition,
    behaviour::{
        Activity, ChaseRecord, Formation, GiveUp, GivenUp, GoTo, Home, InFormation, Intercept,
        KeepDistance, Leash, Notice, Noticeable, Patrol, Returning, StuckWatch, WalkEnd,
    },
};
use bevy_ecs::{entity::EntityMapper, prelude::*};
use serde::{Deserialize, Serialize};

/// The components of all agents.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct AgentColumns(pub(super) ComponentColumns);

/// Declares the columns. They are restored from top to bottom.
macro_rules! columns {
    ($($name:ident: $Component:ty,)*) => {
        /// The components of all agents: who has one, by its place in the list of agents, and its value.
        #[derive(Clone, Debug, Default, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub(super) struct ComponentColumns {
            $($name: Vec<(u32, $Component)>,)*
        }

        impl ComponentColumns {
            /// Adds the components of an agent.
            pub(super) fn add(&mut self, number: u32, agent: EntityRef) {
                $(if let Some(component) = agent.get::<$Component>() {
                    self.$name.push((number, component.clone()));
                })*
            }

            /// Whether they name places in a list of so many agents that it does not have.
            pub(super) fn name_beyond(&self, agents: usize) -> bool {
                let last = [$(self.$name.iter().map(|&(number, _)| number).max(),)*];
                last.into_iter().flatten().any(|last| last as usize >= agents)
            }

            /// Has components name entities of another world.
            pub(super) fn map_entities(&mut self, entities: &mut impl EntityMapper) {
                $(for (_, component) in &mut self.$name {
                    <$Component as Component>::map_entities(component, entities);
                })*
            }

            /// Gives all components to agents of a world, and takes those that come with others from
            /// agents that did not have them.
            pub(super) fn insert(self, world: &mut World, agents: &[Entity]) {
                $(
                    let mut $name: Vec<u32> = self.$name.iter().map(|&(number, _)| number).collect();
                    $name.sort_unstable();
                    for (number, component) in self.$name {
                        if let Some(&agent) = agents.get(number as usize) {
                            world.entity_mut(agent).insert(component);
                        }
                    }
                )*
                $(for (number, &agent) in (0..).zip(agents) {
                    if world.get::<$Component>(agent).is_some() && $name.binary_search(&number).is_err() {
                        world.entity_mut(agent).remove::<$Component>();
                    }
                })*
            }

            /// Has somebody look at the type of every column.
            #[cfg(feature = "trace")]
            fn visit(visitor: &mut impl ColumnVisitor) {
                $(visitor.visit::<$Component>(stringify!($Component));)*
            }
        }
    };
}

/// Has somebody look at the type of every column.
#[cfg(feature = "trace")]
pub(crate) fn visit_columns(visitor: &mut impl ColumnVisitor) {
    ComponentColumns::visit(visitor);
}

// Numbers first, since a target without one is given the next that is free. What hooks and observers
// react to comes before what they change: it is put right by the columns below.
columns! {
    agent_id: AgentId,
    cell_position: CellPosition,
    world_position: WorldPosition,
    on_map: OnMap,
    body: Body,
    destination: Destination,
    walk_end: WalkEnd,
    chaser: Chaser,
    chasing: Chasing,
    formation: Formation,
    in_formation: InFormation,
    paused: Paused,
    activity: Activity,
    field_anchor: FieldAnchor,
    path_cursor: PathCursor,
    nav_timer: NavTimer,
    move_timer: MoveTimer,
    home: Home,
    leash: Leash,
    give_up: GiveUp,
    given_up: GivenUp,
    returning: Returning,
    go_to: GoTo,
    patrol: Patrol,
    chase_record: ChaseRecord,
    notice: Notice,
    noticeable: Noticeable,
    stuck_watch: StuckWatch,
    intercept: Intercept,
    keep_distance: KeepDistance,
}
