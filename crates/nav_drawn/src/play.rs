//! Applying inputs to a stage.

use super::{
    Stage,
    input::{Index, Input, Part, Place, Role, Who},
};
use bevy_ecs::{component::Mutable, entity_disabling::Disabled, prelude::*};
use bevy_time::{Fixed, Time, TimeUpdateStrategy, Virtual};
use nav::{
    CellPosition, Chasing, NavBudget, NavMap, NavTimer, OnMap, PathCursor, Period, WorldPosition,
    extend::FieldAnchor,
};
use nav_behaviour::{Flee, FleeUntil, InFormation, Threat};
use nav_grid::{Grid, Rules, Size};
use std::time::Duration;

impl Stage {
    /// Applies an input. An input about something that is gone changes nothing.
    ///
    /// # Panics
    ///
    /// When the restored world differs from the saved one.
    pub fn play(&mut self, input: &Input) {
        match input {
            Input::Spawn(at, role, body) => self.spawn_as(*at, role, *body),
            &Input::Despawn(who) => {
                let agent = self.who(who);
                let _ = self.world.world().try_despawn(agent);
            }
            Input::Give(who, part) => self.change(*who, part, true),
            Input::Take(who, part) => self.change(*who, part, false),
            &Input::Interrupt(who) => {
                let agent = self.who(who);
                if let Some(mut cursor) = self.world.world().get_mut::<PathCursor>(agent) {
                    cursor.interrupt();
                }
            }
            &Input::Budget(expansions) => {
                self.world
                    .world()
                    .insert_resource(NavBudget::from(expansions));
            }
            &Input::Frame(steps, step) => self.frame(steps, step),
            Input::Restore => self.go_on_restored(),
            input => self.play_map(input),
        }
    }

    /// Returns the entity of an agent, which may be gone.
    pub fn who(&self, who: Who) -> Entity {
        match who {
            Who::Target(nth) => self.targets[nth],
            Who::Npc(nth) => self.npcs[nth],
            Who::Idle(nth) => self.idle[nth],
        }
    }

