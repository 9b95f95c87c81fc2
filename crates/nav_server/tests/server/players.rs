//! Players that clients own.

use crate::{
    client::{Client, TARGET},
    server::Server,
};
use serde_json::Value;

fn take(client: &mut Client) -> u32 {
    client.say(r#"{"take":{}}"#);
    client.receive("player").as_u64().unwrap() as u32
}

fn why(client: &mut Client) -> String {
    client.receive("refused").as_str().unwrap().to_owned()
}

#[test]
fn player_walks_and_is_caught() {
    let server = Server::of("two-players");
    let mut client = Client::of_all(server.addr);
    client.next_frame();
    let player = take(&mut client);
    let (x, y, role) = client.agents[&player];
    assert_eq!(role, TARGET);
    client.say(&format!(r#"{{"walk":{{"x":{},"y":{y}}}}}"#, x + 3));
    let course = client.receive("course");
    assert_eq!(course.as_array().unwrap().len(), 3);
    while client.agents[&player].0 != x + 3 {
        client.next_frame();
    }
    loop {
        let beside = client.agents.values().filter(|agent| agent.2 == 3);
        if beside.count() > 3 {
            return;
        }
        client.next_frame();
    }
}

#[test]
fn walls_and_far_places() {
    let server = Server::of("default");
    let mut client = Client::of_all(server.addr);
    client.next_frame();
    client.say(r#"{"walk":{"x":3,"y":3}}"#);
    assert_eq!(why(&mut client), "you own no player: take one first");
    let player = take(&mut client);
    client.say(r#"{"walk":{"x":60000,"y":3}}"#);
    assert_eq!(why(&mut client), "60000,3 is no ground of the map");
    let (_, ground) = server.get("/ground");
    let (x, y, _) = client.agents[&player];
    let walls = (0..512 * 512).filter(|&cell| ground[cell] == 0);
    let near = |cell: usize| {
        (cell % 512)
            .abs_diff(x.into())
            .max((cell / 512).abs_diff(y.into()))
    };
    let wall = walls.min_by_key(|&cell| near(cell)).unwrap();
    let (column, row) = (wall % 512, wall / 512);
    client.say(&format!(r#"{{"walk":{{"x":{column},"y":{row}}}}}"#));
    assert_eq!(
        why(&mut client),
        format!("{column},{row} is no ground of the map")
    );
    let far = (0..512 * 512)
        .find(|&cell| ground[cell] > 0 && near(cell) > 150)
        .unwrap();
    client.say(&format!(
        r#"{{"walk":{{"x":{},"y":{}}}}}"#,
        far % 512,
        far / 512
    ));
    assert!(why(&mut client).ends_with("is more than 128 columns or rows away"));
}

#[test]
fn taken_player_is_refused() {
    let server = Server::of("two-players");
    let mut clients = [0; 3].map(|_| Client::of_all(server.addr));
    let one = take(&mut clients[0]);
    assert_eq!(take(&mut clients[0]), one, "again the same");
    let other = take(&mut clients[1]);
    assert_ne!(one, other);
    clients[2].say(r#"{"take":{}}"#);
    assert_eq!(why(&mut clients[2]), "all 2 players are taken");
    let [gone, _stays, mut last] = clients;
    drop(gone);
    loop {
        last.say(r#"{"take":{}}"#);
        let said = loop {
            let message = last.read().unwrap();
            let Ok(text) = message.to_text() else {
                continue;
            };
            let said: Value = match serde_json::from_str(text) {
                Ok(said) => said,
                Err(_) => continue,
            };
            if said.get("player").is_some() || said.get("refused").is_some() {
                break said;
            }
        };
        if let Some(player) = said.get("player") {
            assert_eq!(player.as_u64(), Some(one.into()));
            return;
        }
        last.next_frame();
    }
}

#[test]
fn agent_reports_activity() {
    let server = Server::of("hunt");
    let mut client = Client::of_all(server.addr);
    client.next_frame();
    for _ in 0..10 {
        client.next_frame();
    }
    let chaser = *client
        .agents
        .iter()
        .find(|(_, agent)| agent.2 == 2)
        .unwrap()
        .0;
    client.say(&format!(r#"{{"ask":{{"id":{chaser}}}}}"#));
    let agent = client.receive("agent");
    assert_eq!(agent["id"], chaser);
    assert!(
        agent["doing"].as_str().unwrap().contains("field")
            || agent["doing"].as_str().unwrap().contains("path")
    );
    let chased = agent["chases"].as_u64().unwrap() as u32;
    assert_eq!(client.agents[&chased].2, TARGET);
    client.say(r#"{"ask":{"id":999999}}"#);
    assert_eq!(why(&mut client), "there is no agent 999999");
}
