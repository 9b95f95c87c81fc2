//! The sets in which the plugin's systems run.

use bevy_ecs::prelude::*;

/// The sets of the plugin's systems. All run in the schedule of the
/// [`NavPlugin`](crate::NavPlugin), `FixedUpdate` by default, one after the other in this order.
/// Order systems of the game before, between or after them.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NavSystems {
    /// Decides what agents do beside chasing: whom they chase, where they walk. Runs before [`All`](Self::All). Order
    /// other systems of a game before or after it, so that a recorder knows what the game changed.
    Behave,
    /// In [`Behave`](Self::Behave): the systems that decide, as those of behaviours. The plugin itself has none.
    Act,
    /// All of those below, to order systems before or after the whole plugin.
    All,
    /// The first thing in [`Observe`](Self::Observe), for those who look at what the game changed before the plugin
    /// does: the plugin has no system in it.
    First,
    /// Advances the clock and notes what the game changed: targets, maps and bodies. Move targets
    /// and edit maps before.
    ///
    /// After it: [`NavClock`](crate::NavClock) says the moment of this tick, targets moved in world
    /// coordinates have their cell, paths that edits broke are dropped, and the indexes of maps are
    /// up to date.
    Observe,
    /// Aims the shared fields of targets that moved, and makes those that are due.
    ///
    /// After it: fields that somebody follows lead to where [`FieldAnchor`](crate::FieldAnchor)
    /// says, but for those that wait for the [`NavBudget`](crate::NavBudget).
    AimFields,
    /// Decides for all chasers whose move tick it is who searches now.
    ///
    /// After it: every decision of the tick is made, but for chasers whose field is missing.
    Decide,
    /// Makes the missing fields that chasers asked for, and decides for those once more.
    ///
    /// After it: every decision of the tick is final.
    JoinFields,
    /// Answers the searches, as far as the budget goes.
    ///
    /// After it: chasers have the paths that were found.
    Search,
    /// Moves the chasers whose move tick it is.
    ///
    /// After it: places of chasers are those of this tick, and so are [`Screens`](crate::Screens).
    Step,
    /// Writes messages and counters. Read them after.
    Report,
    /// The last thing in [`Report`](Self::Report), for those who look at the state after the tick: the plugin has no
    /// system in it.
    Last,
}
