//! Messages between server and client: decoded, encoded again, and followed by a client.

use nav_client::{Client, Settings};
use nav_judge::frugally;
use nav_protocol::{Packet, Request};
use std::time::Duration;

/// First byte of an input whose rest is a packet in JSON.
pub(crate) const JSON_PACKET: u8 = b'p';
/// First byte before a request in JSON.
pub(crate) const JSON_REQUEST: u8 = b'r';
/// First byte before a packet in postcard.
pub(crate) const POSTCARD_PACKET: u8 = b'P';
/// First byte before a request in postcard.
pub(crate) const POSTCARD_REQUEST: u8 = b'R';
/// First byte before packets in postcard.
///
/// Before each packet there are two bytes with its length, and a byte with the time since the
/// packet before in units of 8 ms.
pub(crate) const STREAM: u8 = b's';

/// Returns whether a message could be decoded.
pub(crate) fn run(bytes: &[u8]) -> bool {
    let Some((&kind, rest)) = bytes.split_first() else {
        return false;
    };
    match kind {
        JSON_PACKET => frugally(rest, Packet::from_json).is_ok_and(|packet| go_round(&packet)),
        POSTCARD_PACKET => {
            frugally(rest, Packet::from_postcard).is_ok_and(|packet| go_round(&packet))
        }
        JSON_REQUEST => {
            frugally(rest, Request::from_json).is_ok_and(|request| request_goes_round(&request))
        }
        POSTCARD_REQUEST => {
            frugally(rest, Request::from_postcard).is_ok_and(|request| request_goes_round(&request))
        }
        STREAM => follow(rest),
        _ => false,
    }
}

fn go_round(packet: &Packet) -> bool {
    let json = packet.to_json().expect("what was decoded makes sense");
    assert_eq!(
        Packet::from_json(json.as_bytes()).ok().as_ref(),
        Some(packet)
    );
    let bytes = packet.to_postcard().expect("what was decoded makes sense");
    assert_eq!(Packet::from_postcard(&bytes).ok().as_ref(), Some(packet));
    let mut client = Client::new(Settings::default());
    show(&mut client, packet, Duration::ZERO);
    true
}

fn request_goes_round(request: &Request) -> bool {
    let json = request.to_json().expect("requests can be encoded");
    assert_eq!(
        Request::from_json(json.as_bytes()).ok().as_ref(),
        Some(request)
    );
    let bytes = request.to_postcard().expect("requests can be encoded");
    assert_eq!(Request::from_postcard(&bytes).ok().as_ref(), Some(request));
    true
}

/// Feeds a client all packets of a stream that can be decoded. The client asks for missing ones.
fn follow(mut stream: &[u8]) -> bool {
    let mut client = Client::new(Settings::default());
    let mut now = Duration::ZERO;
    let mut has_received = false;
    while let Some((&[low, high, wait], rest)) = stream.split_first_chunk() {
        let length = usize::from(u16::from_le_bytes([low, high])).min(rest.len());
        let (bytes, behind) = rest.split_at(length);
        stream = behind;
        now += Duration::from_millis(8) * u32::from(wait);
        if let Ok(packet) = frugally(bytes, Packet::from_postcard) {
            has_received = true;
            show(&mut client, &packet, now);
        }
        if let Some(request) = client.request(now) {
            request_goes_round(&request);
        }
    }
    has_received
}

/// Feeds a client a packet, and checks that what it shows for some frames are places in the world.
fn show(client: &mut Client, packet: &Packet, now: Duration) {
    client.receive(packet, now);
    for frame in 0..6 {
        client.advance(now + Duration::from_millis(40) * frame);
        for agent in client.agents() {
            let numbers = [agent.position(), agent.facing()];
            let is_finite = numbers.iter().flatten().all(|number| number.is_finite());
            assert!(is_finite, "{agent:?}");
        }
    }
}
