//! The page, the ground and the metrics.

use crate::{
    client::{Client, TARGET},
    server::Server,
};
use nav_protocol::{Packet, Update};
use nav_sim::clock::Stopwatch;
use serde_json::Value;
use std::{thread, time::Duration};

#[test]
fn page_is_complete() {
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
    for part in [
        "/page.css",
        "/page.js",
        "/agents.js",
        "/scene.js",
        "/chart.js",
        "/camera.js",
        "/floors.js",
        "/inspector.js",
    ] {
        let (head, body) = server.get(part);
        assert!(
            head.starts_with("HTTP/1.1 200") && !body.is_empty(),
            "{part}: {head}"
        );
    }
    let (_, ground) = server.get("/ground");
    assert_eq!(ground.len(), 60 * 36);
    assert!(ground.contains(&0) && ground.contains(&1));
    // No cell has a terrain class.
    let (head, classes) = server.get("/classes");
    assert!(head.starts_with("HTTP/1.1 200") && classes.is_empty());
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
fn all_agents_are_seen() {
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
fn orderly_stop() {
    let server = Server::of("hunt");
    let mut client = Client::of_all(server.addr);
    client.next_frame();
    let stopping = thread::spawn(move || server.stop());
    assert_eq!(client.closed_with(), 1001);
    drop(client);
    stopping.join().unwrap().unwrap();
}

#[test]
fn late_client_sees_all() {
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

/// Asks the server about one agent after the other, and returns the first answer that fits.
fn agent_with(client: &mut Client, is_it: impl Fn(&Value) -> bool) -> Value {
    let numbers: Vec<u32> = client.agents.keys().copied().collect();
    for number in numbers {
        client.say(&format!(r#"{{"ask":{{"id":{number}}}}}"#));
        let agent = client.receive("agent");
        assert_eq!(agent["id"], number);
        if is_it(&agent) {
            return agent;
        }
        // No more questions than are allowed in a second.
        thread::sleep(Duration::from_millis(60));
    }
    panic!("there is no such agent");
}

#[test]
fn agents_show_method_and_field() {
    let server = Server::of("hunt");
    let mut client = Client::of_all(server.addr);
    client.next_frame();
    let shares = agent_with(&mut client, |agent| agent["way"] == "shared field");
    let (id, at) = (&shares["id"], &shares["at"]);
    client.say(&format!(
        r#"{{"field":{{"id":{id},"x":{},"y":{}}}}}"#,
        at[0], at[1]
    ));
    let field = client.receive("field");
    assert_eq!(&field["id"], id);
    // The map is narrower than the part shown.
    assert_eq!([&field["x"], &field["y"]], [0, 0]);
    assert_eq!([&field["width"], &field["height"]], [60, 36]);
    let ways = field["ways"].as_str().unwrap();
    assert_eq!(ways.len(), 60 * 36);
    assert!(ways.chars().all(|way| "01234567L.".contains(way)));
    let leads = ways.chars().filter(char::is_ascii_digit).count();
    assert!(leads > 200, "{ways}");
    // A player has no field to show, and neither has an unknown number.
    let player = client.agents.iter().find(|(_, place)| place.2 == TARGET);
    let player = *player.unwrap().0;
    client.say(&format!(r#"{{"field":{{"id":{player},"x":9,"y":9}}}}"#));
    assert_eq!(client.receive("field")["ways"], "");
    client.say(r#"{"field":{"id":99999,"x":9,"y":9}}"#);
    assert_eq!(client.receive("refused"), "there is no agent 99999");
    // Off the map there is no field to show.
    client.say(&format!(
        r#"{{"field":{{"id":{id},"x":65535,"y":65535,"floor":9}}}}"#
    ));
    assert_eq!(client.receive("field")["ways"], "");
}

#[test]
fn searches_are_told_by_method() {
    let server = Server::of("hunt");
    let mut client = Client::of_all(server.addr);
    client.next_frame();
    let searched = agent_with(&mut client, |agent| !agent["search"].is_null());
    let search = &searched["search"];
    let method = search["method"].as_str().unwrap();
    assert!(!search["outcome"].as_str().unwrap().is_empty());
    assert!(search["work"].as_u64().unwrap() >= search["expanded"].as_u64().unwrap());
    let reported = format!("chase_searches_reported_total{{method=\"{method}\"}}");
    assert!(server.metric(&reported) >= 1.0);
    let stats = client.receive("stats");
    let by_method = stats["by_method"].as_object().unwrap();
    let counted: u64 = by_method.values().filter_map(Value::as_u64).sum();
    assert!(counted <= stats["searches"].as_u64().unwrap(), "{stats}");
    assert!(stats["work_max"].as_u64().unwrap() <= stats["work"].as_u64().unwrap());
}

#[test]
fn field_while_paused() {
    let server = Server::of("hunt");
    let mut client = Client::of_all(server.addr);
    client.next_frame();
    let shares = agent_with(&mut client, |agent| agent["way"] == "shared field");
    client.say(r#"{"pause":true}"#);
    while client.receive("stats")["is_paused"] != true {}
    client.say(&format!(
        r#"{{"field":{{"id":{},"x":9,"y":9}}}}"#,
        shares["id"]
    ));
    let field = client.receive("field");
    assert!(!field["ways"].as_str().unwrap().is_empty());
}

#[test]
fn paths_in_part_of_map() {
    let server = Server::of("hunt");
    let mut client = Client::of_all(server.addr);
    client.next_frame();
    let ways = |client: &mut Client, area: &str| {
        client.say(&format!(r#"{{"ways":{{{area}}}}}"#));
        let says = client.receive("ways");
        says["ways"].as_array().unwrap().clone()
    };
    let all = ways(&mut client, r#""x":0,"y":0,"width":500,"height":500"#);
    assert!(!all.is_empty() && all.len() <= 300, "{}", all.len());
    for way in &all {
        let number = way[0].as_u64().unwrap();
        assert!(client.agents.contains_key(&u32::try_from(number).unwrap()));
        let cells = way[1].as_array().unwrap();
        assert!((2..=25).contains(&cells.len()), "{way}");
    }
    // Fewer in a corner; none off the map or on a missing floor.
    let corner = ways(&mut client, r#""x":0,"y":0,"width":15,"height":15"#);
    assert!(corner.len() < all.len());
    for way in &corner {
        let [x, y] = [0, 1].map(|axis| way[1][0][axis].as_u64().unwrap());
        assert!(x <= 15 && y <= 15, "{way}");
    }
    let nowhere = r#""x":65535,"y":65535,"width":65535,"height":65535,"floor":7"#;
    assert!(ways(&mut client, nowhere).is_empty());
}
