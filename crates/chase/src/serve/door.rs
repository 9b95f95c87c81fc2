//! The door: accepts connections, and closes connections that fill the server without using it.

use super::ServeError;
use axum::Router;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::{
    collections::{BTreeMap, VecDeque},
    convert::Infallible,
    net::{IpAddr, SocketAddr},
    pin::pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    sync::watch,
    task::{AbortHandle, JoinSet},
    time,
};
use tokio_io_timeout::TimeoutStream;
use tower_service::Service;

/// How long a client has for the head of a request, and between two requests. A guess: a slow phone
/// needs a second.
const HEAD: Duration = Duration::from_secs(5);

/// How long a connection may wait for the client to send, or to take what is sent. A guess: more than
/// the thirty seconds after which a silent WebSocket is closed with a reason.
const STALL: Duration = Duration::from_secs(40);

/// The most connections that are no `WebSocket`s yet. For another one the oldest is closed, so that
/// silent connections never shut out others. A guess: a page makes six, for a second.
const GUESTS_MAX: usize = 256;

/// The most connections of an address, `WebSocket`s included. A guess: a household, or a class behind
/// one router. Loopback is exempt: a proxy brings all clients from there.
const PER_ADDRESS_MAX: usize = 64;

/// How long to wait when the system has no descriptor left. A guess.
const NO_DESCRIPTOR: Duration = Duration::from_millis(20);

/// How long connections have to end when the server stops; then they are cut. A guess.
pub(super) const LEAVING: Duration = Duration::from_secs(3);

/// A connection, as long as any part of the server serves it.
pub(super) struct Visit {
    peer: IpAddr,
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
            is_seated: false.into(),
            addresses: Arc::clone(self),
        }))
    }
}

impl Visit {
    /// Marks the connection as a WebSocket. It is no longer closed to make room.
    pub(super) fn seat(&self) {
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

/// Connections that are no `WebSocket`s yet, the oldest first.
#[derive(Default)]
struct Waiting(VecDeque<(Arc<Visit>, AbortHandle)>);

impl Waiting {
    fn push(&mut self, visit: Arc<Visit>, task: AbortHandle) {
        if self.0.len() >= GUESTS_MAX {
            let waits = |(visit, task): &(Arc<Visit>, AbortHandle)| {
                !task.is_finished() && !visit.is_seated.load(Ordering::Relaxed)
            };
            self.0.retain(waits);
        }
        if self.0.len() >= GUESTS_MAX {
            self.close_oldest();
        }
        self.0.push_back((visit, task));
    }

    fn close_oldest(&mut self) {
        if let Some((visit, task)) = self.0.pop_front()
            && !visit.is_seated.load(Ordering::Relaxed)
        {
            task.abort();
        }
    }
}

/// The most connections that wait to be accepted. A guess: the limit of many systems. With a full queue a client
/// tries again after a second.
const QUEUE: u32 = 4096;

/// Listens at an address. Runs within a runtime.
pub(super) fn listen(addr: SocketAddr) -> Result<TcpListener, ServeError> {
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
pub(super) async fn keep(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
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
        if let Some(visit) = addresses.enter(peer.ip()) {
            let serving = serve(
                stream,
                router.clone(),
                Arc::clone(&visit),
                closing.subscribe(),
            );
            waiting.push(visit, connections.spawn(serving));
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
