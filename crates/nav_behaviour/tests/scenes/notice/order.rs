//! The order in which agents are spawned and despawned makes no difference.

use super::scene::{chased, guard, player};
use crate::scene::{activity, open_with_behaviours};
use bevy_app::FixedUpdate;
use bevy_ecs::prelude::*;
use nav::{AgentId, CellPosition, Chaser, NavSystems, OnMap};
use nav_behaviour::{Activity, BehaviourSystems, Home, Leash, Notice, Noticeable};
use nav_grid::Cell;

#[derive(Resource)]
struct Doomed(Vec<Entity>);

fn despawn_doomed(mut doomed: ResMut<Doomed>, mut commands: Commands) {
    for entity in doomed.0.drain(..) {
        commands.entity(entity).despawn();
    }
}

#[test]
fn despawned_in_same_tick() {
    for order in 0..3 {
        let mut world = open_with_behaviours(20, 9);
        let one = player(&mut world, (8, 4));
        let npc = guard(&mut world, (4, 4), Notice::new(9));
        let second = guard(&mut world, (4, 6), Notice::new(9));
        world.world().insert_resource(Doomed(vec![one, second]));
        let notice = BehaviourSystems::Notice;
        let app = &mut world.app;
        match order {
            0 => app.add_systems(FixedUpdate, despawn_doomed.before(notice)),
            1 => app.add_systems(FixedUpdate, despawn_doomed.in_set(notice)),
            _ => app.add_systems(
                FixedUpdate,
                despawn_doomed.after(notice).before(NavSystems::All),
            ),
        };
        world.tick(2);
        assert_eq!(chased(&world, npc), None, "{order}");
        assert_eq!(activity(&world, npc), Activity::Idle, "{order}");
        world.seconds(1);
    }
}

#[test]
fn order_of_spawning() {
    let run = |reversed: bool| {
        let mut world = open_with_behaviours(60, 60);
        let map = world.map;
        let mut agents: Vec<u16> = (0..60).collect();
        if reversed {
            agents.reverse();
        }
        for n in agents {
            let place = (CellPosition::new(n * 7 % 60, n * 13 % 60), OnMap(map));
            let agent = (AgentId(u32::from(n) + 1), place);
            let agent = world.world().spawn(agent).id();
            if n % 6 == 0 {
                world
                    .world()
                    .entity_mut(agent)
                    .insert(Noticeable::default());
                continue;
            }
            let notice = Notice {
                calls: n % 5 * 2,
                needs_sight: n % 7 == 0,
                ..Notice::new(2 + n % 4)
            };
            let home = Home(Cell::new(n * 7 % 60, n * 13 % 60));
            let npc = (Chaser::default(), notice, Leash::new(9), home);
            world.world().entity_mut(agent).insert(npc);
        }
        let mut digests = Vec::new();
        for _ in 0..200 {
            world.tick(1);
            digests.push(world.digest());
        }
        digests
    };
    assert_eq!(run(false), run(true));
}
