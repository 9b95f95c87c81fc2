//! The columns of tables, to look at and to write.

use bevy_ecs::{
    change_detection::{ContiguousComponentTicksMut, ContiguousRef, Tick},
    prelude::*,
};

/// When the system ran, this time and before.
#[derive(Clone, Copy)]
struct Runs {
    last: Tick,
    this: Tick,
}

/// A column to look at.
#[derive(Clone, Copy)]
pub(super) struct Watched<'a, T> {
    pub(super) values: &'a [T],
    pub(super) added: &'a [Tick],
    pub(super) changed: &'a [Tick],
    runs: Runs,
    /// Whether the table knows that nothing in the whole column changed.
    pub(super) untouched: bool,
}

impl<T> Watched<'_, T> {
    #[inline]
    pub(super) fn is_news(&self, tick: Tick) -> bool {
        tick.is_newer_than(self.runs.last, self.runs.this)
    }

    pub(super) fn cut(self, at: usize) -> (Self, Self) {
        let (values, more_values) = self.values.split_at(at);
        let (added, more_added) = self.added.split_at(at);
        let (changed, more_changed) = self.changed.split_at(at);
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

/// A column to write. Who wrote it is not kept: Bevy lends out one list of its ticks at a time.
pub(super) struct Column<'a, T> {
    pub(super) values: &'a mut [T],
    pub(super) changed: &'a mut [Tick],
    runs: Runs,
}

impl<T: Component> Column<'_, T> {
    /// To be written, and so marked as changed.
    #[inline]
    pub(super) fn change(&mut self, row: usize) -> &mut T {
        const { assert!(!T::HAS_SUMMARY_TICK, "nothing sets that of the column") };
        self.changed[row] = self.runs.this;
        &mut self.values[row]
    }

    /// The first rows.
    #[inline]
    pub(super) fn first(&mut self, len: usize) -> Column<'_, T> {
        Column {
            values: &mut self.values[..len],
            changed: &mut self.changed[..len],
            runs: self.runs,
        }
    }

    pub(super) fn cut(self, at: usize) -> (Self, Self) {
        let (values, more_values) = self.values.split_at_mut(at);
        let (changed, more_changed) = self.changed.split_at_mut(at);
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

/// A column to write as Bevy hands it out: what is in it, and when that changed.
pub(super) type Shelf<'w, T> = (&'w mut [T], ContiguousComponentTicksMut<'w>);

impl<'w, T> From<ContiguousRef<'w, T>> for Watched<'w, T> {
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
            untouched: ticks.summary_tick_is_changed() == Some(false),
        }
    }
}

impl<'a, T> From<&'a mut Shelf<'_, T>> for Column<'a, T> {
    fn from((values, ticks): &'a mut Shelf<'_, T>) -> Self {
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
