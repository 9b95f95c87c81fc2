//! Encodes and decodes messages as JSON and postcard.

use crate::{
    check::{Nonsense, check},
    packet::Packet,
    request::Request,
    version::VERSION,
};
use serde::{Deserialize, de::DeserializeOwned};
use thiserror::Error;

/// Most bytes of a packet or request. Longer input is refused unread.
///
/// With much room: it limits the memory that hostile input can cost.
pub const BYTES_MAX: usize = 1 << 20;

/// The error of encoding a message.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// Encoding JSON failed.
    #[error("no JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// Encoding postcard failed.
    #[error("no postcard: {0}")]
    Postcard(#[from] postcard::Error),
}

/// The error of decoding a message.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The message has another version.
    #[error("this is version {found} of the protocol, and version {VERSION} is understood")]
    Version {
        /// The version of the message.
        found: u16,
    },
    /// The message is longer than [`BYTES_MAX`].
    #[error("{bytes} bytes are more than {BYTES_MAX}")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// Not a message of this kind in JSON.
    #[error("not a message in JSON: {0}")]
    Json(serde_json::Error),
    /// Not a message of this kind in postcard.
    #[error("not a message in postcard: {0}")]
    Postcard(postcard::Error),
    /// The message decodes and makes no sense.
    #[error(transparent)]
    Nonsense(#[from] Nonsense),
}

/// The common start of all messages.
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
        // Another version may have any fields, so its error is the one to report.
        let head = serde_json::from_slice(bytes);
        match head.map(|Head { version }| check_version(version)) {
            Ok(Err(version)) => version,
            _ => DecodeError::Json(error),
        }
    })
}

fn from_postcard<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    check_length(bytes)?;
    // The version comes first.
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
    /// Encodes the packet as JSON.
    ///
    /// # Errors
    ///
    /// None for packets that make sense.
    pub fn to_json(&self) -> Result<String, EncodeError> {
        Ok(serde_json::to_string(self)?)
    }

    /// Decodes a packet from JSON.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if this is no packet of this version, or makes no sense.
    pub fn from_json(bytes: &[u8]) -> Result<Self, DecodeError> {
        let packet: Self = from_json(bytes)?;
        packet.checked()
    }

    /// Encodes the packet as postcard.
    ///
    /// # Errors
    ///
    /// None for packets that make sense.
    pub fn to_postcard(&self) -> Result<Vec<u8>, EncodeError> {
        Ok(postcard::to_allocvec(self)?)
    }

    /// Decodes a packet from postcard.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if this is no packet of this version, or makes no sense.
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
    /// Encodes the request as JSON.
    ///
    /// # Errors
    ///
    /// None.
    pub fn to_json(&self) -> Result<String, EncodeError> {
        Ok(serde_json::to_string(self)?)
    }

    /// Decodes a request from JSON.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if this is no request of this version.
    pub fn from_json(bytes: &[u8]) -> Result<Self, DecodeError> {
        let request: Self = from_json(bytes)?;
        check_version(request.version).map(|()| request)
    }

    /// Encodes the request as postcard.
    ///
    /// # Errors
    ///
    /// None.
    pub fn to_postcard(&self) -> Result<Vec<u8>, EncodeError> {
        Ok(postcard::to_allocvec(self)?)
    }

    /// Decodes a request from postcard.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if this is no request of this version.
    pub fn from_postcard(bytes: &[u8]) -> Result<Self, DecodeError> {
        from_postcard(bytes)
    }
}
