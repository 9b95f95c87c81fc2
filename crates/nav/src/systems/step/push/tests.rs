//! Pushes in drawings: `A` asks, and wants to go east. Capital letters are bodies on their way
//! elsewhere, small ones are within reach of theirs, and `X` stays. Unless a test says otherwise,
//! bodies go east if they can.

mod dead_ends;

use super::{
    super::drawing::{Drawing, MAP, agent},
    *,
};
use crate::{AgentId, occupancy::Footing};
use Direction::{East, South};
use nav_grid::Direction;
use nav_grid::{Grid, Rules};

/// The bodies of a drawing.
struct Cast {
    bodies: Vec<(char, Neighbour)>,
    ways: Vec<(char, Direction)>,
    grid: Grid,
}

impl Bystanders for Cast {
    fn body(&self, holder: EntityIndex) -> Option<(Entity, Neighbour)> {
        let mut bodies = self.bodies.iter();
        let &(sign, body) = bodies.find(|(sign, _)| agent(*sign).index() == holder)?;
        Some((agent(sign), body))
    }

    /// Its way comes first, or that along the asker's path, and then any.
    fn ways(&mut self, agent: Entity, request: &Request) -> Option<Ranked> {
        let mut ways = self.ways.iter();
        let own = ways.find(|(sign, _)| u32::from(*sign) == agent.index_u32());
        let own = request.along.into_iter().next().or(own.map(|own| own.1));
        let steps = self.grid.steps(request.body.at, request.body.rules);
        let steps = Directions(steps.0 & !request.onto.0);
        let best = own.map_or(steps, |own| steps.intersection(own.into()));
        Some(Ranked {
            tiers: [best, Directions::NONE, Directions(steps.0 & !best.0)],
            toward: own.unwrap_or(East),
            link: None,
        })
    }

    fn steps(&self, from: Cell, rules: Rules) -> Directions {
        self.grid.steps(from, rules)
    }
}

/// A push in a drawing.
struct Scene<'a> {
    drawing: Drawing,
    memory: PushMemory,
    /// The way of the asker.
    way: Direction,
    /// Its path.
    path: &'a [(u16, u16)],
    /// Its attempts that failed before.
    failed_pushes: u8,
    /// Bodies that have a way of their own.
    ways: &'a [(char, Direction)],
    /// Changes how bodies are seen.
    tune: fn(char, &mut Neighbour),
    /// Whether the ground is that of the first strip, in place of the whole floor.
    is_strip: bool,
}

impl Scene<'_> {
    fn new<R: AsRef<str>>(rows: &[R]) -> Self {
        let mut memory = PushMemory::default();
        // As many visits as there may be.
        memory.begin(10_000);
        Self {
            drawing: Drawing::new(rows),
            memory,
            way: East,
            path: &[],
            failed_pushes: 0,
            ways: &[],
            tune: |_, _| {},
            is_strip: false,
        }
    }

    /// Returns the bodies that may make room, as others see them.
    fn cast(&self) -> Cast {
        let signs = self.drawing.signs().into_iter();
        let bodies = signs.filter(|sign| !"AX".contains(*sign)).map(|sign| {
            let body = self.drawing.body(sign);
            let is_reached = sign.is_ascii_lowercase();
            let mut neighbour = Neighbour {
                id: AgentId(sign.into()),
                target: agent('T'),
                at: self.drawing.find(sign),
                body,
                rules: Rules {
                    footprint: body.footprint,
                    ..Rules::default()
                },
                stop_distance: 1,
                pose: if is_reached {
                    Pose::Reached
                } else {
                    Pose::Waiting
                },
                waits: 0,
                failed_pushes: 0,
                may_step: true,
            };
            (self.tune)(sign, &mut neighbour);
            (sign, neighbour)
        });
        Cast {
            bodies: bodies.collect(),
            ways: self.ways.to_vec(),
            grid: self.drawing.grid.clone(),
        }
    }

    /// Makes an attempt of the asker, or to clear a place for it, if it may ask. Returns whether
    /// the body in front is stuck.
    fn attempt(&mut self, place: Option<Cell>) -> bool {
        let cast = self.cast();
        let steps = Ranked::steps(self.way.into(), self.way);
        let proposal = self.drawing.proposal('A', steps);
        let mut path = Path::new();
        for &cell in self.path {
            path.append(cell.into());
        }
        let Drawing {
            places, outcomes, ..
        } = &mut self.drawing;
        let rows = if self.is_strip {
            let (_, map) = places.maps().next().expect("a map");
            map.strips(false).next().expect("a strip").1
        } else {
            places.floor(MAP, 0).expect("a floor")
        };
        self.memory.begin_attempt(&proposal) && {
            let mut push = Push {
                ground: &mut StripGround { rows, outcomes },
                bystanders: cast,
                proposal: &proposal,
                asker: Asker {
                    agent: proposal.agent,
                    id: AgentId(1),
                    target: proposal.target,
                    rules: Rules::default(),
                    stop_distance: 1,
                    waits: proposal.waits,
                    failed_pushes: self.failed_pushes,
                    is_under: false,
                    passes: false,
                },
                path: &path,
                memory: &mut self.memory,
            };
            match place {
                Some(place) => push.clear_place(place),
                None => push.make_room(),
            }
        }
    }

    /// Returns the drawing after a push.
    fn after(mut self) -> Vec<String> {
        self.attempt(None);
        self.drawing.picture()
    }
}

