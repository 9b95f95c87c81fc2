//! The table of results, a block for each map.

use crate::{contest::Run, set::Set};
use nav_grid::CornerRule;

/// Logarithms of the relative times of each contestant, over the maps.
#[derive(Default)]
pub struct Table {
    ratios: Vec<(&'static str, Vec<f64>)>,
}

impl Table {
    /// Prints the results on a map. Runs of one corner rule are compared with the first of them.
    pub fn add(&mut self, set: &Set, runs: Vec<Run>) {
        let size = set.map.grid().size();
        println!(
            "\n{} ({}x{}), {} lines",
            set.name,
            size.width,
            size.height,
            set.lines.len()
        );
        println!(
            "{:<18} {:>6} {:>11} {:>9} {:>9} {:>9}",
            "", "asked", "mean us", "time x", "cost x", "at most x"
        );
        for run in &runs {
            let base = first(&runs, run.corners).unwrap_or(run);
            let against = base.compare(run);
            println!(
                "{:<18} {:>6} {:>11.2} {:>9.2} {:>9.5} {:>9.5}",
                run.name,
                run.asked(),
                run.mean_us(),
                against.time,
                against.cost.0,
                against.cost.1
            );
            self.note(run.name, against.time.ln());
        }
        let (strict, cut) = (CornerRule::Strict, CornerRule::Cut);
        if let (Some(strict), Some(cut)) = (first(&runs, strict), first(&runs, cut)) {
            println!(
                "both corner rules have the same length on {:.1} % of the lines",
                100.0 * strict.agreement(cut)
            );
        }
    }

    fn note(&mut self, name: &'static str, ratio: f64) {
        match self.ratios.iter_mut().find(|(known, _)| *known == name) {
            Some((_, ratios)) => ratios.push(ratio),
            None => self.ratios.push((name, vec![ratio])),
        }
    }

    /// Prints the geometric means over the maps.
    pub fn print_means(&self) {
        println!("\ntime, as a multiple of the first of its corner rule, geometric mean over maps");
        for (name, ratios) in &self.ratios {
            let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
            println!("{name:<18} {:>9.2}", mean.exp());
        }
    }
}

fn first(runs: &[Run], corners: CornerRule) -> Option<&Run> {
    runs.iter().find(|run| run.corners == corners)
}
