//! Follows one chaser.

use crate::{
    ground::Ground,
    settings::Settings,
    track::{By, Track, TrackPoint},
    vector::{self, Vector, distance, length, minus, toward, widest},
};
use nav_protocol::{Correct, PathAhead};

/// The state of a follower.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FollowState {
    /// Standing.
    #[default]
    Standing,
    /// Walking along its points.
    Walking,
    /// Going straight to its target.
    Steering,
    /// On a [link](Follower::link), such as a ladder: along the straight line between its ends.
    OnLink,
}

/// A chaser as a client shows it: it walks along the points that the server sent, in time.
#[derive(Clone, Debug)]
pub struct Follower {
    track: Track,
    /// Index of the first point that is not touched yet.
    next: usize,
    position: Vector,
    facing: Vector,
    state: FollowState,
    /// Speed on straight steps, in units per second.
    speed: f64,
    reach: f64,
    chases: Option<u64>,
    /// The kind of the link that it is on.
    link: Option<u8>,
    /// Whether the server's last word was a path, and not a stand.
    has_way: bool,
    /// Whether it was never shown.
    is_new: bool,
}

impl Follower {
    /// Creates a chaser that stays at a place.
    pub fn new(at: [f32; 3]) -> Self {
        Self::in_room(Vec::new(), at)
    }

