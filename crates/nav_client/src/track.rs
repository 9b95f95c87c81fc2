//! The path of a chaser in time.

use crate::vector::{Vector, between, distance};

/// How a chaser comes to a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Walking,
    Jump,
    /// A link of this kind, which takes a while.
    Link(u8),
}

/// A point of a track.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrackPoint {
    pub(crate) at: Vector,
    /// Tick in which it leaves the point before.
    pub(crate) departure: f64,
    /// Tick in which it arrives.
    pub(crate) arrival: f64,
    pub(crate) by: By,
    /// Whether the server confirmed the arrival. Otherwise it is a prediction.
    pub(crate) is_fact: bool,
}

/// Where a chaser is at each moment: points ordered by arrival, at least one. Before the first
/// point it is there, after the last it stays there.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    points: Vec<TrackPoint>,
}

impl Track {
    /// Creates a track of one point in reused memory.
    pub(crate) fn standing(mut room: Vec<TrackPoint>, at: Vector) -> Self {
        room.clear();
        room.push(TrackPoint {
            at,
            departure: f64::NEG_INFINITY,
            arrival: f64::NEG_INFINITY,
            by: By::Walking,
            is_fact: true,
        });
        Self { points: room }
    }

    /// Takes the memory out of a track that is about to be replaced.
    pub(crate) fn take_room(&mut self) -> Vec<TrackPoint> {
        std::mem::take(&mut self.points)
    }

    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    pub(crate) fn point(&self, number: usize) -> TrackPoint {
        self.points[number.min(self.points.len() - 1)]
    }

    pub(crate) fn last(&self) -> TrackPoint {
        self.point(usize::MAX)
    }

    /// Forgets the plan from `tick` on, and the `ticks` before it, in which the chaser moves to
    /// another place instead.
    pub(crate) fn cut(&mut self, tick: f64, ticks: f64) {
        let kept = self
            .points
            .partition_point(|point| point.arrival < tick)
            .max(1);
        let turn = tick - ticks;
        if kept < self.points.len() && turn > self.points[kept - 1].arrival {
            // It was on the way to a point that it will not reach.
            let at = self.at(turn);
            let point = &mut self.points[kept];
            (point.at, point.arrival) = (at, turn);
            point.departure = point.departure.min(turn);
            (point.by, point.is_fact) = (By::Walking, false);
            self.points.truncate(kept + 1);
        } else {
            self.points.truncate(kept);
        }
        if kept == 1 && self.points[0].arrival >= tick {
            // All points lie later. As far as is known, it was there before.
            self.points[0].arrival = f64::NEG_INFINITY;
        }
    }

    /// Appends a point, known or predicted. The way there takes at most `ticks`.
    pub(crate) fn push(&mut self, at: Vector, arrival: f64, ticks: f64, by: By, is_fact: bool) {
        let arrival = arrival.max(self.last().arrival);
        self.points.push(TrackPoint {
            at,
            departure: self.last().arrival.max(arrival - ticks),
            arrival,
            by,
            is_fact,
        });
    }

    /// Inserts a path that arrived late. Later known points stay.
    ///
    /// The ways to its first point and from its last one take at most `ticks`. Returns the index of
    /// the first point that changed.
    pub(crate) fn insert(
        &mut self,
        way: impl Iterator<Item = (Vector, f64, By)>,
        ticks: f64,
    ) -> Option<usize> {
        let mut way = way.peekable();
        let &(_, first, _) = way.peek()?;
        let begin = self.points.partition_point(|point| point.arrival < first);
        let later = self.points[begin..]
            .iter()
            .position(|point| point.is_fact)?;
        if begin == 0 || later == 0 && self.points[begin].arrival <= first {
            // The path is over, or its points are known.
            return None;
        }
        // Predictions up to the next known point are replaced.
        let arrival = first - ticks;
        let turn = (arrival > self.points[begin - 1].arrival).then(|| self.at(arrival));
        self.points.drain(begin..begin + later);
        let mut end = begin;
        if let Some(at) = turn {
            self.insert_at(&mut end, at, arrival, f64::INFINITY, By::Walking);
        }
        for (at, arrival, by) in way {
            let before = self.points[end - 1];
            let limit = self.points[end].arrival;
            if arrival >= limit {
                // It walked on until it turned to its next known place.
                let turn = limit - ticks;
                if turn > before.arrival && by != By::Jump {
                    let part = (turn - before.arrival) / (arrival - before.arrival);
                    let at = between(before.at, at, part);
                    self.insert_at(&mut end, at, turn, f64::INFINITY, By::Walking);
                }
                break;
            }
            let ticks = if arrival <= first {
                ticks
            } else {
                f64::INFINITY
            };
            self.insert_at(&mut end, at, arrival, ticks, by);
        }
        // The next known point is now approached from another place.
        let before = self.points[end - 1].arrival;
        let after = &mut self.points[end];
        after.departure = before.max(after.arrival - ticks);
        Some(begin)
    }

    /// Inserts a point at `place`, and advances `place`. The way there takes at most `ticks`.
    fn insert_at(&mut self, place: &mut usize, at: Vector, arrival: f64, ticks: f64, by: By) {
        let before = self.points[*place - 1].arrival;
        let point = TrackPoint {
            at,
            departure: before.max(arrival - ticks),
            arrival,
            by,
            is_fact: ticks.is_finite(),
        };
        self.points.insert(*place, point);
        *place += 1;
    }

    /// Returns the index of the first point reached after a moment.
    pub(crate) fn next(&self, tick: f64) -> usize {
        self.points.partition_point(|point| point.arrival <= tick)
    }

    /// Forgets the points before the last one reached at a moment. Returns their number.
    pub(crate) fn pass(&mut self, tick: f64) -> usize {
        let passed = self.next(tick).saturating_sub(1);
        self.points.drain(..passed);
        passed
    }

    /// Returns the place at a moment.
    pub(crate) fn at(&self, tick: f64) -> Vector {
        let next = self.next(tick);
        let before = self.point(next.saturating_sub(1));
        match self.points.get(next) {
            Some(to) if next > 0 && to.by != By::Jump && tick > to.departure => {
                let part = (tick - to.departure) / (to.arrival - to.departure);
                between(before.at, to.at, part)
            }
            _ => before.at,
        }
    }

    /// Returns the kind of the link that it is on at a moment.
    pub(crate) fn link(&self, tick: f64) -> Option<u8> {
        match self.points.get(self.next(tick))?.by {
            By::Link(kind) => Some(kind),
            By::Walking | By::Jump => None,
        }
    }

    /// Returns the distance left at a moment, without jumps.
    pub(crate) fn left(&self, tick: f64) -> f64 {
        let mut from = self.at(tick);
        let ahead = self.points[self.next(tick)..].iter();
        ahead
            .map(|point| {
                let before = std::mem::replace(&mut from, point.at);
                if point.by == By::Jump {
                    0.0
                } else {
                    distance(before, point.at)
                }
            })
            .sum()
    }

    /// Returns the speed on the way to a point, in units per tick; 0 if it takes no time.
    pub(crate) fn speed_to(&self, number: usize) -> f64 {
        let to = self.point(number);
        let ticks = to.arrival - to.departure;
        if number == 0 || to.by == By::Jump || ticks.is_nan() || ticks <= 0.0 {
            0.0
        } else {
            distance(self.point(number - 1).at, to.at) / ticks
        }
    }
}
