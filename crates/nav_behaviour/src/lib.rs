//! What an NPC does around its chases: states to read, walks to places, patrols, notice and leash.
//!
//! A chase is one state of an NPC. Each behaviour here is a component and a small plugin of its own
//! that starts and ends chases by [`Chasing`](nav::Chasing), the way a game does; none knows how a
//! way is found. [`BehaviourPlugins`] adds them all, and any can be left out. An agent without their
//! components costs nothing, and where nobody has those of a behaviour, none of its systems runs.
//!
//! - [`Activity`] says what an agent is doing; every change of it is an [`ActivityChanged`].
//! - [`GoTo`] sends an agent onto a cell, [`Patrol`] from one to the next, and [`Home`] is where it
//!   stands when it has nothing to do.
//! - [`Notice`] has an agent begin a chase by itself of whoever is [`Noticeable`], and call others.
//! - [`Leash`] ends a chase that leads too far, [`GiveUp`] one that takes too long; the agent returns, and
//!   does not notice again whom it could not reach: [`GivenUp`].
//! - [`Formation`] keeps those who are [`InFormation`] behind, beside or around a leader.
//! - [`KeepDistance`] has a chaser step away from who comes too near, and [`Intercept`] cut off who runs.
//! - [`StuckWatch`] has those who do not get on try something else, and say so if that does not help.
//!
//! # Order
//!
//! All act in [`NavSystems::Behave`](nav::NavSystems::Behave), before the plugin looks at who chases whom, one after the
//! other: what ends a chase, what begins one, and last the walks of those who chase nobody. What a chaser
//! does about its way acts when it is known where targets are, in [`BehaviourSystems::Unstick`] and
//! [`BehaviourSystems::Steer`]. Changes of
//! activities are reported in [`BehaviourSystems::Tell`], after [`NavSystems::Report`](nav::NavSystems::Report).

mod activity;
mod chase_record;
mod formation;
mod given_up;
mod go_to;
mod home;
mod intercept;
mod keep_distance;
mod leash;
mod news;
mod notice;
mod on_demand;
mod patrol;
mod plugins;
mod sets;
mod state;
mod stuck;
mod tell;
mod walks;

pub use activity::{Activity, ActivityCause, ActivityChanged};
pub use chase_record::ChaseRecord;
pub use formation::{Formation, FormationMembers, FormationPlugin, FormationShape, InFormation};
pub use given_up::GivenUp;
pub use go_to::{GoTo, GoToEnd, GoToEnded, GoToPlugin};
pub use home::{Home, HomePlugin};
pub use intercept::{Intercept, InterceptPlugin};
pub use keep_distance::{KeepDistance, KeepDistancePlugin};
pub use leash::{GiveUp, Leash, LeashFrom, LeashPlugin, Returning};
pub use notice::{Notice, NoticePlugin, Noticeable, Noticed};
pub use patrol::{Patrol, PatrolOrder, PatrolPlugin, PatrolStop};
pub use plugins::BehaviourPlugins;
pub use sets::BehaviourSystems;
pub use state::register_components;
pub use stuck::{StuckPlugin, StuckWatch};
pub use tell::ActivityPlugin;
pub use walks::WalkEnd;

// The examples of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
