//! Whom a fault happens to, and where.

use super::super::tester::Tester;
use bevy_ecs::prelude::*;
use nav::{CellPosition, OnMap};
use nav_grid::{Cell, Footprint};
use nav_tests::drawn::Draw;

impl Tester {
    /// Does something to somebody, if anybody is there.
    pub(super) fn of(
        &mut self,
        agents: &[Entity],
        act: impl FnOnce(&mut EntityWorldMut, &mut Draw) -> String,
    ) -> String {
        if agents.is_empty() {
            return String::new();
        }
        let agent = agents[self.draw.below(agents.len())];
        match self.world.app.world_mut().get_entity_mut(agent) {
            Ok(mut entity) => {
                let what = act(&mut entity, &mut self.draw);
                format!("{agent} {what}")
            }
            Err(_) => String::new(),
        }
    }

    pub(super) fn of_npc(
        &mut self,
        act: impl FnOnce(&mut EntityWorldMut, &mut Draw) -> String,
    ) -> String {
        let npcs = self.npcs.clone();
        self.of(&npcs, act)
    }

    pub(super) fn of_anybody(
        &mut self,
        act: impl FnOnce(&mut EntityWorldMut, &mut Draw) -> String,
    ) -> String {
        let all = self.everybody();
        self.of(&all, act)
    }

    pub fn everybody(&self) -> Vec<Entity> {
        let all = self.targets.iter().chain(&self.npcs).chain(&self.idle);
        all.copied().collect()
    }

    /// One of the targets; a new one if there is none.
    pub(super) fn any_target(&mut self) -> Entity {
        if self.targets.is_empty() {
            let place = (CellPosition::at(self.cell()), OnMap(self.map));
            let target = self.world.world().spawn(place).id();
            self.targets.push(target);
        }
        self.targets[self.draw.below(self.targets.len())]
    }

    /// Anybody.
    pub(super) fn anybody(&mut self) -> Entity {
        let all = self.everybody();
        if all.is_empty() {
            return self.any_target();
        }
        all[self.draw.below(all.len())]
    }

    /// A cell of the map, and now and then one that is not.
    pub(super) fn cell(&mut self) -> Cell {
        let size = self.scene.grid.size();
        if self.draw.percent(6) {
            return self.draw.one_of(&[
                Cell::new(size.width, 0),
                Cell::new(u16::MAX, u16::MAX),
                Cell::new(0, 0).on_floor(200),
            ]);
        }
        let x = self.draw.number(0, size.width - 1);
        let y = self.draw.number(0, size.height - 1);
        let floor = self.draw.number(0, u16::from(size.floors) - 1) as u8;
        Cell::new(x, y).on_floor(floor)
    }

    pub(super) fn footprint(&mut self) -> Footprint {
        let side = self.draw.one_of(self.scene.sides);
        Footprint::new(side).expect("1 to 8")
    }
}
