//! A keep that was drawn in Tiled: its gate, its guard's round, two lairs and a traveller are
//! objects of the map.
//!
//! The gate is closed at first, so the traveller cannot come in. Then it opens, the guard notices
//! him, drives him out, and goes on with its round, up the stairs of the tower. Wolves and otters
//! wander around their lairs meanwhile.

use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use nav::prelude::*;
use nav_behaviour::{
    Activity, ActivityChanged, BehaviourPlugins, Home, Leash, Notice, Noticeable, Patrol,
    PatrolOrder, PatrolStop, Wander,
};
use nav_examples::{app, run_seconds};
use nav_formats::{Format, MapFile, MapObject};
use nav_grid::{Area, Rules, rules::Class};
use std::{error::Error, time::Duration};

/// Opens in Tiled. A game would ask `Format::detect`, and read with `Files` if tilesets are in
/// files of their own.
const KEEP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/tiled/keep.tmx");

/// Terrain class of the layer `water`.
const WATER: Class = match Class::new(1) {
    Some(class) => class,
    None => Class::DEFAULT,
};

#[derive(Component)]
struct Door {
    map: Entity,
    area: Area,
    open: bool,
}

/// Name of the object in the editor.
#[derive(Component, Clone, Debug, PartialEq)]
struct Named(String);

#[derive(Component)]
struct Guard;

#[derive(Component)]
struct Beast {
    lair: Area,
    radius: u16,
}

/// Cells of the posts that the guard came to, in order.
#[derive(Resource, Default)]
struct Visits(Vec<Cell>);

/// Makes the map follow its doors.
fn swing(doors: Query<&Door, Changed<Door>>, mut commands: Commands) {
    for door in &doors {
        commands.edit_map(door.map, Edit::Walkable(door.area, door.open));
    }
}

fn note_visits(
    mut ended: MessageReader<GoToEnded>,
    guards: Query<(), With<Guard>>,
    mut visits: ResMut<Visits>,
) {
    for message in ended.read().filter(|it| guards.contains(it.agent)) {
        visits.0.push(message.cell);
    }
}

/// Spawns what an object of the editor stands for.
fn spawn(
    world: &mut World,
    map: Entity,
    file: &MapFile,
    object: &MapObject,
) -> Result<(), Box<dyn Error>> {
    let place = (
        OnMap(map),
        CellPosition::at(object.cell),
        Named(object.name.clone()),
    );
    match object.class.as_str() {
        "Door" => {
            let (area, open) = (object.area, object.get_or("open", true)?);
            world.spawn((Named(object.name.clone()), Door { map, area, open }));
        }
        "Player" => {
            world.spawn((place, on_land(), Noticeable::default()));
        }
        "Guard" => {
            let notice = Notice {
                needs_sight: true,
                ..Notice::new(object.get("range")?)
            };
            let round = Patrol::new(PatrolOrder::Loop, round(file, object)?);
            let leash = Leash::new(object.get("leash")?);
            world.spawn((place, Guard, on_land(), round, notice, leash));
        }
        "Lair" => {
            let (count, radius): (usize, u16) = (object.get("count")?, object.get("radius")?);
            let kind: &str = object.get("kind")?;
            let chaser = if object.get_or("swims", false)? {
                Chaser::default()
            } else {
                on_land()
            };
            let lair = object.area;
            for cell in lair.cells().take(count) {
                let pauses = (Duration::from_millis(500), Duration::from_secs(2));
                let wander = Wander::new(radius).with_pauses(pauses.0, pauses.1);
                let beast = (Named(kind.to_owned()), Beast { lair, radius }, chaser);
                let home = (Home(object.cell), wander);
                world.spawn((OnMap(map), CellPosition::at(cell), beast, home));
            }
        }
        // Posts belong to the guard's round.
        "Post" => {}
        _ => println!("not for navigation: {}", object.describe()),
    }
    Ok(())
}

/// Returns a chaser that does not swim.
fn on_land() -> Chaser {
    let rules = Rules::default();
    let classes = rules.classes.without(WATER);
    Chaser::default().with_rules(Rules { classes, ..rules })
}

/// Follows the references from a guard to its first post, and from post to post.
fn round(file: &MapFile, guard: &MapObject) -> Result<Vec<PatrolStop>, Box<dyn Error>> {
    let first = file.referred(guard, "post")?;
    let (mut post, mut stops) = (first, Vec::new());
    // A round that leads past its beginning would never end.
    while stops.len() <= file.objects.len() {
        let wait = Duration::try_from_secs_f64(post.get_or("wait", 0.0)?)?;
        stops.push(PatrolStop::new(post.cell, wait));
        post = file.referred(post, "next")?;
        if post.id == first.id {
            return Ok(stops);
        }
    }
    Err(format!("the round does not come back to {}", first.describe()).into())
}

