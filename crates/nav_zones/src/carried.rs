//! Components of the game that agents keep when they are handed over.

use bevy_ecs::{component::Mutable, prelude::*};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// The components of the game that agents keep.
#[derive(Resource, Default)]
pub(crate) struct Carried(pub(crate) Vec<CarriedComponent>);

/// A component of the game: how it is written, read and taken.
#[derive(Clone)]
pub(crate) struct CarriedComponent {
    name: String,
    write: fn(EntityRef) -> Option<Result<Vec<u8>, postcard::Error>>,
    insert: fn(&mut EntityWorldMut, &[u8]) -> Result<(), postcard::Error>,
    remove: fn(&mut EntityWorldMut),
}

/// The components of one kind: the place of the agent among those that are handed over, and the value.
#[derive(Serialize, Deserialize)]
pub(crate) struct CarriedColumn {
    name: String,
    values: Vec<(u32, Vec<u8>)>,
}

impl CarriedComponent {
    pub(crate) fn of<C>(name: &str) -> Self
    where
        C: Component<Mutability = Mutable> + Serialize + DeserializeOwned,
    {
        Self {
            name: name.to_owned(),
            write: |agent| agent.get::<C>().map(postcard::to_allocvec),
            insert: |agent, bytes| {
                agent.insert(postcard::from_bytes::<C>(bytes)?);
                Ok(())
            },
            remove: |agent| {
                agent.remove::<C>();
            },
        }
    }
}

impl Carried {
    /// What agents have of them.
    ///
    /// # Errors
    ///
    /// If one cannot be written: its name, and why.
    pub(crate) fn write(
        &self,
        world: &World,
        agents: &[Entity],
    ) -> Result<Vec<CarriedColumn>, String> {
        let column = |component: &CarriedComponent| {
            let mut values = Vec::new();
            for (number, &agent) in (0..).zip(agents) {
                if let Ok(agent) = world.get_entity(agent)
                    && let Some(bytes) = (component.write)(agent)
                {
                    let name = &component.name;
                    values.push((number, bytes.map_err(|error| format!("{name}: {error}"))?));
                }
            }
            let name = component.name.clone();
            Ok(CarriedColumn { name, values })
        };
        self.0.iter().map(column).collect()
    }

    /// Gives agents what they had elsewhere. Components that only the other zone knows are left out.
    ///
    /// # Errors
    ///
    /// If one cannot be read: its name, and why.
    pub(crate) fn insert(
        &self,
        world: &mut World,
        agents: &[Entity],
        columns: Vec<CarriedColumn>,
    ) -> Result<(), String> {
        for CarriedColumn { name, values } in columns {
            let Some(component) = self.0.iter().find(|component| component.name == name) else {
                continue;
            };
            for (number, bytes) in values {
                if let Some(&agent) = agents.get(number as usize) {
                    let inserted = (component.insert)(&mut world.entity_mut(agent), &bytes);
                    inserted.map_err(|error| format!("{name}: {error}"))?;
                }
            }
        }
        Ok(())
    }

    /// Takes all of them from an agent.
    pub(crate) fn remove(&self, agent: &mut EntityWorldMut) {
        for component in &self.0 {
            (component.remove)(agent);
        }
    }
}
