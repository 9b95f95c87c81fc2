//! The work that the searches, the fields and the preparation of maps may do together in a tick.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;

/// The work that the searches, the fields and the preparation of maps may do together in a tick.
///
/// By default 20,000 units, and one for every sixteenth chaser. So the longest tick of a large
/// world grows with its other ticks, and that of a small one takes a millisecond or two.
///
/// # What counts
///
/// [`Counters::work`](nav_grid::query::Counters::work): expanded cells, or the waves, jump points,
/// portals and blocks that methods expand instead, and one for about every 64 cells that are
/// scanned in between. All work that grows with the map, the window or the distance is counted and
/// can be interrupted. So a tick takes as long on a map of 8192×8192 cells as on a small one: about
/// 50 ns for a unit in near searches, some hundred in far ones. A search is charged what it used.
/// Its last part may exceed what a tick has left; the next ticks then have less.
///
/// A budget does not limit a single search. Its window does, and, for a method that a chaser names,
/// [`Limits::expansions`](nav_grid::Limits::expansions): a search at that limit fails, while a
/// search at the end of the budget continues in the next tick.
///
/// # Order
///
/// Maps that are [prepared](crate::NavMap#preparation) get a quarter of the budget, and fields up
/// to half. Searches get the rest. By default maps get 40,000 units more while they prepare, some
/// two milliseconds of a tick of 50, so that a map of 2048×2048 cells is ready within ten seconds;
/// far fields have what maps leave of that. While nothing chases, maps get a quarter of the tick
/// instead, and the same map is ready within two seconds.
///
/// [Path requests](crate::PathRequest) get half of that while some wait, chasers the other half,
/// and each side what the other leaves.
///
/// Of searches the longest wait comes first, ties by [`AgentId`](crate::AgentId). A chaser without
/// an answer waits for its turn, in the same order. Until then it follows what it has, or
/// walks straight toward the target. If the first search may need more than what is left, it runs
/// until that is used up and continues in later ticks. Searches that certainly fit get half of
/// those ticks. Answers do not depend on the budget.
///
/// # How long a chaser waits
///
/// Until the running search and all searches with a longer wait are answered. For `n` of them of at
/// most `e` work each, that is ⌈n · e / budget⌉ ticks. A chaser first asks at a move tick, which
/// may add a period. While any chaser waits, at least nine tenths of the budget are used.
///
/// Fields answer all chasers of a target at once. A field that no longer fits waits for the next
/// tick, and its chasers follow the old one. Fields with the oldest aim go first. To leave room for
/// many, fields reach only four steps for each cell of their radius, unless the budget is
/// [unlimited](Self::Unlimited); chasers further away search. A far field spreads to the chasers
/// that ask for it, over several ticks if it has to; until it reaches them they search.
// Decision 14: docs/decisions/0014-a-strict-budget.md
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Resource, Default))]
pub enum NavBudget {
    /// 20,000 units, and one for every sixteenth chaser with a target.
    #[default]
    Auto,
    /// The work of a tick. 20,000 units take about a millisecond in near searches.
    Units(u32),
    /// No bound: a tick does all work that is due. For tools that need not keep time.
    Unlimited,
}

impl From<Option<u32>> for NavBudget {
    /// Some units; [`Self::Auto`] for `None`.
    fn from(units: Option<u32>) -> Self {
        units.map_or(Self::Auto, Self::Units)
    }
}

impl NavBudget {
    /// The work of a small world: one to two milliseconds, which a tick of 50 has room for.
    ///
    /// Measured on the first 20 s of the scenario `crowd-10k`: with half of it, chasers take 4 %
    /// fewer steps, since more of them wait for a search; with twice as much 1.6 % more.
    const LEAST: u32 = 20_000;

    /// Chasers for each further unit: the most with which a million keep 20 ticks a second on two
    /// cores, where a tenth of them chase beyond their windows.
    const CHASERS_PER_UNIT: u32 = 16;

    /// The work of a tick in a world of some chasers with a target.
    pub(crate) fn work(self, chasers: u32) -> u32 {
        match self {
            Self::Auto => Self::LEAST + chasers / Self::CHASERS_PER_UNIT,
            Self::Units(units) => units,
            Self::Unlimited => u32::MAX,
        }
    }
}

/// The share of a tick that the preparation of maps may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MapShare {
    /// Its work.
    pub(crate) work: u32,
    /// The part of it that searches and fields have less.
    pub(crate) charged: u32,
}

