//! Accepts connections, and closes connections that fill the server without using it.

use crate::ServeError;
use axum::Router;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::{
    collections::{BTreeMap, VecDeque},
    convert::Infallible,
    io,
    net::{IpAddr, SocketAddr},
    pin::pin,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    sync::watch,
    task::{AbortHandle, JoinSet},
    time::{self, Instant},
};
use tokio_io_timeout::TimeoutStream;
use tower_service::Service;

/// How long a client has for the head of a request, and between two requests. A slow phone needs
/// a second.
const HEAD: Duration = Duration::from_secs(5);

/// How long a connection may wait for the client to send, or to take what is sent: more
/// than the thirty seconds after which a silent WebSocket is closed with a reason.
const STALL: Duration = Duration::from_secs(40);

/// The most connections that are no `WebSocket`s yet. For another one the oldest is closed that is
/// not [being answered](ANSWER), so that silent connections never shut out others. A page makes
/// six, for a second: forty pages may open at once.
const PENDING_MAX: usize = 256;

/// For how long after its last request a connection is not closed to make room: its answer is on
/// the way. The ground of a large map takes a second on a slow line.
const ANSWER: Duration = Duration::from_secs(2);

/// The most connections of an address, `WebSocket`s included: a household, or a class
/// behind one router. Loopback is exempt: a proxy brings all clients from there.
const PER_ADDRESS_MAX: usize = 64;

/// How long to wait when the system has no descriptor left. A guess.
const NO_DESCRIPTOR: Duration = Duration::from_millis(20);

/// How long connections have to end when the server stops; then they are cut. A guess.
pub(crate) const SHUTDOWN: Duration = Duration::from_secs(3);

/// A connection, as long as any part of the server serves it.
pub(crate) struct Peer {
    address: IpAddr,
    /// The time of its last request.
    last_request: Mutex<Option<Instant>>,
    /// Whether it became a WebSocket, which other limits hold for.
    is_websocket: AtomicBool,
    /// All connections of its address share it.
    _of_address: Arc<()>,
}

/// The addresses of connections. Of each there are as many references as connections, and this one.
#[derive(Default)]
struct Addresses(BTreeMap<IpAddr, Arc<()>>);

impl Addresses {
    /// Counts a connection; `None` if its address has as many as it may. O(addresses).
    fn admit(&mut self, address: IpAddr) -> Option<Arc<Peer>> {
        self.0.retain(|_, of| Arc::strong_count(of) > 1);
        let of_address = self.0.entry(address).or_default();
        if Arc::strong_count(of_address) > PER_ADDRESS_MAX && !address.is_loopback() {
            return None;
        }
        Some(Arc::new(Peer {
            address,
            last_request: Mutex::default(),
            is_websocket: false.into(),
            _of_address: Arc::clone(of_address),
        }))
    }
}

impl Peer {
    /// The address of the client.
    pub(crate) const fn address(&self) -> IpAddr {
        self.address
    }

    /// Notes a request.
    fn note_request(&self) {
        let mut last_request = self
            .last_request
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *last_request = Some(Instant::now());
    }

    /// Returns whether it may be closed to make room: neither a WebSocket, nor being answered.
    fn may_be_closed(&self) -> bool {
        let last_request = self
            .last_request
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let is_answered = last_request.is_some_and(|last_request| last_request.elapsed() < ANSWER);
        !is_answered && !self.is_websocket.load(Ordering::Relaxed)
    }

    /// Marks the connection as a WebSocket. It is no longer closed to make room.
    pub(crate) fn becomes_websocket(&self) {
        self.is_websocket.store(true, Ordering::Relaxed);
    }
}

/// Connections that are no `WebSocket`s yet, the oldest first. Ended ones are cleared away when
/// there is no room.
#[derive(Default)]
struct Pending(VecDeque<(Weak<Peer>, AbortHandle)>);

impl Pending {
    /// Makes room for one more connection. Returns whether there is any.
    fn has_room(&mut self) -> bool {
        if self.0.len() >= PENDING_MAX {
            self.0.retain(|(peer, task)| {
                let waits = peer
                    .upgrade()
                    .is_some_and(|peer| !peer.is_websocket.load(Ordering::Relaxed));
                waits && !task.is_finished()
            });
        }
        self.0.len() < PENDING_MAX || self.close_oldest()
    }

    fn push(&mut self, peer: &Arc<Peer>, task: AbortHandle) {
        self.0.push_back((Arc::downgrade(peer), task));
    }

    /// Closes the oldest connection that may be closed. Returns whether there was one.
    fn close_oldest(&mut self) -> bool {
        let oldest = self
            .0
            .iter()
            .position(|(peer, _)| peer.upgrade().is_some_and(|peer| peer.may_be_closed()));
        let closed = oldest.and_then(|place| self.0.remove(place));
        if let Some((_, task)) = &closed {
            task.abort();
        }
        closed.is_some()
    }
}

/// The most connections that wait to be accepted: the limit of many systems. With a full
/// queue a client tries again after a second.
const QUEUE: u32 = 4096;

