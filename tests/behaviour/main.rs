//! Behaviours around a chase, each scene named after the complaint that it prevents.

mod formation;
mod leash;
mod pauses;
mod reach;
mod scene;
mod stuck;
mod walks;
