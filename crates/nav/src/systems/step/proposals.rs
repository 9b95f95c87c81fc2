//! The proposals of bodies, and their order.

use super::{
    intent::{Intent, StepParams},
    links::by_slow_link,
};
use crate::{
    AgentId, Body, BodyKind, ChasedBy, Crowding, OnMap, Period,
    components::Tuning,
    occupancy::{BodyPlaces, MapOccupancy},
    systems::{
        guidance::{Contact, FieldKind, Ranked, TargetViews},
        storage::{
            columns::{ChaseKey, ChaserData, ChaserView},
            targets::Targets,
            tick_events::TickEvents,
            visit::{VisitPool, visit_due},
        },
    },
};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Footprint};

/// A step that a body wants to take. One cache line, since proposals are read in the order of
/// strips, which is none in memory.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Proposal {
    /// A lower one gets its cell first. The lowest 32 bits are the number of the agent.
    pub(super) rank: u64,
    pub(super) agent: Entity,
    pub(super) target: Entity,
    pub(super) map: Entity,
    pub(super) from: Cell,
    pub(super) body: Body,
    pub(super) tuning: Tuning,
    pub(super) ranked: Ranked,
    pub(super) waits: u8,
    /// Whether it asks others to make room if it has to.
    pub(super) pushes: bool,
    /// Whether it follows a shared field, the near one or the far one.
    pub(super) field: Option<FieldKind>,
    /// Whether it is in front of a pack whose target moves on: it looks again soon.
    pub(super) is_in_front: bool,
    /// Whether others make room for it: see [`FieldAnchor::is_pressed`](crate::FieldAnchor).
    pub(super) presses: bool,
    /// Whether the target is on its cells.
    pub(super) is_under: bool,
    /// Whether it makes a difference that a body in its way stays there.
    pub(super) minds_stayers: bool,
}

const _: () = assert!(size_of::<Proposal>() == 64, "one cache line");

impl Proposal {
    /// The order of proposals. Numbers of agents, which are part of the rank, are unique unless the
    /// game gave one twice.
    pub(super) const fn order(&self) -> (u64, Entity) {
        (self.rank, self.agent)
    }

    /// The number of the agent.
    pub(super) const fn id(&self) -> AgentId {
        AgentId(self.rank as u32)
    }

    pub(super) const fn key(&self) -> ChaseKey {
        ChaseKey {
            tuning: self.tuning,
            target: self.target,
            map: self.map,
        }
    }
}

/// The proposals of bodies in a tick.
#[derive(Resource, Default)]
pub(crate) struct Proposals {
    pub(super) list: Vec<Proposal>,
    /// Those of chased bodies that found no cell and push.
    pub(super) of_chased: Vec<Proposal>,
    pool: VisitPool<ProposeScratch>,
}

#[derive(Default)]
struct ProposeScratch {
    proposals: Vec<Proposal>,
    events: TickEvents,
}

/// Cells from the target within which bodies count as the front of a pack: the two rings around it
/// and the next ring, which fills their gaps.
///
/// Measured: with 2 or 12, chasers are more than 1 % less of the time beside targets that move,
/// with 6 0.4 % less.
const FRONT: u16 = 3;

/// The rank of a body whose target is in a cell, `away` cells off.
///
/// Bodies after targets near each other come one after the other, since their surroundings are near
/// each other in memory. Of those the nearest come first, so that the others can follow: bodies
/// under or alongside their target, then by distance. Of equals the longest wait goes first, then
/// the lower number.
fn rank((target, away): (Cell, u16), from: Cell, contact: Contact, waits: u8, id: AgentId) -> u64 {
    /// Columns and rows of the squares by which targets are near each other: those of a strip.
    const SQUARE: u16 = 32;
    let (row, column) = (target.y / SQUARE, target.x / SQUARE);
    let (distance, waits) = match contact {
        Contact::Under => (0, Crowding::WAITS_MAX),
        Contact::Alongside(to) => (0, turn_along(target, from, to)),
        _ => (away.clamp(1, 511), waits),
    };
    let waits = Crowding::WAITS_MAX - waits;
    u64::from(row) << 54
        | u64::from(column) << 44
        | u64::from(distance) << 35
        | u64::from(waits) << 32
        | u64::from(id.0)
}

