//! The presets of chasers.

use nav::Chaser;
use nav_tests::TestWorld;

const WALL: [&str; 7] = [
    "....................",
    "..........#.........",
    "..........#.........",
    "..........#.........",
    "..........#.........",
    "..........#.........",
    "....................",
];

#[test]
fn each_arrives() {
    let ranged = Chaser::ranged(4);
    for chaser in [Chaser::melee(), ranged, Chaser::rts(), Chaser::classic()] {
        let mut world = TestWorld::new(&WALL);
        let target = world.target((14, 3));
        let npc = world.chaser_with(chaser, (5, 3), target);
        world.seconds(15);
        world.assert_within_reach(npc, target);
        let away = world.cell(npc).chebyshev(world.cell(target));
        assert_eq!(away > 1, chaser == ranged, "{away} cells away, {chaser:?}");
    }
}

/// The time of a diagonal step follows its length.
#[test]
fn rts_walks_at_one_speed() {
    let mut world = TestWorld::open(60, 60);
    let walked = [(50, 5), (50, 50)].map(|end| {
        let target = world.target(end);
        world.chaser_with(Chaser::rts(), (5, 5), target)
    });
    world.seconds(8);
    let [straight, diagonal] = walked.map(|npc| f64::from(world.cell(npc).x - 5));
    let longer = diagonal * 2f64.sqrt();
    assert!((straight - longer).abs() < 2.0, "{straight} and {longer}");
}
