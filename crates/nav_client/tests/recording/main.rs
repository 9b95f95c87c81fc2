//! A recorded stream with the places that a client shows, for clients in other languages.
//!
//! `clients/fixtures/follow.jsonl` has a JSON object on each line: the frames at first, then
//! packets by their arrival, shown agents by frame, and the frames in which the client asks for
//! lost packets. The clients of `clients/unity` and `clients/godot` play it and compare.
//!
//! After an intended change, write it again and say in the commit which rule changed:
//! `NAV_MINT=1 cargo test -p nav_client --test recording`.

mod scene;

use nav_client::{Client, Settings};
use nav_protocol::Packet;
use scene::{FIRST, LAST, TICK_MILLIS};
use std::{fmt::Write as _, fs, time::Duration};

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../clients/fixtures/follow.jsonl"
);

/// A frame of 60 Hz in whole milliseconds.
const FRAME_MILLIS: u64 = 16;

/// Frames from one recorded frame to the next: a twelfth of a second shows each turn, in a file of
/// a hundred kilobytes.
const SHOWN_EVERY: u64 = 5;

/// The allowed error of the places of another client, in units. Engines keep places in 32 bits.
const TOLERANCE: f64 = 0.001;

/// Plays packets. Returns the shown agents as lines, and the frames with a request.
fn play(packets: &[(u64, Packet)]) -> (String, Vec<u64>) {
    let mut client = Client::new(Settings::default());
    let (mut shown, mut asks) = (String::new(), Vec::new());
    let mut coming = packets.iter().peekable();
    for frame in 0..frames() {
        let now = Duration::from_millis(frame * FRAME_MILLIS);
        while let Some((_, packet)) =
            coming.next_if(|(arrival, _)| *arrival <= frame * FRAME_MILLIS)
        {
            client.receive(packet, now);
        }
        client.advance(now);
        if client.request(now).is_some() {
            asks.push(frame);
        }
        if frame % SHOWN_EVERY == 0 {
            let agents: Vec<String> = client
                .agents()
                .map(|agent| {
                    let [x, y, z] = agent.position();
                    let [east, up, north] = agent.facing();
                    let state = format!("{:?}", agent.state()).to_lowercase();
                    format!(
                        r#"{{"id":{},"at":[{x:.5},{y:.5},{z:.5}],"facing":[{east:.3},{up:.3},{north:.3}],"state":"{state}"}}"#,
                        agent.id(),
                    )
                })
                .collect();
            let _ = writeln!(
                shown,
                r#"{{"frame":{frame},"agents":[{}]}}"#,
                agents.join(",")
            );
        }
    }
    (shown, asks)
}

fn frames() -> u64 {
    u64::from(LAST - FIRST) * TICK_MILLIS / FRAME_MILLIS
}

fn recording() -> String {
    // The server answers the first request that reaches it, 40 ms after the client sends it.
    let (_, asks) = play(&scene::packets(u64::MAX));
    let packets = scene::packets(asks[0] * FRAME_MILLIS + 40);
    let (shown, asks) = play(&packets);
    assert_eq!(asks.len(), 1, "one loss, one answer");
    let mut lines = format!(
        "{{\"frame_millis\":{FRAME_MILLIS},\"frames\":{},\"tolerance\":{TOLERANCE}}}\n",
        frames()
    );
    for (arrival, packet) in packets {
        let json = packet.to_json().unwrap();
        let _ = writeln!(lines, r#"{{"millis":{arrival},"packet":{json}}}"#);
    }
    let _ = writeln!(lines, r#"{{"asks":{asks:?}}}"#);
    lines + &shown
}

#[test]
fn file_is_current() {
    let recording = recording();
    if std::env::var_os("NAV_MINT").is_some() {
        fs::write(FILE, &recording).unwrap();
    }
    let file = fs::read_to_string(FILE).unwrap().replace("\r\n", "\n");
    let line = file
        .lines()
        .zip(recording.lines())
        .position(|(a, b)| a != b);
    assert!(
        file == recording,
        "line {line:?} of {FILE} differs; see the head of this test"
    );
}

/// The recording is worth playing only while it shows what clients do in each case.
#[test]
fn shows_every_state() {
    let recording = recording();
    for state in ["standing", "walking", "steering", "onlink"] {
        assert!(
            recording.contains(&format!(r#""state":"{state}""#)),
            "{state}"
        );
    }
    for update in ["start", "appear", "path", "correct", "place", "vanish"] {
        assert!(recording.contains(&format!(r#"{{"{update}":"#)), "{update}");
    }
}
