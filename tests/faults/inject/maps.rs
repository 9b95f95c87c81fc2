//! Faults of maps: cells that open and close, maps that go and come back.

use super::super::tester::Tester;
use nav::{CellPosition, NavMap, OnMap};
use nav_grid::{Area, Cell, Rules};

impl Tester {
    /// Puts the map back that was taken away.
    pub fn bring_map_back(&mut self) {
        if self.map_is_back.is_none_or(|tick| self.now < tick) {
            return;
        }
        self.map_is_back = None;
        let map = NavMap::new(self.scene.grid.clone());
        let before = self.map;
        let world = self.world.world();
        if let Ok(mut entity) = world.get_entity_mut(before) {
            entity.insert(map);
            return;
        }
        self.map = world.spawn(map).id();
        self.world.map = self.map;
        let world = self.world.world();
        let mut agents = world.query::<&mut OnMap>();
        for mut on_map in agents.iter_mut(world) {
            if on_map.0 == before {
                *on_map = OnMap(self.map);
            }
        }
    }

    pub(super) fn edit(&mut self, area: Area, walkable: bool) {
        let map = self.map;
        let area = area.clipped(self.scene.grid.size());
        if let Some(mut map) = self.world.world().get_mut::<NavMap>(map) {
            // An area of another map than there is now.
            let _ = map.set_walkable(area, walkable);
        }
    }

    pub(super) fn door(&mut self) -> String {
        let at = self.cell();
        let side = self.draw.number(0, 2);
        let last = Cell {
            x: at.x.saturating_add(side),
            y: at.y.saturating_add(side),
            ..at
        };
        let opens = self.draw.percent(55);
        self.edit(Area::new(at, last), opens);
        format!("{at} to {last} {opens}")
    }

    pub(super) fn wall_in(&mut self) -> String {
        let agent = self.anybody();
        let Some(place) = self.world.app.world().get::<CellPosition>(agent) else {
            return String::new();
        };
        let at = place.cell;
        let on_top = self.draw.percent(40);
        let reach = u16::from(!on_top);
        let around = Area::new(
            Cell {
                x: at.x.saturating_sub(reach),
                y: at.y.saturating_sub(reach),
                ..at
            },
            Cell {
                x: at.x.saturating_add(reach),
                y: at.y.saturating_add(reach),
                ..at
            },
        );
        self.edit(around, false);
        if !on_top {
            self.edit(Area::from(at), true);
        }
        format!("{agent} at {at}, on top: {on_top}")
    }

    pub(super) fn replace_map(&mut self) -> String {
        let map = self.map;
        let grid = self.scene.grid.clone();
        let with_regions = self.draw.percent(50);
        if let Ok(mut entity) = self.world.world().get_entity_mut(map) {
            let mut map = NavMap::new(grid);
            if with_regions {
                map.build_regions(Rules::default());
            }
            entity.insert(map);
        }
        format!("regions: {with_regions}")
    }

    pub(super) fn remove_map(&mut self) -> String {
        let back = self.now + u64::from(self.draw.number(1, 40));
        self.map_is_back = Some(back);
        let map = self.map;
        let despawns = self.draw.percent(50);
        if let Ok(mut entity) = self.world.world().get_entity_mut(map) {
            if despawns {
                entity.despawn();
            } else {
                entity.remove::<NavMap>();
            }
        }
        format!("until {back}, despawned: {despawns}")
    }

    pub(super) fn build(&mut self) -> String {
        let footprint = self.footprint();
        let rules = Rules::default().with_footprint(footprint);
        let what = self.draw.number(0, 3);
        let map = self.map;
        if let Some(mut map) = self.world.world().get_mut::<NavMap>(map) {
            match what {
                0 => map.build_regions(rules),
                1 => map.build_portals(rules),
                2 => map.build_mosaic(footprint),
                _ => map.build_jumps(footprint, rules.corners),
            }
        }
        format!("{what} for {footprint}")
    }
}
