//! The one test at a broker of the default tier: the main functions of a keeper and a bus, within
//! seconds.

use crate::{World, keeper};
use nav_zones::{Bus, ZoneId, nats::NatsBus};
use std::time::Duration;

const WAIT: Duration = Duration::from_secs(10);

#[test]
fn keeper_and_bus() {
    let Some(world) = World::open() else { return };
    let in_world = |name: &'static str| {
        let world = &world;
        move || world.keeper_of(name)
    };
    keeper::two_takers(in_world("a"));
    keeper::released_zone(in_world("b"));
    keeper::taken_over_holder(in_world("c"));
    keeper::entries_in_order(in_world("d"));
    keeper::last_snapshot(in_world("e"));
    keeper::events_in_order(in_world("f"));
    keeper::forgotten_entries(in_world("g"));
    keeper::forgotten_successor(in_world("h"));

    let zones = [ZoneId(0), ZoneId(1)];
    let [mut a, mut b] =
        zones.map(|zone| NatsBus::new(&world.connect(), zone).expect("the broker runs"));
    for size in [0, 1, 4096, 3 << 20] {
        a.send(zones[1], vec![7; size]).expect("it runs");
        let message = b.receive(WAIT).expect("it runs").expect("it was sent");
        assert!(message == vec![7; size], "{size} bytes");
        b.send(zones[0], message).expect("it runs");
        let back = a.receive(WAIT).expect("it runs").expect("it was sent");
        assert_eq!(back.len(), size);
    }
}
