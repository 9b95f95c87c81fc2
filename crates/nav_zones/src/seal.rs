//! Seal of all data that zones write: a version in front and a checksum behind.
//!
//! Damaged data is refused, and so is data of a version that this build does not read.

use nav::saving::AgentsSave;
use serde::{Serialize, de::DeserializeOwned};
use std::fmt;

/// Length of the checksum in bytes: a CRC-32.
const SUM_BYTES: usize = 4;

/// Versions of data that this build writes and reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Version that this build writes.
    pub version: u16,
    /// Oldest version that it reads. Equal to `version`, or one less while the form of no kind of
    /// data changed.
    pub oldest: u16,
}

impl Format {
    /// Everything that a keeper has: plan, snapshots, entries, events and leases.
    ///
    /// One version for all kinds: a process reads all of them or none.
    pub const STATE: Self = Self {
        version: number(option_env!("NAV_ZONES_STATE"), 1),
        oldest: 1,
    };

    /// Messages between processes. A process refuses those of any other version.
    pub const MESSAGES: Self = Self {
        version: number(option_env!("NAV_ZONES_MESSAGES"), 1),
        oldest: number(option_env!("NAV_ZONES_MESSAGES"), 1),
    };

    /// Returns whether this build reads a version.
    pub const fn reads(self, version: u16) -> bool {
        self.oldest <= version && version <= self.version
    }
}

/// Writes `version 3`, or `versions 2 to 3`.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, oldest } = self;
        if version == oldest {
            return write!(f, "version {version}");
        }
        write!(f, "versions {oldest} to {version}")
    }
}

const _: () = assert!(
    AgentsSave::VERSION == 9,
    "the form of agents in snapshots and entries changed: raise both numbers of `Format::STATE`"
);

/// Returns the number that a variable had when this was built, by which tests build a later
/// version; `usual` without one.
const fn number(variable: Option<&str>, usual: u16) -> u16 {
    let Some(text) = variable else {
        return usual;
    };
    match u16::from_str_radix(text, 10) {
        Ok(number) => number,
        Err(_) => panic!("NAV_ZONES_STATE and NAV_ZONES_MESSAGES are numbers up to 65535"),
    }
}

/// Reason why data is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It is damaged, or something else.
    Damaged,
    /// It is of a version that this build does not read.
    Version(u16),
}

/// Data that zones write and read, possibly with different builds.
pub trait Versioned: Serialize + DeserializeOwned {
    /// Versions of it.
    ///
    /// The version is written first, so that another one is refused before anything else is read.
    const FORMAT: Format;

    /// Writes the value.
    ///
    /// # Errors
    ///
    /// The reason, if the value cannot be written.
    fn to_bytes(&self) -> Result<Vec<u8>, String> {
        self.seal(&[])
    }

    /// Reads a value.
    ///
    /// # Errors
    ///
    /// [`Unread`].
    fn from_bytes(sealed: &[u8]) -> Result<Self, Unread> {
        Ok(Self::unseal(sealed)?.0)
    }

    /// Writes the value, followed by `contents`.
    ///
    /// # Errors
    ///
    /// The reason, if the value cannot be written.
    fn seal(&self, contents: &[u8]) -> Result<Vec<u8>, String> {
        let mut bytes = postcard::to_allocvec(&(Self::FORMAT.version, self))
            .map_err(|error| error.to_string())?;
        bytes.extend_from_slice(contents);
        let sum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        Ok(bytes)
    }

    /// Reads a value and the contents behind it.
    ///
    /// # Errors
    ///
    /// [`Unread`].
    fn unseal(sealed: &[u8]) -> Result<(Self, &[u8]), Unread> {
        let (bytes, sum) = sealed
            .len()
            .checked_sub(SUM_BYTES)
            .map(|end| sealed.split_at(end))
            .ok_or(Unread::Damaged)?;
        if crc32fast::hash(bytes).to_le_bytes() != sum {
            return Err(Unread::Damaged);
        }
        let (version, bytes) =
            postcard::take_from_bytes::<u16>(bytes).map_err(|_| Unread::Damaged)?;
        if !Self::FORMAT.reads(version) {
            return Err(Unread::Version(version));
        }
        postcard::take_from_bytes(bytes).map_err(|_| Unread::Damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
    struct Chase(u8);

    impl Versioned for Chase {
        const FORMAT: Format = Format {
            version: 3,
            oldest: 2,
        };
    }

    #[test]
    fn any_damaged_bit() {
        let sealed = Chase(7).seal(b"contents").expect("a number");
        assert_eq!(sealed[..2], [3, 7], "the version comes first");
        assert_eq!(Chase::unseal(&sealed), Ok((Chase(7), &b"contents"[..])));
        for bit in 0..sealed.len() * 8 {
            let mut damaged = sealed.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Chase::unseal(&damaged), Err(Unread::Damaged), "bit {bit}");
        }
        assert_eq!(Chase::unseal(&sealed[..3]), Err(Unread::Damaged));
    }

    #[test]
    fn another_version() {
        #[derive(Debug, Serialize, Deserialize)]
        struct Other<const VERSION: u16>(u8);

        impl<const VERSION: u16> Versioned for Other<VERSION> {
            const FORMAT: Format = Format {
                version: VERSION,
                oldest: VERSION,
            };
        }

        let read = |bytes: Result<Vec<u8>, String>| Chase::from_bytes(&bytes.expect("a number"));
        assert_eq!(read(Other::<1>(7).to_bytes()), Err(Unread::Version(1)));
        assert_eq!(read(Other::<2>(7).to_bytes()), Ok(Chase(7)));
        assert_eq!(read(Other::<4>(7).to_bytes()), Err(Unread::Version(4)));
    }
}
