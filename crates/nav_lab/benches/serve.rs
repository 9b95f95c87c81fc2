//! The cost of clients: ticks of a served crowd with and without 500 clients that follow it, one of
//! which never reads.
//!
//! `cargo bench -p nav_lab --bench serve -- [SECONDS]`, 60 by default for each of the two; with 600
//! it shows that memory stays flat. Percentiles are of the last minute.

use nav_server::{Control, Settings, Source, serve};
use nav_sim::{Scenario, clock::Stopwatch, maps, memory};
use std::{
    io::{ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::channel,
    },
    thread,
    time::Duration,
};
use tungstenite::{Error, Message, WebSocket, protocol::WebSocketConfig};

const CLIENTS: usize = 500;

/// The bar: how much longer 99 of 100 ticks may take with clients.
const MORE_MAX: f64 = 1.2;

/// The results of a run.
struct Run {
    p50_ms: f64,
    p99_ms: f64,
    /// The time of writing to clients after a tick.
    publish_p50_ms: f64,
    publish_p99_ms: f64,
    late: f64,
    bytes_a_second: f64,
    /// Megabytes at the beginning and at the end.
    memory: [f64; 2],
}

fn main() {
    let seconds = std::env::args()
        .skip(1)
        .find_map(|arg| arg.parse().ok())
        .unwrap_or(60);
    println!("crowd-10k, {seconds} s each; bytes are those of one client");
    println!(
        "{:<12} {:>8} {:>8} {:>11} {:>8} {:>6} {:>10} {:>9} {:>9}",
        "", "p50 ms", "p99 ms", "publish p50", "p99", "late", "bytes/s", "MB before", "after"
    );
    let [alone, watched] = [0, CLIENTS].map(|clients| {
        let run = run(clients, seconds);
        let Run { p50_ms, p99_ms, publish_p50_ms, publish_p99_ms, late, bytes_a_second, memory: [before, after] } = run;
        let name = format!("{clients} clients");
        println!("{name:<12} {p50_ms:>8.3} {p99_ms:>8.3} {publish_p50_ms:>11.3} {publish_p99_ms:>8.3} {late:>6} {bytes_a_second:>10.0} {before:>9.1} {after:>9.1}");
        run
    });
    let more = watched.p99_ms / alone.p99_ms;
    println!("p99 with clients: {more:.2} times that without, {MORE_MAX} at most");
    assert!(more <= MORE_MAX, "ticks take too much longer");
    let [before, after] = watched.memory;
    assert!(
        after < before * 1.2 + 4.0,
        "memory grew from {before:.1} to {after:.1} MB"
    );
}

fn run(clients: usize, seconds: u64) -> Run {
    let scenario = Scenario::named(Path::new("crowd-10k")).unwrap();
    let map = maps::load(scenario.map.as_ref()).unwrap();
    let settings = Settings {
        addr: ([127, 0, 0, 1], 0).into(),
        clients_max: 1000,
        control: Some(Control::Nobody),
        hosts: Vec::new(),
    };
    let (ready, addr) = channel();
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let until = async move {
        while !stopped.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let server = thread::spawn(move || {
        serve(
            Source::run(scenario, map),
            "crowd-10k",
            &settings,
            |addr, _: &Control| ready.send(addr).unwrap(),
            until,
        )
        .unwrap();
    });
    let addr = addr.recv().unwrap();
    let received = Arc::new(AtomicU64::new(0));
    let readers = (clients > 0).then(|| {
        let (stop, received) = (Arc::clone(&stop), Arc::clone(&received));
        let mut sockets: Vec<_> = (0..clients).map(|client| connect(addr, client)).collect();
        // The first client never reads.
        let stalled = sockets.remove(0);
        thread::spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                for socket in &mut sockets {
                    received.fetch_add(read(socket), Ordering::Relaxed);
                }
                thread::sleep(Duration::from_millis(20));
            }
            drop(stalled);
        })
    });
    // The opening, in which all chasers search and every view begins, is not measured.
    thread::sleep(Duration::from_secs(10));
    let megabytes = || memory::rss_bytes().unwrap_or(0) as f64 / 1e6;
    let (before, clock) = (megabytes(), Stopwatch::start());
    let (bytes, late) = (
        received.load(Ordering::Relaxed),
        metric(addr, "chase_late_ticks_total"),
    );
    thread::sleep(Duration::from_secs(seconds));
    let bytes = received.load(Ordering::Relaxed) - bytes;
    let run = Run {
        p50_ms: 1e3 * metric(addr, "chase_tick_seconds_p50"),
        p99_ms: 1e3 * metric(addr, "chase_tick_seconds_p99"),
        publish_p50_ms: 1e3 * metric(addr, "chase_publish_seconds_p50"),
        publish_p99_ms: 1e3 * metric(addr, "chase_publish_seconds_p99"),
        late: metric(addr, "chase_late_ticks_total") - late,
        bytes_a_second: bytes as f64 / clock.elapsed().as_secs_f64() / clients.max(1) as f64,
        memory: [before, megabytes()],
    };
    stop.store(true, Ordering::Relaxed);
    if let Some(readers) = readers {
        readers.join().unwrap();
    }
    server.join().unwrap();
    run
}

/// Connects a client with a view somewhere on the map, whose reads do not wait.
fn connect(addr: SocketAddr, client: usize) -> WebSocket<TcpStream> {
    let stream = TcpStream::connect(addr).unwrap();
    let url = format!("ws://{addr}/ws?view=near&format=postcard");
    // Room for a packet: the whole buffer is cleared for each read.
    let config = WebSocketConfig::default().read_buffer_size(4096);
    let (mut socket, _) =
        tungstenite::client::client_with_config(url, stream, Some(config)).unwrap();
    let (x, y) = (client * 37 % 512, client * 101 % 512);
    let look = format!(r#"{{"look":{{"x":{x},"y":{y}}}}}"#);
    socket.send(Message::text(look)).unwrap();
    socket.get_ref().set_nonblocking(true).unwrap();
    socket
}

/// Reads the available bytes, and returns their number.
fn read(socket: &mut WebSocket<TcpStream>) -> u64 {
    let mut bytes = 0;
    loop {
        match socket.read() {
            Ok(message) => bytes += message.len() as u64,
            Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => return bytes,
            Err(error) => panic!("a client was closed: {error}"),
        }
    }
}

/// Returns the value of a metric of the server.
fn metric(addr: SocketAddr, name: &str) -> f64 {
    let mut stream = TcpStream::connect(addr).unwrap();
    let request = format!("GET /metrics HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let value = text
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.unwrap().parse().unwrap()
}
