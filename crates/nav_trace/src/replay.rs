//! Replays a trace.

use crate::{
    blocks::{BlockReader, Kind},
    column::TracedColumns,
    difference::Difference,
    error::TraceError,
    likeness::spawn_like,
    plugin::add_points,
    record::{Inputs, Start, TickRecord, parse},
    repeat::{Nonsense, Repeated},
    sketch::Sketch,
    state::{State, TracedParts},
};
use bevy_app::{App, Update};
use bevy_ecs::{
    prelude::*,
    schedule::{ScheduleLabel, SingleThreadedExecutor},
};
use bevy_time::Time;
use nav::{
    NavPlugin,
    saving::{NavSave, save_as_is},
};
use std::{io::Read, time::Duration};

/// A trace that is replayed, in a world of its own.
pub struct Replay<R> {
    app: App,
    reader: BlockReader<R>,
    ticks: u64,
    is_over: bool,
}

/// What the systems of a replay share.
#[derive(Resource)]
struct Stage {
    repeated: Repeated,
    parts: TracedParts,
    record: Option<TickRecord>,
    state: Option<State>,
    is_nonsense: bool,
}

/// A tick that was replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedTick {
    /// Its number, from 1 on.
    pub tick: u64,
    /// What differs from its record, if anything does.
    pub difference: Option<Difference>,
}

impl<R: Read> Replay<R> {
    /// Reads the start of a trace and restores the state in which it begins, in an app with navigation alone.
    ///
    /// Searches run on the threads of Bevy's compute task pool, if the process has one.
    ///
    /// # Errors
    ///
    /// [`TraceError`].
    pub fn open(from: R) -> Result<Self, TraceError> {
        Self::open_with(from, |_| {})
    }

    /// The same in an app that runs navigation in [`Update`] and to which a function adds the plugins that the app
    /// that was recorded had, in that schedule: behaviours, and whatever else decides for agents.
    ///
    /// # Errors
    ///
    /// [`TraceError`].
    pub fn open_with(from: R, add: impl FnOnce(&mut App)) -> Result<Self, TraceError> {
        let mut reader = BlockReader::begin(from)?;
        let (kind, contents) = reader.read()?;
        if kind != Kind::Start {
            return Err(reader.last_is_damaged());
        }
        let start: Start = parse(&contents).ok_or(reader.last_is_damaged())?;
        let mut app = App::new();
        app.init_resource::<Time>()
            .add_plugins(NavPlugin::new(Update));
        add_points(
            &mut app,
            Update.intern(),
            repeat_early,
            look_on,
            repeat_late,
            take_state,
        );
        add(&mut app);
        // The systems of a tick follow one another; threads are for the searches within.
        let mut schedules = app.world_mut().resource_mut::<Schedules>();
        for (_, schedule) in schedules.iter_mut() {
            schedule.set_executor(SingleThreadedExecutor::new());
        }
        let world = app.world_mut();
        let columns = TracedColumns::named(world, &start.components)?;
        let saved: Vec<Entity> = start.save.entities().collect();
        let entities = start.save.restore_with(world, |world, saved| {
            saved.iter().map(|&one| spawn_like(world, one)).collect()
        });
        let entities = entities.map_err(TraceError::Start)?;
        let all = saved
            .into_iter()
            .filter_map(|entity| Some((entity, *entities.get(&entity)?)));
        let repeated = Repeated::new(world, columns, all);
        let parts = TracedParts::new(start.parts, world);
        world.insert_resource(Stage {
            repeated,
            parts,
            record: None,
            state: None,
            is_nonsense: false,
        });
        Ok(Self {
            app,
            reader,
            ticks: 0,
            is_over: false,
        })
    }

    /// Replays a tick; `None` after the last one.
    ///
    /// # Errors
    ///
    /// [`TraceError::CutOff`], [`TraceError::Damaged`], and those of the reader. The replay is over then.
    pub fn tick(&mut self) -> Result<Option<ReplayedTick>, TraceError> {
        if self.is_over {
            return Ok(None);
        }
        self.is_over = true;
        let (kind, contents) = self.reader.read()?;
        match kind {
            Kind::Tick => {}
            Kind::End if parse(&contents) == Some(self.ticks) => return Ok(None),
            Kind::End | Kind::Start => return Err(self.reader.last_is_damaged()),
        }
        let damaged = || self.reader.last_is_damaged();
        let record: TickRecord = parse(&contents).ok_or_else(damaged)?;
        let recorded = State {
            digest: record.digest,
            sketch: Sketch::from_bytes(&record.sketch).ok_or_else(damaged)?,
        };
        let world = self.app.world_mut();
        let delta = Duration::from_nanos(record.delta);
        world.resource_mut::<Time>().advance_by(delta);
        world.resource_mut::<Stage>().record = Some(record);
        self.app.update();
        self.ticks += 1;
        let tick = self.ticks;
        let world = self.app.world_mut();
        let difference = world.resource_scope(|world, mut stage: Mut<Stage>| {
            let state = stage.state.take().filter(|_| !stage.is_nonsense)?;
            let is_equal = state.digest == recorded.digest;
            Some((!is_equal).then(|| {
                Difference::of(
                    tick,
                    world,
                    (&stage.repeated, &stage.parts),
                    &recorded,
                    &state,
                )
            }))
        });
        let difference = difference.ok_or_else(damaged)?;
        self.is_over = false;
        Ok(Some(ReplayedTick { tick, difference }))
    }

    /// How many ticks were replayed.
    pub const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The world between two ticks.
    pub fn world_mut(&mut self) -> &mut World {
        self.app.world_mut()
    }

    /// The state after the last tick. The replay goes on unchanged, where [`save`](nav::saving::save) has a
    /// world begin again with fields and with searches that take several ticks, as one that is restored does.
    pub fn save(&mut self) -> NavSave {
        save_as_is(self.app.world_mut())
    }
}

fn repeat_early(world: &mut World) {
    repeat(world, |record| record.early.take());
}

fn repeat_late(world: &mut World) {
    repeat(world, |record| record.late.take());
}

fn repeat(world: &mut World, inputs: impl FnOnce(&mut TickRecord) -> Option<Inputs>) {
    world.resource_scope(|world, mut stage: Mut<Stage>| {
        if let Some(inputs) = stage.record.as_mut().and_then(inputs)
            && let Err(Nonsense) = stage.repeated.repeat(world, inputs)
        {
            stage.is_nonsense = true;
        }
    });
}

fn look_on(world: &mut World) {
    world.resource_scope(|world, mut stage: Mut<Stage>| stage.repeated.look_on(world));
}

fn take_state(world: &mut World) {
    world.resource_scope(|world, mut stage: Mut<Stage>| {
        stage.repeated.look_on(world);
        stage.state = Some(State::of(world, stage.repeated.numbers(), &stage.parts));
    });
}
