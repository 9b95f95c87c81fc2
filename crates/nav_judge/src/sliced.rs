//! Judge of searches in slices.

use crate::{random::Xorshift, walk::walk};
use nav_grid::{
    Method, Outcome, Path, PathQuery, Planner, Terrain,
    methods::{BoundedAStar, Dijkstra, JumpPointSearch, MosaicSearch, TrunkSearch},
    query::{Progress, Sliced},
};

/// Lengths of slices, each tried for a whole search; 0 draws a length for every slice.
///
/// 1 suspends everywhere; 2 and 7 are guesses.
const LENGTHS: [u32; 4] = [1, 2, 7, 0];

/// Resumes a search to its end in slices of `length`, or of random lengths for 0. Returns its
/// outcome and the number of slices.
///
/// # Panics
///
/// If the search is cancelled, or if a path appears before the end.
pub fn resume_to_end(
    search: &mut impl Sliced,
    terrain: Terrain<'_>,
    length: u32,
    path: &mut Path,
) -> (Outcome, u32) {
    let mut random = Xorshift::new(length.into());
    for slices in 1.. {
        let length = if length == 0 {
            random.below(40)
        } else {
            length
        };
        match search.resume(terrain, length, path) {
            Progress::Done(outcome) => return (outcome, slices),
            Progress::Suspended => assert!(path.is_empty()),
            other => panic!("{other:?}, and nobody edits the map or cancels"),
        }
    }
    unreachable!("no search goes on for ever")
}

/// Checks that a query in slices of any length is answered like a query at once.
///
/// # Panics
///
/// If an answer differs.
pub fn judge_slices_of<S: Sliced + Default>(terrain: Terrain<'_>, query: &PathQuery) -> Outcome {
    let (mut search, mut whole, mut path) = (S::default(), Path::new(), Path::new());
    let expected = search.search(terrain, query, &mut whole);
    if expected.status.has_path() {
        assert_eq!(walk(terrain, query, &whole), Ok(expected.cost));
    }
    for length in LENGTHS {
        search.begin(terrain, query);
        let (answer, _) = resume_to_end(&mut search, terrain, length, &mut path);
        assert_eq!((answer, &path), (expected, &whole), "{query:?}");
        assert_eq!(search.resume(terrain, 1, &mut path), Progress::Idle);
    }
    expected
}

/// Checks every method in slices, by itself and through the planner.
///
/// # Panics
///
/// If a query in slices is answered differently.
pub fn judge_slices(terrain: Terrain<'_>, query: &PathQuery) {
    judge_slices_of::<BoundedAStar>(terrain, query);
    judge_slices_of::<Dijkstra>(terrain, query);
    judge_slices_of::<JumpPointSearch>(terrain, query);
    judge_slices_of::<MosaicSearch>(terrain, query);
    judge_slices_of::<TrunkSearch>(terrain, query);
    judge_slices_of::<Planner>(terrain, query);
    let (mut planner, mut whole, mut path) = (Planner::new(), Path::new(), Path::new());
    for method in Method::ALL {
        let expected = planner.ask(method, terrain, query, &mut whole);
        for length in [1, 0] {
            planner.begin_with(method, terrain, query);
            let (answer, _) = resume_to_end(&mut planner, terrain, length, &mut path);
            assert_eq!((answer, &path), (expected, &whole), "{method} {query:?}");
        }
    }
}