/// The order of bodies that go along with their target, as waits: bodies in front, seen from where
/// it goes, make room for the others.
fn turn_along(target: Cell, from: Cell, to: Cell) -> u8 {
    let delta = |one: u16, other: u16| (i32::from(one) - i32::from(other)).clamp(-1, 1);
    let ahead = delta(from.x, target.x) * delta(to.x, from.x)
        + delta(from.y, target.y) * delta(to.y, from.y);
    (4 + ahead) as u8
}

/// Chasers with a body that are no targets.
type Unchased<'w, 's> = Query<'w, 's, ChaserData, (With<OnMap>, With<Body>, Without<ChasedBy>)>;

/// Finds what each chaser with a body wants.
// Decision 13: docs/decisions/0013-sleepers-keep-their-phase.md
pub(super) fn propose_steps(
    params: StepParams,
    targets: Res<Targets>,
    occupancy: Res<BodyPlaces>,
    solids: Unchased,
    mut proposals: ResMut<Proposals>,
    mut events: ResMut<TickEvents>,
) {
    let now = params.now();
    let Proposals {
        list,
        of_chased,
        pool,
    } = &mut *proposals;
    visit_due(
        solids,
        |_, timer| timer.is_due(now),
        pool,
        || params.views(&targets),
        |mut body, views, scratch: &mut ProposeScratch| {
            let ProposeScratch { proposals, events } = scratch;
            proposals.extend(params.propose(views, &mut body, &occupancy, events));
        },
    );
    list.clear();
    for scratch in pool.iter_mut() {
        // The proposals of a large crowd are megabytes: half of them need not be copied.
        if list.is_empty() {
            std::mem::swap(list, &mut scratch.proposals);
        } else {
            list.append(&mut scratch.proposals);
        }
        events.append(&mut scratch.events);
    }
    list.append(of_chased);
}

impl StepParams<'_, '_> {
    /// Makes the proposal of a body at its move tick. Sets the next move tick of a body that wants
    /// nothing; that of the others is set when it is known whether they step.
    #[inline(always)]
    pub(super) fn propose(
        &self,
        views: &mut TargetViews,
        chaser: &mut ChaserView,
        occupancy: &BodyPlaces,
        events: &mut TickEvents,
    ) -> Option<Proposal> {
        let Some(view) = views.followed(chaser) else {
            self.stand(chaser, false);
            return None;
        };
        if let Some(crowding) = chaser.crowding.as_mut().filter(|of| of.made_room) {
            crowding.made_room = false;
            self.hold(view, chaser);
            return None;
        }
        let from = chaser.cell();
        let away = view.away(from);
        let (contact, intent) = self.intent(view, chaser);
        let ranked = match intent {
            Intent::Again => return None,
            Intent::Hold => {
                self.hold(view, chaser);
                return None;
            }
            Intent::Arrive => {
                self.rest(view, chaser, events);
                return None;
            }
            // A link is taken rather than a step that leads on as well.
            Intent::Go(Ranked { link: Some(to), .. }) => Ranked::to(from, to),
            Intent::Go(ranked) => by_slow_link(view.map, chaser, ranked),
        };
        let (id, crowding) = (*chaser.id, chaser.crowding());
        let (is_under, is_apart) = (contact == Contact::Under, contact == Contact::Apart);
        let is_in_turn = view.is_standing
            || crowding.counted_waits() < Crowding::WAITS_MAX
            || chaser.cursor.is_on_detour()
            || self.has_turn(id, chaser.move_timer.idle);
        let pushes =
            is_under || is_apart && crowding.has_waited() && !crowding.no_place && is_in_turn;
        let field = FieldKind::of(&chaser.cursor).filter(|_| is_apart);
        let body = chaser.body.copied().unwrap_or_default();
        let is_in_front = !view.is_standing && away <= FRONT;
        let bodies = || occupancy.of(view.target.seen.map);
        let waits = crowding.counted_waits();
        let has_nothing_new = !pushes && is_apart;
        if has_nothing_new && stays_asleep(chaser, &ranked, crowding, bodies) {
            self.tick(chaser, false);
            if !is_in_front && waits == Crowding::WAITS_MAX {
                chaser.move_timer.skip_idle_period();
            }
            chaser.note_wait();
            return None;
        }
        Some(Proposal {
            rank: rank((view.cell(), away), from, contact, waits, id),
            agent: *chaser.entity,
            target: chaser.chasing.0,
            map: view.target.seen.map,
            from,
            body,
            tuning: *chaser.tuning,
            ranked,
            waits,
            pushes,
            field,
            is_in_front,
            presses: is_under || view.is_pressed,
            is_under,
            minds_stayers: is_apart && !view.is_standing,
        })
    }

