//! The simulation thread: executes commands, runs ticks when they are due, and sends their changes
//! to clients.

use crate::{
    answers::Answers,
    change::{Change, scenarios},
    clients::Clients,
    connection::{ClientId, Command, Connection},
    frame::Closing,
    ground::Ground,
    jobs::{Job, Jobs, WORK},
    messages::{Answer, ClientMessage, Hello, ServerMessage, Stats, triple},
    metrics::Metrics,
    pace::Pace,
    players::{Players, walk_paths},
    searches::{SearchLog, note_searches},
    source::Source,
};
use bevy_app::FixedUpdate;
use bevy_ecs::{prelude::*, schedule::ScheduleLabel};
use nav::{CellPosition, NavDiagnostics, NavMap, NavSystems, Screens};
use nav_sim::{
    Scenario,
    clock::Stopwatch,
    report::WaysAt,
    sim::{Role, SimError, Simulation},
};
use nav_sync::{NavSyncPlugin, SyncSettings};
use std::{
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError},
    },
    time::Duration,
};

/// How long a paused host waits for a command: a step is seen at once, and twenty looks a second
/// are no load.
const STILL: Duration = Duration::from_millis(50);

/// Most commands executed before the next tick, so that commands do not delay it: what 4096 clients
/// may send, at twenty messages and twenty ticks a second.
const COMMANDS_PER_TICK: usize = 4096;

/// Runs after each tick, so that watching does not delay the simulation.
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Publish;

/// Whether any client watches.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IsWatched(pub bool);

/// A running simulation and its clients.
pub(crate) struct Host {
    world: ServedWorld,
    pace: Pace,
    clients: Clients,
    players: Players,
    answers: Answers,
    jobs: Jobs,
    metrics: Metrics,
}

/// The simulation that is served.
struct ServedWorld {
    name: String,
    scenario: Scenario,
    simulation: Simulation,
    /// Whether another scenario may take its place.
    may_change: bool,
}

/// The continuation of a host after a command.
enum Next {
    Continue,
    Stop,
    /// The host of another world takes its place.
    Change(Box<Host>),
}

impl Host {
    /// Creates a host before its first tick.
    pub(crate) fn new(source: Source, name: String) -> Result<Self, SimError> {
        let may_change = source.is_run();
        let hz = source.hz();
        let (scenario, mut simulation) = source.simulation(|app| {
            app.init_schedule(Publish)
                .add_plugins(NavSyncPlugin::new(Publish))
                .insert_resource(SyncSettings {
                    // A WebSocket loses nothing.
                    history: 0,
                    ..SyncSettings::default()
                })
                .init_resource::<IsWatched>()
                .insert_resource(SearchLog::new(hz))
                .add_systems(
                    FixedUpdate,
                    (
                        walk_paths.before(NavSystems::All),
                        note_searches.after(NavSystems::All),
                    ),
                );
        })?;
        let agents = simulation.figures();
        let targets = agents.iter().filter(|agent| agent.role == Role::Target);
        let players = Players::new(targets.map(|agent| agent.agent), &scenario);
        let map = simulation.map();
        let world = simulation.world_mut();
        world.entity_mut(map).insert_if_new(Screens::default());
        let answers = Answers::new(world);
        Ok(Self {
            pace: Pace::new(scenario.hz),
            world: ServedWorld {
                name,
                scenario,
                simulation,
                may_change,
            },
            clients: Clients::new(&agents),
            players,
            answers,
            jobs: Jobs::default(),
            metrics: Metrics::default(),
        })
    }

    /// Runs until a command stops it, or no sender of commands is left. Returns the host that takes
    /// its place, if any.
    ///
    /// Replaces the `ground` that clients see before they hear of it.
    pub(crate) fn run(
        mut self,
        commands: &Receiver<Command>,
        ground: &Mutex<Ground>,
    ) -> Option<Box<Self>> {
        let next = loop {
            let next = match self.pace.until_next() {
                Some(wait) => self.wait(wait, commands, ground),
                None => self.run_tick(commands, ground),
            };
            if !matches!(next, Next::Continue) {
                break next;
            }
        };
        let (closing, next) = match next {
            Next::Change(host) => (Closing::Changing, Some(host)),
            _ => (Closing::Stopping, None),
        };
        self.clients.close_all(closing, self.pace.tick());
        next
    }

    /// Executes the next command, if one comes before the next tick is due.
    fn wait(
        &mut self,
        wait: Duration,
        commands: &Receiver<Command>,
        ground: &Mutex<Ground>,
    ) -> Next {
        let is_still = self.pace.is_still();
        let next = match commands.recv_timeout(if is_still { STILL } else { wait }) {
            Ok(command) => self.execute(command, ground),
            Err(RecvTimeoutError::Timeout) => Next::Continue,
            Err(RecvTimeoutError::Disconnected) => Next::Stop,
        };
        if is_still {
            self.run_jobs();
        }
        next
    }

