//! Why an agent does what it does, in words and as data: [`explain`] and [`explain_way`].

use crate::{
    Body, CellPosition, ChaseState, Chaser, Chasing, ChasingGroup, Crowding, Destination, Guidance,
    MoveTimer, NavClock, NavMap, NavTime, NavTimer, OnLink, OnMap, PathCursor, PathFailure, Paused,
    SteppedByGame, occupancy::BodyPlaces, systems::place_over,
};
use bevy_app::App;
use bevy_ecs::{entity_disabling::Disabled, prelude::*};
use nav_grid::{
    Cell, Limits, Path, PathQuery, Search, Status, Terrain, methods::BoundedAStar,
    rules::BodyPolicy,
};
use std::fmt::{self, Formatter};

/// An answer of [`explain`]: what an agent is doing, why it stands, and what would change that.
///
/// It prints as a few sentences:
///
/// ```
/// # use bevy_app::App;
/// # use bevy_time::{TimePlugin, TimeUpdateStrategy};
/// # use nav::{prelude::*, explain::explain_way};
/// # let mut app = App::new();
/// # app.add_plugins((TimePlugin, NavPlugin::default()));
/// # app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// let grid = text::read("....#....\n....#....".as_bytes())?;
/// let map = OnMap(app.world_mut().spawn(NavMap::new(grid)).id());
/// let player = app.world_mut().spawn((map, CellPosition::new(7, 1))).id();
/// let npc = (Chaser::default(), map, CellPosition::new(1, 1), Chasing(player));
/// let npc = app.world_mut().spawn(npc).id();
/// for _ in 0..200 {
///     app.update();
/// }
/// let said = explain(app.world(), npc).to_string();
/// assert!(said.contains("no way to its target"), "{said}");
/// let why = explain_way(app.world(), npc).map(|why| why.to_string());
/// assert_eq!(why.as_deref(), Some("no way leads to its target"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// The agent.
    pub agent: Entity,
    /// Its cell.
    pub at: Option<Cell>,
    /// Its task.
    pub task: Task,
    /// The guidance that it follows, while it takes steps.
    pub follows: Option<Guidance>,
    /// Why it stands, if it does.
    pub stands: Option<Standing>,
    /// The time at which that ends by itself, if it does.
    pub until: Option<NavTime>,
    /// Sentences that other crates and the game [add](ExplainAppExt).
    pub notes: Vec<String>,
    /// The time of the last tick.
    pub now: NavTime,
}

/// The task of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Task {
    /// It has neither a target nor a place to go to.
    None,
    /// It chases a target.
    Chase {
        /// The target.
        target: Entity,
        /// Its cell.
        at: Option<Cell>,
    },
    /// It goes to a place: a walk, a return, a slot, a [`Destination`].
    Walk(Option<Cell>),
}

/// Why an agent takes no step. Each prints as half a sentence, and [`remedy`](Self::remedy) says
/// what would change it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Standing {
    /// The entity is gone, or has no [`CellPosition`].
    #[error("it is no agent")]
    NoAgent,
    /// Bevy's [`Disabled`] hides it from all systems.
    #[error("it is disabled")]
    Disabled,
    /// It has no [`Chaser`].
    #[error("it is no chaser")]
    NoChaser,
    /// It has no [`Chasing`].
    #[error("it has nobody to chase and nowhere to go")]
    NoTask,
    /// It or its target is on no map, or they are on different ones.
    #[error("{0}")]
    Map(PathFailure),
    /// It is [`Paused`].
    #[error("it is paused")]
    Paused,
    /// A behaviour or the game [steps it](SteppedByGame).
    #[error("a behaviour or the game steps it")]
    SteppedByGame,
    /// It is on a link that takes time.
    #[error("it is on a link to {0}")]
    OnLink(Cell),
    /// Its target is within reach.
    #[error("it is within reach of its target, which is {0} cells")]
    Reached(u16),
    /// Its first search of this chase is still to come.
    #[error("it has not searched yet")]
    NotSearched,
    /// Its last search led nowhere: [`explain_way`] says why.
    #[error("its last search found no way to its target")]
    NoWay,
    /// The end of what it followed: its next search is not due.
    #[error("it waits for its next search")]
    Throttled,
    /// Bodies are in the way: those beside it that are nearer to its target.
    #[error("bodies are in its way: {}", .0.iter().map(Entity::to_string).collect::<Vec<_>>().join(", "))]
    Bodies(Vec<Entity>),
}

