//! Objects of map editors that are not read, for warnings.

use super::warning::{Names, Warning};
use std::fmt::Display;

/// Objects and properties of objects that a reader left out.
#[derive(Default)]
pub(crate) struct ObjectsLeftOut {
    /// Objects without a cell by their reason, in the order in which the reasons were met.
    without_cell: Vec<(&'static str, Names)>,
    /// Objects that reach over the edge of the map.
    pub(crate) cut: Names,
    /// Properties of types that are not read.
    pub(crate) types: Names,
}

impl ObjectsLeftOut {
    /// Adds an object that has no cell.
    pub(crate) fn add(&mut self, reason: &'static str, object: impl Display) {
        let known = self.without_cell.iter().position(|(it, _)| *it == reason);
        let index = known.unwrap_or_else(|| {
            self.without_cell.push((reason, Names::default()));
            self.without_cell.len() - 1
        });
        self.without_cell[index].1.add(object);
    }

    /// Returns the warnings. `types` are the types of properties that are read.
    pub(crate) fn warnings(self, types: &'static str) -> Vec<Warning> {
        let without_cell = self.without_cell.into_iter();
        let mut warnings: Vec<Warning> = without_cell
            .map(|(reason, objects)| Warning::Objects { objects, reason })
            .collect();
        let cut = self.cut.some();
        warnings.extend(cut.map(|objects| Warning::Cut { objects }));
        let properties = self.types.some();
        warnings.extend(properties.map(|properties| Warning::Types {
            properties,
            expected: types,
        }));
        warnings
    }
}
