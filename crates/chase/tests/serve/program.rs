//! The program in a process of its own.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
};

/// The program in a process of its own.
pub struct Program {
    pub child: Child,
    /// What it printed once it was ready.
    pub ready: String,
}

impl Program {
    /// Serves the scenario `hunt` with options, until it is ready.
    pub fn with(options: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_chase"))
            .args(["serve", "hunt", "--addr", "127.0.0.1:0"])
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut ready = String::new();
        let output = child.stdout.as_mut().unwrap();
        BufReader::new(output).read_line(&mut ready).unwrap();
        Self { child, ready }
    }

    pub fn address(&self) -> &str {
        let rest = self.ready.trim_start_matches("http://");
        rest.split('/').next().unwrap()
    }

    /// Its memory in KiB; `None` where the system does not say.
    pub fn memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim_end_matches("kB").trim().parse().ok()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A supervisor stops a server by SIGTERM, which ends it as Ctrl-C does.
#[cfg(unix)]
#[test]
fn terminated() {
    let mut server = Program::with(&[]);
    // A server that answers has its handlers of signals.
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream
        .write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .unwrap();
    assert_eq!(stream.read(&mut [0; 8]).unwrap(), 8);
    let id = server.child.id().to_string();
    assert!(Command::new("kill").arg(id).status().unwrap().success());
    assert!(server.child.wait().unwrap().success());
}

/// Maps that nobody may send are not read.
#[test]
fn uploads_without_a_token() {
    for control in ["nobody", "a-token-of-the-test"] {
        let program = Program::with(&["--control", control]);
        let Some(before) = program.memory() else {
            return println!("skipped: this system does not tell the memory of a process");
        };
        let body = vec![b'.'; 1 << 20];
        let mut held = Vec::new();
        for _ in 0..250 {
            let mut stream = TcpStream::connect(program.address()).unwrap();
            let length = 8 << 20;
            let head = format!(
                "POST /map?name=a.txt HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n"
            );
            // A server that refuses a body does not read it.
            let _ = stream
                .write_all(head.as_bytes())
                .and_then(|()| stream.write_all(&body));
            held.push(stream);
        }
        for stream in &mut held {
            let mut answer = [0; 12];
            // A connection that was reset was refused as well.
            if stream.read_exact(&mut answer).is_ok() {
                assert_eq!(&answer, b"HTTP/1.1 403");
            }
        }
        let more = program.memory().unwrap() - before;
        assert!(more < 40 << 10, "{more} KiB more with --control {control}");
    }
}

#[test]
fn token_is_printed_only_if_new() {
    let token = "a-token-of-the-test";
    let given = Program::with(&["--control", token]);
    assert!(!given.ready.contains(token), "{}", given.ready);
    let new = Program::with(&[]);
    assert!(new.ready.contains("/#control="), "{}", new.ready);
}