/// Listens at an address. Runs within a runtime.
pub(crate) fn listen(addr: SocketAddr) -> Result<TcpListener, ServeError> {
    bind(addr).map_err(|source| ServeError::Listen { addr, source })
}

fn bind(addr: SocketAddr) -> io::Result<TcpListener> {
    let socket = match addr {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // As `TcpListener::bind` does: a server that starts again finds its port free.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(addr)?;
    socket.listen(QUEUE)
}

/// Serves connections until `stop` completes. The remaining ones then have [`SHUTDOWN`] to end.
pub(crate) async fn serve_until(
    listener: TcpListener,
    router: Router,
    stop: impl Future<Output = ()>,
) {
    let mut stop = pin!(stop);
    let (closing, _) = watch::channel(());
    let (mut connections, mut pending) = (JoinSet::new(), Pending::default());
    let mut addresses = Addresses::default();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = connections.join_next(), if !connections.is_empty() => continue,
            () = &mut stop => break,
        };
        let Ok((stream, from)) = accepted else {
            // Mostly the process has no descriptor left.
            pending.close_oldest();
            time::sleep(NO_DESCRIPTOR).await;
            continue;
        };
        if let Some(peer) = addresses.admit(from.ip())
            && pending.has_room()
        {
            let serving = serve(
                stream,
                router.clone(),
                Arc::clone(&peer),
                closing.subscribe(),
            );
            pending.push(&peer, connections.spawn(serving));
        }
    }
    drop(listener);
    // No connection may be left to receive it.
    let _ = closing.send(());
    let ended = async { while connections.join_next().await.is_some() {} };
    let _ = time::timeout(SHUTDOWN, ended).await;
    connections.shutdown().await;
}

/// Serves a connection until it ends or becomes a WebSocket.
async fn serve(
    stream: TcpStream,
    router: Router,
    peer: Arc<Peer>,
    mut closing: watch::Receiver<()>,
) {
    // Frames are small, and each is a whole message.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_read_timeout(Some(STALL));
    stream.set_write_timeout(Some(STALL));
    let answer = service_fn(move |mut request: hyper::Request<Incoming>| {
        peer.note_request();
        request.extensions_mut().insert(Arc::clone(&peer));
        let answer = router.clone().call(request);
        async move { answer.await.map_err(|never: Infallible| never) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .serve_connection(TokioIo::new(Box::pin(stream)), answer)
        .with_upgrades();
    let mut connection = pin!(connection);
    tokio::select! {
        // However it ended, nothing is left to do.
        _ = connection.as_mut() => return,
        _ = closing.changed() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{future, net::Ipv4Addr};

    const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));

    /// Runs a future that spawns connections.
    fn run(future: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        runtime.unwrap().block_on(future);
    }

    #[test]
    fn ended_connections_free_their_address() {
        run(async {
            let (mut addresses, mut pending) = (Addresses::default(), Pending::default());
            // A client that asks each 15 seconds, for a day.
            for number in 0..5760 {
                let peer = addresses.admit(ELSEWHERE);
                let peer = peer.unwrap_or_else(|| panic!("connection {number} is refused"));
                assert!(pending.has_room());
                pending.push(&peer, tokio::spawn(async {}).abort_handle());
            }
            assert!(pending.0.len() <= PENDING_MAX);
        });
    }

    #[test]
    fn address_with_many_connections() {
        let mut addresses = Addresses::default();
        let peers: Vec<_> = (0..PER_ADDRESS_MAX)
            .map(|_| addresses.admit(ELSEWHERE))
            .collect();
        assert!(peers.iter().all(Option::is_some) && addresses.admit(ELSEWHERE).is_none());
        assert!(addresses.admit(Ipv4Addr::LOCALHOST.into()).is_some());
        drop(peers);
        assert!(addresses.admit(ELSEWHERE).is_some());
    }

    #[test]
    fn silent_connections_give_way() {
        run(async {
            let (mut addresses, mut pending) = (Addresses::default(), Pending::default());
            let mut peers = Vec::new();
            for _ in 0..PENDING_MAX {
                let peer = addresses.admit(Ipv4Addr::LOCALHOST.into()).unwrap();
                pending.push(&peer, tokio::spawn(future::pending::<()>()).abort_handle());
                peers.push(peer);
            }
            // The first is a WebSocket, the tenth silent, and the others are being answered.
            for peer in peers
                .iter()
                .skip(1)
                .filter(|peer| !Arc::ptr_eq(peer, &peers[9]))
            {
                peer.note_request();
            }
            peers[0].becomes_websocket();
            assert!(pending.has_room() && pending.has_room());
            assert_eq!(pending.0.len(), PENDING_MAX - 1);
            let peer = addresses.admit(Ipv4Addr::LOCALHOST.into()).unwrap();
            peer.note_request();
            pending.push(&peer, tokio::spawn(future::pending::<()>()).abort_handle());
            assert!(pending.has_room(), "the silent one may be closed");
            pending.push(&peer, tokio::spawn(future::pending::<()>()).abort_handle());
            assert!(
                !pending.has_room(),
                "nobody is cut in the middle of an answer"
            );
        });
    }
}
