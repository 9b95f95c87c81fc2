//! `nav_lab scaling`: runs a scenario in many sizes.

use crate::{
    LabError,
    scaling::{Point, header, row, scaled, svg},
};
use chase::{
    Error, Scenario,
    cli::{
        JsonOut,
        options::{above_zero, count, file_to_write, json_file, whole},
        print,
    },
    scenario::limits,
};
use std::{fs::File, io::Write, path::PathBuf};

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
    /// Write all reports as JSON to this file; - is standard output, where it takes the place of
    /// the table
    #[arg(long, value_name = "FILE", value_parser = json_file())]
    json: Option<PathBuf>,
}

pub(super) fn main(args: &ScalingArgs) -> Result<(), LabError> {
    let scenarios = args.scenarios()?;
    let json = args.json.as_deref().map(JsonOut::open).transpose()?;
    let picture = match &args.svg {
        Some(path) => Some((
            path,
            File::create(path).map_err(|source| Error::write(path, source))?,
        )),
        None => None,
    };
    let table = !matches!(json, Some(JsonOut::Stdout));
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
    if let Some((path, mut file)) = picture {
        let text = svg(&points).map_err(LabError::Plot)?;
        file.write_all(text.as_bytes())
            .map_err(|source| Error::write(path, source))?;
    }
    if let Some(json) = json {
        json.write(&points)?;
    }
    Ok(())
}

impl ScalingArgs {
    /// Returns all runs, checked before the first one starts, because a run may take long.
    fn scenarios(&self) -> Result<Vec<Scenario>, Error> {
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
                scenario.check().map_err(Error::Options)?;
                Ok(scenario)
            })
            .collect()
    }
}
