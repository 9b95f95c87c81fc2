//! A client that follows paths over a real socket, compared with the server's places.

use crate::{client::Client, server::Server};
use nav_client::{Client as Follower, Settings};
use nav_protocol::Packet;
use nav_sim::clock::Stopwatch;
use std::{collections::BTreeMap, time::Duration};
use tungstenite::Message;

/// Runs a follower beside a client that sees all agents. Returns the distance of each shown chaser
/// from its place in the tick that was shown, in cells, and the most chasers shown.
fn follow(format: &str, seconds: u64) -> (Vec<f64>, usize) {
    let server = Server::of("hunt");
    let mut truth = Client::of_all(server.addr);
    let addr = server.addr;
    let query = format!("view=near&format={format}");
    let begun = Stopwatch::start();
    let (sent, packets) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut near = Client::connect(addr, &query);
        while let Ok(message) = near.socket.read() {
            let packet = match &message {
                Message::Text(text) if text.starts_with(r#"{"version"#) => {
                    Packet::from_json(text.as_bytes()).unwrap()
                }
                Message::Binary(bytes) => Packet::from_postcard(bytes).unwrap(),
                _ => continue,
            };
            if sent.send((packet, begun.elapsed())).is_err() {
                break;
            }
        }
    });
    // Long enough for a machine that runs other tests at the same time.
    let settings = Settings {
        lag: Duration::from_millis(500),
        ..Settings::default()
    };
    let mut follower = Follower::new(settings);
    let mut places: BTreeMap<u32, BTreeMap<u32, (u16, u16, u8)>> = BTreeMap::new();
    let (mut errors, mut most) = (Vec::new(), 0);
    // Ticks of the protocol and of the overview differ by the number of ticks before the first
    // packet.
    let mut shown: Vec<(f64, u64, [f32; 3])> = Vec::new();
    while begun.elapsed() < Duration::from_secs(seconds) {
        truth.next_frame();
        places.insert(truth.tick, truth.agents.clone());
        while let Ok((packet, at)) = packets.try_recv() {
            follower.receive(&packet, at);
        }
        follower.advance(begun.elapsed());
        most = most.max(follower.agents().count());
        if let Some(tick) = follower.shown_tick() {
            let looks = follower
                .agents()
                .map(|agent| (tick, agent.id(), agent.position()));
            shown.extend(
                looks
                    .filter(|(tick, _, _)| *tick > 20.0)
                    .map(|(tick, id, at)| (tick, id, at.map(|axis| axis as f32))),
            );
        }
    }
    for (tick, id, at) in shown {
        let Some(then) = places.get(&(tick.floor() as u32)) else {
            continue;
        };
        if let Some(&(x, y, _)) = then.get(&(id as u32)) {
            let off = (at[0] - f32::from(x))
                .abs()
                .max((at[2] - f32::from(y)).abs());
            errors.push(f64::from(off));
        }
    }
    drop(packets);
    server.stop().unwrap();
    reader.join().unwrap();
    (errors, most)
}

/// Follows at the same time in both formats: neither keeps a processor busy.
#[test]
fn follower_stays_near_the_truth() {
    std::thread::scope(|threads| {
        for format in ["json", "postcard"] {
            threads.spawn(move || stays_near_the_truth(format));
        }
    });
}

fn stays_near_the_truth(format: &str) {
    let (errors, most) = follow(format, 6);
    assert!(most > 10, "{format}: only {most} were in view");
    assert!(errors.len() > 500, "{format}: {} looks", errors.len());
    let beyond = errors.iter().filter(|&&error| error > 1.0).count();
    let share = beyond as f64 / errors.len() as f64;
    let worst = errors.iter().copied().fold(0.0, f64::max);
    println!(
        "{format}: {} looks, {share:.4} beyond a cell, {worst:.2} at most",
        errors.len()
    );
    assert!(
        share < 0.05 && worst <= 1.6,
        "{format}: {share} beyond a cell, {worst} at most"
    );
}
