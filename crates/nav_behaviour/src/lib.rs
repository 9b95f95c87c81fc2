//! Behaviours of an NPC around its chases: states to read, walks to places, patrols, notice and
//! leash.
//!
//! A chase is one state of an NPC. Each behaviour here is a component and a small plugin that
//! starts and ends chases by [`Chasing`](nav::Chasing), the way a game does. Behaviours know
//! nothing of the search for ways.
//!
//! [`BehaviourPlugins`] adds them all, and any can be left out. An agent without their components
//! costs nothing. The systems of a behaviour run only while its component exists. A behaviour makes
//! its agent a [`Chaser`](nav::Chaser), but for [`Activity`], [`Formation`] and [`Noticeable`],
//! which players have as well.
//!
//! - [`Activity`] says what an agent is doing; each change of it sends an [`ActivityChanged`].
//! - [`Patrol`] sends an agent from one cell to the next by [`GoTo`](nav::GoTo), [`Wander`] to
//!   drawn cells around a centre, and [`Home`] is the place of an idle agent.
//! - [`Notice`] lets an agent begin a chase of a [`Noticeable`] one by itself, and call others.
//! - [`ViewCone`] limits what it notices to a cone before it, and [`Memory`] lets it lose a target
//!   that it sees no longer.
//! - [`Threat`] switches the target of a chase by a list of amounts.
//! - [`Leash`] ends a chase that leads too far, [`GiveUp`] a chase that takes too long. The agent
//!   returns, which ends with a [`ReturnEnded`], and does not notice an unreachable target again
//!   for a while: [`GivenUp`].
//! - [`Formation`] keeps agents that are [`InFormation`] behind, beside or around a leader.
//! - [`KeepDistance`] lets a chaser step away from a target that comes too near, and [`Intercept`]
//!   cut off a moving one. [`Approach`] is the side of the target from which it comes.
//! - [`CatchUp`] lets a follower go faster while it is behind its place.
//! - [`Flee`] lets an agent run from a danger, and [`Confused`] stagger about. The chase or the
//!   walk that they [interrupt](Interrupted) goes on afterwards.
//! - [`StepAside`] lets an idle body make way for others.
//! - [`StuckWatch`] retries for an agent without progress, and reports it if that does not help.
//!
//! # Order
//!
//! All act in [`NavSystems::Behave`](nav::NavSystems::Behave), before the plugin reads the targets
//! of chasers, in this order: ends of confusions and flights, switches by threat, ends of chases,
//! new chases, and walks of agents that chase nothing.
//!
//! Retries and steps of a chaser need the places of targets: they follow in
//! [`BehaviourSystems::Unstick`] and [`BehaviourSystems::Steer`]. Changes of activities are
//! reported in [`BehaviourSystems::Tell`], after [`NavSystems::Report`](nav::NavSystems::Report).

#![cfg_attr(docsrs, feature(doc_cfg))]

mod activity;
mod approach;
mod catch_up;
mod confused;
mod ends;
mod explain;
mod flee;
mod formation;
mod give_up;
mod given_up;
mod go_home;
mod home;
mod intercept;
mod interrupted;
mod interrupts;
mod keep_distance;
mod leash;
mod memory;
mod moved_maps;
mod notice;
mod patrol;
mod plugins;
mod returning;
mod step_aside;
mod stuck;
mod table;
mod tell;
mod threat;
mod trail;
mod turns;
mod wander;

pub use activity::{Activity, ActivityCause, ActivityChanged};
pub use approach::{Approach, ApproachPlugin, ApproachSide};
pub use catch_up::{CatchUp, CatchUpPlugin};
pub use confused::{Confused, ConfusedPlugin, ConfusionEnded};
pub use ends::{LastPlace, ReturnEnd};
pub use flee::{Cornered, Flee, FleeEnd, FleeEnded, FleeFrom, FleePlugin, FleeUntil};
pub use formation::{Formation, FormationMembers, FormationPlugin, FormationShape, InFormation};
pub use give_up::LeashPlugin;
pub use given_up::GivenUp;
pub use go_home::HomePlugin;
pub use home::Home;
pub use intercept::{Intercept, InterceptPlugin};
pub use interrupted::Interrupted;
pub use keep_distance::{KeepDistance, KeepDistancePlugin};
pub use leash::{ChaseRecord, GiveUp, Leash, LeashFrom};
pub use memory::{Memory, MemoryPlugin, SearchEnded, Searching, SightLost};
pub use notice::{Notice, NoticePlugin, Noticeable, Noticed, ViewCone};
pub use patrol::{Patrol, PatrolOrder, PatrolPlugin, PatrolStop};
pub use plugins::{BehaviourPlugins, BehaviourSystems};
pub use returning::{ReturnEnded, Returning};
pub use step_aside::{StepAside, StepAsidePlugin};
pub use stuck::{StuckPlugin, StuckWatch};
pub use table::register_components;
pub use tell::ActivityPlugin;
pub use threat::{Threat, ThreatPlugin, ThreatSwitched};
pub use wander::{Wander, WanderPlugin};

// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
