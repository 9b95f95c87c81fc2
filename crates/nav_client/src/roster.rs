//! Everybody in view.

use crate::{
    follower::{FollowState, Follower},
    track::TrackPoint,
};
use nav_protocol::AgentKind;

/// Somebody in view.
#[derive(Clone, Debug)]
pub struct Agent {
    pub(crate) id: u64,
    pub(crate) kind: AgentKind,
    pub(crate) follower: Follower,
    /// The sequences of what was said last of its presence and of its way.
    pub(crate) presence: u32,
    pub(crate) way: u32,
    pub(crate) is_present: bool,
    /// The tick in which it came into view, and that in which it left it.
    pub(crate) since: f64,
    pub(crate) until: f64,
}

impl Agent {
    /// Came into view.
    pub(crate) fn appear(&mut self, tick: u32) {
        if !self.is_present {
            self.since = tick.into();
        }
        self.is_present = true;
        self.until = f64::INFINITY;
    }

    /// Left the view.
    pub(crate) fn vanish(&mut self, tick: u32) {
        if self.is_present {
            self.until = tick.into();
        }
        self.is_present = false;
    }

    /// Whether it is in view at a tick that is shown.
    pub(crate) fn is_shown(&self, tick: f64) -> bool {
        self.since <= tick && tick < self.until
    }

    /// Is somebody else, in the same room: it was out of view.
    pub(crate) fn begin_anew(&mut self, at: [f32; 3]) {
        let room = self.follower.take_room();
        self.follower = Follower::in_room(room, at);
    }

    /// Its number.
    pub const fn id(&self) -> u64 {
        self.id
    }

    /// What it is.
    pub const fn kind(&self) -> AgentKind {
        self.kind
    }

    /// Where it is shown, in the world.
    pub const fn position(&self) -> [f64; 3] {
        self.follower.position()
    }

    /// The direction in which it went last, level and of length 1; zeros before it ever went.
    pub const fn facing(&self) -> [f64; 3] {
        self.follower.facing()
    }

    /// What it is doing.
    pub const fn state(&self) -> FollowState {
        self.follower.state()
    }

    /// Whom it chases.
    pub const fn chases(&self) -> Option<u64> {
        self.follower.chases()
    }
}

/// Everybody of whom something was said, in the order of their numbers: those in view, and for a while
/// those who left it, so that a late packet does not bring them back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roster {
    agents: Vec<Agent>,
    /// The room of ways of those who are forgotten.
    rooms: Vec<Vec<TrackPoint>>,
}

impl Roster {
    fn place(&self, id: u64) -> Result<usize, usize> {
        self.agents.binary_search_by_key(&id, |agent| agent.id)
    }

    /// Somebody of whom something was said.
    pub(crate) fn get(&self, id: u64) -> Option<&Agent> {
        let place = self.place(id).ok()?;
        Some(&self.agents[place])
    }

    /// Somebody of whom something is said now; `at` is for who is new.
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

    /// The follower of somebody of whose way a packet says something, and whether a later one said more.
    pub(crate) fn way_of(&mut self, id: u64, at: [f32; 3], sequence: u32) -> (&mut Follower, bool) {
        let agent = self.get_or_add(id, at);
        let is_late = sequence < agent.way;
        agent.way = agent.way.max(sequence);
        (&mut agent.follower, is_late)
    }

    /// Whoever was not named since a packet is no longer in view.
    pub(crate) fn part_with_those_before(&mut self, sequence: u32, tick: u32) {
        let gone = self.agents.iter_mut();
        for agent in gone.filter(|agent| agent.presence < sequence) {
            agent.vanish(tick);
        }
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Agent> {
        self.agents.iter()
    }

    /// Visits all of them, each with what is looked up among the others.
    pub(crate) fn visit(&mut self, mut visit: impl FnMut(&mut Agent, Option<[f64; 3]>)) {
        for number in 0..self.agents.len() {
            let target = self.agents[number].follower.chases();
            let target = target.and_then(|id| self.get(id));
            let target = target
                .filter(|target| target.is_present)
                .map(Agent::position);
            visit(&mut self.agents[number], target);
        }
    }

    /// Forgets those who are not in view, and of whom nothing was said for some packets.
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
