//! All agents as bytes for the page: the place and role of each, and the changes since the previous
//! tick.
//!
//! A frame, in little endian: one byte that is 1 for all agents and 2 for changes, three unused
//! bytes, the tick (32 bits) and the number of agents (32 bits). For each agent follow its number
//! (32 bits), column and row (16 each), floor and role (8 each) and two unused bytes. Role 255
//! means that the agent is gone. Agents not listed are unchanged.

use axum::body::Bytes;
use nav_sim::sim::{Figure, Role};

/// The sent state of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    x: u16,
    y: u16,
    floor: u8,
    role: u8,
}

/// The role of an agent that is gone.
const GONE: u8 = 255;

/// All agents as they were last sent.
#[derive(Default)]
pub(crate) struct Overview {
    /// By agent number.
    known: Vec<Option<Entry>>,
    /// The update in which each agent was last seen.
    seen: Vec<u32>,
    updates: u32,
    changes: Vec<u8>,
    changed: u32,
}

impl Overview {
    /// Reads the agents of a tick.
    pub(crate) fn update(&mut self, figures: &[Figure]) {
        self.changes.clear();
        self.changed = 0;
        self.updates += 1;
        for figure in figures {
            let at = figure.agent.index_u32() as usize;
            if self.known.len() <= at {
                self.known.resize(at + 1, None);
                self.seen.resize(at + 1, 0);
            }
            self.seen[at] = self.updates;
            let entry = Entry {
                x: figure.cell.x,
                y: figure.cell.y,
                floor: figure.cell.floor,
                role: role_number(figure.role),
            };
            if self.known[at] != Some(entry) {
                self.known[at] = Some(entry);
                write(&mut self.changes, at as u32, entry);
                self.changed += 1;
            }
        }
        for at in 0..self.known.len() {
            if self.seen[at] != self.updates
                && let Some(entry) = self.known[at].take()
            {
                let gone = Entry {
                    role: GONE,
                    ..entry
                };
                write(&mut self.changes, at as u32, gone);
                self.changed += 1;
            }
        }
    }

    /// Returns the changes of the last update; `None` without changes.
    pub(crate) fn changes(&self, tick: u64) -> Option<Bytes> {
        (self.changed > 0).then(|| frame(2, tick, self.changed, &self.changes))
    }

    /// Returns all agents.
    pub(crate) fn all(&self, tick: u64) -> Bytes {
        let mut entries = Vec::new();
        let mut count = 0;
        for (at, entry) in self.known.iter().enumerate() {
            if let Some(entry) = entry {
                write(&mut entries, at as u32, *entry);
                count += 1;
            }
        }
        frame(1, tick, count, &entries)
    }
}

const fn role_number(role: Role) -> u8 {
    match role {
        Role::Idle => 0,
        Role::Waiting => 1,
        Role::Chasing => 2,
        Role::Beside => 3,
        Role::Target => 4,
    }
}

fn write(bytes: &mut Vec<u8>, number: u32, entry: Entry) {
    bytes.extend(number.to_le_bytes());
    bytes.extend(entry.x.to_le_bytes());
    bytes.extend(entry.y.to_le_bytes());
    bytes.extend([entry.floor, entry.role, 0, 0]);
}

fn frame(kind: u8, tick: u64, count: u32, entries: &[u8]) -> Bytes {
    let mut bytes = Vec::with_capacity(12 + entries.len());
    bytes.extend([kind, 0, 0, 0]);
    bytes.extend((tick as u32).to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend(entries);
    bytes.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_ecs::entity::Entity;
    use nav_grid::Cell;

    fn figure(number: u32, x: u16) -> Figure {
        Figure {
            agent: Entity::from_raw_u32(number).unwrap(),
            cell: Cell::new(x, 7),
            side: 1,
            role: Role::Chasing,
            leads: false,
        }
    }

    #[test]
    fn changes_and_departures() {
        let mut overview = Overview::default();
        overview.update(&[figure(3, 1), figure(5, 2)]);
        assert_eq!(overview.changes(1).unwrap().len(), 12 + 2 * 12);
        overview.update(&[figure(3, 1), figure(5, 2)]);
        assert_eq!(overview.changes(2), None);
        overview.update(&[figure(5, 9)]);
        let changes = overview.changes(3).unwrap();
        assert_eq!(changes[..12], [2, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0]);
        assert_eq!(changes[12..24], [5, 0, 0, 0, 9, 0, 7, 0, 0, 2, 0, 0]);
        assert_eq!(changes[24..36], [3, 0, 0, 0, 1, 0, 7, 0, 0, GONE, 0, 0]);
        assert_eq!(overview.all(3).len(), 12 + 12);
    }
}
