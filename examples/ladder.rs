//! Guards climb a ladder after a thief, one at a time; a wolf may not.

use bevy_ecs::prelude::*;
use nav::{
    NavClock,
    links::{LinkEntered, LinkLeft},
    prelude::*,
};
use nav_examples::app;
use nav_grid::rules::{LinkKind, LinkKinds};

const LADDER: LinkKind = LinkKind::new(1).expect("at most 15");

fn main() -> Result {
    let mut app = app();
    let mut map = NavMap::new(Grid::build(Size::new(24, 9).with_floors(2), |_| true)?);
    let foot = Cell::new(12, 4);
    let ladder = Link::new(foot, foot.on_floor(1))
        .with_kind(LADDER)
        .with_cost(8)
        .with_millis(2_000)
        .with_capacity(1);
    map.set_link(ladder)?;
    map.set_link(ladder.reversed())?;
    let map = OnMap(app.world_mut().spawn(map).id());

    let thief = CellPosition::at(Cell::new(20, 4).on_floor(1));
    let thief = app.world_mut().spawn((map, thief)).id();
    let chaser = Chaser::default();
    for y in [2, 4, 6] {
        let at = CellPosition::new(3, y);
        let guard = (chaser, Body::default(), map, at, Chasing(thief));
        app.world_mut().spawn(guard);
    }
    let wolf = Chaser {
        rules: Rules::default().with_links(LinkKinds::ALL.without(LADDER)),
        ..chaser
    };
    let wolf = (wolf, map, CellPosition::new(9, 4), Chasing(thief));
    let wolf = app.world_mut().spawn(wolf).id();

    app.add_observer(|entered: On<LinkEntered>, clock: Res<NavClock>| {
        let seconds = (entered.until.0 - clock.now().0) as f64 / 1e9;
        println!("{} climbs for {seconds} s", entered.agent);
    });
    app.add_observer(|left: On<LinkLeft>| println!("{} is at {}", left.agent, left.to));
    for _ in 0..20 * 20 {
        app.update();
    }
    let world = app.world_mut();
    let mut places = world.query_filtered::<(Entity, &CellPosition), With<Chaser>>();
    for (agent, place) in places.iter(world) {
        assert_eq!(
            place.cell.floor,
            u8::from(agent != wolf),
            "{agent} at {}",
            place.cell
        );
    }
    println!("all guards are up, and the wolf is not");
    Ok(())
}
