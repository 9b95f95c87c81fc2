//! Noting what follows from the tuning of chasers: field group, reach and footprint. Values that make
//! no sense are refused.

use super::{group::FieldKey, store::Fields};
use crate::{
    AgentId, Body, Chaser, Chasing, FieldAnchor, NavTimer, Pace, PathCursor, ValueField,
    ValueRefusal,
    components::{GoodDisplacement, GroupMembers, Reach, SearchesAlone, Tuning},
    systems::{
        last_look::{LastLook, TuningsNotedAt},
        restored::Restored,
        storage::{targets::Targets, tick_events::TickEvents},
    },
};
use bevy_ecs::{
    change_detection::{ContiguousComponentTicksRef, ContiguousRef, Tick},
    prelude::*,
    query::QueryData,
    system::SystemChangeTick,
};
use nav_grid::Footprint;

type All<'w, 's> = Query<'w, 's, (Ref<'static, Chaser>, Option<Ref<'static, Body>>)>;

type IsTuned = Or<(Changed<Chaser>, (With<Chaser>, Changed<Body>))>;

#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct TunedData {
    entity: Entity,
    id: &'static AgentId,
    chaser: &'static mut Chaser,
    body: Option<Ref<'static, Body>>,
    tuning: &'static mut Tuning,
    alone: Option<Ref<'static, SearchesAlone>>,
    good: &'static mut GoodDisplacement,
    cursor: &'static PathCursor,
    chasing: Option<&'static Chasing>,
    timer: &'static mut NavTimer,
}

/// Notes the tunings of chasers that are new or tuned anew. A chaser with a [`Body`] is as large as
/// that.
pub(crate) fn note_tunings(
    mut chasers: ParamSet<(All, Query<TunedData, IsTuned>)>,
    mut anchors: Query<&mut FieldAnchor>,
    mut targets: ResMut<Targets>,
    mut fields: ResMut<Fields>,
    mut members: ResMut<GroupMembers>,
    mut events: ResMut<TickEvents>,
    (ticks, mut noted_at, restored): (
        SystemChangeTick,
        ResMut<TuningsNotedAt>,
        Option<Res<Restored>>,
    ),
) {
    let looks = Looks {
        last: noted_at.0,
        restored: restored.as_deref().copied(),
        now: ticks.this_run(),
    };
    noted_at.0.note(looks.now);
    retire(&mut fields, &mut members);
    // Most of the time nobody is, and the tables know.
    let is_unchanged =
        |ticks: &ContiguousComponentTicksRef| ticks.summary_tick_is_changed() == Some(false);
    let is_settled = |(chasers, bodies): (ContiguousRef<Chaser>, Option<ContiguousRef<Body>>)| {
        is_unchanged(&ContiguousRef::split(chasers).1)
            && bodies.is_none_or(|bodies| is_unchanged(&ContiguousRef::split(bodies).1))
    };
    if chasers
        .p0()
        .contiguous_iter()
        .is_ok_and(|mut tables| tables.all(is_settled))
    {
        return;
    }
    // Those in a row are mostly tuned alike.
    let mut last = None;
    for mut tuned in &mut chasers.p1() {
        tuned.make_good(&mut events);
        let news = looks.news_of(&tuned);
        let TunedDataItem {
            chaser,
            body,
            tuning,
            alone,
            cursor,
            chasing,
            mut timer,
            ..
        } = tuned;
        let chaser = &*chaser;
        let has_body = body.is_some();
        let is_alone = alone.as_ref().is_some_and(|alone| alone.0);
        let noted = match &last {
            Some(((of, with_body, alone), noted))
                if (of, *with_body, *alone) == (chaser, has_body, is_alone) =>
            {
                *noted
            }
            _ => {
                let key = FieldKey::of(chaser, has_body).filter(|_| !is_alone);
                let group = key.and_then(|key| fields.group(key, targets.slots()));
                fields.by_cost |= chaser.pace == Pace::ByCost;
                let noted = note(chaser, group);
                last = Some(((*chaser, has_body, is_alone), noted));
                noted
            }
        };
        members.count(tuning.group(), noted.group());
        *tuning.into_inner() = noted;
        // What was searched for in vain may be found now, unless it was so with this tuning before the
        // chaser was saved. With whom it shares says nothing about that.
        if news == TuningNews::ByGame {
            timer.set_awaits_change(None);
        }
        // It follows a field already that is to follow its target more closely from now on. Where one that is
        // new follows a field, that knows of it.
        if let Some(&Chasing(target)) =
            chasing.filter(|_| news != TuningNews::None && cursor.shares_near())
            && let Some(slot) = targets.slot(target)
            && let Ok(mut anchor) = anchors.get_mut(target)
            && anchor.aimed.is_some()
            && anchor.is_closer(chaser.repath_interval, chaser.displacement)
        {
            anchor.follow_closer(chaser.repath_interval, chaser.displacement);
            targets.set_anchor(slot, *anchor);
        }
    }
    retire(&mut fields, &mut members);
}

/// When tunings were looked at before.
struct Looks {
    last: LastLook,
    restored: Option<Restored>,
    now: Tick,
}

/// What is news of the tuning of a chaser.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TuningNews {
    /// Nothing, or the chaser itself: it has had no other tuning.
    None,
    /// With whom it shares, which this crate decides.
    Sharing,
    /// All of it: the game changed it.
    ByGame,
}

