//! The scenes of films.

use super::{FilmScene, stage::Stage};
use nav::prelude::*;
use nav_behaviour::{
    Approach, ApproachSide, CatchUp, Flee, Formation, FormationShape, GiveUp, Home, InFormation,
    Intercept, KeepDistance, Leash, Memory, Notice, Patrol, PatrolOrder, PatrolStop, StepAside,
    StuckWatch,
};
use nav_grid::{
    Area, Footprint, Rules,
    rules::{Class, ClassCosts, LinkKind, LinkKinds},
};

/// All scenes.
pub const SCENES: [FilmScene; 18] = [
    FilmScene {
        name: "notice",
        seconds: 11,
        map: YARD,
        cast: |stage| {
            let guard = Notice {
                needs_sight: true,
                calls: 12,
                ..Notice::new(8)
            };
            for at in [(8, 3), (18, 12), (31, 4)] {
                stage.npc(at, (guard, Body::default()));
            }
            stage.player((5, 13), &[(14, 13), (14, 12), (3, 12), (3, 3), (14, 3)]);
        },
    },
    FilmScene {
        name: "memory",
        seconds: 15,
        map: YARD,
        cast: |stage| {
            let sees = Notice {
                needs_sight: true,
                ..Notice::new(9)
            };
            // Half as long as by default: the film would stand still meanwhile.
            let looks = Memory::default()
                .with_times(Period::from_millis(1_000), Period::from_millis(2_000));
            let guard = (Home(Cell::new(4, 3)), sees, looks);
            stage.npc((4, 3), guard);
            let player = stage.player((12, 3), &[(25, 5), (25, 12), (33, 12), (33, 9)]);
            // Faster than the guard.
            let timer = MoveTimer::default().with_chasing(Period::from_millis(200));
            stage.insert(player, timer);
        },
    },
    FilmScene {
        name: "flee",
        seconds: 13,
        map: GATE,
        cast: |stage| {
            let course = [(12, 7), (16, 4), (18, 7), (28, 7), (33, 3), (33, 11)];
            let wolf = stage.player((2, 7), &course);
            let flee = Flee::from_danger(wolf).with_distance(14);
            for (x, y) in [(6, 3), (7, 12), (9, 6), (10, 9), (14, 2), (15, 13)] {
                let villager = flee.for_period(Period::from_millis(13_000));
                stage.npc((x, y), (villager, Body::default()));
            }
        },
    },
    FilmScene {
        name: "approach",
        seconds: 8,
        map: FIELD,
        cast: |stage| {
            let player = stage.player((6, 8), &[(16, 8)]);
            let sides = [
                ApproachSide::Behind,
                ApproachSide::Beside,
                ApproachSide::InFront,
            ];
            for (y, side) in [6, 8, 10].into_iter().zip(sides) {
                let thief = (Approach::new(side), Body::default(), Chasing(player));
                stage.npc((36, y), thief);
            }
        },
    },
    FilmScene {
        name: "escort",
        seconds: 12,
        map: GATE,
        cast: |stage| {
            let leader = stage.player((8, 7), &[(24, 7), (34, 3), (34, 12)]);
            stage.insert(leader, Formation::new(FormationShape::Ring));
            for y in [3, 5, 9, 11] {
                let member = (InFormation(leader), Body::default(), CatchUp::default());
                stage.npc((2, y), member);
            }
        },
    },
    FilmScene {
        name: "leash",
        seconds: 16,
        map: YARD,
        cast: |stage| {
            let post = Cell::new(12, 3);
            let wolf = (Home(post), Notice::new(6), Leash::new(12));
            stage.npc((12, 3), (wolf, Body::default()));
            stage.player((3, 3), &[(9, 4), (10, 12), (37, 13)]);
        },
    },
    FilmScene {
        name: "give-up",
        seconds: 9,
        map: MOAT,
        cast: |stage| {
            let patience = GiveUp {
                unreachable: Some(Period::from_millis(4_000)),
                ..GiveUp::default()
            };
            for (x, y) in [(4, 4), (4, 8)] {
                let npc = (Home(Cell::new(x, y)), Notice::new(20), patience);
                stage.npc((x, y), (npc, Body::default()));
            }
            stage.player((20, 6), &[]);
        },
    },
    FilmScene {
        name: "patrol",
        seconds: 24,
        map: YARD,
        cast: |stage| {
            let round = [(6, 5), (6, 11), (24, 11), (24, 5)];
            let round =
                round.map(|(x, y)| PatrolStop::new(Cell::new(x, y), Period::from_millis(600)));
            stage.npc((6, 5), Patrol::new(PatrolOrder::Loop, round));
            let to_and_fro = [(29, 2), (29, 13)].map(|(x, y)| Cell::new(x, y));
            stage.npc((29, 2), Patrol::new(PatrolOrder::PingPong, to_and_fro));
        },
    },
    FilmScene {
        name: "formation",
        seconds: 15,
        map: GATE,
        cast: |stage| {
            let way = [(16, 7), (34, 7), (34, 3)].map(|(x, y)| Cell::new(x, y));
            let lead = (
                Formation::new(FormationShape::Wedge),
                Patrol::new(PatrolOrder::Once, way),
                // Slower than its followers.
                MoveTimer::default().with_chasing(Period::from_millis(400)),
            );
            let leader = stage.npc((6, 7), lead);
            for y in [4, 5, 6, 8, 9, 10] {
                stage.npc((3, y), (InFormation(leader), Body::default()));
            }
        },
    },
    FilmScene {
        name: "keep-distance",
        seconds: 13,
        map: FIELD,
        cast: |stage| {
            let player = stage.player((3, 7), &[(20, 7), (24, 7), (16, 11), (16, 3)]);
            for y in [4, 7, 10] {
                let archer = (Chaser::ranged(7), KeepDistance { least: 5 });
                stage.npc((24, y), (archer, Body::default(), Chasing(player)));
            }
        },
    },
    FilmScene {
        name: "intercept",
        seconds: 11,
        map: WALL,
        cast: |stage| {
            let player = stage.player((2, 4), &[(38, 4)]);
            // As fast as its hunters.
            stage.insert(player, MoveTimer::default());
            stage.npc((19, 19), (Chasing(player), Intercept::new(30)));
            stage.npc((20, 19), Chasing(player));
        },
    },
    FilmScene {
        name: "step-aside",
        seconds: 9,
        map: GATE,
        cast: |stage| {
            for x in [18, 19, 20] {
                stage.npc((x, 7), (Body::default(), StepAside::default()));
            }
            let player = stage.player((34, 7), &[]);
            for y in [5, 9] {
                stage.npc((6, y), (Body::default(), Chasing(player)));
            }
        },
    },
    FilmScene {
        name: "stuck",
        seconds: 6,
        map: GATE,
        cast: |stage| {
            // Someone stands in the gate, and does not make room.
            stage.npc((19, 7), (Body::default(), Paused::default()));
            let player = stage.player((34, 7), &[]);
            // Windows of three steps: the film would stand still in longer ones.
            let mut watch = StuckWatch::default();
            watch.window = Period::from_millis(750);
            stage.npc((6, 7), (Body::default(), watch, Chasing(player)));
        },
    },
    FilmScene {
        name: "ghosts",
        seconds: 7,
        map: GATE,
        cast: |stage| crowd(stage, None),
    },
    FilmScene {
        name: "soft-bodies",
        seconds: 8,
        map: GATE,
        cast: |stage| crowd(stage, Some(Body::soft(Footprint::default()))),
    },
    FilmScene {
        name: "solid-bodies",
        seconds: 11,
        map: GATE,
        cast: |stage| crowd(stage, Some(Body::solid(Footprint::default()))),
    },
    FilmScene {
        name: "classes",
        seconds: 7,
        map: FIELD,
        cast: |stage| {
            let water = Class::new(1).expect("a class below 16");
            stage.change_map(|map| {
                let river = Area::new(Cell::new(16, 1), Cell::new(20, 11));
                map.set_class(river, water).expect("it is on the map");
            });
            let player = stage.player((30, 5), &[]);
            let walker = Rules::default().with_classes(ClassCosts::ALL.without(water));
            for y in [3, 6] {
                stage.npc((6, y), (Body::default(), Chasing(player)));
                let walker = Chaser {
                    rules: walker,
                    ..Chaser::default()
                };
                stage.npc((8, y), (walker, Body::default(), Chasing(player)));
            }
        },
    },
    FilmScene {
        name: "ladder",
        seconds: 13,
        map: CLIFF,
        cast: |stage| {
            let kind = LinkKind::new(1).expect("a kind below 16");
            stage.change_map(|map| {
                let across = Link::new(Cell::new(17, 6), Cell::new(22, 6));
                let ladder = across.with_kind(kind).with_millis(2_000).with_capacity(1);
                map.set_link(ladder).expect("it is on the map");
            });
            let player = stage.player((32, 6), &[]);
            for y in [3, 6, 9] {
                let guard = (Chaser::default(), Body::default(), Chasing(player));
                stage.npc((8, y), guard);
            }
            let wolf = Chaser {
                rules: Rules::default().with_links(LinkKinds::ALL.without(kind)),
                ..Chaser::default()
            };
            stage.npc((13, 9), (wolf, Body::default(), Chasing(player)));
        },
    },
];

