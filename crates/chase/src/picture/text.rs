//! Drawings as text.

use super::drawing::{Drawing, Mark};
use std::{
    fmt::{Display, Formatter, Result},
    iter,
};

/// Columns from one number of the ruler to the next: below each, the ones count up from 0.
const NUMBERED: usize = 10;

impl Display for Drawing<'_> {
    /// Writes one line per row: `.` floor, `#` wall, `S` start, `G` goal, `*` path, `=` main road,
    /// `1` to `9` and `a` to `f` floor of terrain classes 1 to 15.
    ///
    /// A ruler surrounds them, so that a cell can be named. Rows have their number on both sides.
    /// Above and below is the last digit of each column, and of every tenth the whole number.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (columns, rows) = (usize::from(self.grid.width()), self.grid.height());
        let margin = (rows - 1).to_string().len();
        let tens = (columns > NUMBERED).then(|| tens(columns));
        let ones: String = (0..columns).map(|x| digit(x % NUMBERED)).collect();
        if let Some(tens) = &tens {
            writeln!(f, "{:margin$} {tens}", "")?;
        }
        writeln!(f, "{:margin$} {ones}", "")?;
        let mut line = String::with_capacity(columns);
        for y in 0..rows {
            line.clear();
            line.extend(self.row(y).map(letter));
            writeln!(f, "{y:margin$} {line} {y}")?;
        }
        writeln!(f, "{:margin$} {ones}", "")?;
        tens.map_or(Ok(()), |tens| writeln!(f, "{:margin$} {tens}", ""))
    }
}

/// The numbers of every tenth column, each above its column.
fn tens(columns: usize) -> String {
    let mut line = String::with_capacity(columns + NUMBERED);
    for x in (0..columns).step_by(NUMBERED) {
        line.extend(iter::repeat_n(' ', x - line.len()));
        line.push_str(&x.to_string());
    }
    line
}

fn digit(number: usize) -> char {
    char::from(b'0' + number as u8)
}

fn letter(mark: Mark) -> char {
    match mark {
        Mark::Floor => '.',
        Mark::Class(class) => char::from_digit(class.into(), 16).unwrap_or('?'),
        Mark::Wall => '#',
        Mark::Path => '*',
        Mark::Road => '=',
        Mark::Start => 'S',
        Mark::Goal => 'G',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::{Cell, Grid, Path, rules::Class};

    #[test]
    fn marks_lie_where_they_belong() {
        let grid = Grid::from_fn(4, 3, |cell| cell != Cell::new(1, 1)).unwrap();
        assert_eq!(
            Drawing::new(&grid).to_string(),
            "  0123\n0 .... 0\n1 .#.. 1\n2 .... 2\n  0123\n"
        );
        let path: Path = [(1, 0), (2, 0), (3, 1), (3, 2)]
            .map(Cell::from)
            .into_iter()
            .collect();
        let drawing = Drawing::new(&grid).with_path(Cell::new(0, 0), Cell::new(3, 2), &path);
        assert_eq!(
            drawing.to_string(),
            "  0123\n0 S**. 0\n1 .#.* 1\n2 ...G 2\n  0123\n"
        );
    }

    #[test]
    fn classes_are_digits() {
        let mut grid = Grid::from_fn(4, 1, |cell| cell.x != 3).unwrap();
        for (x, class) in [(1, 9), (2, 15), (3, 1)] {
            let class = Class::new(class).unwrap();
            grid.set_class(Cell::new(x, 0), class).unwrap();
        }
        let drawing = Drawing::new(&grid).to_string();
        assert_eq!(drawing, "  0123\n0 .9f# 0\n  0123\n");
    }

    #[test]
    fn wide_rulers() {
        let grid = Grid::open(102, 11).unwrap();
        let drawing = Drawing::new(&grid).to_string();
        let lines: Vec<&str> = drawing.lines().collect();
        assert!(
            lines[0].starts_with("   0         10        20  "),
            "{drawing}"
        );
        assert!(lines[0].ends_with("90        100"), "{drawing}");
        assert!(lines[1].starts_with("   01234567890123"), "{drawing}");
        assert!(lines[2].starts_with(" 0 ....") && lines[2].ends_with(". 0"));
        assert!(lines[12].starts_with("10 ....") && lines[12].ends_with(". 10"));
        assert_eq!((lines[13], lines[14]), (lines[1], lines[0]));
    }
}
