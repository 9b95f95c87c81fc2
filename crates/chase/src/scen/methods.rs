//! The methods that can be asked.

use nav_grid::{BoundedAStar, Dijkstra, Grid, Method, MethodError, Outcome, Path, Query, Search};

/// Every method that can be asked, one line each.
pub const METHODS: &[Candidate] = &[
    Candidate::exact::<BoundedAStar>(),
    Candidate::exact::<Dijkstra>(),
];

/// A method with what it needs to answer on one map: scratch memory, and what it prepared.
pub type Searcher = Box<dyn FnMut(&Grid, &Query, &mut Path) -> Outcome>;

/// A method that can be asked.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Which one.
    pub method: Method,
    /// Whether it promises cheapest paths.
    pub exact: bool,
    /// Makes it ready for a map.
    pub prepare: fn(&Grid) -> Searcher,
}

impl Candidate {
    /// A method that promises cheapest paths and needs nothing but scratch memory.
    pub const fn exact<S: Search + Default + 'static>() -> Self {
        Self {
            method: S::METHOD,
            exact: true,
            prepare: unprepared::<S>,
        }
    }

    /// The method of this name.
    ///
    /// # Errors
    ///
    /// There is no such method, or this program cannot ask it.
    pub fn named(name: &str) -> Result<Self, UnknownMethod> {
        let method: Method = name.parse()?;
        let known = METHODS.iter().find(|candidate| candidate.method == method);
        known.copied().ok_or(UnknownMethod::NotHere(method))
    }
}

fn unprepared<S: Search + Default + 'static>(_: &Grid) -> Searcher {
    let mut search = S::default();
    Box::new(move |grid, query, path| search.search(grid, query, path))
}

/// A name stands for no method that can be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownMethod {
    /// No method has this name.
    #[error(transparent)]
    NoSuchMethod(#[from] MethodError),
    /// There is such a method, but it answers no query of a scenario file.
    #[error("the method {0} cannot be asked here: it must be all or one of {}", names())]
    NotHere(Method),
}

fn names() -> String {
    let names: Vec<&str> = METHODS.iter().map(|known| known.method.name()).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_listed_once_and_found_by_its_name() {
        for candidate in METHODS {
            let same = |other: &&Candidate| other.method == candidate.method;
            assert_eq!(METHODS.iter().filter(same).count(), 1);
            let found = Candidate::named(candidate.method.name()).unwrap();
            assert_eq!(found.method, candidate.method);
        }
    }

    #[test]
    fn other_names_are_answered_with_the_known_ones() {
        let error = Candidate::named("warp").unwrap_err();
        assert!(
            error.to_string().starts_with("there is no method"),
            "{error}"
        );
        let error = Candidate::named("auto").unwrap_err();
        assert!(error.to_string().contains("astar"), "{error}");
    }
}
