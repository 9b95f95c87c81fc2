//! Pausing, stepping and the speed of time.

use crate::{client::Client, server::Server};

#[test]
fn paused_ticks_one_by_one() {
    let server = Server::of("hunt");
    let mut client = Client::of_all(server.addr);
    client.next_frame();
    client.say(r#"{"pause":true}"#);
    while client.receive("stats")["is_paused"] != true {}
    let ticks = server.metric("chase_ticks_total");
    client.say(r#"{"step":7}"#);
    while server.metric("chase_ticks_total") < ticks + 7.0 {}
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert!((server.metric("chase_ticks_total") - ticks - 7.0).abs() < 0.1);
    // A client that joins during a pause sees all agents.
    let mut late = Client::of_all(server.addr);
    late.next_frame();
    assert_eq!(late.agents.len(), 93);
    client.say(r#"{"pause":false}"#);
    while server.metric("chase_ticks_total") < ticks + 10.0 {}
}

#[test]
fn speed_of_time() {
    let server = Server::of("hunt");
    let mut client = Client::of_all(server.addr);
    client.say(r#"{"speed":1000}"#);
    let why = client.receive("refused");
    assert_eq!(why, "the speed must be 0.1 to 10, not 1000");
    client.say(r#"{"speed":10}"#);
    while client.receive("stats")["speed"] != 10.0 {}
}
