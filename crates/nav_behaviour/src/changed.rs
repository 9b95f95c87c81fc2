//! Agents that changed, found at next to no cost while none did.

use bevy_ecs::{
    change_detection::{ContiguousComponentTicksRef, ContiguousRef, Tick},
    prelude::*,
    query::ArchetypeFilter,
};

/// An agent with the change ticks of three components.
pub(super) type Ticks<A, B, C> = (
    Entity,
    Option<Ref<'static, A>>,
    Option<Ref<'static, B>>,
    Option<Ref<'static, C>>,
);

/// Calls a function for each agent of which a component changed since the system last ran.
///
/// Of the other agents it reads change ticks only. It skips tables of which the summary ticks say
/// that no row changed.
pub(super) fn for_each_changed<A: Component, B: Component, C: Component, F: ArchetypeFilter>(
    agents: &Query<Ticks<A, B, C>, F>,
    mut visit: impl FnMut(Entity),
) {
    let Ok(tables) = agents.contiguous_iter() else {
        // Only where the game disables entities by a component that is not kept in tables.
        for (agent, a, b, c) in agents {
            let (a, b) = (a.map(|a| a.is_changed()), b.map(|b| b.is_changed()));
            if [a, b, c.map(|c| c.is_changed())].contains(&Some(true)) {
                visit(agent);
            }
        }
        return;
    };
    for (agents, a, b, c) in tables {
        let columns = [ticks_of(a), ticks_of(b), ticks_of(c)];
        let Some(runs) = columns.iter().flatten().next() else {
            continue;
        };
        let runs = (runs.last_run(), runs.this_run());
        let changed = columns.each_ref().map(|ticks| match ticks {
            Some(ticks) if ticks.summary_tick_is_changed() != Some(false) => ticks.changed(),
            _ => &[],
        });
        for_each_changed_row(changed, runs, |row| visit(agents[row]));
    }
}

fn ticks_of<T>(column: Option<ContiguousRef<T>>) -> Option<ContiguousComponentTicksRef> {
    column.map(|column| ContiguousRef::split(column).1)
}

/// Rows of which the ages are compared before any is visited. A guess: 64 ages are four lines of
/// memory, and few instructions with vectors.
const STRETCH: usize = 64;

/// Calls a function for each row with a tick in one of the columns that is newer than the last run.
/// A column may be empty.
fn for_each_changed_row(
    columns: [&[Tick]; 3],
    (last, this): (Tick, Tick),
    mut visit: impl FnMut(usize),
) {
    // Not `Tick::is_newer_than`, which clamps ages: the compiler makes no vectors of that.
    let age = |tick: Tick| this.get().wrapping_sub(tick.get());
    let rows = columns.map(<[Tick]>::len).into_iter().max().unwrap_or(0);
    for first in (0..rows).step_by(STRETCH) {
        let mut youngest = [u32::MAX; STRETCH];
        for ticks in columns {
            for (youngest, &tick) in youngest.iter_mut().zip(&ticks[first.min(ticks.len())..]) {
                *youngest = age(tick).min(*youngest);
            }
        }
        for (row, youngest) in (first..).zip(youngest) {
            if youngest < age(last) {
                visit(row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_changed_column() {
        let ticks = |changed: &[usize], rows: usize| -> Vec<Tick> {
            let tick = |row| Tick::new(if changed.contains(&row) { 15 } else { 10 });
            (0..rows).map(tick).collect()
        };
        let (one, other) = (ticks(&[0, 63, 64, 150], 200), ticks(&[64, 199], 200));
        let visited = |columns| {
            let mut rows = Vec::new();
            for_each_changed_row(columns, (Tick::new(10), Tick::new(20)), |row| {
                rows.push(row);
            });
            rows
        };
        assert_eq!(visited([&one, &other, &[]]), [0, 63, 64, 150, 199]);
        assert_eq!(visited([&[], &other, &[]]), [64, 199]);
        assert_eq!(visited([&[], &[], &[]]), [0; 0]);
        assert_eq!(visited([&ticks(&[], 200), &[], &ticks(&[], 200)]), [0; 0]);
    }
}