/// Checks what becomes of drawings, each with the drawing after it.
fn check<const ROWS: usize>(cases: &[([&str; ROWS], [&str; ROWS])]) {
    for (before, after) in cases {
        assert_eq!(Scene::new(before).after(), after, "{before:?}");
    }
}

/// Returns a row with the asker, many bodies, and an end.
fn queue(bodies: u32, end: &str) -> String {
    let signs = (0..bodies).filter_map(|number| char::from_u32(0x100 + number));
    format!("A{}{end}", signs.collect::<String>())
}

#[test]
fn straight_chain() {
    check(&[
        (["AB.."], [".AB."]),
        (["ABC."], [".ABC"]),
        (["AbC."], [".AbC"]),
        // No body is in the way.
        (["A..."], [".A.."]),
    ]);
}

#[test]
fn chain_around_a_corner() {
    let before = ["AB#", "#C.", "###"];
    check(&[(before, [".A#", "#BC", "###"])]);
}

#[test]
fn chain_that_cannot_move() {
    check(&[
        (["AB#."], ["AB#."]),
        (["ABC#"], ["ABC#"]),
        (["ABX."], ["ABX."]),
        (["AX.."], ["AX.."]),
    ]);
}

#[test]
fn way_out_behind_the_first_one() {
    // B cannot push X, and steps down.
    check(&[
        (["ABX", "..."], [".AX", "..B"]),
        (["ABX", "#.#"], [".AX", "#B#"]),
    ]);
}

#[test]
fn bodies_never_change_places() {
    // The only way of B is the cell of the asker, and that of C is the cell of B.
    check(&[(["AB#"], ["AB#"]), (["ABC"], ["ABC"])]);
    let mut scene = Scene::new(&["#AB#", "#..#"]);
    scene.ways = &[('B', Direction::West)];
    // Below is room.
    assert_eq!(scene.after(), ["#.A#", "#B.#"]);
}

#[test]
fn free_cell_before_one_that_a_body_would_leave() {
    let mut scene = Scene::new(&["ABC.", "...."]);
    scene.ways = &[('B', East)];
    let after = scene.after();
    assert_eq!(after, [".AC.", "..B."]);
}

#[test]
fn failed_push_leaves_no_gap_beside_a_target() {
    // Bodies are asked row by row: the first one goes, the second one stays, so the first one comes
    // back if it was within reach of its target. One on its way has nothing to lose.
    check(&[
        (["AAb.", "AAX."], ["AAb.", "AAX."]),
        (["AAB.", "AAX."], ["AA.B", "AAX."]),
    ]);
}

#[test]
fn rolled_back_body_sleeps_and_may_be_asked_again() {
    let mut scene = Scene::new(&["AAb.", "AAX."]);
    let at = scene.drawing.find('b');
    scene.drawing.floor().sleep(at);
    scene.attempt(None);
    assert!(scene.drawing.floor().is_asleep(at));
    let asked = &scene.memory.asked;
    assert!(!asked.contains_key(&(agent('b').index(), MAP)));
    assert!(asked.contains_key(&(agent('X').index(), MAP)));
    assert!(!scene.drawing.outcomes.has_stepped(agent('b')));
}

#[test]
fn large_body_pushes_small_ones() {
    check(&[
        (["AAB.", "AA.."], [".AAB", ".AA."]),
        (["AAB.", "AAC."], [".AAB", ".AAC"]),
    ]);
    // The place that the large one goes to is claimed: below B is no room for B.
    check(&[(["AAB#", "AA.#", "####"], ["AAB#", "AA.#", "####"])]);
}

