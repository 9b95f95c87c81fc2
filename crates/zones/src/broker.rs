//! Where the broker is, and what opens it.

use crate::ZonesError;
use nav_zones::nats::NatsOptions;
use std::{fmt, path::PathBuf, process::Command};

/// Address and credentials of a broker, from the command line or the environment.
///
/// Processes that this one starts get them by the environment: all users of a machine can read
/// command lines.
#[derive(Clone, Default, PartialEq, Eq, clap::Args)]
pub struct BrokerArgs {
    /// The broker: nats://HOST:PORT, or tls://HOST:PORT; or the variable `NATS_URL`
    #[arg(long = "nats", value_name = "URL")]
    pub url: Option<String>,
    /// Credentials, as `nsc` writes them; or the variable `NATS_CREDS`
    #[arg(long, value_name = "FILE")]
    pub nats_creds: Option<PathBuf>,
    /// Certificate authority to trust, in PEM; or the variable `NATS_CA`
    #[arg(long, value_name = "FILE")]
    pub nats_ca: Option<PathBuf>,
    /// Certificate of this client, in PEM; or the variable `NATS_CERT`
    #[arg(long, value_name = "FILE")]
    pub nats_cert: Option<PathBuf>,
    /// Key of that certificate, in PEM; or the variable `NATS_KEY`
    #[arg(long, value_name = "FILE")]
    pub nats_key: Option<PathBuf>,
}

/// The variables, in the order of the fields.
const VARIABLES: [&str; 5] = ["NATS_URL", "NATS_CREDS", "NATS_CA", "NATS_CERT", "NATS_KEY"];

impl BrokerArgs {
    /// Creates the address of a broker that needs no credentials.
    pub fn new(url: &str) -> Self {
        Self {
            url: Some(url.to_owned()),
            ..Self::default()
        }
    }

    /// Fills in what the environment has and the command line has not.
    ///
    /// # Errors
    ///
    /// [`ZonesError::Empty`]: an empty variable is rather a mistake in a script than a wish.
    pub fn or_environment(mut self) -> Result<Self, ZonesError> {
        let mut values = Vec::new();
        for name in VARIABLES {
            let value = std::env::var_os(name);
            if value.as_ref().is_some_and(|value| value.is_empty()) {
                return Err(ZonesError::Empty(name));
            }
            values.push(value.map(PathBuf::from));
        }
        let url = values.remove(0);
        self.url = self
            .url
            .or(url.and_then(|url| url.into_os_string().into_string().ok()));
        let fields = [
            &mut self.nats_creds,
            &mut self.nats_ca,
            &mut self.nats_cert,
            &mut self.nats_key,
        ];
        for (field, value) in fields.into_iter().zip(values) {
            *field = field.take().or(value);
        }
        Ok(self)
    }

    /// Hands the address and the credentials to a process.
    pub(crate) fn give(&self, command: &mut Command) {
        let url = self.url.as_ref().map(PathBuf::from);
        let values = [
            &url,
            &self.nats_creds,
            &self.nats_ca,
            &self.nats_cert,
            &self.nats_key,
        ];
        for (name, value) in VARIABLES.into_iter().zip(values) {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
    }

    /// Returns the options of a connection for a world.
    pub(crate) fn options(&self, world: &str) -> NatsOptions {
        let url = self.url.as_deref().unwrap_or(DEFAULT_URL);
        let mut options = NatsOptions::new(url, world);
        if let Some(file) = &self.nats_creds {
            options = options.credentials(file);
        }
        if let Some(file) = &self.nats_ca {
            options = options.authority(file);
        }
        if let Some(file) = &self.nats_cert {
            // Both may be in one file.
            options = options.certificate(file, self.nats_key.as_ref().unwrap_or(file));
        }
        options
    }
}

/// Address of a broker if none is given: that of a NATS server with default settings.
const DEFAULT_URL: &str = "nats://127.0.0.1:4222";

/// Shows the URL without user, password and token.
impl fmt::Display for BrokerArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = self.url.as_deref().unwrap_or(DEFAULT_URL);
        for (number, one) in url.split(',').enumerate() {
            let comma = if number > 0 { "," } else { "" };
            let (scheme, rest) = one.split_once("://").unwrap_or(("nats", one));
            let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
            write!(f, "{comma}{scheme}://{host}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for BrokerArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BrokerArgs")
            .field(&self.to_string())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        for (url, shown) in [
            ("nats://a:secret@h:1", "nats://h:1"),
            ("tls://secret@h", "tls://h"),
            ("a:sec@ret@h:1,nats://h2:2", "nats://h:1,nats://h2:2"),
        ] {
            let broker = BrokerArgs::new(url);
            assert_eq!(broker.to_string(), shown);
            assert!(!format!("{broker:?}").contains("ret"), "{broker:?}");
        }
    }
}
