//! Legends: what the signs and colours of a drawing or a scene mean.

use super::{
    colour::Colour,
    drawing::{Drawing, Mark},
    png::colour_of,
    scene::Placed,
    text::{DIGIT_MAX, sign},
};
use crate::sim::Role;
use nav_grid::Grid;
use std::collections::BTreeSet;

impl Drawing<'_> {
    /// Names the signs of the text, as far as they occur.
    pub fn signs(&self) -> String {
        let marks = self.marks();
        let mut costs = marks.iter().filter_map(|&mark| cost_digit(mark));
        let (lowest, highest) = (costs.next(), costs.next_back());
        let mut named = Vec::new();
        let mut has_costs = false;
        for &mark in &marks {
            let meaning = match mark {
                Mark::Start => "start",
                Mark::Goal => "goal",
                Mark::Path => "path",
                Mark::Road => "main road",
                Mark::Stairs => "stairs to another floor",
                Mark::Link => "end of a link",
                Mark::Wall => "wall",
                Mark::Floor => "floor",
                Mark::Cost(_) => {
                    // All costs are named at once.
                    if !has_costs && let Some(lowest) = lowest {
                        named.push(costs_named(lowest, highest.unwrap_or(lowest)));
                    }
                    has_costs = true;
                    continue;
                }
                Mark::Class(class) => {
                    named.push(format!("{} terrain class {class}", sign(mark)));
                    continue;
                }
            };
            named.push(format!("{} {meaning}", sign(mark)));
        }
        named.join(", ")
    }

    /// Names the colours of the picture, as far as they occur.
    pub fn colours(&self) -> String {
        let mut named = named_colours(self.marks());
        if self.objects().next().is_some() {
            named.push_str(", blue-green frames objects");
        }
        named
    }
}

/// Names the colours of the ground of all floors, as far as they occur.
pub fn ground_colours(grid: &Grid) -> String {
    let floors = (0..grid.floors()).map(|floor| Drawing::new(grid).of_floor(floor));
    named_colours(floors.flat_map(|drawing| drawing.marks()).collect())
}

fn named_colours(marks: BTreeSet<Mark>) -> String {
    let mut named: Vec<&str> = Vec::new();
    for mark in marks {
        let name = match colour_of(mark) {
            Colour::Green => "green start",
            Colour::Blue => "blue goal",
            Colour::Orange => "orange path",
            Colour::Sand => "ochre main road",
            Colour::Violet => "violet stairs and links",
            Colour::Ink => "black wall",
            Colour::Fawn | Colour::Umber => "beige floor of higher step costs",
            Colour::Water => "light blue terrain classes",
            _ => "white floor",
        };
        if !named.contains(&name) {
            named.push(name);
        }
    }
    named.join(", ")
}

/// Returns the digit of a step cost.
fn cost_digit(mark: Mark) -> Option<usize> {
    match mark {
        Mark::Cost(cost) => Some(usize::from(cost).min(DIGIT_MAX)),
        _ => None,
    }
}

fn costs_named(lowest: usize, highest: usize) -> String {
    let more = if highest == DIGIT_MAX {
        format!(" ({DIGIT_MAX}: or more)")
    } else {
        String::new()
    };
    if lowest == highest {
        format!("{lowest} floor of that step cost{more}")
    } else {
        format!("{lowest} to {highest} floor of that step cost{more}")
    }
}

/// Names the colours of agents, as far as they occur.
pub fn agent_colours(agents: &[Placed]) -> String {
    let roles: BTreeSet<Role> = agents.iter().map(|agent| agent.role).collect();
    let names = roles.into_iter().rev().map(|role| match role {
        Role::Target => "blue target",
        Role::Beside => "red within reach",
        Role::Chasing => "orange on its way",
        Role::Waiting => "grey nothing to follow",
        Role::Idle => "blue-green idle",
    });
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::{Cell, rules::Class};

    #[test]
    fn only_what_occurs() {
        let grid = Grid::open(3, 1).unwrap();
        assert_eq!(Drawing::new(&grid).signs(), ". floor");
        assert_eq!(Drawing::new(&grid).colours(), "white floor");
        assert_eq!(agent_colours(&[]), "");
    }

    #[test]
    fn one_name_for_all_costs() {
        let mut grid = Grid::open(4, 1).unwrap();
        for (x, cost) in [(1, 2), (2, 5)] {
            grid.set_cost(Cell::new(x, 0), cost).unwrap();
        }
        grid.set_class(Cell::new(3, 0), Class::new(2).unwrap())
            .unwrap();
        let drawing = Drawing::new(&grid);
        assert_eq!(
            drawing.signs(),
            ". floor, 2 to 5 floor of that step cost, b terrain class 2"
        );
        assert_eq!(
            drawing.colours(),
            "white floor, beige floor of higher step costs, light blue terrain classes"
        );
    }
}
