//! The simulation thread: executes orders, runs ticks when they are due, and sends changes.

mod answers;

use crate::{
    Source,
    change::{Change, scenarios},
    course,
    frame::Closing,
    ground::Ground,
    hall::Hall,
    link::{Link, LinkId, Order, View},
    metrics::Metrics,
    overview::{Overview, number},
    pace::Pace,
    rates::Rates,
    said::{ClientSays, Hello, ServerSays, triple},
    searches::{ReportedSearches, note_searches},
    wishes::{Wish, Wishes},
};
use bevy_app::FixedUpdate;
use bevy_ecs::{prelude::*, schedule::ScheduleLabel, system::SystemState};
use nav::{CellPosition, NavDiagnostics, NavMap, NavSystems, Period, Screens, UpcomingPath};
use nav_grid::{Cell, Planner};
use nav_sim::{
    Scenario,
    clock::Stopwatch,
    sim::{Role, SimError, Simulation},
};
use nav_sync::{NavSyncPlugin, SyncSettings};
use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError},
    },
    time::Duration,
};

/// How long a paused host waits for an order. A guess: too short to notice, and no load.
const STILL: Duration = Duration::from_millis(50);

/// Most orders executed before the next tick. A guess: keeps orders from delaying ticks.
const ORDERS_PER_TICK: usize = 4096;

/// Runs after each tick, so that watching does not delay the simulation.
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Publish;

/// Whether any client watches.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IsWatched(pub bool);

/// A running simulation and its clients.
pub(crate) struct Host {
    scenario: Scenario,
    name: String,
    simulation: Simulation,
    /// Whether another scenario may take its place.
    may_change: bool,
    /// The host of another world, which takes its place.
    next: Option<Box<Self>>,
    hall: Hall,
    /// The players in order, each with the client that owns it.
    players: BTreeMap<Entity, Option<LinkId>>,
    overview: Overview,
    agents: QueryState<Entity, With<CellPosition>>,
    planner: Planner,
    upcoming: SystemState<UpcomingPath<'static, 'static>>,
    wishes: Wishes,
    pace: Pace,
    speed: f64,
    is_paused: bool,
    /// Ticks to run while it is paused.
    steps: u16,
    tick: u64,
    /// Whether the map was being prepared in the last tick.
    is_preparing: bool,
    metrics: Metrics,
    rates: Rates,
    budget: Option<u32>,
}

impl Host {
    /// Creates a host before its first tick.
    pub(crate) fn new(source: Source, name: String) -> Result<Self, SimError> {
        let may_change = source.is_run();
        let (scenario, mut simulation) = source.simulation(|app| {
            app.init_schedule(Publish)
                .add_plugins(NavSyncPlugin::new(Publish))
                .insert_resource(SyncSettings {
                    // A WebSocket loses nothing.
                    history: 0,
                    ..SyncSettings::default()
                })
                .init_resource::<IsWatched>()
                .init_resource::<ReportedSearches>()
                .add_systems(
                    FixedUpdate,
                    (
                        course::walk_courses.before(NavSystems::All),
                        note_searches.after(NavSystems::All),
                    ),
                );
        })?;
        let figures = simulation.figures();
        let players = figures.iter().filter(|figure| figure.role == Role::Target);
        let players = players.map(|figure| (figure.agent, None)).collect();
        let map = simulation.map();
        let world = simulation.world_mut();
        world.entity_mut(map).insert_if_new(Screens::default());
        let (upcoming, agents) = (SystemState::new(world), QueryState::new(world));
        let mut overview = Overview::default();
        overview.update(&figures);
        Ok(Self {
            pace: Pace::new(scenario.hz, 1.0),
            budget: scenario.budget,
            scenario,
            name,
            simulation,
            may_change,
            next: None,
            hall: Hall::default(),
            players,
            overview,
            agents,
            planner: Planner::new(),
            upcoming,
            wishes: Wishes::default(),
            speed: 1.0,
            is_paused: false,
            steps: 0,
            tick: 0,
            is_preparing: false,
            metrics: Metrics::default(),
            rates: Rates::default(),
        })
    }

