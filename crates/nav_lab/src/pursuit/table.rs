//! The table of all pursuits.

use super::{
    flight::FlightKind,
    ground::Course,
    measure::{Pursuers, pursue},
    setting::Setting,
    shares::Shares,
};
use bevy_app::App;
use nav_sim::Progress;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// How well chasers stay beside moving targets: a row for each course and each kind of pursuers.
///
/// Its JSON is one object with the fields below. [`Display`] prints it as a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PursuitTable {
    /// Seconds of each pursuit that count, after five that do not.
    pub seconds: u32,
    /// Pursuits per row.
    pub pursuits: u32,
    /// Seed of the first pursuit.
    pub seed: u64,
    /// Rows, ordered by pursuers, then by course.
    pub rows: Vec<PursuitRow>,
}

/// The pursuits of one kind of pursuers on one course.
///
/// Shares are 0 to 1, and more where chasers did better than imagined ones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PursuitRow {
    /// How the target moves.
    pub flight: FlightKind,
    /// Whether the map is cluttered.
    pub cluttered: bool,
    /// Number of chasers.
    pub count: usize,
    /// Whether they have solid bodies.
    pub bodies: bool,
    /// Time beside the target, as a share of that of imagined ghosts, which know at every step
    /// where the target is.
    pub of_ghosts: f64,
    /// The same, as a share of that of an imagined pack of solid bodies.
    pub of_pack: f64,
    /// The same, as a share of that of a ring that is always full.
    pub of_ring: f64,
    /// Searches per second of one chaser.
    pub searches_a_second: f64,
    /// Share of steps straight back to the previous cell.
    pub straight_back: f64,
}

impl PursuitRow {
    /// Creates a row from the results of pursuits.
    pub fn new(course: Course, pursuers: Pursuers, shares: &Shares) -> Self {
        Self {
            flight: course.flight,
            cluttered: course.cluttered,
            count: pursuers.count,
            bodies: pursuers.bodies,
            of_ghosts: shares.of_ghosts(),
            of_pack: shares.of_pack(),
            of_ring: shares.of_ring(),
            searches_a_second: shares.searches_a_second(),
            straight_back: shares.back(),
        }
    }
}

impl PursuitTable {
    /// Measures each course with each kind of pursuers, `pursuits` times, with seeds from `seed`
    /// on. Reports progress in rows.
    pub fn measure(
        setting: &Setting,
        seconds: u32,
        pursuits: u32,
        seed: u64,
        progress: &mut dyn Progress,
    ) -> Self {
        let courses: Vec<Course> = Course::all().collect();
        progress.start((courses.len() * Pursuers::ALL.len()) as u64);
        let mut rows = Vec::new();
        for pursuers in Pursuers::ALL {
            for &course in &courses {
                let seeds = (0..u64::from(pursuits)).map(|n| seed.wrapping_add(n));
                let shares = pursue(course, pursuers, setting, seconds, seeds, App::update);
                rows.push(PursuitRow::new(course, pursuers, &shares));
                progress.tick(rows.len() as u64);
            }
        }
        progress.finish();
        Self {
            seconds,
            pursuits,
            seed,
            rows,
        }
    }
}

impl Display for PursuitTable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "time beside the target, in percent of that of imagined chasers that know at every step \
             where it is;\n{} pursuits a row, {} s each",
            self.pursuits, self.seconds
        )?;
        let mut pursuers = None;
        for row in &self.rows {
            let these = Pursuers {
                count: row.count,
                bodies: row.bodies,
            };
            if pursuers.replace(these) != Some(these) {
                writeln!(
                    f,
                    "\n{:<22} {:>9} {:>9} {:>9} {:>11} {:>13}",
                    these.name(),
                    "of ghosts",
                    "of a pack",
                    "of places",
                    "searches/s",
                    "straight back"
                )?;
            }
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

impl Display for PursuitRow {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let course = Course {
            flight: self.flight,
            cluttered: self.cluttered,
        };
        let shares = [
            self.of_ghosts,
            self.of_pack,
            self.of_ring,
            self.straight_back,
        ];
        let [ghosts, pack, ring, back] = shares.map(|share| 100.0 * share);
        let (name, searches) = (course.name(), self.searches_a_second);
        write!(
            f,
            "  {name:<20} {ghosts:>7.1} % {pack:>7.1} % {ring:>7.1} % {searches:>11.2} {back:>11.1} %"
        )
    }
}
