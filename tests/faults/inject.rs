//! How each fault is done.

use crate::{fault::Fault, tester::Tester};
use bevy_ecs::{entity_disabling::Disabled, prelude::*};
use nav::{
    Body, CellPosition, Chaser, Chasing, FieldAnchor, MoveTimer, NavBudget, NavClock, NavMap,
    NavTimer, OnMap, PathCursor, Paused, Period, WorldPosition,
    behaviour::{
        Formation, FormationShape, GiveUp, GoTo, Home, InFormation, Intercept, KeepDistance, Leash,
        Notice, Noticeable, Patrol, PatrolOrder, StuckWatch,
    },
};
use nav_grid::{Area, Cell, Footprint, Limits, Rules};
use std::time::Duration;

const SHAPES: [FormationShape; 4] = [
    FormationShape::Column,
    FormationShape::Line,
    FormationShape::Wedge,
    FormationShape::Ring,
];

impl Tester {
    /// Does a fault, and says to whom and how.
    pub fn inject(&mut self, fault: Fault) -> String {
        match fault {
            Fault::Despawn => self.despawn(),
            Fault::Spawn => self.spawn(),
            Fault::Walk => self.walk(),
            Fault::Teleport => self.teleport(),
            Fault::WorldPlace => self.world_place(),
            Fault::Door => self.door(),
            Fault::WallIn => self.wall_in(),
            Fault::ReplaceMap => self.replace_map(),
            Fault::RemoveMap => self.remove_map(),
            Fault::ChangeMap => self.change_map(),
            Fault::Build => self.build(),
            Fault::Switch => self.switch(),
            Fault::CallOff => self.of_npc(|agent, _| {
                agent.remove::<Chasing>();
                String::new()
            }),
            Fault::Retune => self.retune(),
            Fault::Nonsense => self.nonsense(),
            Fault::Body => self.body(),
            Fault::Period => self.period(),
            Fault::Strip => self.strip(),
            Fault::Interrupt => self.of_npc(|agent, _| {
                if let Some(mut cursor) = agent.get_mut::<PathCursor>() {
                    cursor.interrupt();
                }
                String::new()
            }),
            Fault::Pause => self.pause(),
            Fault::Disable => self.of_anybody(|agent, draw| {
                if draw.percent(60) {
                    agent.remove::<Disabled>();
                    "enabled".to_owned()
                } else {
                    agent.insert(Disabled);
                    "disabled".to_owned()
                }
            }),
            Fault::Behave => self.behave(),
            Fault::Budget => {
                let budget = [
                    None,
                    None,
                    Some(1),
                    Some(7),
                    Some(60),
                    Some(500),
                    Some(20_000),
                ];
                let expansions = self.draw.one_of(&budget);
                self.world.world().insert_resource(NavBudget { expansions });
                format!("{expansions:?}")
            }
            Fault::JumpClock => {
                let minutes = u64::from(self.draw.number(1, 20));
                self.frame(1, Duration::from_secs(60 * minutes));
                format!("{minutes} minutes")
            }
            Fault::Frames => {
                let steps = self.draw.one_of(&[0, 0, 2, 7, 50]);
                self.frame(steps, Duration::from_millis(50));
                format!("{steps} steps")
            }
            Fault::Restore => {
                self.restore();
                String::new()
            }
        }
    }

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