/// Two dozen chasers of a player behind a gate.
fn crowd(stage: &mut Stage, body: Option<Body>) {
    let player = stage.player((30, 7), &[]);
    for number in 0..24 {
        let at = (4 + number % 4, 4 + number / 4);
        let npc = stage.npc(at, Chasing(player));
        if let Some(body) = body {
            stage.insert(npc, body);
        }
    }
}

/// A yard with a house, and walls that hide.
const YARD: &str = "\
########################################
#......................................#
#......................................#
#......................................#
#...........#..........................#
#...........#.............##...........#
#.......################..##...........#
#.......#..............#...............#
#.......#..............#.....###.......#
#.......#..............#.......#.......#
#.......################.......#.......#
#..............................#.......#
#......................................#
#......................................#
#......................................#
########################################";

/// Two levels and a cliff between them.
const CLIFF: &str = "\
########################################
#.................####.................#
#.................####.................#
#.................####.................#
#.................####.................#
#.................####.................#
#.................####.................#
#.................####.................#
#.................####.................#
#.................####.................#
#.................####.................#
#.................####.................#
########################################";

/// A rock behind a moat of walls.
const MOAT: &str = "\
##############################
#............................#
#............................#
#...............########.....#
#...............#......#.....#
#...............#......#.....#
#...............#......#.....#
#...............#......#.....#
#...............#......#.....#
#...............########.....#
#............................#
#............................#
##############################";

