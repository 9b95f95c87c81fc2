//! Clients that are slow, broken or hostile.

use crate::{client::Client, server::Server};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use std::io::Write;
use tungstenite::{Message, http::StatusCode};

#[test]
fn broken_message_ends_its_connection() {
    let server = Server::of("hunt");
    let mut well = Client::of_all(server.addr);
    for (message, code) in [
        (Message::text("nonsense"), 1007),
        (Message::text(r#"{"walk":{"x":1}}"#), 1007),
        (Message::text("{\"take\":".repeat(200)), 1007),
        (Message::binary(vec![0; 100]), 1007),
    ] {
        let mut client = Client::of_all(server.addr);
        client.socket.send(message.clone()).unwrap();
        assert_eq!(client.closed_with(), code, "{message:?}");
    }
    for _ in 0..5 {
        well.next_frame();
    }
}

#[test]
fn too_large_message() {
    let server = Server::of("hunt");
    let mut client = Client::of_all(server.addr);
    // The connection may be gone before all of it is sent.
    let _ = client.socket.send(Message::text("x".repeat(100_000)));
    while client.read().is_some() {}
    Client::of_all(server.addr).next_frame();
}

#[test]
fn flood_of_messages() {
    let server = Server::of("hunt");
    let mut client = Client::of_all(server.addr);
    for _ in 0..200 {
        if client
            .socket
            .send(Message::text(r#"{"look":{"x":1,"y":1}}"#))
            .is_err()
        {
            break;
        }
    }
    assert_eq!(client.closed_with(), 1008);
    Client::of_all(server.addr).next_frame();
}

#[test]
fn foreign_pages_are_refused() {
    let server = Server::of("hunt");
    let connect = |origin: &str| Client::try_connect(server.addr, "view=all", Some(origin)).err();
    assert_eq!(connect("http://evil.example"), Some(StatusCode::FORBIDDEN));
    assert_eq!(connect("null"), Some(StatusCode::FORBIDDEN));
    assert_eq!(connect(&format!("http://{}", server.addr)), None);
}

#[test]
fn too_many_clients() {
    let server = Server::with("hunt", 2);
    let (_one, other) = (Client::of_all(server.addr), Client::of_all(server.addr));
    let third = || Client::try_connect(server.addr, "view=all", None);
    assert_eq!(third().err(), Some(StatusCode::SERVICE_UNAVAILABLE));
    drop(other);
    while third().is_err() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

#[test]
fn client_that_never_reads() {
    let server = Server::of("crowd-10k");
    let mut well = Client::of_all(server.addr);
    let mut slow = Client::of_all(server.addr);
    slow.say(r#"{"speed":10}"#);
    let mut ticks = 0;
    // More than its queue and the buffers of the socket hold.
    while server.metric("chase_frames_missed_total") < 1.0 {
        let before = well.tick;
        well.next_frame();
        assert!(well.tick - before <= 1 || before == 0, "a frame was lost");
        ticks += 1;
        assert!(ticks < 4000, "nothing was ever missed");
    }
    // A client that reads again sees all agents.
    while slow.tick < well.tick {
        slow.next_frame();
    }
    while well.tick < slow.tick {
        well.next_frame();
    }
    if slow.tick == well.tick {
        assert_eq!(slow.agents, well.agents);
    }
}

/// Frames sent in all.
const FRAMES: usize = 100_000;

/// Frames of one connection: more than the limit for a client.
const FRAMES_EACH: usize = 100;

/// Encodes a frame of the WebSocket protocol, masked like those of clients; see RFC 6455, section
/// 5.2.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match payload.len() {
        len @ 0..=125 => bytes.push(0x80 | len as u8),
        len => {
            bytes.push(0xfe);
            bytes.extend((len as u16).to_be_bytes());
        }
    }
    let mask = [1, 2, 3, 4];
    bytes.extend(mask);
    bytes.extend(
        payload
            .iter()
            .zip(mask.iter().cycle())
            .map(|(byte, mask)| byte ^ mask),
    );
    bytes
}

/// Draws a valid frame, a frame with changed bytes, or noise.
fn drawn(random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    const SAYS: [&str; 9] = [
        r#"{"take":{}}"#,
        r#"{"release":{}}"#,
        r#"{"walk":{"x":3,"y":4,"floor":0}}"#,
        r#"{"look":{"x":65535,"y":65535,"floor":255}}"#,
        r#"{"ask":{"id":18446744073709551615}}"#,
        r#"{"request":{"version":2,"ask":"resync"}}"#,
        r#"{"request":{"version":2,"ask":{"again":[1,2,4294967295]}}}"#,
        r#"{"request":{"version":9,"ask":"resync"}}"#,
        r#"{"speed":1.0}"#,
    ];
    let says = SAYS[random.random_range(0..SAYS.len() as u32) as usize];
    let mut payload = says.as_bytes().to_vec();
    match random.random_range(0..5u32) {
        0 => frame(0x81, &payload),
        1 => {
            let at = random.random_range(0..payload.len() as u32) as usize;
            payload[at] ^= 1 << random.random_range(0..8u32);
            frame(0x81, &payload)
        }
        2 => {
            payload.truncate(random.random_range(0..payload.len() as u32) as usize);
            frame(random.random_range(0..=255u32) as u8, &payload)
        }
        3 => {
            let mut bytes = frame(0x81, &payload);
            let at = random.random_range(0..bytes.len() as u32) as usize;
            bytes[at] = random.random_range(0..=255u32) as u8;
            bytes
        }
        _ => (0..random.random_range(1..40u32))
            .map(|_| random.random_range(0..=255u32) as u8)
            .collect(),
    }
}

#[test]
fn damaged_frames() {
    let server = Server::with("hunt", 5000);
    let mut well = Client::of_all(server.addr);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(20);
    let mut sent = 0;
    while sent < FRAMES {
        let query = ["view=all", "view=near", "view=near&format=postcard"][sent / FRAMES_EACH % 3];
        let mut client = Client::connect(server.addr, query);
        let frames: Vec<u8> = (0..FRAMES_EACH).flat_map(|_| drawn(&mut random)).collect();
        // The server may have closed it in the middle.
        let _ = client.socket.get_mut().write_all(&frames);
        sent += FRAMES_EACH;
        if sent % (FRAMES / 20) == 0 {
            let before = well.tick;
            well.next_frame();
            assert!(before == 0 || well.tick > before);
        }
    }
    // It still ticks in time, and takes clients.
    let ticks = server.metric("chase_ticks_total");
    let mut late = Client::of_all(server.addr);
    late.next_frame();
    assert_eq!(late.agents.len(), 93);
    for _ in 0..20 {
        well.next_frame();
    }
    assert!(server.metric("chase_ticks_total") > ticks);
    while server.metric("chase_clients") > 2.5 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
