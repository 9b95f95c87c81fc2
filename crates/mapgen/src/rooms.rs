//! Rectangular rooms with doors.

use crate::{
    canvas::{Canvas, Size},
    random::Random,
};

/// Least side that a split leaves.
const SIDE_MIN: usize = 7;
/// Rooms are split until no side is longer than this: two of the least sides and a wall.
const SIDE_MAX: usize = 2 * SIDE_MIN + 1;
/// Probability in percent of a door between neighbouring rooms that are already joined. Without
/// such doors there is one way between two rooms, as in a maze; with one in every wall, walls
/// hardly matter.
pub(crate) const EXTRA_DOORS_PERCENT: u8 = 25;
/// Probability in percent of a door of two cells: half of the doors let bodies of 2×2 cells
/// through.
const DOUBLE_DOORS_PERCENT: u8 = 50;

pub(crate) fn make(size: Size, extra_doors_percent: u8, random: &mut Random) -> Canvas {
    let mut canvas = Canvas::blocked(size);
    let rooms = split(size, random);
    // The room of each cell; 0 is a wall.
    let mut room_of = vec![0_u32; canvas.open.len()];
    for (room, number) in rooms.iter().zip(1..) {
        for y in room.top..room.top + room.height {
            let start = canvas.at(room.left, y);
            canvas.open[start..start + room.width].fill(true);
            room_of[start..start + room.width].fill(number);
        }
    }
    add_doors(
        &mut canvas,
        &room_of,
        rooms.len(),
        extra_doors_percent,
        random,
    );
    canvas
}

struct Room {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

/// Splits the map at its longer side, again and again, with a wall in between.
fn split((width, height): Size, random: &mut Random) -> Vec<Room> {
    let mut rooms = Vec::new();
    let mut halves = vec![Room {
        left: 0,
        top: 0,
        width,
        height,
    }];
    while let Some(half) = halves.pop() {
        let Room {
            left,
            top,
            width,
            height,
        } = half;
        let side = width.max(height);
        if side <= SIDE_MAX {
            rooms.push(half);
            continue;
        }
        let wall = SIDE_MIN + random.index(side - 2 * SIDE_MIN);
        let rest = side - wall - 1;
        if width >= height {
            halves.push(Room {
                width: wall,
                ..half
            });
            halves.push(Room {
                left: left + wall + 1,
                top,
                width: rest,
                height,
            });
        } else {
            halves.push(Room {
                height: wall,
                ..half
            });
            halves.push(Room {
                left,
                top: top + wall + 1,
                width,
                height: rest,
            });
        }
    }
    rooms
}

/// Opens doors along a random spanning tree of the rooms, and some more.
fn add_doors(
    canvas: &mut Canvas,
    room_of: &[u32],
    rooms: usize,
    extra_percent: u8,
    random: &mut Random,
) {
    let places = door_places(canvas, room_of);
    let mut walls: Vec<&[DoorPlace]> = places.chunk_by(|a, b| a.rooms == b.rooms).collect();
    random.shuffle(&mut walls);
    let mut joined = Joined::new(rooms + 1);
    for wall in walls {
        let (one, other) = wall[0].rooms;
        if !joined.join(one, other) && !random.chance(extra_percent) {
            continue;
        }
        let at = random.index(wall.len());
        canvas.open[wall[at].cell] = true;
        if random.chance(DOUBLE_DOORS_PERCENT)
            && let Some(beside) = wall.get(at + 1)
            && (beside.cell == wall[at].cell + 1 || beside.cell == wall[at].cell + canvas.width)
        {
            canvas.open[beside.cell] = true;
        }
    }
}

/// A wall cell between two rooms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct DoorPlace {
    rooms: (u32, u32),
    cell: usize,
}

/// Returns all cells where a door would join two rooms, wall by wall.
fn door_places(canvas: &Canvas, room_of: &[u32]) -> Vec<DoorPlace> {
    let &Canvas { width, height, .. } = canvas;
    let mut places = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let cell = canvas.at(x, y);
            if room_of[cell] != 0 {
                continue;
            }
            let sides = [
                (x > 0 && x + 1 < width).then_some(1),
                (y > 0 && y + 1 < height).then_some(width),
            ];
            for step in sides.into_iter().flatten() {
                let (one, other) = (room_of[cell - step], room_of[cell + step]);
                if one != 0 && other != 0 && one != other {
                    let rooms = (one.min(other), one.max(other));
                    places.push(DoorPlace { rooms, cell });
                }
            }
        }
    }
    places.sort_unstable();
    places
}

/// Connected rooms: a union-find forest.
struct Joined(Vec<u32>);

impl Joined {
    fn new(rooms: usize) -> Self {
        Self((0..rooms as u32).collect())
    }

    fn root(&mut self, mut room: u32) -> u32 {
        while self.0[room as usize] != room {
            let above = self.0[self.0[room as usize] as usize];
            self.0[room as usize] = above;
            room = above;
        }
        room
    }

    /// Joins two rooms. Returns whether they were apart.
    fn join(&mut self, one: u32, other: u32) -> bool {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one as usize] = other;
        one != other
    }
}
