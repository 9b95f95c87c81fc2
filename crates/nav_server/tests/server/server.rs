//! A server in a thread of the test.

use nav_server::{Control, ServeError, Settings, Source, serve};
use nav_sim::{Scenario, maps};
use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    path::Path,
    sync::mpsc::{Sender, TryRecvError, channel},
    thread::{self, JoinHandle},
    time::Duration,
};

/// A server that stops when it is dropped.
pub struct Server {
    pub addr: SocketAddr,
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<Result<(), ServeError>>>,
}

impl Server {
    /// Serves a scenario of the program.
    pub fn of(name: &str) -> Self {
        Self::with(name, 100)
    }

    /// Serves a scenario to at most `clients_max` clients.
    pub fn with(name: &str, clients_max: usize) -> Self {
        Self::with_settings(name, |settings| settings.clients_max = clients_max)
    }

    /// Serves a scenario with changed settings.
    pub fn with_settings(name: &str, change: impl FnOnce(&mut Settings)) -> Self {
        let scenario = Scenario::named(Path::new(name)).unwrap();
        let map = maps::load(scenario.map.as_ref()).unwrap();
        let mut settings = Settings {
            addr: ([127, 0, 0, 1], 0).into(),
            clients_max: 100,
            control: Some(Control::Everyone),
            hosts: Vec::new(),
        };
        change(&mut settings);
        let (stop, stopped) = channel::<()>();
        let (ready, addr) = channel();
        let until = async move {
            while stopped.try_recv() == Err(TryRecvError::Empty) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let name = name.to_owned();
        let run = move || {
            serve(
                Source::run(scenario, map),
                &name,
                &settings,
                |addr, _: &Control| ready.send(addr).unwrap(),
                until,
            )
        };
        let thread = thread::spawn(run);
        Self {
            addr: addr.recv().unwrap(),
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Stops the server and returns its result.
    pub fn stop(mut self) -> Result<(), ServeError> {
        self.stop.take();
        self.thread.take().unwrap().join().unwrap()
    }

    /// Returns the head and the body of an answer.
    pub fn get(&self, path: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(self.addr).unwrap();
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.addr
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .unwrap();
        let body = answer.split_off(end + 4);
        (String::from_utf8(answer).unwrap(), body)
    }

    /// Returns the status and the body of the answer to a POST.
    pub fn post(&self, path: &str, body: &[u8]) -> (u16, String) {
        self.post_with(path, "", body)
    }

    /// As [`post`](Self::post), with lines of the head.
    pub fn post_with(&self, path: &str, head: &str, body: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(self.addr).unwrap();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\n{head}Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.addr,
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        // A server that refuses a body does not read it.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), body.to_owned())
    }

    /// Returns the value of a metric.
    pub fn metric(&self, name: &str) -> f64 {
        let (_, body) = self.get("/metrics");
        let text = String::from_utf8(body).unwrap();
        let value = text
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value
            .unwrap_or_else(|| panic!("no {name} in {text}"))
            .parse()
            .unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(
                thread::panicking() || matches!(ended, Ok(Ok(()))),
                "{ended:?}"
            );
        }
    }
}