/// Makes an app with the map and all that its objects stand for.
fn load(file: &MapFile) -> Result<App, Box<dyn Error>> {
    let mut app = app();
    app.add_plugins(BehaviourPlugins::default())
        .init_resource::<Visits>()
        .add_systems(FixedUpdate, swing.before(NavSystems::Observe))
        .add_systems(FixedUpdate, note_visits.after(NavSystems::Report));
    app.add_observer(
        |change: On<ActivityChanged>, guards: Query<&Named, With<Guard>>| {
            if let Ok(Named(name)) = guards.get(change.agent) {
                println!("  {name}: {:?}, {:?}", change.to, change.cause);
            }
        },
    );
    let map = app.world_mut().spawn(NavMap::new(file.grid.clone())).id();
    for object in &file.objects {
        spawn(app.world_mut(), map, file, object)?;
    }
    Ok(app)
}

fn main() -> Result<(), Box<dyn Error>> {
    let bytes = std::fs::read(KEEP).map_err(|error| format!("{KEEP}: {error}"))?;
    let file = Format::TiledXml.read(&bytes)?;
    for warning in &file.warnings {
        println!("warning: {warning}");
    }
    let mut app = load(&file)?;
    let [traveller, gate, ada] =
        ["traveller", "south gate", "Ada"].map(|name| named(&mut app, name));
    let outside = cell(&app, traveller);

    println!("the gate is closed");
    let hall = GoTo(Cell::new(14, 7));
    app.world_mut().entity_mut(traveller).insert(hall);
    run_seconds(&mut app, 25);
    assert!(cell(&app, traveller).y > 10, "he cannot come in");
    for post in file.objects_of("Post") {
        let visits = &app.world().resource::<Visits>().0;
        assert!(visits.contains(&post.cell), "Ada was at {}", post.name);
    }

    println!("the gate opens");
    set_door(&mut app, gate, true)?;
    let noticed = (0..400).any(|_| {
        app.update();
        chases(&app, ada)
    });
    assert!(noticed, "Ada notices him");
    println!("the traveller at {} runs", cell(&app, traveller));
    app.world_mut().entity_mut(traveller).insert(GoTo(outside));
    run_seconds(&mut app, 20);
    assert_eq!(cell(&app, traveller), outside);
    assert!(!chases(&app, ada), "her leash holds her");

    println!("the gate closes");
    set_door(&mut app, gate, false)?;
    app.world_mut().resource_mut::<Visits>().0.clear();
    run_seconds(&mut app, 25);
    let visits = &app.world().resource::<Visits>().0;
    assert!(
        visits.iter().any(|post| post.floor == 1),
        "up the stairs again"
    );
    println!("Ada was at {} posts of her round since", visits.len());
    look_for_beasts(&mut app);
    Ok(())
}

fn look_for_beasts(app: &mut App) {
    let mut beasts = app.world_mut().query::<(&Named, &CellPosition, &Beast)>();
    let mut strayed = 0;
    for (Named(kind), at, beast) in beasts.iter(app.world()) {
        println!("{kind} at {}, from the lair {}", at.cell, beast.lair);
        let around = beast.lair.grown(beast.radius, beast.radius);
        assert!(around.contains(at.cell));
        strayed += usize::from(!beast.lair.contains(at.cell));
    }
    assert!(strayed > 0, "some left their lair");
}

fn named(app: &mut App, name: &str) -> Entity {
    let mut all = app.world_mut().query::<(Entity, &Named)>();
    let found = all.iter(app.world()).find(|(_, it)| it.0 == name);
    found.map_or(Entity::PLACEHOLDER, |(entity, _)| entity)
}

fn cell(app: &App, agent: Entity) -> Cell {
    app.world()
        .get::<CellPosition>(agent)
        .map_or(Cell::new(0, 0), |at| at.cell)
}

fn chases(app: &App, agent: Entity) -> bool {
    let activity = app.world().get::<Activity>(agent);
    matches!(activity, Some(Activity::Chasing | Activity::InReach))
}

fn set_door(app: &mut App, door: Entity, open: bool) -> Result<(), Box<dyn Error>> {
    let mut door = app
        .world_mut()
        .get_mut::<Door>(door)
        .ok_or("no such door")?;
    door.open = open;
    Ok(())
}
