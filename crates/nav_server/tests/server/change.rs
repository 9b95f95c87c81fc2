//! Other scenarios and maps, which clients in control ask for.

use crate::{client::Client, server::Server};
use nav_server::Control;
use serde_json::Value;

/// A room of 20 by 20 cells.
fn room() -> String {
    let row = |y: usize| {
        if y.is_multiple_of(19) {
            "#".repeat(20)
        } else {
            format!("#{}#", ".".repeat(18))
        }
    };
    (0..20).map(|y| row(y) + "\n").collect()
}

fn hello(server: &Server, query: &str) -> Value {
    Client::connect(server.addr, query).receive("hello")
}

#[test]
fn another_scenario() {
    let server = Server::of("hunt");
    let mut client = Client::connect(server.addr, "view=all");
    let offered = client.receive("hello")["scenarios"].clone();
    let offered = offered.as_array().unwrap();
    assert!(offered.contains(&"stairs".into()) && !offered.contains(&"crowd-1m".into()));
    assert_eq!(server.post("/scenario/stairs", b""), (204, String::new()));
    assert_eq!(client.closed_with(), 1012);
    let now = hello(&server, "view=all");
    assert_eq!(now["scenario"], "stairs");
    let cells = ["width", "height", "floors"].map(|side| now[side].as_u64().unwrap());
    let (_, ground) = server.get("/ground");
    assert_eq!(ground.len() as u64, cells.iter().product::<u64>());
    let mut client = Client::of_all(server.addr);
    client.next_frame();
    assert!(!client.agents.is_empty());
}

#[test]
fn own_map() {
    let server = Server::of("hunt");
    assert_eq!(server.post("/map?name=room.txt", room().as_bytes()).0, 204);
    let now = hello(&server, "view=all");
    assert_eq!(
        (&now["scenario"], &now["width"], &now["height"]),
        (&"room.txt".into(), &20.into(), &20.into())
    );
    assert_eq!(server.get("/ground").1.len(), 400);
}

#[test]
fn refusals_change_nothing() {
    let server = Server::of("hunt");
    for (path, body, why) in [
        (
            "/scenario/nope",
            "",
            "there is no scenario \"nope\" to choose",
        ),
        (
            "/scenario/crowd-1m",
            "",
            "there is no scenario \"crowd-1m\" to choose",
        ),
        (
            "/map?name=room.doc",
            "..",
            "room.doc: the name of a map file must end in",
        ),
        ("/map?name=room.txt", "..\n...\n", "room.txt: line 2"),
        ("/map?name=room.txt", "...\n", "no room"),
    ] {
        let (status, answer) = server.post(path, body.as_bytes());
        assert_eq!(status, 400, "{path}: {answer}");
        assert!(answer.contains(why), "{path}: {answer}");
    }
    assert_eq!(hello(&server, "view=all")["scenario"], "hunt");
    let large = vec![b'.'; 9 << 20];
    assert_eq!(server.post("/map?name=room.txt", &large).0, 413);
}

#[test]
fn only_with_the_token() {
    let server = Server::with_settings("hunt", |settings| {
        settings.control = Some(Control::Token("a-token-of-the-test".to_owned()));
    });
    assert_eq!(
        hello(&server, "view=all")["scenarios"],
        Value::Array(Vec::new())
    );
    assert_eq!(server.post("/scenario/stairs", b"").0, 403);
    let path = "/scenario/stairs";
    let post = |head: &str| server.post_with(path, head, b"").0;
    assert_eq!(post("Authorization: Bearer another-token\r\n"), 403);
    let right = "Authorization: Bearer a-token-of-the-test\r\n";
    assert_eq!(
        post(&format!("{right}Origin: http://evil.example\r\n")),
        403
    );
    assert_eq!(server.metric("chase_wrong_tokens_total") as u64, 1);
    assert_eq!(post(right), 204);
}
