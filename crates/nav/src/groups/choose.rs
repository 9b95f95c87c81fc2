//! Chasers of groups look for the nearest member, within the budget.

use super::{
    components::{Attraction, ChasingGroup, GroupAim, InGroup, Member, MemberChosen},
    fields::{GroupFields, LOOK, Nearest},
};
use crate::{
    AgentId, CellPosition, ChaseState, Chaser, Chasing, MoveTimer, NavBudget, NavClock, NavMap,
    NavTime, OnMap, PathCursor, Period, budget::TickWork, systems::storage::targets::Targets,
};
use bevy_ecs::{prelude::*, query::QueryData, system::SystemParam};
use nav_grid::rules::BodyPolicy;

/// How long a field of a group serves before it follows the members, and how long a chaser waits
/// for its second look at a nearer one: the time in which a player takes four steps.
const FOLLOW: Period = Period::from_millis(1_000);

/// How long a field serves before it follows members that came or went, so that many in a row make
/// few fields.
const REGROUP: Period = Period::from_millis(250);

/// The shortest time between other looks. With half of it chasers of a drawn crowd came no sooner,
/// and looked nearly twice as often.
const LOOK_MIN: Period = Period::from_millis(2_000);

/// The longest time between two looks: the way of a chaser from far away may be over sooner than a
/// quarter of it was walked, since members come toward it.
const LOOK_MAX: Period = Period::from_millis(8_000);

/// How far a member moves before the field follows it, in columns or rows: four seconds of a
/// player's way. With half of it chasers of a drawn crowd came no sooner.
const DRIFT: u16 = 16;

/// The next look of a chaser that did not look since it has its member.
const FIRST: NavTime = NavTime(0);

/// The part of a tick's budget that groups have: a quarter, as maps have.
const PART: u32 = 4;

type MemberData = (
    &'static AgentId,
    &'static CellPosition,
    &'static OnMap,
    Option<&'static Attraction>,
);

/// Follows members that moved, came or went.
pub(super) fn follow_members(
    clock: Res<NavClock>,
    mut groups: Query<(&mut GroupAim, Option<&super::GroupTargets>)>,
    members: Query<(Entity, MemberData), With<InGroup>>,
    mut present: Local<Vec<Member>>,
) {
    let now = clock.now();
    for (mut aim, of_group) in &mut groups {
        if now < aim.since.after(REGROUP) && !aim.members.is_empty() {
            continue;
        }
        present.clear();
        let agents = of_group.into_iter().flat_map(super::GroupTargets::iter);
        let found = members.iter_many(agents).flatten();
        present.extend(
            found.map(|(agent, (&id, place, on_map, attraction))| Member {
                id,
                agent,
                map: on_map.0,
                cell: place.cell,
                attraction: attraction.copied().unwrap_or_default(),
            }),
        );
        present.sort_unstable_by_key(|member| member.id);
        let may_follow = now >= aim.since.after(FOLLOW);
        let has_changed = have_changed(&aim.members, &present);
        if has_changed || may_follow && have_drifted(&aim.members, &present) {
            *aim = GroupAim {
                since: now,
                has_changed,
                members: present.clone(),
                work: 0,
            };
        }
    }
}

/// Whether there are other members than before, or on other maps, or with another attraction.
fn have_changed(before: &[Member], now: &[Member]) -> bool {
    let [before, now] =
        [before, now].map(|members| members.iter().map(|one| (one.id, one.map, one.attraction)));
    !before.eq(now)
}

/// Whether one of the same members moved further than a field tolerates.
fn have_drifted(before: &[Member], now: &[Member]) -> bool {
    let mut pairs = before.iter().zip(now);
    pairs.any(|(before, now)| before.cell.chebyshev(now.cell) >= DRIFT)
}

#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Seeker {
    entity: Entity,
    id: &'static AgentId,
    chaser: &'static Chaser,
    on_map: &'static OnMap,
    place: &'static CellPosition,
    timer: &'static MoveTimer,
    cursor: &'static PathCursor,
    seeks: &'static mut ChasingGroup,
    chasing: Option<&'static Chasing>,
}

/// The world as chasers of groups see it, and the budget of their looks.
#[derive(SystemParam)]
pub(super) struct Looking<'w, 's> {
    clock: Res<'w, NavClock>,
    budget: Res<'w, NavBudget>,
    targets: Res<'w, Targets>,
    work: ResMut<'w, TickWork>,
    maps: Query<'w, 's, &'static mut NavMap>,
    groups: Query<'w, 's, &'static mut GroupAim>,
    members: Query<'w, 's, (&'static InGroup, &'static OnMap)>,
    fields: ResMut<'w, GroupFields>,
}

