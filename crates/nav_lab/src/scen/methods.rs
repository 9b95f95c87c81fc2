//! The search methods that `nav_lab scen` compares, with what each needs prepared.

use nav_grid::{
    Cell, CornerRule, Footprint, IndexedMap, Limits, Method, Metric, Outcome, Path, PathQuery,
    Planner, Rules, Search, Terrain,
    methods::{
        BoundedAStar, Dijkstra, JumpPointSearch, MosaicSearch, PortalSearch, Sweep, TrunkSearch,
    },
};

/// Every method that `nav_lab scen` knows, one line each.
///
/// What a method needs prepared goes into [`prepared`](Candidate::prepared), and a name of its
/// own into [`named`](Candidate::named).
pub const METHODS: &[Candidate] = &[
    Candidate::exact::<BoundedAStar>(),
    Candidate::exact::<BoundedAStar>()
        .named("bounded")
        .within(CHASE),
    Candidate::exact::<Sweep>().within(Limits::window(Sweep::SUPPORT.radius_max)),
    Candidate::exact::<JumpPointSearch>()
        .prepared(|map, _| map.build_jumps(Footprint::ONE, RULES.corners)),
    Candidate::near::<PortalSearch>().prepared(|map, _| map.build_portals(RULES)),
    Candidate::exact::<MosaicSearch>().prepared(|map, _| map.build_mosaic(RULES.footprint)),
    Candidate::near::<TrunkSearch>().prepared(|map, roads| {
        if !roads.is_empty() {
            let roads = roads.iter().copied();
            map.insert_roads(RULES, roads)
                .expect("cells of the map are on it");
        }
    }),
    Candidate::exact::<Planner>().prepared(|map, _| {
        map.build_jumps(Footprint::ONE, RULES.corners);
        map.build_regions(RULES);
    }),
    Candidate::exact::<Dijkstra>(),
];

/// The limits of chasers by default, those of [`Limits::default`].
const CHASE: Limits = Limits {
    radius: 20,
    expansions: 150,
    ..Limits::UNBOUNDED
};

/// How scenario lines are walked.
pub const RULES: Rules = Rules::new(Metric::Octile, CornerRule::Strict);

/// A method with its scratch memory.
pub type Searcher = Box<dyn FnMut(Terrain<'_>, &PathQuery, &mut Path) -> Outcome>;

/// A method to compare.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The name it has on the command line and in reports.
    pub name: &'static str,
    /// Which one.
    pub method: Method,
    /// Whether it promises cheapest paths.
    pub exact: bool,
    /// What it searches within.
    pub limits: Limits,
    /// Makes a map ready for it, with these cells for main roads.
    pub prepare: fn(&mut IndexedMap, &[Cell]),
    /// Makes its scratch memory.
    pub searcher: fn() -> Searcher,
}

impl Candidate {
    /// A method that promises cheapest paths, searches as large a window as it can, and needs
    /// nothing prepared.
    pub const fn exact<S: Search + Default + 'static>() -> Self {
        Self {
            name: S::METHOD.name(),
            method: S::METHOD,
            exact: true,
            limits: Limits::window(S::SUPPORT.radius_max),
            prepare: |_, _| {},
            searcher: searcher::<S>,
        }
    }

    /// A method that promises paths, not cheapest ones; otherwise as
    /// [`exact`](Candidate::exact).
    pub const fn near<S: Search + Default + 'static>() -> Self {
        Self {
            exact: false,
            ..Self::exact::<S>()
        }
    }

    /// The same under another name.
    #[must_use]
    pub const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// The same within limits.
    #[must_use]
    pub const fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The same on a map that is made ready before the clock starts.
    #[must_use]
    pub const fn prepared(self, prepare: fn(&mut IndexedMap, &[Cell])) -> Self {
        Self { prepare, ..self }
    }

    /// The method of this name.
    ///
    /// # Errors
    ///
    /// No method that can be asked has it.
    pub fn of_name(name: &str) -> Result<Self, UnknownMethod> {
        let known = METHODS.iter().find(|candidate| candidate.name == name);
        known
            .copied()
            .ok_or_else(|| UnknownMethod { name: name.into() })
    }
}

fn searcher<S: Search + Default + 'static>() -> Searcher {
    let mut search = S::default();
    Box::new(move |terrain, query, path| search.search(terrain, query, path))
}

/// A name stands for no method that can be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no method {name:?} to ask: it must be all or one of {}",
    names()
)]
pub struct UnknownMethod {
    /// The name.
    pub name: String,
}

fn names() -> String {
    let names: Vec<&str> = METHODS.iter().map(|known| known.name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_listed_once_and_found_by_its_name() {
        for candidate in METHODS {
            let same = |other: &&Candidate| other.name == candidate.name;
            assert_eq!(METHODS.iter().filter(same).count(), 1);
            let found = Candidate::of_name(candidate.name).unwrap();
            assert_eq!(found.name, candidate.name);
        }
    }

    #[test]
    fn other_names_are_answered_with_the_known_ones() {
        let error = Candidate::of_name("warp").unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("there is no method \"warp\" to ask: it must be all or one of astar,"),
            "{error}"
        );
    }

    #[test]
    fn a_chase_is_what_chasers_do() {
        assert_eq!(CHASE, Limits::default());
    }
}
