//! The queries of a scenario file, with their listed lengths.

use super::methods::RULES;
use nav_formats::scen::{ScenLine, Scenario};
use nav_grid::{Grid, Limits, PathQuery};

/// Lines of the file before the first query: the version line.
const HEADER_LINES: usize = 1;

/// A query of a scenario file, and its known length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Number of the line in the file, from 1.
    pub number: usize,
    /// The query, without limits.
    pub query: PathQuery,
    /// Length of a shortest path in cells, rounded as in the file. `None` where the start or the
    /// goal is blocked, because the number in the file means nothing then.
    pub length: Option<f64>,
}

/// The error of a line for a map of another size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line}: the query is for a map of {}x{} cells, but the map has {}x{}",
    found.0, found.1, map.0, map.1
)]
pub struct SizeError {
    /// Number of the line in the file, from 1.
    pub line: usize,
    /// Columns and rows in the line.
    pub found: (u16, u16),
    /// Columns and rows of the map.
    pub map: (u16, u16),
}

/// Returns the queries of `scenario` on `grid`: all of them, or `limit` spread evenly over the
/// file. Files begin with the shortest paths, so the first queries alone would say little.
///
/// # Errors
///
/// [`SizeError`] at the first line for a map of another size than `grid`, even if the line is not
/// among the chosen ones.
pub fn lines(
    grid: &Grid,
    scenario: &Scenario,
    limit: Option<usize>,
) -> Result<Vec<Line>, SizeError> {
    let map = (grid.width(), grid.height());
    for (index, line) in scenario.lines.iter().enumerate() {
        let found = (line.width, line.height);
        if found != map {
            let line = index + 1 + HEADER_LINES;
            return Err(SizeError { line, found, map });
        }
    }
    let count = scenario.lines.len();
    let take = limit.map_or(count, |limit| limit.min(count));
    let chosen = (0..take).map(|n| (n as u64 * count as u64 / take as u64) as usize);
    Ok(chosen
        .filter_map(|index| Some(Line::new(grid, index, scenario.lines.get(index)?)))
        .collect())
}

impl Line {
    fn new(grid: &Grid, index: usize, line: &ScenLine) -> Self {
        let &ScenLine { start, goal, .. } = line;
        let query = PathQuery::new(start, goal)
            .with_rules(RULES)
            .with_limits(Limits::UNBOUNDED);
        let has_path = grid.is_walkable(start) && grid.is_walkable(goal);
        Self {
            number: index + 1 + HEADER_LINES,
            query,
            length: has_path.then_some(line.optimal_length),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::Cell;

    fn scenario(count: u16) -> Scenario {
        let line = |x| ScenLine {
            bucket: 0,
            map: "yard.map".to_owned(),
            width: 20,
            height: 1,
            start: Cell::new(0, 0),
            goal: Cell::new(x, 0),
            optimal_length: f64::from(x),
        };
        Scenario {
            lines: (0..count).map(line).collect(),
        }
    }

    fn numbers(count: u16, limit: Option<usize>) -> Vec<usize> {
        let grid = Grid::open(20, 1).unwrap();
        let lines = lines(&grid, &scenario(count), limit).unwrap();
        lines.iter().map(|line| line.number).collect()
    }

    #[test]
    fn limit_spreads_over_file() {
        assert_eq!(numbers(4, None), [2, 3, 4, 5]);
        assert_eq!(numbers(4, Some(9)), [2, 3, 4, 5]);
        assert_eq!(numbers(10, Some(4)), [2, 4, 7, 9]);
        assert!(numbers(10, Some(0)).is_empty());
        assert!(numbers(0, Some(3)).is_empty());
    }

    #[test]
    fn blocked_end_without_length() {
        let mut grid = Grid::open(20, 1).unwrap();
        grid.set_walkable(Cell::new(2, 0), false).unwrap();
        let lines = lines(&grid, &scenario(4), None).unwrap();
        let lengths: Vec<Option<f64>> = lines.iter().map(|line| line.length).collect();
        assert_eq!(lengths, [Some(0.0), Some(1.0), None, Some(3.0)]);
    }
}
