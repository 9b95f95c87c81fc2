//! The way of a chaser in time.

use crate::vector::{Vector, between, distance};

/// A point of a way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrackPoint {
    pub(crate) at: Vector,
    /// The tick in which it sets off to here from the point before.
    pub(crate) departure: f64,
    /// The tick in which it is here.
    pub(crate) arrival: f64,
    /// Whether it comes here at once.
    pub(crate) jump: bool,
    /// Whether it was here when the server said so, and not only expected to come.
    pub(crate) is_fact: bool,
}

/// Where a chaser is at which moment: points in the order of their arrivals, at least one. Before the first
/// it is there, after the last it stays there.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    points: Vec<TrackPoint>,
}

impl Track {
    /// A stand, in the room of a way that is forgotten.
    pub(crate) fn standing(mut room: Vec<TrackPoint>, at: Vector) -> Self {
        room.clear();
        room.push(TrackPoint {
            at,
            departure: f64::NEG_INFINITY,
            arrival: f64::NEG_INFINITY,
            jump: false,
            is_fact: true,
        });
        Self { points: room }
    }

    /// The room that it takes: it is to be replaced.
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

    /// Forgets where it was to be from a tick on, and so many ticks before: in them it comes to where it is
    /// instead.
    pub(crate) fn cut(&mut self, tick: f64, ticks: f64) {
        let kept = self
            .points
            .partition_point(|point| point.arrival < tick)
            .max(1);
        let turn = tick - ticks;
        if kept < self.points.len() && turn > self.points[kept - 1].arrival {
            // On the way to a point that it does not come to.
            let at = self.at(turn);
            let point = &mut self.points[kept];
            (point.at, point.arrival) = (at, turn);
            point.departure = point.departure.min(turn);
            (point.jump, point.is_fact) = (false, false);
            self.points.truncate(kept + 1);
        } else {
            self.points.truncate(kept);
        }
        if kept == 1 && self.points[0].arrival >= tick {
            // All of it lies later: it was there, as far as anybody knows.
            self.points[0].arrival = f64::NEG_INFINITY;
        }
    }

    /// Goes on to a point, where it was or is expected. Takes at most `ticks` for the way there.
    pub(crate) fn push(&mut self, at: Vector, arrival: f64, ticks: f64, jump: bool, is_fact: bool) {
        let arrival = arrival.max(self.last().arrival);
        self.points.push(TrackPoint {
            at,
            departure: self.last().arrival.max(arrival - ticks),
            arrival,
            jump,
            is_fact,
        });
    }

    /// Takes in a way that came late: what is known of a later time stays. Takes at most `ticks` for the
    /// way to its first point, and from its last one. Returns the number of the first point that is
    /// another one.
    pub(crate) fn insert(
        &mut self,
        way: impl Iterator<Item = (Vector, f64, bool)>,
        ticks: f64,
    ) -> Option<usize> {
        let mut way = way.peekable();
        let &(_, first, _) = way.peek()?;
        let begin = self.points.partition_point(|point| point.arrival < first);
        let later = self.points[begin..]
            .iter()
            .position(|point| point.is_fact)?;
        if begin == 0 || later == 0 && self.points[begin].arrival <= first {
            // Over, or known.
            return None;
        }
        let turn = first - ticks;
        let turn = (turn > self.points[begin - 1].arrival).then(|| (self.at(turn), turn));
        self.points.drain(begin..begin + later);
        let mut end = begin;
        if let Some((at, arrival)) = turn {
            self.insert_at(&mut end, at, arrival, f64::INFINITY, false);
        }
        for (at, arrival, jump) in way {
            let before = self.points[end - 1];
            let limit = self.points[end].arrival;
            if arrival >= limit {
                // It was on the way there until it turned to where it is known to have been.
                let turn = limit - ticks;
                if turn > before.arrival && !jump {
                    let part = (turn - before.arrival) / (arrival - before.arrival);
                    let at = between(before.at, at, part);
                    self.insert_at(&mut end, at, turn, f64::INFINITY, false);
                }
                break;
            }
            let ticks = if arrival <= first {
                ticks
            } else {
                f64::INFINITY
            };
            self.insert_at(&mut end, at, arrival, ticks, jump);
        }
        let before = self.points[end - 1].arrival;
        let after = &mut self.points[end];
        after.departure = before.max(after.arrival - ticks);
        Some(begin)
    }

    /// Inserts a point at a place, and moves that on. Takes at most `ticks` for the way there.
    fn insert_at(&mut self, place: &mut usize, at: Vector, arrival: f64, ticks: f64, jump: bool) {
        let before = self.points[*place - 1].arrival;
        let point = TrackPoint {
            at,
            departure: before.max(arrival - ticks),
            arrival,
            jump,
            is_fact: ticks.is_finite(),
        };
        self.points.insert(*place, point);
        *place += 1;
    }

    /// The number of the first point that it comes to after a moment.
    pub(crate) fn next(&self, tick: f64) -> usize {
        self.points.partition_point(|point| point.arrival <= tick)
    }

    /// Forgets the points before the one that it was on last at a moment; returns how many.
    pub(crate) fn pass(&mut self, tick: f64) -> usize {
        let passed = self.next(tick).saturating_sub(1);
        self.points.drain(..passed);
        passed
    }

    /// Where it is at a moment.
    pub(crate) fn at(&self, tick: f64) -> Vector {
        let next = self.next(tick);
        let before = self.point(next.saturating_sub(1));
        match self.points.get(next) {
            Some(to) if next > 0 && !to.jump && tick > to.departure => {
                let part = (tick - to.departure) / (to.arrival - to.departure);
                between(before.at, to.at, part)
            }
            _ => before.at,
        }
    }

    /// How far it is from where it is at a moment to the end, jumps aside.
    pub(crate) fn left(&self, tick: f64) -> f64 {
        let mut from = self.at(tick);
        let ahead = self.points[self.next(tick)..].iter();
        ahead
            .map(|point| {
                let before = std::mem::replace(&mut from, point.at);
                if point.jump {
                    0.0
                } else {
                    distance(before, point.at)
                }
            })
            .sum()
    }

    /// How fast it is on the way to a point, in units a tick; 0 if that takes no time.
    pub(crate) fn speed_to(&self, number: usize) -> f64 {
        let to = self.point(number);
        let ticks = to.arrival - to.departure;
        if number == 0 || to.jump || ticks.is_nan() || ticks <= 0.0 {
            0.0
        } else {
            distance(self.point(number - 1).at, to.at) / ticks
        }
    }
}
