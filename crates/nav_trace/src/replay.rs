//! Replays a trace in a world of its own, and compares each tick with its record.

use crate::{
    blocks::{BlockReader, Kind, TraceError},
    components::Components,
    difference::Difference,
    record::{EARLY, Inputs, LATE, Start, TickRecord, parse},
    repeat::{Repeated, spawn_like},
    sketch::Sketch,
    state::{State, TracedParts},
};
use bevy_app::{App, Update};
use bevy_ecs::{prelude::*, schedule::SingleThreadedExecutor};
use bevy_time::Time;
use nav::{
    NavPlugin,
    NavSystems::{Act, Behave, First, Last},
    saving::{NavSave, save_as_is},
};
use std::{io::Read, time::Duration};

/// A replay of a trace.
pub struct Replay<R> {
    app: App,
    reader: BlockReader<R>,
    ticks: u64,
    is_over: bool,
}

/// The data that the systems of a replay share.
#[derive(Resource)]
struct Stage {
    repeated: Repeated,
    parts: TracedParts,
    /// The inputs of the current tick: [`EARLY`] and [`LATE`].
    inputs: [Option<Inputs>; 2],
    /// Whether some inputs made no sense.
    is_damaged: bool,
    /// The state after the current tick.
    state: Option<State>,
}

/// A replayed tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedTick {
    /// Its number, from 1 on.
    pub tick: u64,
    /// The difference from the record, if there is one.
    pub difference: Option<Difference>,
}

impl<R: Read> Replay<R> {
    /// Reads the start of a trace and restores its state, in an app with navigation alone.
    ///
    /// Searches run on the threads of Bevy's compute task pool, if the process has one.
    ///
    /// # Errors
    ///
    /// [`TraceError`].
    pub fn open(from: R) -> Result<Self, TraceError> {
        Self::open_with(from, |_| {})
    }

    /// The same with the plugins that the recorded app had: behaviours, and others that decide for
    /// agents.
    ///
    /// `add` adds them to an app that runs navigation in [`Update`]; they must run in that
    /// schedule, too.
    ///
    /// # Errors
    ///
    /// [`TraceError`].
    pub fn open_with(from: R, add: impl FnOnce(&mut App)) -> Result<Self, TraceError> {
        let mut reader = BlockReader::begin(from)?;
        let start = match reader.read()? {
            (Kind::Start, contents) => parse(&contents),
            _ => None,
        };
        let start: Start = start.ok_or_else(|| reader.last_is_damaged())?;
        let mut app = App::new();
        app.init_resource::<Time>()
            .add_plugins(NavPlugin::new(Update));
        // At the points where the recorder looked.
        app.add_systems(
            Update,
            (
                repeat::<EARLY>.in_set(Behave).before(Act),
                skip.in_set(Behave).after(Act),
                repeat::<LATE>.in_set(First),
                take_state.in_set(Last),
            ),
        );
        add(&mut app);
        let world = app.world_mut();
        // Systems of a tick run one after the other: threads are for the searches within them.
        for (_, schedule) in world.resource_mut::<Schedules>().iter_mut() {
            schedule.set_executor(SingleThreadedExecutor::new());
        }
        let components = Components::named(world, &start.components)?;
        let saved: Vec<Entity> = start.save.entities().collect();
        let entities = start.save.restore_with(world, |world, saved| {
            let saved = saved.iter();
            saved.map(|&there| spawn_like(world, there)).collect()
        });
        let entities = entities.map_err(TraceError::Start)?;
        let saved = saved.into_iter();
        let all = saved.filter_map(|there| Some((there, *entities.get(&there)?)));
        let stage = Stage {
            repeated: Repeated::new(world, components, all),
            parts: TracedParts::new(start.parts, world),
            inputs: [None, None],
            is_damaged: false,
            state: None,
        };
        world.insert_resource(stage);
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
    /// [`TraceError::CutOff`], [`TraceError::Damaged`], and errors of the reader. An error ends the
    /// replay.
    pub fn tick(&mut self) -> Result<Option<ReplayedTick>, TraceError> {
        if self.is_over {
            return Ok(None);
        }
        self.is_over = true;
        let (kind, contents) = self.reader.read()?;
        if kind == Kind::End && parse(&contents) == Some(self.ticks) {
            return Ok(None);
        }
        let Some(replayed) = self.replay(kind, &contents) else {
            return Err(self.reader.last_is_damaged());
        };
        self.is_over = false;
        Ok(Some(replayed))
    }

    /// Replays the record of a tick. `None` if it makes no sense.
    fn replay(&mut self, kind: Kind, contents: &[u8]) -> Option<ReplayedTick> {
        let record: TickRecord = parse(contents).filter(|_| kind == Kind::Tick)?;
        let recorded = State {
            digest: record.digest,
            sketch: Sketch::from_bytes(&record.sketch)?,
        };
        let world = self.app.world_mut();
        let delta = Duration::from_nanos(record.delta);
        world.resource_mut::<Time>().advance_by(delta);
        world.resource_mut::<Stage>().inputs = record.inputs;
        self.app.update();
        self.ticks += 1;
        let tick = self.ticks;
        let world = self.app.world_mut();
        world.resource_scope(|world, mut stage: Mut<Stage>| {
            let state = stage.state.take().filter(|_| !stage.is_damaged)?;
            let whose = (&stage.repeated, &stage.parts);
            let difference = (state.digest != recorded.digest)
                .then(|| Difference::of(tick, world, whose, &recorded, state));
            Some(ReplayedTick { tick, difference })
        })
    }

    /// The number of replayed ticks.
    pub const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The world between two ticks.
    pub fn world_mut(&mut self) -> &mut World {
        self.app.world_mut()
    }

    /// Saves the state after the last tick, and changes nothing.
    ///
    /// A [`save`](nav::saving::save) would have the world begin fields and long searches again, and
    /// the replay would differ.
    pub fn save(&mut self) -> NavSave {
        save_as_is(self.app.world_mut())
    }
}

fn repeat<const POINT: usize>(world: &mut World) {
    world.resource_scope(|world, mut stage: Mut<Stage>| {
        if let Some(inputs) = stage.inputs[POINT].take() {
            stage.is_damaged |= stage.repeated.repeat(world, inputs).is_none();
        }
    });
}

fn skip(world: &mut World) {
    world.resource_scope(|world, mut stage: Mut<Stage>| stage.repeated.skip(world));
}

fn take_state(world: &mut World) {
    world.resource_scope(|world, mut stage: Mut<Stage>| {
        stage.repeated.skip(world);
        stage.state = Some(State::of(world, &stage.repeated.numbers, &stage.parts));
    });
}