    /// Executes the commands that came, and runs a tick.
    fn run_tick(&mut self, commands: &Receiver<Command>, ground: &Mutex<Ground>) -> Next {
        for _ in 0..COMMANDS_PER_TICK {
            let Ok(command) = commands.try_recv() else {
                break;
            };
            let next = self.execute(command, ground);
            if !matches!(next, Next::Continue) {
                return next;
            }
        }
        self.pace.begin_tick();
        let world = self.world.simulation.world_mut();
        self.clients.follow_players(world);
        world.insert_resource(IsWatched(self.clients.count() > 0));
        let stopwatch = Stopwatch::start();
        self.world.simulation.tick();
        self.metrics.tick_times.push(stopwatch.elapsed());
        let world = self.world.simulation.world();
        if self.metrics.notes_prepared(world) {
            eprintln!("the map is prepared, at tick {}", self.pace.tick());
        }
        let stopwatch = Stopwatch::start();
        self.publish();
        self.metrics.publish_times.push(stopwatch.elapsed());
        Next::Continue
    }

    /// Sends the changes of a tick to all clients.
    fn publish(&mut self) {
        self.world.simulation.world_mut().run_schedule(Publish);
        self.run_jobs();
        if self.clients.any_sees_all() {
            self.clients
                .overview
                .update(&self.world.simulation.figures());
        }
        for id in self.send_changes() {
            self.metrics.closed += 1;
            self.leave(id);
        }
        let hz = self.world.scenario.hz;
        if self.pace.is_paused() || self.pace.tick().is_multiple_of(hz.into()) {
            self.send_stats();
        }
    }

    fn send_changes(&mut self) -> Vec<ClientId> {
        let at = (self.pace.tick(), self.world.scenario.hz);
        let world = self.world.simulation.world_mut();
        self.clients.send_changes(world, at, &mut self.metrics)
    }

    fn execute(&mut self, command: Command, ground: &Mutex<Ground>) -> Next {
        match command {
            Command::Join(id, connection) => self.join(id, connection),
            Command::Leave(id) => self.leave(id),
            Command::Message(id, message) => {
                let answer = self.answer(id, message);
                self.reply(id, answer);
            }
            Command::Metrics(answer) => {
                // The receiver may be gone.
                let _ = answer.send(self.metrics_text());
            }
            Command::Change(change, answer) => {
                let changed = self.change(*change, ground);
                let (next, result) = match changed {
                    Ok(host) => (Next::Change(Box::new(host)), Ok(())),
                    Err(why) => (Next::Continue, Err(why)),
                };
                // The receiver may be gone.
                let _ = answer.send(result);
                return next;
            }
            Command::Stop => return Next::Stop,
        }
        Next::Continue
    }

    /// Prepares another world. An error is a sentence.
    fn change(&self, change: Change, ground: &Mutex<Ground>) -> Result<Self, String> {
        if !self.world.may_change {
            return Err("this server shows agents of other processes".to_owned());
        }
        let Change { source, name } = change;
        let other = Ground::of(&source.map().grid);
        let next = Self::new(source, name).map_err(|error| error.to_string())?;
        *ground.lock().unwrap_or_else(PoisonError::into_inner) = other;
        Ok(next)
    }

    fn join(&mut self, id: ClientId, connection: Connection) {
        let ServedWorld { simulation, .. } = &mut self.world;
        let map = simulation.map();
        if connection.sees_all() && !self.clients.any_sees_all() {
            self.clients.overview.update(&simulation.figures());
        }
        let hello = self.world.hello(connection.may_control);
        let world = self.world.simulation.world_mut();
        let first = self.players.first();
        let place = first.and_then(|player| world.get::<CellPosition>(player));
        let at = place.map_or_else(Default::default, |place| place.cell);
        self.clients.join(world, id, connection, (map, at));
        self.reply(id, Ok(Some(ServerMessage::Hello(hello))));
        if self.pace.is_paused() {
            // No tick will send it the agents.
            self.send_changes();
            self.send_stats();
        }
    }

    fn leave(&mut self, id: ClientId) {
        self.jobs.forget(id);
        let world = self.world.simulation.world_mut();
        if let Some(player) = self.clients.leave(world, id) {
            self.players.release(world, player);
        }
    }

    /// Sends an answer to a client.
    fn reply(&mut self, id: ClientId, answer: Answer) {
        let message = match answer {
            Ok(None) => return,
            Ok(Some(message)) => message,
            Err(why) => {
                self.metrics.refused += 1;
                ServerMessage::Refused(why)
            }
        };
        self.clients.send(id, &message, self.pace.tick());
    }