impl Looks {
    fn news_of(&self, tuned: &TunedDataItem) -> TuningNews {
        let Self {
            last,
            restored,
            now,
        } = *self;
        let TunedDataItem {
            chaser,
            body,
            alone,
            ..
        } = tuned;
        let is_new = last.is_before(chaser.added(), now);
        let restored = restored.filter(|restored| restored.has(chaser.added(), now));
        // Of one that was restored what was saved is no news, though all of it is new here.
        let is_news = |tick| match restored {
            Some(restored) if is_new => !restored.has(tick, now),
            _ => !is_new && last.is_before(tick, now),
        };
        let of_body = body.as_ref().map(DetectChanges::last_changed);
        let of_sharing = alone.as_ref().map(DetectChanges::last_changed);
        if of_sharing.is_some_and(is_news) {
            TuningNews::Sharing
        } else if is_news(chaser.last_changed()) || of_body.is_some_and(is_news) {
            TuningNews::ByGame
        } else {
            TuningNews::None
        }
    }
}

/// What is noted of a chaser of some group.
fn note(chaser: &Chaser, group: Option<u16>) -> Tuning {
    let reach = Reach {
        steps_max: chaser.stop_distance.saturating_add(chaser.stop_slack),
        through_links: chaser.reach_through_links,
        is_finer: chaser.stop_slack > 0 || chaser.needs_sight,
    };
    Tuning::new(chaser.rules.footprint.side(), reach, group, chaser.pace)
}

/// Frees the numbers of field groups that nobody is in any longer.
fn retire(fields: &mut ResMut<Fields>, members: &mut ResMut<GroupMembers>) {
    if members.have_left() {
        for group in members.take_empty() {
            fields.retire(group);
        }
    }
}

impl TunedDataItem<'_, '_> {
    /// Puts values in force that make sense, and notes which ones do not. None of that is a change
    /// of the tuning.
    fn make_good(&mut self, events: &mut TickEvents) {
        let Self {
            entity,
            id,
            chaser,
            body,
            good,
            ..
        } = self;
        let chaser = chaser.bypass_change_detection();
        let mut refuse = |field, refusal| events.values.push((**id, *entity, (field, refusal)));
        match ValueRefusal::of_length(chaser.displacement) {
            Some(refusal) => {
                refuse(ValueField::Displacement, refusal);
                chaser.displacement = good.0;
            }
            None => good.0 = chaser.displacement,
        }
        if let Some(footprint) = body.as_ref().map(|body| body.footprint) {
            let rules = chaser.rules.footprint;
            if rules != footprint && rules != Footprint::ONE {
                let refusal = ValueRefusal::OtherThanBody { rules, footprint };
                refuse(ValueField::RulesFootprint, refusal);
            }
            chaser.rules.footprint = footprint;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CellPosition, NavMap, NavPlugin, OnMap, Period};
    use bevy_app::App;
    use bevy_time::TimePlugin;
    use nav_grid::{Grid, Limits};

    fn app() -> (App, Entity) {
        let mut app = App::new();
        app.add_plugins((TimePlugin, NavPlugin::new(bevy_app::Update)));
        let map = NavMap::new(Grid::open(16, 16).expect("a size"));
        let map = app.world_mut().spawn(map).id();
        (app, map)
    }

    /// How many groups there are, and how many numbers were given out.
    fn groups(app: &App) -> (usize, usize) {
        let fields = app.world().resource::<Fields>();
        let used = fields.groups.iter().filter(|group| group.is_used);
        (used.count(), fields.groups.len())
    }

    fn of_radius(radius: u16) -> Chaser {
        Chaser {
            limits: Limits {
                radius,
                ..Limits::default()
            },
            ..Chaser::default()
        }
    }

    #[test]
    fn throttles_that_differ_make_no_groups() {
        let (mut app, map) = app();
        for n in 0..100_u16 {
            let tuning = Chaser {
                repath_interval: Period::from_micros(500_000 + u32::from(n)),
                displacement: 0.5 + f32::from(n) / 1000.0,
                ..Chaser::default()
            };
            app.world_mut()
                .spawn((tuning, OnMap(map), CellPosition::new(3, 3)));
        }
        app.update();
        assert_eq!(groups(&app), (1, 1));
    }

    #[test]
    fn groups_end_with_their_last_chaser_and_their_numbers_are_given_again() {
        let (mut app, map) = app();
        let spawn = |app: &mut App, radius| {
            let chaser = (of_radius(radius), OnMap(map), CellPosition::new(3, 3));
            app.world_mut().spawn(chaser).id()
        };
        let stays = spawn(&mut app, 20);
        let tuned = spawn(&mut app, 19);
        for radius in 1..19 {
            let (one, other) = (spawn(&mut app, radius), spawn(&mut app, radius));
            app.update();
            assert_eq!(groups(&app).0, 3);
            app.world_mut().despawn(one);
            app.update();
            assert_eq!(groups(&app).0, 3, "one of it is left");
            app.world_mut().entity_mut(other).remove::<Chaser>();
            app.update();
            assert_eq!(groups(&app), (2, 3));
        }
        // One that is tuned anew leaves, too, and one that is cloned counts.
        app.world_mut().entity_mut(tuned).insert(of_radius(20));
        app.update();
        assert_eq!(groups(&app).0, 1);
        let clone = app.world_mut().entity_mut(stays).clone_and_spawn();
        app.update();
        app.world_mut().despawn(stays);
        app.world_mut().despawn(tuned);
        app.update();
        assert_eq!(groups(&app).0, 1);
        app.world_mut().despawn(clone);
        app.update();
        assert_eq!(groups(&app), (0, 3));
    }
}
