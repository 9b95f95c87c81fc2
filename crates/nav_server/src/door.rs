//! The door: accepts connections, and closes connections that fill the server without using it.

use crate::ServeError;
use axum::Router;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::{
    collections::{BTreeMap, VecDeque},
    convert::Infallible,
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

/// How long a client has for the head of a request, and between two requests. A guess: a slow phone
/// needs a second.
const HEAD: Duration = Duration::from_secs(5);

/// How long a connection may wait for the client to send, or to take what is sent. A guess: more than
/// the thirty seconds after which a silent WebSocket is closed with a reason.
const STALL: Duration = Duration::from_secs(40);

/// The most connections that are no `WebSocket`s yet. For another one the oldest is closed that is not
/// [being answered](ANSWER), so that silent connections never shut out others. A guess: a page makes six, for a second.
const GUESTS_MAX: usize = 256;

/// For how long after its last request a connection is not closed to make room: its answer is on the way. A guess: the
/// ground of a large map takes a second on a slow line.
const ANSWER: Duration = Duration::from_secs(2);

/// The most connections of an address, `WebSocket`s included. A guess: a household, or a class behind
/// one router. Loopback is exempt: a proxy brings all clients from there.
const PER_ADDRESS_MAX: usize = 64;

/// How long to wait when the system has no descriptor left. A guess.
const NO_DESCRIPTOR: Duration = Duration::from_millis(20);

/// How long connections have to end when the server stops; then they are cut. A guess.
pub(crate) const LEAVING: Duration = Duration::from_secs(3);

/// A connection, as long as any part of the server serves it.
pub(crate) struct Visit {
    peer: IpAddr,
    /// The time of its last request.
    asked: Mutex<Option<Instant>>,
    /// Whether it became a WebSocket, which other limits hold for.
    is_seated: AtomicBool,
    addresses: Arc<Addresses>,
}

/// The number of connections by address.
#[derive(Default)]
struct Addresses(Mutex<BTreeMap<IpAddr, usize>>);

impl Addresses {
    /// Counts a connection; `None` if its address has as many as it may.
    fn enter(self: &Arc<Self>, peer: IpAddr) -> Option<Arc<Visit>> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(peer).or_default();
        if *count >= PER_ADDRESS_MAX && !peer.is_loopback() {
            return None;
        }
        *count += 1;
        Some(Arc::new(Visit {
            peer,
            asked: Mutex::default(),
            is_seated: false.into(),
            addresses: Arc::clone(self),
        }))
    }
}

impl Visit {
    /// The address of the client.
    pub(crate) const fn peer(&self) -> IpAddr {
        self.peer
    }

    /// Notes a request.
    fn ask(&self) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        *asked = Some(Instant::now());
    }

    /// Returns whether it may be closed to make room: neither a WebSocket, nor being answered.
    fn gives_way(&self) -> bool {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let is_answered = asked.is_some_and(|asked| asked.elapsed() < ANSWER);
        !is_answered && !self.is_seated.load(Ordering::Relaxed)
    }

    /// Marks the connection as a WebSocket. It is no longer closed to make room.
    pub(crate) fn seat(&self) {
        self.is_seated.store(true, Ordering::Relaxed);
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let counts = self.addresses.0.lock();
        let mut counts = counts.unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.peer) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.peer);
            }
        }
    }
}

/// Connections that are no `WebSocket`s yet, the oldest first. Ended ones are cleared away when there is no room.
#[derive(Default)]
struct Waiting(VecDeque<(Weak<Visit>, AbortHandle)>);

impl Waiting {
    /// Makes room for one more connection. Returns whether there is any.
    fn has_room(&mut self) -> bool {
        if self.0.len() >= GUESTS_MAX {
            self.0.retain(|(visit, task)| {
                let visit = visit.upgrade();
                let waits = |visit: Arc<Visit>| !visit.is_seated.load(Ordering::Relaxed);
                !task.is_finished() && visit.is_some_and(waits)
            });
        }
        self.0.len() < GUESTS_MAX || self.close_oldest()
    }

    fn push(&mut self, visit: &Arc<Visit>, task: AbortHandle) {
        self.0.push_back((Arc::downgrade(visit), task));
    }

    /// Closes the oldest connection that gives way. Returns whether there was one.
    fn close_oldest(&mut self) -> bool {
        let oldest = self.0.iter().position(|(visit, _)| {
            let visit = visit.upgrade();
            visit.is_some_and(|visit| visit.gives_way())
        });
        let closed = oldest.and_then(|place| self.0.remove(place));
        if let Some((_, task)) = &closed {
            task.abort();
        }
        closed.is_some()
    }
}

/// The most connections that wait to be accepted. A guess: the limit of many systems. With a full queue a client
/// tries again after a second.
const QUEUE: u32 = 4096;

