//! Ways past bodies, searched in drawings.

use super::*;
use crate::CellPosition;
use nav_grid::Rules;

/// A drawing: `#` is wall, `T` the target, `C` the body that searches. Others are bodies, by what
/// they are to it.
fn relation_of(letter: u8) -> Option<Relation> {
    match letter {
        b'm' => Some(Relation::Mover),
        b'c' => Some(Relation::Companion),
        b'w' => Some(Relation::Waiter),
        b'b' => Some(Relation::Beside),
        b'o' => Some(Relation::Outer),
        b's' => Some(Relation::Settled),
        b'x' => Some(Relation::Stayer),
        _ => None,
    }
}

/// Searches in a drawing for a body that comes within reach of its target, or onto its cell, past
/// others that make room or not.
struct Drawing<'a> {
    rows: &'a [&'a str],
    is_entered: bool,
    makes_room: bool,
    closed: Option<Cell>,
    is_stuck: bool,
}

impl<'a> Drawing<'a> {
    fn new(rows: &'a [&'a str]) -> Self {
        Self {
            rows,
            is_entered: false,
            makes_room: true,
            closed: None,
            is_stuck: false,
        }
    }

    fn letter(&self, cell: Cell) -> u8 {
        self.rows[usize::from(cell.y)].as_bytes()[usize::from(cell.x)]
    }

    fn find(&self, grid: &Grid, letter: u8) -> Cell {
        let size = grid.size();
        let cells = Area::new(Cell::new(0, 0), Cell::new(size.width - 1, size.height - 1)).cells();
        let mut found = cells.filter(|&cell| self.letter(cell) == letter);
        found.next().expect("a letter of the drawing")
    }

    /// The way found, as columns and rows.
    fn way(&self) -> Option<Vec<(u16, u16)>> {
        let (status, path) = self.search();
        let cells = path.iter().map(|cell| (cell.x, cell.y)).collect();
        (status == Status::Found).then_some(cells)
    }

    fn search(&self) -> (Status, Path) {
        let (width, height) = (self.rows[0].len() as u16, self.rows.len() as u16);
        let grid = Grid::from_fn(width, height, |cell| self.letter(cell) != b'#');
        let grid = grid.expect("sides of a map");
        let target = TargetSnapshot {
            position: CellPosition::at(self.find(&grid, b'T')),
            map: Entity::PLACEHOLDER,
            body: Footprint::ONE,
            is_entered: self.is_entered,
        };
        let search = PastBodies {
            grid: &grid,
            approach: Approach {
                rules: Rules::default(),
                stop_distance: 1,
                ..Approach::default()
            },
            target: &target,
            from: self.find(&grid, b'C'),
            makes_room: self.makes_room,
            closed: self.closed,
            is_stuck: self.is_stuck,
        };
        let holder = |cell: Cell| {
            let relation = match self.letter(cell) {
                // A body rests on the destination.
                b'T' if self.is_entered => Relation::Stayer,
                letter => relation_of(letter)?,
            };
            let index = u32::from(cell.y) * 100 + u32::from(cell.x);
            Some(Holder {
                agent: Entity::from_raw_u32(index)?,
                at: cell,
                relation,
            })
        };
        let mut path = Path::new();
        let outcome = search.search_past(holder, &mut PastScratch::default(), &mut path);
        (outcome.status, path)
    }
}

#[test]
fn free_way_around_a_stayer() {
    let rows = [
        "......", //
        ".Cx.T.", "......",
    ];
    let way = Drawing::new(&rows).way().expect("a way");
    let [first, (last, _)] = way[..] else {
        panic!("{way:?}");
    };
    assert!(first != (2, 1) && last == 3, "{way:?}");
}

#[test]
fn stayer_in_the_only_door() {
    let rows = [
        "..#...", //
        ".Cx.T.", "..#...",
    ];
    assert_eq!(Drawing::new(&rows).way(), None);
}

#[test]
fn settled_in_the_only_door_makes_room() {
    let rows = [
        "..#...", //
        ".Cs.T.", "..#...",
    ];
    let mut drawing = Drawing::new(&rows);
    assert_eq!(drawing.way(), Some(vec![(2, 1), (3, 1)]));
    drawing.makes_room = false;
    assert_eq!(drawing.way(), None);
}

#[test]
fn long_free_way_beside_one_that_gives_up_its_place() {
    // Around takes 12 steps more, less than what it costs to ask.
    let rows = [
        "..#...", //
        ".Cs.T.", "..#...", "..#...", "..#...", "..#...", "......",
    ];
    let way = Drawing::new(&rows).way().expect("a way");
    assert!(way.contains(&(2, 6)), "{way:?}");
}

