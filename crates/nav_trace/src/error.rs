//! Why a trace cannot be written or read.

use nav::saving::RestoreError;
use std::{fmt, io};

/// Why a trace cannot be written or read.
#[derive(Debug)]
#[non_exhaustive]
pub enum TraceError {
    /// The world has no [`TracePlugin`](crate::TracePlugin).
    NoPlugin,
    /// A trace is being recorded already.
    Recording,
    /// No trace is being recorded.
    NotRecording,
    /// The trace could not be written, or read.
    Io(io::Error),
    /// What is read is no trace.
    NotATrace,
    /// The trace has another version than this build reads.
    Version {
        /// That of the trace.
        found: u16,
        /// That of this build.
        known: u16,
    },
    /// The trace has a component that is not [registered](nav::state) in the app that replays it.
    OtherComponents {
        /// The name of the component.
        component: String,
    },
    /// More components are registered than a trace has room for.
    TooManyComponents {
        /// So many are registered.
        registered: usize,
        /// So many are possible.
        most: usize,
    },
    /// The trace ends in the middle, as that of a process that was killed.
    CutOff {
        /// The last tick that is whole; 0 if there is none.
        after: u64,
    },
    /// The contents are not those that were written.
    Damaged {
        /// The tick whose record it is; 0 is the start.
        tick: u64,
    },
    /// The state at the start cannot be restored.
    Start(RestoreError),
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPlugin => write!(f, "the world has no TracePlugin"),
            Self::Recording => write!(f, "a trace is being recorded already"),
            Self::NotRecording => write!(f, "no trace is being recorded"),
            Self::Io(error) => error.fmt(f),
            Self::NotATrace => write!(f, "this is no trace"),
            Self::Version { found, known } => write!(
                f,
                "the trace has version {found}, and this build reads version {known}"
            ),
            Self::OtherComponents { component } => write!(
                f,
                "the trace has the component {component}, which this app does not register: add the plugin that does"
            ),
            Self::TooManyComponents { registered, most } => write!(
                f,
                "{registered} components of agents are registered, and a trace has room for {most}"
            ),
            Self::CutOff { after } => write!(f, "the trace is cut off after tick {after}"),
            Self::Damaged { tick } => write!(f, "the trace is damaged at tick {tick}"),
            Self::Start(error) => write!(f, "the start of the trace cannot be restored: {error}"),
        }
    }
}

impl std::error::Error for TraceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Start(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for TraceError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