    /// Executes a request of a client.
    fn answer(&mut self, id: ClientId, message: ClientMessage) -> Answer {
        let Some(client) = self.clients.get_mut(id) else {
            return Ok(None);
        };
        let world = self.world.simulation.world_mut();
        match message {
            ClientMessage::Take {} => {
                let player = match client.player {
                    Some(player) => player,
                    None => self.players.take(world, id)?,
                };
                client.player = Some(player);
                return Ok(Some(ServerMessage::Player(Some(player.index_u32()))));
            }
            ClientMessage::Release {} => {
                if let Some(player) = client.player.take() {
                    self.players.release(world, player);
                }
                return Ok(Some(ServerMessage::Player(None)));
            }
            ClientMessage::Look(place) => client.look(world, place.into()),
            ClientMessage::Request(request) => client.request(request),
            ClientMessage::Ask { id: agent } => {
                let details = self.answers.agent(world, agent)?;
                return Ok(Some(ServerMessage::Agent(Box::new(details))));
            }
            ClientMessage::Walk(place) => self.jobs.add(id, Job::Walk(place.into())),
            ClientMessage::Field(part) => self.jobs.add(id, Job::Field(part)),
            ClientMessage::Ways(area) => self.jobs.add(id, Job::Paths(area)),
            ClientMessage::Pause(_) | ClientMessage::Step(_) | ClientMessage::Speed(_)
                if !client.may_control() =>
            {
                return Err("only clients with the control token may do that".to_owned());
            }
            ClientMessage::Step(ticks) => self.pace.step(ticks),
            ClientMessage::Pause(is_paused) => {
                self.pace.pause(is_paused);
                self.send_stats();
            }
            ClientMessage::Speed(speed) => {
                self.pace.set_speed(speed)?;
                self.send_stats();
            }
        }
        Ok(None)
    }

    /// Runs the oldest jobs, within the work of a tick.
    fn run_jobs(&mut self) {
        let mut total = 0;
        while total < WORK
            && let Some((id, job)) = self.jobs.next()
        {
            let world = self.world.simulation.world_mut();
            let (answer, work) = match job {
                Job::Walk(to) => {
                    let player = self.clients.get_mut(id).and_then(|client| client.player);
                    self.players.walk(world, player, to)
                }
                Job::Field(part) => self.answers.field(world, part),
                Job::Paths(area) => self.answers.paths(world, area),
            };
            total += work;
            self.reply(id, answer);
        }
    }

    /// Sends the state of the simulation to clients that see all agents.
    fn send_stats(&mut self) {
        if !self.clients.any_sees_all() {
            return;
        }
        let ServedWorld {
            scenario,
            simulation,
            ..
        } = &mut self.world;
        let tick = self.pace.tick();
        let WaysAt { in_reach, ways, .. } = simulation.ways(tick as f64 / f64::from(scenario.hz));
        let second = simulation.world().resource::<SearchLog>().last_second();
        let spread = self.metrics.tick_times.spread_ms(scenario.hz as usize);
        let stats = Stats {
            tick,
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
            budget: scenario.budget,
            clients: self.clients.count(),
            is_paused: self.pace.is_paused(),
            speed: self.pace.speed(),
        };
        self.clients.send_to_all(&ServerMessage::Stats(stats), tick);
    }

    /// Returns all metrics as text.
    fn metrics_text(&mut self) -> String {
        let world = self.world.simulation.world();
        let (taken, players) = self.players.counts();
        let lines = format!(
            "agents {} Agents on the map.
            clients {} Clients connected.
            players_owned {taken} Players that a client owns.
            seats {players} Players that a client may own.
            paused {} 1 while the simulation is paused.
            frames_waiting {} Frames in the queues of all clients.
            ticks_total {} Ticks run.
            late_ticks_total {} Ticks that began late.",
            self.answers.count(world),
            self.clients.count(),
            u8::from(self.pace.is_paused()),
            self.clients.waiting(),
            self.pace.tick(),
            self.pace.late(),
        );
        let counted = world.get_resource::<NavDiagnostics>().copied();
        let searches = world.resource::<SearchLog>();
        self.metrics
            .text(&lines, &counted.unwrap_or_default(), searches.by_method())
    }
}

impl ServedWorld {
    /// Returns the first message of a connection.
    fn hello(&self, may_control: bool) -> Hello {
        let map = self.simulation.world().get::<NavMap>(self.simulation.map());
        let grid = map.expect("the map of the simulation").grid();
        let links = grid.links().iter().take(Hello::LINKS_MAX);
        let size = grid.size();
        Hello {
            scenario: self.name.clone(),
            width: size.width,
            height: size.height,
            floors: size.floors,
            hz: self.scenario.hz,
            chaser_step: self.scenario.chaser.step_seconds,
            player_step: self.scenario.target.step_seconds,
            screen: (Screens::COLUMNS, Screens::ROWS),
            may_control,
            scenarios: if may_control && self.may_change {
                scenarios().collect()
            } else {
                Vec::new()
            },
            links: links.map(|link| [link.from, link.to].map(triple)).collect(),
        }
    }
}