#[test]
fn along_places_beside_the_target() {
    // Behind the body beside the target a place is free: it moves along.
    let rows = [
        "#####", //
        "Cb.##", "##T##", "#####",
    ];
    assert_eq!(Drawing::new(&rows).way(), Some(vec![(1, 1), (2, 1)]));
    // Not to a place away from the target.
    let full = [
        "#####", //
        "Cb###", "##T##", "#####",
    ];
    assert_eq!(Drawing::new(&full).way(), None);
}

#[test]
fn place_that_its_holder_leaves() {
    for letter in ["w", "o"] {
        let row = format!("C.{letter}T");
        assert_eq!(
            Drawing::new(&[&row]).way(),
            Some(vec![(1, 0), (2, 0)]),
            "{letter}"
        );
    }
    for letter in ["c", "m", "b", "s"] {
        let row = format!("C.{letter}T");
        assert_eq!(Drawing::new(&[&row]).way(), None, "{letter}");
    }
}

#[test]
fn bodies_on_all_places() {
    let full = [
        "Cbbb", //
        ".bTb", ".bbb",
    ];
    let taken = Status::Invalid(QueryEnd::Goal, Fault::Blocked);
    assert_eq!(Drawing::new(&full).search().0, taken);
    // Another pack may go on, or be asked to.
    let others = [
        "Cbbb", //
        ".bTs", ".bbb",
    ];
    assert_eq!(Drawing::new(&others).search().0, Status::Unreachable);
    // One is free, and no way leads there.
    let walled = [
        "C#.b", //
        ".#Tb", ".#bb",
    ];
    assert_eq!(Drawing::new(&walled).search().0, Status::Unreachable);
}

#[test]
fn free_place_before_one_that_its_holder_leaves() {
    let rows = [
        "C.wT.", //
        ".....",
    ];
    let way = Drawing::new(&rows).way().expect("a way");
    assert_ne!(way.last(), Some(&(2, 0)));
}

#[test]
fn another_way_past_what_could_not_be_cleared() {
    let rows = [
        "..s...", //
        ".Cs.T.", "..s...",
    ];
    let mut drawing = Drawing::new(&rows);
    let first = drawing.way().expect("a way")[0];
    drawing.closed = Some(Cell::new(first.0, first.1));
    let second = drawing.way().expect("another way")[0];
    assert_ne!(first, second);
}

#[test]
fn free_way_if_bodies_are_stuck() {
    // Around takes 30 steps more.
    let mut rows = vec!["..#....", ".Cs.T..", "..#...."];
    rows.extend(["..#...."; 14]);
    rows.push(".......");
    let mut drawing = Drawing::new(&rows);
    let way = drawing.way().expect("a way");
    assert!(way.contains(&(2, 1)), "{way:?}");
    drawing.is_stuck = true;
    let way = drawing.way().expect("a way");
    assert!(way.contains(&(2, 17)), "{way:?}");
    // There is no other way.
    rows.pop();
    let mut drawing = Drawing::new(&rows);
    drawing.is_stuck = true;
    let way = drawing.way().expect("a way");
    assert!(way.contains(&(2, 1)), "{way:?}");
}

#[test]
fn past_a_body_that_loses_its_place() {
    // The only free place is on the other side, and the only way leads over the taken place.
    let rows = [
        "###....", //
        "..C#...", "#b##.#.", "#.T.#..", "#.##.#.", "#......",
    ];
    let way = Drawing::new(&rows).way().expect("a way");
    assert!(way.contains(&(1, 2)), "{way:?}");
}

#[test]
fn nearer_to_a_destination_that_is_held() {
    let rows = [
        "C....T.", //
        ".......",
    ];
    let mut drawing = Drawing::new(&rows);
    drawing.is_entered = true;
    let way = drawing.way().expect("a way");
    let &(x, y) = way.last().expect("waypoints");
    let end = Cell::new(x, y);
    assert_eq!(end.chebyshev(Cell::new(5, 0)), 1, "{end}");
}

#[test]
fn only_bodies_near_their_target_search() {
    let grid = Grid::open(200, 1).expect("sides of a map");
    let near = |x| {
        let target = TargetSnapshot {
            position: CellPosition::at(Cell::new(0, 0)),
            map: Entity::PLACEHOLDER,
            body: Footprint::ONE,
            is_entered: false,
        };
        let search = PastBodies {
            grid: &grid,
            approach: Approach::default(),
            target: &target,
            from: Cell::new(x, 0),
            makes_room: true,
            closed: None,
            is_stuck: false,
        };
        search.is_near_enough()
    };
    assert_eq!(
        [near(DETOUR_RADIUS), near(DETOUR_RADIUS + 1)],
        [true, false]
    );
}
