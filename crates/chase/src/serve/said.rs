//! What clients and server say to each other beside paths, as JSON.

use nav_grid::Cell;
use nav_protocol::Request;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a client says. One object with one field, such as `{"walk":{"x":3,"y":4}}`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ClientSays {
    /// It wants to own a player that nobody else owns.
    Take {},
    /// It gives its player back.
    Release {},
    /// Its player is to go to a cell.
    Walk(Place),
    /// It looks at the surroundings of a cell.
    Look(Place),
    /// It asks why an agent does what it does.
    Ask { id: u64 },
    /// It asks where the field that a chaser shares leads, from the cells around one.
    Field(FieldAsk),
    /// It wants to see the ways of all chasers in a part of the map.
    Ways(WaysAsk),
    /// It did not get all, or cannot follow: see [`Request`].
    Request(Request),
    /// The simulation is to stand still, or go on. For clients on the same machine.
    Pause(bool),
    /// A simulation that stands still is to run so many ticks. For clients on the same machine.
    Step(u16),
    /// The simulation is to run at so many times real time, 0.1 to 10. For clients on the same machine.
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

/// A chaser, by number, and the cell around which its field is to be shown.
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
    /// The cell in the middle.
    pub(super) fn around(self) -> Cell {
        Cell::new(self.x, self.y).on_floor(self.floor)
    }
}

/// A part of a floor: its first column and row, and how many more there are.
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

/// What the server says. One object with one field.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ServerSays {
    /// The first word of a connection.
    Hello(Hello),
    /// How the simulation is, once a second.
    Stats(Stats),
    /// The player that the client owns now, if any.
    Player(Option<u32>),
    /// The way on which the client's player walks now.
    Course(Vec<(u16, u16, u8)>),
    /// What the client asked to know of an agent.
    Agent(Box<AgentSays>),
    /// Where a field leads that the client wants to see.
    Field(FieldSays),
    /// The ways of chasers in the part of the map that the client asked for.
    Ways(WaysSays),
    /// What the client wanted is not possible, for a reason.
    Refused(String),
}

/// What a client has to know to draw the world.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Hello {
    pub(super) scenario: String,
    pub(super) width: u16,
    pub(super) height: u16,
    pub(super) floors: u8,
    pub(super) hz: u32,
    /// Seconds that a step of a chaser and of a player takes.
    pub(super) chaser_step: f64,
    pub(super) player_step: f64,
    /// Columns and rows of a screen.
    pub(super) screen: (u16, u16),
    /// Whether this client may pause, step and set the speed.
    pub(super) is_local: bool,
}

/// How the simulation is.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Stats {
    pub(super) tick: u64,
    /// Milliseconds of the last tick, of the median of the last second and of its longest.
    pub(super) tick_ms: f64,
    pub(super) tick_p50_ms: f64,
    pub(super) tick_max_ms: f64,
    pub(super) chasers: u64,
    /// Chasers within reach, on their way by a shared field, by a path of their own, and with nothing to
    /// follow.
    pub(super) beside: u64,
    pub(super) by_field: u64,
    pub(super) by_path: u64,
    pub(super) waiting: u64,
    /// Searches of the last second by outcome, all in all, and by method as far as they were reported.
    pub(super) searches: u64,
    pub(super) by_method: BTreeMap<&'static str, u64>,
    /// Work of searches and fields in the last second and in its busiest tick, and what a tick may do.
    pub(super) work: u64,
    pub(super) work_max: u64,
    pub(super) budget: Option<u32>,
    pub(super) clients: usize,
    pub(super) is_paused: bool,
    pub(super) speed: f64,
}

/// What there is to say of an agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct AgentSays {
    pub(super) id: u64,
    pub(super) at: (u16, u16, u8),
    /// A sentence: what it does and why.
    pub(super) doing: String,
    /// Whom it chases, by number.
    pub(super) chases: Option<u32>,
    /// What it follows: "own path", "shared field", "far field", "detour" or "straight way".
    pub(super) way: Option<&'static str>,
    /// Its last search; nothing if it never searched, as those who share a field.
    pub(super) search: Option<SearchSays>,
    /// The cells of its next steps.
    pub(super) ahead: Vec<(u16, u16, u8)>,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct SearchSays {
    pub(super) ticks_ago: u64,
    /// Nothing if there was nothing to search, such as for a target on another map.
    pub(super) method: Option<&'static str>,
    pub(super) outcome: String,
    /// Cost of the path, cells expanded, and all work, as budgets count it.
    pub(super) cost: Option<u32>,
    pub(super) expanded: Option<u32>,
    pub(super) work: Option<u32>,
}

/// Where a field leads from some cells.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct FieldSays {
    /// Whose field it is.
    pub(super) id: u64,
    /// The first column and row, and how many there are.
    pub(super) x: u16,
    pub(super) y: u16,
    pub(super) floor: u8,
    pub(super) width: u16,
    pub(super) height: u16,
    /// A character a cell, row by row: 0 for up, on clockwise to 7, `L` for a link, `.` for nothing. Empty if
    /// the field leads from none of them.
    pub(super) ways: String,
}

/// Ways of chasers.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct WaysSays {
    pub(super) floor: u8,
    /// Of each chaser its number, its cell and those of its next steps.
    pub(super) ways: Vec<WaySays>,
}

/// A chaser by number, and the cells of its way.
pub(super) type WaySays = (u32, Vec<(u16, u16, u8)>);

/// A cell as a client reads it.
pub(super) const fn triple(cell: Cell) -> (u16, u16, u8) {
    (cell.x, cell.y, cell.floor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_say_one_thing_at_a_time() {
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
