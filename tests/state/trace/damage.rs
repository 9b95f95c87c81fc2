//! Refused traces: cut, damaged, of another version, or no traces at all.

use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time};
use nav_drawn::tape::{Recorded, recorded, with_behaviours};
use nav_drawn::{Draw, Rooms};
use nav_tests::by_tier;
use nav_trace::{Replay, TraceError, rewrite};

const TICKS: u64 = 30;

/// Records a short session with ten chasers.
fn short() -> Recorded {
    recorded(Rooms::default(), 10, TICKS as usize, 3)
}

fn trace() -> Vec<u8> {
    short().trace
}

/// Reads all of a trace.
fn read(trace: &[u8]) -> Result<u64, TraceError> {
    let mut replay = Replay::open_with(trace, with_behaviours)?;
    while let Some(replayed) = replay.tick()? {
        assert_eq!(replayed.difference, None, "it is refused, or right");
    }
    Ok(replay.ticks())
}

#[test]
fn cut_off_trace_names_tick() {
    let trace = trace();
    assert_eq!(read(&trace).unwrap(), TICKS);
    let mut latest = 0;
    let mut draw = Draw::new(1);
    let mut cuts: Vec<usize> = (0..by_tier(40, 150))
        .map(|_| draw.below(trace.len()))
        .collect();
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
fn damaged_trace_names_tick() {
    let trace = trace();
    let mut draw = Draw::new(2);
    let mut at: Vec<usize> = (0..by_tier(40, 150))
        .map(|_| draw.below(trace.len()))
        .collect();
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
fn missing_block() {
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
    let mut replay = Replay::open_with(rest, with_behaviours).unwrap();
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
fn other_bytes() {
    for other in [
        "",
        "NAVTRAC",
        "(map: None)",
        "a long text that is no trace at all",
    ] {
        assert!(matches!(read(other.as_bytes()), Err(TraceError::NotATrace)));
    }
}

/// Replaces bytes in a trace by others wherever they occur, and corrects its checksums.
fn replace(trace: &[u8], bytes: &[u8], by: &[u8]) -> Vec<u8> {
    assert_eq!(bytes.len(), by.len(), "blocks stay as long as they are");
    let mut changed = trace.to_vec();
    let mut times = 0;
    for at in 0..=trace.len() - bytes.len() {
        if trace[at..].starts_with(bytes) {
            changed[at..][..by.len()].copy_from_slice(by);
            times += 1;
        }
    }
    assert!(times > 0, "it is nowhere");
    rewrite(&changed, |_, _| {}).unwrap()
}

#[test]
fn huge_entity_index() {
    let Recorded { session, trace, .. } = short();
    let (first, late) = (session.stage.targets[0], session.stage.npcs[0]);
    let bytes = |entity: Entity| postcard::to_allocvec(&entity).unwrap();
    for entity in [first, late] {
        let far = Entity::from_raw_u32(3_000_000_000).unwrap();
        let trace = replace(&trace, &bytes(entity), &bytes(far));
        let mut replay = Replay::open_with(&trace[..], with_behaviours).unwrap();
        while let Some(replayed) = replay.tick().unwrap() {
            assert_eq!(replayed.difference, None);
        }
        assert!(replay.world_mut().entities().len() < 1 << 22);
    }
}

/// Encodes a number as postcard does.
fn number(number: u64) -> Vec<u8> {
    postcard::to_allocvec(&number).unwrap()
}

#[test]
fn last_number_out_of_range() {
    let Recorded {
        session, mut trace, ..
    } = short();
    let delta = session.stage.world.app.world().resource::<Time<Fixed>>();
    let delta = number(delta.timestep().as_nanos() as u64);
    // The first record ends with the last number, that of a map, six targets and ten chasers, no
    // inputs from after behaviours, and the time.
    let last = [number(17), number(0), delta.clone()].concat();
    let at = (0..trace.len()).find(|&at| trace[at..].starts_with(&last));
    let beyond = [number(u32::MAX.into()), number(0), delta].concat();
    let more = (beyond.len() - last.len()) as u32;
    trace.splice(at.unwrap()..at.unwrap() + last.len(), beyond);
    // The blocks: a kind, a length, a checksum of both, the contents, and their checksum.
    let length = |block: usize| u32::from_le_bytes(trace[block + 1..block + 5].try_into().unwrap());
    let start = 10;
    let record = start + 9 + length(start) as usize + 8;
    let longer = length(record) + more;
    trace[record + 1..record + 5].copy_from_slice(&longer.to_le_bytes());
    let refused = read(&rewrite(&trace, |_, _| {}).unwrap());
    assert!(
        matches!(refused, Err(TraceError::Damaged { tick: 1 })),
        "{refused:?}"
    );
}
