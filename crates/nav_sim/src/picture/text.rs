//! Drawings as text.

use super::drawing::{Drawing, Mark};
use std::{
    fmt::{Display, Formatter, Result},
    iter,
};

/// Columns from one number of the ruler to the next: below each, the ones count up from 0.
const NUMBERED: usize = 10;

impl Display for Drawing<'_> {
    /// Writes one line per row, with the signs that [`signs`](Drawing::signs) names.
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
            line.extend(self.row(y).map(sign));
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

/// Returns the sign of a mark. Digits are step costs, as in drawn maps of scenarios; terrain
/// classes are letters from `a` on.
pub(super) fn sign(mark: Mark) -> char {
    match mark {
        Mark::Floor => '.',
        Mark::Cost(cost) => digit(usize::from(cost).min(DIGIT_MAX)),
        Mark::Class(class) => char::from(b'a' - 1 + class),
        Mark::Wall => '#',
        Mark::Path => '*',
        Mark::Road => '=',
        Mark::Stairs => '>',
        Mark::Link => '&',
        Mark::Start => 'S',
        Mark::Goal => 'G',
    }
}

/// The digit of this step cost and of all above.
pub(super) const DIGIT_MAX: usize = 9;

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::{Cell, Grid, Link, Path, Size, rules::Class};

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
    fn classes_and_costs() {
        let mut grid = Grid::from_fn(6, 1, |cell| cell.x != 3).unwrap();
        for (x, class) in [(1, 1), (2, 15), (3, 1)] {
            let class = Class::new(class).unwrap();
            grid.set_class(Cell::new(x, 0), class).unwrap();
        }
        for (x, cost) in [(2, 4), (4, 5), (5, 64)] {
            grid.set_cost(Cell::new(x, 0), cost).unwrap();
        }
        let drawing = Drawing::new(&grid);
        assert_eq!(drawing.to_string(), "  012345\n0 .ao#59 0\n  012345\n");
        assert_eq!(
            drawing.signs(),
            "# wall, . floor, 5 to 9 floor of that step cost (9: or more), a terrain class 1, o terrain class 15"
        );
    }

    #[test]
    fn stairs_and_links() {
        let mut grid = Grid::build(Size::new(4, 2).with_floors(2), |_| true).unwrap();
        let foot = Cell::new(3, 0);
        grid.set_link(Link::new(foot, foot.on_floor(1))).unwrap();
        grid.set_link(Link::new(Cell::new(0, 1), Cell::new(2, 1)))
            .unwrap();
        let path: Path = [(1, 0), (2, 0), (3, 0)]
            .map(Cell::from)
            .into_iter()
            .collect();
        let drawing = Drawing::new(&grid).with_path(Cell::new(0, 0), foot.on_floor(1), &path);
        assert_eq!(drawing.to_string(), "  0123\n0 S**> 0\n1 &.&. 1\n  0123\n");
        assert_eq!(
            drawing.signs(),
            "S start, * path, > stairs to another floor, & end of a link, . floor"
        );
        let above = drawing.of_floor(1).to_string();
        assert_eq!(above, "  0123\n0 ...G 0\n1 .... 1\n  0123\n");
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
