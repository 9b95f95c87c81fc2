//! JSON and postcard, there and back.

use crate::{
    check::{Nonsense, check},
    packet::Packet,
    request::Request,
    version::VERSION,
};
use serde::{Deserialize, de::DeserializeOwned};
use thiserror::Error;

/// Bytes of a packet or request at most. More is refused unread.
pub const BYTES_MAX: usize = 1 << 20;

/// What cannot be encoded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// Says JSON.
    #[error("no JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// Says postcard.
    #[error("no postcard: {0}")]
    Postcard(#[from] postcard::Error),
}

/// What cannot be decoded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// It is of another version.
    #[error("this is version {found} of the protocol, and version {VERSION} is understood")]
    Version {
        /// The version that it says.
        found: u16,
    },
    /// It is longer than [`BYTES_MAX`].
    #[error("{bytes} bytes are more than {BYTES_MAX}")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// It is no JSON of this kind.
    #[error("not a message in JSON: {0}")]
    Json(serde_json::Error),
    /// It is no postcard of this kind.
    #[error("not a message in postcard: {0}")]
    Postcard(postcard::Error),
    /// It can be read and makes no sense.
    #[error(transparent)]
    Nonsense(#[from] Nonsense),
}

/// What every message begins with.
#[derive(Deserialize)]
struct Head {
    version: u16,
}

fn check_length(bytes: &[u8]) -> Result<(), DecodeError> {
    match bytes.len() {
        0..=BYTES_MAX => Ok(()),
        bytes => Err(DecodeError::TooLong { bytes }),
    }
}

fn check_version(found: u16) -> Result<(), DecodeError> {
    match found {
        VERSION => Ok(()),
        _ => Err(DecodeError::Version { found }),
    }
}

fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    check_length(bytes)?;
    serde_json::from_slice(bytes).map_err(|error| {
        // A message of another version may have any other fields.
        let head = serde_json::from_slice(bytes);
        match head.map(|Head { version }| check_version(version)) {
            Ok(Err(version)) => version,
            _ => DecodeError::Json(error),
        }
    })
}

fn from_postcard<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    check_length(bytes)?;
    // The version stands first.
    let (Head { version }, _) = postcard::take_from_bytes(bytes).map_err(DecodeError::Postcard)?;
    check_version(version)?;
    match postcard::take_from_bytes(bytes).map_err(DecodeError::Postcard)? {
        (message, []) => Ok(message),
        _ => Err(DecodeError::Postcard(
            postcard::Error::DeserializeBadEncoding,
        )),
    }
}

impl Packet {
    /// This packet in JSON.
    ///
    /// # Errors
    ///
    /// None for packets that make sense.
    pub fn to_json(&self) -> Result<String, EncodeError> {
        Ok(serde_json::to_string(self)?)
    }

    /// A packet in JSON.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] for what is no packet of this version, or makes no sense.
    pub fn from_json(bytes: &[u8]) -> Result<Self, DecodeError> {
        let packet: Self = from_json(bytes)?;
        packet.checked()
    }

    /// This packet in postcard.
    ///
    /// # Errors
    ///
    /// None for packets that make sense.
    pub fn to_postcard(&self) -> Result<Vec<u8>, EncodeError> {
        Ok(postcard::to_allocvec(self)?)
    }

    /// A packet in postcard.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] for what is no packet of this version, or makes no sense.
    pub fn from_postcard(bytes: &[u8]) -> Result<Self, DecodeError> {
        let packet: Self = from_postcard(bytes)?;
        packet.checked()
    }

    fn checked(self) -> Result<Self, DecodeError> {
        check_version(self.version)?;
        check(&self)?;
        Ok(self)
    }
}

impl Request {
    /// This request in JSON.
    ///
    /// # Errors
    ///
    /// None.
    pub fn to_json(&self) -> Result<String, EncodeError> {
        Ok(serde_json::to_string(self)?)
    }

    /// A request in JSON.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] for what is no request of this version.
    pub fn from_json(bytes: &[u8]) -> Result<Self, DecodeError> {
        let request: Self = from_json(bytes)?;
        check_version(request.version).map(|()| request)
    }

    /// This request in postcard.
    ///
    /// # Errors
    ///
    /// None.
    pub fn to_postcard(&self) -> Result<Vec<u8>, EncodeError> {
        Ok(postcard::to_allocvec(self)?)
    }

    /// A request in postcard.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] for what is no request of this version.
    pub fn from_postcard(bytes: &[u8]) -> Result<Self, DecodeError> {
        from_postcard(bytes)
    }
}
