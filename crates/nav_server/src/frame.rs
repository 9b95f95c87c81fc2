//! Frames for a single client.

use axum::{
    body::Bytes,
    extract::ws::{CloseFrame, Message, Utf8Bytes},
};

/// A frame for a single client. Cheap to clone: all clients share the bytes.
#[derive(Clone, Debug)]
pub(crate) enum Frame {
    Text(Utf8Bytes),
    Binary(Bytes),
    /// The end of the connection.
    Close(Closing),
}

/// The reason for the end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closing {
    /// The server stops.
    Stopping,
    /// Another world is served from now on.
    Changing,
    /// The client does not read its frames.
    TooSlow,
    /// The client sends more than allowed.
    TooMany,
    /// The client sent something that is no message.
    Malformed,
    /// The client sent nothing for too long.
    Idle,
}

impl Closing {
    /// Returns the status code of WebSocket (RFC 6455, section 7.4), and a sentence.
    const fn code_and_reason(self) -> (u16, &'static str) {
        match self {
            Self::Stopping => (1001, "the server stops"),
            Self::Changing => (1012, "another scenario begins"),
            Self::TooSlow => (1008, "frames were not taken for too long"),
            Self::TooMany => (1008, "more than 20 messages a second"),
            Self::Malformed => (1007, "a message was not understood"),
            Self::Idle => (1001, "nothing was received for 30 seconds"),
        }
    }
}

impl From<Frame> for Message {
    fn from(frame: Frame) -> Self {
        match frame {
            Frame::Text(text) => Self::Text(text),
            Frame::Binary(bytes) => Self::Binary(bytes),
            Frame::Close(closing) => {
                let (code, reason) = closing.code_and_reason();
                Self::Close(Some(CloseFrame {
                    code,
                    reason: Utf8Bytes::from_static(reason),
                }))
            }
        }
    }
}
