//! Simulations, tick by tick.

#[path = "../checked_crowd/mod.rs"]
mod checked_crowd;

mod crowds;
mod invariants;
