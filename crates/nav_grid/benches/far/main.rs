//! Far paths: scenario files of the `MovingAI` benchmarks on maps of games, mazes, rooms and
//! streets, by our methods and by those of other crates.
//!
//! ```sh
//! cargo bench -p nav_grid --bench far
//! cargo bench -p nav_grid --bench far -- arena2 Berlin_0_512
//! ```
//!
//! This is a program of its own and does not use Criterion: a file is a sample already, of a
//! thousand queries from next door to across the map, and one pass over it takes up to a minute.
//! Criterion would repeat each pass ten times at least and print less. Here each query is timed by
//! itself, so that methods are compared on the same queries even where slow ones are asked only a
//! share.
//!
//! Every answer is judged in a first pass, which also warms up the memory of a method; the second
//! pass is timed. With `--test` a few lines of each file are judged and nothing is timed.

mod contest;
#[path = "../peers/mod.rs"]
mod peers;
mod set;
mod table;

use contest::{Contestant, Promise};
use nav_grid::{
    CornerRule, PathQuery, Terrain,
    methods::{BoundedAStar, JumpPointSearch, PortalSearch},
};
use peers::{GridPathfinding, Pathfinding};
use set::Set;
use table::Table;

/// Lines of a file that A* is asked, spread evenly over it; files have 930 to 9,730.
const LINES: usize = 1000;
/// Lines of them that the slow methods are asked.
const SHARE: usize = 100;
/// Lines of a file that each method is asked when only judging.
const JUDGED: usize = 6;

/// Returns all contestants, one a line. The others of a corner rule are compared with the first one
/// of that rule.
fn contestants(set: &Set) -> Vec<Contestant<'_>> {
    use CornerRule::{Cut, Strict};
    use Promise::{Cheapest, Path};
    let (grid, terrain) = (set.map.grid(), Terrain::from(&set.map));
    let general =
        |query: &PathQuery, path: &mut nav_grid::Path| Pathfinding::search(grid, query, path);
    let jumps = GridPathfinding::new(grid);
    let jumps = move |query: &PathQuery, path: &mut nav_grid::Path| jumps.search(query, path);
    vec![
        Contestant::ours::<JumpPointSearch>("jps", Strict, Cheapest, terrain),
        Contestant::ours::<BoundedAStar>("astar", Strict, Cheapest, terrain).asked(LINES),
        Contestant::ours::<PortalSearch>("portal", Strict, Path, terrain),
        Contestant::peer("pathfinding", Strict, Cheapest, general).asked(SHARE),
        Contestant::ours::<JumpPointSearch>("jps, cutting", Cut, Cheapest, terrain),
        Contestant::peer("grid_pathfinding", Cut, Path, jumps).asked(SHARE),
    ]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let timed = has("--bench") && !has("--test");
    let names: Vec<&String> = arguments
        .iter()
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let mut table = Table::default();
    for (folder, name) in set::MAPS {
        if !(names.is_empty() || names.iter().any(|wanted| *wanted == name)) {
            continue;
        }
        let Some(set) = Set::read(folder, name) else {
            println!("skipped: no {folder}/{name}.map with its scenarios beside the workspace");
            continue;
        };
        let share = if timed { usize::MAX } else { JUDGED };
        let contestants = contestants(&set);
        let runs = contestants
            .into_iter()
            .map(|contestant| contestant.asked(share).run(&set))
            .collect();
        table.add(&set, runs);
    }
    table.print_means();
}
