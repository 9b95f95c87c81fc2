//! Work on many agents, shared among the threads of Bevy's compute task pool without an effect of which thread did
//! what: for systems of a game that look at each of a million agents.

pub use crate::systems::{
    scratch::{Scratch, ScratchPool},
    threads::{Split, Threads},
};
