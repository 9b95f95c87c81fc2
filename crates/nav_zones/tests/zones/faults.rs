//! Zones whose processes die, stall and come back, and whose broker goes away: every agent lives in
//! one zone afterwards, and chases continue.

use crate::{
    seeds::seeds,
    simulation::{LEASE, Simulation},
};
use nav_zones::{Verdict, ZoneId, keeper::LocalCopy};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

/// A fault of a world.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// The process of a zone dies.
    Kill(ZoneId),
    /// The process of a zone does nothing for a number of ticks, and then continues.
    Stall(ZoneId, u64),
    /// The broker is away for a number of ticks.
    BrokerAway(u64),
    /// Messages take up to the first number of ticks, for a time of the second.
    SlowLink(u64, u64),
    /// The answer to a call of the keeper is lost, after a number of other answers.
    LostAnswer(u32),
    /// Every process receives invalid messages.
    Nonsense,
}

fn draw_faults(rng: &mut Xoshiro256PlusPlus, ticks: u64) -> Vec<(u64, Fault)> {
    let mut faults: Vec<(u64, Fault)> = (0..rng.random_range(1..6))
        .map(|_| {
            let zone = ZoneId(rng.random_range(0..4));
            let long = u64::from(LEASE) * 2;
            let fault = match rng.random_range(0..6) {
                0 => Fault::Kill(zone),
                1 => Fault::Stall(zone, rng.random_range(5..long)),
                2 => Fault::BrokerAway(rng.random_range(2..long)),
                3 => Fault::SlowLink(rng.random_range(2..30), rng.random_range(10..100)),
                4 => Fault::LostAnswer(rng.random_range(0..20)),
                _ => Fault::Nonsense,
            };
            (rng.random_range(10..ticks), fault)
        })
        .collect();
    faults.sort_by_key(|&(tick, _)| tick);
    faults
}

/// The results of a world.
struct Outcome {
    faults: Vec<(u64, Fault)>,
    take_overs: u32,
    refused: u64,
}

fn run(seed: u64) -> Outcome {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (faulty, walking, all) = (300, 450, 1500);
    let faults = draw_faults(&mut rng, faulty);
    // Every third world has bodies.
    let mut world = Simulation::new(seed, seed.is_multiple_of(3), walking);
    let (mut away_until, mut slow) = (0, (0, 0));
    for tick in 1..=all {
        for &(_, fault) in faults.iter().filter(|&&(at, _)| at == tick) {
            match fault {
                Fault::Kill(zone) => {
                    if let Some(place) = world.process_of(zone) {
                        world.kill(place);
                    }
                }
                Fault::Stall(zone, ticks) => {
                    if let Some(place) = world.process_of(zone) {
                        world.processes[place].stalled_until = tick + ticks;
                    }
                }
                Fault::BrokerAway(ticks) => away_until = tick + ticks,
                Fault::SlowLink(delay, ticks) => slow = (delay, tick + ticks),
                Fault::LostAnswer(calls) => world.store.lose_answer_after(calls),
                Fault::Nonsense => world.net.send_nonsense(),
            }
        }
        let is_away = tick < away_until;
        world.store.set_away(is_away);
        let delay = if tick < slow.1 { slow.0 } else { 0 };
        world.net.set(tick, is_away, delay);
        world.step();
    }
    let audit = world.audit();
    assert!(audit.is_clean(), "{audit:?}, {faults:?}");
    let expected = world.players.len() + world.chasers.len();
    assert_eq!((audit.agents, audit.under_way), (expected, 0), "{faults:?}");
    for (id, places) in world.places() {
        let [(zone, cell)] = places[..] else {
            panic!("{id:?} lives in {places:?}, {faults:?}");
        };
        assert_eq!(world.layout.zone_of(cell), zone, "{id:?}, {faults:?}");
    }
    assert_eq!(world.overlaps(), [], "{faults:?}");
    // A body may wait behind bodies of another pack that stand across a border.
    if !world.is_solid {
        let uncaught = world.uncaught();
        assert!(uncaught.is_empty(), "{uncaught:?}, {faults:?}");
    }
    Outcome {
        faults,
        take_overs: world.take_overs,
        refused: world.refused(),
    }
}

