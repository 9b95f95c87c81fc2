//! Records a trace.

use crate::{
    blocks::{BlockWriter, Kind},
    column::TracedColumns,
    error::TraceError,
    inputs::InputWatch,
    record::{Inputs, Start, TickRecord, to_bytes},
    state::{State, TracedParts},
};
use bevy_ecs::{entity_disabling::Disabled, prelude::*, query::Allow};
use bevy_time::Time;
use nav::{CellPosition, NavMap, saving::save, state::StateComponents};
use std::io::{self, Write};

/// Where a trace goes.
type Out = Box<dyn Write + Send + Sync>;

/// Who records, if anybody does.
#[derive(Resource, Default)]
pub(super) struct Recorder(Recording);

#[derive(Default)]
enum Recording {
    #[default]
    Idle,
    /// From the end of the next tick on.
    Asked(Out),
    On(Box<OpenTrace>),
    Failed(TraceError),
}

/// A trace that is being recorded.
struct OpenTrace {
    out: BlockWriter<Out>,
    watch: InputWatch,
    parts: TracedParts,
    early: Option<Inputs>,
    late: Option<Inputs>,
    ticks: u64,
}

/// What was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceTotals {
    /// Ticks.
    pub ticks: u64,
    /// Bytes.
    pub bytes: u64,
}

/// Begins to record a trace: at once where there are neither maps nor agents, and elsewhere after the next
/// tick, when it is known what the game changed and what the plugin did.
///
/// What is written goes to `out` a tick at a time; it should be buffered. A trace is whole only if
/// [`finish`] is called.
///
/// # Errors
///
/// [`TraceError::NoPlugin`], [`TraceError::Recording`], and those of the writer.
pub fn start(world: &mut World, out: impl Write + Send + Sync + 'static) -> Result<(), TraceError> {
    let mut all =
        world.query_filtered::<(), (Or<(With<CellPosition>, With<NavMap>)>, Allow<Disabled>)>();
    let is_empty = all.iter(world).next().is_none();
    let recorder = world.get_resource::<Recorder>();
    let Recorder(recording) = recorder.ok_or(TraceError::NoPlugin)?;
    if matches!(recording, Recording::Asked(_) | Recording::On(_)) {
        return Err(TraceError::Recording);
    }
    let out: Out = Box::new(out);
    let recording = if is_empty {
        Recording::On(Box::new(OpenTrace::begin(world, out)?))
    } else {
        Recording::Asked(out)
    };
    world.insert_resource(Recorder(recording));
    Ok(())
}

/// Ends the trace that is being recorded, and returns how much it is.
///
/// # Errors
///
/// [`TraceError::NoPlugin`], [`TraceError::NotRecording`], and the first error of the writer, after which
/// nothing was recorded any more.
pub fn finish(world: &mut World) -> Result<TraceTotals, TraceError> {
    let recorder = world.get_resource_mut::<Recorder>();
    let Recorder(recording) = &mut *recorder.ok_or(TraceError::NoPlugin)?;
    match std::mem::take(recording) {
        Recording::Idle => Err(TraceError::NotRecording),
        // No tick has passed since.
        Recording::Asked(out) => Ok(OpenTrace::begin(world, out)?.end()?),
        Recording::On(trace) => Ok(trace.end()?),
        Recording::Failed(error) => Err(error),
    }
}

/// Whether something acts in [`NavSystems::Behave`](nav::NavSystems::Behave): components of it are registered then.
fn acts(world: &World) -> bool {
    let registered = world.get_resource::<StateComponents>();
    registered.is_some_and(|registered| !registered.is_empty())
}

/// Notes what the game changed before behaviours act. Without any, that is noted later, together with what
/// it changes until then.
pub(super) fn note_early(world: &mut World) {
    if acts(world) {
        record(world, |trace, world| {
            trace.early = trace.inputs(world)?;
            Ok(())
        });
    }
}

/// Lets behaviours act.
pub(super) fn let_act(world: &mut World) {
    if acts(world) {
        record(world, |trace, world| {
            trace.watch.look_on(world);
            Ok(())
        });
    }
}

/// Notes what the game changed before the plugin looks at it.
pub(super) fn note_late(world: &mut World) {
    record(world, |trace, world| {
        trace.late = trace.inputs(world)?;
        Ok(())
    });
}

/// Writes the record of the tick, or begins with a trace that was asked for.
pub(super) fn note_tick(world: &mut World) {
    record(world, OpenTrace::tick);
    world.resource_scope(|world, mut recorder: Mut<Recorder>| {
        let Recorder(recording) = &mut *recorder;
        *recording = match std::mem::take(recording) {
            Recording::Asked(out) => match OpenTrace::begin(world, out) {
                Ok(trace) => Recording::On(Box::new(trace)),
                Err(error) => Recording::Failed(error),
            },
            other => other,
        };
    });
}

/// Does something for the trace that is being recorded, if there is one.
fn record(world: &mut World, note: impl FnOnce(&mut OpenTrace, &mut World) -> io::Result<()>) {
    world.resource_scope(|world, mut recorder: Mut<Recorder>| {
        let Recorder(recording) = &mut *recorder;
        if let Recording::On(trace) = recording
            && let Err(error) = note(trace, world)
        {
            *recording = Recording::Failed(error.into());
        }
    });
}

impl OpenTrace {
    fn begin(world: &mut World, out: Out) -> Result<Self, TraceError> {
        let columns = TracedColumns::all(world)?;
        let mut out = BlockWriter::begin(out)?;
        let save = save(world);
        let start = Start {
            components: columns.names(),
            parts: TracedParts::all(world),
            save,
        };
        let watch = InputWatch::new(world, columns, start.save.entities());
        let parts = TracedParts::new(start.parts.clone(), world);
        out.write(Kind::Start, &to_bytes(&start)?)?;
        Ok(Self {
            out,
            watch,
            parts,
            early: None,
            late: None,
            ticks: 0,
        })
    }

    fn inputs(&mut self, world: &mut World) -> io::Result<Option<Inputs>> {
        let inputs = self.watch.inputs(world).map_err(io::Error::other)?;
        Ok((!inputs.is_empty()).then_some(inputs))
    }

    fn tick(&mut self, world: &mut World) -> io::Result<()> {
        self.watch.look_on(world);
        let State { digest, sketch } = State::of(world, self.watch.numbers(), &self.parts);
        let delta = world.get_resource::<Time>().map(Time::delta);
        let record = TickRecord {
            early: self.early.take(),
            late: self.late.take(),
            delta: delta.map_or(0, |delta| {
                u64::try_from(delta.as_nanos()).unwrap_or(u64::MAX)
            }),
            digest,
            sketch: sketch.to_bytes(),
        };
        self.ticks += 1;
        self.out.write(Kind::Tick, &to_bytes(&record)?)
    }

    fn end(mut self) -> io::Result<TraceTotals> {
        self.out.write(Kind::End, &to_bytes(&self.ticks)?)?;
        self.out.flush()?;
        Ok(TraceTotals {
            ticks: self.ticks,
            bytes: self.out.bytes(),
        })
    }
}
