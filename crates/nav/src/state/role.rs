//! What a component of the state is for.

/// What a component of the state is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateRole {
    /// What the agent does follows from it: it is digested, saved, and goes with the agent to another process.
    Decides,
    /// What others do about the agent follows from it: the same, and a [mirror](crate::shared::Mirror) of the agent keeps it.
    Seen,
    /// It says what the agent does, and nothing follows from it: it is saved, and not digested.
    Shown,
}