    /// Returns all agents that were ever spawned.
    pub fn everybody(&self) -> impl Iterator<Item = Who> + '_ {
        let targets = (0..self.targets.len()).map(Who::Target);
        let npcs = (0..self.npcs.len()).map(Who::Npc);
        targets
            .chain(npcs)
            .chain((0..self.idle.len()).map(Who::Idle))
    }

    fn spawn_as(&mut self, at: nav_grid::Cell, role: &Role, body: Option<nav::Body>) {
        let place = (CellPosition::at(at), OnMap(self.world.map));
        let target = match role {
            Role::Npc(_, whom) => self.who(*whom),
            _ => Entity::PLACEHOLDER,
        };
        let mut agent = self.world.world().spawn(place);
        if let Some(body) = body {
            agent.insert(body);
        }
        let list = match role {
            Role::Target => &mut self.targets,
            Role::Npc(chaser, _) => {
                agent.insert((**chaser, Chasing(target)));
                &mut self.npcs
            }
            Role::Idle => &mut self.idle,
        };
        list.push(agent.id());
    }

    fn change(&mut self, who: Who, part: &Part, gives: bool) {
        let (map, away) = (self.world.map, self.away);
        let whom = match *part {
            Part::Chasing(whom)
            | Part::InFormation(whom)
            | Part::Threat(whom, _)
            | Part::Flee(whom, ..) => self.who(whom),
            _ => Entity::PLACEHOLDER,
        };
        let agent = self.who(who);
        let Ok(agent) = &mut self.world.world().get_entity_mut(agent) else {
            return;
        };
        match part {
            Part::Anchor => put(agent, gives, FieldAnchor::default()),
            Part::Body(body) => put(agent, gives, *body),
            Part::Cell(cell) => put(agent, gives, CellPosition::at(*cell)),
            Part::Chaser(chaser) => set(agent, gives, **chaser),
            Part::Chasing(_) => put(agent, gives, Chasing(whom)),
            Part::Cursor => put(agent, gives, PathCursor::default()),
            Part::Disabled => put(agent, gives, Disabled),
            Part::Formation(formation) => put(agent, gives, formation.clone()),
            Part::GiveUp(give_up) => put(agent, gives, *give_up),
            Part::GoTo(go_to) => put(agent, gives, *go_to),
            Part::Home(home) => put(agent, gives, *home),
            Part::InFormation(_) => put(agent, gives, InFormation(whom)),
            Part::Intercept(intercept) => put(agent, gives, intercept.clone()),
            Part::KeepDistance(keep) => put(agent, gives, *keep),
            Part::Leash(leash) => put(agent, gives, *leash),
            Part::Memory(memory) => put(agent, gives, *memory),
            Part::MoveTimer(timer) => set(agent, gives, *timer),
            Part::NavTimer => put(agent, gives, NavTimer::default()),
            Part::Notice(notice) => put(agent, gives, *notice),
            Part::Noticeable(noticeable) => put(agent, gives, *noticeable),
            Part::OnMap(place) => {
                let map = match place {
                    Place::Map => map,
                    Place::Away => away,
                };
                put(agent, gives, OnMap(map));
            }
            Part::Patrol(patrol) => put(agent, gives, patrol.clone()),
            Part::Paused(paused) => put(agent, gives, *paused),
            Part::StepAside(step_aside) => put(agent, gives, *step_aside),
            Part::StuckWatch(watch) => put(agent, gives, *watch),
            Part::Approach(approach) => put(agent, gives, approach.clone()),
            Part::CatchUp(catch_up) => put(agent, gives, *catch_up),
            Part::Confused(confused) => put(agent, gives, *confused),
            Part::Flee(_, distance, is_for_a_time) => {
                put(agent, gives, flee(whom, *distance, *is_for_a_time));
            }
            Part::Threat(_, amount) => {
                let mut threat = agent.get::<Threat>().cloned().unwrap_or_default();
                threat.add(whom, *amount);
                put(agent, gives, threat);
            }
            Part::ViewCone(cone) => put(agent, gives, *cone),
            Part::Wander(wander) => put(agent, gives, *wander),
            Part::World(place) => put(agent, gives, WorldPosition(*place)),
        }
    }

    fn play_map(&mut self, input: &Input) {
        match *input {
            Input::Ground { seed, moves } => self.change_ground(seed, moves),
            Input::BringMapBack => self.bring_map_back(),
            Input::RemoveMap { despawns } => {
                let map = self.world.map;
                if let Ok(mut map) = self.world.world().get_entity_mut(map) {
                    if despawns {
                        map.despawn();
                    } else {
                        map.remove::<NavMap>();
                    }
                }
            }
            Input::ResetMap { regions } => {
                let (id, mut map) = (self.world.map, NavMap::new(self.grid.clone()));
                if regions {
                    map.build_regions(Rules::default());
                }
                if let Ok(mut entity) = self.world.world().get_entity_mut(id) {
                    entity.insert(map);
                }
            }
            _ => {
                let map = self.world.map;
                if let Some(mut map) = self.world.world().get_mut::<NavMap>(map) {
                    edit(&mut map, input);
                }
            }
        }
    }

    fn bring_map_back(&mut self) {
        let map = NavMap::new(self.grid.clone());
        let before = self.world.map;
        let world = self.world.world();
        if let Ok(mut entity) = world.get_entity_mut(before) {
            entity.insert(map);
            return;
        }
        let map = world.spawn(map).id();
        self.move_everybody(map);
    }

    /// Moves all agents of the map onto another one.
    fn move_everybody(&mut self, map: Entity) {
        let before = std::mem::replace(&mut self.world.map, map);
        let world = self.world.world();
        let mut agents = world.query::<&mut OnMap>();
        for mut on_map in agents.iter_mut(world) {
            if on_map.0 == before {
                *on_map = OnMap(map);
            }
        }
    }

    fn change_ground(&mut self, seed: u64, moves: bool) {
        let Size {
            width,
            height,
            floors,
        } = self.grid.size();
        let rooms = mapgen::generate(mapgen::Kind::Rooms, width, height, seed);
        let Ok(rooms) = rooms else {
            return;
        };
        let size = Size::new(width, height).with_floors(floors);
        let grid = Grid::build(size, |cell| rooms.is_walkable(cell.on_floor(0)));
        let mut map = NavMap::new(grid.expect("a map of the same size"));
        map.build_regions(Rules::default());
        let before = self.world.map;
        if moves {
            let map = self.world.world().spawn(map).id();
            self.move_everybody(map);
            let _ = self.world.world().try_despawn(before);
        } else if let Ok(mut entity) = self.world.world().get_entity_mut(before) {
            entity.insert(map);
        }
    }

    fn frame(&mut self, steps: u32, step: Duration) {
        let world = self.world.world();
        world.insert_resource(TimeUpdateStrategy::FixedTimesteps(steps));
        world.resource_mut::<Time<Fixed>>().set_timestep(step);
        let all = (step * steps).max(Duration::from_millis(250));
        world.resource_mut::<Time<Virtual>>().set_max_delta(all);
    }

    /// Continues in another app, as [`Stage::restored`], with a tick.
    fn go_on_restored(&mut self) {
        let steps = *self.world.app.world().resource::<Time<Fixed>>();
        let restored = self.restored(|save| save);
        *self = restored.unwrap_or_else(|error| panic!("not restored: {error}"));
        self.world.tick(1);
        let mut now = self.world.world().resource_mut::<Time<Fixed>>();
        now.set_timestep(steps.timestep());
    }
}

/// Applies an input to the map. It must refuse edits of cells that it does not have.
fn edit(map: &mut Mut<NavMap>, input: &Input) {
    match *input {
        Input::Edit(ref edit) => drop(map.apply(edit)),
        Input::CopyMap => {
            let copy = (**map).clone();
            **map = copy;
        }
        Input::Build(index, footprint) => {
            let rules = Rules::default().with_footprint(footprint);
            match index {
                Index::Regions => map.build_regions(rules),
                Index::Portals => map.build_portals(rules),
                Index::Mosaic => map.build_mosaic(footprint),
                Index::Jumps => map.build_jumps(rules.with_footprint(footprint)),
            }
        }
        _ => unreachable!("all others are done elsewhere"),
    }
}

/// Inserts a component, as commands do, or removes it.
fn flee(danger: Entity, distance: u16, is_for_a_time: bool) -> Flee {
    let until = if is_for_a_time {
        FleeUntil::Over(Period::from_millis(u32::from(distance) * 200))
    } else {
        FleeUntil::OutOfSight
    };
    Flee::from_danger(danger)
        .with_distance(distance)
        .until(until)
}

fn put<C: Component>(agent: &mut EntityWorldMut, gives: bool, component: C) {
    if gives {
        agent.insert(component);
    } else {
        agent.remove::<C>();
    }
}

/// Writes a component in place where it is there, as systems do.
fn set<C: Component<Mutability = Mutable>>(agent: &mut EntityWorldMut, gives: bool, component: C) {
    match agent.get_mut::<C>() {
        Some(mut there) if gives => *there = component,
        _ => put(agent, gives, component),
    }
}
