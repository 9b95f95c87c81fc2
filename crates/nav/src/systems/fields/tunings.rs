//! Tunings of chasers: deriving field group, reach and footprint from their settings, and refusing
//! invalid values.

use super::{store::Fields, target_fields::FieldKey};
use crate::{
    AgentId, Body, Chaser, Chasing, FieldAnchor, NavTimer, PathCursor, ValueField, ValueRefusal,
    components::{Chase, Event, GroupMembers, LastSettings, SearchesAlone, Tuning},
    systems::storage::{targets::Targets, tick_events::TickEvents},
};
use bevy_ecs::{
    change_detection::{ContiguousComponentTicksRef, ContiguousRef},
    entity_disabling::Disabled,
    prelude::*,
    query::QueryData,
};
use nav_grid::Footprint;

// Disabled chasers count for their groups, and tell changes meanwhile: a restored world has no
// others.

/// Reading whether they are disabled lets the query find disabled ones, too.
type All<'w, 's> = Query<
    'w,
    's,
    (
        Ref<'static, Chaser>,
        Option<Ref<'static, Body>>,
        Has<Disabled>,
    ),
>;

type AllItem<'a> = (
    ContiguousRef<'a, Chaser>,
    Option<ContiguousRef<'a, Body>>,
    bool,
);

type IsTuned = (
    Or<(Changed<Chaser>, (With<Chaser>, Changed<Body>))>,
    Allow<Disabled>,
);

#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct TunedData {
    entity: Entity,
    id: Option<&'static AgentId>,
    chaser: &'static mut Chaser,
    body: Option<&'static Body>,
    tuning: &'static mut Tuning,
    alone: Option<&'static SearchesAlone>,
    last: &'static mut LastSettings,
    cursor: Option<&'static mut PathCursor>,
    chasing: Option<&'static Chasing>,
    timer: Option<&'static mut NavTimer>,
}

/// Notes the tunings of new and changed chasers. A chaser with a [`Body`] has the size of the body.
pub(crate) fn note_tunings(
    mut chasers: ParamSet<(All, Query<TunedData, IsTuned>)>,
    mut anchors: Query<&mut FieldAnchor>,
    mut targets: ResMut<Targets>,
    mut fields: ResMut<Fields>,
    mut members: ResMut<GroupMembers>,
    mut events: ResMut<TickEvents>,
) {
    members.empty().for_each(|group| fields.retire(group));
    // Mostly nothing changed. Whole tables tell that, without a look at each chaser.
    let is_unchanged =
        |ticks: &ContiguousComponentTicksRef| ticks.summary_tick_is_changed() == Some(false);
    let is_settled = |(chasers, bodies, _): AllItem| {
        is_unchanged(&ContiguousRef::split(chasers).1)
            && bodies.is_none_or(|bodies| is_unchanged(&ContiguousRef::split(bodies).1))
    };
    let all = chasers.p0();
    if all
        .contiguous_iter()
        .is_ok_and(|mut tables| tables.all(is_settled))
    {
        return;
    }
    // Chasers in a row mostly have the same settings.
    let mut last = None;
    for mut tuned in &mut chasers.p1() {
        tuned.validate(&mut events);
        let (chaser, has_body) = (*tuned.chaser, tuned.body.is_some());
        let is_alone = tuned.alone.is_some_and(|alone| alone.0);
        let settings = (chaser, has_body, is_alone);
        let (noted, fingerprint) = match last {
            Some((of, noted)) if of == settings => noted,
            _ => {
                let key = FieldKey::of(&chaser, has_body).filter(|_| !is_alone);
                let group = key.and_then(|key| fields.group(key, targets.slots()));
                let fingerprint = LastSettings::of(&chaser, has_body).fingerprint;
                let noted = (Tuning::new(&chaser, group), fingerprint);
                last = Some((settings, noted));
                noted
            }
        };
        members.count(tuned.tuning.group(), noted.group());
        *tuned.tuning = noted;
        let before = std::mem::replace(&mut tuned.last.fingerprint, fingerprint);
        // A new chaser had none before.
        let is_news = before != 0 && before != fingerprint;
        if let Some((cursor, timer)) = tuned.cursor.as_mut().zip(tuned.timer.as_mut())
            && is_news
        {
            Chase::of(cursor.reborrow(), timer.reborrow()).apply(Event::Tuned);
        }
        tuned.follow_closer(&mut anchors, &mut targets);
    }
    members.empty().for_each(|group| fields.retire(group));
}

