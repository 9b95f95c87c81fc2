//! Clients that are slow, broken or hostile.

use crate::{client::Client, server::Server};
use tungstenite::{Message, http::StatusCode};

#[test]
fn a_broken_message_ends_that_connection_only() {
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
fn a_message_that_is_too_large_is_not_read() {
    let server = Server::of("hunt");
    let mut client = Client::of_all(server.addr);
    // The connection may be gone before all of it is sent.
    let _ = client.socket.send(Message::text("x".repeat(100_000)));
    while client.read().is_some() {}
    Client::of_all(server.addr).next_frame();
}

#[test]
fn a_flood_of_messages_is_ended() {
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
fn pages_of_others_cannot_steer_a_player() {
    let server = Server::of("hunt");
    let connect = |origin: &str| Client::try_connect(server.addr, "view=all", Some(origin)).err();
    assert_eq!(connect("http://evil.example"), Some(StatusCode::FORBIDDEN));
    assert_eq!(connect("null"), Some(StatusCode::FORBIDDEN));
    assert_eq!(connect(&format!("http://{}", server.addr)), None);
}

#[test]
fn more_clients_than_allowed_are_turned_away_until_one_leaves() {
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
fn one_who_never_reads_changes_nothing_for_the_others() {
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
    // Whoever reads again sees everything.
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
