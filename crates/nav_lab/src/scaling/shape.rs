//! Scales a scenario to another number of chasers, at equal density.

use nav_grid::Grid;
use nav_sim::{Scenario, scenario::MapSource};

/// Smallest side of a map: 4096 cells, in which the chasers of few targets find room.
const SIDE_MIN: u16 = 64;

/// Returns `scenario` with `chasers` chasers, and as many of them per target as before.
///
/// The sides of a generated map grow with the square root of the number of chasers, so that the
/// cells per chaser stay the same. They are at least 64 cells. A map from a file stays as it is.
///
/// For a scenario without chasers, only their number is set.
#[must_use]
pub fn scaled(scenario: &Scenario, chasers: u32) -> Scenario {
    let mut scaled = Scenario {
        chasers,
        ..scenario.clone()
    };
    if scenario.chasers == 0 {
        return scaled;
    }
    let before = u64::from(scenario.chasers);
    let targets = u64::from(scenario.targets) * u64::from(chasers);
    scaled.targets = ((targets + before / 2) / before).clamp(1, u32::MAX.into()) as u32;
    if let Some(MapSource::Generated { width, height, .. }) = &mut scaled.map {
        let factor = (f64::from(chasers) / f64::from(scenario.chasers)).sqrt();
        for side in [width, height] {
            let grown = (f64::from(*side) * factor).round();
            *side = grown.clamp(SIDE_MIN.into(), Grid::SIDE_MAX.into()) as u16;
        }
    }
    scaled
}

/// Returns columns and rows of a generated map.
pub(super) const fn size(scenario: &Scenario) -> Option<[u16; 2]> {
    match scenario.map {
        Some(MapSource::Generated { width, height, .. }) => Some([width, height]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn density_and_company_stay() {
        let crowd = Scenario::named(Path::new("crowd-1m")).unwrap();
        let of = |chasers| {
            let scaled = scaled(&crowd, chasers);
            (scaled.chasers, scaled.targets, size(&scaled))
        };
        assert_eq!(of(1_000_000), (1_000_000, 10_000, Some([4096, 4096])));
        assert_eq!(of(10_000), (10_000, 100, Some([410, 410])));
        assert_eq!(of(250), (250, 3, Some([65, 65])));
        assert_eq!(of(20), (20, 1, Some([64, 64])), "the least there is");
    }

    #[test]
    fn given_map_stays() {
        let scaled = scaled(&Scenario::default(), 4_000);
        assert_eq!((scaled.targets, scaled.map), (32, None));
    }
}
