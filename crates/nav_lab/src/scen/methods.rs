//! The search methods that `nav_lab scen` compares, and what each needs prepared.

use nav_grid::{
    Cell, CornerRule, IndexedMap, Limits, Method, Metric, Outcome, Path, PathQuery, Planner, Rules,
    Search, Terrain,
    methods::{
        BoundedAStar, Dijkstra, JumpPointSearch, MosaicSearch, PortalSearch, Sweep, TrunkSearch,
    },
};

/// All methods of `nav_lab scen`, one line each.
///
/// [`prepared`](Candidate::prepared) sets other indexes than the method
/// [needs](nav_sim::methods::needs), and [`named`](Candidate::named) gives another name.
pub const METHODS: &[Candidate] = &[
    Candidate::exact::<BoundedAStar>(),
    Candidate::exact::<BoundedAStar>()
        .named("bounded")
        .within(CHASE),
    Candidate::exact::<Sweep>().within(Limits::window(Sweep::SUPPORT.radius_max)),
    Candidate::exact::<JumpPointSearch>(),
    Candidate::near::<PortalSearch>(),
    Candidate::exact::<MosaicSearch>(),
    Candidate::near::<TrunkSearch>(),
    Candidate::near::<Planner>().prepared(|map, _| {
        map.build_jumps(RULES);
        map.build_regions(RULES);
        map.build_portals(RULES);
    }),
    // Without portals its paths are cheapest.
    Candidate::exact::<Planner>()
        .named("auto-jumps")
        .prepared(|map, _| {
            map.build_jumps(RULES);
            map.build_regions(RULES);
        }),
    Candidate::exact::<Dijkstra>(),
];

/// The default limits of chasers, those of [`Limits::default`]. A test compares them.
const CHASE: Limits = Limits {
    radius: 20,
    expansions: 150,
    ..Limits::UNBOUNDED
};

/// The rules of scenario files: octile metric and strict corners.
pub const RULES: Rules = Rules::new(Metric::Octile, CornerRule::Strict);

/// A method with its scratch memory.
pub type Searcher = Box<dyn FnMut(Terrain<'_>, &PathQuery, &mut Path) -> Outcome>;

/// A method to compare.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The name on the command line and in reports.
    pub name: &'static str,
    /// The method.
    pub method: Method,
    /// Whether it promises cheapest paths.
    pub exact: bool,
    /// The limits of its searches.
    pub limits: Limits,
    /// Prepares a map for it. The cells are those of main roads.
    pub prepare: fn(&mut IndexedMap, &[Cell]),
    /// Creates the method with its scratch memory.
    pub searcher: fn() -> Searcher,
}

impl Candidate {
    /// A method that promises cheapest paths, searches the largest window it can, and gets what it
    /// [needs](nav_sim::methods::needs).
    pub const fn exact<S: Search + Default + 'static>() -> Self {
        Self {
            name: S::METHOD.name(),
            method: S::METHOD,
            exact: true,
            limits: Limits::window(S::SUPPORT.radius_max),
            prepare: |map, roads| nav_sim::methods::prepare(map, S::METHOD, RULES, roads),
            searcher: searcher::<S>,
        }
    }

    /// A method that promises paths but not cheapest ones. Otherwise as
    /// [`exact`](Candidate::exact).
    pub const fn near<S: Search + Default + 'static>() -> Self {
        Self {
            exact: false,
            ..Self::exact::<S>()
        }
    }

    /// Sets another name.
    #[must_use]
    pub const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// Sets other limits.
    #[must_use]
    pub const fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Sets how a map is prepared, before the clock starts.
    #[must_use]
    pub const fn prepared(self, prepare: fn(&mut IndexedMap, &[Cell])) -> Self {
        Self { prepare, ..self }
    }

    /// Returns the method of a name.
    ///
    /// # Errors
    ///
    /// No method has this name.
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

/// The error of a name that no method has.
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
    fn methods_by_name() {
        for candidate in METHODS {
            let same = |other: &&Candidate| other.name == candidate.name;
            assert_eq!(METHODS.iter().filter(same).count(), 1);
            let found = Candidate::of_name(candidate.name).unwrap();
            assert_eq!(found.name, candidate.name);
        }
    }

    #[test]
    fn unknown_name() {
        let error = Candidate::of_name("warp").unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("there is no method \"warp\" to ask: it must be all or one of astar,"),
            "{error}"
        );
    }

    #[test]
    fn chase_equals_chasers() {
        assert_eq!(CHASE, Limits::default());
    }
}
