//! The digest of a run: a fingerprint of its final state.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::fmt;

/// A fingerprint of the final state of a run, equal for equal runs.
///
/// Written as 16 hexadecimal digits. In JSON too, because many readers lose the last digits of a
/// 64-bit number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Digest(pub u64);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        match u64::from_str_radix(&text, 16) {
            Ok(value) if digits => Ok(Self(value)),
            _ => Err(D::Error::custom(format_args!(
                "a digest is 16 hexadecimal digits, not {text:?}"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_digits() {
        assert_eq!(
            serde_json::to_string(&Digest(0xabc)).unwrap(),
            "\"0000000000000abc\""
        );
        let read: Digest = serde_json::from_str("\"0000000000000abc\"").unwrap();
        assert_eq!(read, Digest(0xabc));
        for wrong in ["\"abc\"", "\"+000000000000abc\"", "17"] {
            assert!(serde_json::from_str::<Digest>(wrong).is_err(), "{wrong}");
        }
    }
}
