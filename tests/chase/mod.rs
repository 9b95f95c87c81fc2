//! Chases of single agents: where they go, when, and what the messages say.

mod ends;
mod failures_told;
mod lifecycle;
mod pace;
mod repath;
mod shots;
mod timers;
mod upcoming;
mod values;
mod walks;
