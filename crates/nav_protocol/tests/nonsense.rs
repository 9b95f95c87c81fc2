//! Packets that can be read but are invalid are refused with a reason.

use nav_protocol::{DecodeError, Nonsense, Packet, PathAhead, Update};

fn path() -> PathAhead {
    PathAhead {
        id: 1,
        tick: 0,
        speed: 4.0,
        chases: None,
        reach: 1.0,
        nav_path: vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0]],
        arrivals: vec![0, 5, 15],
        jumps: vec![1, 2],
        links: vec![],
    }
}

/// Returns the reason for refusing a path, in JSON and postcard alike, or `None`.
fn refused(change: impl Fn(&mut PathAhead)) -> Option<Nonsense> {
    let mut path = path();
    change(&mut path);
    let packet = Packet {
        version: nav_protocol::VERSION,
        updates: vec![Update::Path(path)],
        ..Packet::default()
    };
    let bytes = packet.to_postcard().unwrap();
    match Packet::from_postcard(&bytes) {
        Ok(same) => {
            assert_eq!(same, packet);
            let json = packet.to_json().unwrap();
            assert_eq!(Packet::from_json(json.as_bytes()).unwrap(), packet);
            None
        }
        Err(DecodeError::Nonsense(nonsense)) => Some(nonsense),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn sensible_path() {
    assert_eq!(refused(|_| {}), None);
    // Two points at once, as at the end of a link.
    assert_eq!(refused(|path| path.arrivals = vec![0, 5, 5]), None);
}

#[test]
fn arrivals_ascend() {
    let order = Some(Nonsense::Order);
    assert_eq!(refused(|path| path.arrivals = vec![0, 15, 5]), order);
    assert_eq!(refused(|path| path.arrivals = vec![1, 5, 15]), order);
}

#[test]
fn point_without_arrival() {
    let short = Nonsense::Arrivals {
        points: 3,
        arrivals: 2,
    };
    assert_eq!(refused(|path| path.arrivals.truncate(2)), Some(short));
    let none = |path: &mut PathAhead| {
        path.nav_path.clear();
        path.arrivals.clear();
        path.jumps.clear();
    };
    assert_eq!(refused(none), Some(Nonsense::NoPoints));
}

#[test]
fn jumps_ascend() {
    for jumps in [vec![3], vec![2, 1], vec![1, 1]] {
        let refusal = refused(|path| path.jumps.clone_from(&jumps));
        assert_eq!(refusal, Some(Nonsense::Jumps), "{jumps:?}");
    }
}

#[test]
fn infinite_or_negative() {
    let finite = Some(Nonsense::NotFinite);
    assert_eq!(refused(|path| path.nav_path[1][2] = f32::NAN), finite);
    assert_eq!(refused(|path| path.speed = f32::INFINITY), finite);
    assert_eq!(refused(|path| path.reach = -1.0), Some(Nonsense::Negative));
}
