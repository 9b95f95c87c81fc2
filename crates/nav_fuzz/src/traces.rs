//! Traces of what a game did: replayed as they are, with right checksums, and with the right
//! digests.

use crate::saves::PER_BYTE;
use bevy_app::{App, Update};
use heap_meter::peak_during;
use nav::{digest, saving::RestoreError};
use nav_behaviour::BehaviourPlugins;
use nav_trace::{Replay, StateRecord, TraceError, rewrite};

/// Heap in bytes that a replay may take for any input: a world reserves room for all entities up to
/// the highest one.
const ALWAYS: usize = 128 << 20;
/// Most ticks that are replayed. A guess.
const TICKS: usize = 60;

/// Outcome of a replay.
#[derive(Debug, PartialEq)]
struct Replayed {
    /// Digests of the states after its ticks.
    digests: Vec<u64>,
    /// Whether all digests equal those in the trace.
    is_equal: bool,
    /// Error at the end of the replay, if any.
    error: Option<String>,
}

/// Returns whether the input is a trace of which a tick can be replayed.
pub(crate) fn run(bytes: &[u8]) -> bool {
    let allowed = ALWAYS + PER_BYTE * bytes.len();
    // Sketches are long and look random. The corpus leaves them out, which makes inputs shorter.
    let mut trace = with_states(bytes, |_, state| {
        state.sketch.resize(StateRecord::SKETCH_BYTES, 0);
    });
    if trace != bytes {
        let _ = replay(bytes, allowed);
    }
    let first = match replay(&trace, allowed) {
        Err(TraceError::Start(RestoreError::Damaged { found, .. })) => {
            trace = with_states(&trace, |tick, state| {
                if tick == 0 {
                    state.digest = found;
                }
            });
            let again = replay(&trace, allowed);
            again.expect("the digest is that of the contents")
        }
        Err(_) => return false,
        Ok(replayed) => replayed,
    };
    if !first.is_equal {
        trace = with_states(&trace, |tick, state| {
            let tick = usize::try_from(tick).expect("few ticks");
            let digest = tick.checked_sub(1).and_then(|nth| first.digests.get(nth));
            state.digest = *digest.unwrap_or(&state.digest);
        });
    }
    let second = replay(&trace, allowed).expect("it began before");
    assert!(second.is_equal, "{second:?} after {first:?}");
    assert_eq!(
        (&second.digests, &second.error),
        (&first.digests, &first.error)
    );
    !first.digests.is_empty()
}

/// Returns the same trace with right checksums and changed states.
fn with_states(trace: &[u8], change: impl FnMut(u64, &mut StateRecord)) -> Vec<u8> {
    rewrite(trace, change).expect("short records")
}

/// Adds the behaviours that the recorded games have.
fn behaviours(app: &mut App) {
    app.add_plugins(BehaviourPlugins::new(Update));
}

/// Replays a trace.
///
/// # Errors
///
/// The reason why it does not begin.
fn replay(trace: &[u8], allowed: usize) -> Result<Replayed, TraceError> {
    let (replay, peak) = peak_during(|| Replay::open_with(trace, behaviours));
    assert!(peak <= allowed, "{peak} bytes, not {allowed}");
    let mut replay = replay.inspect_err(|error| assert!(!error.to_string().is_empty()))?;
    let mut replayed = Replayed {
        digests: Vec::new(),
        is_equal: true,
        error: None,
    };
    while replayed.digests.len() < TICKS {
        let (tick, peak) = peak_during(|| replay.tick());
        assert!(peak <= allowed, "{peak} bytes, not {allowed}");
        let tick = match tick {
            Ok(Some(tick)) => tick,
            Ok(None) => break,
            Err(error) => {
                replayed.error = Some(error.to_string());
                let after = replay.tick();
                assert!(matches!(after, Ok(None)), "it is over, not {after:?}");
                break;
            }
        };
        let now = digest(replay.world_mut());
        replayed.digests.push(now);
        assert_eq!(tick.tick, replayed.digests.len() as u64);
        if let Some(difference) = tick.difference {
            replayed.is_equal = false;
            assert_eq!((difference.tick, difference.replayed), (tick.tick, now));
            assert_ne!(difference.recorded, now);
            assert!(!difference.to_string().is_empty());
        }
    }
    Ok(replayed)
}
