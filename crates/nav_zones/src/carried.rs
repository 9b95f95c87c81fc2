//! Components of the game that agents keep across a hand-over.

use bevy_ecs::{component::Mutable, prelude::*};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// Components of the game that agents keep.
#[derive(Resource, Default)]
pub(crate) struct Carried(pub(crate) Vec<CarriedComponent>);

/// Component of the game, with functions that write, insert and remove it.
#[derive(Clone)]
pub(crate) struct CarriedComponent {
    name: String,
    write: fn(EntityRef) -> Option<Result<Vec<u8>, postcard::Error>>,
    insert: fn(&mut EntityWorldMut, &[u8]) -> Result<(), postcard::Error>,
    remove: fn(&mut EntityWorldMut),
}

/// Values of one component.
#[derive(Serialize, Deserialize)]
pub(crate) struct CarriedColumn {
    name: String,
    values: Vec<CarriedValue>,
}

#[derive(Serialize, Deserialize)]
struct CarriedValue {
    /// Index of the agent in the hand-over.
    agent: u32,
    bytes: Vec<u8>,
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
    /// Writes the carried components of some agents.
    ///
    /// # Errors
    ///
    /// Name of the component and the reason, if one cannot be written.
    pub(crate) fn write(
        &self,
        world: &World,
        agents: &[Entity],
    ) -> Result<Vec<CarriedColumn>, String> {
        let mut columns = Vec::new();
        for component in &self.0 {
            let name = component.name.clone();
            let mut values = Vec::new();
            for (agent, &entity) in (0..).zip(agents) {
                if let Ok(there) = world.get_entity(entity)
                    && let Some(written) = (component.write)(there)
                {
                    let bytes = written.map_err(|error| format!("{name}: {error}"))?;
                    values.push(CarriedValue { agent, bytes });
                }
            }
            columns.push(CarriedColumn { name, values });
        }
        Ok(columns)
    }

    /// Inserts the components that agents carried. Skips components unknown in this zone.
    ///
    /// # Errors
    ///
    /// Name of the component and the reason, if one cannot be read.
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
            for value in values {
                if let Some(&agent) = agents.get(value.agent as usize) {
                    let inserted = (component.insert)(&mut world.entity_mut(agent), &value.bytes);
                    inserted.map_err(|error| format!("{name}: {error}"))?;
                }
            }
        }
        Ok(())
    }

    /// Removes all carried components from an agent.
    pub(crate) fn remove(&self, agent: &mut EntityWorldMut) {
        for component in &self.0 {
            (component.remove)(agent);
        }
    }
}
