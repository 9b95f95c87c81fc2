//! A look at the type of every column.

use bevy_ecs::{
    component::{Immutable, Mutable},
    prelude::*,
};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;

/// Who looks at the components of all agents, one type after the other, in the order in which they are
/// restored.
pub(crate) trait ColumnVisitor {
    /// Looks at a component.
    fn visit<C>(&mut self, name: &'static str)
    where
        C: Component + Clone + Debug + Serialize + DeserializeOwned,
        C::Mutability: Overwrite<C>;
}

/// How a component that is there is given another value, as a game does it: in place, so that no hooks
/// run, or else by inserting it.
pub(crate) trait Overwrite<C> {
    /// Gives it that value.
    fn overwrite(agent: &mut EntityWorldMut, component: C);
}

impl<C: Component<Mutability = Self>> Overwrite<C> for Mutable {
    fn overwrite(agent: &mut EntityWorldMut, component: C) {
        if let Some(mut there) = agent.get_mut::<C>() {
            *there = component;
        }
    }
}

impl<C: Component<Mutability = Self>> Overwrite<C> for Immutable {
    fn overwrite(agent: &mut EntityWorldMut, component: C) {
        agent.insert(component);
    }
}
