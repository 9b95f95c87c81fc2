//! The numbers of links that map editors keep as properties.

use nav_grid::{Link, rules::LinkKind};
use std::ops::RangeInclusive;

/// A number of a link.
pub(crate) struct LinkNumber {
    /// The name of the property.
    pub(crate) name: &'static str,
    /// The numbers that are allowed, of which the first is the default.
    pub(crate) range: RangeInclusive<u16>,
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
    /// The number of a link.
    pub(crate) fn of(&self, link: &Link) -> u16 {
        (self.get)(link)
    }

    /// Whether a link has another number than the default.
    pub(crate) fn is_given(&self, link: &Link) -> bool {
        self.of(link) != *self.range.start()
    }

    /// The link with another number; `None` if that is not allowed.
    pub(crate) fn put(&self, link: Link, number: i64) -> Option<Link> {
        let number = u16::try_from(number).ok()?;
        let is_allowed = self.range.contains(&number);
        is_allowed.then(|| (self.set)(link, number))
    }

    /// The numbers that are allowed, in words.
    pub(crate) fn expected(&self) -> String {
        format!("{} to {}", self.range.start(), self.range.end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::Cell;

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
        assert_eq!(LINK_NUMBERS[0].expected(), "0 to 255");
    }
}