impl Standing {
    /// Half a sentence about what would change it.
    pub const fn remedy(&self) -> &'static str {
        match self {
            Self::NoAgent => "spawn it with `CellPosition` and `OnMap`",
            Self::Disabled => "remove `Disabled`",
            Self::NoChaser => "insert `Chaser`",
            Self::NoTask => "insert `Chasing`, `ChasingGroup` or `GoTo`",
            Self::Map(PathFailure::MapsDiffer) => "put both onto one map",
            Self::Map(_) => "give it `OnMap`, of an entity with `NavMap`",
            Self::Paused => "remove `Paused`",
            Self::SteppedByGame => "its behaviour ends that",
            Self::OnLink(_) => "it leaves the link by itself",
            Self::Reached(_) => "it goes on once the target moves",
            Self::NotSearched | Self::Throttled => {
                "it searches by itself, as its intervals and the budget allow"
            }
            Self::NoWay => "it searches again once the target, the map or its rules change",
            Self::Bodies(_) => "they make room, or it finds a way past them",
        }
    }
}

impl Explanation {
    /// The rest of a sentence about what it is doing now: "stands, since ..." or "follows ...".
    pub fn doing(&self) -> String {
        let Some(why) = &self.stands else {
            return match self.follows {
                Some(Guidance::OwnPath) => "follows a path of its own",
                Some(Guidance::SharedField) => {
                    "follows the field around its target, which it shares with others"
                }
                Some(Guidance::FarField) => {
                    "follows the far field of its target over the portals of the map"
                }
                Some(Guidance::Detour) => "goes around bodies in its way",
                None => "goes straight until the budget has room for its search",
            }
            .to_owned();
        };
        let said = format!("stands, since {why}; {}", why.remedy());
        let Some(until) = self.until else {
            return said;
        };
        let then = match why {
            Standing::Paused => "or wait",
            Standing::OnLink(_) => "in",
            Standing::Bodies(_) => "and tries again in",
            _ => "and looks again in",
        };
        let seconds = until.0.saturating_sub(self.now.0) as f64 / 1e9;
        format!("{said}, {then} {seconds:.1} s")
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.agent)?;
        if let Some(at) = self.at {
            write!(f, " at {at}")?;
        }
        match self.task {
            Task::None => {}
            Task::Chase {
                target,
                at: Some(at),
            } => write!(f, " chases {target} at {at}.")?,
            Task::Chase { target, at: None } => write!(f, " chases {target}.")?,
            Task::Walk(Some(to)) => write!(f, " goes to {to}.")?,
            Task::Walk(None) => write!(f, " goes to a place.")?,
        }
        let it = match self.task {
            Task::None => "",
            _ => " It",
        };
        write!(f, "{it} {}.", self.doing())?;
        for note in &self.notes {
            write!(f, " {note}")?;
        }
        Ok(())
    }
}

/// Explains what an agent is doing, why it stands, what it waits for, and what would change that.
/// For logs, tools and the question of every first hour: "why does it stand?"
///
/// # Complexity
///
/// Some look-ups, and one for each cell around a body that waits for others.
pub fn explain(world: &World, agent: Entity) -> Explanation {
    let now = world
        .get_resource::<NavClock>()
        .map(NavClock::now)
        .unwrap_or_default();
    let mut said = Explanation {
        agent,
        at: world.get::<CellPosition>(agent).map(|at| at.cell),
        task: task(world, agent),
        follows: None,
        stands: None,
        until: None,
        notes: Vec::new(),
        now,
    };
    (said.stands, said.until) = standing(world, agent, &said).unzip();
    said.until = said.until.filter(|&until| until > now);
    if said.stands.is_none() {
        said.follows = world
            .get::<PathCursor>(agent)
            .and_then(PathCursor::guidance);
    }
    if let Some(explainers) = world.get_resource::<Explainers>() {
        said.notes = explainers
            .0
            .iter()
            .filter_map(|add| add(world, agent))
            .collect();
    }
    said
}

