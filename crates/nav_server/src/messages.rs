//! JSON messages between clients and server, besides paths.

use nav_grid::{Area, Cell};
use nav_protocol::Request;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A message of a client. One object with one field, such as `{"walk":{"x":3,"y":4}}`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum ClientMessage {
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
    Field(FieldRequest),
    /// Asks for the paths of all chasers in a part of the map.
    Ways(PathsRequest),
    /// Asks for missing packets or the whole view: see [`Request`].
    Request(Request),
    /// Pauses or resumes the simulation. Only for clients that may control it.
    Pause(bool),
    /// Runs this many ticks of a paused simulation. Only for clients that may control it.
    Step(u16),
    /// Sets the speed as a multiple of real time, 0.1 to 10. Only for clients that may control it.
    Speed(f64),
}

/// The answer to a message: what is sent, if anything, or why the request is refused.
pub(crate) type Answer = Result<Option<ServerMessage>, String>;

/// A cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Place {
    x: u16,
    y: u16,
    #[serde(default)]
    floor: u8,
}

/// The number of a chaser, and the cell around which to show its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FieldRequest {
    pub(crate) id: u64,
    pub(crate) x: u16,
    pub(crate) y: u16,
    #[serde(default)]
    pub(crate) floor: u8,
}

impl FieldRequest {
    /// Returns the cell in the middle.
    pub(crate) fn around(self) -> Cell {
        Cell::new(self.x, self.y).on_floor(self.floor)
    }
}

/// A part of a floor: its first column and row, and how many more it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PathsRequest {
    pub(crate) x: u16,
    pub(crate) y: u16,
    pub(crate) width: u16,
    pub(crate) height: u16,
    #[serde(default)]
    pub(crate) floor: u8,
}

impl PathsRequest {
    /// Returns the part of the floor.
    pub(crate) fn area(self) -> Area {
        let first = Cell::new(self.x, self.y).on_floor(self.floor);
        let last = Cell {
            x: self.x.saturating_add(self.width),
            y: self.y.saturating_add(self.height),
            ..first
        };
        Area::new(first, last)
    }
}

impl From<Place> for Cell {
    fn from(place: Place) -> Self {
        Self::new(place.x, place.y).on_floor(place.floor)
    }
}

/// A message of the server. One object with one field.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ServerMessage {
    /// The first message of a connection.
    Hello(Hello),
    /// The state of the simulation, once per second.
    Stats(Stats),
    /// The player that the client owns now, if any.
    Player(Option<u32>),
    /// The path of the client's player.
    Course(Vec<Triple>),
    /// The answer about an agent.
    Agent(Box<AgentDetails>),
    /// The directions of a field.
    Field(FieldPart),
    /// The paths of chasers in a part of the map.
    Ways(Paths),
    /// A request was refused, with the reason.
    Refused(String),
}

/// The data that a client needs to draw the world.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Hello {
    pub(crate) scenario: String,
    pub(crate) width: u16,
    pub(crate) height: u16,
    pub(crate) floors: u8,
    pub(crate) hz: u32,
    /// Seconds of a step of a chaser and of a player.
    pub(crate) chaser_step: f64,
    pub(crate) player_step: f64,
    /// Columns and rows of a screen.
    pub(crate) screen: (u16, u16),
    /// Whether this client may pause, step and set the speed.
    pub(crate) may_control: bool,
    /// Scenarios that this client may choose; none unless it may control the server.
    pub(crate) scenarios: Vec<&'static str>,
    /// The links of the map, from cell to cell; the first [`LINKS_MAX`](Self::LINKS_MAX) of them.
    pub(crate) links: Vec<[Triple; 2]>,
}

impl Hello {
    /// The most links that a client is sent: more would hide the map, and they take some 60 kB.
    pub(crate) const LINKS_MAX: usize = 2000;
}

/// The state of the simulation.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Stats {
    pub(crate) tick: u64,
    /// Milliseconds of the last tick, and median and maximum of the last second.
    pub(crate) tick_ms: f64,
    pub(crate) tick_p50_ms: f64,
    pub(crate) tick_max_ms: f64,
    pub(crate) chasers: u64,
    /// Chasers within reach, following a shared field, following their own path, and with nothing
    /// to follow.
    pub(crate) beside: u64,
    pub(crate) by_field: u64,
    pub(crate) by_path: u64,
    pub(crate) waiting: u64,
    /// Searches of the last second: all, and by method as far as reported.
    pub(crate) searches: u64,
    pub(crate) by_method: BTreeMap<&'static str, u64>,
    /// Work of searches and fields in the last second and in its busiest tick, and the budget of a
    /// tick.
    pub(crate) work: u64,
    pub(crate) work_max: u64,
    pub(crate) budget: Option<u32>,
    pub(crate) clients: usize,
    pub(crate) is_paused: bool,
    pub(crate) speed: f64,
}

/// The details of an agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct AgentDetails {
    pub(crate) id: u64,
    pub(crate) at: Triple,
    /// Its activity and the reason, as a sentence.
    pub(crate) doing: String,
    /// Sentences of its behaviours.
    pub(crate) notes: Vec<String>,
    /// Number of its target.
    pub(crate) chases: Option<u32>,
    /// Its guidance: "own path", "shared field", "far field", "detour" or "straight way".
    pub(crate) way: Option<&'static str>,
    /// Its last search; `None` if it never searched, as chasers on a shared field.
    pub(crate) search: Option<SearchDetails>,
    /// Cells of its next steps.
    pub(crate) ahead: Vec<Triple>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct SearchDetails {
    pub(crate) ticks_ago: u64,
    /// `None` if there was nothing to search, as for a target on another map.
    pub(crate) method: Option<&'static str>,
    pub(crate) outcome: String,
    /// Cost of the path, expanded cells, and work as counted by budgets.
    pub(crate) cost: Option<u32>,
    pub(crate) expanded: Option<u32>,
    pub(crate) work: Option<u32>,
}

/// The directions of a field in a part of the map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct FieldPart {
    /// Number of the chaser.
    pub(crate) id: u64,
    /// First column and row, and the numbers of columns and rows.
    pub(crate) x: u16,
    pub(crate) y: u16,
    pub(crate) floor: u8,
    pub(crate) width: u16,
    pub(crate) height: u16,
    /// One character per cell, row by row: 0 for up, clockwise to 7, `L` for a link, `.` for none.
    /// Empty if the field leads from no cell.
    pub(crate) ways: String,
}

/// Paths of chasers.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Paths {
    pub(crate) floor: u8,
    /// Number of each chaser, and its cell and those of its next steps.
    pub(crate) ways: Vec<(u32, Vec<Triple>)>,
}

/// A cell in the messages of the server: column, row and floor.
pub(crate) type Triple = (u16, u16, u8);

/// Returns a cell in the form of messages.
pub(crate) const fn triple(cell: Cell) -> Triple {
    (cell.x, cell.y, cell.floor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_field_per_message() {
        let read = |text| serde_json::from_str::<ClientMessage>(text).ok();
        assert_eq!(read(r#"{"take":{}}"#), Some(ClientMessage::Take {}));
        let walk = read(r#"{"walk":{"x":3,"y":4}}"#);
        let place = Place {
            x: 3,
            y: 4,
            floor: 0,
        };
        assert_eq!(walk, Some(ClientMessage::Walk(place)));
        assert_eq!(read(r#"{"pause":true}"#), Some(ClientMessage::Pause(true)));
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
