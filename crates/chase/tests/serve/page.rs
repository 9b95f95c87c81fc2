//! The page, the ground and the metrics.

use crate::{client::Client, server::Server};
use chase::clock::Stopwatch;
use nav_protocol::{Packet, Update};

#[test]
fn everything_that_the_page_asks_for_is_there() {
    let server = Server::of("hunt");
    let (head, body) = server.get("/");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let page = String::from_utf8(body).unwrap();
    assert!(
        !page.contains("http://") && !page.contains("https://"),
        "the page loads from elsewhere"
    );
    for part in ["page.css", "page.js"] {
        assert!(page.contains(part));
    }
    for part in ["/page.css", "/page.js", "/agents.js"] {
        let (head, body) = server.get(part);
        assert!(
            head.starts_with("HTTP/1.1 200") && !body.is_empty(),
            "{part}: {head}"
        );
    }
    let (_, ground) = server.get("/ground");
    assert_eq!(ground.len(), 60 * 36);
    assert!(ground.contains(&0) && ground.contains(&1));
    let (head, _) = server.get("/etc/passwd");
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
}

#[test]
fn metrics_count_ticks_and_clients() {
    let server = Server::of("hunt");
    let mut client = Client::of_all(server.addr);
    client.next_frame();
    client.next_frame();
    assert!(server.metric("chase_ticks_total") >= 1.0);
    assert!((server.metric("chase_clients") - 1.0).abs() < 0.1);
    assert!((server.metric("chase_agents") - 93.0).abs() < 0.1);
}

#[test]
fn everybody_is_seen_and_moves() {
    let server = Server::of("hunt");
    let mut client = Client::of_all(server.addr);
    client.next_frame();
    let before = client.agents.clone();
    assert_eq!(before.len(), 93);
    for _ in 0..20 {
        client.next_frame();
    }
    let moved = before
        .iter()
        .filter(|(number, place)| client.agents[number] != **place);
    assert!(moved.count() > 20);
}

#[test]
fn stopping_tells_the_clients_and_ends_in_order() {
    let server = Server::of("hunt");
    let mut client = Client::of_all(server.addr);
    client.next_frame();
    let stopping = std::thread::spawn(move || server.stop());
    assert_eq!(client.closed_with(), 1001);
    drop(client);
    stopping.join().unwrap().unwrap();
}

#[test]
fn who_connects_late_sees_everybody_within_a_second() {
    let server = Server::of("hunt");
    let mut before = Client::of_all(server.addr);
    for _ in 0..60 {
        before.next_frame();
    }
    let since = Stopwatch::start();
    let mut all = Client::of_all(server.addr);
    all.next_frame();
    assert_eq!(all.agents.len(), 93);
    let mut near = Client::connect(server.addr, "view=near");
    let packet = loop {
        let message = near.read().unwrap();
        let packet = message
            .to_text()
            .map(|text| Packet::from_json(text.as_bytes()));
        if let Ok(Ok(packet)) = packet
            && matches!(packet.updates.first(), Some(Update::Start(_)))
        {
            break packet;
        }
    };
    let appear = packet
        .updates
        .iter()
        .filter(|update| matches!(update, Update::Appear(_)));
    assert!(appear.count() > 10);
    assert!(since.elapsed().as_secs() < 1, "{:?}", since.elapsed());
}
