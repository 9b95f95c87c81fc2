//! The part of a tick's budget that fields may take.

use crate::NavBudget;

/// What fields may still expand in a tick: half of its budget, so that something is left for
/// searches.
#[derive(Clone, Copy, Default)]
pub(super) struct FieldBudget {
    /// In a whole tick, and what is left of that; `None` if there is no bound.
    bound: Option<(u32, u32)>,
}

/// Whether a field is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grant {
    Now,
    /// In a tick with more left.
    Later,
    /// No tick has room for it.
    Never,
}

impl FieldBudget {
    pub(super) fn of(budget: NavBudget) -> Self {
        let bound = budget.expansions.map(|all| (all / 2, all / 2));
        Self { bound }
    }

    /// What a whole tick has; `None` if there is no bound.
    pub(super) fn whole(self) -> Option<u32> {
        self.bound.map(|(whole, _)| whole)
    }

    /// Takes so much, or what there is left; all of it if there is no bound.
    pub(super) fn take(&mut self, most: u32) -> u32 {
        let Some((_, left)) = &mut self.bound else {
            return u32::MAX;
        };
        let taken = most.min(*left);
        *left -= taken;
        taken
    }

    /// Sets aside what a field takes at most.
    pub(super) fn ask(&mut self, most: u32) -> Grant {
        match &mut self.bound {
            Some((whole, _)) if most > *whole => Grant::Never,
            Some((_, left)) if most > *left => Grant::Later,
            Some((_, left)) => {
                *left -= most;
                Grant::Now
            }
            None => Grant::Now,
        }
    }
}
