//! Steps: what every chaser wants, who gets which cell, and where they go.

mod apply_step;
mod chased;
mod finish;
mod ghosts;
mod next_step;
mod outcomes;
mod params;
mod plugin;
mod proposal;
mod propose;
mod push;
mod reserve;
mod screens;
mod strip_ground;
mod strips;

pub(crate) use outcomes::Outcomes;
pub(crate) use plugin::StepPlugin;
