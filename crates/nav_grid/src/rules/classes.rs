//! Terrain classes of cells, and what they mean for an agent.

use std::fmt;

number_type! {
    /// The terrain class of a cell, 0 to 15: floor, water, lava, the door of a faction, a road.
    /// What a number means is up to the game; every cell has class 0 until it is given another.
    ///
    /// ```
    /// use nav_grid::{Area, Cell, Grid, Rules, rules::{Class, ClassCosts}};
    ///
    /// const WATER: Class = Class::new(1).unwrap();
    /// const ROAD: Class = Class::new(2).unwrap();
    ///
    /// let mut grid = Grid::open(9, 9)?;
    /// grid.set_class(Area::new(Cell::new(4, 0), Cell::new(4, 8)), WATER)?;
    /// let swimmer = Rules::default();
    /// let walker = swimmer.with_classes(ClassCosts::ALL.without(WATER));
    /// // Wild beasts avoid roads: a step on one counts three times.
    /// let beast = walker.with_classes(walker.classes.with(ROAD, 3));
    /// let (bank, river) = (Cell::new(3, 3), Cell::new(4, 3));
    /// assert!(grid.allows_step(bank, river, swimmer));
    /// assert!(!grid.allows_step(bank, river, walker) && !grid.allows_step(bank, river, beast));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Class, ClassError, "terrain class",
    /// The class of all cells that were given none.
    DEFAULT,
    /// The greatest number: four bits a class make [`ClassCosts`] one machine word.
    NUMBER_MAX,
}

/// Which terrain classes an agent may enter, and what each costs it.
///
/// A step onto a cell costs its step cost times the cost of its class, at most
/// [`Grid::COST_WORST`](crate::Grid::COST_WORST). Cells of a class that may not be entered are
/// walls for the agent: it stands on none, and corners of them block diagonals.
///
/// With serde a list of up to 16 costs by class, 0 for a class that may not be entered. Missing
/// ones are 1, so that the default is an empty list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<u8>", into = "Vec<u8>"))]
pub struct ClassCosts(
    /// Four bits a class, class 0 lowest. 0 is a class that may not be entered.
    u64,
);

impl ClassCosts {
    /// Every class at its step cost: the default.
    pub const ALL: Self = Self(0x1111_1111_1111_1111);
    /// The greatest cost of a class.
    pub const COST_MAX: u8 = 15;

    /// Forbids a class.
    #[must_use]
    pub const fn without(self, class: Class) -> Self {
        self.with(class, 0)
    }

    /// Allows a class, and sets its cost. A cost of 0 forbids it; one above 15 counts as 15.
    #[must_use]
    pub const fn with(self, class: Class, cost: u8) -> Self {
        let cost = if cost > Self::COST_MAX {
            Self::COST_MAX
        } else {
            cost
        };
        let shift = 4 * class.0 as u32;
        Self(self.0 & !(15 << shift) | (cost as u64) << shift)
    }

    /// Only some classes, at their step costs.
    ///
    /// ```
    /// # use nav_grid::rules::{Class, ClassCosts};
    /// let water = Class::new(1).unwrap();
    /// let fish = ClassCosts::only([water]);
    /// assert!(fish.allows(water) && !fish.allows(Class::DEFAULT));
    /// ```
    pub fn only(classes: impl IntoIterator<Item = Class>) -> Self {
        classes
            .into_iter()
            .fold(Self(0), |some, class| some.with(class, 1))
    }

    /// The cost of a class, 0 if it may not be entered.
    #[inline]
    pub const fn cost(self, class: Class) -> u8 {
        (self.0 >> (4 * class.0 as u32) & 15) as u8
    }

    /// Whether a class may be entered.
    #[inline]
    pub const fn allows(self, class: Class) -> bool {
        self.cost(class) > 0
    }

    /// Whether the class of a number may be entered.
    #[inline]
    pub(crate) const fn allows_number(self, number: u8) -> bool {
        self.allows(Class(number))
    }

    /// Whether both allow the same classes, at whatever costs.
    pub(crate) fn allow_same(self, other: Self) -> bool {
        self == other || Class::all().all(|class| self.allows(class) == other.allows(class))
    }

    /// Whether some class that may be entered costs more than its step cost.
    pub(crate) fn has_costs(self) -> bool {
        Class::all().any(|class| self.cost(class) > 1)
    }
}

impl Default for ClassCosts {
    fn default() -> Self {
        Self::ALL
    }
}

impl fmt::Debug for ClassCosts {
    /// The costs by class, without the last classes that cost 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(Vec::from(*self)).finish()
    }
}

impl From<ClassCosts> for Vec<u8> {
    /// The costs by class, without the last classes that cost 1.
    fn from(costs: ClassCosts) -> Self {
        let mut list: Self = Class::all().map(|class| costs.cost(class)).collect();
        while list.last() == Some(&1) {
            list.pop();
        }
        list
    }
}

impl TryFrom<Vec<u8>> for ClassCosts {
    type Error = ClassCostsError;

    fn try_from(list: Vec<u8>) -> Result<Self, ClassCostsError> {
        if list.len() > usize::from(Class::NUMBER_MAX) + 1 {
            return Err(ClassCostsError::Length { found: list.len() });
        }
        let mut costs = Self::ALL;
        for (class, cost) in Class::all().zip(list) {
            if cost > Self::COST_MAX {
                return Err(ClassCostsError::Cost { class, cost });
            }
            costs = costs.with(class, cost);
        }
        Ok(costs)
    }
}

/// A list is not one of the costs of [classes](Class).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClassCostsError {
    /// More costs than classes.
    #[error("{found} costs of terrain classes: there are only {} classes", Class::NUMBER_MAX + 1)]
    Length {
        /// The number of costs.
        found: usize,
    },
    /// A cost is too large.
    #[error(
        "terrain class {class} cannot cost {cost}: it must be 0, for not to be entered, to {}",
        ClassCosts::COST_MAX
    )]
    Cost {
        /// The class.
        class: Class,
        /// The cost asked for.
        cost: u8,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_by_class() {
        let [floor, water, road] = [0, 1, 15].map(|number| Class::new(number).unwrap());
        let costs = ClassCosts::ALL.without(water).with(road, 99);
        assert_eq!(
            [floor, water, road].map(|class| costs.cost(class)),
            [1, 0, 15]
        );
        assert_eq!(costs.with(water, 1).with(road, 1), ClassCosts::ALL);
        assert!(costs.has_costs() && !ClassCosts::ALL.without(water).has_costs());
        assert_eq!(ClassCosts::only(Class::all()), ClassCosts::ALL);
        assert_eq!(Class::new(16), None);
    }

    #[test]
    fn lists_round_trip() {
        let water = Class::new(1).unwrap();
        let costs = ClassCosts::ALL.without(water);
        assert_eq!(Vec::from(costs), [1, 0]);
        assert_eq!(ClassCosts::try_from(vec![1, 0]), Ok(costs));
        assert_eq!(ClassCosts::try_from(vec![]), Ok(ClassCosts::ALL));
        assert_eq!(
            ClassCosts::try_from(vec![1; 17]).unwrap_err().to_string(),
            "17 costs of terrain classes: there are only 16 classes"
        );
        assert_eq!(
            ClassCosts::try_from(vec![1, 16]).unwrap_err().to_string(),
            "terrain class 1 cannot cost 16: it must be 0, for not to be entered, to 15"
        );
    }
}