    /// Creates a standing chaser that reuses the memory of another track.
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
            link: None,
            has_way: false,
            is_new: true,
        }
    }

    /// Takes the memory of the track out of a follower that is about to be replaced.
    pub(crate) fn take_room(&mut self) -> Vec<TrackPoint> {
        self.track.take_room()
    }

    /// Returns the place at which it is shown, in the world.
    pub const fn position(&self) -> [f64; 3] {
        self.position
    }

    /// Returns the direction of its last move, level and of length 1. Zeros before the first move.
    pub const fn facing(&self) -> [f64; 3] {
        self.facing
    }

    /// Returns what it is doing.
    pub const fn state(&self) -> FollowState {
        self.state
    }

    /// Returns the kind of the link that it is on, such as a ladder. A client that shows a
    /// teleporter otherwise than as a straight way takes its place from elsewhere meanwhile.
    pub const fn link(&self) -> Option<u8> {
        self.link
    }

    /// Returns the id of its target.
    pub const fn chases(&self) -> Option<u64> {
        self.chases
    }

    /// Applies a path, which replaces the plan from [`PathAhead::tick`] on. A path without points
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
        for (number, (at, arrival, by)) in way(path).enumerate() {
            // Between points of the path it never stops. To the first one it takes no longer than
            // needed.
            let (is_first, ticks) = match number {
                0 => (true, self.ticks_to(at, ground)),
                _ => (false, f64::INFINITY),
            };
            self.track.push(at, arrival, ticks, by, is_first);
        }
    }

    /// Applies a path older than the last one applied. It fills in where the chaser was in between.
    pub(crate) fn follow_late(&mut self, path: &PathAhead, ground: Ground) {
        let ticks = self.step_ticks(ground).unwrap_or(0.0);
        if let Some(begin) = self.track.insert(way(path), ticks) {
            self.next = self.next.min(begin);
        }
    }

    /// Applies a correction older than the last update applied.
    pub(crate) fn correct_late(&mut self, correct: &Correct, ground: Ground) {
        let ticks = self.step_ticks(ground).unwrap_or(0.0);
        let way = (
            vector::of(correct.at),
            correct.tick.into(),
            by(correct.jump),
        );
        if let Some(begin) = self.track.insert(std::iter::once(way), ticks) {
            self.next = self.next.min(begin);
        }
    }

    /// Applies a correction: it stays there from [`Correct::tick`] on.
    pub fn correct(&mut self, correct: &Correct, ground: Ground) {
        self.chases = correct.chases;
        self.speed = f64::from(correct.speed);
        self.stand(correct.tick, correct.at, correct.jump, ground);
    }

    /// Makes it stay at a place from a tick on.
    pub(crate) fn stand(&mut self, tick: u32, at: [f32; 3], jump: bool, ground: Ground) {
        self.has_way = false;
        self.cut(tick.into(), ground);
        let at = vector::of(at);
        let ticks = self.ticks_to(at, ground);
        self.track.push(at, tick.into(), ticks, by(jump), true);
    }

    /// Records the place of a player at a tick. The player is shown on the way there for at most
    /// the lag: a place that arrives in time then changes nothing that is already shown.
    pub(crate) fn place(&mut self, tick: u32, at: [f32; 3], lag: f64, ground: Ground) {
        let ticks = lag / ground.tick_seconds;
        self.track.cut(tick.into(), ticks);
        self.track
            .push(vector::of(at), tick.into(), ticks, By::Walking, true);
    }

    /// Moves a player exactly along its track. Players have no speed to keep.
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

    /// Forgets the plan from a tick on, and turns one step before it.
    fn cut(&mut self, tick: f64, ground: Ground) {
        self.track.cut(tick, self.step_ticks(ground).unwrap_or(0.0));
        self.next = self.next.min(self.track.len());
    }

    /// Returns the ticks of a straight step, if known.
    fn step_ticks(&self, ground: Ground) -> Option<f64> {
        let ticks = ground.cell_size / self.speed / ground.tick_seconds;
        ticks.is_finite().then_some(ticks)
    }

    /// Returns the ticks needed from the end of the track to a point.
    fn ticks_to(&self, at: Vector, ground: Ground) -> f64 {
        let seconds = distance(self.track.last().at, at) / self.speed;
        // Without a known speed it arrives at once.
        if seconds.is_finite() {
            seconds / ground.tick_seconds
        } else {
            0.0
        }
    }

    /// Advances by `seconds`, to where it is at `tick` of the server.
    ///
    /// `target` is the current place of its target, if known.
    pub fn advance(
        &mut self,
        tick: f64,
        seconds: f64,
        target: Option<[f64; 3]>,
        ground: Ground,
        settings: &Settings,
    ) {
        // In the tick of a step, the chaser is shown halfway between the two cells.
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
        let target = target.filter(|&target| {
            self.track.link(tick).is_none() && self.is_at_end(tick, target, ground, settings)
        });
        match target {
            Some(target) => self.steer(on_track, target, seconds, ground, settings),
            None => self.walk(tick, seconds, ground, settings),
        }
        self.link = self.track.link(tick);
        if self.link.is_some() {
            self.state = FollowState::OnLink;
        }
        if !is_off {
            self.face(minus(self.position, before), ground);
        }
    }

    /// Marks points as touched.
    fn touch(&mut self, tick: f64, ground: Ground, settings: &Settings) {
        let touch = settings.touch.min(settings.touch * ground.cell_size);
        while self.next < self.track.len() {
            let point = self.track.point(self.next);
            let is_jump = point.by == By::Jump;
            if is_jump && tick >= point.arrival {
                self.position = point.at;
            } else if is_jump || distance(self.position, point.at) > touch {
                break;
            }
            self.next += 1;
        }
    }

    /// Walks on along the points.
    fn walk(&mut self, tick: f64, seconds: f64, ground: Ground, settings: &Settings) {
        let goal = match self.next {
            next if next < self.track.len() && self.track.point(next).by != By::Jump => next,
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
        let fastest = match settings.catch_up.max(1.0) * self.speed.max(pace) {
            known if known > 0.0 => known,
            // The speed is unknown if nothing but the place was sent.
            _ => f64::INFINITY,
        };
        let wanted = distance(self.position, aim) / (ticks * ground.tick_seconds);
        let before = self.position;
        let step = fastest.min(wanted) * seconds;
        // `wanted` is infinite if no time is left, and NaN if there is no distance either.
        self.position = toward(before, aim, if step.is_nan() { 0.0 } else { step });
        self.state = if distance(before, self.position) > 0.0 {
            FollowState::Walking
        } else {
            FollowState::Standing
        };
    }

    /// Returns whether the target is close enough, and the path ends close enough to it, to go
    /// straight.
    fn is_at_end(&self, tick: f64, target: Vector, ground: Ground, settings: &Settings) -> bool {
        let away = distance(self.position, target);
        let height = (target[ground.up] - self.position[ground.up]).abs();
        self.has_way
            && away <= settings.steer_within
            && height <= ground.cell_size
            // A longer path leads around a wall. The factors here are guesses.
            && self.track.left(tick) <= away * 1.5 + ground.cell_size
            && distance(self.track.last().at, target) <= self.reach * 1.5 + 2.0 * ground.cell_size
    }

    /// Goes straight to the target until it is within reach, and stays close to the path.
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

/// Returns how a chaser comes to a place that it reaches at once, or else by walking.
const fn by(jump: bool) -> By {
    if jump { By::Jump } else { By::Walking }
}

/// Returns the points of a path, each with its arrival and how it is reached.
fn way(path: &PathAhead) -> impl Iterator<Item = (Vector, f64, By)> {
    let first = f64::from(path.tick);
    let points = path.nav_path.iter().zip(&path.arrivals).enumerate();
    points.map(move |(number, (&at, &after))| {
        let jump = path.jumps.iter().any(|&jump| usize::from(jump) == number);
        let mut links = path.links.iter();
        let link = links.find(|link| usize::from(link.point) == number);
        let by = link.map_or(by(jump), |link| By::Link(link.kind));
        (vector::of(at), first + f64::from(after), by)
    })
}
