//! By how much a wait is longer, so that those who wait do not all come back together.

use super::NavTimer;
use crate::{AgentId, NavTime, Period, state::Fingerprint};

/// How much longer than its [back-off](NavTimer::back_off) a chaser waits, if a search of an interval fails
/// now: otherwise those whose searches failed in one tick would all search again in one tick, for ever.
///
/// So many idle periods, since whoever stands looks at its timer once in one: none, one, or as many
/// more as fit into a quarter of the wait, each equally often. By default that is up to two for the
/// longest wait, and none before the third failure.
pub(crate) fn jitter(
    timer: NavTimer,
    id: AgentId,
    now: NavTime,
    (interval, idle): (Period, Period),
) -> Period {
    let idle = Period::from_micros(idle.micros.max(1));
    let most = interval.times(timer.back_off()).micros / 4 / idle.micros;
    let drawn = Fingerprint::of(&(id, now)) % (u64::from(most) + 1);
    idle.times(drawn as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: NavTime = NavTime(7_000_000);
    const HALF: Period = Period::from_millis(500);

    #[test]
    fn waits_are_longer_by_looks_that_fit_into_a_quarter_of_them() {
        let mut timer = NavTimer::default();
        for looks in [1, 1, 2, 3, 3] {
            let mut counts = [0_u32; 3];
            for id in 0..3000 {
                let longer = jitter(timer, AgentId(id), NOW, (HALF, HALF));
                assert_eq!(longer.micros % HALF.micros, 0);
                counts[(longer.micros / HALF.micros) as usize] += 1;
            }
            let (drawn, never) = counts.split_at(looks);
            let share = 3000 / looks as u32;
            let even = share - 100..=share + 100;
            assert!(drawn.iter().all(|count| even.contains(count)), "{counts:?}");
            assert!(never.iter().all(|&count| count == 0), "{counts:?}");
            timer.failed(NavTime(0), HALF);
        }
        // Another moment, another draw.
        let draw =
            |now| (0..64).map(move |id| jitter(timer, AgentId(id), NavTime(now), (HALF, HALF)));
        assert!(draw(1).ne(draw(2)) && draw(1).eq(draw(1)));
    }

    #[test]
    fn periods_of_any_length_will_do() {
        let mut timer = NavTimer::default();
        for _ in 0..5 {
            timer.failed(NavTime(0), HALF);
        }
        for odd in [0, 1, u32::MAX].map(Period::from_micros) {
            let quarter = Period::from_micros(odd.times(8).micros / 4);
            assert!(jitter(timer, AgentId(5), NOW, (odd, HALF)) <= quarter);
            assert!(jitter(timer, AgentId(5), NOW, (HALF, odd)) <= HALF.times(2));
        }
    }
}