#[test]
fn small_body_pushes_a_large_one() {
    check(&[
        (["ABB.", ".BB."], [".ABB", "..BB"]),
        // Half of its way is taken.
        (["ABBX", ".BB."], ["ABBX", ".BB."]),
        (["ABBC.", ".BB.."], [".ABBC", "..BB."]),
    ]);
    // Off the cell that was asked for, not only to another place.
    let mut scene = Scene::new(&["ABB#", "#BB#", "#..#"]);
    scene.ways = &[('B', South)];
    assert_eq!(scene.after(), [".A.#", "#BB#", "#BB#"]);
}

#[test]
fn large_body_leaves_the_whole_cell() {
    // Its only step would leave it on the cell that the asker wants.
    let before = ["#BB#", "ABB#", "#..#"];
    check(&[(before, before)]);
}

#[test]
fn nothing_is_left_of_an_attempt() {
    let mut scene = Scene::new(&["AAB.", "AAX."]);
    let before = scene.memory.visits;
    scene.attempt(None);
    assert!(scene.memory.claims.is_empty() && scene.memory.steps.is_empty());
    assert_eq!(before - scene.memory.visits, 2);
    // In another tick all may be asked again.
    scene.memory.begin(10_000);
    assert!(scene.memory.asked.is_empty());
}

#[test]
fn soft_body_goes_through_others() {
    // It steps onto the cell of B, which stays and still holds it.
    check(&[(["A1B#"], [".AB#"]), (["A12#"], [".A2#"])]);
}

#[test]
fn all_bodies_on_a_cell_leave_it() {
    let mut scene = Scene::new(&["AB.", "1.."]);
    let (from, to) = (scene.drawing.find('1'), scene.drawing.find('B'));
    let footprint = Footprint::ONE;
    scene.drawing.floor().step(agent('1'), footprint, from, to);
    scene.tune = |sign, body| {
        if sign == '1' {
            body.at = Cell::new(1, 0);
        }
    };
    assert_eq!(scene.after(), [".AB", "..."]);
}

#[test]
fn depth_of_a_chain() {
    let (longest, too_long) = (queue(DEPTH_MAX, "."), queue(DEPTH_MAX + 1, "."));
    let moved = format!(".{}", longest.trim_end_matches('.'));
    assert_eq!(Scene::new(&[longest]).after(), [moved]);
    assert_eq!(Scene::new(&[&too_long]).after(), [too_long]);
}

#[test]
fn visits_of_an_attempt() {
    // All ways end at walls, so the attempt would ask everybody.
    let signs: Vec<char> = (0..400)
        .filter_map(|number| char::from_u32(0x100 + number))
        .collect();
    let rows = signs
        .chunks(40)
        .map(|row| format!("#{}", row.iter().collect::<String>()));
    let mut rows: Vec<String> = rows.collect();
    rows[5].replace_range(0..1, "A");
    let visits = |proposals| {
        let mut scene = Scene::new(&rows);
        scene.memory.begin(proposals);
        let before = scene.memory.visits;
        let mut counts = [0; 3];
        for count in &mut counts {
            let left = scene.memory.visits;
            // Another target, so that nobody was asked before.
            scene.memory.asked.clear();
            scene.attempt(None);
            *count = left - scene.memory.visits;
        }
        (before, counts)
    };
    // An attempt that begins may ask more than are left; the next one does not begin.
    assert_eq!(visits(0), (32, [VISITS_PER_PUSH, 0, 0]));
    assert_eq!(visits(1_600), (132, [VISITS_PER_PUSH, 0, 0]));
    assert_eq!(visits(10_000), (256, [VISITS_PER_PUSH, VISITS_PER_PUSH, 0]));
}

#[test]
fn each_body_is_asked_once() {
    let mut scene = Scene::new(&["ABC#"]);
    let before = scene.memory.visits;
    scene.attempt(None);
    let after = scene.memory.visits;
    scene.attempt(None);
    assert_eq!((before - after, after - scene.memory.visits), (2, 0));
}

