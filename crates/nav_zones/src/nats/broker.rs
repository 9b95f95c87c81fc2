//! A broker of one's own: starts `nats-server` on this machine and stops it.

use super::connect::now;
use std::{
    fs, io,
    io::{BufRead, BufReader, Read},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// The variable that names the program, where it is not on the path.
const VARIABLE: &str = "NATS_SERVER";

/// How long a broker may take to start or to stop: with a large store it reads that first.
const WAIT: Duration = Duration::from_secs(20);

/// How many ports are tried.
const PORTS_MAX: u32 = 3;

/// How many bytes of its first line are read.
const GREETING_MAX: u64 = 64 << 10;

/// How often it is looked whether it has.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// Why there is no broker.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BrokerError {
    /// There is no program to start.
    #[error("there is no nats-server on the path, and {VARIABLE} names none")]
    Missing,
    /// The file is there but could not be run, or the store could not be made.
    #[error("{path}: {error}")]
    File {
        /// The program or the store.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// It ended, or did not answer.
    #[error("nats-server on port {port} {what}; its log is {log}")]
    NotRunning {
        /// Its port.
        port: u16,
        /// What happened instead.
        what: String,
        /// Where it says more.
        log: PathBuf,
    },
}

/// A `nats-server` with `JetStream` on a port of this machine that only programs here can reach: for tests, and for
/// worlds on one machine. It stops when this is dropped.
#[derive(Debug)]
pub struct Broker {
    program: PathBuf,
    store: PathBuf,
    port: u16,
    running: Option<Child>,
}

impl Broker {
    /// The program that [`Self::start`] runs: what the variable `NATS_SERVER` names, or else `nats-server` from the
    /// path.
    ///
    /// # Errors
    ///
    /// [`BrokerError::Missing`].
    pub fn program() -> Result<PathBuf, BrokerError> {
        let named = std::env::var_os(VARIABLE).filter(|name| !name.is_empty());
        let path = std::env::var_os("PATH").unwrap_or_default();
        let name = format!("nats-server{}", std::env::consts::EXE_SUFFIX);
        let in_path = || {
            std::env::split_paths(&path)
                .map(|folder| folder.join(&name))
                .find(|file| file.is_file())
        };
        let program = named.map(PathBuf::from).or_else(in_path);
        program.ok_or(BrokerError::Missing)
    }

    /// Starts a broker on a free port. What it keeps, and its log, are in a folder, which is made if it is not there
    /// and stays when the broker stops.
    ///
    /// # Errors
    ///
    /// [`BrokerError`], if there is no program or it does not come up within 20 seconds.
    pub fn start(store: impl Into<PathBuf>) -> Result<Self, BrokerError> {
        let (program, store) = (Self::program()?, store.into());
        let file_error = |error| BrokerError::File {
            path: store.clone(),
            error,
        };
        fs::create_dir_all(&store).map_err(file_error)?;
        let mut attempt = 1;
        loop {
            let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
            let port = free
                .and_then(|free| free.local_addr())
                .map_err(file_error)?
                .port();
            let mut broker = Self {
                program: program.clone(),
                store: store.clone(),
                port,
                running: None,
            };
            match broker.restart() {
                Ok(()) => return Ok(broker),
                // Another program may have got the port in between.
                Err(error) if attempt == PORTS_MAX => return Err(error),
                Err(_) => attempt += 1,
            }
        }
    }

    /// Starts it again on the same port with the same store, if it does not run.
    ///
    /// # Errors
    ///
    /// As those of [`Self::start`].
    pub fn restart(&mut self) -> Result<(), BrokerError> {
        if self.running.is_some() {
            return Ok(());
        }
        let name = name();
        let process = Command::new(&self.program)
            .args([
                "--addr",
                "127.0.0.1",
                "--port",
                &self.port.to_string(),
                "--jetstream",
            ])
            .args(["--name", &name])
            .arg("--store_dir")
            .arg(&self.store)
            .arg("--log")
            .arg(self.log())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let process = process.map_err(|error| BrokerError::File {
            path: self.program.clone(),
            error,
        })?;
        self.running = Some(process);
        let started = now();
        while started.elapsed() < WAIT {
            if let Some(Ok(Some(status))) = self.running.as_mut().map(Child::try_wait) {
                self.running = None;
                return Err(self.not_running(format!("ended with {status}")));
            }
            if greets(self.port, &name) {
                return Ok(());
            }
            std::thread::sleep(LOOK_AGAIN);
        }
        self.kill();
        Err(self.not_running(format!("did not answer within {WAIT:?}")))
    }

    /// Asks it to end, and waits until it has; nothing, if it does not run.
    ///
    /// # Errors
    ///
    /// [`BrokerError::NotRunning`], if it had to be killed.
    pub fn stop(&mut self) -> Result<(), BrokerError> {
        let Some(process) = &mut self.running else {
            return Ok(());
        };
        // The program itself sends the signal: it knows how on each system.
        let signal = format!("term={}", process.id());
        let mut ask = Command::new(&self.program);
        ask.args(["--signal", &signal])
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let asked = ask.status().is_ok_and(|status| status.success());
        let since = now();
        while asked && since.elapsed() < WAIT {
            if let Ok(Some(_)) = process.try_wait() {
                self.running = None;
                return Ok(());
            }
            std::thread::sleep(LOOK_AGAIN);
        }
        self.kill();
        Err(self.not_running("had to be killed".to_owned()))
    }

    /// Ends it at once, as if its process had crashed.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.running.take() {
            // It fails only if it has ended.
            process.kill().ok();
            process.wait().ok();
        }
    }

    /// Its address, for [`NatsOptions::new`](super::NatsOptions::new).
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// The number of its process, if it runs.
    pub fn process(&self) -> Option<u32> {
        self.running.as_ref().map(Child::id)
    }

    /// The folder with what it keeps.
    pub fn store(&self) -> &Path {
        &self.store
    }

    fn log(&self) -> PathBuf {
        self.store.join("log")
    }

    fn not_running(&self, what: String) -> BrokerError {
        BrokerError::NotRunning {
            port: self.port,
            what,
            log: self.log(),
        }
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        // Nobody is left to whom an error could be given; the process is gone either way.
        self.stop().ok();
    }
}

/// A name for a broker that no other has on this machine.
fn name() -> String {
    static STARTED: AtomicU64 = AtomicU64::new(0);
    let number = STARTED.fetch_add(1, Ordering::Relaxed);
    format!("nav-{}-{number}", std::process::id())
}

/// Whether the broker of a name answers on a port: it says who it is first.
fn greets(port: u16, name: &str) -> bool {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let Ok(stream) = TcpStream::connect_timeout(&address, LOOK_AGAIN) else {
        return false;
    };
    let mut line = String::new();
    let is_limited = stream
        .set_read_timeout(Some(Duration::from_secs(1)))
        .is_ok();
    let mut reader = BufReader::new(stream.take(GREETING_MAX));
    is_limited
        && reader.read_line(&mut line).is_ok()
        && line.starts_with("INFO ")
        && line.contains(&format!("\"{name}\""))
}
