//! How closely and how smoothly a client follows.

use std::time::Duration;

/// How closely and how smoothly a client follows. Lengths are in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How far the shown world lags behind the server; 100 ms by default.
    ///
    /// With a lag shorter than packets travel, turns that were not predicted show late. With a
    /// longer one they show in time. Loss adds the time to notice a gap and to request and receive
    /// the packet.
    pub lag: Duration,
    /// Distance at which a point counts as touched and the follower turns to the next one; 0.9 by
    /// default, and at most 0.9 cells.
    pub touch: f64,
    /// Distance to its target within which a chaser goes straight to it, off its path by up to
    /// [`leash`](Self::leash); 4 by default.
    ///
    /// Its cells are those of the server no longer: it stands where the game on the client shows
    /// the target. 0 keeps it on its path to the end.
    pub steer_within: f64,
    /// Greatest distance in cells from the path when going straight to the target; 0 keeps it on
    /// the path. 0.25 by default, which keeps the follower within a cell of the server's chaser.
    pub leash: f64,
    /// Greatest factor on the usual speed when catching up; 1.5 by default, at least 1.
    pub catch_up: f64,
    /// Distance from the path above which the follower jumps; 3 by default.
    pub snap: f64,
    /// How far ahead on its path a follower aims; 150 ms by default. In this time it also corrects
    /// two thirds of its error.
    pub look_ahead: Duration,
    /// How late a packet may be before it is requested; 150 ms by default.
    pub reorder: Duration,
    /// How long to wait for an answer before requesting again; 400 ms by default.
    pub retry: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            lag: Duration::from_millis(100),
            touch: 0.9,
            steer_within: 4.0,
            leash: 0.25,
            catch_up: 1.5,
            snap: 3.0,
            look_ahead: Duration::from_millis(150),
            reorder: Duration::from_millis(150),
            retry: Duration::from_millis(400),
        }
    }
}
