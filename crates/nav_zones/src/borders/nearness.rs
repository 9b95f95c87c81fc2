//! Distances between an area, a zone and the other zones.

use crate::{ZoneId, ZoneLayout};
use nav_grid::Area;

impl ZoneLayout {
    /// Returns whether an area is at most `cells` columns and rows away from a zone.
    pub(super) fn is_near(&self, zone: ZoneId, area: Area, cells: u16) -> bool {
        self.area(zone).is_some_and(|of_zone| {
            let (first, last) = (area.first(), area.last());
            first.x <= of_zone.last().x.saturating_add(cells)
                && of_zone.first().x <= last.x.saturating_add(cells)
                && first.y <= of_zone.last().y.saturating_add(cells)
                && of_zone.first().y <= last.y.saturating_add(cells)
        })
    }

    /// Returns whether an area is at most `cells` columns and rows away from any zone but `zone`.
    pub(super) fn is_near_others(&self, zone: ZoneId, area: Area, cells: u16) -> bool {
        self.area(zone).is_none_or(|own| {
            let (first, last) = (area.first(), area.last());
            let inside = |first: u16, last: u16, own_first: u16, own_last: u16| {
                (own_first == 0 || own_first.saturating_add(cells) <= first)
                    && (own_last == u16::MAX || last.saturating_add(cells) <= own_last)
            };
            !inside(first.x, last.x, own.first().x, own.last().x)
                || !inside(first.y, last.y, own.first().y, own.last().y)
        })
    }
}