    /// Does something to somebody, if anybody is there.
    fn of(
        &mut self,
        agents: &[Entity],
        act: impl FnOnce(&mut EntityWorldMut, &mut nav_tests::drawn::Draw) -> String,
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

    fn of_npc(
        &mut self,
        act: impl FnOnce(&mut EntityWorldMut, &mut nav_tests::drawn::Draw) -> String,
    ) -> String {
        let npcs = self.npcs.clone();
        self.of(&npcs, act)
    }

    fn of_anybody(
        &mut self,
        act: impl FnOnce(&mut EntityWorldMut, &mut nav_tests::drawn::Draw) -> String,
    ) -> String {
        let all = self.everybody();
        self.of(&all, act)
    }

    pub fn everybody(&self) -> Vec<Entity> {
        let all = self.targets.iter().chain(&self.npcs).chain(&self.idle);
        all.copied().collect()
    }

    /// One of the targets; a new one if there is none.
    fn any_target(&mut self) -> Entity {
        if self.targets.is_empty() {
            let place = (CellPosition::at(self.cell()), OnMap(self.map));
            let target = self.world.world().spawn(place).id();
            self.targets.push(target);
        }
        self.targets[self.draw.below(self.targets.len())]
    }

    /// Anybody.
    fn anybody(&mut self) -> Entity {
        let all = self.everybody();
        if all.is_empty() {
            return self.any_target();
        }
        all[self.draw.below(all.len())]
    }

    fn despawn(&mut self) -> String {
        let agent = self.anybody();
        // Somebody is to be left to chase.
        if self.targets.contains(&agent) && self.draw.percent(70) {
            return String::new();
        }
        let is_gone = self.world.world().try_despawn(agent).is_ok();
        format!("{agent} {is_gone}")
    }

    /// A cell of the map, and now and then one that is not.
    fn cell(&mut self) -> Cell {
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

    fn footprint(&mut self) -> Footprint {
        let side = self.draw.one_of(self.scene.sides);
        Footprint::new(side).expect("1 to 8")
    }

    fn spawn(&mut self) -> String {
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

    fn walk(&mut self) -> String {
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

    fn teleport(&mut self) -> String {
        let to = self.cell();
        self.of_anybody(|agent, _| {
            agent.insert(CellPosition::at(to));
            format!("to {to}")
        })
    }

    fn world_place(&mut self) -> String {
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

    fn edit(&mut self, area: Area, walkable: bool) {
        let map = self.map;
        let area = area.clipped(self.scene.grid.size());
        if let Some(mut map) = self.world.world().get_mut::<NavMap>(map) {
            // An area of another map than there is now.
            let _ = map.set_walkable(area, walkable);
        }
    }

    fn door(&mut self) -> String {
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

    fn wall_in(&mut self) -> String {
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

    fn replace_map(&mut self) -> String {
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

    fn remove_map(&mut self) -> String {
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

    fn change_map(&mut self) -> String {
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

    fn build(&mut self) -> String {
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

    fn switch(&mut self) -> String {
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

    fn retune(&mut self) -> String {
        let other = self.scene.other_tuning(&mut self.draw);
        let interval = Period::from_millis(self.draw.number(50, 1000).into());
        self.of_npc(|agent, draw| {
            let Some(mut chaser) = agent.get_mut::<Chaser>() else {
                return String::new();
            };
            let footprint = chaser.rules.footprint;
            *chaser = other;
            chaser.rules.footprint = footprint;
            chaser.repath_interval = interval;
            chaser.displacement = draw.one_of(&[0.0, 0.5, 2.0]);
            format!("{:?}, {:?}", other.method, other.rules)
        })
    }

    /// Settings that end chases; [calm](crate::calm) puts them right.
    fn nonsense(&mut self) -> String {
        self.of_npc(|agent, draw| {
            let Some(mut chaser) = agent.get_mut::<Chaser>() else {
                return String::new();
            };
            match draw.number(0, 4) {
                0 => chaser.displacement = f32::NAN,
                1 => chaser.displacement = -1.0,
                2 => chaser.stop_distance = 0,
                3 => {
                    chaser.limits = Limits {
                        expansions: 0,
                        ..chaser.limits
                    }
                }
                _ => {
                    chaser.limits = Limits {
                        radius: 0,
                        ..chaser.limits
                    }
                }
            }
            format!("{:?}", *chaser)
        })
    }

    fn body(&mut self) -> String {
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

    fn period(&mut self) -> String {
        self.of_npc(|agent, draw| {
            let now = agent.world().resource::<NavClock>().now();
            let put_off = draw.percent(30);
            let period = Period::from_millis(draw.one_of(&[50, 100, 250, 400, 1000]));
            let Some(mut timer) = agent.get_mut::<MoveTimer>() else {
                return String::new();
            };
            (timer.chasing, timer.idle) = (period, period);
            if put_off {
                timer.next_step = now.after(period);
            }
            format!("{period:?}, put off: {put_off}")
        })
    }

    fn strip(&mut self) -> String {
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

    fn pause(&mut self) -> String {
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

    fn behave(&mut self) -> String {
        if !self.has_behaviours {
            return String::new();
        }
        let (cell, other) = (self.cell(), self.cell());
        let leader = self.anybody();
        let give = self.draw.percent(65);
        let what = self.draw.number(0, 11);
        self.of_anybody(|agent, draw| {
            /// Gives a component or takes it.
            fn set<C: Component>(agent: &mut EntityWorldMut, give: bool, component: C) {
                if give {
                    agent.insert(component);
                } else {
                    agent.remove::<C>();
                }
            }
            let period = Period::from_millis(draw.number(0, 4000).into());
            let range = draw.number(0, 30);
            let agent = &mut *agent;
            match what {
                0 => set(agent, give, Notice::new(range)),
                1 => set(agent, give, Noticeable::default()),
                2 => set(agent, give, Leash::new(range)),
                3 => {
                    let give_up = GiveUp {
                        unreachable: draw.percent(70).then_some(period),
                        out_of_reach: draw.percent(50).then_some(period),
                        ignores_for: period,
                    };
                    set(agent, give, give_up);
                }
                4 => set(agent, give, Home(cell)),
                5 => set(agent, give, GoTo(cell)),
                6 => {
                    let order =
                        draw.one_of(&[PatrolOrder::Loop, PatrolOrder::PingPong, PatrolOrder::Once]);
                    set(agent, give, Patrol::new(order, [cell, other]));
                }
                7 => set(agent, give, Formation::new(draw.one_of(&SHAPES))),
                8 => set(agent, give && agent.id() != leader, InFormation(leader)),
                9 => set(agent, give, Intercept::new(range)),
                10 => set(agent, give, KeepDistance { least: range / 3 }),
                _ => set(agent, give, StuckWatch::default()),
            }
            format!("{what} {give} {cell} {range}")
        })
    }
}
