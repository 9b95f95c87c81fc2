//! The client: packets in, places out.

use crate::{
    clock::TickClock,
    gaps::Gaps,
    ground::Ground,
    roster::{Agent, Roster},
    settings::Settings,
};
use nav_protocol::{AgentKind, Packet, Request, Start, Update};
use std::time::Duration;

/// Number of packets for which an agent is remembered after it left the view: a packet that is
/// later than this may bring it back. A guess; with one packet per tick at 20 Hz it is 13 s.
const REMEMBERED: u32 = 256;

/// The result of receiving a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// Its updates were applied.
    Taken,
    /// Ignored: it is a duplicate, or was sent before the view last started.
    Old,
    /// Dropped: there was no [`Start`] yet, and [`Client::request`] asks for the whole view.
    NotStarted,
}

/// A client's copy of a server's world.
///
/// Pass it packets with [`receive`](Self::receive), call [`advance`](Self::advance) in every frame,
/// and show its [`agents`](Self::agents).
#[derive(Clone, Debug, Default)]
pub struct Client {
    settings: Settings,
    started: Option<Started>,
    gaps: Gaps,
    roster: Roster,
}

/// The start of the current view.
#[derive(Clone, Debug)]
struct Started {
    sequence: u32,
    ground: Ground,
    clock: TickClock,
}

impl Client {
    /// Creates a client without any data.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    /// Applies a packet that arrives `now`, by a clock of the caller that never goes back. Packets
    /// may come in any order and more than once.
    pub fn receive(&mut self, packet: &Packet, now: Duration) -> Received {
        let now = now.as_secs_f64();
        let sequence = packet.sequence;
        let start = packet.updates.iter().find_map(|update| match update {
            Update::Start(start) => Some(*start),
            _ => None,
        });
        let since = self.started.as_ref().map(|started| started.sequence);
        let starts = start.filter(|_| since.is_none_or(|since| since < sequence));
        if let Some(start) = starts {
            self.start(start, packet, now);
        } else if since.is_none() {
            let late = self.settings.reorder.as_secs_f64();
            self.gaps.want_resync(now + late);
            return Received::NotStarted;
        } else if since > Some(sequence) || !self.gaps.note(sequence, now, &self.settings) {
            return Received::Old;
        }
        let Some(started) = &mut self.started else {
            return Received::NotStarted;
        };
        started.clock.receive(packet.tick, now);
        let ground = started.ground;
        for update in &packet.updates {
            self.take(update, packet, ground);
        }
        // The packet of a start lists the whole view: an agent that it does not mention has left.
        if starts.is_some() {
            self.roster.part_with_those_before(sequence, packet.tick);
        }
        Received::Taken
    }

    /// Starts the view again. Keeps the clock estimate if it fits the new start.
    fn start(&mut self, start: Start, packet: &Packet, now: f64) {
        self.gaps.start(packet.sequence);
        let ground = Ground::from(start);
        let before = self.started.take().map(|before| before.clock);
        let clock = before.filter(|clock| clock.fits(ground.tick_seconds, packet.tick, now));
        self.started = Some(Started {
            sequence: packet.sequence,
            ground,
            clock: clock.unwrap_or_else(|| TickClock::new(ground.tick_seconds)),
        });
    }

    fn take(&mut self, update: &Update, packet: &Packet, ground: Ground) {
        let (tick, sequence) = (packet.tick, packet.sequence);
        match update {
            Update::Start(_) => {}
            Update::Appear(appear) => {
                let agent = self.roster.get_or_add(appear.id, appear.at);
                let says_way = sequence >= agent.way;
                if sequence >= agent.presence {
                    let comes_back = !agent.is_present && agent.presence > 0;
                    agent.presence = sequence;
                    agent.appear(tick);
                    agent.kind = appear.kind;
                    // Its old track would draw it flying in from where it left the view.
                    if comes_back && says_way {
                        agent.begin_anew(appear.at);
                    }
                }
                if says_way {
                    agent.way = sequence;
                    agent.follower.stand(tick, appear.at, false, ground);
                }
            }
            Update::Path(path) => {
                // A late path is not wasted: it tells where the chaser was in between.
                let at = path.nav_path.first().copied().unwrap_or_default();
                match self.roster.way_of(path.id, at, sequence) {
                    (follower, false) => follower.follow(path, ground),
                    (follower, true) => follower.follow_late(path, ground),
                }
            }
            Update::Correct(correct) => {
                match self.roster.way_of(correct.id, correct.at, sequence) {
                    (follower, false) => follower.correct(correct, ground),
                    (follower, true) => follower.correct_late(correct, ground),
                }
            }
            Update::Place(place) => {
                let (follower, is_late) = self.roster.way_of(place.id, place.at, sequence);
                // The player has moved on since a late place.
                if !is_late {
                    let lag = self.settings.lag.as_secs_f64();
                    follower.place(tick, place.at, lag, ground);
                }
            }
            Update::Vanish(vanish) => {
                let agent = self.roster.get_or_add(vanish.id, [0.0; 3]);
                if sequence >= agent.presence {
                    agent.presence = sequence;
                    agent.vanish(tick);
                }
            }
        }
    }

    /// Advances to the moment of a frame, by the clock of [`receive`](Self::receive).
    pub fn advance(&mut self, now: Duration) {
        let (lag, now) = (self.settings.lag.as_secs_f64(), now.as_secs_f64());
        let Some(started) = &mut self.started else {
            return;
        };
        let Some((tick, seconds)) = started.clock.advance(now, lag) else {
            return;
        };
        let (ground, settings) = (started.ground, &self.settings);
        self.roster.forget(tick, self.gaps.newest(), REMEMBERED);
        self.roster.visit(|agent, target| match agent.kind {
            AgentKind::Chaser => {
                let follower = &mut agent.follower;
                follower.advance(tick, seconds, target, ground, settings);
            }
            AgentKind::Player => agent.follower.show(tick, ground),
        });
    }

    /// Returns the agents in view at the tick shown, ordered by id.
    pub fn agents(&self) -> impl Iterator<Item = &Agent> {
        let shown = self.shown_tick();
        let agents = self.roster.iter();
        agents.filter(move |agent| shown.is_some_and(|tick| agent.is_shown(tick)))
    }

    /// Returns an agent, if it is in view at the tick shown.
    pub fn agent(&self, id: u64) -> Option<&Agent> {
        let tick = self.shown_tick()?;
        self.roster.get(id).filter(|agent| agent.is_shown(tick))
    }

    /// Returns the server tick that is shown, with its fraction. `None` before anything is shown.
    pub fn shown_tick(&self) -> Option<f64> {
        self.started
            .as_ref()
            .and_then(|started| started.clock.shown())
    }

    /// Returns the scale of the server's world, once it is known.
    pub fn ground(&self) -> Option<Ground> {
        self.started.as_ref().map(|started| started.ground)
    }

    /// Returns the request to send to the server, if any. Call it in every frame.
    pub fn request(&mut self, now: Duration) -> Option<Request> {
        let ask = self.gaps.ask(now.as_secs_f64(), &self.settings)?;
        Some(ask.into())
    }
}
