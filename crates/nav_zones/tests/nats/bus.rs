//! Messages between zones through a broker: large ones, damaged ones, and missing ones.

use crate::{World, keeper::until};
use nav_zones::{Bus, ZoneId, nats::NatsBus};
use std::{
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    time::Duration,
};

const WAIT: Duration = Duration::from_secs(10);
const A: ZoneId = ZoneId(0);
const B: ZoneId = ZoneId(1);

impl World {
    fn buses(&self) -> [NatsBus; 2] {
        [A, B].map(|zone| NatsBus::new(&self.connect(), zone).expect("the broker runs"))
    }

    /// Publishes to zone B like a foreign program, each message with a part's header if it has one.
    fn publish(&self, messages: &[(Option<&str>, &[u8])]) {
        let address = self.broker.url().replace("nats://", "");
        let mut stream = TcpStream::connect(address).expect("the broker runs");
        let mut bytes = b"CONNECT {\"headers\":true,\"verbose\":false}\r\n".to_vec();
        for (part, payload) in messages {
            match part {
                Some(part) => {
                    let headers = format!("NATS/1.0\r\nNav-Part: {part}\r\n\r\n");
                    let sizes = (headers.len(), headers.len() + payload.len());
                    let line = format!("HPUB world.bus.1 {} {}\r\n{headers}", sizes.0, sizes.1);
                    bytes.extend(line.as_bytes());
                }
                None => bytes.extend(format!("PUB world.bus.1 {}\r\n", payload.len()).as_bytes()),
            }
            bytes.extend(*payload);
            bytes.extend(b"\r\n");
        }
        bytes.extend(b"PING\r\n");
        stream.write_all(&bytes).expect("the broker runs");
        let mut lines = BufReader::new(stream).lines();
        assert!(lines.any(|line| line.expect("the broker runs") == "PONG"));
    }
}

fn message(number: u8, bytes: usize) -> Vec<u8> {
    (0..bytes)
        .map(|at| number.wrapping_add((at % 251) as u8))
        .collect()
}

#[test]
fn messages_of_all_sizes() {
    let Some(world) = World::start() else { return };
    let [mut a, mut b] = world.buses();
    // The broker's limit is a mebibyte with headers.
    let sizes = [
        0,
        1,
        4096,
        (1 << 20) - 1024,
        (1 << 20) - 1023,
        1 << 20,
        20 << 20,
        10,
    ];
    for (size, number) in sizes.into_iter().zip(0..) {
        a.send(B, message(number, size)).expect("it runs");
    }
    for (size, number) in sizes.into_iter().zip(0..) {
        let received = b.receive(WAIT).expect("it runs").expect("it was sent");
        assert!(received == message(number, size), "{size} bytes");
    }
    assert_eq!(b.receive(Duration::ZERO), Ok(None));
    assert_eq!(b.damaged(), 0);
}

#[test]
fn sent_to_one_zone() {
    let Some(world) = World::start() else { return };
    let [mut a, mut b] = world.buses();
    a.send(B, b"to b".to_vec()).expect("it runs");
    b.send(A, b"to a".to_vec()).expect("it runs");
    assert_eq!(a.receive(WAIT), Ok(Some(b"to a".to_vec())));
    assert_eq!(b.receive(WAIT), Ok(Some(b"to b".to_vec())));
    assert_eq!(a.receive(Duration::from_millis(20)), Ok(None));
}

#[test]
fn last_message() {
    let Some(world) = World::start() else { return };
    for number in 0..20 {
        let [mut a, mut b] = world.buses();
        a.send(B, message(number, 4096)).expect("it runs");
        drop(a);
        assert_eq!(b.receive(WAIT), Ok(Some(message(number, 4096))));
    }
}

#[test]
fn damaged_messages() {
    let Some(world) = World::start() else { return };
    let [mut a, mut b] = world.buses();
    world.publish(&[
        (Some("no part"), b"x"),
        (Some("evil.1.0.4294967295"), b"begins what never ends"),
        (Some("evil.2.7.9"), b"from the middle"),
        (Some("good.1.0.2"), b"whole "),
        (Some("evil.3.0.2"), b"without its second part"),
        (Some("good.1.1.2"), b"message"),
        (Some("evil.4.0.2"), b"x"),
        (None, b"plain"),
    ]);
    a.send(B, message(1, 3 << 20)).expect("it runs");
    assert_eq!(b.receive(WAIT), Ok(Some(b"whole message".to_vec())));
    assert_eq!(b.receive(WAIT), Ok(Some(b"plain".to_vec())));
    assert_eq!(b.receive(WAIT), Ok(Some(message(1, 3 << 20))));
    // Dropped: the message that is no part, one begun without an end, the middle, and one begun
    // before the last. The last one may still be completed.
    assert_eq!(b.damaged(), 4);
}

#[test]
fn too_large_message() {
    let Some(world) = World::start() else { return };
    let [mut a, mut b] = world.buses();
    let error = a
        .send(B, vec![0; (256 << 20) + 1])
        .expect_err("it is too large");
    assert!(
        error.to_string().contains("268435457 bytes are too many"),
        "{error}"
    );
    a.send(B, b"next".to_vec()).expect("it runs");
    assert_eq!(b.receive(WAIT), Ok(Some(b"next".to_vec())));
}

#[test]
fn sending_does_not_wait() {
    let Some(mut world) = World::start() else {
        return;
    };
    let [mut a, mut b] = world.buses();
    world.broker.kill();
    let sent = crate::figures::timed(|| {
        for number in 0..200_u8 {
            // Not sent, since zones repeat what is still true.
            let _ = a.send(B, vec![number; 4096]);
        }
    });
    assert!(sent < Duration::from_secs(1), "{sent:?}");
    world.broker.restart().expect("it ran before");
    // Both are back once one of their own messages goes through.
    until("the bus goes on", || {
        let _ = a.send(B, b"again".to_vec());
        let received = b.receive(Duration::from_millis(50)).expect("it comes back");
        received.filter(|message| message == b"again")
    });
}

#[test]
fn waiting_is_bounded() {
    let Some(world) = World::start() else {
        return;
    };
    let [mut a, _] = world.buses();
    world.signal("STOP");
    // What the connection holds, until it notices.
    let sent = (0..10_000).take_while(|_| a.send(B, vec![0; 1000]).is_ok());
    let sent = sent.count();
    world.signal("CONT");
    assert!(sent < 10_000, "{sent}");
}
