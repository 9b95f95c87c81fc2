//! Messages: round trips, and hostile input.

use nav_protocol::{
    AgentKind, Appear, Ask, BYTES_MAX, Correct, DecodeError, LinkAhead, Nonsense, POINTS_MAX,
    Packet, PathAhead, Place, Request, Start, UPDATES_MAX, Up, Update, Vanish,
};
use proptest::prelude::*;

fn at() -> impl Strategy<Value = [f32; 3]> {
    prop::array::uniform3(-1e4_f32..1e4)
}

fn path() -> impl Strategy<Value = PathAhead> {
    let points = prop::collection::vec((at(), 0..50_u32, any::<bool>()), 1..20);
    let rest = (
        any::<u64>(),
        any::<u32>(),
        0.0..100_f32,
        any::<Option<u64>>(),
        0.0..9_f32,
    );
    (points, rest).prop_map(|(points, (id, tick, speed, chases, reach))| {
        let mut after = 0;
        let arrivals = points.iter().enumerate().map(|(number, point)| {
            after += if number == 0 { 0 } else { point.1 };
            after
        });
        PathAhead {
            id,
            tick,
            speed,
            chases,
            reach,
            arrivals: arrivals.collect(),
            jumps: (0..)
                .zip(&points)
                .filter(|(_, point)| point.2)
                .map(|(n, _)| n)
                .collect(),
            links: (0..)
                .zip(&points)
                .filter(|(n, point)| *n > 0 && !point.2 && point.1 > 3)
                .map(|(point, _)| LinkAhead { point, kind: 3 })
                .collect(),
            nav_path: points.into_iter().map(|point| point.0).collect(),
        }
    })
}

fn update() -> impl Strategy<Value = Update> {
    prop_oneof![
        (1..1_000_000_u32, 0.1..9_f32, any::<bool>()).prop_map(|(tick_micros, cell_size, z)| {
            let up = if z { Up::Z } else { Up::Y };
            Update::Start(Start {
                tick_micros,
                cell_size,
                up,
            })
        }),
        (any::<u64>(), any::<bool>(), at()).prop_map(|(id, player, at)| {
            let kind = if player {
                AgentKind::Player
            } else {
                AgentKind::Chaser
            };
            Update::Appear(Appear { id, kind, at })
        }),
        path().prop_map(Update::Path),
        (
            any::<u64>(),
            any::<u32>(),
            at(),
            0.0..9_f32,
            any::<Option<u64>>(),
            any::<bool>()
        )
            .prop_map(|(id, tick, at, speed, chases, jump)| {
                Update::Correct(Correct {
                    id,
                    tick,
                    at,
                    speed,
                    chases,
                    jump,
                })
            }),
        (any::<u64>(), at()).prop_map(|(id, at)| Update::Place(Place { id, at })),
        any::<u64>().prop_map(|id| Update::Vanish(Vanish { id })),
    ]
}

fn packet() -> impl Strategy<Value = Packet> {
    let updates = prop::collection::vec(update(), 0..8);
    (any::<u32>(), any::<u32>(), updates)
        .prop_map(|(sequence, tick, updates)| Packet::new(sequence, tick, updates))
}

/// Damages bytes: changes some, and cuts off the end.
fn damaged(mut bytes: Vec<u8>, places: &[(usize, u8)], cut: usize) -> Vec<u8> {
    for &(place, byte) in places {
        let length = bytes.len().max(1);
        if let Some(at) = bytes.get_mut(place % length) {
            *at = byte;
        }
    }
    bytes.truncate(bytes.len().saturating_sub(cut));
    bytes
}

proptest! {
    #[test]
    fn packets_round_trip(packet in packet()) {
        let json = packet.to_json().unwrap();
        prop_assert_eq!(&Packet::from_json(json.as_bytes()).unwrap(), &packet);
        let bytes = packet.to_postcard().unwrap();
        prop_assert_eq!(&Packet::from_postcard(&bytes).unwrap(), &packet);
    }

    #[test]
    fn damaged_packets(
        packet in packet(),
        places in prop::collection::vec((any::<usize>(), any::<u8>()), 1..6),
        cut in 0..20_usize,
    ) {
        let json = damaged(packet.to_json().unwrap().into_bytes(), &places, cut);
        let bytes = damaged(packet.to_postcard().unwrap(), &places, cut);
        let mut client = nav_client::Client::new(nav_client::Settings::default());
        let start = Start { tick_micros: 50_000, cell_size: 1.0, up: Up::Y };
        client.receive(&Packet::new(0, 1, vec![Update::Start(start)]), std::time::Duration::ZERO);
        for packet in [Packet::from_json(&json), Packet::from_postcard(&bytes)].into_iter().flatten() {
            for frame in 0..4 {
                let now = std::time::Duration::from_millis(frame * 500);
                client.receive(&packet, now);
                client.advance(now);
                client.request(now);
            }
        }
        for agent in client.agents() {
            prop_assert!(agent.position().iter().all(|part| part.is_finite()));
        }
    }

    #[test]
    fn noise(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = (Packet::from_json(&bytes), Packet::from_postcard(&bytes));
        let _ = (Request::from_json(&bytes), Request::from_postcard(&bytes));
    }
}

