//! A hunt in a window: a click sends the player to a cell, and sixty NPCs are after it. The right
//! button builds walls, or removes them.
//!
//! ```text
//! cargo run --release --ignore-rust-version --manifest-path examples/window/Cargo.toml
//! ```
//!
//! `NavPlugin` decides on cells in `FixedUpdate`. `NavTransformPlugin` moves each `Transform` from
//! cell to cell in between, so that sprites glide at any frame rate. Nothing here moves an NPC.

use bevy::{
    color::palettes::tailwind::{AMBER_300, GRAY_500, RED_500, SKY_400, SLATE_700},
    prelude::*,
    window::PrimaryWindow,
};
use nav::{Body, CellPosition, ChaseState, Chaser, Chasing, GoTo, NavMap, NavPlugin, OnMap, PathCursor, UpcomingPath, WorldPosition, nav_grid::{
        Cell, Frame,
        map::{Axes, text},
    }, transform::{CellToTransform, NavTransformPlugin}};

/// Rooms with doors.
const MAP: &[u8] = include_bytes!("../../../assets/maps/rooms-128.txt");
const SIDE: u16 = 128;
/// A side of a cell in pixels: the whole map is in view on most screens.
const CELL: f32 = 7.0;
const NPCS: usize = 60;
/// Steps ahead for which the way of an NPC is drawn.
const AHEAD: u16 = 12;

fn main() -> AppExit {
    let pixels = (f32::from(SIDE) * CELL) as u32;
    let window = Window {
        title: "nav: left button goes there, right button builds".into(),
        resolution: (pixels, pixels).into(),
        ..default()
    };
    App::new()
        .add_plugins(DefaultPlugins.set(WindowPlugin {
            primary_window: Some(window),
            ..default()
        }))
        .add_plugins((NavPlugin::default(), NavTransformPlugin::default()))
        .insert_resource(Time::<Fixed>::from_hz(20.0))
        .insert_resource(ClearColor(SLATE_700.into()))
        .add_systems(Startup, begin)
        .add_systems(Update, (click, draw_walls, draw_ways, colour))
        .run()
}

#[derive(Component)]
struct Player;

/// Spawns the map, the player in the middle, and the NPCs around the edges.
fn begin(mut commands: Commands) -> Result {
    commands.spawn(Camera2d);
    let grid = text::read(MAP)?;
    // The middle of the map is the middle of the window, and rows run down the screen.
    let half = f64::from(SIDE - 1) / 2.0 * f64::from(CELL);
    let frame = Frame::new([-half, half, 0.0], f64::from(CELL), Axes::Z_UP)?;
    let free: Vec<Cell> = grid.walkable_cells().collect();
    let map = commands.spawn(NavMap::with_frame(grid, frame)).id();
    let agent = |at: Cell, colour: Srgba| {
        let sprite = Sprite::from_color(colour, Vec2::splat(CELL - 1.0));
        let place = (OnMap(map), CellPosition::at(at));
        (place, sprite, CellToTransform::default())
    };
    let middle = free[free.len() / 2];
    let player = (Player, Chaser::default(), agent(middle, SKY_400));
    let player = commands.spawn(player).id();
    for at in free.iter().step_by(free.len() / NPCS).take(NPCS) {
        let npc = (Chaser::default(), Body::default(), Chasing(player));
        commands.spawn((npc, agent(*at, AMBER_300)));
    }
    Ok(())
}

/// Sends the player to the cell under a click, and builds or removes a wall where the right button
/// is pressed.
fn click(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut map: Single<&mut NavMap>,
    player: Single<Entity, With<Player>>,
    mut commands: Commands,
) -> Result {
    let (camera, eye) = *camera;
    let Some(pointer) = window.cursor_position() else {
        return Ok(());
    };
    let place = camera.viewport_to_world_2d(eye, pointer)?;
    let world = WorldPosition([f64::from(place.x), f64::from(place.y), 0.0]);
    let cell = CellPosition::from_world(map.frame(), world).cell;
    if !map.grid().contains(cell) {
        return Ok(());
    }
    if buttons.just_pressed(MouseButton::Left) {
        commands.entity(*player).insert(GoTo(cell));
    }
    if buttons.just_pressed(MouseButton::Right) {
        let walkable = map.grid().is_walkable(cell);
        map.set_walkable(cell, !walkable)?;
    }
    Ok(())
}

/// The sprite of a wall.
#[derive(Component)]
struct Wall;

/// Draws all walls again when the map changed.
fn draw_walls(
    map: Single<&NavMap, Changed<NavMap>>,
    walls: Query<Entity, With<Wall>>,
    mut commands: Commands,
) {
    for wall in &walls {
        commands.entity(wall).despawn();
    }
    for y in 0..SIDE {
        for x in 0..SIDE {
            let cell = Cell::new(x, y);
            if !map.grid().is_walkable(cell) {
                let [x, y, _] = map.frame().world_of(cell).map(|along| along as f32);
                let sprite = Sprite::from_color(GRAY_500, Vec2::splat(CELL));
                // Behind the agents.
                commands.spawn((Wall, sprite, Transform::from_xyz(x, y, -1.0)));
            }
        }
    }
}

/// Draws the corners that each NPC comes to next.
fn draw_ways(
    npcs: Query<(Entity, &Transform), With<Body>>,
    upcoming: UpcomingPath,
    mut gizmos: Gizmos,
) {
    for (npc, transform) in &npcs {
        let corners = upcoming.corners(npc, AHEAD);
        let corners =
            corners.map(|corner| Vec2::new(corner.world[0] as f32, corner.world[1] as f32));
        let way = std::iter::once(transform.translation.truncate()).chain(corners);
        gizmos.linestrip_2d(way, AMBER_300.with_alpha(0.3));
    }
}

/// Those within reach of the player are red.
fn colour(mut npcs: Query<(&PathCursor, &mut Sprite), With<Body>>) {
    for (cursor, mut sprite) in &mut npcs {
        let is_within_reach = cursor.state() == ChaseState::Reached;
        sprite.color = if is_within_reach { RED_500 } else { AMBER_300 }.into();
    }
}
