//! Perfect mazes, made depth-first.

use crate::{
    canvas::{Canvas, Size},
    random::Random,
};

/// Makes a maze. Corridors run along odd columns and rows, so that odd sides are framed by walls. A
/// side of 1 has only column or row 0.
pub(crate) fn make(size: Size, random: &mut Random) -> Canvas {
    let mut canvas = Canvas::blocked(size);
    let (left, top) = (
        usize::from(canvas.width > 1),
        usize::from(canvas.height > 1),
    );
    let start = canvas.at(left, top);
    canvas.open[start] = true;
    // The path from the start. An explicit stack, because a path may visit every cell.
    let mut way = vec![(left, top)];
    while let Some(&(x, y)) = way.last() {
        let next = [
            (y >= top + 2).then(|| (x, y - 2)),
            (x >= left + 2).then(|| (x - 2, y)),
            (x + 2 < canvas.width).then_some((x + 2, y)),
            (y + 2 < canvas.height).then_some((x, y + 2)),
        ];
        let mut free = [(0, 0); 4];
        let mut count = 0;
        for (x, y) in next.into_iter().flatten() {
            if !canvas.open[canvas.at(x, y)] {
                free[count] = (x, y);
                count += 1;
            }
        }
        if count == 0 {
            way.pop();
            continue;
        }
        let (to_x, to_y) = free[random.index(count)];
        let wall = canvas.at(x.midpoint(to_x), y.midpoint(to_y));
        let to = canvas.at(to_x, to_y);
        canvas.open[wall] = true;
        canvas.open[to] = true;
        way.push((to_x, to_y));
    }
    canvas
}