    /// Whether it is the turn of a body to push that waits behind a target which moves on: one idle
    /// period in four.
    ///
    /// Most of a crowd waits there, and comes forward by itself or not at all: pushing in each
    /// period takes a tenth of the tick of 100,000 bodies.
    fn has_turn(&self, id: AgentId, idle: Period) -> bool {
        const TURNS: u64 = 4;
        let period = self.now().0 / idle.nanos().max(1);
        period.wrapping_add(id.0.into()).is_multiple_of(TURNS)
    }
}

/// Whether a sleeping body would find nothing new: all cells that it would step to are those of
/// sleepers, and the first of these that leaves wakes it.
#[inline(always)]
fn stays_asleep<'a>(
    chaser: &ChaserView,
    ranked: &Ranked,
    crowding: Crowding,
    bodies: impl FnOnce() -> Option<&'a MapOccupancy>,
) -> bool {
    let body = chaser.body.copied().unwrap_or_default();
    let steps = ranked.any();
    let asked = [
        crowding.stands,
        !chaser.cursor.is_beside(),
        body.kind == BodyKind::Solid,
        body.footprint == Footprint::ONE,
        !steps.is_empty(),
    ];
    // All at once: one branch.
    asked == [true; 5]
        && bodies().is_some_and(|bodies| bodies.sleeps_behind_sleepers(chaser.cell(), steps))
}

#[cfg(test)]
mod tests {
    use super::{
        super::drawing::{Drawing, MAP, agent, visit},
        *,
    };
    use nav_grid::{Direction, Directions};

    /// Returns the bodies of a drawing in their order, by the cell of `T` and by how each stands to
    /// it.
    fn order(rows: &[&str], contact: impl Fn(char) -> (Contact, u8)) -> String {
        let drawing = Drawing::new(rows);
        let target = drawing.find('T');
        let mut signs = drawing.signs();
        signs.sort_by_key(|&sign| {
            let from = drawing.find(sign);
            let (contact, waits) = contact(sign);
            let away = from.chebyshev(target);
            rank((target, away), from, contact, waits, AgentId(sign.into()))
        });
        signs.into_iter().collect()
    }

    #[test]
    fn nearest_body_goes_first() {
        let rows = ["D..C..A", "..B.T..", "E......"];
        assert_eq!(order(&rows, |_| (Contact::Apart, 0)), "CABDE");
    }

    #[test]
    fn longest_wait_goes_first_of_equals() {
        let rows = [".A.B.", "..T..", ".C.D."];
        let waits = |sign| match sign {
            'C' => 7,
            'B' => 2,
            _ => 0,
        };
        assert_eq!(order(&rows, |sign| (Contact::Apart, waits(sign))), "CBAD");
        // Distance counts before waits.
        let rows = ["A.T.B", "...C."];
        assert_eq!(order(&rows, |sign| (Contact::Apart, waits(sign))), "CBA");
    }

    #[test]
    fn bodies_in_contact_go_before_others() {
        let rows = ["A.B", "CT."];
        let contact = |sign| match sign {
            'B' => (Contact::Under, 0),
            'C' => (Contact::Alongside(Cell::new(1, 1)), 0),
            _ => (Contact::Apart, 7),
        };
        assert_eq!(order(&rows, contact), "BCA");
    }