fn task(world: &World, agent: Entity) -> Task {
    let Some(&Chasing(target)) = world.get::<Chasing>(agent) else {
        return Task::None;
    };
    let at = world.get::<CellPosition>(target).map(|at| at.cell);
    if world.get::<Destination>(target).is_some() {
        Task::Walk(at)
    } else {
        Task::Chase { target, at }
    }
}

/// The end of what only a change ends.
const NEVER: NavTime = NavTime(0);

/// Why an agent stands, if it does, and when that ends by itself.
fn standing(world: &World, agent: Entity, said: &Explanation) -> Option<(Standing, NavTime)> {
    let (Some(from), Ok(entity)) = (said.at, world.get_entity(agent)) else {
        return Some((Standing::NoAgent, NEVER));
    };
    if entity.contains::<Disabled>() {
        return Some((Standing::Disabled, NEVER));
    }
    let (Some(chaser), Some(cursor), Some(timer)) = (
        entity.get::<Chaser>(),
        entity.get::<PathCursor>(),
        entity.get::<NavTimer>(),
    ) else {
        return Some((Standing::NoChaser, NEVER));
    };
    if let Some(held) = held(entity) {
        return Some(held);
    }
    let Some(&Chasing(target)) = entity.get::<Chasing>() else {
        let seeks = entity.contains::<ChasingGroup>();
        let why = if seeks {
            Standing::NotSearched
        } else {
            Standing::NoTask
        };
        return Some((why, NEVER));
    };
    let (map, to) = match ground_between(world, agent, target) {
        Ok((map, _, to)) => (map, to),
        Err(failure) => return Some((Standing::Map(failure), NEVER)),
    };
    let crowding = entity
        .get::<Crowding>()
        .filter(|of| of.stands && of.waits > 0);
    match cursor.state() {
        ChaseState::Reached => Some((Standing::Reached(chaser.stop_distance), NEVER)),
        ChaseState::Following | ChaseState::Queued => {
            crowding?;
            let near = bodies_between(world, (map, from, chaser), to);
            let next_step = entity
                .get::<MoveTimer>()
                .map_or(NEVER, |timer| timer.next_step);
            Some((Standing::Bodies(near), next_step))
        }
        ChaseState::Idle if timer.failures() == 0 => {
            Some((Standing::NotSearched, timer.next_search()))
        }
        ChaseState::Idle | ChaseState::Waiting => {
            let has_failed = timer.failures() > 0 || timer.awaited_change_at(from);
            let why = if has_failed {
                Standing::NoWay
            } else {
                Standing::Throttled
            };
            Some((why, timer.next_search()))
        }
    }
}

/// The reason that keeps a chaser where it is, whatever its target does, and until when.
fn held(chaser: EntityRef) -> Option<(Standing, NavTime)> {
    if let Some(paused) = chaser.get::<Paused>() {
        Some((Standing::Paused, paused.until.unwrap_or(NEVER)))
    } else if let Some(on_link) = chaser.get::<OnLink>() {
        Some((Standing::OnLink(on_link.to()), on_link.until()))
    } else if chaser.contains::<SteppedByGame>() {
        Some((Standing::SteppedByGame, NEVER))
    } else {
        None
    }
}

/// The map of a chaser and of its target, and the cell of the target there.
fn ground_between(
    world: &World,
    chaser: Entity,
    target: Entity,
) -> Result<(Entity, &NavMap, Cell), PathFailure> {
    let on_map = world.get::<OnMap>(chaser);
    let map = on_map.and_then(|on_map| Some((on_map.0, world.get::<NavMap>(on_map.0)?)));
    let (map, nav_map) = map.ok_or(PathFailure::ChaserNotOnMap)?;
    let target_map = world.get::<OnMap>(target);
    let (Some(target_map), Some(at)) = (target_map, world.get::<CellPosition>(target)) else {
        return Err(PathFailure::TargetNotOnMap);
    };
    if target_map.0 == map {
        Ok((map, nav_map, at.cell))
    } else {
        Err(PathFailure::MapsDiffer)
    }
}

