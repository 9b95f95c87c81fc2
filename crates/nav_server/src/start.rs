//! Starts the host and the web server, and stops both when the program is asked to end.

use crate::{
    Control, ServeError, Settings, Source,
    connection::Command,
    ground::Ground,
    guesses::Guesses,
    host::Host,
    http::{Shared, router},
    listener::{self, SHUTDOWN},
};
use nav_cli::print;
use std::{
    future::pending,
    io::{self, Write},
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, sync_channel},
    },
    thread::{self, JoinHandle},
};
#[cfg(unix)]
use tokio::signal::unix::{SignalKind, signal};
use tokio::{sync::Semaphore, time};

/// Most commands that wait for the host. More are dropped, so that clients cannot fill the memory
/// of a busy host: four ticks of commands.
const COMMANDS: usize = 16_384;

/// Waits for Ctrl-C, and on Unix for SIGTERM, by which supervisors stop a program, and SIGHUP, by
/// which a terminal that is closed does.
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

impl Settings {
    /// Serves `source` under `name` until the program is [asked to end](asked_to_end). Prints the
    /// address when clients can connect.
    ///
    /// # Errors
    ///
    /// As [`serve`].
    pub fn serve(&self, source: Source, name: &str) -> Result<(), ServeError> {
        if !self.addr.ip().is_loopback() {
            let may = match self.control {
                Some(Control::Everyone) => "may watch, take a player and pause it",
                _ => "may watch and take a player",
            };
            eprintln!("warning: everybody who reaches {} {may}", self.addr);
        }
        serve(
            source,
            name,
            self,
            |addr, control| {
                // A given token is known already, and others read logs.
                let fragment = match self.control {
                    None => control.to_string(),
                    Some(_) => String::new(),
                };
                // The server runs even if its output cannot be written.
                let _ = print(|out| {
                    writeln!(
                        out,
                        "http://{addr}/{fragment} shows {name}; Ctrl-C stops it"
                    )
                });
            },
            asked_to_end(),
        )
    }
}

/// Serves a running simulation under a name until `until` completes. Calls `ready` when clients can
/// connect, with the address, and with the clients that may control the server.
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
    let (commands, inbox) = sync_channel(COMMANDS);
    // As many connections as the system allows. If it does not say, its own limit stays.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let listener = runtime.block_on(async { listener::listen(settings.addr) })?;
    let addr = listener.local_addr()?;
    let host = start_host(source, name.to_owned(), inbox, Arc::clone(&ground))?;
    let given = settings.control.clone();
    let control = given.unwrap_or_else(Control::any_token);
    let shared = Arc::new(Shared {
        commands: commands.clone(),
        ground,
        clients_max: settings.clients_max,
        places: Arc::new(Semaphore::new(settings.clients_max)),
        last_client: 0.into(),
        control: control.clone(),
        guesses: Guesses::default(),
        upload: Semaphore::new(1),
        hosts: settings.hosts.clone(),
    });
    ready(addr, &control);
    let stopping = commands.clone();
    let stop = async move {
        until.await;
        // The host closes all connections. Otherwise the web server would wait for them.
        let _ = stopping.send(Command::Stop);
    };
    runtime.block_on(async {
        let (places, clients_max) = (Arc::clone(&shared.places), shared.clients_max);
        listener::serve_until(listener, router(&shared).with_state(shared), stop).await;
        // It does not wait for connections that became WebSockets.
        let all_left = places.acquire_many(clients_max as u32);
        let _ = time::timeout(SHUTDOWN, all_left).await;
    });
    // Cuts what is left.
    drop(runtime);
    let _ = commands.send(Command::Stop);
    drop(commands);
    if host.join().is_err() {
        return Err(ended_early().into());
    }
    Ok(())
}

/// Starts the thread of the hosts, and waits until the first one has begun.
fn start_host(
    source: Source,
    name: String,
    inbox: Receiver<Command>,
    ground: Arc<Mutex<Ground>>,
) -> Result<JoinHandle<()>, ServeError> {
    let (answer, begun) = sync_channel(1);
    // An app stays in the thread that created it.
    let thread = thread::Builder::new().name("host".to_owned());
    let host = thread.spawn(move || match Host::new(source, name) {
        Ok(host) => {
            let _ = answer.send(Ok(()));
            let mut next = Some(Box::new(host));
            while let Some(host) = next {
                next = host.run(&inbox, &ground);
            }
        }
        Err(error) => {
            let _ = answer.send(Err(error));
        }
    })?;
    begun.recv().map_err(|_| ended_early())??;
    Ok(host)
}

fn ended_early() -> io::Error {
    io::Error::other("the simulation ended early")
}
