//! Rows of a table in which something changed since a system last ran.

use bevy_ecs::change_detection::{ContiguousComponentTicksRef, Tick};

/// Rows that are skipped together where nothing changed: in most nothing did.
const STRETCH: usize = 64;

/// The ticks at which the rows of a column changed; none of one in which surely nothing did.
pub(super) fn changed_ticks<'w>(column: &ContiguousComponentTicksRef<'w>) -> &'w [Tick] {
    match column.summary_tick_is_changed() {
        Some(false) => &[],
        _ => column.changed(),
    }
}

/// Calls a function for each row in which one of some columns changed between two runs of a system.
pub(super) fn for_each_changed<const COLUMNS: usize>(
    columns: [&[Tick]; COLUMNS],
    (last, this): (Tick, Tick),
    mut visit: impl FnMut(usize),
) {
    // Many to a comparison, unlike the one with clamped ages that Bevy makes.
    let youngest = |ticks: &[Tick]| {
        let ages = ticks.iter().map(|tick| this.get().wrapping_sub(tick.get()));
        Some(Tick::new(this.get().wrapping_sub(ages.min()?)))
    };
    let is_recent = |tick: Tick| tick.is_newer_than(last, this);
    let rows = columns.iter().map(|ticks| ticks.len()).max().unwrap_or(0);
    for first in (0..rows).step_by(STRETCH) {
        let stretch = first..(first + STRETCH).min(rows);
        let ticks = columns.map(|ticks| ticks.get(stretch.clone()).unwrap_or_default());
        if !ticks.into_iter().filter_map(youngest).any(is_recent) {
            continue;
        }
        for row in stretch {
            let tick = |ticks: &[Tick]| ticks.get(row).copied();
            if columns.into_iter().filter_map(tick).any(is_recent) {
                visit(row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_visited_in_which_any_column_changed() {
        let ticks = |changed: &[usize], rows: usize| -> Vec<Tick> {
            let tick = |row| Tick::new(if changed.contains(&row) { 15 } else { 10 });
            (0..rows).map(tick).collect()
        };
        let (one, other) = (ticks(&[0, 63, 64, 150], 200), ticks(&[64, 199], 200));
        let visited = |columns| {
            let mut rows = Vec::new();
            for_each_changed::<2>(columns, (Tick::new(10), Tick::new(20)), |row| {
                rows.push(row);
            });
            rows
        };
        assert_eq!(visited([&one, &other]), [0, 63, 64, 150, 199]);
        assert_eq!(visited([&[], &other]), [64, 199]);
        assert_eq!(visited([&[], &[]]), [0; 0]);
        assert_eq!(visited([&ticks(&[], 200), &ticks(&[], 200)]), [0; 0]);
    }
}
