//! Records a trace: the plugin, and how a recording starts and ends.

use crate::{
    blocks::{BlockWriter, Kind, TraceError},
    components::{Agents, Components},
    inputs::InputWatch,
    record::{EARLY, Inputs, LATE, Start, TickRecord, to_bytes},
    state::{State, TracedParts},
};
use bevy_app::{App, FixedUpdate, Plugin};
use bevy_ecs::{
    entity_disabling::Disabled, intern::Interned, prelude::*, query::Allow, schedule::ScheduleLabel,
};
use bevy_time::Time;
use nav::{
    NavMap,
    NavSystems::{Act, Behave, First, Last},
    extend::{StateComponents, part_names, require_nav},
    saving::save,
};
use std::io::{self, Write};

/// Adds the systems that record traces: see the [crate](crate).
///
/// Until [`start`] is called, they cost four checks a tick.
#[derive(Clone, Copy, Debug)]
pub struct TracePlugin {
    /// The schedule of the [`NavPlugin`](nav::NavPlugin).
    pub schedule: Interned<dyn ScheduleLabel>,
}

impl TracePlugin {
    /// Records navigation that runs in another schedule than the default one.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

impl Default for TracePlugin {
    /// Records navigation that runs in [`FixedUpdate`].
    fn default() -> Self {
        Self::new(FixedUpdate)
    }
}

impl Plugin for TracePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Recorder>();
        // In sets of the plugin, so that what a game orders before or after them is before or after
        // these, too. A replay repeats inputs at the same points.
        app.add_systems(
            self.schedule,
            (
                (record_inputs::<EARLY>.before(Act), skip.after(Act))
                    .in_set(Behave)
                    .run_if(has_behaviours),
                record_inputs::<LATE>.in_set(First),
                record_tick.in_set(Last),
            ),
        );
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "TracePlugin");
    }
}

/// Where a trace is written.
type Out = Box<dyn Write + Send + Sync>;

/// The state of recording.
#[derive(Resource, Default)]
enum Recorder {
    #[default]
    Idle,
    /// Begins at the end of the next tick.
    Requested(Out),
    Recording(Box<Recording>),
    Failed(TraceError),
}

/// A trace that is being recorded.
struct Recording {
    out: BlockWriter<Out>,
    watch: InputWatch,
    parts: TracedParts,
    /// The inputs of the current tick, [`EARLY`] and [`LATE`].
    inputs: [Option<Inputs>; 2],
    ticks: u64,
}

/// The size of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceTotals {
    /// Ticks.
    pub ticks: u64,
    /// Bytes.
    pub bytes: u64,
}

/// Starts to record a trace.
///
/// In a world without maps and agents, recording begins at once. Elsewhere it begins after the next
/// tick: only then is it known which changes are the plugin's own.
///
/// `out` is written to once a tick and should be buffered. A trace is complete only after
/// [`finish`].
///
/// # Errors
///
/// [`TraceError::NoPlugin`], [`TraceError::Recording`], and errors of the writer.
pub fn start(world: &mut World, out: impl Write + Send + Sync + 'static) -> Result<(), TraceError> {
    let mut all = world.query_filtered::<(), (Or<(Agents, With<NavMap>)>, Allow<Disabled>)>();
    let is_empty = all.iter(world).next().is_none();
    match world.get_resource() {
        None => return Err(TraceError::NoPlugin),
        Some(Recorder::Requested(_) | Recorder::Recording(_)) => return Err(TraceError::Recording),
        Some(Recorder::Idle | Recorder::Failed(_)) => {}
    }
    let out: Out = Box::new(out);
    let recorder = if is_empty {
        Recorder::Recording(Recording::begin(world, out)?)
    } else {
        Recorder::Requested(out)
    };
    world.insert_resource(recorder);
    Ok(())
}

