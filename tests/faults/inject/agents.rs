//! Faults of agents: they come and go, move, and lose components.

use super::super::tester::Tester;
use nav::{
    Body, CellPosition, Chaser, Chasing, FieldAnchor, MoveTimer, NavClock, NavMap, NavTimer, OnMap,
    PathCursor, Paused, Period, WorldPosition,
};
use nav_grid::{Footprint, Rules};

impl Tester {
    pub(super) fn despawn(&mut self) -> String {
        let agent = self.anybody();
        // Somebody is to be left to chase.
        if self.targets.contains(&agent) && self.draw.percent(70) {
            return String::new();
        }
        let is_gone = self.world.world().try_despawn(agent).is_ok();
        format!("{agent} {is_gone}")
    }

    pub(super) fn spawn(&mut self) -> String {
        let (cell, footprint) = (self.cell(), self.footprint());
        let place = (CellPosition::at(cell), OnMap(self.map));
        let kind = self.draw.number(0, 9);
        let mut chaser = self.scene.other_tuning(&mut self.draw);
        chaser.rules.footprint = footprint;
        let target = self.any_target();
        let is_bodied = self.draw.percent(60);
        let mut agent = self.world.world().spawn(place);
        let agent_id = agent.id();
        if is_bodied {
            agent.insert(Body::solid(footprint));
        }
        let what = match kind {
            0 => {
                self.targets.push(agent_id);
                "a target"
            }
            1..=7 => {
                agent.insert((chaser, Chasing(target)));
                self.npcs.push(agent_id);
                "a chaser"
            }
            _ => {
                self.idle.push(agent_id);
                "one who stands"
            }
        };
        format!("{agent_id}, {what}, at {cell}")
    }

    pub(super) fn walk(&mut self) -> String {
        let map = self.map;
        let targets = self.targets.clone();
        self.of(&targets, |agent, draw| {
            let Some(from) = agent.get::<CellPosition>().map(|place| place.cell) else {
                return String::new();
            };
            let footprint = agent
                .get::<Body>()
                .map_or(Footprint::ONE, |body| body.footprint);
            let rules = Rules::default().with_footprint(footprint);
            let ways = agent
                .world()
                .get::<NavMap>(map)
                .map(|map| map.grid().steps(from, rules));
            let ways: Vec<_> = ways.into_iter().flatten().collect();
            if ways.is_empty() {
                return "cannot".to_owned();
            }
            let Some(to) = from.step(ways[draw.below(ways.len())]) else {
                return "cannot".to_owned();
            };
            agent.insert(CellPosition::at(to));
            format!("to {to}")
        })
    }

    pub(super) fn teleport(&mut self) -> String {
        let to = self.cell();
        self.of_anybody(|agent, _| {
            agent.insert(CellPosition::at(to));
            format!("to {to}")
        })
    }

    pub(super) fn world_place(&mut self) -> String {
        let size = self.scene.grid.size();
        let (x, y) = (
            self.draw.number(0, size.width),
            self.draw.number(0, size.height),
        );
        let targets = self.targets.clone();
        self.of(&targets, |agent, draw| {
            let place = match draw.number(0, 5) {
                0 => [f64::NAN, 0.0, f64::INFINITY],
                1 => [-1e300, 1e300, 0.0],
                2 => {
                    agent.remove::<WorldPosition>();
                    return "has none".to_owned();
                }
                _ => [f64::from(x) + 0.3, f64::from(y) + 0.6, 0.0],
            };
            agent.insert(WorldPosition(place));
            format!("{place:?}")
        })
    }

    pub(super) fn change_map(&mut self) -> String {
        let (map, away) = (self.map, self.away);
        self.of_anybody(|agent, draw| match draw.number(0, 5) {
            0 => {
                agent.remove::<OnMap>();
                "to none".to_owned()
            }
            1 => {
                agent.insert(OnMap(away));
                "away".to_owned()
            }
            _ => {
                agent.insert(OnMap(map));
                "back".to_owned()
            }
        })
    }

    pub(super) fn switch(&mut self) -> String {
        let target = if self.draw.percent(70) {
            self.any_target()
        } else {
            self.anybody()
        };
        self.of_npc(|agent, _| {
            agent.insert(Chasing(target));
            format!("chases {target}")
        })
    }

    pub(super) fn body(&mut self) -> String {
        let footprint = self.footprint();
        self.of_anybody(|agent, draw| match draw.number(0, 3) {
            0 => {
                agent.remove::<Body>();
                "has none".to_owned()
            }
            1 => {
                agent.insert(Body::soft(footprint));
                format!("soft {footprint}")
            }
            _ => {
                agent.insert(Body::solid(footprint));
                format!("solid {footprint}")
            }
        })
    }

    pub(super) fn strip(&mut self) -> String {
        self.of_anybody(|agent, draw| {
            match draw.number(0, 6) {
                0 => agent.remove::<Chaser>(),
                1 => agent.remove::<CellPosition>(),
                2 => agent.remove::<PathCursor>(),
                3 => agent.remove::<NavTimer>(),
                4 => agent.remove::<MoveTimer>(),
                5 => agent.remove::<FieldAnchor>(),
                _ => agent.remove::<OnMap>(),
            };
            String::new()
        })
    }

    pub(super) fn pause(&mut self) -> String {
        self.of_anybody(|agent, draw| {
            let now = agent.world().resource::<NavClock>().now();
            match draw.number(0, 3) {
                0 => {
                    agent.insert(Paused::default());
                    "for good".to_owned()
                }
                1 => {
                    let until = now.after(Period::from_millis(draw.number(0, 3000).into()));
                    agent.insert(Paused { until: Some(until) });
                    format!("until {until:?}")
                }
                _ => {
                    agent.remove::<Paused>();
                    "goes on".to_owned()
                }
            }
        })
    }
}
