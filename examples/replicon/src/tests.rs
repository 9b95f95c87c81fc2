//! The promises of the example, tick by tick.

use super::*;

#[test]
fn client_sees_every_tick() {
    let (mut server, mut client) = connected();
    for at in 0..HZ * SECONDS {
        tick(&mut server, &mut client);
        let seen = client::agents(&mut client);
        assert_eq!(seen.len(), 4, "tick {at}");
        assert_eq!(seen, server::agents(&mut server), "tick {at}");
    }
    let away = distances(&client::agents(&mut client));
    assert!(away.iter().all(|&(_, away)| away == 1), "{away:?}");
}

#[test]
fn npcs_follow_sent_points() {
    let (mut server, mut client) = connected();
    let mut steps = 0;
    let mut before = client::agents(&mut client);
    for at in 0..HZ * SECONDS {
        tick(&mut server, &mut client);
        let now = client::agents(&mut client);
        for ((role, place, way), (_, was, said)) in now.iter().zip(&before) {
            if *role == Role::Player || place == was {
                continue;
            }
            steps += 1;
            // Cells of the default frame are one unit wide.
            let here = [f32::from(place.cell.x), 0.0, f32::from(place.cell.y)];
            let is_on = |way: &WayAhead| way.0.contains(&here);
            assert!(is_on(way), "tick {at}: {role:?} is not on {way:?}");
            assert!(
                is_on(said) || way != said,
                "tick {at}: {role:?} left {said:?} untold"
            );
        }
        before = now;
    }
    let seen = *client.world().resource::<client::Seen>();
    assert!(steps > 60, "{steps} steps");
    assert_eq!(seen.steps, steps);
    assert!(seen.ways * 2 < steps, "{seen:?}");
}