#[test]
fn no_chain_leaves_the_rows_of_a_strip() {
    // A strip of 32 rows sees 16 rows below, and asks no body on the last of them.
    let column = |bodies: &str| {
        let rows = (0..100).map(|y: usize| {
            let sign = y
                .checked_sub(44)
                .and_then(|place| bodies.chars().nth(place));
            sign.unwrap_or('.').to_string()
        });
        rows.collect::<Vec<_>>()
    };
    for (before, after, is_strip) in [
        ("ABC.", ".ABC", true),
        ("ABCD.", "ABCD.", true),
        ("ABCD.", ".ABCD", false),
    ] {
        let mut scene = Scene::new(&column(before));
        (scene.way, scene.is_strip) = (South, is_strip);
        assert_eq!(scene.after(), column(after), "{before}");
    }
}

#[test]
fn large_body_across_the_rows_of_a_strip() {
    let rows = |asker: usize| {
        let mut rows = [".."; 100];
        rows[asker] = "A.";
        rows[asker + 1..asker + 3].fill("BB");
        rows
    };
    // Its second row is the last that the strip sees.
    for (before, after, is_strip) in [(44, 45, true), (45, 45, true), (45, 46, false)] {
        let mut scene = Scene::new(&rows(before));
        (scene.way, scene.is_strip) = (South, is_strip);
        assert_eq!(scene.after(), rows(after), "{before}");
    }
}

#[test]
fn body_that_stepped_is_not_asked() {
    // It came to the cell in this tick.
    let mut scene = Scene::new(&["AB..", "...."]);
    scene.tune = |_, body| body.at = Cell::new(1, 1);
    assert_eq!(scene.after(), ["AB..", "...."]);
    // A large body that stepped may cover the cell from its old place as well.
    let scene = Scene::new(&["ABB.", ".BB."]);
    let to = Footing::new(Cell::new(1, 0), scene.drawing.body('B').footprint);
    scene.drawing.outcomes.step(agent('B'), to);
    assert_eq!(scene.after(), ["ABB.", ".BB."]);
}

#[test]
fn bodies_that_make_no_room() {
    let tunes: [fn(char, &mut Neighbour); 3] = [
        |_, body| body.may_step = false,
        // It waited longer.
        |_, body| body.waits = 4,
        // Within reach of the asker's target, and the asker has no way past it.
        |_, body| (body.target, body.pose) = (MAP, Pose::Reached),
    ];
    for tune in tunes {
        let mut scene = Scene::new(&["AB.."]);
        scene.tune = tune;
        assert_eq!(scene.after(), ["AB.."]);
    }
}

#[test]
fn rather_along_the_path_of_the_asker() {
    let rows = ["AB..", "...."];
    let mut scene = Scene::new(&rows);
    scene.ways = &[('B', South)];
    assert_eq!(scene.after(), [".A..", ".B.."]);
    let mut scene = Scene::new(&rows);
    scene.ways = &[('B', South)];
    scene.path = &[(1, 0), (2, 1), (3, 1)];
    assert_eq!(scene.after(), [".A..", "..B."]);
}

#[test]
fn closed_cells() {
    // The gate admits neither.
    check(&[
        (["A=.."], ["A=.."]),
        (["AB=."], ["AB=."]),
        (["ABC="], ["ABC="]),
    ]);
}

#[test]
fn end_of_a_link() {
    let mut scene = Scene::new(&["A..B.", "....."]);
    scene.attempt(Some(Cell::new(3, 0)));
    assert_eq!(scene.drawing.picture(), ["A...B", "....."]);
    // All cells of a large body are cleared, or no body beside its target leaves it.
    for (row, after) in [("...X.", "...b."), (".....", "....b")] {
        let rows = ["AA.b.", &format!("AA{}", &row[2..])];
        let mut scene = Scene::new(&rows);
        scene.attempt(Some(Cell::new(2, 0)));
        assert_eq!(scene.drawing.picture()[0][2..], after[2..], "{row}");
    }
}

#[test]
fn bodies_that_do_not_push() {
    let drawing = Drawing::new(&["AB1."]);
    let proposal = |sign, presses| Proposal {
        presses,
        ..drawing.proposal(sign, Ranked::default())
    };
    let begins = |proposal: Proposal, visits| {
        let mut memory = PushMemory {
            visits,
            ..PushMemory::default()
        };
        memory.begin_attempt(&proposal)
    };
    assert!(begins(proposal('A', true), 1));
    assert!(!begins(proposal('A', true), 0));
    // Others make no room around its target.
    assert!(!begins(proposal('A', false), 1));
    // A soft body goes through.
    assert!(!begins(proposal('1', true), 1));
}
