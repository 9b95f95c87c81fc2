//! Connections that use up room, and control of the server.

use crate::{client::Client, server::Server};
use nav_judge::by_tier;
use nav_server::Control;
use nav_sim::clock::Stopwatch;
use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tungstenite::http::StatusCode;

/// Raises the limit of descriptors. The soft limit of many systems is 1,024, for the test and its
/// server together.
pub fn allow_descriptors() {
    rlimit::increase_nofile_limit(u64::MAX).unwrap();
}

/// Returns the time that a page and the metrics take.
fn time_of_answers(server: &Server) -> Duration {
    let begun = Stopwatch::start();
    let (head, _) = server.get("/");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    server.metric("chase_ticks_total");
    begun.elapsed()
}

#[test]
fn silent_sockets_shut_nobody_out() {
    allow_descriptors();
    let server = Server::of("hunt");
    let mut well = Client::of_all(server.addr);
    let silent = |nth: u32| {
        let mut stream = TcpStream::connect(server.addr).unwrap();
        if nth.is_multiple_of(2) {
            stream.write_all(b"GET / HTTP/1.1\r\nHost: local").unwrap();
        }
        stream
    };
    let _silent: Vec<TcpStream> = (0..1100).map(silent).collect();
    assert!(time_of_answers(&server) < Duration::from_secs(1));
    for _ in 0..5 {
        well.next_frame();
    }
    let begun = Stopwatch::start();
    server.stop().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5));
}

/// Silent sockets, clients that only watch, and clients that ask for the whole view twice a second:
/// 1,100, 1,000 and 1,000 in the soak tier, otherwise a twentieth of them.
#[test]
fn crowded() {
    allow_descriptors();
    let (clients, seconds) = (by_tier(50, 1_000), by_tier(3_u64, 20));
    let server = Server::with("hunt", 2 * clients + 1);
    let silent = clients + clients / 10;
    let _silent: Vec<TcpStream> = (0..silent)
        .map(|_| TcpStream::connect(server.addr).unwrap())
        .collect();
    let join = |_| {
        let mut client = Client::connect(server.addr, "view=near&format=json");
        client.receive("hello");
        client.socket.get_mut().set_nonblocking(true).unwrap();
        client
    };
    let mut idle: Vec<Client> = (0..clients).map(join).collect();
    let mut asking: Vec<Client> = (0..clients).map(join).collect();
    let is_over = Arc::new(AtomicBool::new(false));
    let over = Arc::clone(&is_over);
    let clients = std::thread::spawn(move || {
        let resync = r#"{"request":{"version":2,"ask":"resync"}}"#;
        let half = Duration::from_millis(500);
        let mut asked = Stopwatch::start();
        while !over.load(Ordering::Relaxed) {
            for client in idle.iter_mut().chain(&mut asking) {
                while client.socket.read().is_ok() {}
            }
            if asked.elapsed() >= half {
                asked = Stopwatch::start();
                for client in &mut asking {
                    // Waits in its buffer if the server is late.
                    let _ = client.socket.send(resync.into());
                }
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    std::thread::sleep(Duration::from_secs(1));
    let ticks = server.metric("chase_ticks_total");
    let begun = Stopwatch::start();
    let mut longest = Duration::ZERO;
    while begun.elapsed() < Duration::from_secs(seconds) {
        longest = longest.max(time_of_answers(&server));
        std::thread::sleep(Duration::from_millis(200));
    }
    let ticks = (server.metric("chase_ticks_total") - ticks) / begun.elapsed().as_secs_f64();
    println!("{ticks:.2} ticks a second, answers within {longest:.0?}");
    assert!(ticks >= 19.5 && longest < Duration::from_secs(1));
    let begun = Stopwatch::start();
    server.stop().unwrap();
    println!("stopped in {:.1?}", begun.elapsed());
    assert!(begun.elapsed() < Duration::from_secs(5));
    is_over.store(true, Ordering::Relaxed);
    clients.join().unwrap();
}

#[test]
fn unfinished_heads_are_closed() {
    let server = Server::of("hunt");
    let mut stream = TcpStream::connect(server.addr).unwrap();
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        .unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(15)))
        .unwrap();
    let begun = Stopwatch::start();
    let mut answer = Vec::new();
    // Closed with or without an answer.
    let _ = stream.read_to_end(&mut answer);
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn stop_cuts_unread_clients() {
    // The map takes more bytes than the buffers of the sockets hold.
    let server = Server::of("crowd-100k");
    let mut stream = TcpStream::connect(server.addr).unwrap();
    stream
        .write_all(
            b"GET /ground HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                .repeat(40)
                .as_slice(),
        )
        .unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let begun = Stopwatch::start();
    server.stop().unwrap();
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn names_of_others_are_refused() {
    let server = Server::with_settings("hunt", |settings| {
        settings.hosts.push("game.example".to_owned());
    });
    let ask = |host: &str| {
        let mut stream = TcpStream::connect(server.addr).unwrap();
        let request = format!("GET /ground HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer[9..12]).into_owned()
    };
    // A page whose name was just changed to lead to this address.
    assert_eq!(ask("evil.example:8080"), "421");
    assert_eq!(ask("game.example"), "200");
    assert_eq!(ask("localhost:1"), "200");
    let evil = Client::try_connect_as(
        server.addr,
        "evil.example:8080",
        "view=all",
        Some("http://evil.example:8080"),
    );
    assert_eq!(evil.err(), Some(StatusCode::MISDIRECTED_REQUEST));
}

#[test]
fn control_needs_the_token() {
    let token = "a-token-of-the-test";
    let server = Server::with_settings("hunt", |settings| {
        settings.control = Some(Control::Token(token.to_owned()));
    });
    let mut guest = Client::of_all(server.addr);
    guest.say(r#"{"pause":true}"#);
    let refused = guest.receive("refused");
    assert_eq!(refused, "only clients with the control token may do that");
    assert!(server.metric("chase_paused") < 1.0);
    let mut owner = Client::in_control(server.addr, "view=all", token);
    owner.say(r#"{"pause":true}"#);
    while server.metric("chase_paused") < 1.0 {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A client that gives its player back and takes it again walks no faster.
#[test]
fn pace_across_seats() {
    let server = Server::of("hunt");
    let mut client = Client::of_all(server.addr);
    client.say(r#"{"take":{}}"#);
    let player = client.receive("player").as_u64().unwrap() as u32;
    client.next_frame();
    let start = client.agents[&player];
    let begun = client.tick;
    let (mut before, mut steps) = (start, 0);
    // As many messages as are allowed in a second.
    while client.tick < begun + 80 {
        for says in [r#"{"release":{}}"#, r#"{"take":{}}"#] {
            client.say(says);
        }
        client.say(&format!(
            r#"{{"walk":{{"x":{},"y":{}}}}}"#,
            start.0 + 5,
            start.1
        ));
        for _ in 0..4 {
            client.next_frame();
            let now = client.agents[&player];
            steps += u32::from(now != before);
            before = now;
        }
    }
    // A player of the hunt takes a step in 0.3 s: 13 in 4 s, and one at the beginning.
    assert!(steps <= 15, "{steps} steps");
}
