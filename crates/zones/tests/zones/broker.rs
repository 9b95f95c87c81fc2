//! A broker that asks for a password.

use nav_zones::nats::Broker;
use std::{
    net::{TcpListener, TcpStream},
    path::PathBuf,
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
        let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = free.local_addr().expect("a port").port();
        drop(free);
        let store = std::env::temp_dir().join(format!("{test}-{}", std::process::id()));
        std::fs::create_dir_all(&store).expect("a folder for it");
        let config = store.join("config");
        std::fs::write(&config, "jetstream { max_file_store: 60000000 }").expect("a file for it");
        let process = Command::new(Broker::program().expect("it is there"))
            .args([
                "--addr",
                "127.0.0.1",
                "--port",
                &port.to_string(),
                "--jetstream",
            ])
            .args(["--user", "zones", "--pass", "secret", "--store_dir"])
            .arg(&store)
            .arg("--config")
            .arg(&config)
            .stderr(Stdio::null())
            .spawn()
            .expect("it is there");
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            std::thread::sleep(Duration::from_millis(20));
        }
        Self {
            process,
            store,
            port,
        }
    }

    pub fn process(&self) -> u32 {
        self.process.id()
    }

    pub fn url(&self) -> String {
        format!("nats://zones:secret@127.0.0.1:{}", self.port)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
        std::fs::remove_dir_all(&self.store).ok();
    }
}
