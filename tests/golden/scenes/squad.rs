//! Formations behind leaders, and chasers that cut runners off.

use crate::golden::{chance::Chance, recorder::Recorder};
use bevy_ecs::prelude::*;
use mapgen::Kind;
use nav::{Body, CellPosition, Chaser, MoveTimer, OnMap, Period};
use nav_behaviour::{
    Approach, ApproachSide, CatchUp, Formation, FormationShape, InFormation, Intercept,
};
use nav_grid::Cell;

/// The shapes of the formations, one for each row of the map.
const SHAPES: [FormationShape; 4] = [
    FormationShape::Column,
    FormationShape::Line,
    FormationShape::Wedge,
    FormationShape::Ring,
];

pub fn squad(recorder: &mut Recorder) {
    let kind = Kind::Clutter { percent: 3 };
    let grid = mapgen::generate(kind, 140, 120, 13).expect("a map of this size");
    let mut chance = Chance::new(11);
    let mut scene = recorder.open(grid.clone());
    let map = OnMap(scene.map);
    // A row of the map for each leader and runner, from left to right, past walls.
    let row = |y: u16| -> Vec<Cell> {
        let cells = (10..130).map(|x| Cell::new(x, y));
        cells.filter(|&cell| grid.is_walkable(cell)).collect()
    };
    let rows: Vec<Vec<Cell>> = (0..5).map(|n| row(10 + n * 18)).collect();
    let walkers: Vec<Entity> = rows.iter().map(|row| scene.target(row[8])).collect();
    let mut members = Vec::new();
    for (n, &shape) in SHAPES.iter().enumerate() {
        scene.insert(walkers[n], (Formation::new(shape), Body::default()));
        let room: Vec<Cell> = (1..8)
            .flat_map(|x| (1..9).map(move |y| Cell::new(x, 6 + n as u16 * 18 + y)))
            .filter(|&cell| grid.is_walkable(cell))
            .collect();
        for at in chance.some_of(room, 12) {
            let member = (
                Chaser::default(),
                CellPosition::at(at),
                map,
                Body::default(),
            );
            let member = scene.world().spawn((member, InFormation(walkers[n]))).id();
            if members.len() % 2 == 0 {
                scene.insert(member, CatchUp::default());
            }
            members.push((member, at));
        }
    }
    // Beside the way of the runner, which is the last walker.
    let flank: Vec<Cell> = (98..108)
        .flat_map(|y| (36..70).map(move |x| Cell::new(x, y)))
        .filter(|&cell| grid.is_walkable(cell))
        .collect();
    let hunters: Vec<Entity> = (0..40)
        .map(|n| {
            let side = [
                ApproachSide::Behind,
                ApproachSide::Beside,
                ApproachSide::InFront,
            ][n % 3];
            let hunter = scene.chaser(chance.one_of(&flank), walkers[4]);
            scene.insert(hunter, (Intercept::new(16), Approach::new(side)));
            scene.get_mut::<MoveTimer>(hunter).chasing = Period::from_millis(200);
            hunter
        })
        .collect();

    let mut aims = 0;
    for tick in 0..200 {
        if tick % 4 == 3 {
            for (walker, row) in walkers.iter().zip(&rows) {
                scene.put(*walker, row[9 + tick / 4]);
            }
        }
        recorder.tick(&mut scene);
        let aim = |&&hunter: &&Entity| scene.get::<Intercept>(hunter).aim().is_some();
        aims += hunters.iter().filter(aim).count();
    }
    assert!(aims > 50, "{aims} ticks on the way to a cell ahead");
    for &(member, at) in &members {
        assert_ne!(scene.cell(member), at, "a member stays behind");
    }
}
