//! Lists of behaviours outside the table of the crate: they name all of them.

use bevy_ecs::prelude::*;
use nav::{Chaser, Period, extend::StateComponents};
use nav_behaviour::{
    Activity, Approach, ApproachSide, CatchUp, Confused, Flee, Formation, FormationShape, GiveUp,
    Home, InFormation, Intercept, KeepDistance, Leash, Memory, Notice, Noticeable, Patrol,
    PatrolOrder, StepAside, StuckWatch, Threat, ViewCone, Wander,
};
use nav_grid::Cell;

/// Components that the plugins write, and no game inserts.
const WRITTEN: [&str; 7] = [
    "ChaseRecord",
    "GivenUp",
    "Interrupted",
    "LastPlace",
    "ReturnEnd",
    "Returning",
    "Searching",
];

/// Where a newcomer looks for behaviours.
const DOCUMENTS: [(&str, &str); 3] = [
    ("src/lib.rs", include_str!("../../src/lib.rs")),
    ("README.md", include_str!("../../README.md")),
    (
        "docs/book/src/behaviours.md",
        include_str!("../../../../docs/book/src/behaviours.md"),
    ),
];

/// Returns the names of all components that a game inserts.
fn given_by_games() -> Vec<&'static str> {
    let mut app = nav_testing::app();
    nav_behaviour::register_components(&mut app);
    let registered = app.world().resource::<StateComponents>().names();
    registered.filter(|name| !WRITTEN.contains(name)).collect()
}

#[test]
fn documents_name_each_behaviour() {
    for (document, text) in DOCUMENTS {
        for name in given_by_games() {
            // In code, alone or as a link, and not only as an import.
            let is_named = ["`]", "`", "`, `"]
                .into_iter()
                .any(|end| text.contains(&format!("`{name}{end}")));
            assert!(is_named, "{document} does not name `{name}`");
        }
    }
}

/// Returns whether a component makes its agent a chaser.
fn makes_chaser(behaviour: impl Bundle) -> bool {
    let mut world = World::new();
    world.spawn(behaviour).contains::<Chaser>()
}

#[test]
fn behaviour_works_alone() {
    let mut world = World::new();
    let other = world.spawn_empty().id();
    let (cell, wait) = (Cell::new(1, 2), Period::from_millis(300));
    let cases = [
        ("Activity", makes_chaser(Activity::Idle)),
        (
            "Approach",
            makes_chaser(Approach::new(ApproachSide::Behind)),
        ),
        ("CatchUp", makes_chaser(CatchUp::default())),
        ("Confused", makes_chaser(Confused::for_period(wait))),
        ("Flee", makes_chaser(Flee::from_cell(cell))),
        (
            "Formation",
            makes_chaser(Formation::new(FormationShape::Ring)),
        ),
        ("GiveUp", makes_chaser(GiveUp::default())),
        ("Home", makes_chaser(Home(cell))),
        ("InFormation", makes_chaser(InFormation(other))),
        ("Intercept", makes_chaser(Intercept::new(9))),
        ("KeepDistance", makes_chaser(KeepDistance { least: 3 })),
        ("Leash", makes_chaser(Leash::new(9))),
        ("Memory", makes_chaser(Memory::new(9))),
        ("Notice", makes_chaser(Notice::new(9))),
        ("Noticeable", makes_chaser(Noticeable::default())),
        (
            "Patrol",
            makes_chaser(Patrol::new(PatrolOrder::Loop, [cell])),
        ),
        ("StepAside", makes_chaser(StepAside::default())),
        ("StuckWatch", makes_chaser(StuckWatch::default())),
        ("Threat", makes_chaser(Threat::default())),
        ("ViewCone", makes_chaser(ViewCone::default())),
        ("Wander", makes_chaser(Wander::new(9))),
    ];
    let names: Vec<&str> = cases.iter().map(|case| case.0).collect();
    assert_eq!(names, given_by_games());
    // What players have as well: who lead, are noticed, or tell what they do.
    let without = cases.iter().filter(|case| !case.1);
    let without: Vec<&str> = without.map(|case| case.0).collect();
    assert_eq!(without, ["Activity", "Formation", "Noticeable"]);
}
