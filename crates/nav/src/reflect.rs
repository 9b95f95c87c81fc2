//! Registration of every reflected type.

use crate::{
    AgentId, AgentIds, AheadSettings, Body, CellPosition, ChasedBy, Chaser, Chasing, Destination,
    FieldAnchor, MoveTimer, NavBudget, NavClock, NavDiagnostics, NavMap, NavTimer, OnMap,
    PathCursor, Paused, Screen, Screens, WorldPosition,
    behaviour::{
        Activity, ChaseRecord, Formation, FormationMembers, GiveUp, GivenUp, GoTo, Home,
        InFormation, Intercept, KeepDistance, Leash, Notice, Noticeable, Patrol, Returning,
        StuckWatch, WalkEnd,
    },
};
use bevy_app::App;

pub(crate) fn register(app: &mut App) {
    app.register_type::<AgentId>()
        .register_type::<AgentIds>()
        .register_type::<AheadSettings>()
        .register_type::<Body>()
        .register_type::<CellPosition>()
        .register_type::<ChasedBy>()
        .register_type::<Chaser>()
        .register_type::<Chasing>()
        .register_type::<Destination>()
        .register_type::<FieldAnchor>()
        .register_type::<MoveTimer>()
        .register_type::<NavBudget>()
        .register_type::<NavClock>()
        .register_type::<NavDiagnostics>()
        .register_type::<NavMap>()
        .register_type::<NavTimer>()
        .register_type::<OnMap>()
        .register_type::<PathCursor>()
        .register_type::<Paused>()
        .register_type::<Screen>()
        .register_type::<Screens>()
        .register_type::<WorldPosition>();
    register_behaviours(app);
}

fn register_behaviours(app: &mut App) {
    app.register_type::<Activity>()
        .register_type::<ChaseRecord>()
        .register_type::<Formation>()
        .register_type::<FormationMembers>()
        .register_type::<GiveUp>()
        .register_type::<GivenUp>()
        .register_type::<GoTo>()
        .register_type::<Home>()
        .register_type::<InFormation>()
        .register_type::<Intercept>()
        .register_type::<KeepDistance>()
        .register_type::<Leash>()
        .register_type::<Notice>()
        .register_type::<Noticeable>()
        .register_type::<Patrol>()
        .register_type::<Returning>()
        .register_type::<StuckWatch>()
        .register_type::<WalkEnd>();
}