/// Two rooms and a gate between them.
const GATE: &str = "\
########################################
#..................#...................#
#..................#...................#
#..................#...................#
#..................#...................#
#..................#...................#
#..................#...................#
#......................................#
#..................#...................#
#..................#...................#
#..................#...................#
#..................#...................#
#..................#...................#
#..................#...................#
#..................#...................#
########################################";

/// A long wall with ways around both ends, and a lane that leads to its middle.
const WALL: &str = "\
########################################
#......................................#
#......................................#
#......................................#
#......................................#
#......................................#
#......................................#
#......................................#
#.......########################.......#
#......................................#
#......................................#
###################..###################
###################..###################
###################..###################
###################..###################
###################..###################
###################..###################
###################..###################
###################..###################
###################..###################
########################################";

/// Open ground.
const FIELD: &str = "\
########################################
#......................................#
#......................................#
#......................................#
#......................................#
#......................................#
#......................................#
#......................................#
#......................................#
#......................................#
#......................................#
#......................................#
#......................................#
#......................................#
#......................................#
########################################";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_is_filmed() {
        let folder = std::env::temp_dir().join(format!("nav_films-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::thread::scope(|threads| {
            for scene in &SCENES {
                threads.spawn(|| {
                    scene.write(&folder).unwrap();
                    let bytes = std::fs::read(folder.join(format!("{}.gif", scene.name))).unwrap();
                    assert!(bytes.starts_with(b"GIF89a"), "{}", scene.name);
                });
            }
        });
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
