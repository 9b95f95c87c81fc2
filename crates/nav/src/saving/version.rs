//! The version of the format.

use serde::{Deserialize, Deserializer, Serialize, de::Error};

/// The version that this build writes and reads. It is the first thing in a save, so that another one is
/// refused by name before anything else is read.
const VERSION: u32 = 2;

/// The version of a save.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(transparent)]
pub(super) struct Version(u32);

impl Default for Version {
    fn default() -> Self {
        Self(VERSION)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            VERSION => Ok(Self(VERSION)),
            other => Err(D::Error::custom(format_args!(
                "the save has version {other}, and this build reads version {VERSION}"
            ))),
        }
    }
}
