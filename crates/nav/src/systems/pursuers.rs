//! The chasers as the systems see them: one by one, or many rows of a table at a time.

use super::{
    bags::Bags,
    rows::{Rows, Shelves, Spares},
    threads::Threads,
};
use crate::{
    AgentId, Body, CellPosition, Chaser, Chasing, MoveTimer, NavTimer, OnMap, PathCursor,
    WorldPosition,
};
use bevy_ecs::{
    prelude::*,
    query::{ArchetypeFilter, QueryData},
};

/// A chaser after its target.
#[derive(QueryData)]
#[query_data(mutable, contiguous(mutable))]
pub(crate) struct Pursuer {
    pub(crate) entity: Entity,
    pub(crate) id: &'static AgentId,
    pub(crate) chaser: Ref<'static, Chaser>,
    pub(crate) chasing: Ref<'static, Chasing>,
    pub(crate) on_map: Option<&'static OnMap>,
    pub(crate) body: Option<&'static Body>,
    pub(crate) position: &'static mut CellPosition,
    pub(crate) world: Option<&'static mut WorldPosition>,
    pub(crate) cursor: &'static mut PathCursor,
    pub(crate) timer: &'static mut NavTimer,
    pub(crate) beat: &'static mut MoveTimer,
}

impl PursuerItem<'_, '_> {
    /// The map that it is on.
    #[inline]
    pub(crate) fn map(&self) -> Option<Entity> {
        Some(self.on_map?.0)
    }

    /// Whether it turned to another target since the system last ran. One that came into the
    /// world together with its target did not: it is new and has no path yet, or it was loaded,
    /// and its path is the one it was saved with.
    pub(crate) fn has_turned(&self) -> bool {
        self.chasing.is_changed() && !self.chaser.is_added()
    }
}

/// Looks at all chasers of a query, in parallel if there is a task pool.
///
/// Most of a crowd has nothing to do in a tick, or the same as everybody else. `quick` looks at
/// a row and reads only what it asks for; it says whether that was all. If not, `full` has the
/// chaser. What `quick` does, `full` must do alike: where rows cannot be had, there is only that.
pub(crate) fn look_at_all<F: ArchetypeFilter, B: Default + Send>(
    mut pursuers: Query<Pursuer, F>,
    bags: &Bags<B>,
    quick: impl Fn(&mut B, &mut Rows, usize) -> bool + Sync,
    full: impl Fn(&mut B, PursuerItem) + Sync,
) {
    // Rows that a task looks at in one go.
    const RUN: usize = 1024;

    // Fails only where the game disables entities by a component that is not kept in tables.
    let Ok(tables) = pursuers.contiguous_iter_mut() else {
        let mut bag = bags.take();
        for pursuer in &mut pursuers {
            full(bag.content(), pursuer);
        }
        return;
    };
    for table in tables {
        let mut shelves = Shelves::from(table);
        let rows = shelves.rows();
        Threads::for_work(rows.len(), RUN).cut_up(rows, RUN, |mut rows| {
            let mut bag = bags.take();
            let mut spares = Spares::default();
            for row in 0..rows.len() {
                if !quick(bag.content(), &mut rows, row) {
                    full(bag.content(), rows.pursuer(row, &mut spares));
                }
            }
        });
    }
}
