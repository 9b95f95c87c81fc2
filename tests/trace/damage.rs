//! Traces that are cut, damaged, of another version or no traces are refused by name.

use super::{
    game::{Game, Kind},
    tape::Tape,
};
use nav::trace::{Replay, TraceError};
use nav_tests::drawn::Draw;

const TICKS: u64 = 30;

fn trace() -> Vec<u8> {
    let mut game = Game::new(Kind::default(), 3);
    let tape = Tape::start(&mut game.app);
    game.begin(10);
    game.run(TICKS as usize);
    tape.finish(&mut game.app).0
}

/// Reads all of a trace.
fn read(trace: &[u8]) -> Result<u64, TraceError> {
    let mut replay = Replay::open(trace)?;
    while let Some(replayed) = replay.tick()? {
        assert_eq!(replayed.difference, None, "it is refused, or right");
    }
    Ok(replay.ticks())
}

#[test]
fn one_that_is_cut_off_says_after_which_tick() {
    let trace = trace();
    assert_eq!(read(&trace).unwrap(), TICKS);
    let mut latest = 0;
    let mut draw = Draw::new(1);
    let mut cuts: Vec<usize> = (0..150).map(|_| draw.below(trace.len())).collect();
    cuts.extend(0..30);
    cuts.extend(trace.len() - 40..trace.len());
    cuts.sort_unstable();
    for cut in cuts {
        match read(&trace[..cut]) {
            Err(TraceError::NotATrace) => assert!(cut < 8),
            Err(TraceError::CutOff { after }) => {
                assert!(cut >= 8 && after >= latest && after <= TICKS, "cut {cut}");
                latest = after;
            }
            other => panic!("cut {cut}: {other:?}"),
        }
    }
    assert_eq!(latest, TICKS, "without its end");
}

#[test]
fn one_that_is_damaged_says_at_which_tick() {
    let trace = trace();
    let mut draw = Draw::new(2);
    let mut at: Vec<usize> = (0..150).map(|_| draw.below(trace.len())).collect();
    at.extend(0..40);
    at.extend(trace.len() - 40..trace.len());
    at.sort_unstable();
    let mut latest = 0;
    for at in at {
        let mut damaged = trace.clone();
        damaged[at] ^= 1 << draw.below(8);
        match read(&damaged) {
            Err(TraceError::NotATrace) => assert!(at < 8),
            Err(TraceError::Version { found, known }) => {
                assert!((8..10).contains(&at) && found != known);
            }
            Err(TraceError::Damaged { tick }) => {
                assert!(at >= 10 && tick >= latest && tick <= TICKS + 1, "byte {at}");
                latest = tick;
            }
            other => panic!("byte {at}: {other:?}"),
        }
    }
    assert_eq!(latest, TICKS + 1, "its end");
}

#[test]
fn a_block_that_is_missing_is_damage() {
    let trace = trace();
    // The last block: kind, length and a checksum of both, a byte, and its checksum.
    let end = 9 + 1 + 8;
    let (rest, last) = trace.split_at(trace.len() - end);
    let doubled = [rest, last, last].concat();
    assert_eq!(
        read(&doubled).unwrap(),
        TICKS,
        "what comes after the end is not read"
    );
    let mut replay = Replay::open(rest).unwrap();
    let ends = loop {
        match replay.tick() {
            Ok(Some(_)) => {}
            other => break other,
        }
    };
    assert!(matches!(ends, Err(TraceError::CutOff { after: TICKS })));
    assert!(replay.tick().unwrap().is_none(), "it is over");
}

#[test]
fn anything_else_is_no_trace() {
    for other in [
        "",
        "NAVTRAC",
        "(map: None)",
        "a long text that is no trace at all",
    ] {
        assert!(matches!(read(other.as_bytes()), Err(TraceError::NotATrace)));
    }
}
