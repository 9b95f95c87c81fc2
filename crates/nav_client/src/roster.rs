//! The agents in view.

use crate::{
    follower::{FollowState, Follower},
    track::TrackPoint,
};
use nav_protocol::AgentKind;

/// An agent in view.
#[derive(Clone, Debug)]
pub struct Agent {
    pub(crate) id: u64,
    pub(crate) kind: AgentKind,
    pub(crate) follower: Follower,
    /// Sequences of the last updates of its presence and of its path.
    pub(crate) presence: u32,
    pub(crate) way: u32,
    pub(crate) is_present: bool,
    /// Ticks in which it entered and left the view.
    pub(crate) since: f64,
    pub(crate) until: f64,
}

impl Agent {
    /// Enters the view.
    pub(crate) fn appear(&mut self, tick: u32) {
        if !self.is_present {
            self.since = tick.into();
        }
        self.is_present = true;
        self.until = f64::INFINITY;
    }

    /// Leaves the view.
    pub(crate) fn vanish(&mut self, tick: u32) {
        if self.is_present {
            self.until = tick.into();
        }
        self.is_present = false;
    }

    /// Returns whether it is in view at the tick shown.
    pub(crate) fn is_shown(&self, tick: f64) -> bool {
        self.since <= tick && tick < self.until
    }

    /// Starts again after an absence, and reuses the memory.
    pub(crate) fn begin_anew(&mut self, at: [f32; 3]) {
        let room = self.follower.take_room();
        self.follower = Follower::in_room(room, at);
    }

    /// Returns its id.
    pub const fn id(&self) -> u64 {
        self.id
    }

    /// Returns its kind.
    pub const fn kind(&self) -> AgentKind {
        self.kind
    }

    /// Returns the place at which it is shown, in the world.
    pub const fn position(&self) -> [f64; 3] {
        self.follower.position()
    }

    /// Returns the direction of its last move, level and of length 1. Zeros before the first move.
    pub const fn facing(&self) -> [f64; 3] {
        self.follower.facing()
    }

    /// Returns what it is doing.
    pub const fn state(&self) -> FollowState {
        self.follower.state()
    }

    /// Returns the id of its target.
    pub const fn chases(&self) -> Option<u64> {
        self.follower.chases()
    }
}

/// All agents that updates mentioned, ordered by id: agents in view, and for a while agents that
/// left it, so that a late packet does not bring them back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roster {
    agents: Vec<Agent>,
    /// Memory of the tracks of forgotten agents.
    rooms: Vec<Vec<TrackPoint>>,
}

impl Roster {
    fn place(&self, id: u64) -> Result<usize, usize> {
        self.agents.binary_search_by_key(&id, |agent| agent.id)
    }

    /// Returns a known agent.
    pub(crate) fn get(&self, id: u64) -> Option<&Agent> {
        let place = self.place(id).ok()?;
        Some(&self.agents[place])
    }

    /// Returns an agent, and adds it at the place `at` if it is new.
    pub(crate) fn get_or_add(&mut self, id: u64, at: [f32; 3]) -> &mut Agent {
        let place = match self.place(id) {
            Ok(place) => place,
            Err(place) => {
                let room = self.rooms.pop().unwrap_or_default();
                let agent = Agent {
                    id,
                    kind: AgentKind::Chaser,
                    follower: Follower::in_room(room, at),
                    presence: 0,
                    way: 0,
                    is_present: false,
                    since: f64::INFINITY,
                    until: f64::INFINITY,
                };
                self.agents.insert(place, agent);
                place
            }
        };
        &mut self.agents[place]
    }

    /// Returns the follower of an agent whose path an update changes, and whether that update is
    /// late.
    pub(crate) fn way_of(&mut self, id: u64, at: [f32; 3], sequence: u32) -> (&mut Follower, bool) {
        let agent = self.get_or_add(id, at);
        let is_late = sequence < agent.way;
        agent.way = agent.way.max(sequence);
        (&mut agent.follower, is_late)
    }

    /// Removes from the view all agents that were not mentioned since a packet.
    pub(crate) fn part_with_those_before(&mut self, sequence: u32, tick: u32) {
        let gone = self.agents.iter_mut();
        for agent in gone.filter(|agent| agent.presence < sequence) {
            agent.vanish(tick);
        }
    }

    /// Returns all agents.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Agent> {
        self.agents.iter()
    }

    /// Calls `visit` with each agent and the place of its target.
    pub(crate) fn visit(&mut self, mut visit: impl FnMut(&mut Agent, Option<[f64; 3]>)) {
        for number in 0..self.agents.len() {
            let chased = self.agents[number].follower.chases();
            let target = chased
                .and_then(|id| self.get(id))
                .filter(|target| target.is_present)
                .map(Agent::position);
            visit(&mut self.agents[number], target);
        }
    }

    /// Forgets agents that are out of view and were not mentioned for some packets.
    pub(crate) fn forget(&mut self, tick: f64, newest: u32, packets: u32) {
        let rooms = &mut self.rooms;
        self.agents.retain_mut(|agent| {
            let last = agent.presence.max(agent.way);
            let is_late = tick < agent.until && agent.until < f64::INFINITY;
            let keeps = agent.is_present || is_late || newest.saturating_sub(last) < packets;
            if !keeps {
                rooms.push(agent.follower.take_room());
            }
            keeps
        });
    }
}
