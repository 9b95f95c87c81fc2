//! Connections of processes to the broker: with a password, many at once, in worlds of their own.

use crate::{World, keeper::until, program};
use nav_zones::{
    ZoneId,
    keeper::{Keeper, KeeperError},
    nats::{NatsConnection, NatsError, NatsKeeper, NatsOptions},
};
use std::{
    net::{Ipv4Addr, TcpListener},
    process::{Command, Stdio},
};

fn free_port() -> u16 {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let free = free.and_then(|free| free.local_addr());
    free.expect("a port").port()
}

#[test]
fn many_first_comers() {
    let Some(world) = World::start() else { return };
    std::thread::scope(|scope| {
        let comers: Vec<_> = (0..8).map(|_| scope.spawn(|| world.keeper())).collect();
        for comer in comers {
            let mut keeper = comer.join().expect("it opens");
            keeper.announce(b"here").expect("a keeper");
        }
    });
    let mut keeper = world.keeper();
    assert_eq!(
        keeper
            .events(nav_zones::keeper::Sequence(0), 99)
            .expect("a keeper")
            .len(),
        8
    );
}

#[test]
fn worlds_share_nothing() {
    let Some(world) = World::start() else { return };
    let other = NatsOptions::new(&world.broker.url(), "other");
    let other = NatsConnection::open(other).expect("the broker runs");
    let (mut keeper, mut other) = (
        world.keeper(),
        NatsKeeper::new(&other).expect("it has streams"),
    );
    keeper.take(ZoneId(0), "one").expect("nobody has it");
    keeper.announce(b"here").expect("a keeper");
    keeper.put_named("map", b"here").expect("a keeper");
    other.take(ZoneId(0), "other").expect("nobody has it");
    assert_eq!(
        other
            .events(nav_zones::keeper::Sequence(0), 9)
            .expect("a keeper"),
        []
    );
    assert_eq!(other.named("map").expect("a keeper"), None);
}

#[test]
fn password_of_address() {
    let Some(program) = program() else { return };
    let port = free_port();
    for (arguments, right, wrong) in [
        (
            &["--user", "nav", "--pass", "p@ss"][..],
            "nav:p%40ss@",
            "nav:other@",
        ),
        (&["--auth", "t0ken"][..], "t0ken@", ""),
    ] {
        let mut broker = Command::new(&program)
            .args(["--addr", "127.0.0.1", "--port", &port.to_string()])
            .args(arguments)
            .stderr(Stdio::null())
            .spawn()
            .expect("a broker");
        let open = |user: &str| {
            let url = format!("nats://{user}127.0.0.1:{port}");
            NatsConnection::open(NatsOptions::new(&url, "world"))
        };
        let connection = until("the broker runs", || open(right).ok());
        // Without JetStream the broker cannot store a world.
        let Err(NatsError::Stream { name, .. }) = NatsKeeper::new(&connection) else {
            panic!("it runs without JetStream");
        };
        assert_eq!(name, "world_zones");
        let refused = open(wrong)
            .map(|_| ())
            .expect_err("it is not the right one")
            .to_string();
        assert!(
            refused.starts_with("no connection to the broker at 127.0.0.1:"),
            "{refused}"
        );
        assert!(refused.contains("authorization"), "{refused}");
        broker.kill().expect("it runs");
        broker.wait().expect("it ran");
    }
}

#[test]
fn trusted_by_certificate() {
    let Some(program) = program() else { return };
    let folder = std::env::temp_dir().join(format!("nav-zones-tls-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (certificate, key) = (folder.join("certificate.pem"), folder.join("key.pem"));
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
        ])
        .args(["-nodes", "-days", "1", "-subj", "/CN=broker"])
        .args(["-addext", "subjectAltName=IP:127.0.0.1"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .arg("-keyout")
        .arg(&key)
        .arg("-out")
        .arg(&certificate)
        .stderr(Stdio::null())
        .status();
    if !made.is_ok_and(|status| status.success()) {
        println!("skipped: there is no openssl to make a certificate with");
        return;
    }
    let port = free_port();
    let mut broker = Command::new(&program)
        .args(["--addr", "127.0.0.1", "--port", &port.to_string(), "--tls"])
        .arg("--tlscert")
        .arg(&certificate)
        .arg("--tlskey")
        .arg(&key)
        .stderr(Stdio::null())
        .spawn()
        .expect("a broker");
    let options = NatsOptions::new(&format!("tls://127.0.0.1:{port}"), "world");
    let trusting = || NatsConnection::open(options.clone().authority(&certificate));
    until("the broker runs", || trusting().ok());
    let refused = NatsConnection::open(options.clone()).map(|_| ());
    let refused = refused.expect_err("nobody vouches for it").to_string();
    assert!(refused.contains("certificate"), "{refused}");
    broker.kill().expect("it runs");
    broker.wait().expect("it ran");
    std::fs::remove_dir_all(&folder).expect("a folder");
}

#[test]
fn call_within_async_task() {
    let Some(world) = World::start() else { return };
    let mut keeper = world.keeper();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let answer = runtime.block_on(async { keeper.snapshot(ZoneId(0)) });
    assert!(
        matches!(answer, Err(KeeperError::Unreachable(_))),
        "{answer:?}"
    );
    // The keeper can also be dropped there.
    runtime.block_on(async move { drop(keeper) });
}
