//! Starts the host and the web server, and stops both when the program is asked to end.

use crate::{
    Control, Settings, Source,
    door::{self, LEAVING},
    ground::Ground,
    guesses::Guesses,
    host::Host,
    http::{Shared, router},
    link::Order,
};
use nav_sim::sim::SimError;
use std::{
    future::pending,
    io,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc::sync_channel,
    },
    thread,
    time::Duration,
};
#[cfg(unix)]
use tokio::signal::unix::{SignalKind, signal};
use tokio::{sync::Semaphore, time};

/// The error of serving a scenario.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be used.
    #[error("cannot listen at {addr}: {source}")]
    Listen {
        /// The address.
        addr: SocketAddr,
        /// The reason.
        source: io::Error,
    },
    /// The scenario does not fit its map.
    #[error(transparent)]
    Sim(#[from] SimError),
    /// The system refuses a thread or a socket.
    #[error("the server cannot run: {0}")]
    Io(#[from] io::Error),
}

/// Most orders that wait for the host. More are dropped, so that clients cannot fill the memory of
/// a busy host. A guess: four ticks of orders.
const ORDERS: usize = 16_384;

/// Waits for Ctrl-C, and on Unix for SIGTERM, by which supervisors stop a program, and SIGHUP, by which a terminal that is
/// closed does.
pub async fn asked_to_end() {
    let ctrl_c = async {
        // Without a handler it runs until it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            pending::<()>().await;
        }
    };
    #[cfg(unix)]
    if let (Ok(mut terminate), Ok(mut hang_up)) = (
        signal(SignalKind::terminate()),
        signal(SignalKind::hangup()),
    ) {
        tokio::select! {
            () = ctrl_c => {}
            _ = terminate.recv() => {}
            _ = hang_up.recv() => {}
        }
        return;
    }
    ctrl_c.await;
}

/// Serves a running simulation under a name until `until` completes. Calls `ready` when clients can connect, with the
/// address, and with the clients that may control the server.
///
/// # Errors
///
/// [`ServeError`]. After the first tick only those of the system.
pub fn serve(
    source: Source,
    name: &str,
    settings: &Settings,
    ready: impl FnOnce(SocketAddr, &Control),
    until: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let ground = Arc::new(Mutex::new(Ground::of(&source.map().grid)));
    let (orders, inbox) = sync_channel(ORDERS);
    // As many connections as the system allows. If it does not say, its own limit stays.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let listener = runtime.block_on(async { door::listen(settings.addr) })?;
    let addr = listener.local_addr()?;
    // An app stays in the thread that created it.
    let (answer, begun) = sync_channel(1);
    let name = name.to_owned();
    let shown = Arc::clone(&ground);
    let host = thread::Builder::new()
        .name("host".to_owned())
        .spawn(move || match Host::new(source, name) {
            Ok(host) => {
                let _ = answer.send(Ok(()));
                let mut host = Some(Box::new(host));
                while let Some(now) = host {
                    host = now.run(&inbox, &shown);
                }
            }
            Err(error) => {
                let _ = answer.send(Err(error));
            }
        })?;
    begun.recv().map_err(|_| ended_early())??;
    let control = settings.control.clone();
    let control = control.unwrap_or_else(Control::any_token);
    let shared = Arc::new(Shared {
        orders: orders.clone(),
        ground,
        clients_max: settings.clients_max,
        clients: AtomicUsize::new(0),
        last_link: 0.into(),
        control: control.clone(),
        guesses: Guesses::default(),
        upload: Semaphore::new(1),
        hosts: settings.hosts.clone(),
    });
    ready(addr, &control);
    let stopping = orders.clone();
    let stop = async move {
        until.await;
        // The host closes all connections. Otherwise the web server would wait for them.
        let _ = stopping.send(Order::Stop);
    };
    runtime.block_on(async {
        let clients = Arc::clone(&shared);
        door::keep(listener, router(&shared).with_state(shared), stop).await;
        // It does not wait for connections that became WebSockets.
        let everybody_left = async {
            while clients.clients.load(Ordering::Relaxed) > 0 {
                time::sleep(Duration::from_millis(5)).await;
            }
        };
        let _ = time::timeout(LEAVING, everybody_left).await;
    });
    // Cuts what is left.
    drop(runtime);
    let _ = orders.send(Order::Stop);
    drop(orders);
    if host.join().is_err() {
        return Err(ended_early().into());
    }
    Ok(())
}

fn ended_early() -> io::Error {
    io::Error::other("the simulation ended early")
}
