//! Control of the simulation by clients, and the names by which a browser may call the server.

use std::{fmt, hash::BuildHasher, net::IpAddr, str::FromStr};

/// The clients that may pause the simulation, step it and set its speed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    /// No client.
    Nobody,
    /// Every client.
    Everyone,
    /// Clients that connect with this token: `/ws?control=TOKEN`, or the page as `/?control=TOKEN`.
    Token(String),
}

impl Control {
    /// A token that cannot be guessed.
    pub fn any_token() -> Self {
        #[expect(
            clippy::disallowed_types,
            reason = "its keys are random numbers of the system, and nothing else here is random"
        )]
        let part = || std::hash::RandomState::new().hash_one(0);
        Self::Token(format!("{:016x}{:016x}", part(), part()))
    }

    /// Returns whether a client that connects with a token, or without one, may control the server.
    pub(super) fn allows(&self, token: Option<&str>) -> bool {
        match self {
            Self::Nobody => false,
            Self::Everyone => true,
            Self::Token(wanted) => token == Some(wanted),
        }
    }
}

impl FromStr for Control {
    type Err = String;

    /// Reads `nobody`, `everyone`, or a token of 8 letters, digits, `-` and `_` or more.
    fn from_str(text: &str) -> Result<Self, String> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        match text {
            "nobody" => Ok(Self::Nobody),
            "everyone" => Ok(Self::Everyone),
            token if token.len() >= 8 && token.bytes().all(is_plain) => {
                Ok(Self::Token(token.to_owned()))
            }
            _ => Err(
                "expected nobody, everyone, or a token of at least 8 letters, digits, - and _"
                    .to_owned(),
            ),
        }
    }
}

impl fmt::Display for Control {
    /// Writes the end of the page's address.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nobody | Self::Everyone => Ok(()),
            Self::Token(token) => write!(f, "?control={token}"),
        }
    }
}

/// Returns whether a browser may call the server by the host of an address: an IP address, `localhost`,
/// or a name that the operator gave. A page from elsewhere can give its own name the server's address,
/// and would then be of the same origin.
pub(super) fn is_own_host(authority: &str, names: &[String]) -> bool {
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    let address = host.trim_start_matches('[').trim_end_matches(']');
    address.parse::<IpAddr>().is_ok()
        || host.eq_ignore_ascii_case("localhost")
        || names.iter().any(|name| host.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_by_token() {
        let control: Control = "secret-token".parse().unwrap();
        assert!(control.allows(Some("secret-token")));
        assert!(!control.allows(Some("secret")) && !control.allows(None));
        assert_eq!(control.to_string(), "?control=secret-token");
        assert!("short".parse::<Control>().is_err());
        assert!(Control::Everyone.allows(None) && !Control::Nobody.allows(Some("x")));
        assert_ne!(Control::any_token(), Control::any_token());
    }

    #[test]
    fn own_hosts() {
        let names = ["game.example".to_owned()];
        for own in [
            "127.0.0.1:8080",
            "[::1]:8080",
            "192.168.0.7",
            "LocalHost:1",
            "game.example",
            "GAME.example:443",
        ] {
            assert!(is_own_host(own, &names), "{own}");
        }
        for other in [
            "evil.example:8080",
            "evil.game.example",
            "localhost.evil.example",
            "",
        ] {
            assert!(!is_own_host(other, &names), "{other}");
        }
    }
}