    #[test]
    fn body_in_front_makes_room_alongside() {
        // The target goes east, and all keep their side.
        let rows = ["ABC", "DTE", "FGH"];
        let drawing = Drawing::new(&rows);
        let contact = |sign| {
            let to = drawing.find(sign).step(Direction::East);
            (Contact::Alongside(to.expect("a cell")), 0)
        };
        assert_eq!(order(&rows, contact), "CEHBGADF");
        // To the south-east, the corner in front first and the one behind last.
        let contact = |sign| {
            let to = drawing.find(sign).step(Direction::SouthEast);
            (Contact::Alongside(to.expect("a cell")), 0)
        };
        assert_eq!(order(&rows, contact), "HEGCFBDA");
    }

    #[test]
    fn targets_near_each_other_come_together() {
        const LAST: u16 = nav_grid::Grid::SIDE_MAX - 1;
        let rank_of = |target: (u16, u16), away: u16, id: u32| {
            let (target, from) = (Cell::from(target), Cell::new(9, 9));
            rank((target, away), from, Contact::Apart, 0, AgentId(id))
        };
        // By rows of squares, then by columns, and only then by distance and number.
        let ranks = [
            rank_of((0, 0), 600, 9),
            rank_of((32, 31), 5, 8),
            rank_of((LAST, 0), 4, 7),
            rank_of((0, 32), 1, 1),
            rank_of((0, LAST), 0, 0),
        ];
        assert!(ranks.is_sorted_by(|one, other| one < other));
        assert_eq!(rank_of((0, 0), 511, 0), rank_of((31, 31), LAST, 0));
        assert_eq!(rank_of((0, 0), 1, u32::MAX) as u32, u32::MAX);
    }

    /// Returns whether `A` stays asleep, which wants to go east, in a drawing in which some bodies
    /// sleep.
    fn stays(row: &str, asleep: &str, change: impl Fn(&mut Crowding, &mut Body)) -> bool {
        let mut drawing = Drawing::new(&[row]);
        for sign in asleep.chars() {
            let at = drawing.find(sign);
            drawing.floor().sleep(at);
        }
        let (mut crowding, mut body) = (Crowding::default(), drawing.body('A'));
        crowding.stands = true;
        change(&mut crowding, &mut body);
        let east = Ranked::steps(Directions::from(Direction::East), Direction::East);
        let position = crate::CellPosition::at(drawing.find('A'));
        let mut stays = false;
        visit((position, crowding, body), |chaser| {
            stays = stays_asleep(&chaser, &east, crowding, || drawing.places.of(MAP));
            let nothing = Ranked::default();
            assert!(!stays_asleep(&chaser, &nothing, crowding, || drawing
                .places
                .of(MAP)));
            assert!(!stays_asleep(&chaser, &east, crowding, || None));
        });
        stays
    }

    #[test]
    fn sleeper_behind_sleepers_finds_nothing_new() {
        assert!(stays("AB.", "AB", |_, _| {}));
        // The body in front is awake, or gone; or it is awake itself.
        assert!(!stays("AB.", "A", |_, _| {}));
        assert!(!stays("A.B", "AB", |_, _| {}));
        assert!(!stays("AB.", "B", |_, _| {}));
        // The gate may have changed what it admits.
        assert!(!stays("AB=", "AB", |_, _| {}));
    }

    #[test]
    fn bodies_that_look_at_each_move_tick() {
        assert!(!stays("AB.", "AB", |crowding, _| crowding.stands = false));
        assert!(!stays("AB.", "AB", |_, body| body.kind = BodyKind::Soft));
        let large = |_: &mut Crowding, body: &mut Body| {
            body.footprint = Footprint::new(2).expect("a side");
        };
        assert!(!stays("AB.", "AB", large));
    }

    #[test]
    fn order_of_a_proposal() {
        let drawing = Drawing::new(&["AB"]);
        let [first, second] = ['A', 'B'].map(|sign| drawing.proposal(sign, Ranked::default()));
        assert!(first.order() < second.order());
        assert_eq!(first.order(), (u64::from('A'), agent('A')));
        // The number of the agent is the lower half of the rank.
        let proposal = Proposal {
            rank: 5 << 32 | 7,
            ..first
        };
        assert_eq!(proposal.id(), AgentId(7));
    }
}
