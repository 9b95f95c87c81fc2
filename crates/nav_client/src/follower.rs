//! One chaser that is followed.

use crate::{
    ground::Ground,
    settings::Settings,
    track::{Track, TrackPoint},
    vector::{self, Vector, distance, length, minus, toward, widest},
};
use nav_protocol::{Correct, PathAhead};

/// A player is shown on the way to a new place for so many seconds at most.
const PLACE_SECONDS: f64 = 0.2;

/// What a follower is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FollowState {
    /// It stands.
    #[default]
    Standing,
    /// It walks its points.
    Walking,
    /// It goes straight for its target.
    Steering,
}

/// A chaser as a client shows it: walks the points that the server sent, in time.
#[derive(Clone, Debug)]
pub struct Follower {
    track: Track,
    /// The number of the first point that is not touched yet.
    next: usize,
    position: Vector,
    facing: Vector,
    state: FollowState,
    /// Units a second of a straight step.
    speed: f64,
    reach: f64,
    chases: Option<u64>,
    /// Whether the last thing that the server said was a way, and not that it stands.
    has_way: bool,
    /// Whether it was never shown.
    is_new: bool,
}

impl Follower {
    /// A chaser that stands, as far as is known.
    pub fn new(at: [f32; 3]) -> Self {
        Self::in_room(Vec::new(), at)
    }

    /// A chaser that stands, in the room of another one.
    pub(crate) fn in_room(room: Vec<TrackPoint>, at: [f32; 3]) -> Self {
        let at = vector::of(at);
        Self {
            track: Track::standing(room, at),
            next: 1,
            position: at,
            facing: [0.0; 3],
            state: FollowState::Standing,
            speed: 0.0,
            reach: 0.0,
            chases: None,
            has_way: false,
            is_new: true,
        }
    }

    /// The room that it takes: it is to be replaced.
    pub(crate) fn take_room(&mut self) -> Vec<TrackPoint> {
        self.track.take_room()
    }

    /// Where it is shown, in the world.
    pub const fn position(&self) -> [f64; 3] {
        self.position
    }

    /// The direction in which it went last, level and of length 1; zeros before it ever went.
    pub const fn facing(&self) -> [f64; 3] {
        self.facing
    }

    /// What it is doing.
    pub const fn state(&self) -> FollowState {
        self.state
    }

    /// Whom it chases.
    pub const fn chases(&self) -> Option<u64> {
        self.chases
    }

    /// Takes a path, in the place of what it was to do from [`PathAhead::tick`] on. A path without points
    /// changes nothing.
    pub fn follow(&mut self, path: &PathAhead, ground: Ground) {
        if path.nav_path.is_empty() {
            return;
        }
        self.speed = f64::from(path.speed);
        self.reach = f64::from(path.reach);
        self.chases = path.chases;
        self.has_way = true;
        self.cut(path.tick.into(), ground);
        for (number, (at, arrival, jump)) in way(path).enumerate() {
            // Between points of the path it walks all the time, to the first one no longer than it takes.
            let (is_first, ticks) = match number {
                0 => (true, self.ticks_to(at, ground)),
                _ => (false, f64::INFINITY),
            };
            self.track.push(at, arrival, ticks, jump, is_first);
        }
    }

    /// Takes a path that was sent before the last thing that was taken: it tells where it was meanwhile.
    pub(crate) fn follow_late(&mut self, path: &PathAhead, ground: Ground) {
        let ticks = self.step_ticks(ground).unwrap_or(0.0);
        if let Some(begin) = self.track.insert(way(path), ticks) {
            self.next = self.next.min(begin);
        }
    }

    /// The same for a correction.
    pub(crate) fn correct_late(&mut self, correct: &Correct, ground: Ground) {
        let ticks = self.step_ticks(ground).unwrap_or(0.0);
        let way = (vector::of(correct.at), correct.tick.into(), correct.jump);
        if let Some(begin) = self.track.insert(std::iter::once(way), ticks) {
            self.next = self.next.min(begin);
        }
    }

    /// Stands from [`Correct::tick`] on.
    pub fn correct(&mut self, correct: &Correct, ground: Ground) {
        self.chases = correct.chases;
        self.speed = f64::from(correct.speed);
        self.stand(correct.tick, correct.at, correct.jump, ground);
    }

    /// Stands somewhere from a tick on.
    pub(crate) fn stand(&mut self, tick: u32, at: [f32; 3], jump: bool, ground: Ground) {
        self.has_way = false;
        self.cut(tick.into(), ground);
        let at = vector::of(at);
        let ticks = self.ticks_to(at, ground);
        self.track.push(at, tick.into(), ticks, jump, true);
    }

    /// A player is somewhere at a tick.
    pub(crate) fn place(&mut self, tick: u32, at: [f32; 3], ground: Ground) {
        let ticks = PLACE_SECONDS / ground.tick_seconds;
        self.track.cut(tick.into(), ticks);
        self.track
            .push(vector::of(at), tick.into(), ticks, false, true);
    }

    /// Is exactly where its way leads: for players, who go as they like.
    pub(crate) fn show(&mut self, tick: f64, ground: Ground) {
        self.track.pass(tick);
        let before = self.position;
        self.position = self.track.at(tick);
        self.state = if distance(before, self.position) > 0.0 {
            FollowState::Walking
        } else {
            FollowState::Standing
        };
        self.face(minus(self.position, before), ground);
    }

    /// Forgets where it was to be from a tick on, but for the way there.
    fn cut(&mut self, tick: f64, ground: Ground) {
        self.track.cut(tick, self.step_ticks(ground).unwrap_or(0.0));
        self.next = self.next.min(self.track.len());
    }

