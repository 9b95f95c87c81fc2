//! `chase show`: draws a map, and a path on it.

use crate::path_options::PathOptions;
use nav_cli::{
    Failure, FileError, OutFile, print,
    values::{count, file_to_write, whole},
};
use nav_formats::MapObject;
use nav_grid::{
    Cell, Grid, Limits, Method, Path, PathQuery, Planner, Status,
    query::{Fallback, Feature},
};
use nav_sim::{
    Roads, Scenario, maps,
    methods::{PreparedMethod, method_names, why_not},
    picture::{Drawing, Motion, Scene, agent_colours, ground_colours},
    scenario::limits,
    sim::Simulation,
};
use png::EncodingError;
use std::{
    io::Write,
    path::{Path as FilePath, PathBuf},
};

/// Objects of a floor that are listed: they fit a screen.
const OBJECTS_MAX: usize = 40;

/// Shows a map and a path on it, or a scenario at a tick
///
/// Columns and rows are numbered around the text. A line below it says what its signs mean, and
/// with --png another one what the colours mean: digits are step costs, letters from a on terrain
/// classes. Objects of the map are listed, and framed in the picture. If no path within the limits
/// reaches the goal, the path to the nearest cell is shown.
#[derive(Clone, Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct ShowArgs {
    /// Map file
    #[arg(required_unless_present = "scenario")]
    map: Option<PathBuf>,
    #[command(flatten)]
    path: PathOptions,
    /// Show the agents of this scenario instead: a RON file, or the name of a bundled scenario
    #[arg(long, value_name = "FILE", requires = "png", conflicts_with_all = ["map", "from", "floor", "roads"])]
    scenario: Option<PathBuf>,
    /// The tick of the scenario to show; the start if left out
    #[arg(long, value_name = "N", value_parser = whole(0..=limits::TICKS_MAX), requires = "scenario")]
    tick: Option<u64>,
    /// Method that searches for the path, on a map prepared for it; astar if left out, or trunk
    /// where main roads are shown
    #[arg(long, value_name = "NAME", value_parser = method_names(), requires = "from")]
    method: Option<Method>,
    /// Floor to show; that of FROM, or the ground floor, if left out
    #[arg(long, value_name = "N", value_parser = whole(0..=u8::MAX))]
    floor: Option<u8>,
    /// Write a picture to this file, too
    #[arg(long, value_name = "FILE", value_parser = file_to_write(".png"))]
    png: Option<PathBuf>,
    /// Search only this many columns and rows around the start; everywhere if left out
    #[arg(long, value_name = "N", value_parser = whole(0..=u16::MAX), requires = "from")]
    radius: Option<u16>,
    /// Greatest number of expansions; as many as it takes if left out
    #[arg(long, value_name = "N", value_parser = count(0..=u32::MAX), requires = "from")]
    expansions: Option<u32>,
    /// Main roads to show, by which the path runs then; none if left out, and auto with --method
    /// trunk
    #[arg(long, value_name = "WHERE", value_enum)]
    roads: Option<Roads>,
}

pub(super) fn main(args: &ShowArgs) -> Result<(), Failure> {
    match (&args.scenario, &args.png, &args.map) {
        (Some(scenario), Some(png), _) => show_scenario(scenario, args.tick.unwrap_or(0), png),
        (_, _, Some(map)) => show_map(args, map),
        // `clap` has refused this command line already.
        _ => Ok(()),
    }
}

/// Runs a scenario up to a tick, and draws its agents.
fn show_scenario(scenario: &FilePath, tick: u64, png: &FilePath) -> Result<(), Failure> {
    let scenario = Scenario::named(scenario)?;
    let map = maps::load(scenario.map.as_ref())?;
    let scene = Scene::new(&map.grid)?;
    let ground = ground_colours(&map.grid);
    let mut simulation = Simulation::new(&scenario, map)?;
    let (mut motion, mut placed) = (Motion::of(&scenario), Vec::new());
    motion.place(0, &simulation.figures(), &mut placed);
    for tick in 1..=tick {
        simulation.tick();
        motion.place(tick, &simulation.figures(), &mut placed);
    }
    write_picture(png, |out| scene.write_png(&placed, out))?;
    let ends = simulation.ends();
    print(|out| {
        let agents = placed.len();
        writeln!(out, "agents: {}", agent_colours(&placed))?;
        writeln!(out, "ground: {ground}")?;
        writeln!(
            out,
            "tick {tick}: {agents} agents, {} beside their target",
            ends.beside
        )
    })?;
    Ok(())
}