/// A chaser that is due: since when, and which.
type Due = (NavTime, AgentId, Entity);

/// The choice of a chaser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// The group is gone.
    Leave,
    /// There is no member on its map.
    Nobody,
    /// Stays with its member, and looks again at a time.
    Stay(Option<Entity>, NavTime),
    /// Goes for a member, and looks again at a time.
    Go(Entity, NavTime),
    /// Waits for the budget of another tick.
    Wait,
}

/// Sends chasers of groups after members: the longest wait first, as far as the budget goes.
pub(super) fn choose_members(
    mut looking: Looking,
    mut seekers: Query<Seeker>,
    mut commands: Commands,
    (mut lost, mut due): (Local<Vec<Due>>, Local<Vec<Due>>),
) {
    let now = looking.clock.now();
    let Looking {
        groups,
        maps,
        fields,
        ..
    } = &mut looking;
    fields.keep(|group, map| groups.contains(group) && maps.contains(map));
    look_at_once(&mut seekers, groups, now);
    let is_fresh = looking.groups.iter().any(|aim| aim.since == now);
    // Chasers in a row mostly seek the same group.
    let mut last = (None, true);
    for seeker in &seekers {
        let group = seeker.seeks.group();
        if last.0 != Some(group) {
            last = (Some(group), looking.groups.contains(group));
        }
        let present = seeker.chasing.map(|chasing| chasing.0);
        let has_lost = present != seeker.seeks.chosen
            || !last.1
            || is_fresh
                && present
                    .is_some_and(|member| !looking.is_near(member, seeker.seeks, seeker.on_map));
        let next = if has_lost { FIRST } else { seeker.seeks.next };
        if next <= now {
            let list = if has_lost || present.is_none() {
                &mut lost
            } else {
                &mut due
            };
            list.push((next, *seeker.id, seeker.entity));
        }
    }
    let chasers = looking.targets.chasers();
    let all = looking.budget.work(chasers) / PART;
    let most = (all / LOOK) as usize;
    if due.len() > most {
        due.select_nth_unstable(most);
        due.truncate(most);
    }
    due.sort_unstable();
    lost.sort_unstable();
    let mut left = all;
    for (_, _, seeker) in lost.drain(..).chain(due.drain(..)) {
        let Ok(mut seeker) = seekers.get_mut(seeker) else {
            continue;
        };
        let choice = looking.choose(&seeker, &mut left);
        carry_out(choice, &mut seeker, &mut commands);
    }
    looking.work.groups = u64::from(all - left);
}

/// Lets chasers of groups that changed in this tick look at once.
fn look_at_once(seekers: &mut Query<Seeker>, groups: &Query<&'static mut GroupAim>, now: NavTime) {
    let is_new = |aim: &GroupAim| aim.since == now && aim.has_changed;
    if groups.iter().any(is_new) {
        for mut seeker in seekers {
            let aim = groups.get(seeker.seeks.group());
            if seeker.seeks.next > now && aim.is_ok_and(is_new) {
                seeker.seeks.next = now;
            }
        }
    }
}

impl Looking<'_, '_> {
    /// Whether an agent is a member of the group of a chaser, on its map.
    fn is_near(&self, agent: Entity, seeks: &ChasingGroup, on_map: &OnMap) -> bool {
        let member = self.members.get(agent);
        member.is_ok_and(|(group, at)| group.0 == seeks.group() && at == on_map)
    }

