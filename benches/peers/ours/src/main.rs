//! The chase with `nav`.
//!
//! Settings: those of the column "horde" of docs/book/src/tuning.md. The default chaser without a
//! body, chasers of one target spawned one after another and staggered, the map prepared while it
//! is loaded.

use bevy_app::{App, TaskPoolOptions, TaskPoolPlugin};
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use course::{Course, Failure, MOVE_TICKS, Peer, TICK};
use nav::{nav_grid::Rules, prelude::*};

/// Without the feature `multi_threaded` all runs on the thread of the schedule.
const THREADS: usize = 1;

struct Ours {
    app: App,
    targets: Vec<Entity>,
    chasers: Vec<Entity>,
}

impl Ours {
    fn new(course: &Course) -> Result<Self, Failure> {
        let mut app = App::new();
        let pools = TaskPoolPlugin {
            task_pool_options: TaskPoolOptions::with_num_threads(THREADS),
        };
        app.add_plugins((pools, TimePlugin, NavPlugin::default()))
            .insert_resource(Time::<Fixed>::from_duration(TICK))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));

        let side = course.map.side();
        let is_free = |cell: Cell| {
            let Cell { x, y, .. } = cell;
            course.map.is_free(course::Cell { x, y })
        };
        let grid = Grid::from_fn(side, side, is_free)?;
        let mut map = NavMap::new(grid);
        map.prepare(Rules::default());
        let world = app.world_mut();
        let map = OnMap(world.spawn(map).id());

        let starts = course.targets[0].iter();
        let targets: Vec<Entity> = starts
            .map(|cell| world.spawn((map, CellPosition::new(cell.x, cell.y))).id())
            .collect();
        let beat = MoveTimer::default().with_chasing(TICK * MOVE_TICKS);
        let chasers = course.chasers.iter().zip(0..);
        let chasers = chasers
            .map(|(chaser, number)| {
                let start = CellPosition::new(chaser.start.x, chaser.start.y);
                let chasing = Chasing(targets[chaser.target]);
                let bundle = (
                    Chaser::default(),
                    chasing,
                    map,
                    start,
                    beat.staggered(number),
                );
                world.spawn(bundle).id()
            })
            .collect();
        Ok(Self {
            app,
            targets,
            chasers,
        })
    }
}

impl Peer for Ours {
    fn tick(&mut self, targets: &[course::Cell]) {
        let world = self.app.world_mut();
        for (&target, to) in self.targets.iter().zip(targets) {
            let to = CellPosition::new(to.x, to.y);
            if let Some(mut cell) = world.get_mut::<CellPosition>(target) {
                cell.set_if_neq(to);
            }
        }
        self.app.update();
    }

    fn cells(&mut self, cells: &mut Vec<course::Cell>) {
        let world = self.app.world();
        let places = self.chasers.iter();
        cells.extend(places.filter_map(|&chaser| {
            let cell = world.get::<CellPosition>(chaser)?.cell;
            Some(course::Cell {
                x: cell.x,
                y: cell.y,
            })
        }));
    }
}

fn main() -> Result<(), Failure> {
    course::run("nav", Ours::new)
}
