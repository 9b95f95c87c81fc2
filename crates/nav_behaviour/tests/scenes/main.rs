//! Behaviours around a chase, each scene named after the complaint that it prevents.

mod approach;
mod catch_up;
mod confused;
mod dead_ends;
mod flee;
mod formation;
mod intercept;
mod interruptions;
mod keep_distance;
mod leash;
mod lists;
mod memory;
mod notice;
mod pauses;
mod pillar;
mod reach;
mod returns;
mod scene;
mod step_aside;
mod stuck;
mod threat;
mod walks;
mod wander;
