//! A broker that asks for a password.

use crate::processes;
use nav_zones::nats::Broker;
use std::{
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

/// A broker for the user `zones` with the password `secret`, with room for 60 MB.
pub struct Guarded {
    process: Child,
    store: PathBuf,
    pub port: u16,
}

impl Guarded {
    pub fn start(test: &str) -> Self {
        Self::with(test, "authorization { user: zones, password: secret }")
    }

    /// Starts it with a part of a configuration, in which the variable `ZONES_PASSWORD` is
    /// `secret`.
    pub fn with(test: &str, authorization: &str) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = free.local_addr().expect("a port").port();
        drop(free);
        let store = std::env::temp_dir().join(format!("{test}-{}", std::process::id()));
        std::fs::create_dir_all(&store).expect("a folder for it");
        let config = format!(
            "jetstream {{ max_file_store: 60000000 }}\nlog_file: \"{}\"\n{authorization}\n",
            store.join("log").display()
        );
        std::fs::write(store.join("config"), config).expect("a file for it");
        Self {
            process: Self::run(&store, port),
            store,
            port,
        }
    }

    fn run(store: &Path, port: u16) -> Child {
        let process = Command::new(Broker::program().expect("it is there"))
            .args([
                "--addr",
                "127.0.0.1",
                "--port",
                &port.to_string(),
                "--jetstream",
            ])
            .env("ZONES_PASSWORD", "secret")
            .arg("--store_dir")
            .arg(store)
            .arg("--config")
            .arg(store.join("config"))
            .stderr(Stdio::null())
            .spawn()
            .expect("it is there");
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            std::thread::sleep(Duration::from_millis(20));
        }
        process
    }

    /// Ends it as in a crash, and starts it with another store: a copy, or an empty one.
    pub fn replace_store(&mut self, copy: Option<&Path>) {
        self.end("KILL");
        let streams = self.store.join("jetstream");
        std::fs::remove_dir_all(&streams).expect("it has streams");
        if let Some(copy) = copy {
            copy_folder(copy, &streams);
        }
        self.process = Self::run(&self.store, self.port);
    }

    /// Copies its store as the page about operating says: it is away meanwhile.
    pub fn back_up(&mut self) -> PathBuf {
        self.end("TERM");
        let copy = self.store.join("copy");
        std::fs::remove_dir_all(&copy).ok();
        copy_folder(&self.store.join("jetstream"), &copy);
        self.process = Self::run(&self.store, self.port);
        copy
    }

    fn end(&mut self, signal: &str) {
        processes::signal(signal, self.process().into());
        self.process.wait().expect("it is a child");
    }

    /// Returns what it wrote into its log.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.store.join("log")).expect("it writes one")
    }

    pub fn process(&self) -> u32 {
        self.process.id()
    }

    pub fn url(&self) -> String {
        format!("nats://zones:secret@127.0.0.1:{}", self.port)
    }
}

fn copy_folder(from: &Path, to: &Path) {
    let copied = Command::new("cp")
        .arg("--archive")
        .arg(from)
        .arg(to)
        .status();
    assert!(copied.expect("a program cp").success());
}

impl Drop for Guarded {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
        std::fs::remove_dir_all(&self.store).ok();
    }
}