/// Ends the trace that is being recorded, and returns its size.
///
/// # Errors
///
/// [`TraceError::NoPlugin`], [`TraceError::NotRecording`], and the first error of the writer.
/// Nothing was recorded after that error.
pub fn finish(world: &mut World) -> Result<TraceTotals, TraceError> {
    let recorder = world.get_resource_mut::<Recorder>();
    match std::mem::take(&mut *recorder.ok_or(TraceError::NoPlugin)?) {
        Recorder::Idle => Err(TraceError::NotRecording),
        // No tick has passed since the start.
        Recorder::Requested(out) => Recording::begin(world, out)?.end(),
        Recorder::Recording(recording) => recording.end(),
        Recorder::Failed(error) => Err(error),
    }
}

/// Returns whether the app registered components of the state, as plugins with behaviours do.
/// Without, the late look finds all inputs.
fn has_behaviours(registered: Option<Res<StateComponents>>) -> bool {
    registered.is_some_and(|registered| !registered.is_empty())
}

/// Skips what behaviours changed.
fn skip(world: &mut World) {
    record(world, |recording, world| {
        recording.watch.skip(world);
        Ok(())
    });
}

/// Records what the game changed since the last look.
fn record_inputs<const POINT: usize>(world: &mut World) {
    record(world, |recording, world| {
        let inputs = recording.watch.inputs(world).map_err(io::Error::other)?;
        recording.inputs[POINT] = (!inputs.is_empty()).then_some(inputs);
        Ok(())
    });
}

/// Writes the record of the tick, or begins a trace that was requested.
fn record_tick(world: &mut World) {
    record(world, Recording::tick);
    world.resource_scope(|world, mut recorder: Mut<Recorder>| {
        *recorder = match std::mem::take(&mut *recorder) {
            Recorder::Requested(out) => {
                Recording::begin(world, out).map_or_else(Recorder::Failed, Recorder::Recording)
            }
            other => other,
        };
    });
}

/// Calls a function for the trace that is being recorded, if there is one.
fn record(world: &mut World, act: impl FnOnce(&mut Recording, &mut World) -> io::Result<()>) {
    world.resource_scope(|world, mut recorder: Mut<Recorder>| {
        if let Recorder::Recording(recording) = &mut *recorder
            && let Err(error) = act(recording, world)
        {
            *recorder = Recorder::Failed(error.into());
        }
    });
}

impl Recording {
    fn begin(world: &mut World, out: Out) -> Result<Box<Self>, TraceError> {
        let components = Components::all(world)?;
        let mut out = BlockWriter::begin(out)?;
        let names = components.columns.iter().map(|column| column.name.into());
        let parts = part_names(world).into_iter().map(String::from);
        let start = Start {
            components: names.collect(),
            parts: parts.take(TracedParts::MAX).collect(),
            save: save(world).map_err(io::Error::other)?,
        };
        out.write(Kind::Start, &to_bytes(&start)?)?;
        Ok(Box::new(Self {
            out,
            watch: InputWatch::new(world, components, start.save.entities()),
            parts: TracedParts::new(start.parts, world),
            inputs: [None, None],
            ticks: 0,
        }))
    }

    fn tick(&mut self, world: &mut World) -> io::Result<()> {
        self.watch.skip(world);
        let State { digest, sketch } = State::of(world, &self.watch.numbers, &self.parts);
        let time = world.get_resource::<Time>();
        let delta = time.map_or(0, |time| time.delta().as_nanos());
        let record = TickRecord {
            inputs: std::mem::take(&mut self.inputs),
            delta: u64::try_from(delta).unwrap_or(u64::MAX),
            digest,
            sketch: sketch.to_bytes(),
        };
        self.ticks += 1;
        self.out.write(Kind::Tick, &to_bytes(&record)?)
    }

    fn end(self) -> Result<TraceTotals, TraceError> {
        let ticks = self.ticks;
        let bytes = self.out.end(&to_bytes(&ticks)?)?;
        Ok(TraceTotals { ticks, bytes })
    }
}