/// Listens at an address. Runs within a runtime.
pub(crate) fn listen(addr: SocketAddr) -> Result<TcpListener, ServeError> {
    let listen = || {
        let socket = match addr {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        // As `TcpListener::bind` does: a server that starts again finds its port free.
        #[cfg(unix)]
        socket.set_reuseaddr(true)?;
        socket.bind(addr)?;
        socket.listen(QUEUE)
    };
    listen().map_err(|source| ServeError::Listen { addr, source })
}

/// Serves connections until `stop` completes. The remaining ones then have [`LEAVING`] to end.
pub(crate) async fn keep(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
    let mut stop = pin!(stop);
    let (closing, _) = watch::channel(());
    let (mut connections, mut waiting) = (JoinSet::new(), Waiting::default());
    let addresses = Arc::new(Addresses::default());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = connections.join_next(), if !connections.is_empty() => continue,
            () = &mut stop => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Mostly the process has no descriptor left.
            waiting.close_oldest();
            time::sleep(NO_DESCRIPTOR).await;
            continue;
        };
        if let Some(visit) = addresses.enter(peer.ip())
            && waiting.has_room()
        {
            let serving = serve(
                stream,
                router.clone(),
                Arc::clone(&visit),
                closing.subscribe(),
            );
            waiting.push(&visit, connections.spawn(serving));
        }
    }
    drop(listener);
    // No connection may be left to receive it.
    let _ = closing.send(());
    let ended = async { while connections.join_next().await.is_some() {} };
    let _ = time::timeout(LEAVING, ended).await;
    connections.shutdown().await;
}

/// Serves a connection until it ends or becomes a WebSocket.
async fn serve(
    stream: TcpStream,
    router: Router,
    visit: Arc<Visit>,
    mut closing: watch::Receiver<()>,
) {
    // Frames are small, and each is a whole message.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_read_timeout(Some(STALL));
    stream.set_write_timeout(Some(STALL));
    let answer = service_fn(move |mut request: hyper::Request<Incoming>| {
        visit.ask();
        request.extensions_mut().insert(Arc::clone(&visit));
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
    use std::{future::pending, net::Ipv4Addr};

    const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));

    /// Runs a future that spawns connections.
    fn run(future: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        runtime.unwrap().block_on(future);
    }

    #[test]
    fn ended_connections_free_their_address() {
        run(async {
            let (addresses, mut waiting) = (Arc::new(Addresses::default()), Waiting::default());
            // A client that asks each 15 seconds, for a day.
            for number in 0..5760 {
                let visit = addresses.enter(ELSEWHERE);
                let visit = visit.unwrap_or_else(|| panic!("connection {number} is refused"));
                assert!(waiting.has_room());
                waiting.push(&visit, tokio::spawn(async {}).abort_handle());
            }
            assert!(waiting.0.len() <= GUESTS_MAX);
        });
    }

    #[test]
    fn address_with_many_connections() {
        let addresses = Arc::new(Addresses::default());
        let visits: Vec<_> = (0..PER_ADDRESS_MAX)
            .map(|_| addresses.enter(ELSEWHERE))
            .collect();
        assert!(visits.iter().all(Option::is_some) && addresses.enter(ELSEWHERE).is_none());
        assert!(addresses.enter(Ipv4Addr::LOCALHOST.into()).is_some());
        drop(visits);
        assert!(addresses.enter(ELSEWHERE).is_some());
    }

    #[test]
    fn silent_connections_give_way() {
        run(async {
            let (addresses, mut waiting) = (Arc::new(Addresses::default()), Waiting::default());
            let mut visits = Vec::new();
            for _ in 0..GUESTS_MAX {
                let visit = addresses.enter(Ipv4Addr::LOCALHOST.into()).unwrap();
                waiting.push(&visit, tokio::spawn(pending::<()>()).abort_handle());
                visits.push(visit);
            }
            // The first is a WebSocket, the tenth silent, and the others are being answered.
            for visit in visits
                .iter()
                .skip(1)
                .filter(|visit| !Arc::ptr_eq(visit, &visits[9]))
            {
                visit.ask();
            }
            visits[0].seat();
            assert!(waiting.has_room() && waiting.has_room());
            assert_eq!(waiting.0.len(), GUESTS_MAX - 1);
            let visit = addresses.enter(Ipv4Addr::LOCALHOST.into()).unwrap();
            visit.ask();
            waiting.push(&visit, tokio::spawn(pending::<()>()).abort_handle());
            assert!(waiting.has_room(), "the silent one gives way");
            waiting.push(&visit, tokio::spawn(pending::<()>()).abort_handle());
            assert!(
                !waiting.has_room(),
                "nobody is cut in the middle of an answer"
            );
        });
    }
}