impl TunedDataItem<'_, '_> {
    /// A field that the chaser follows already follows its target more closely from now on.
    fn follow_closer(&self, anchors: &mut Query<&mut FieldAnchor>, targets: &mut Targets) {
        let (interval, distance) = (self.chaser.repath_interval, self.chaser.repath_distance);
        if let Some(cursor) = &self.cursor
            && cursor.shares_near()
            && let Some(&Chasing(target)) = self.chasing
            && let Some(slot) = targets.slot(target)
            && let Ok(mut anchor) = anchors.get_mut(target)
            && anchor.aimed.is_some()
            && anchor.is_closer(interval, distance)
        {
            anchor.follow_closer(interval, distance);
            targets.set_anchor(slot, *anchor);
        }
    }

    /// Replaces invalid values by the last valid ones and reports them. That counts as no change of
    /// the tuning.
    fn validate(&mut self, events: &mut TickEvents) {
        let chaser = self.chaser.bypass_change_detection();
        let mut refuse = |field, refusal| {
            let id = self.id.copied().unwrap_or_default();
            let event = (id, self.entity, (field, refusal));
            events.values.push(event);
        };
        match ValueRefusal::of_length(chaser.repath_distance) {
            Some(refusal) => {
                refuse(ValueField::RepathDistance, refusal);
                chaser.repath_distance = self.last.repath_distance;
            }
            None => self.last.repath_distance = chaser.repath_distance,
        }
        if let Some(body) = self.body {
            let (rules, footprint) = (chaser.rules.footprint, body.footprint);
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
    use crate::Period;
    use nav_grid::{Limits, Metric, rules::StepCosts};

    /// A world with what [`note_tunings`] reads. The whole plugin would make compiling these tests
    /// four times as long.
    fn world() -> World {
        let mut world = World::new();
        world.init_resource::<Fields>();
        world.init_resource::<GroupMembers>();
        world.init_resource::<Targets>();
        world.init_resource::<TickEvents>();
        world
    }

    /// How many groups there are after the next tick, and how many numbers were given out.
    fn groups(world: &mut World) -> (usize, usize) {
        let noted = world.run_system_cached(note_tunings);
        noted.expect("all its resources");
        let fields = world.resource::<Fields>();
        let used = fields.groups.iter().filter(|group| group.is_used);
        (used.count(), fields.groups.len())
    }

    /// A chaser whose diagonal steps cost as many eightieths of a straight one.
    fn of_diagonal(diagonal: u8) -> Chaser {
        let mut chaser = Chaser::default();
        chaser.rules.metric = Metric::Custom(StepCosts::new(80, diagonal).expect("80 or more"));
        chaser
    }

    #[test]
    fn throttles_and_near_radii_make_no_groups() {
        let mut world = world();
        for n in 0..100_u16 {
            let tuning = Chaser {
                repath_interval: Period::from_micros(500_000 + u32::from(n)),
                repath_distance: 0.5 + f32::from(n) / 1000.0,
                limits: Limits {
                    radius: 11 + n % 10,
                    ..Limits::default()
                },
                ..Chaser::default()
            };
            world.spawn(tuning);
        }
        assert_eq!(groups(&mut world), (1, 1));
    }

    #[test]
    fn groups_end_and_numbers_return() {
        let mut world = world();
        let spawn = |world: &mut World, diagonal| world.spawn(of_diagonal(diagonal)).id();
        let stays = spawn(&mut world, 80);
        let tuned = spawn(&mut world, 81);
        for diagonal in 82..100 {
            let (one, other) = (spawn(&mut world, diagonal), spawn(&mut world, diagonal));
            assert_eq!(groups(&mut world).0, 3);
            world.despawn(one);
            assert_eq!(groups(&mut world).0, 3, "one of it is left");
            world.entity_mut(other).remove::<Chaser>();
            assert_eq!(groups(&mut world), (2, 3));
        }
        // A chaser leaves by another tuning, too, and a clone counts.
        world.entity_mut(tuned).insert(of_diagonal(80));
        assert_eq!(groups(&mut world).0, 1);
        let clone = world.entity_mut(stays).clone_and_spawn();
        assert_eq!(groups(&mut world).0, 1);
        world.despawn(stays);
        world.despawn(tuned);
        assert_eq!(groups(&mut world).0, 1);
        // A disabled chaser keeps its group, and one spawned disabled has a group, too.
        world.entity_mut(clone).insert(Disabled);
        assert_eq!(groups(&mut world).0, 1);
        world.despawn(clone);
        assert_eq!(groups(&mut world), (0, 3));
        world.spawn((of_diagonal(80), Disabled));
        assert_eq!(groups(&mut world).0, 1);
    }
}
