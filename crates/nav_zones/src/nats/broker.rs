//! Local broker: starts `nats-server` on this machine and stops it.

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

/// Environment variable that names the program if it is not on the path.
const VARIABLE: &str = "NATS_SERVER";

/// Longest time for a broker to start or stop: a broker with a large store reads it first.
const WAIT: Duration = Duration::from_secs(20);

/// Number of ports that are tried: a free port is rarely taken between test and start.
const PORTS_MAX: u32 = 3;

/// Bytes of the greeting that are read, of some hundred: it bounds the memory for a foreign
/// program.
const GREETING_MAX: u64 = 64 << 10;

/// Interval between checks for start or stop, well below the time of a start.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// Error of a local broker.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BrokerError {
    /// No program was found.
    #[error("there is no nats-server on the path, and {VARIABLE} names none")]
    Missing,
    /// The program could not be run, or the store could not be created.
    #[error("{path}: {error}")]
    File {
        /// Path of the program or the store.
        path: PathBuf,
        /// Error of the operating system.
        error: io::Error,
    },
    /// The broker ended, or did not answer.
    #[error("nats-server on port {port} {what}; its log is {log}")]
    NotRunning {
        /// Port of the broker.
        port: u16,
        /// The event that happened instead.
        what: String,
        /// Path of its log.
        log: PathBuf,
    },
}

/// Local `nats-server` with `JetStream`, on a port that only programs on this machine can reach.
///
/// Meant for tests, and for worlds on one machine. It stops when dropped.
#[derive(Debug)]
pub struct Broker {
    program: PathBuf,
    store: PathBuf,
    port: u16,
    running: Option<Child>,
}

impl Broker {
    /// Returns the program that [`Self::start`] runs: that of the variable `NATS_SERVER`, or else
    /// `nats-server` from the path.
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

    /// Starts a broker on a free port.
    ///
    /// Its data and its log are in the folder `store`, which is created if missing and stays when
    /// the broker stops.
    ///
    /// # Errors
    ///
    /// [`BrokerError`] if there is no program, or it does not start within 20 seconds.
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
                // Another program may have taken the port meanwhile.
                Err(error) if attempt == PORTS_MAX => return Err(error),
                Err(_) => attempt += 1,
            }
        }
    }

    /// Starts the broker again on the same port with the same store. Does nothing if it runs.
    ///
    /// # Errors
    ///
    /// The same as [`Self::start`].
    pub fn restart(&mut self) -> Result<(), BrokerError> {
        if matches!(self.running.as_mut().map(Child::try_wait), Some(Ok(None))) {
            return Ok(());
        }
        let name = name();
        let mut command = Command::new(&self.program);
        // Ctrl-C in a terminal goes to the whole group of its program, which still needs the broker
        // to end in good order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let process = command
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

    /// Asks the broker to end and waits until it did. Does nothing if it does not run.
    ///
    /// # Errors
    ///
    /// [`BrokerError::NotRunning`] if it had to be killed.
    pub fn stop(&mut self) -> Result<(), BrokerError> {
        let Some(process) = &mut self.running else {
            return Ok(());
        };
        // The program sends the signal, since it knows how on each system.
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

    /// Ends the broker at once, as in a crash.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.running.take() {
            // Fails only if the process already ended.
            process.kill().ok();
            process.wait().ok();
        }
    }

    /// Returns the address, for [`NatsOptions::new`](super::NatsOptions::new).
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Returns the process id, if the broker runs.
    pub fn process(&self) -> Option<u32> {
        self.running.as_ref().map(Child::id)
    }

    /// Returns the folder with the broker's data.
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
        // A drop has no way to report an error, and the process is gone in either case.
        self.stop().ok();
    }
}

/// Returns a name that no other broker on this machine has.
fn name() -> String {
    static STARTED: AtomicU64 = AtomicU64::new(0);
    let number = STARTED.fetch_add(1, Ordering::Relaxed);
    format!("nav-{}-{number}", std::process::id())
}

/// Returns whether the broker with this name answers on a port. A broker greets with its name.
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
