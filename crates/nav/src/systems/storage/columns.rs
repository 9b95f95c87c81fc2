//! Columns of the tables in which Bevy keeps components: slices of values and of their ticks.

use bevy_ecs::{
    change_detection::{ContiguousComponentTicksMut, ContiguousRef, Tick},
    prelude::*,
};

/// When the system ran last, and when it runs now.
#[derive(Clone, Copy)]
struct Runs {
    last: Tick,
    this: Tick,
}

/// A column to read, with the ticks at which its components were added and changed.
#[derive(Clone, Copy)]
pub(super) struct ReadColumn<'a, T> {
    pub(super) values: &'a [T],
    pub(super) added: &'a [Tick],
    pub(super) changed: &'a [Tick],
    runs: Runs,
    /// Whether nothing in the whole column changed, as its summary tick says.
    pub(super) is_unchanged: bool,
}

impl<T> ReadColumn<'_, T> {
    /// Whether a tick lies after the last run of the system.
    #[inline]
    pub(super) fn is_new(&self, tick: Tick) -> bool {
        tick.is_newer_than(self.runs.last, self.runs.this)
    }

    pub(super) fn split_at(self, row: usize) -> (Self, Self) {
        let (values, more_values) = self.values.split_at(row);
        let (added, more_added) = self.added.split_at(row);
        let (changed, more_changed) = self.changed.split_at(row);
        let column = Self {
            values,
            added,
            changed,
            ..self
        };
        let more = Self {
            values: more_values,
            added: more_added,
            changed: more_changed,
            ..self
        };
        (column, more)
    }
}

impl<'w, T> From<ContiguousRef<'w, T>> for ReadColumn<'w, T> {
    fn from(column: ContiguousRef<'w, T>) -> Self {
        let runs = Runs {
            last: column.last_run_tick(),
            this: column.this_run_tick(),
        };
        let (added, changed) = (column.added_ticks_slice(), column.changed_ticks_slice());
        let (values, ticks) = ContiguousRef::split(column);
        Self {
            values,
            added,
            changed,
            runs,
            is_unchanged: ticks.summary_tick_is_changed() == Some(false),
        }
    }
}

/// A column to write, with the ticks at which its components changed.
pub(super) struct WriteColumn<'a, T> {
    pub(super) values: &'a mut [T],
    changed: &'a mut [Tick],
    runs: Runs,
}

impl<T: Component> WriteColumn<'_, T> {
    /// Marks a component as changed.
    #[inline]
    pub(super) fn mark(&mut self, row: usize) {
        const { assert!(!T::HAS_SUMMARY_TICK, "the summary tick is not set here") };
        self.changed[row] = self.runs.this;
    }

    pub(super) fn split_at(self, row: usize) -> (Self, Self) {
        let (values, more_values) = self.values.split_at_mut(row);
        let (changed, more_changed) = self.changed.split_at_mut(row);
        let runs = self.runs;
        let column = Self {
            values,
            changed,
            runs,
        };
        let more = Self {
            values: more_values,
            changed: more_changed,
            runs,
        };
        (column, more)
    }
}

/// A column to write as Bevy lends it out.
pub(super) type LentColumn<'w, T> = (&'w mut [T], ContiguousComponentTicksMut<'w>);

impl<'a, T> From<&'a mut LentColumn<'_, T>> for WriteColumn<'a, T> {
    fn from((values, ticks): &'a mut LentColumn<'_, T>) -> Self {
        let runs = Runs {
            last: ticks.last_run(),
            this: ticks.this_run(),
        };
        Self {
            values,
            changed: ticks.changed_mut(),
            runs,
        }
    }
}