#[test]
fn drawn_faults() {
    let (mut faults, mut take_overs, mut refused) = (0, 0, 0);
    for seed in seeds("NAV_FAULT", 4, 40) {
        println!("seed {seed}");
        let outcome = run(seed);
        faults += outcome.faults.len();
        take_overs += outcome.take_overs;
        refused += outcome.refused;
    }
    println!("{faults} faults, {take_overs} zones taken over, {refused} messages refused");
    assert!(take_overs > 0 && refused > 0);
}

/// A store that comes back empty, or as it was up to two leases before, when all zones have
/// processes: they write all they have again, with agents under way.
#[test]
fn lost_store() {
    let mut under_way = 0;
    for seed in seeds("NAV_LOSS", 6, 60) {
        println!("seed {seed}");
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut world = Simulation::new(seed, seed.is_multiple_of(3), 450);
        let all = world.players.len() + world.chasers.len();
        let losses = rng.random_range(1..3);
        for loss in 0..losses {
            let copied = 60 + loss * 150 + rng.random_range(0..20);
            let lost = copied + rng.random_range(0..2 * u64::from(LEASE));
            let back = lost + rng.random_range(1..u64::from(LEASE));
            let mut copy = LocalCopy::default();
            while world.tick < back {
                world.net.set(world.tick + 1, world.tick >= lost, 0);
                world.store.set_away(world.tick >= lost);
                world.step();
                if world.tick == copied && rng.random() {
                    copy = world.store.copy();
                }
            }
            under_way += all - world.places().len();
            world.store.set_away(false);
            world.store.replace(copy);
        }
        while world.tick < 1500 {
            world.net.set(world.tick + 1, false, 0);
            world.step();
            // Once all have noticed, at their next renewal.
            if world.tick.is_multiple_of(50) && world.tick > 450 {
                assert!(world.audit().is_clean(), "{:?}, seed {seed}", world.audit());
            }
        }
        let audit = world.audit();
        assert_eq!((audit.agents, audit.under_way), (all, 0), "seed {seed}");
        for (id, places) in world.places() {
            assert_eq!(places.len(), 1, "{id:?} lives in {places:?}, seed {seed}");
        }
        assert_eq!(world.take_overs, 0, "seed {seed}");
        assert_eq!(world.overlaps(), [], "seed {seed}");
        // A process that takes a zone afterwards goes on from what was written again.
        world.kill(0);
        for _ in 0..3 * LEASE {
            world.net.set(world.tick + 1, false, 0);
            world.step();
        }
        assert!(world.audit().is_clean(), "{:?}, seed {seed}", world.audit());
        assert_eq!(world.places().len(), all, "seed {seed}");
    }
    println!("{under_way} agents were under way");
    assert!(under_way > 0);
}

/// A zone without a process has nothing in memory: the others are right, nobody lives twice, and
/// the audit says that it does not know.
#[test]
fn lost_store_without_a_process() {
    for seed in seeds("NAV_LOSS", 3, 30) {
        let mut world = Simulation::new(seed, false, 450);
        let mut copy = LocalCopy::default();
        while world.tick < 200 {
            world.net.set(world.tick + 1, false, 0);
            world.step();
            if world.tick == 100 {
                copy = world.store.copy();
            }
        }
        let place = world.process_of(ZoneId(2)).expect("it runs");
        world.kill(place);
        world.store.replace(copy);
        while world.tick < 700 {
            world.net.set(world.tick + 1, false, 0);
            world.step();
        }
        let audit = world.audit();
        println!("{} of {} agents, seed {seed}", audit.agents, 45);
        assert_eq!(
            (&audit.lost[..], &audit.doubled[..]),
            (&[][..], &[][..]),
            "seed {seed}"
        );
        assert_eq!(
            (audit.verdict(), &audit.unknown[..]),
            (Verdict::Unknown, &[ZoneId(2)][..])
        );
        for (id, places) in world.places() {
            assert_eq!(places.len(), 1, "{id:?} lives in {places:?}, seed {seed}");
        }
    }
}
