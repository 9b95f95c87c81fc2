//! Numbers as messages carry them: finite, and of a sign and size that readers take.
//!
//! Games place agents and maps by `f64`, and may write what is no number. Readers refuse a packet
//! with one value that makes no sense, and with it the updates of all other agents.

/// Returns a finite coordinate. The largest one stands for all beyond.
pub(crate) fn coordinate(at: f64) -> f32 {
    (at as f32).clamp(f32::MIN, f32::MAX)
}

/// Returns the coordinates of a finite place. `None` for others.
pub(crate) fn place(at: [f64; 3]) -> Option<[f32; 3]> {
    let is_finite = at.iter().all(|part| part.is_finite());
    is_finite.then(|| at.map(coordinate))
}

/// Returns a finite length or speed, at least 0.
pub(crate) fn length(length: f64) -> f32 {
    coordinate(length).max(0.0)
}

/// Returns a finite size above 0.
pub(crate) fn size(size: f64) -> f32 {
    coordinate(size).max(f32::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_finite() {
        let all = [
            0.0,
            -0.0,
            1.5,
            -2.0,
            1e300,
            -1e300,
            1e-300,
            f64::MAX,
            f64::MIN,
        ];
        for number in all {
            assert!(coordinate(number).is_finite(), "{number}");
            assert!((0.0..=f32::MAX).contains(&length(number)), "{number}");
            assert!(
                (f32::MIN_POSITIVE..=f32::MAX).contains(&size(number)),
                "{number}"
            );
            assert!(place([number; 3]).is_some());
        }
        assert_eq!((coordinate(1.5), length(1.5), size(1.5)), (1.5, 1.5, 1.5));
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(place([0.0, number, 0.0]), None);
        }
    }
}
