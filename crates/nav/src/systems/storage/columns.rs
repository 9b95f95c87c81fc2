//! Columns of the tables in which Bevy keeps components: slices of values and of their ticks.

use super::chaser::Tracked;
use bevy_ecs::{
    change_detection::{ContiguousComponentTicksMut, ContiguousRef, Tick},
    component::Mutable,
    prelude::*,
};
use std::slice::from_mut;

/// A column to write, with the ticks at which its components changed.
pub(super) struct WriteColumn<'a, T> {
    pub(super) values: &'a mut [T],
    changed: &'a mut [Tick],
    now: Tick,
}

impl<'a, T: Component<Mutability = Mutable>> WriteColumn<'a, T> {
    /// One component as a column. Whether it is written shows in the tick, which then is `now`.
    pub(super) fn one(value: &'a mut Mut<T>, changed: &'a mut Tick, now: Tick) -> Self {
        Self {
            values: from_mut(value.bypass_change_detection()),
            changed: from_mut(changed),
            now,
        }
    }
}

impl<T> WriteColumn<'_, T> {
    pub(super) fn split_at(self, row: usize) -> (Self, Self) {
        let (values, more_values) = self.values.split_at_mut(row);
        let (changed, more_changed) = self.changed.split_at_mut(row);
        let now = self.now;
        let column = Self {
            values,
            changed,
            now,
        };
        let more = Self {
            values: more_values,
            changed: more_changed,
            now,
        };
        (column, more)
    }
}

impl<T: Component> WriteColumn<'_, T> {
    /// The first rows.
    #[inline]
    pub(super) fn first(&mut self, rows: usize) -> WriteColumn<'_, T> {
        const { assert!(!T::HAS_SUMMARY_TICK, "the summary tick is not set here") };
        WriteColumn {
            values: &mut self.values[..rows],
            changed: &mut self.changed[..rows],
            now: self.now,
        }
    }

    #[inline]
    pub(super) fn track<'a>(&'a mut self, row: usize, written: &'a mut bool) -> Tracked<'a, T> {
        let value = &mut self.values[row];
        Tracked { value, written }
    }

    /// Marks a component as changed if it was written.
    #[inline]
    pub(super) fn mark(&mut self, row: usize, written: bool) {
        if written {
            self.changed[row] = self.now;
        }
    }
}

/// A column to write as Bevy lends it out.
pub(super) type LentColumn<'w, T> = (&'w mut [T], ContiguousComponentTicksMut<'w>);

impl<'a, T> From<&'a mut LentColumn<'_, T>> for WriteColumn<'a, T> {
    fn from((values, ticks): &'a mut LentColumn<'_, T>) -> Self {
        let now = ticks.this_run();
        Self {
            values,
            changed: ticks.changed_mut(),
            now,
        }
    }
}

/// Which chasers got another target since the system last ran.
#[derive(Clone, Copy)]
pub(super) enum Retargeted<'a> {
    None,
    All,
    /// Those whose target was set since, unless they were spawned since, too.
    Since {
        set: &'a [Tick],
        spawned: &'a [Tick],
        last: Tick,
        now: Tick,
    },
}

impl<'a> Retargeted<'a> {
    /// Of the columns of targets and of chasers.
    pub(super) fn new<C, T>(chasers: &ContiguousRef<'a, C>, targets: ContiguousRef<'a, T>) -> Self {
        let (last, now) = (targets.last_run_tick(), targets.this_run_tick());
        let set = targets.changed_ticks_slice();
        match ContiguousRef::split(targets).1.summary_tick_is_changed() {
            Some(false) => Self::None,
            _ => Self::Since {
                set,
                spawned: chasers.added_ticks_slice(),
                last,
                now,
            },
        }
    }

    pub(super) const fn is_none(self) -> bool {
        matches!(self, Self::None)
    }

    #[inline]
    pub(super) fn has(self, row: usize) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::Since {
                set,
                spawned,
                last,
                now,
            } => set[row].is_newer_than(last, now) & !spawned[row].is_newer_than(last, now),
        }
    }

    pub(super) fn split_at(self, row: usize) -> (Self, Self) {
        let Self::Since {
            set,
            spawned,
            last,
            now,
        } = self
        else {
            return (self, self);
        };
        let (set, more_set) = set.split_at(row);
        let (spawned, more_spawned) = spawned.split_at(row);
        let since = |set, spawned| Self::Since {
            set,
            spawned,
            last,
            now,
        };
        (since(set, spawned), since(more_set, more_spawned))
    }
}
