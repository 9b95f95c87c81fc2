//! `nav_lab scaling`: runs a scenario in many sizes.

use crate::scaling::{Point, header, row, scaled, svg};
use nav_cli::{
    Failure, JsonArgs, OutFile, print,
    values::{above_zero, count, file_to_write, whole},
};
use nav_sim::{
    Scenario,
    scenario::{OptionsError, limits},
};
use std::{io::Write, path::PathBuf};

/// Runs a scenario with ever more chasers and reports how the time of a tick grows
///
/// There are as many chasers for each target as in the scenario. The sides of a map that is made
/// for it grow with the square root of the number of chasers, so that density stays equal; a map
/// file stays as it is. Every run is a process of its own.
#[derive(Clone, Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct ScalingArgs {
    /// Scenario that gives the shape: a RON file, or the name of a bundled scenario
    #[arg(default_value = "crowd-1m")]
    scenario: PathBuf,
    /// Numbers of chasers; k stands for thousands and m for millions
    #[arg(long, value_name = "N,..", value_delimiter = ',', value_parser = count(0..=limits::CHASERS_MAX), default_value = "1k,10k,100k,1m")]
    chasers: Vec<u32>,
    /// Numbers of threads
    #[arg(
        long,
        value_name = "N,..",
        value_delimiter = ',',
        value_parser = whole(1..=limits::THREADS_MAX),
        default_value = "1,2"
    )]
    threads: Vec<u32>,
    /// Simulated time of each run, in seconds; that of the scenario if left out
    #[arg(long, value_name = "S", value_parser = above_zero(limits::SECONDS_MAX))]
    seconds: Option<f64>,
    /// Draw the mean time of a tick to this SVG file
    #[arg(long, value_name = "FILE", value_parser = file_to_write(".svg"))]
    svg: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArgs,
}

pub(super) fn main(args: &ScalingArgs) -> Result<(), Failure> {
    let scenarios = args.scenarios()?;
    let json = args.json.open()?;
    let picture = args.svg.as_deref().map(OutFile::create).transpose()?;
    let table = !json.takes_stdout();
    if table {
        print(|out| writeln!(out, "{}", header()))?;
    }
    let mut points = Vec::new();
    for scenario in &scenarios {
        let point = Point::run(scenario)?;
        if table {
            print(|out| writeln!(out, "{}", row(&point)))?;
        }
        points.push(point);
    }
    if let Some(file) = picture {
        let text = svg(&points).map_err(|error| format!("the plot cannot be drawn: {error}"))?;
        file.put(|out| out.write_all(text.as_bytes()))?;
    }
    json.write(&points)
}

impl ScalingArgs {
    /// Returns all runs, checked before the first one starts, because a run may take long.
    fn scenarios(&self) -> Result<Vec<Scenario>, Failure> {
        let base = Scenario::named(&self.scenario)?;
        let sizes = self
            .chasers
            .iter()
            .flat_map(|&chasers| self.threads.iter().map(move |&threads| (chasers, threads)));
        sizes
            .map(|(chasers, threads)| {
                let scenario = Scenario {
                    threads: Some(threads),
                    seconds: self.seconds.unwrap_or(base.seconds),
                    ..scaled(&base, chasers)
                };
                scenario.check().map_err(OptionsError)?;
                Ok(scenario)
            })
            .collect()
    }
}
