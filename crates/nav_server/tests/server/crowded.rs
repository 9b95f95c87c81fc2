//! Many connections, large requests and many wishes: what nobody may do costs little, and shuts out
//! nobody.

use crate::{client::Client, door::allow_descriptors, server::Server};
use nav_judge::by_tier;
use nav_server::Control;
use nav_sim::clock::Stopwatch;
use std::{
    fs,
    io::ErrorKind,
    net::{IpAddr, UdpSocket},
    time::Duration,
};

/// An address of this machine that is not loopback. Nothing is sent to find it.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_loopback() && !address.is_unspecified()).then_some(address)
}

/// A Prometheus that asks each few seconds was shut out after 64 connections.
#[test]
fn scrapes_from_elsewhere() {
    let Some(address) = own_address() else {
        return println!("skipped: this machine has no address but loopback");
    };
    let server = Server::with_settings("hunt", |settings| {
        settings.addr = (address, 0).into();
    });
    for number in 0..by_tier(500, 24_000) {
        let (head, _) = server.get("/metrics");
        assert!(
            head.starts_with("HTTP/1.1 200"),
            "connection {number}: {head}"
        );
    }
}

#[test]
fn guesses_of_the_token() {
    let server = Server::with_settings("hunt", |settings| {
        settings.control = Some(Control::Token("a-token-of-the-test".to_owned()));
    });
    let guess = |number: usize| {
        let head = format!("Authorization: Bearer wrong-token-{number}\r\n");
        server.post_with("/scenario/stairs", &head, b"").0
    };
    assert!((0..10).all(|number| guess(number) == 403));
    let stopwatch = Stopwatch::start();
    assert_eq!(guess(10), 403);
    assert!(stopwatch.elapsed() >= Duration::from_secs(1));
    assert_eq!(server.metric("chase_wrong_tokens_total") as u64, 11);
}

/// Reads all that has come.
fn drain(client: &mut Client) {
    loop {
        match client.socket.read() {
            Ok(_) => {}
            Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => return,
            Err(error) => panic!("{error}"),
        }
    }
}

/// Clients that walk as often as they may share the work of a tick.
#[test]
fn walks_in_a_maze() {
    allow_descriptors();
    let clients = 400;
    let file = tempfile::Builder::new().suffix(".ron").tempfile().unwrap();
    let scenario = "(
        map: Generated(kind: \"maze\", width: 511, height: 511, seed: 5),
        chasers: 10,
        targets: 400,
        seconds: 60.0,
    )";
    fs::write(file.path(), scenario).unwrap();
    let server = Server::with(file.path().to_str().unwrap(), clients);
    let mut walkers: Vec<(Client, (u16, u16))> = Vec::new();
    for _ in 0..clients {
        let mut walker = Client::of_all(server.addr);
        walker.say(r#"{"take":{}}"#);
        let player = walker.receive("player").as_u64().unwrap() as u32;
        while walker.agents.is_empty() {
            walker.next_frame();
        }
        let (x, y, _) = walker.agents[&player];
        walker.socket.get_mut().set_nonblocking(true).unwrap();
        walkers.push((walker, (x, y)));
    }
    let seconds = by_tier(4, 30);
    let before = server.metric("chase_ticks_total");
    let stopwatch = Stopwatch::start();
    let mut turn = 0;
    while stopwatch.elapsed() < Duration::from_secs(seconds) {
        for (walker, (x, y)) in &mut walkers {
            drain(walker);
            // Rooms of a maze have odd columns and rows.
            let far = |at: u16| (at.saturating_sub(100) + turn % 100) | 1;
            walker.say(&format!(
                r#"{{"walk":{{"x":{},"y":{}}}}}"#,
                far(*x),
                far(*y)
            ));
        }
        turn += 2;
        std::thread::sleep(Duration::from_millis(55));
    }
    let ticks = server.metric("chase_ticks_total") - before;
    let rate = ticks / stopwatch.elapsed().as_secs_f64();
    assert!(rate >= 19.0, "{rate} ticks a second");
}
