//! `chase show`: draws a map, and a path on it.

use super::{
    options::{CornersOption, MetricOption, cell},
    stdout::print,
};
use crate::{Error, maps, picture::Drawing};
use nav_grid::{
    Cell, Grid, Limits, Outcome, Path, PathQuery, Rules, Search, methods::BoundedAStar,
    query::Fallback,
};
use std::{
    fs::File,
    io::{BufWriter, Write},
    path::PathBuf,
};

/// Shows a map, and a path on it
///
/// In text, # is wall, . floor, S start, G goal and * the path. Where there is no path within
/// the limits, the way to the place nearest to the goal is shown.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ShowArgs {
    /// Map file
    map: PathBuf,
    /// Where the path starts: column,row from the upper left corner
    #[arg(long, value_name = "X,Y[,FLOOR]", value_parser = cell, allow_hyphen_values = true, requires = "to")]
    from: Option<Cell>,
    /// Where the path leads
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true, requires = "from")]
    to: Option<Cell>,
    /// Floor to show; that of --from, or the ground floor, if left out
    #[arg(long, value_name = "N")]
    floor: Option<u8>,
    /// Write a picture to this file, too
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Search only this many columns and rows around the start; everywhere if left out
    #[arg(long, value_name = "N", requires = "from")]
    radius: Option<u16>,
    /// Greatest number of expansions; as many as it takes if left out
    #[arg(long, value_name = "N", requires = "from")]
    expansions: Option<u32>,
    /// Cost of steps
    #[arg(long, value_enum, default_value = "unit")]
    metric: MetricOption,
    /// Diagonal steps past walls
    #[arg(long, value_enum, default_value = "strict")]
    corners: CornersOption,
}

pub(super) fn main(args: &ShowArgs) -> Result<(), Error> {
    let grid = maps::read(&args.map)?.grid;
    let query = args.query(&grid)?;
    let mut path = Path::new();
    let floor = args.floor.or(args.from.map(|from| from.floor)).unwrap_or(0);
    if floor >= grid.floors() {
        return Err(Error::NoSuchFloor {
            floor,
            map: args.map.clone(),
            floors: grid.floors(),
        });
    }
    let mut drawing = Drawing::new(&grid).of_floor(floor);
    let mut line = format!(
        "{} cells, {} of them floor",
        grid.size(),
        grid.walkable_count()
    );
    if let Some(query) = query {
        let outcome = BoundedAStar::new().search(&grid, &query, &mut path);
        drawing = drawing.with_path(query.start, query.goal, &path);
        line = outcome_line(&query, &outcome, &path);
    }
    if let Some(path) = &args.png {
        let file = File::create(path).map_err(|source| Error::write(path, source))?;
        let mut out = BufWriter::new(file);
        drawing
            .write_png(&mut out)
            .and_then(|()| Ok(out.flush()?))
            .map_err(|source| Error::Picture {
                path: path.clone(),
                source,
            })?;
    }
    print(|out| {
        write!(out, "{drawing}")?;
        writeln!(out, "{line}")
    })
}

impl ShowArgs {
    /// The query to answer, if one is asked, whose ends can be stood on.
    fn query(&self, grid: &Grid) -> Result<Option<PathQuery>, Error> {
        let (Some(from), Some(to)) = (self.from, self.to) else {
            return Ok(None);
        };
        for (option, cell) in [("--from", from), ("--to", to)] {
            if !grid.contains(cell) {
                return Err(Error::OutsideMap {
                    option,
                    cell,
                    map: self.map.clone(),
                    width: grid.width(),
                    height: grid.height(),
                });
            }
            if !grid.is_walkable(cell) {
                return Err(Error::InsideWall {
                    option,
                    cell,
                    map: self.map.clone(),
                });
            }
        }
        let limits = Limits {
            radius: self.radius.unwrap_or(Limits::UNBOUNDED.radius),
            expansions: self.expansions.unwrap_or(Limits::UNBOUNDED.expansions),
            ..Limits::UNBOUNDED
        };
        let query = PathQuery::new(from, to)
            .with_rules(Rules::new(self.metric.into(), self.corners.into()))
            .with_limits(limits)
            .with_fallback(Fallback::ClosestReached);
        Ok(Some(query))
    }
}

fn outcome_line(query: &PathQuery, outcome: &Outcome, path: &Path) -> String {
    format!(
        "{}; steps {}, cost {}, length {:.2}, expanded {}",
        outcome.status,
        path.len(),
        outcome.cost,
        query.rules.metric.length(outcome.cost),
        outcome.counters.expanded
    )
}
