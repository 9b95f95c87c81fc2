//! Options of a connection to the broker, and errors of opening it.

use super::names::WORLD_LEN_MAX;
use async_nats::{ConnectOptions, ServerAddr};
use std::{path::PathBuf, time::Duration};

/// Messages that the connection holds before they are written to the broker.
///
/// A tick of a hundred zones takes three hundred. A send beyond fails, and is repeated.
const UNWRITTEN_MAX: usize = 4096;

/// Unread messages of one subscription, beyond which further ones are dropped. A guess.
const UNREAD_MAX: usize = 8192;

/// Shortest interval between pings. A guess: a broker that is busy for a moment still answers in
/// time.
const PING_MIN: Duration = Duration::from_millis(250);

/// Longest delay between attempts to reconnect.
///
/// Two attempts a second of each process do not overload a starting broker, and the time is far
/// below the length of a lease.
const RECONNECT_DELAY_MAX: Duration = Duration::from_millis(500);

/// Address of the broker, and settings of the connection.
#[derive(Clone)]
pub struct NatsOptions {
    pub(super) url: String,
    pub(super) world: String,
    credentials: Option<PathBuf>,
    authority: Option<PathBuf>,
    certificate: Option<(PathBuf, PathBuf)>,
    pub(super) timeout: Duration,
    pub(super) lease: Duration,
}

/// Error of opening a connection or a world's store.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NatsError {
    /// The name of the world is invalid.
    #[error("invalid world name {0:?}: expected 1 to {WORLD_LEN_MAX} letters, digits, - and _")]
    World(String),
    /// The address is invalid. It is not shown, since it may contain a password.
    #[error("the address of the broker is not like nats://host:4222: {0}")]
    Url(String),
    /// The credentials could not be read.
    #[error("credentials in {path}: {why}")]
    Credentials {
        /// Path of the file.
        path: PathBuf,
        /// The fault.
        why: String,
    },
    /// The broker did not answer, or refused.
    #[error("no connection to the broker at {server}: {why}")]
    Refused {
        /// Host and port of all brokers that were tried.
        server: String,
        /// The cause.
        why: String,
    },
    /// The broker denies the connection: the user, the password or the certificate is wrong.
    #[error("the broker at {server} denies the connection: {why}")]
    Denied {
        /// Host and port of all brokers that were tried.
        server: String,
        /// The cause.
        why: String,
    },
    /// A stream could be neither found nor created.
    #[error("{name} cannot be opened at the broker, which needs JetStream and permissions: {why}")]
    Stream {
        /// Name of the stream.
        name: String,
        /// The cause.
        why: String,
    },
    /// A stream has a setting by which it loses messages that the world needs.
    #[error("stream {stream} loses data of the world, since {setting}; mend it by `{command}`")]
    Lossy {
        /// Name of the stream.
        stream: String,
        /// Effect of the setting.
        setting: String,
        /// The command that mends it.
        command: String,
    },
}

impl NatsOptions {
    /// Creates options for a broker and the name of the world. Worlds with different names share
    /// nothing.
    ///
    /// The URL is `nats://host:port`, or `tls://host:port` for a connection that must be encrypted.
    /// Separate the brokers of a cluster by commas. A user with a password stands before the host
    /// as `user:password@`, a token as `token@`. Percent-encode characters that URLs do not allow.
    pub fn new(url: &str, world: &str) -> Self {
        Self {
            url: url.to_owned(),
            world: world.to_owned(),
            credentials: None,
            authority: None,
            certificate: None,
            timeout: Duration::from_secs(2),
            lease: Duration::from_secs(10),
        }
    }

    /// Authenticates by a file of credentials as written by `nsc`: a signed token and a key.
    #[must_use]
    pub fn credentials(mut self, file: impl Into<PathBuf>) -> Self {
        self.credentials = Some(file.into());
        self
    }

    /// Trusts a certificate authority, a file in PEM, in addition to those of the system.
    #[must_use]
    pub fn authority(mut self, file: impl Into<PathBuf>) -> Self {
        self.authority = Some(file.into());
        self
    }

