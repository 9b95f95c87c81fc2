//! JSON messages between clients and server, besides paths.

use nav_grid::Cell;
use nav_protocol::Request;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A message of a client. One object with one field, such as `{"walk":{"x":3,"y":4}}`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ClientSays {
    /// Requests a player without an owner.
    Take {},
    /// Gives its player back.
    Release {},
    /// Sends its player to a cell.
    Walk(Place),
    /// Moves its camera to a cell.
    Look(Place),
    /// Asks what an agent does and why.
    Ask { id: u64 },
    /// Asks for the directions of a chaser's shared field around a cell.
    Field(FieldAsk),
    /// Asks for the paths of all chasers in a part of the map.
    Ways(WaysAsk),
    /// Asks for missing packets or the whole view: see [`Request`].
    Request(Request),
    /// Pauses or resumes the simulation. Only for clients that may control it.
    Pause(bool),
    /// Runs this many ticks of a paused simulation. Only for clients that may control it.
    Step(u16),
    /// Sets the speed as a multiple of real time, 0.1 to 10. Only for clients that may control it.
    Speed(f64),
}

/// A cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    x: u16,
    y: u16,
    #[serde(default)]
    floor: u8,
}

/// The number of a chaser, and the cell around which to show its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FieldAsk {
    pub(super) id: u64,
    pub(super) x: u16,
    pub(super) y: u16,
    #[serde(default)]
    pub(super) floor: u8,
}

impl FieldAsk {
    /// Returns the cell in the middle.
    pub(super) fn around(self) -> Cell {
        Cell::new(self.x, self.y).on_floor(self.floor)
    }
}

/// A part of a floor: its first column and row, and how many more it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WaysAsk {
    pub(super) x: u16,
    pub(super) y: u16,
    pub(super) width: u16,
    pub(super) height: u16,
    #[serde(default)]
    pub(super) floor: u8,
}

impl From<Place> for Cell {
    fn from(place: Place) -> Self {
        Self::new(place.x, place.y).on_floor(place.floor)
    }
}

/// A message of the server. One object with one field.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ServerSays {
    /// The first message of a connection.
    Hello(Hello),
    /// The state of the simulation, once per second.
    Stats(Stats),
    /// The player that the client owns now, if any.
    Player(Option<u32>),
    /// The path of the client's player.
    Course(Vec<(u16, u16, u8)>),
    /// The answer about an agent.
    Agent(Box<AgentSays>),
    /// The directions of a field.
    Field(FieldSays),
    /// The paths of chasers in a part of the map.
    Ways(WaysSays),
    /// A request was refused, with the reason.
    Refused(String),
}

/// The data that a client needs to draw the world.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Hello {
    pub(super) scenario: String,
    pub(super) width: u16,
    pub(super) height: u16,
    pub(super) floors: u8,
    pub(super) hz: u32,
    /// Seconds of a step of a chaser and of a player.
    pub(super) chaser_step: f64,
    pub(super) player_step: f64,
    /// Columns and rows of a screen.
    pub(super) screen: (u16, u16),
    /// Whether this client may pause, step and set the speed.
    pub(super) may_control: bool,
    /// Scenarios that this client may choose; none unless it may control the server.
    pub(super) scenarios: Vec<&'static str>,
    /// The links of the map, from cell to cell; the first [`LINKS_MAX`](Self::LINKS_MAX) of them.
    pub(super) links: Vec<[(u16, u16, u8); 2]>,
}

impl Hello {
    /// The most links that a client is sent. A guess: more would hide the map.
    pub(super) const LINKS_MAX: usize = 2000;
}

/// The state of the simulation.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Stats {
    pub(super) tick: u64,
    /// Milliseconds of the last tick, and median and maximum of the last second.
    pub(super) tick_ms: f64,
    pub(super) tick_p50_ms: f64,
    pub(super) tick_max_ms: f64,
    pub(super) chasers: u64,
    /// Chasers within reach, following a shared field, following their own path, and with nothing
    /// to follow.
    pub(super) beside: u64,
    pub(super) by_field: u64,
    pub(super) by_path: u64,
    pub(super) waiting: u64,
    /// Searches of the last second: all, and by method as far as reported.
    pub(super) searches: u64,
    pub(super) by_method: BTreeMap<&'static str, u64>,
    /// Work of searches and fields in the last second and in its busiest tick, and the budget of a
    /// tick.
    pub(super) work: u64,
    pub(super) work_max: u64,
    pub(super) budget: Option<u32>,
    pub(super) clients: usize,
    pub(super) is_paused: bool,
    pub(super) speed: f64,
}

/// The details of an agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct AgentSays {
    pub(super) id: u64,
    pub(super) at: (u16, u16, u8),
    /// Its activity and the reason, as a sentence.
    pub(super) doing: String,
    /// Sentences of its behaviours.
    pub(super) notes: Vec<String>,
    /// Number of its target.
    pub(super) chases: Option<u32>,
    /// Its guidance: "own path", "shared field", "far field", "detour" or "straight way".
    pub(super) way: Option<&'static str>,
    /// Its last search; `None` if it never searched, as chasers on a shared field.
    pub(super) search: Option<SearchSays>,
    /// Cells of its next steps.
    pub(super) ahead: Vec<(u16, u16, u8)>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct SearchSays {
    pub(super) ticks_ago: u64,
    /// `None` if there was nothing to search, as for a target on another map.
    pub(super) method: Option<&'static str>,
    pub(super) outcome: String,
    /// Cost of the path, expanded cells, and work as counted by budgets.
    pub(super) cost: Option<u32>,
    pub(super) expanded: Option<u32>,
    pub(super) work: Option<u32>,
}

/// The directions of a field in a part of the map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct FieldSays {
    /// Number of the chaser.
    pub(super) id: u64,
    /// First column and row, and the numbers of columns and rows.
    pub(super) x: u16,
    pub(super) y: u16,
    pub(super) floor: u8,
    pub(super) width: u16,
    pub(super) height: u16,
    /// One character per cell, row by row: 0 for up, clockwise to 7, `L` for a link, `.` for none.
    /// Empty if the field leads from no cell.
    pub(super) ways: String,
}

/// Paths of chasers.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct WaysSays {
    pub(super) floor: u8,
    /// Number, cell and next steps of each chaser.
    pub(super) ways: Vec<WaySays>,
}

/// A chaser by number, and the cells of its path.
pub(super) type WaySays = (u32, Vec<(u16, u16, u8)>);

/// Returns a cell in the form of messages.
pub(super) const fn triple(cell: Cell) -> (u16, u16, u8) {
    (cell.x, cell.y, cell.floor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_field_per_message() {
        let read = |text| serde_json::from_str::<ClientSays>(text).ok();
        assert_eq!(read(r#"{"take":{}}"#), Some(ClientSays::Take {}));
        let walk = read(r#"{"walk":{"x":3,"y":4}}"#);
        let place = Place {
            x: 3,
            y: 4,
            floor: 0,
        };
        assert_eq!(walk, Some(ClientSays::Walk(place)));
        assert_eq!(read(r#"{"pause":true}"#), Some(ClientSays::Pause(true)));
        for wrong in [
            "",
            "{}",
            r#"{"take":{},"pause":true}"#,
            r#"{"walk":{"x":-1,"y":4}}"#,
            r#"{"walk":{"x":1,"y":4,"z":2}}"#,
            r#"{"fly":{}}"#,
            r#"{"step":70000}"#,
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
