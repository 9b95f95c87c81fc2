//! A far broker: a proxy that delays everything.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::mpsc::channel,
    thread,
    time::{Duration, Instant},
};

/// Listens, and passes bytes on to the broker and back, each way after a delay. Returns the URL.
pub fn proxy(url: &str, delay: Duration) -> String {
    changing_proxy(url, delay, |_| {})
}

/// A proxy that changes what the broker says.
pub fn changing_proxy(url: &str, delay: Duration, change: fn(&mut [u8])) -> String {
    let address = url.strip_prefix("nats://").expect("the URL of a broker");
    // Credentials are for the client.
    let address = address.rsplit('@').next().expect("a host").to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("a port").port();
    // Ends with the test program.
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let Ok(server) = TcpStream::connect(&address) else {
                continue;
            };
            let both = (client.try_clone(), server.try_clone());
            if let (Ok(to_client), Ok(to_server)) = both {
                pass(client, to_server, delay, |_| {});
                pass(server, to_client, delay, change);
            }
        }
    });
    format!("nats://127.0.0.1:{port}")
}

fn pass(mut from: TcpStream, mut to: TcpStream, delay: Duration, change: fn(&mut [u8])) {
    let (give, take) = channel::<(Instant, Vec<u8>)>();
    thread::spawn(move || {
        let mut bytes = vec![0; 64 << 10];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            #[expect(clippy::disallowed_methods, reason = "the delay is one of the clock")]
            let due = Instant::now() + delay;
            change(&mut bytes[..count]);
            if give.send((due, bytes[..count].to_vec())).is_err() {
                return;
            }
        }
    });
    thread::spawn(move || {
        for (due, bytes) in take {
            #[expect(clippy::disallowed_methods, reason = "the delay is one of the clock")]
            thread::sleep(due.saturating_duration_since(Instant::now()));
            if to.write_all(&bytes).is_err() {
                break;
            }
        }
        to.shutdown(Shutdown::Both).ok();
    });
}