    /// The members on the map of a chaser, as the fields of its group were aimed last.
    fn members_near<'a>(
        &'a self,
        seeker: &SeekerItem,
    ) -> impl Iterator<Item = &'a Member> + Clone + use<'a> {
        let aim = self.groups.get(seeker.seeks.group());
        let members = aim.map_or(&[][..], |aim| &aim.members);
        let map = seeker.on_map.0;
        members.iter().filter(move |member| member.map == map)
    }

    /// The member that a chaser goes for, if it still is one on its map.
    fn present(&self, seeker: &SeekerItem) -> Option<Entity> {
        let present = seeker.chasing?.0;
        let is_near = self.is_near(present, &seeker.seeks, seeker.on_map);
        is_near.then_some(present)
    }

    /// The member that is nearest in a straight line.
    fn in_line(&self, seeker: &SeekerItem) -> Option<Entity> {
        let members = self.members_near(seeker);
        let members =
            members.filter(|member| self.is_near(member.agent, &seeker.seeks, seeker.on_map));
        let nearest = members.min_by_key(|member| (member.away(*seeker.place), member.id));
        nearest.map(|member| member.agent)
    }

    /// Whether a member may be nearer to a chaser than one within its reach.
    fn attracts(&self, seeker: &SeekerItem) -> bool {
        let mut members = self.members_near(seeker);
        members.any(|member| member.attraction != Attraction::default())
    }

    /// The nearest member by way and the steps to it; no member if no way leads to any. `None` if
    /// the budget ended first.
    fn look(&mut self, seeker: &SeekerItem, left: &mut u32) -> Option<(Option<Entity>, u32)> {
        let (group, map) = (seeker.seeks.group(), seeker.on_map.0);
        let Ok(mut nav_map) = self.maps.get_mut(map) else {
            return Some((None, 0));
        };
        let rules = seeker.chaser.rules.with_bodies(BodyPolicy::Ignore);
        nav_map.bypass_change_detection().want(rules);
        let Ok(mut aim) = self.groups.get_mut(group) else {
            return Some((None, 0));
        };
        let mut here = aim.members.iter().filter(|member| member.map == map);
        let field = self.fields.of(group, map, rules);
        field.aim(&nav_map, rules, self.clock.now(), here.clone());
        let (nearest, work) = field.look(&nav_map, rules, seeker.place.cell, *left);
        *left = left.saturating_sub(work);
        let found = match nearest {
            Nearest::Pending => None,
            Nearest::None => Some((None, 0)),
            Nearest::Member(number, steps) => {
                Some((here.nth(number).map(|member| member.agent), steps))
            }
        };
        aim.work += u64::from(work);
        found
    }

    fn choose(&mut self, seeker: &SeekerItem, left: &mut u32) -> Choice {
        if !self.groups.contains(seeker.seeks.group()) {
            return Choice::Leave;
        }
        let Some(present) = self.present(seeker) else {
            // By way from the next tick on: a look may have to wait.
            let member = self.in_line(seeker);
            return member.map_or(Choice::Nobody, |member| Choice::Go(member, FIRST));
        };
        let now = self.clock.now();
        if seeker.cursor.state() == ChaseState::Reached && !self.attracts(seeker) {
            return Choice::Stay(None, now.after(LOOK_MIN));
        }
        if *left == 0 {
            return Choice::Wait;
        }
        let Some((nearest, steps)) = self.look(seeker, left) else {
            return Choice::Wait;
        };
        let near = nearest.filter(|&member| self.is_near(member, &seeker.seeks, seeker.on_map));
        let nearest = near.or_else(|| self.in_line(seeker)).unwrap_or(present);
        let next = now.after(until_next_look(seeker.timer.chasing, steps));
        let is_first = seeker.seeks.next == FIRST;
        if nearest == present {
            Choice::Stay(None, next)
        } else if is_first || seeker.seeks.nearer == Some(nearest) {
            Choice::Go(nearest, next)
        } else {
            Choice::Stay(Some(nearest), now.after(FOLLOW))
        }
    }
}

/// The time of a quarter of a way, within bounds. With an eighth chasers of a drawn crowd came no
/// sooner.
fn until_next_look(step: Period, steps: u32) -> Period {
    step.times(steps / 4).clamp(LOOK_MIN, LOOK_MAX)
}

fn carry_out(choice: Choice, seeker: &mut SeekerItem, commands: &mut Commands) {
    let (chaser, group) = (seeker.entity, seeker.seeks.group());
    let before = seeker.chasing.map(|chasing| chasing.0);
    match choice {
        Choice::Leave => {
            commands.entity(chaser).remove::<ChasingGroup>();
        }
        Choice::Nobody => {
            if seeker.seeks.chosen.take().is_some() && before.is_some() {
                commands.entity(chaser).remove::<Chasing>();
            }
        }
        Choice::Wait => {}
        Choice::Stay(nearer, next) => {
            (seeker.seeks.nearer, seeker.seeks.next) = (nearer, next);
        }
        Choice::Go(member, next) => {
            seeker.seeks.chosen = Some(member);
            (seeker.seeks.nearer, seeker.seeks.next) = (None, next);
            commands.entity(chaser).insert(Chasing(member));
            let chosen = MemberChosen {
                chaser,
                group,
                member,
                before,
            };
            commands.write_message(chosen);
            commands.trigger(chosen);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_after_a_quarter_of_the_way() {
        let step = Period::from_millis(250);
        let seconds = |steps| until_next_look(step, steps).micros / 1_000_000;
        assert_eq!([0, 32, 64, 96, 10_000].map(seconds), [2, 2, 4, 6, 8]);
    }
}