    /// Authenticates by a certificate and its key, files in PEM.
    #[must_use]
    pub fn certificate(mut self, file: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Self {
        self.certificate = Some((file.into(), key.into()));
        self
    }

    /// Sets how long a call waits for an answer; 2 seconds by default.
    ///
    /// A broker nearby answers within milliseconds and is back within a second of a restart. With
    /// the default, a holder without an answer can try a few more times while its lease lasts.
    /// Snapshots and named bytes get a second more for each MiB.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets how long a lease lasts after a renewal; 10 seconds by default. It has to be the same in
    /// all processes of a world.
    ///
    /// The default is the time in which a process notices that the broker is away, with a renewal
    /// to spare.
    #[must_use]
    pub const fn lease(mut self, lease: Duration) -> Self {
        self.lease = lease;
        self
    }
}

/// Parses the brokers of an address.
pub(super) fn servers(url: &str) -> Result<Vec<ServerAddr>, NatsError> {
    let mut servers = Vec::new();
    for text in url.split(',') {
        let parsed = text.trim().parse::<ServerAddr>();
        servers.push(parsed.map_err(|error| NatsError::Url(error.to_string()))?);
    }
    for server in &servers {
        if !matches!(server.scheme(), "nats" | "tls") {
            let why = format!("it begins with {}", server.scheme());
            return Err(NatsError::Url(why));
        }
    }
    Ok(servers)
}

/// Returns the options for the client.
pub(super) fn connect_options(
    options: &NatsOptions,
    servers: &[ServerAddr],
) -> Result<ConnectOptions, NatsError> {
    let mut connect = ConnectOptions::new()
        .name(format!("nav_zones, world {}", options.world))
        .require_tls(servers.iter().any(ServerAddr::tls_required))
        .connection_timeout(options.timeout)
        .request_timeout(Some(options.timeout))
        // Three pings without an answer end a connection. So a broker that hangs is noticed while
        // leases last, and no zone is taken over only because it could not be renewed.
        .ping_interval((options.lease / 8).max(PING_MIN))
        .client_capacity(UNWRITTEN_MAX)
        .subscription_capacity(UNREAD_MAX)
        .reconnect_delay_callback(|attempts| {
            let delay = Duration::from_millis(20).saturating_mul(attempts.min(100) as u32);
            delay.min(RECONNECT_DELAY_MAX)
        });
    let with_user = servers.iter().find(|server| server.has_user_pass());
    if let Some((user, password)) = with_user.map(|server| (server.username(), server.password())) {
        let user = decoded(user.unwrap_or_default());
        connect = match password {
            Some(password) => connect.user_and_password(user, decoded(password)),
            None => connect.token(user),
        };
    }
    let certificate = (options.certificate.iter()).flat_map(|(file, key)| [file, key]);
    for path in certificate.chain(&options.authority) {
        // The client would say what is wrong, but not of which file.
        std::fs::File::open(path).map_err(|error| NatsError::Credentials {
            path: path.clone(),
            why: error.to_string(),
        })?;
    }
    if let Some(authority) = &options.authority {
        connect = connect.add_root_certificates(authority.clone());
    }
    if let Some((file, key)) = &options.certificate {
        connect = connect.add_client_certificate(file.clone(), key.clone());
    }
    let Some(path) = &options.credentials else {
        return Ok(connect);
    };
    let text = std::fs::read_to_string(path);
    let read = text.and_then(|text| connect.credentials(&text));
    read.map_err(|error| NatsError::Credentials {
        path: path.clone(),
        why: error.to_string(),
    })
}

/// Decodes the percent-encoded bytes of a URL.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escaped = after.get(..2).filter(|_| first == b'%');
        let digits = escaped.and_then(|digits| std::str::from_utf8(digits).ok());
        if let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            bytes.push(byte);
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nats::NatsConnection;

    fn open(url: &str, world: &str) -> NatsError {
        let options = NatsOptions::new(url, world).timeout(Duration::from_millis(200));
        NatsConnection::open(options).expect_err("there is no broker")
    }

    #[test]
    fn password_with_url_characters() {
        for (text, expected) in [("p%40ss%2F1", "p@ss/1"), ("50%", "50%"), ("%zz", "%zz")] {
            assert_eq!(decoded(text), expected);
        }
    }

    #[test]
    fn password_in_no_error() {
        for url in [
            "nats://user:secret@127.0.0.1:1",
            "ws://user:secret@127.0.0.1:1",
            "nats://user:secret@:x",
        ] {
            let error = open(url, "w").to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn wrong_options() {
        assert_eq!(open("127.0.0.1", "a.b"), NatsError::World("a.b".into()));
        let no_file = NatsOptions::new("127.0.0.1:1", "w").credentials("no/such.creds");
        let error = NatsConnection::open(no_file).expect_err("there is no file");
        assert!(
            error
                .to_string()
                .starts_with("credentials in no/such.creds: "),
            "{error}"
        );
    }
}
