//! The chasers as the systems see them: one by one, or row by row of the tables they are kept in.

use super::{
    bags::Bags,
    rows::{Row, Rows, Shelves},
    scene::{Chase, Scenes},
    threads::{CutUp, Threads},
    tunings::Tuning,
    turns::{RUN, Turns},
};
use crate::{
    AgentId, Body, CellPosition, Chaser, Chasing, MoveTimer, NavTime, NavTimer, OnMap, PathCursor,
    WorldPosition,
};
use bevy_ecs::{
    prelude::*,
    query::{ArchetypeFilter, QueryData},
};
use nav_grid::Cell;

/// A chaser after its target.
#[derive(QueryData)]
#[query_data(mutable, contiguous(mutable))]
pub(crate) struct Pursuer {
    pub(super) entity: Entity,
    pub(super) id: &'static AgentId,
    pub(super) chaser: Ref<'static, Chaser>,
    pub(super) tuning: &'static Tuning,
    pub(super) chasing: Ref<'static, Chasing>,
    pub(super) on_map: Option<&'static OnMap>,
    pub(super) body: Option<&'static Body>,
    pub(super) position: &'static mut CellPosition,
    pub(super) world: Option<&'static mut WorldPosition>,
    pub(super) cursor: &'static mut PathCursor,
    pub(super) timer: &'static mut NavTimer,
    pub(super) beat: &'static mut MoveTimer,
}

/// What there is of a chaser, wherever it is looked at. What ends in `mut` marks as changed.
pub(crate) trait Pursues {
    fn entity(&self) -> Entity;
    fn id(&self) -> AgentId;
    fn chaser(&self) -> &Chaser;
    fn tuning(&self) -> Tuning;
    fn target(&self) -> Entity;
    fn map(&self) -> Option<Entity>;
    fn body(&self) -> Option<Body>;
    fn cell(&self) -> Cell;
    fn position_mut(&mut self) -> &mut CellPosition;
    fn world_mut(&mut self) -> Option<&mut WorldPosition>;
    fn cursor(&self) -> &PathCursor;
    fn cursor_mut(&mut self) -> &mut PathCursor;
    fn timer(&self) -> &NavTimer;
    fn timer_mut(&mut self) -> &mut NavTimer;
    fn beat(&self) -> &MoveTimer;
    fn beat_mut(&mut self) -> &mut MoveTimer;

    /// Whom it chases where, if it is on a map.
    #[inline]
    fn chase(&self) -> Option<Chase> {
        Some(Chase {
            tuning: self.tuning(),
            target: self.target(),
            map: self.map()?,
        })
    }

    /// Whether it turned to another target since the system last ran. One that came into the
    /// world together with its target did not: it is new and has no path yet, or it was loaded,
    /// and its path is the one it was saved with.
    fn has_turned(&self) -> bool;
}

impl Pursues for PursuerItem<'_, '_> {
    fn entity(&self) -> Entity {
        self.entity
    }

    fn id(&self) -> AgentId {
        *self.id
    }

    fn chaser(&self) -> &Chaser {
        &self.chaser
    }

    fn tuning(&self) -> Tuning {
        *self.tuning
    }

    fn target(&self) -> Entity {
        self.chasing.0
    }

    fn map(&self) -> Option<Entity> {
        Some(self.on_map?.0)
    }

    fn body(&self) -> Option<Body> {
        self.body.copied()
    }

    fn cell(&self) -> Cell {
        self.position.cell
    }

    fn position_mut(&mut self) -> &mut CellPosition {
        &mut self.position
    }

    fn world_mut(&mut self) -> Option<&mut WorldPosition> {
        self.world.as_deref_mut()
    }

    fn cursor(&self) -> &PathCursor {
        &self.cursor
    }

    fn cursor_mut(&mut self) -> &mut PathCursor {
        &mut self.cursor
    }

    fn timer(&self) -> &NavTimer {
        &self.timer
    }

    fn timer_mut(&mut self) -> &mut NavTimer {
        &mut self.timer
    }

    fn beat(&self) -> &MoveTimer {
        &self.beat
    }

    fn beat_mut(&mut self) -> &mut MoveTimer {
        &mut self.beat
    }

    fn has_turned(&self) -> bool {
        self.chasing.is_changed() && !self.chaser.is_added()
    }
}

/// What a system does with each chaser.
pub(crate) trait Visit<B>: Sync {
    fn now(&self) -> NavTime;

    /// Whether there may be something to do: at its move tick, unless a system says otherwise.
    fn has_turn(&self, pursuer: &PursuerItem) -> bool {
        pursuer.beat.is_due(self.now())
    }

    /// The same of rows. Most of a crowd is passed over by this.
    #[inline]
    fn turns(&self, rows: &Rows, turns: &mut Turns) {
        turns.note_due(rows, self.now());
    }

    /// What chasers move about in.
    fn scenes(&self) -> Scenes<'_>;

    /// Does it for those of some rows for whom what many in a row have in common and little of
    /// their own is enough, and takes them off the turns. Others do as by [`visit`](Self::visit).
    #[inline]
    fn visit_rows<'a>(
        &'a self,
        _rows: &mut Rows,
        _turns: &mut Turns,
        _scenes: &mut Scenes<'a>,
        _bag: &mut B,
    ) {
    }

    /// Does it, and notes in a bag what does not concern the chaser alone.
    fn visit<'a>(&'a self, pursuer: &mut impl Pursues, scenes: &mut Scenes<'a>, bag: &mut B);
}

/// Rows that a task takes at a time at most. Where it goes on elsewhere, memory is not fetched in
/// advance.
const PIECE: usize = 16 * RUN;

/// Has a system visit all chasers of a query, in parallel if there is a task pool.
pub(crate) fn visit_all<F: ArchetypeFilter, B: Default + Send>(
    mut pursuers: Query<Pursuer, F>,
    bags: &Bags<B>,
    visit: &impl Visit<B>,
) {
    // Fails only where the game disables entities by a component that is not kept in tables.
    let Ok(tables) = pursuers.contiguous_iter_mut() else {
        let (mut bag, mut scenes) = (bags.take(), visit.scenes());
        for mut pursuer in &mut pursuers {
            if visit.has_turn(&pursuer) {
                visit.visit(&mut pursuer, &mut scenes, bag.content());
            }
        }
        return;
    };
    for table in tables {
        let mut shelves = Shelves::from(table);
        let rows = shelves.rows();
        Threads::for_work(rows.len(), RUN).cut_up(rows, (RUN, PIECE), |rows| {
            let (mut bag, mut scenes) = (bags.take(), visit.scenes());
            let mut turns = Turns::default();
            for mut rows in rows.pieces(RUN) {
                turns.clear();
                visit.turns(&rows, &mut turns);
                if turns.is_empty() {
                    continue;
                }
                visit.visit_rows(&mut rows, &mut turns, &mut scenes, bag.content());
                for row in turns.iter() {
                    let mut pursuer = Row::new(&mut rows, row);
                    visit.visit(&mut pursuer, &mut scenes, bag.content());
                }
            }
        });
    }
}
