//! Seal of all data that zones write: a version in front and a checksum behind.
//!
//! Data of another version and damaged data are refused.

use serde::{Serialize, de::DeserializeOwned};

/// Length of the checksum in bytes: a CRC-32.
const SUM_BYTES: usize = 4;

/// Data that zones write and read, possibly with different builds.
pub trait Versioned: Serialize + DeserializeOwned {
    /// Version of the format that this build writes and reads.
    ///
    /// It is written first, so that another version is refused before anything else is read.
    const VERSION: u16;

    /// Writes the value.
    ///
    /// # Errors
    ///
    /// The reason, if the value cannot be written.
    fn to_bytes(&self) -> Result<Vec<u8>, String> {
        self.seal(&[])
    }

    /// Reads a value. `None` if the bytes are damaged or of another version.
    fn from_bytes(sealed: &[u8]) -> Option<Self> {
        Some(Self::unseal(sealed)?.0)
    }

    /// Writes the value, followed by `contents`.
    ///
    /// # Errors
    ///
    /// The reason, if the value cannot be written.
    fn seal(&self, contents: &[u8]) -> Result<Vec<u8>, String> {
        let bytes = postcard::to_allocvec(&(Self::VERSION, self));
        let mut bytes = bytes.map_err(|error| error.to_string())?;
        bytes.extend_from_slice(contents);
        let sum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        Ok(bytes)
    }

    /// Reads a value and the contents behind it. `None` if the bytes are damaged or of another
    /// version.
    fn unseal(sealed: &[u8]) -> Option<(Self, &[u8])> {
        let (bytes, sum) = sealed.split_at_checked(sealed.len().checked_sub(SUM_BYTES)?)?;
        if crc32fast::hash(bytes).to_le_bytes() != sum {
            return None;
        }
        let (version, bytes) = postcard::take_from_bytes::<u16>(bytes).ok()?;
        if version != Self::VERSION {
            return None;
        }
        postcard::take_from_bytes(bytes).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
    struct Chase(u8);

    impl Versioned for Chase {
        const VERSION: u16 = 3;
    }

    #[test]
    fn any_damaged_bit() {
        let sealed = Chase(7).seal(b"contents").expect("a number");
        assert_eq!(sealed[..2], [3, 7], "the version comes first");
        assert_eq!(Chase::unseal(&sealed), Some((Chase(7), &b"contents"[..])));
        for bit in 0..sealed.len() * 8 {
            let mut damaged = sealed.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Chase::unseal(&damaged), None, "bit {bit}");
        }
        assert_eq!(Chase::unseal(&sealed[..3]), None);
    }

    #[test]
    fn another_format() {
        #[derive(Serialize, Deserialize)]
        struct Later(u8);

        impl Versioned for Later {
            const VERSION: u16 = 4;
        }

        let later = Later(7).to_bytes().expect("a number");
        assert_eq!(Chase::from_bytes(&later), None);
        assert!(Later::from_bytes(&later).is_some());
    }
}
