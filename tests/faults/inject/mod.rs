//! How each fault is done.

mod agents;
mod maps;
mod settings;
mod who;

use super::{fault::Fault, tester::Tester};
use bevy_ecs::entity_disabling::Disabled;
use nav::{Chasing, NavBudget, PathCursor};
use std::time::Duration;

impl Tester {
    /// Does a fault, and says to whom and how.
    pub fn inject(&mut self, fault: Fault) -> String {
        match fault {
            Fault::Despawn => self.despawn(),
            Fault::Spawn => self.spawn(),
            Fault::Walk => self.walk(),
            Fault::Teleport => self.teleport(),
            Fault::WorldPlace => self.world_place(),
            Fault::Door => self.door(),
            Fault::WallIn => self.wall_in(),
            Fault::ReplaceMap => self.replace_map(),
            Fault::RemoveMap => self.remove_map(),
            Fault::ChangeMap => self.change_map(),
            Fault::Build => self.build(),
            Fault::Switch => self.switch(),
            Fault::CallOff => self.of_npc(|agent, _| {
                agent.remove::<Chasing>();
                String::new()
            }),
            Fault::Retune => self.retune(),
            Fault::Nonsense => self.nonsense(),
            Fault::Body => self.body(),
            Fault::Period => self.period(),
            Fault::Strip => self.strip(),
            Fault::Interrupt => self.of_npc(|agent, _| {
                if let Some(mut cursor) = agent.get_mut::<PathCursor>() {
                    cursor.interrupt();
                }
                String::new()
            }),
            Fault::Pause => self.pause(),
            Fault::Disable => self.of_anybody(|agent, draw| {
                if draw.percent(60) {
                    agent.remove::<Disabled>();
                    "enabled".to_owned()
                } else {
                    agent.insert(Disabled);
                    "disabled".to_owned()
                }
            }),
            Fault::Behave => self.behave(),
            Fault::Budget => {
                let budget = [
                    None,
                    None,
                    Some(1),
                    Some(7),
                    Some(60),
                    Some(500),
                    Some(20_000),
                ];
                let expansions = self.draw.one_of(&budget);
                self.world.world().insert_resource(NavBudget { expansions });
                format!("{expansions:?}")
            }
            Fault::JumpClock => {
                let minutes = u64::from(self.draw.number(1, 20));
                self.frame(1, Duration::from_secs(60 * minutes));
                format!("{minutes} minutes")
            }
            Fault::Frames => {
                let steps = self.draw.one_of(&[0, 0, 2, 7, 50]);
                self.frame(steps, Duration::from_millis(50));
                format!("{steps} steps")
            }
            Fault::Restore => {
                self.restore();
                String::new()
            }
        }
    }
}
