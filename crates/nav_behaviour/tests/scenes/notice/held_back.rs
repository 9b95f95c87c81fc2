//! Leashes, returns and stuns, which keep NPCs from noticing.

use super::scene::{chased, guard, player};
use crate::scene::{changes, open_with_behaviours};
use nav::Paused;
use nav_behaviour::{Activity, Home, Leash, LeashFrom, Notice, Returning};
use nav_grid::Cell;

#[test]
fn player_beyond_leash() {
    let mut world = open_with_behaviours(60, 9);
    let one = player(&mut world, (4, 4));
    let npc = guard(&mut world, (30, 4), Notice::new(14));
    let leash = Leash {
        from: LeashFrom::Home,
        ..Leash::new(10)
    };
    let home = Home(Cell::new(30, 4));
    world.world().entity_mut(npc).insert((leash, home));
    world.put(one, (41, 4));
    world.seconds(5);
    assert_eq!(changes(&world, npc), [], "beyond the leash, within range");
    world.put(one, (40, 4));
    world.tick(2);
    assert_eq!(chased(&world, npc), Some(one));
    world.put(one, (43, 4));
    world.seconds(30);
    assert_eq!(world.cell(npc), home.0);
    let begun = changes(&world, npc);
    let begun = begun.iter().filter(|(to, _)| *to == Activity::Chasing);
    assert_eq!(begun.count(), 1, "{:?}", changes(&world, npc));
}

#[test]
fn returning_npc_notices_nobody() {
    for notices_on_return in [false, true] {
        let mut world = open_with_behaviours(60, 9);
        let one = player(&mut world, (10, 4));
        let npc = guard(&mut world, (4, 4), Notice::new(8));
        let leash = Leash {
            notices_on_return,
            ..Leash::new(10)
        };
        let home = Home(Cell::new(4, 4));
        world.world().entity_mut(npc).insert((leash, home));
        world.tick(2);
        world.put(one, (40, 4));
        world.tick_until(|world| world.app.world().get::<Returning>(npc).is_some());
        world.tick(10);
        let at = world.cell(npc);
        world.put(one, (at.x + 4, 4));
        world.tick(2);
        let is_chase = chased(&world, npc) == Some(one);
        assert_eq!(is_chase, notices_on_return);
    }
}

#[test]
fn stunned_npc_notices_nobody() {
    let mut world = open_with_behaviours(20, 9);
    let one = player(&mut world, (8, 4));
    let npc = guard(&mut world, (4, 4), Notice::new(8));
    world.world().entity_mut(npc).insert(Paused::default());
    world.seconds(2);
    assert_eq!(chased(&world, npc), None);
    world.world().entity_mut(npc).remove::<Paused>();
    world.tick(1);
    assert_eq!(chased(&world, npc), Some(one));
}
