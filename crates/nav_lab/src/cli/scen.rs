//! `nav_lab scen`: answers a scenario file of the `MovingAI` benchmarks and judges the answers.

use crate::scen::{self, Candidate, METHODS, UnknownMethod};
use nav_cli::{Failure, InFile, JsonArgs, read_file, values::whole};
use nav_formats::{scen as file, scen::Scenario};
use nav_grid::Method;
use nav_sim::{Roads, maps};
use std::path::{Path, PathBuf};

/// Answers a scenario file of the movingai.com benchmarks by search methods, judges every answer,
/// and measures times
///
/// Every query has the octile metric and strict corners. A method that promises cheapest paths must
/// find the listed length, up to 0.01, and no path that costs more than another method's. A method
/// that searches a window is asked only queries inside it. Fails if any answer is wrong.
#[derive(Clone, Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct ScenArgs {
    /// Map file
    map: PathBuf,
    /// Scenario file of the map
    scen: PathBuf,
    /// Methods to ask, by name, separated by commas; all means every method except dijkstra
    #[arg(long, value_name = "NAMES", default_value = "all", value_delimiter = ',', value_parser = methods)]
    method: Vec<Methods>,
    /// Ask Dijkstra's search, too, the judge of all others: slow on large maps
    #[arg(long)]
    exact: bool,
    /// Where the main roads run, by which the method trunk walks; without any it refuses all
    #[arg(long, value_name = "WHERE", value_enum, default_value = "auto")]
    roads: Roads,
    /// Ask only this many lines, spread evenly over the file
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX))]
    limit: Option<u32>,
    #[command(flatten)]
    json: JsonArgs,
}

/// The meaning of a method name on the command line.
#[derive(Clone, Copy, Debug)]
enum Methods {
    All,
    One(Candidate),
}

fn methods(name: &str) -> Result<Methods, UnknownMethod> {
    if name == "all" {
        return Ok(Methods::All);
    }
    Candidate::of_name(name).map(Methods::One)
}

pub(super) fn main(args: &ScenArgs) -> Result<(), Failure> {
    let map = maps::read(&args.map)?;
    let roads = args.roads.cells(&map).unwrap_or_default();
    let grid = map.grid;
    let scenario = file::read(&read_file(&args.scen)?).in_file(&args.scen)?;
    let limit = args.limit.map(|limit| limit as usize);
    let lines = scen::lines(&grid, &scenario, limit).in_file(&args.scen)?;
    let json = args.json.open()?;
    let mut report = scen::run(&grid, &roads, &lines, &args.candidates());
    report.map = args.map.display().to_string();
    report.scen = args.scen.display().to_string();
    json.report(&report, &report)?;
    let Some(first) = report.wrong.first() else {
        return Ok(());
    };
    let (file, count) = (args.scen.display(), report.wrong.len());
    let another = another_map(&args.map, &scenario);
    let about = another.map_or(String::new(), |map| format!("; the file is about {map}"));
    Err(format!("{file}: wrong answers: {count}, the first to {first}{about}").into())
}

/// Returns the map named in the first query of the file, if it is another one.
fn another_map(map: &Path, scenario: &Scenario) -> Option<String> {
    let named = &scenario.lines.first()?.map;
    let same = Path::new(named).file_name() == map.file_name();
    (!same).then(|| named.clone())
}

impl ScenArgs {
    /// Returns the methods to ask, each once, in the order of [`METHODS`].
    fn candidates(&self) -> Vec<Candidate> {
        let mut candidates = METHODS.to_vec();
        candidates.retain(|candidate| {
            let judge = candidate.method == Method::Dijkstra;
            self.method.iter().any(|methods| match methods {
                Methods::All => !judge,
                Methods::One(one) => one.name == candidate.name,
            }) || judge && self.exact
        });
        candidates
    }
}
