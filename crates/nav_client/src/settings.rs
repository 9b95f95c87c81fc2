//! How closely and how smoothly a client follows.

use std::time::Duration;

/// How closely and how smoothly a client follows. Lengths are world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How long ago what is shown was so on the server; 100 ms by default. Shorter than messages are under
    /// way, turns of chasers show late, as far as they were not foreseen. Longer, they show
    /// in time. Loss adds the time that it takes to notice a gap, to ask and to be answered.
    pub lag: Duration,
    /// A point counts as touched within so many units, 0.9 by default, and 0.9 cells at most: the follower
    /// turns to the next one.
    pub touch: f64,
    /// Within so many units of its target, 4 by default, a chaser goes straight for it.
    pub steer_within: f64,
    /// How far off its way going straight for the target leads at most, in cells; 0.25 by default, so that
    /// it stays within a cell of the server's truth.
    pub leash: f64,
    /// How many times as fast as usual it walks at most to catch up; 1.5 by default, from 1 on.
    pub catch_up: f64,
    /// Who is further off its way is put there; 3 units by default.
    pub snap: f64,
    /// How far ahead on its way it looks, which is also the time in which it gets rid of two thirds of
    /// what it is off; 150 ms by default.
    pub look_ahead: Duration,
    /// How long a missing packet may be late before it is asked for; 150 ms by default.
    pub reorder: Duration,
    /// How long an answer is waited for before it is asked for again; 400 ms by default.
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
