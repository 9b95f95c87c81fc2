//! The version of the messages.

/// The version of the messages that this crate writes and reads. Others are refused.
pub const VERSION: u16 = 1;