impl MapShare {
    /// The part of a budget: a quarter, so that chasers are answered meanwhile.
    const PART: u32 = 4;

    /// The work beyond a default budget: two milliseconds, which a tick of 50 has room for, and
    /// which makes a map of 2048×2048 cells of clutter ready in ten seconds. Then far fields have
    /// it.
    const SPARE: u32 = 40_000;

    /// Nanoseconds of a tick for a unit of work beyond the budget while nothing chases: at 50 ns a
    /// unit a quarter of the tick, which leaves time for loading and for worlds beside this one.
    const IDLE_NANOS: u64 = 200;

    /// The same at most: a quarter of the default tick, so that a server that ticks rarely answers
    /// in between.
    const IDLE: u64 = 250_000;

    /// The share of a tick of some nanoseconds in a world of some chasers with a target.
    pub(crate) fn of(budget: NavBudget, chasers: u32, tick: u64) -> Self {
        let all = budget.work(chasers);
        let charged = (all / Self::PART).max(1).min(all);
        let spare = match (budget, chasers) {
            (NavBudget::Auto, 0) => (tick / Self::IDLE_NANOS).min(Self::IDLE) as u32,
            (NavBudget::Auto, _) => Self::SPARE,
            _ => 0,
        };
        Self {
            work: charged.saturating_add(spare),
            charged,
        }
    }
}

/// The work of this tick.
#[derive(Resource, Default)]
pub(crate) struct TickWork {
    /// The whole budget of the tick.
    pub(crate) all: u32,
    /// The work of looks for members of groups, before the rest.
    pub(crate) groups: u64,
    /// The work of preparing maps and of groups, as far as searches and fields have less for it.
    pub(crate) spent: u64,
    /// The rest of the work [beyond the budget](MapShare) that maps left: far fields have it.
    pub(crate) spare: u32,
    /// The work of preparing maps in earlier ticks beyond their share.
    pub(crate) debt: u32,
}

/// The rest of a share of a tick's budget, and the work done.
pub(crate) struct WorkLeft {
    pub(crate) work: u32,
    pub(crate) taken: u64,
    /// Work done beyond the budget. It is taken from the next ticks.
    pub(crate) debt: u32,
}

impl WorkLeft {
    /// A share of `work`, less a debt.
    pub(crate) fn new(work: u32, debt: u32) -> Self {
        let paid = work.min(debt);
        Self {
            work: work - paid,
            taken: paid.into(),
            debt: debt - paid,
        }
    }

    pub(crate) fn take(&mut self, work: u64) {
        let work = u32::try_from(work).unwrap_or(u32::MAX);
        let within = work.min(self.work);
        self.work -= within;
        self.taken += u64::from(within);
        self.debt = self.debt.saturating_add(work - within);
    }

    /// Splits off half of what is left, the larger one.
    pub(crate) fn split(&mut self) -> Self {
        let work = self.work.div_ceil(2);
        self.work -= work;
        Self {
            work,
            taken: 0,
            debt: 0,
        }
    }

    /// Puts a half back.
    pub(crate) fn join(&mut self, half: Self) {
        self.work += half.work;
        self.taken += half.taken;
        self.debt = self.debt.saturating_add(half.debt);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_of_maps() {
        const TICK: u64 = 50_000_000;
        let of = |budget, chasers| {
            let MapShare { work, charged } = MapShare::of(budget, chasers, TICK);
            (work, charged)
        };
        assert_eq!(of(NavBudget::default(), 1), (45_000, 5_000));
        assert_eq!(of(NavBudget::default(), 0), (255_000, 5_000));
        let idle = |tick| MapShare::of(NavBudget::default(), 0, tick).work;
        assert_eq!([0, TICK / 5, TICK * 20].map(idle), [5_000, 55_000, 255_000]);
        assert_eq!(of(NavBudget::default(), 160_000), (47_500, 7_500));
        // A budget that the game sets bounds all work.
        assert_eq!(of(NavBudget::Units(8_000), 160_000), (2_000, 2_000));
        assert_eq!(
            [0, 1].map(|all| of(NavBudget::Units(all), 0)),
            [(0, 0), (1, 1)]
        );
        let unlimited = u32::MAX / 4;
        assert_eq!(of(NavBudget::Unlimited, 0), (unlimited, unlimited));
    }
}
