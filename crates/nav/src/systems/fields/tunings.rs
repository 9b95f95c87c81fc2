//! Tunings of chasers: deriving field group, reach and footprint from their settings, and refusing
//! invalid values.

use super::{store::Fields, target_fields::FieldKey};
use crate::{
    AgentId, Body, Chaser, Chasing, FieldAnchor, NavTimer, PathCursor, ValueField, ValueRefusal,
    components::{GroupMembers, LastSettings, SearchesAlone, Tuning},
    state::Fingerprint,
    systems::storage::{targets::Targets, tick_events::TickEvents},
};
use bevy_ecs::{
    change_detection::{ContiguousComponentTicksRef, ContiguousRef},
    prelude::*,
    query::QueryData,
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
    body: Option<&'static Body>,
    tuning: &'static mut Tuning,
    alone: Option<&'static SearchesAlone>,
    last: &'static mut LastSettings,
    cursor: &'static PathCursor,
    chasing: Option<&'static Chasing>,
    timer: &'static mut NavTimer,
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
    let is_settled = |(chasers, bodies): (ContiguousRef<Chaser>, Option<ContiguousRef<Body>>)| {
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
                let fingerprint = Fingerprint::of(&(chaser.words(), has_body)) as u32;
                let noted = (Tuning::new(&chaser, group), fingerprint);
                last = Some((settings, noted));
                noted
            }
        };
        members.count(tuned.tuning.group(), noted.group());
        *tuned.tuning = noted;
        let before = std::mem::replace(&mut tuned.last.fingerprint, fingerprint);
        // A search that failed may succeed with other settings. A new chaser had none.
        if before != 0 && before != fingerprint {
            tuned.timer.set_awaits_change(None);
        }
        // A field that the chaser follows already follows its target more closely from now on.
        if tuned.cursor.shares_near()
            && let Some(&Chasing(target)) = tuned.chasing
            && let Some(slot) = targets.slot(target)
            && let Ok(mut anchor) = anchors.get_mut(target)
            && anchor.aimed.is_some()
            && anchor.is_closer(chaser.repath_interval, chaser.repath_distance)
        {
            anchor.follow_closer(chaser.repath_interval, chaser.repath_distance);
            targets.set_anchor(slot, *anchor);
        }
    }
    members.empty().for_each(|group| fields.retire(group));
}

impl TunedDataItem<'_, '_> {
    /// Replaces invalid values by the last valid ones and reports them. That counts as no change of
    /// the tuning.
    fn validate(&mut self, events: &mut TickEvents) {
        let chaser = self.chaser.bypass_change_detection();
        let mut refuse = |field, refusal| {
            let event = (*self.id, self.entity, (field, refusal));
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
    use crate::{CellPosition, NavMap, NavPlugin, OnMap, Period};
    use bevy_app::App;
    use bevy_time::TimePlugin;
    use nav_grid::{Grid, Limits, Metric, rules::StepCosts};

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

    /// A chaser whose diagonal steps cost as many eightieths of a straight one.
    fn of_diagonal(diagonal: u8) -> Chaser {
        let mut chaser = Chaser::default();
        chaser.rules.metric = Metric::Custom(StepCosts::new(80, diagonal).expect("80 or more"));
        chaser
    }

    #[test]
    fn throttles_and_near_radii_make_no_groups() {
        let (mut app, map) = app();
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
            app.world_mut()
                .spawn((tuning, OnMap(map), CellPosition::new(3, 3)));
        }
        app.update();
        assert_eq!(groups(&app), (1, 1));
    }

    #[test]
    fn groups_end_and_numbers_return() {
        let (mut app, map) = app();
        let spawn = |app: &mut App, diagonal| {
            let chaser = (of_diagonal(diagonal), OnMap(map), CellPosition::new(3, 3));
            app.world_mut().spawn(chaser).id()
        };
        let stays = spawn(&mut app, 80);
        let tuned = spawn(&mut app, 81);
        for diagonal in 82..100 {
            let (one, other) = (spawn(&mut app, diagonal), spawn(&mut app, diagonal));
            app.update();
            assert_eq!(groups(&app).0, 3);
            app.world_mut().despawn(one);
            app.update();
            assert_eq!(groups(&app).0, 3, "one of it is left");
            app.world_mut().entity_mut(other).remove::<Chaser>();
            app.update();
            assert_eq!(groups(&app), (2, 3));
        }
        // A chaser leaves by another tuning, too, and a clone counts.
        app.world_mut().entity_mut(tuned).insert(of_diagonal(80));
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