    /// How long a straight step takes, if that is known.
    fn step_ticks(&self, ground: Ground) -> Option<f64> {
        let ticks = ground.cell_size / self.speed / ground.tick_seconds;
        ticks.is_finite().then_some(ticks)
    }

    /// How long it takes from the end of its way to a point.
    fn ticks_to(&self, at: Vector, ground: Ground) -> f64 {
        let seconds = distance(self.track.last().at, at) / self.speed;
        // Who never walked is there when it is said to be.
        if seconds.is_finite() {
            seconds / ground.tick_seconds
        } else {
            0.0
        }
    }

    /// Goes on for some seconds, to where it is at a tick of the server. `target` is where whom it chases
    /// is by now, if that is known.
    pub fn advance(
        &mut self,
        tick: f64,
        seconds: f64,
        target: Option<[f64; 3]>,
        ground: Ground,
        settings: &Settings,
    ) {
        // In the tick of a step it is in the middle between the two cells.
        let tick = tick - 0.5 * self.step_ticks(ground).unwrap_or(0.0);
        self.next = self.next.saturating_sub(self.track.pass(tick)).max(1);
        let on_track = self.track.at(tick);
        let before = self.position;
        let is_off = distance(before, on_track) > settings.snap;
        if std::mem::take(&mut self.is_new) || is_off {
            self.position = on_track;
            self.next = self.track.next(tick).max(1);
        }
        self.touch(tick, ground, settings);
        match target.filter(|&target| self.is_at_end(tick, target, ground, settings)) {
            Some(target) => self.steer(on_track, target, seconds, ground, settings),
            None => self.walk(tick, seconds, ground, settings),
        }
        if !is_off {
            self.face(minus(self.position, before), ground);
        }
    }

    /// Counts the points that are touched.
    fn touch(&mut self, tick: f64, ground: Ground, settings: &Settings) {
        let touch = settings.touch.min(settings.touch * ground.cell_size);
        while self.next < self.track.len() {
            let point = self.track.point(self.next);
            if point.jump && tick >= point.arrival {
                self.position = point.at;
            } else if point.jump || distance(self.position, point.at) > touch {
                break;
            }
            self.next += 1;
        }
    }

    /// Walks on along its points.
    fn walk(&mut self, tick: f64, seconds: f64, ground: Ground, settings: &Settings) {
        let goal = match self.next {
            next if next < self.track.len() && !self.track.point(next).jump => next,
            next => next - 1,
        };
        let look_ahead = settings.look_ahead.as_secs_f64() / ground.tick_seconds;
        let until = (tick + look_ahead).min(self.track.point(goal).arrival);
        let (aim, ticks) = if until > tick {
            (self.track.at(until), until - tick)
        } else {
            (self.track.point(goal).at, 0.0)
        };
        let pace = self.track.speed_to(goal) / ground.tick_seconds;
        let fastest = settings.catch_up.max(1.0) * self.speed.max(pace);
        // Nobody knows how fast it is of whom nothing was said but where it is.
        let fastest = if fastest > 0.0 {
            fastest
        } else {
            f64::INFINITY
        };
        let wanted = distance(self.position, aim) / (ticks * ground.tick_seconds);
        let before = self.position;
        let step = fastest.min(wanted) * seconds;
        // Both are without bounds where there is no time left, and not a number where there is no way.
        self.position = toward(before, aim, if step.is_nan() { 0.0 } else { step });
        self.state = if distance(before, self.position) > 0.0 {
            FollowState::Walking
        } else {
            FollowState::Standing
        };
    }

    /// Whether its target is so near, and its way ends so near it, that it goes straight for it.
    fn is_at_end(&self, tick: f64, target: Vector, ground: Ground, settings: &Settings) -> bool {
        let away = distance(self.position, target);
        let height = (target[ground.up] - self.position[ground.up]).abs();
        self.has_way
            && away <= settings.steer_within
            && height <= ground.cell_size
            // A way around a wall is longer.
            && self.track.left(tick) <= away * 1.5 + ground.cell_size
            && distance(self.track.last().at, target) <= self.reach * 1.5 + 2.0 * ground.cell_size
    }

    /// Goes straight for its target until that is within reach, near its way.
    fn steer(
        &mut self,
        on_track: Vector,
        target: Vector,
        seconds: f64,
        ground: Ground,
        settings: &Settings,
    ) {
        let wanted = if widest(self.position, target) <= self.reach {
            self.position
        } else {
            let step = self.speed * seconds;
            let short = (distance(self.position, target) - self.reach).max(0.0);
            toward(self.position, target, step.min(short))
        };
        let leash = settings.leash * ground.cell_size;
        let held = toward(on_track, wanted, leash);
        let fastest = settings.catch_up.max(1.0) * self.speed * seconds;
        let before = self.position;
        self.position = toward(before, held, fastest);
        self.state = if distance(before, self.position) > 0.0 {
            FollowState::Steering
        } else {
            self.face(minus(target, before), ground);
            FollowState::Standing
        };
    }

    fn face(&mut self, mut way: Vector, ground: Ground) {
        way[ground.up] = 0.0;
        let length = length(way);
        if length > 1e-6 && length.is_finite() {
            self.facing = way.map(|part| part / length);
        }
    }
}

/// The points of a path, when it is at each, and whether it comes there at once.
fn way(path: &PathAhead) -> impl Iterator<Item = (Vector, f64, bool)> {
    let first = f64::from(path.tick);
    let points = path.nav_path.iter().zip(&path.arrivals).enumerate();
    points.map(move |(number, (&at, &after))| {
        let jump = path.jumps.iter().any(|&jump| usize::from(jump) == number);
        (vector::of(at), first + f64::from(after), jump)
    })
}
