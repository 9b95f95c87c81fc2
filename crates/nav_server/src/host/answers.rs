//! Answers of the host: what agents do, fields, paths, and figures.

use super::Host;
use crate::{
    course::{self, NoCourse},
    field_view::field_around,
    inspect::inspect,
    link::LinkId,
    metrics::Gauges,
    said::{FieldAsk, ServerSays, Stats, WaysAsk, triple},
    searches::ReportedSearches,
    ways_view::ways_in,
    wishes::{WORK, Wish},
};
use bevy_ecs::{entity::EntityIndex, prelude::*};
use nav::{CellPosition, NavDiagnostics};
use nav_grid::Cell;
use nav_sim::report::WaysAt;

/// Work of a part of a field: as many expansions take as long as looking at its cells. A guess.
const FIELD_WORK: u64 = 500;

/// Agents that are looked at in the time of an expansion. A guess.
const AGENTS_A_UNIT: u64 = 10;

impl Host {
    pub(crate) fn send_agent(&mut self, id: LinkId, agent: u64) {
        let entity = self.agent(agent);
        let world = self.simulation.world_mut();
        let says = entity.and_then(|entity| inspect(world, &mut self.upcoming, entity));
        match says {
            Some(says) => self
                .hall
                .say(id, &ServerSays::Agent(Box::new(says)), self.tick),
            None => self.refuse_agent(id, agent),
        }
    }

    /// Answers the oldest wishes, within the work of a tick.
    pub(crate) fn answer_wishes(&mut self) {
        let mut work = 0;
        while work < WORK
            && let Some((id, wish)) = self.wishes.next()
        {
            work += match wish {
                Wish::Walk(to) => self.walk(id, to),
                Wish::Field(ask) => self.send_field(id, ask),
                Wish::Ways(ask) => self.send_ways(id, ask),
            };
        }
    }

    /// Sends the player of a client to a cell. Returns the work.
    fn walk(&mut self, id: LinkId, to: Cell) -> u64 {
        let guest = self.hall.guests.get(&id);
        let Some(player) = guest.and_then(|guest| guest.player) else {
            self.refuse(id, NoCourse::NoPlayer.to_string());
            return 1;
        };
        let world = self.simulation.world_mut();
        let (course, work) = course::set_course(world, &mut self.planner, player, to);
        match course {
            Ok(cells) => {
                let cells = cells.into_iter().map(triple).collect();
                self.hall.say(id, &ServerSays::Course(cells), self.tick);
            }
            Err(why) => self.refuse(id, why.to_string()),
        }
        work
    }

    /// Sends a part of an agent's field. Returns the work: a look at each cell.
    fn send_field(&mut self, id: LinkId, ask: FieldAsk) -> u64 {
        let entity = self.agent(ask.id);
        let world = self.simulation.world();
        let says =
            entity.and_then(|entity| field_around(world, &mut self.upcoming, entity, ask.around()));
        match says {
            Some(says) => self.hall.say(id, &ServerSays::Field(says), self.tick),
            None => self.refuse_agent(id, ask.id),
        }
        FIELD_WORK
    }

    /// Sends the paths of agents. Returns the work: all agents are looked at.
    fn send_ways(&mut self, id: LinkId, ask: WaysAsk) -> u64 {
        let world = self.simulation.world_mut();
        self.agents.update_archetypes(world);
        let agents = self.agents.iter_manual(world);
        let count = agents.len() as u64;
        let says = ways_in(world, &mut self.upcoming, agents, ask);
        self.hall.say(id, &ServerSays::Ways(says), self.tick);
        1 + count / AGENTS_A_UNIT
    }

    fn agent(&self, number: u64) -> Option<Entity> {
        let number = u32::try_from(number).ok()?;
        let index = EntityIndex::from_raw_u32(number)?;
        let world = self.simulation.world();
        let agent = world.entities().resolve_from_index(index);
        world.get::<CellPosition>(agent).map(|_| agent)
    }

    fn refuse_agent(&mut self, id: LinkId, agent: u64) {
        self.refuse(id, format!("there is no agent {agent}"));
    }

    pub(crate) fn send_stats(&mut self) {
        if !self.hall.sees_all() {
            return;
        }
        let seconds = self.tick as f64 / f64::from(self.scenario.hz);
        let WaysAt { in_reach, ways, .. } = self.simulation.ways(seconds);
        let second = self.rates.last(self.simulation.world(), self.scenario.hz);
        let spread = self.metrics.tick_times.spread_ms(self.scenario.hz as usize);
        let stats = Stats {
            tick: self.tick,
            chasers: in_reach + ways.total(),
            beside: in_reach,
            by_field: ways.shared_field + ways.far_field,
            by_path: ways.own_path + ways.detour,
            waiting: ways.straight + ways.nothing,
            tick_ms: self.metrics.tick_times.last_ms(),
            tick_p50_ms: spread.p50,
            tick_max_ms: spread.max,
            searches: second.searches,
            by_method: second.by_method.clone(),
            work: second.work,
            work_max: second.work_max,
            budget: self.budget,
            clients: self.hall.guests.len(),
            is_paused: self.is_paused,
            speed: self.speed,
        };
        self.hall.say_to_all(&ServerSays::Stats(stats), self.tick);
    }

    pub(crate) fn gauges(&mut self) -> Gauges {
        let agents = self.agents.iter(self.simulation.world()).count();
        let world = self.simulation.world();
        let counted = world.get_resource::<NavDiagnostics>();
        let counted = counted.copied().unwrap_or_default();
        Gauges {
            total: counted.total,
            map_parts: counted.map_parts,
            map_parts_due: counted.map_parts_due,
            by_method: world.resource::<ReportedSearches>().by_method().clone(),
            late: self.pace.late(),
            agents,
            clients: self.hall.guests.len(),
            players: self.players.values().flatten().count(),
            seats: self.players.len(),
            is_paused: self.is_paused,
            waiting: self
                .hall
                .guests
                .values()
                .map(|guest| guest.link.waiting())
                .sum(),
        }
    }
}
