//! Initial traces of the corpus: small worlds with as many outside events as possible.

use nav::Body;
use nav_drawn::{Kind, Mix, Npc, Rooms, Scene, Session, Target, tape::Tape};
use nav_grid::{Cell, Footprint, Grid};
use nav_trace::rewrite;

/// Returns complete traces, and longer ones without sketches, which the target fills in.
pub(crate) fn tapes() -> Vec<Vec<u8>> {
    let long = (2..6).map(|seed| {
        let trace = rewrite(&tape(seed, 30), |_, state| state.sketch.clear());
        trace.expect("short records")
    });
    (0..2).map(|seed| tape(seed, 2)).chain(long).collect()
}

/// Records a trace of a small world from its beginning. Every other one has behaviours.
fn tape(seed: u64, frames: usize) -> Vec<u8> {
    let rooms = Rooms {
        behaviours: seed % 2 == 1,
        ..Rooms::default()
    };
    let mut app = rooms.app();
    let tape = Tape::start(&mut app);
    let mut session = Session::new(scene(seed), app, seed, mix());
    session.stage.add_away();
    session.run(frames);
    tape.finish(&mut session.stage.world.app).0
}

/// Returns the mix of events: all but restores, which replace the recorded app. Rare ones come
/// more often.
fn mix() -> Mix {
    Mix::faults(4).without(Kind::Restore).with(&[
        (10, Kind::Mud),
        (10, Kind::Ledge),
        (10, Kind::Link),
        (10, Kind::Build),
        (10, Kind::Coordinates),
        (10, Kind::Renew),
        (5, Kind::CopyMap),
        (5, Kind::RemoveMap),
    ])
}

/// Creates two targets and four chasers, some with bodies, on both sides of a wall.
fn scene(seed: u64) -> Scene {
    let grid = Grid::from_fn(12, 6, |cell| cell.x != 4 || cell.y == 0 || cell.y == 5);
    let mut scene = Scene::on(seed, grid.expect("a small map"));
    scene.regions = true;
    scene.targets = [(9, 1), (7, 4)].map(|at| Target::at(at.into())).into();
    let npcs = (0..4).map(|n| Npc {
        body: (n > 1).then(|| Body::solid(Footprint::ONE)),
        ..Npc::at(Cell::new(1, 1 + n), usize::from(n % 2))
    });
    scene.npcs = npcs.collect();
    scene
}
