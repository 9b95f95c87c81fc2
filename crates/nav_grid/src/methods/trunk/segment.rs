//! Walking part of a segment.

use crate::{
    index::{
        TrunkRoads,
        roads::{RoadSegment, RoadStop},
    },
    path::Path,
    rules::Cost,
};

/// Where on the roads a route begins or ends.
pub(crate) enum RoadEnd<'a> {
    Crossing(u32),
    Segment(SegmentPosition<'a>),
}

/// A segment, and one of its stops.
pub(crate) struct SegmentPosition<'a> {
    pub(crate) number: u32,
    pub(crate) segment: RoadSegment,
    pub(crate) stops: &'a [RoadStop],
    pub(crate) at: usize,
}

impl<'a> SegmentPosition<'a> {
    pub(crate) fn new(roads: &'a TrunkRoads, number: u32, at: usize) -> Option<Self> {
        let segment = *roads.segments.get(number as usize)?;
        let stops = roads.stops_of(segment);
        (at < stops.len()).then_some(Self {
            number,
            segment,
            stops,
            at,
        })
    }

    /// The crossings at both ends of the segment, and their stops.
    pub(crate) const fn ends(&self) -> [(u32, usize); 2] {
        let last = self.stops.len() - 1;
        [(self.segment.from, 0), (self.segment.to, last)]
    }

    /// What it costs from one stop of the segment to another.
    pub(crate) fn cost(&self, from: usize, to: usize) -> Cost {
        let (Some(from), Some(to)) = (self.stops.get(from), self.stops.get(to)) else {
            return Cost::MAX;
        };
        let cost = if from.ahead <= to.ahead {
            to.ahead - from.ahead
        } else {
            from.back - to.back
        };
        Cost::try_from(cost).unwrap_or(Cost::MAX)
    }

    /// Puts the stops on the way from `from` to `end` before the path, `from` included and
    /// `end` not.
    pub(crate) fn walk_back(&self, end: usize, from: usize, path: &mut Path) {
        if from <= end {
            let stops = self.stops.get(from..end).unwrap_or_default();
            for stop in stops.iter().rev() {
                path.prepend(stop.cell);
            }
        } else {
            let stops = self.stops.get(end + 1..=from).unwrap_or_default();
            for stop in stops {
                path.prepend(stop.cell);
            }
        }
    }
}