#[test]
fn requests_round_trip() {
    for ask in [Ask::Resync, Ask::Again(vec![3, 9, 4_000_000_000])] {
        let request = Request::from(ask);
        let json = request.to_json().unwrap();
        assert_eq!(Request::from_json(json.as_bytes()).unwrap(), request);
        let bytes = request.to_postcard().unwrap();
        assert_eq!(Request::from_postcard(&bytes).unwrap(), request);
    }
}

#[test]
fn another_version() {
    let json = br#"{"version":3,"sequence":1,"tick":1,"updates":[],"more":true}"#;
    let error = Packet::from_json(json).unwrap_err();
    assert!(
        matches!(error, DecodeError::Version { found: 3 }),
        "{error:?}"
    );
    let sentence = "this is version 3 of the protocol, and version 2 is understood";
    assert_eq!(error.to_string(), sentence);
    let error = Packet::from_postcard(&[3, 200, 200, 200]).unwrap_err();
    assert_eq!(error.to_string(), sentence);
    let error = Request::from_json(br#"{"version":3,"ask":"resync"}"#).unwrap_err();
    assert_eq!(error.to_string(), sentence);
}

#[test]
fn endless_lists() {
    let vanish = Update::Vanish(Vanish { id: 1 });
    let long = Packet::new(1, 1, vec![vanish; UPDATES_MAX + 1]);
    assert!(Packet::from_json(long.to_json().unwrap().as_bytes()).is_err());
    assert!(Packet::from_postcard(&long.to_postcard().unwrap()).is_err());
    // A false length: version, sequence, tick, and 2^64 - 1 updates.
    let lie = [
        2, 1, 1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 5, 1,
    ];
    assert!(Packet::from_postcard(&lie).is_err());
    let bytes = vec![b' '; BYTES_MAX + 1];
    let error = Packet::from_json(&bytes).unwrap_err();
    assert!(matches!(error, DecodeError::TooLong { .. }), "{error}");
    let again = Request::from(Ask::Again(vec![1; 17]));
    assert!(Request::from_postcard(&again.to_postcard().unwrap()).is_err());
}

#[test]
fn invalid_links() {
    let good = PathAhead {
        nav_path: vec![[0.0; 3], [1.0; 3]],
        arrivals: vec![0, 5],
        ..PathAhead::default()
    };
    let of = |change: &dyn Fn(&mut PathAhead)| {
        let mut path = good.clone();
        change(&mut path);
        let packet = Packet::new(1, 1, vec![Update::Path(path)]);
        match Packet::from_postcard(&packet.to_postcard().unwrap()) {
            Err(DecodeError::Nonsense(nonsense)) => Some(nonsense),
            Ok(_) => None,
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(of(&|_| {}), None);
    let link = |point, kind| LinkAhead { point, kind };
    for links in [
        vec![link(0, 1)],
        vec![link(2, 1)],
        vec![link(1, 16)],
        vec![link(1, 1), link(1, 1)],
    ] {
        let refused = of(&|path| {
            path.jumps.clear();
            path.links.clone_from(&links);
        });
        assert_eq!(refused, Some(Nonsense::Links), "{links:?}");
    }
    let both = of(&|path| (path.jumps, path.links) = (vec![1], vec![link(1, 1)]));
    assert_eq!(both, Some(Nonsense::Links));
    let points = vec![[0.0; 3]; POINTS_MAX + 1];
    let long = PathAhead {
        arrivals: vec![0; points.len()],
        nav_path: points,
        ..good.clone()
    };
    let packet = Packet::new(1, 1, vec![Update::Path(long)]);
    assert!(Packet::from_postcard(&packet.to_postcard().unwrap()).is_err());
}
