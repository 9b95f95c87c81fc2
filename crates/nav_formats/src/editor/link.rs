//! Links, which editors keep as things with properties.

use super::{
    item::{Editor, Item, NoPlace, cell_of},
    json::Value,
};
use crate::{
    editor_names::{EditorNames, is_among},
    error::{Problem, refuse},
    quote::quoted,
    warning::Names,
};
use nav_grid::{Cell, Link, Size, rules::LinkKind};
use std::{collections::BTreeMap, ops::RangeInclusive};

/// Number of a link.
pub(crate) struct LinkNumber {
    /// Name of the property.
    pub(crate) name: &'static str,
    /// Numbers that are allowed, of which the first is the default.
    range: RangeInclusive<u16>,
    get: fn(&Link) -> u16,
    set: fn(Link, u16) -> Link,
}

/// All numbers of a link, by name.
pub(crate) const LINK_NUMBERS: [LinkNumber; 4] = [
    LinkNumber {
        name: "capacity",
        range: 0..=u8::MAX as u16,
        get: |link| link.capacity.into(),
        set: |link, number| link.with_capacity(number as u8),
    },
    LinkNumber {
        name: "cost",
        range: 1..=u16::MAX,
        get: |link| link.cost,
        set: Link::with_cost,
    },
    LinkNumber {
        name: "kind",
        range: 0..=LinkKind::NUMBER_MAX as u16,
        get: |link| link.kind.number().into(),
        set: |link, number| link.with_kind(LinkKind::new(number as u8).unwrap_or_default()),
    },
    LinkNumber {
        name: "millis",
        range: 0..=u16::MAX,
        get: |link| link.millis,
        set: Link::with_millis,
    },
];

impl LinkNumber {
    /// Returns the number of a link.
    pub(crate) fn of(&self, link: &Link) -> u16 {
        (self.get)(link)
    }

    /// Returns whether a link has another number than the default.
    pub(crate) fn is_given(&self, link: &Link) -> bool {
        self.of(link) != *self.range.start()
    }

    /// Returns the link with another number; `None` if that is not allowed.
    fn put(&self, link: Link, number: i64) -> Option<Link> {
        let number = u16::try_from(number).ok()?;
        let is_allowed = self.range.contains(&number);
        is_allowed.then(|| (self.set)(link, number))
    }
}

/// Problem, with its offset in the file if known.
pub(crate) type Fault = (Problem, Option<usize>);

/// Returns the links among the items of a map, and notes properties that mean nothing on them.
///
/// # Errors
///
/// A link has no cell, leads out of the map, or has a wrong property; with the offset of its item.
pub(crate) fn links(
    items: &[Item],
    size: Size,
    names: &EditorNames,
    editor: &Editor,
    unknown: &mut Names,
) -> Result<Vec<Link>, Fault> {
    let ids: BTreeMap<&str, &Item> = items.iter().map(|it| (it.id.as_str(), it)).collect();
    let mut links = Vec::new();
    for item in items {
        if item.class.is_empty()
            && let Err(missing @ NoPlace::Template(_)) = &item.place
        {
            // Without its template the class is not known.
            return Err((missing.problem(&item.label), item.offset));
        }
        if !is_among(&item.class, &names.link) {
            continue;
        }
        let reader = LinkReader { item, size, editor };
        let (link, has_two_ways) = (reader.link(&ids)).map_err(|problem| (problem, item.offset))?;
        links.push(link);
        links.extend(has_two_ways.then(|| link.reversed()));
        reader.note_unknown(unknown);
    }
    Ok(links)
}

/// Reader of one link.
struct LinkReader<'i> {
    item: &'i Item,
    size: Size,
    editor: &'i Editor,
}