/// Why a chaser has no way to its target. Each prints as half a sentence.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MissingWay {
    /// No way leads there, however long.
    #[error("no way leads to its target{}", reason(.0))]
    Everywhere(PathFailure),
    /// No way leads there within the [limits](Chaser::limits) of the chaser, and one does beyond
    /// them: raise them, or leave the search to [`Method::Auto`](nav_grid::Method::Auto).
    #[error("no way within its limits leads to its target, and a longer one does: {0}")]
    WithinLimits(PathFailure),
    /// No way leads there within the limits of the chaser, and more ground is around it than was
    /// looked at.
    #[error("no way within its limits leads to its target: {0}")]
    Nearby(PathFailure),
}

/// The reason of a search that failed, unless it only says that there is no way.
fn reason(failure: &PathFailure) -> String {
    match failure.status() {
        Some(Status::Unreachable) => String::new(),
        _ => format!(": {failure}"),
    }
}

/// The most cells that [`explain_way`] expands in each of two searches, some ten milliseconds:
/// enough for all of a map of 256×256 cells.
const EXPANSIONS_MAX: u32 = 1 << 16;

/// Explains why a chaser has no way to its target, by searches from where it stands, bodies aside.
/// `None` where there is one, or where it has no target on its map.
///
/// # Complexity
///
/// Two searches of up to 65,536 cells: for a line in a log or a command of a developer, not for
/// every tick.
pub fn explain_way(world: &World, agent: Entity) -> Option<MissingWay> {
    let chaser = world.get::<Chaser>(agent)?;
    let from = world.get::<CellPosition>(agent)?.cell;
    let target = world.get::<Chasing>(agent)?.0;
    let (_, map, to) = ground_between(world, agent, target).ok()?;
    let rules = chaser.rules.with_bodies(BodyPolicy::Ignore);
    let to = place_over(map.grid(), rules, to);
    let query = PathQuery::new(from, to).with_rules(rules);
    let (mut search, mut path) = (BoundedAStar::new(), Path::new());
    let mut fails = |limits: Limits| {
        let expansions = limits.expansions.min(EXPANSIONS_MAX);
        let query = query.with_limits(Limits {
            expansions,
            ..limits
        });
        let outcome = search.search(Terrain::from(map.indexed()), &query, &mut path);
        let has_way = outcome.status.has_path() || outcome.status == Status::AlreadyThere;
        (!has_way).then_some(PathFailure::Search(outcome))
    };
    let limited = fails(chaser.limits)?;
    Some(match fails(Limits::UNBOUNDED) {
        None => MissingWay::WithinLimits(limited),
        Some(failure) if failure.status() == Some(Status::BudgetSpent) => {
            MissingWay::Nearby(limited)
        }
        Some(failure) => MissingWay::Everywhere(failure),
    })
}

/// The bodies beside an agent that are nearer to a cell than it is.
fn bodies_between(
    world: &World,
    (map, from, chaser): (Entity, Cell, &Chaser),
    to: Cell,
) -> Vec<Entity> {
    let places = world
        .get_resource::<BodyPlaces>()
        .and_then(|places| places.of(map));
    let own = chaser.rules.footprint.area(from);
    let mut near: Vec<Entity> = Vec::new();
    for cell in own.grown(1, 1).cells() {
        let index = places.and_then(|places| places.holder(cell));
        let holder = index.map(|index| world.entities().resolve_from_index(index));
        let is_nearer = cell.chebyshev(to) <= from.chebyshev(to);
        let is_other = !own.contains(cell) && is_nearer;
        near.extend(holder.filter(|body| is_other && !near.contains(body)));
    }
    near.retain(|&body| world.get::<Body>(body).is_some());
    near
}

/// A line about an agent; `None` where there is nothing to say.
pub type Explain = fn(&World, Entity) -> Option<String>;

#[derive(Resource, Default)]
struct Explainers(Vec<Explain>);

/// Adds to what [`explain`] says.
pub trait ExplainAppExt {
    /// Adds a line of a behaviour or of the game to the [notes](Explanation::notes).
    fn explain_by(&mut self, explain: Explain) -> &mut Self;
}

impl ExplainAppExt for App {
    fn explain_by(&mut self, explain: Explain) -> &mut Self {
        let mut explainers = self.world_mut().get_resource_or_init::<Explainers>();
        explainers.0.push(explain);
        self
    }
}
