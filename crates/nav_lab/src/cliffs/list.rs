//! The list of cliffs, and their names.

use super::{
    disturb,
    measure::Crowd,
    stage::{Random, Stage},
};
use nav_grid::{Grid, Metric};
use nav_sim::Scenario;

/// Something that a game may do, and how it is done to a crowd.
#[derive(Clone, Copy, Debug)]
pub struct Cliff {
    /// The name on the command line and in tables.
    pub name: &'static str,
    /// The game's actions, in a few words.
    pub does: &'static str,
    /// The crowd that is disturbed, and that the cliff is compared with.
    pub crowd: Crowd,
    /// Changes the scenario.
    pub(super) shape: fn(&mut Scenario),
    /// Changes the map before agents are placed on it.
    pub(super) lay: fn(&mut Grid, &mut Random),
    /// Changes the world. Called before every tick.
    pub(super) disturb: fn(&mut Stage),
}

/// All cliffs, one entry each, in the order of the table.
pub const CLIFFS: &[Cliff] = &[
    Cliff::new("tunings", "every chaser has settings of its own").disturbed(disturb::tunings),
    Cliff::new("teleport", "all targets teleport every second").disturbed(disturb::teleport),
    Cliff::new("doors", "a hundred doors open or close every tick").disturbed(disturb::doors),
    Cliff::new("replaced", "half the chasers are replaced in one tick")
        .disturbed(disturb::replaced),
    Cliff::new("assigned", "all chasers get another target in one tick")
        .disturbed(disturb::assigned),
    Cliff::new("moved", "all chasers are put elsewhere in one tick").disturbed(disturb::moved),
    Cliff::new("one-target", "all chase the same target").shaped(|scenario| scenario.targets = 1),
    Cliff::new("sealed", "walls close around all targets in one tick").disturbed(disturb::sealed),
    Cliff::new("swapped", "another map replaces the map in one tick").disturbed(disturb::swapped),
    Cliff::new("costs", "every cell has a step cost of 1 to 3").laid(disturb::costs),
    Cliff::new("octile", "diagonal steps cost the square root of 2")
        .shaped(|scenario| scenario.chaser.metric = Metric::Octile),
    Cliff::new("sizes", "bodies of 1x1 to 3x3 cells").disturbed(disturb::sizes),
    Cliff::new("links", "300 links between any two cells").laid(disturb::links),
    Cliff::new(
        "requests",
        "a near path request for each chaser in one tick",
    )
    .disturbed(disturb::requests),
    Cliff::new("far-requests", "the same between any two cells of the map")
        .disturbed(disturb::far_requests),
    Cliff::new(
        "unprepared",
        "a first chaser of new rules, far from its target",
    )
    .disturbed(disturb::unprepared)
    .of(Crowd::Wide),
    Cliff::new("own-target", "each chases a target of its own")
        .shaped(own_targets)
        .of(Crowd::Game),
    Cliff::new("spawned", "beside each a body is spawned in one tick")
        .shaped(|scenario| {
            own_targets(scenario);
            scenario.target.stands = true;
        })
        .disturbed(disturb::spawned)
        .of(Crowd::Game),
];

fn own_targets(scenario: &mut Scenario) {
    scenario.targets = scenario.chasers;
}

impl Cliff {
    /// A cliff that does nothing yet.
    const fn new(name: &'static str, does: &'static str) -> Self {
        Self {
            name,
            does,
            crowd: Crowd::Plain,
            shape: |_| {},
            lay: |_, _| {},
            disturb: |_| {},
        }
    }

    /// Returns the undisturbed run of a crowd, as a cliff that changes nothing.
    pub const fn undisturbed(crowd: Crowd) -> Self {
        Self::new(crowd.name(), crowd.describe()).of(crowd)
    }

    const fn of(self, crowd: Crowd) -> Self {
        Self { crowd, ..self }
    }

    const fn shaped(self, shape: fn(&mut Scenario)) -> Self {
        Self { shape, ..self }
    }

    const fn laid(self, lay: fn(&mut Grid, &mut Random)) -> Self {
        Self { lay, ..self }
    }

    const fn disturbed(self, disturb: fn(&mut Stage)) -> Self {
        Self { disturb, ..self }
    }

    /// Returns the cliff of a name.
    ///
    /// # Errors
    ///
    /// No cliff has this name.
    pub fn of_name(name: &str) -> Result<Self, UnknownCliff> {
        let known = CLIFFS.iter().find(|cliff| cliff.name == name);
        known
            .copied()
            .ok_or_else(|| UnknownCliff { name: name.into() })
    }
}

/// The error of a name that no cliff has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no cliff {name:?}: it must be one of {}", names())]
pub struct UnknownCliff {
    /// The name.
    pub name: String,
}

fn names() -> String {
    let names: Vec<&str> = CLIFFS.iter().map(|known| known.name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let crowds = Crowd::ALL.map(Cliff::undisturbed);
        let all: Vec<&Cliff> = CLIFFS.iter().chain(&crowds).collect();
        for cliff in &all {
            let same = all.iter().filter(|other| other.name == cliff.name);
            assert_eq!(same.count(), 1, "{}", cliff.name);
        }
    }

    #[test]
    fn unknown_name() {
        let error = Cliff::of_name("moon").unwrap_err().to_string();
        let start = "there is no cliff \"moon\": it must be one of tunings, teleport, doors,";
        assert!(error.starts_with(start), "{error}");
        // A crowd without a disturbance is no cliff.
        assert!(Cliff::of_name(Crowd::Plain.name()).is_err());
    }
}