    /// Runs until an order stops it, or no sender of orders is left. Returns the host that takes its
    /// place, if any.
    ///
    /// Replaces the `ground` that clients see before they hear of it.
    pub(crate) fn run(
        mut self,
        orders: &Receiver<Order>,
        ground: &Mutex<Ground>,
    ) -> Option<Box<Self>> {
        loop {
            let is_still = self.is_paused && self.steps == 0;
            let wait = if is_still {
                Some(STILL)
            } else {
                self.pace.until_next()
            };
            if let Some(wait) = wait {
                match orders.recv_timeout(wait) {
                    Ok(order) => {
                        if !self.carry_out(order, ground) {
                            return self.close();
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if is_still {
                    self.answer_wishes();
                }
                continue;
            }
            for _ in 0..ORDERS_PER_TICK {
                let Ok(order) = orders.try_recv() else {
                    break;
                };
                if !self.carry_out(order, ground) {
                    return self.close();
                }
            }
            self.run_tick();
        }
        self.close()
    }

    /// Closes all connections. Returns the host that takes its place.
    fn close(mut self) -> Option<Box<Self>> {
        let closing = match self.next {
            Some(_) => Closing::Changing,
            None => Closing::Stopping,
        };
        self.hall.close_all(closing, self.tick);
        self.next
    }

    fn run_tick(&mut self) {
        self.steps = self.steps.saturating_sub(1);
        self.pace.begin_tick();
        self.hall.follow_players(self.simulation.world_mut());
        let is_watched = IsWatched(!self.hall.guests.is_empty());
        self.simulation.world_mut().insert_resource(is_watched);
        let stopwatch = Stopwatch::start();
        self.simulation.tick();
        self.metrics.tick_times.push(stopwatch.elapsed());
        self.metrics.ticks += 1;
        self.tick += 1;
        self.say_prepared();
        self.rates.tick(self.simulation.world());
        let stopwatch = Stopwatch::start();
        self.publish();
        self.metrics.publish_times.push(stopwatch.elapsed());
    }

    /// Writes a line to the log once the map is prepared.
    fn say_prepared(&mut self) {
        let world = self.simulation.world();
        let is_due = |of: &NavDiagnostics| of.map_parts_due > 0;
        let is_preparing = world.get_resource::<NavDiagnostics>().is_some_and(is_due);
        if std::mem::replace(&mut self.is_preparing, is_preparing) && !is_preparing {
            eprintln!("the map is prepared, at tick {}", self.tick);
        }
    }

    /// Sends the changes of a tick to all clients.
    fn publish(&mut self) {
        self.simulation.world_mut().run_schedule(Publish);
        self.answer_wishes();
        if self.hall.sees_all() {
            self.overview.update(&self.simulation.figures());
        }
        let at = (self.tick, self.scenario.hz);
        let world = self.simulation.world_mut();
        let ending = self
            .hall
            .send_news(world, &self.overview, at, &mut self.metrics);
        for id in ending {
            self.metrics.closed += 1;
            self.leave(id);
        }
        if self.is_paused || self.tick.is_multiple_of(self.scenario.hz.into()) {
            self.send_stats();
        }
    }

    /// Executes an order. Returns whether to continue.
    fn carry_out(&mut self, order: Order, ground: &Mutex<Ground>) -> bool {
        match order {
            Order::Join(id, link) => self.join(id, link),
            Order::Leave(id) => self.leave(id),
            Order::Said(id, says) => self.receive(id, says),
            Order::Metrics(answer) => {
                // The receiver may be gone.
                let gauges = self.gauges();
                let _ = answer.send(self.metrics.text(&gauges));
            }
            Order::Change(change, answer) => {
                let changed = self.change(*change, ground);
                let has_changed = changed.is_ok();
                // The receiver may be gone.
                let _ = answer.send(changed);
                return !has_changed;
            }
            Order::Stop => return false,
        }
        true
    }

    /// Prepares another world. An error is a sentence.
    fn change(&mut self, change: Change, ground: &Mutex<Ground>) -> Result<(), String> {
        if !self.may_change {
            return Err("this server shows agents of other processes".to_owned());
        }
        let Change { source, name } = change;
        let other = Ground::of(&source.map().grid);
        let next = Self::new(source, name).map_err(|error| error.to_string())?;
        *ground.lock().unwrap_or_else(PoisonError::into_inner) = other;
        self.next = Some(Box::new(next));
        Ok(())
    }

    fn join(&mut self, id: LinkId, link: Link) {
        let map = self.simulation.map();
        let may_control = link.may_control;
        if link.view == View::All && !self.hall.sees_all() {
            self.overview.update(&self.simulation.figures());
        }
        let world = self.simulation.world_mut();
        let first = self.players.keys().next();
        let at = first.and_then(|&player| world.get::<CellPosition>(player));
        let at = at.map_or(Cell::new(0, 0), |place| place.cell);
        self.hall.join(world, id, link, map, at);
        let Some(grid) = world.get::<NavMap>(map).map(|map| map.grid()) else {
            return;
        };
        let links = grid.links().iter().take(Hello::LINKS_MAX);
        let links = links.map(|link| [link.from, link.to].map(triple)).collect();
        let grid = grid.size();
        let hello = Hello {
            scenario: self.name.clone(),
            width: grid.width,
            height: grid.height,
            floors: grid.floors,
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
            links,
        };
        self.hall.say(id, &ServerSays::Hello(hello), self.tick);
        if self.is_paused {
            // No tick will send it the agents.
            let at = (self.tick, self.scenario.hz);
            let world = self.simulation.world_mut();
            self.hall
                .send_news(world, &self.overview, at, &mut self.metrics);
            self.send_stats();
        }
    }

    fn leave(&mut self, id: LinkId) {
        self.wishes.forget(id);
        let player = self.hall.leave(self.simulation.world_mut(), id);
        if let Some(player) = player {
            self.release(player);
        }
    }

    fn release(&mut self, player: Entity) {
        course::release(self.simulation.world_mut(), player);
        if let Some(owner) = self.players.get_mut(&player) {
            *owner = None;
        }
    }

    /// Executes a request of a client, or sends why it cannot.
    fn receive(&mut self, id: LinkId, says: ClientSays) {
        let Some(guest) = self.hall.guests.get_mut(&id) else {
            return;
        };
        let (player, may_control) = (guest.player, guest.link.may_control);
        let steers = matches!(
            says,
            ClientSays::Pause(_) | ClientSays::Step(_) | ClientSays::Speed(_)
        );
        if steers && !may_control {
            return self.refuse(
                id,
                "only clients with the control token may do that".to_owned(),
            );
        }
        match says {
            ClientSays::Take {} => self.take(id),
            ClientSays::Release {} => {
                guest.player = None;
                if let Some(player) = player {
                    self.release(player);
                }
                self.hall.say(id, &ServerSays::Player(None), self.tick);
            }
            ClientSays::Walk(place) => self.wishes.add(id, Wish::Walk(place.into())),
            ClientSays::Look(place) => {
                self.hall
                    .look(self.simulation.world_mut(), id, place.into());
            }
            ClientSays::Ask { id: agent } => self.send_agent(id, agent),
            ClientSays::Field(ask) => self.wishes.add(id, Wish::Field(ask)),
            ClientSays::Ways(ask) => self.wishes.add(id, Wish::Ways(ask)),
            ClientSays::Request(request) => self.hall.request(id, request),
            ClientSays::Pause(is_paused) => {
                self.is_paused = is_paused;
                self.pace.set(self.scenario.hz, self.speed);
                self.send_stats();
            }
            ClientSays::Step(ticks) => self.steps = self.steps.saturating_add(ticks),
            ClientSays::Speed(speed) if (0.1..=10.0).contains(&speed) => {
                self.speed = speed;
                self.pace.set(self.scenario.hz, speed);
                self.send_stats();
            }
            ClientSays::Speed(speed) => {
                self.refuse(id, format!("the speed must be 0.1 to 10, not {speed}"));
            }
        }
    }

    fn refuse(&mut self, id: LinkId, why: String) {
        self.metrics.refused += 1;
        self.hall.say(id, &ServerSays::Refused(why), self.tick);
    }

    fn take(&mut self, id: LinkId) {
        let Some(guest) = self.hall.guests.get_mut(&id) else {
            return;
        };
        let player = if let Some(player) = guest.player {
            player
        } else {
            let mut players = self.players.iter_mut();
            let Some((&player, owner)) = players.find(|(_, owner)| owner.is_none()) else {
                let players = self.players.len();
                return self.refuse(id, format!("all {players} players are taken"));
            };
            *owner = Some(id);
            guest.player = Some(player);
            let period = Duration::try_from_secs_f64(self.scenario.target.step_seconds);
            let period = Period::from(period.unwrap_or_default());
            course::take(self.simulation.world_mut(), player, period);
            player
        };
        let number = number(player);
        self.hall
            .say(id, &ServerSays::Player(Some(number)), self.tick);
    }
}
