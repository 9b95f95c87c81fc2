//! Control of the simulation by clients, and the names by which a browser may call the server.

use std::{fmt, hash::BuildHasher, net::IpAddr, str::FromStr};

/// The clients that may pause the simulation, step it and set its speed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    /// No client.
    Nobody,
    /// Every client.
    Everyone,
    /// Clients that send this token: as `Authorization: Bearer TOKEN`, or to open a `WebSocket` as
    /// the subprotocol `control.TOKEN`. The page takes it from the fragment of its address,
    /// `/#control=TOKEN`, which browsers send to no server.
    Token(String),
}

impl Control {
    /// A token that cannot be guessed.
    pub fn any_token() -> Self {
        #[expect(
            clippy::disallowed_types,
            reason = "its keys are random numbers of the system, and nothing else here is random"
        )]
        let parts = [(); 2].map(|()| std::hash::RandomState::new().hash_one(0));
        Self::Token(format!("{:016x}{:016x}", parts[0], parts[1]))
    }

    /// Returns whether a client that connects with a token, or without one, may control the server.
    pub(crate) fn allows(&self, token: Option<&str>) -> bool {
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
        match text {
            "nobody" => Ok(Self::Nobody),
            "everyone" => Ok(Self::Everyone),
            token if token.len() >= 8 && is_plain(token) => Ok(Self::Token(token.to_owned())),
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
            Self::Token(token) => write!(f, "#control={token}"),
        }
    }
}

/// Returns whether a browser may call the server by the host of an address: an IP address,
/// `localhost`, or a name that the operator gave. A page from elsewhere can give its own name the
/// server's address, and would then be of the same origin.
pub(crate) fn is_own_host(authority: &str, names: &[String]) -> bool {
    let host = host_of(authority);
    let address = host.trim_start_matches('[').trim_end_matches(']');
    address.parse::<IpAddr>().is_ok()
        || host.eq_ignore_ascii_case("localhost")
        || is_named(host, names)
}

/// Returns whether a browser may open a `WebSocket` or change the world from a page of an origin:
/// one of this server, by the host that the request names, or by a name that the operator gave. The
/// latter counts behind a proxy that names another host.
pub(crate) fn is_own_origin(origin: &str, host: &str, names: &[String]) -> bool {
    let Some((scheme, authority)) = origin.split_once("://") else {
        return false;
    };
    // Browsers leave out the port of a scheme, proxies may not.
    let usual = match scheme {
        "http" => ":80",
        "https" => ":443",
        _ => return false,
    };
    let [own, other] = [authority, host].map(|authority| authority.trim_end_matches(usual));
    own.eq_ignore_ascii_case(other) || is_named(host_of(authority), names)
}

/// Returns whether a token has letters, digits, `-` and `_` only.
fn is_plain(token: &str) -> bool {
    let mut bytes = token.bytes();
    bytes.all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// The host of an address without its port.
fn host_of(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

fn is_named(host: &str, names: &[String]) -> bool {
    names
        .iter()
        .any(|name| host.eq_ignore_ascii_case(host_of(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_by_token() {
        let control: Control = "secret-token".parse().unwrap();
        assert!(control.allows(Some("secret-token")));
        assert!(!control.allows(Some("secret")) && !control.allows(None));
        assert_eq!(control.to_string(), "#control=secret-token");
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

    #[test]
    fn origins() {
        let names = ["play.example.org".to_owned()];
        for (origin, host) in [
            ("http://127.0.0.1:8080", "127.0.0.1:8080"),
            ("https://other.example", "other.example:443"),
            ("http://other.example:80", "Other.example"),
            ("https://play.example.org", "upstream:8080"),
            ("https://PLAY.example.org:443", "127.0.0.1:8080"),
        ] {
            assert!(is_own_origin(origin, host, &names), "{origin} at {host}");
        }
        for (origin, host) in [
            ("http://evil.example", "127.0.0.1:8080"),
            ("https://play.example.org.evil.example", "upstream:8080"),
            ("http://127.0.0.1:8081", "127.0.0.1:8080"),
            ("file://127.0.0.1:8080", "127.0.0.1:8080"),
            ("127.0.0.1:8080", "127.0.0.1:8080"),
            ("null", "127.0.0.1:8080"),
            ("", ""),
        ] {
            assert!(!is_own_origin(origin, host, &names), "{origin} at {host}");
        }
    }
}
