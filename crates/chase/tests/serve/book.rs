//! The commands of the page about operating, each run as the page has it:
//! docs/book/src/operating.md.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Command, Stdio},
};

const PAGE: &str = include_str!("../../../../docs/book/src/operating.md");

/// Returns a command of the page, in a folder of the test.
fn command(line: &str) -> Command {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve_book");
    std::fs::create_dir_all(&folder).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_chase"));
    command.args(line.split(' ').skip(1)).current_dir(folder);
    command
}

#[test]
fn operating_a_server() {
    let mut serving = 0;
    for line in PAGE.lines().filter(|line| line.starts_with("chase serve ")) {
        serving += 1;
        let mut server = command(&line.replace(":8080", ":0"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = String::new();
        let mut said = BufReader::new(server.stdout.take().unwrap());
        said.read_line(&mut first).unwrap();
        let addr = first.strip_prefix("http://").unwrap();
        let port = addr.split_once('/').unwrap().0.rsplit(':').next().unwrap();
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        let host = "Host: 127.0.0.1\r\nConnection: close";
        write!(stream, "GET /metrics HTTP/1.1\r\n{host}\r\n\r\n").unwrap();
        let mut metrics = String::new();
        stream.read_to_string(&mut metrics).unwrap();
        for name in PAGE.split('`').filter(|name| name.starts_with("chase_")) {
            assert!(metrics.contains(name), "{name} is not in {metrics}");
        }
        let process = server.id().to_string();
        let line = PAGE.lines().find(|line| line.starts_with("kill PID"));
        let words = line.unwrap().replace("PID", &process);
        let (kill, arguments) = words.split_once(' ').unwrap();
        assert!(
            Command::new(kill)
                .arg(arguments)
                .status()
                .unwrap()
                .success()
        );
        assert!(server.wait().unwrap().success(), "{line:?}");
    }
    assert_eq!(serving, 2);
}

#[test]
fn a_run_is_kept() {
    for words in ["chase run ", "chase replay "] {
        let line = PAGE.lines().find(|line| line.starts_with(words)).unwrap();
        let output = command(line).output().unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
    }
}
