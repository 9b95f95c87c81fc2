//! The version of the messages.

/// Version of the messages that this crate writes and reads. Others are refused.
pub const VERSION: u16 = 2;