/// Writes a picture to a file.
fn write_picture(
    path: &FilePath,
    write: impl FnOnce(&mut OutFile) -> Result<(), EncodingError>,
) -> Result<(), Failure> {
    let mut out = OutFile::create(path)?;
    write(&mut out).map_err(|error| FileError::write(path, error.into()))?;
    Ok(out.finish()?)
}

fn show_map(args: &ShowArgs, map_path: &FilePath) -> Result<(), Failure> {
    let map = maps::read(map_path)?;
    let roads = args.roads().cells(&map).unwrap_or_default();
    let grid = map.grid;
    let ends = args.path.ends(map_path, &grid)?;
    let floor = args.floor.or(ends.map(|(from, _)| from.floor)).unwrap_or(0);
    if floor >= grid.floors() {
        let (map, last) = (map_path.display(), grid.floors() - 1);
        return Err(format!("--floor {floor} is not in {map}: it has floors 0 to {last}").into());
    }
    let mut path = Path::new();
    let mut drawing = Drawing::new(&grid).of_floor(floor);
    let line = if let Some((from, to)) = ends {
        let line = search(args, &grid, &roads, (from, to), &mut path);
        drawing = drawing.with_path(from, to, &path);
        line
    } else {
        let (size, walkable) = (grid.size(), grid.walkable_count());
        format!("{size} cells, {walkable} of them floor")
    };
    let mut objects: Vec<&MapObject> = map.objects.iter().collect();
    objects.retain(|object| object.cell.floor == floor);
    drawing = drawing
        .with_roads(roads)
        .with_objects(objects.iter().map(|object| object.area));
    if let Some(path) = &args.png {
        write_picture(path, |out| drawing.write_png(out))?;
    }
    print(|out| {
        write!(out, "{drawing}")?;
        writeln!(out, "signs: {}", drawing.signs())?;
        if args.png.is_some() {
            writeln!(out, "colours: {}", drawing.colours())?;
        }
        for object in objects.iter().take(OBJECTS_MAX) {
            writeln!(out, "{}", object.describe())?;
        }
        if let Some(more @ 1..) = objects.len().checked_sub(OBJECTS_MAX) {
            writeln!(out, "and {more} more objects")?;
        }
        writeln!(out, "{line}")
    })?;
    Ok(())
}

/// Searches for the path, and returns what it took, in a line.
fn search(
    args: &ShowArgs,
    grid: &Grid,
    roads: &[Cell],
    (from, to): (Cell, Cell),
    path: &mut Path,
) -> String {
    let limits = Limits {
        radius: args.radius.unwrap_or(Limits::UNBOUNDED.radius),
        expansions: args.expansions.unwrap_or(Limits::UNBOUNDED.expansions),
        ..Limits::UNBOUNDED
    };
    let query = PathQuery::new(from, to)
        .with_rules(args.path.rules())
        .with_limits(limits)
        .with_fallback(Fallback::ClosestReached);
    let by_default = if roads.is_empty() {
        Method::AStar
    } else {
        Method::Trunk
    };
    let method = args.method.unwrap_or(by_default);
    let mut prepared = PreparedMethod::new(grid, method, query.rules, roads);
    let (outcome, time) = prepared.search(&query, path);
    let why = why_not(method, outcome.status, grid, &query).unwrap_or_default();
    let status = match outcome.status {
        Status::Unreachable | Status::TooFar | Status::BudgetSpent => format!("no path: {why}"),
        Status::Partial(_) => format!("partial: {why}"),
        other => other.to_string(),
    };
    if let Status::Unsupported(feature) = outcome.status {
        let radius = Planner::support(method).radius_max;
        return if feature == Feature::Window && radius < query.limits.radius {
            format!("{method} refuses: {why}; try --radius {radius}")
        } else {
            format!("{method} refuses: {why}")
        };
    }
    format!(
        "{status}; steps {}, cost {}, length {:.2}, expanded {}; {} took {:.1} us, after {:.3} ms to prepare",
        path.len(),
        outcome.cost,
        query.rules.metric.length(outcome.cost),
        outcome.counters.expanded,
        outcome.method,
        1e6 * time.as_secs_f64(),
        1e3 * prepared.preparation().as_secs_f64()
    )
}

impl ShowArgs {
    /// Returns which roads to show. A search by main roads needs some.
    fn roads(&self) -> Roads {
        match self.roads {
            Some(roads) => roads,
            None if self.method == Some(Method::Trunk) => Roads::Auto,
            None => Roads::None,
        }
    }
}
