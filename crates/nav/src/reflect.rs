//! Registration of every reflected type.

use crate::{
    AgentId, AgentIds, AheadSettings, Body, CellPosition, ChasedBy, Chaser, Chasing, Destination,
    FieldAnchor, MoveTimer, NavBudget, NavClock, NavDiagnostics, NavMap, NavTimer, OnMap,
    PathCursor, Paused, Screen, Screens, WorldPosition,
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
}