impl LinkReader<'_> {
    /// Returns the link, and whether there is one back.
    fn link(&self, ids: &BTreeMap<&str, &Item>) -> Result<(Link, bool), Problem> {
        let label = &self.item.label;
        if !self.item.has_cell {
            refuse!(
                Unsupported,
                "{label}: a link that is no point, rectangle or tile"
            );
        }
        let Some(from) = self.cell(self.item)? else {
            refuse!(Value, "{label}: the link's start lies outside the map");
        };
        let Some(to) = self.end(ids)? else {
            refuse!(Value, "{label}: the link's end lies outside the map");
        };
        let has_two_ways = match self.property("two_way") {
            None => false,
            Some(&Value::Bool(flag)) => flag,
            Some(_) => return Err(self.wrong("two_way", "a bool")),
        };
        let mut link = Link::new(from, to);
        for number in &LINK_NUMBERS {
            let changed = match self.property(number.name) {
                None => Some(link),
                Some(&Value::Int(value)) => number.put(link, value),
                Some(_) => None,
            };
            link = changed.ok_or_else(|| {
                let (least, greatest) = (number.range.start(), number.range.end());
                self.wrong(number.name, &format!("an int from {least} to {greatest}"))
            })?;
        }
        Ok((link, has_two_ways))
    }

    /// Returns the cell of an item, if it is on the map.
    fn cell(&self, item: &Item) -> Result<Option<Cell>, Problem> {
        match &item.place {
            Ok(place) => Ok(cell_of(place.cell, self.size)),
            Err(missing) => Err(missing.problem(&item.label)),
        }
    }

    /// Returns the cell that the link leads to, if it is on the map.
    fn end(&self, ids: &BTreeMap<&str, &Item>) -> Result<Option<Cell>, Problem> {
        if let Some(&Value::Point(x, y)) = self.property("to") {
            return Ok(cell_of([x, y, 0], self.size));
        }
        if self.property("to").is_some() {
            let id = end_id(self.item, self.editor);
            return match id.and_then(|id| ids.get(id.as_str())) {
                Some(end) => self.cell(end),
                None => Err(self.wrong("to", self.editor.end)),
            };
        }
        if !self.editor.has_numbered_ends {
            return Err(self.wrong("to", self.editor.end));
        }
        let floor = match (self.property("to_floor"), &self.item.place) {
            (None, Ok(place)) => place.cell[2],
            _ => self.number("to_floor")?,
        };
        let cell = [self.number("to_x")?, self.number("to_y")?, floor];
        Ok(cell_of(cell, self.size))
    }

    fn number(&self, name: &str) -> Result<i64, Problem> {
        match self.property(name) {
            Some(&Value::Int(number)) => Ok(number),
            _ => Err(self.wrong(name, "a whole number")),
        }
    }

    fn property(&self, name: &str) -> Option<&Value> {
        self.item.property(self.editor, name)
    }

    fn wrong(&self, name: &str, expected: &str) -> Problem {
        let (label, property) = (&self.item.label, self.editor.property);
        let found = Value::describe(self.property(name));
        Problem::Value(format!(
            "{label}: {property} '{name}' is {found}; expected {expected}"
        ))
    }

    /// Notes the properties that mean nothing on a link. A link is for this reader alone, so any of
    /// them is likely a slip.
    fn note_unknown(&self, unknown: &mut Names) {
        let mut known = vec!["to", "two_way"];
        known.extend(LINK_NUMBERS.iter().map(|number| number.name));
        // An object wins over numbers.
        if self.editor.has_numbered_ends && self.property("to").is_none() {
            known.extend(["to_x", "to_y", "to_floor"]);
        }
        for (name, _) in &self.item.properties {
            if !known.iter().any(|it| self.editor.is_called(name, it)) {
                let (property, name) = (self.editor.property, quoted(name));
                unknown.add(format_args!("{property} '{name}' of {}", self.item.label));
            }
        }
    }
}

/// Returns the id of the item that a link leads to, if it names one.
pub(super) fn end_id(item: &Item, editor: &Editor) -> Option<String> {
    match item.property(editor, "to")? {
        Value::Reference(id) => Some(id.clone()),
        // Files of old versions of Tiled have plain numbers.
        Value::Int(id) => Some(id.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_its_own() {
        let plain = Link::new(Cell::new(1, 2), Cell::new(3, 4));
        let mut link = plain;
        for (place, number) in LINK_NUMBERS.iter().enumerate() {
            assert!(!number.is_given(&plain), "{}", number.name);
            link = number.put(link, 3 + place as i64).unwrap();
            let (first, last) = (*number.range.start(), *number.range.end());
            for wrong in [i64::from(first) - 1, i64::from(last) + 1, i64::MAX] {
                assert_eq!(number.put(plain, wrong), None, "{} {wrong}", number.name);
            }
            let greatest = number.put(plain, last.into()).unwrap();
            assert_eq!(number.of(&greatest), last, "{}", number.name);
        }
        let numbers = LINK_NUMBERS.each_ref().map(|number| number.of(&link));
        assert_eq!(numbers, [3, 4, 5, 6]);
    }
}
