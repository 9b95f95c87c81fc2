//! Behaviours around a chase, each scene named after the complaint that it prevents.

mod leash;
mod pauses;
mod reach;
mod scene;
mod walks;
