//! Sends the members of formations to their slots.

use super::Formation;
use crate::{
    Activity, GoTo, WalkEnd,
    on_demand::on_demand,
    walks::{WalkSystems, add_walks},
};
use bevy_app::{App, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, query::QueryData, schedule::ScheduleLabel};
use nav::{AgentId, CellPosition, Chaser, Chasing, NavMap, OnMap};
use nav_grid::{Area, Cell, Rules};

/// The leader whose [`Formation`] a chaser is in, whenever it chases nobody and walks nowhere else.
/// Insert it to join, remove it to leave.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[relationship(relationship_target = FormationMembers)]
#[require(Activity)]
pub struct InFormation(pub Entity);

/// The members of a formation; kept up to date by [`InFormation`].
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[relationship_target(relationship = InFormation)]
pub struct FormationMembers(Vec<Entity>);

/// Keeps [formations](Formation) together.
pub struct FormationPlugin(pub Interned<dyn ScheduleLabel>);

impl Plugin for FormationPlugin {
    fn build(&self, app: &mut App) {
        add_walks(app, self.0);
        app.add_systems(
            self.0,
            on_demand::<With<Formation>, _>(take_slots).in_set(WalkSystems::Form),
        )
        .add_observer(leave);
    }
}

#[derive(QueryData)]
struct Member {
    entity: Entity,
    id: &'static AgentId,
    chaser: &'static Chaser,
    chasing: Option<&'static Chasing>,
    on_map: &'static OnMap,
    has_walk: Has<GoTo>,
}

/// What a tick lists of a formation, kept for the next one.
#[derive(Default)]
struct SlotLists {
    members: Vec<(AgentId, Entity, Rules)>,
    slots: Vec<Option<Cell>>,
    areas: Vec<Area>,
}

fn take_slots(
    mut leaders: Query<
        (&mut Formation, &FormationMembers, &CellPosition, &OnMap),
        Without<WalkEnd>,
    >,
    members: Query<Member>,
    maps: Query<&NavMap>,
    mut ends: Query<&mut CellPosition, With<WalkEnd>>,
    mut commands: Commands,
    mut lists: Local<SlotLists>,
) {
    for (mut formation, of, place, on_map) in &mut leaders {
        let Ok(map) = maps.get(on_map.0) else {
            continue;
        };
        let SlotLists {
            members: list,
            slots,
            areas,
        } = &mut *lists;
        list.clear();
        let present = members
            .iter_many(&of.0)
            .flatten()
            .filter(|one| one.on_map == on_map);
        list.extend(present.map(|one| (*one.id, one.entity, one.chaser.rules)));
        list.sort_unstable_by_key(|&(id, member, _)| (id, member));
        formation.follow(place.cell, list.len());
        slots.clear();
        let rules = list.iter().map(|&(.., rules)| rules);
        formation.place(map.grid(), rules, slots, areas);
        for (&(_, member, _), slot) in list.iter().zip(&*slots) {
            let (Ok(member), Some(slot)) = (members.get(member), *slot) else {
                continue;
            };
            let slot = CellPosition::at(slot);
            match member.chasing.map(|chasing| ends.get_mut(chasing.0)) {
                Some(Ok(mut end)) if !member.has_walk => {
                    end.set_if_neq(slot);
                }
                None if !member.has_walk => {
                    let end = commands.spawn((WalkEnd, *on_map, slot)).id();
                    commands.entity(member.entity).insert(Chasing(end));
                }
                // It chases somebody, or walks elsewhere.
                _ => {}
            }
        }
    }
}

/// Ends the walk of a member that left.
fn leave(
    left: On<Remove<InFormation>>,
    members: Query<&Chasing, Without<GoTo>>,
    ends: Query<(), With<WalkEnd>>,
    mut commands: Commands,
) {
    if let Ok(chasing) = members.get(left.entity)
        && ends.contains(chasing.0)
        && let Ok(mut member) = commands.get_entity(left.entity)
    {
        member.try_remove::<Chasing>();
    }
}
