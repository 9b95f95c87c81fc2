//! The queries of a game about occupancy: their answers equal those of the components, and players
//! step by them.

use bevy_ecs::{prelude::*, system::RunSystemOnce};
use nav::{
    Body, CellPosition, Chaser, NavMap, OnMap,
    occupancy::{Occupancy, PlayerSteps, StepRefusal},
};
use nav_drawn::{Draw, Scene};
use nav_grid::{Area, Cell, Footprint, Rules};
use nav_tests::{TestWorld, by_tier, draw};

/// Runs a system of a game once.
fn ask<T: 'static>(
    world: &mut TestWorld,
    system: impl FnMut(Occupancy) -> T + Send + Sync + 'static,
) -> T {
    let answer = world.world().run_system_once(system);
    answer.expect("a world with the plugin")
}

/// An agent with the area of its body, and its map.
type Standing = (Entity, Entity, Area);

fn bodies(world: &mut TestWorld) -> Vec<Standing> {
    let mut bodies = world
        .world()
        .query::<(Entity, &OnMap, &Body, &CellPosition)>();
    let bodies = bodies.iter(world.app.world());
    let standing = |(agent, map, body, place): (Entity, &OnMap, &Body, &CellPosition)| {
        (agent, map.0, body.footprint.area(place.cell))
    };
    bodies.map(standing).collect()
}

/// Returns whether an agent may step onto a cell, by its components alone, or `None` if it stands
/// on another body.
fn may_step(world: &TestWorld, bodies: &[Standing], agent: Entity, to: Cell) -> Option<bool> {
    let world = world.app.world();
    let map = world.get::<OnMap>(agent)?.0;
    let from = world.get::<CellPosition>(agent)?.cell;
    let body = world.get::<Body>(agent);
    let rules = world
        .get::<Chaser>(agent)
        .map_or_else(Rules::default, |chaser| chaser.rules);
    let footprint = body.map_or(rules.footprint, |body| body.footprint);
    let rules = Rules { footprint, ..rules };
    let grid = world.get::<NavMap>(map)?.grid();
    let is_taken = |place: Cell| {
        let others = bodies
            .iter()
            .filter(|&&(other, on, _)| other != agent && on == map);
        let mut others = others.map(|&(.., area)| area);
        body.is_some() && others.any(|area| area.meets(footprint.area(place)))
    };
    (!is_taken(from)).then(|| grid.allows_move(from, to, rules) && !is_taken(to))
}

#[test]
fn answers_equal_components() {
    let (mut asked, mut free) = (0, 0);
    for seed in 0..by_tier(40, 400) {
        let mut stage = Scene::new(seed).stage();
        let mut draw = Draw::new(seed);
        let agents: Vec<Entity> = stage.npcs.iter().chain(&stage.targets).copied().collect();
        for _ in 0..if agents.is_empty() { 0 } else { 100 } {
            stage.world.tick(1);
            let bodies = bodies(&mut stage.world);
            let steps: Vec<(Entity, Cell)> = (0..30)
                .map(|_| {
                    let agent = draw.one_of(&agents);
                    let at = stage.world.cell(agent);
                    let (x, y) = (draw.number(0, 4), draw.number(0, 4));
                    let to = Cell {
                        x: (at.x + x).saturating_sub(2),
                        y: (at.y + y).saturating_sub(2),
                        ..at
                    };
                    (agent, to)
                })
                .collect();
            let asks = steps.clone();
            let answers = ask(&mut stage.world, move |occupancy| {
                let answer = |&(agent, to): &(Entity, Cell)| occupancy.may_step(agent, to);
                asks.iter().map(answer).collect::<Vec<_>>()
            });
            for (&(agent, to), answer) in steps.iter().zip(answers) {
                let Some(expected) = may_step(&stage.world, &bodies, agent, to) else {
                    continue;
                };
                assert_eq!(
                    answer.is_ok(),
                    expected,
                    "seed {seed}: {agent} to {to}: {answer:?}"
                );
                asked += 1;
                free += usize::from(expected);
            }
        }
    }
    println!("{asked} asked, {free} of them free");
    assert!(asked >= 100_000 && free * 10 > asked, "{free} of {asked}");
}

#[test]
fn player_steps_through_a_crowd() {
    let mut steps = 0;
    for seed in 0..by_tier(10, 100) {
        let mut world = TestWorld::on(draw(&[
            "....................",
            "....#####..#####....",
            "....#..........#....",
            "....#...........#...",
            "....#..........#....",
            "....#####..#####....",
            "....................",
        ]));
        let mut draw = Draw::new(seed);
        let player = world.target((9, 3));
        world.world().entity_mut(player).insert(Body::default());
        for n in 0..30_u16 {
            let at = (n % 20, if n < 20 { 0 } else { 6 });
            let chaser = world.chaser(at, player);
            world.world().entity_mut(chaser).insert(Body::default());
        }
        for _ in 0..400 {
            let at = world.cell(player);
            let to = Cell::new(
                (at.x + draw.number(0, 2)).saturating_sub(1),
                (at.y + draw.number(0, 2)).saturating_sub(1),
            );
            let taken = world
                .world()
                .run_system_once(move |mut steps: PlayerSteps| steps.step(player, to))
                .unwrap();
            steps += u32::from(taken.is_ok());
            world.tick(1);
            let bodies = bodies(&mut world);
            let own = Footprint::ONE.area(world.cell(player));
            let on_it = bodies
                .iter()
                .filter(|&&(other, _, area)| other != player && area.meets(own));
            assert_eq!(on_it.count(), 0, "seed {seed}");
        }
    }
    assert!(steps > 100, "{steps} steps");
}

#[test]
fn bodies_by_cell() {
    let mut world = TestWorld::on(draw(&["......", "......", "..##..", "......"]));
    let (map, target) = (world.map, world.target((5, 3)));
    let large = Body {
        footprint: Footprint::new(2).unwrap(),
        ..Body::default()
    };
    let (one, two) = (world.target((0, 0)), world.target((3, 0)));
    world.world().entity_mut(one).insert(Body::default());
    world.world().entity_mut(two).insert(large);
    world.tick(1);
    let two_by_two = Footprint::new(2).unwrap();
    ask(&mut world, move |occupancy| {
        assert_eq!(occupancy.who(map, Cell::new(4, 1)), Some(two));
        assert_eq!(
            occupancy.who(map, Cell::new(5, 3)),
            None,
            "a target without a body"
        );
        let all = Area::new(Cell::new(0, 0), Cell::new(40, 40));
        assert!(occupancy.within(map, all).eq([one, two]));
        let right = Area::new(Cell::new(4, 1), Cell::new(5, 3));
        assert!(occupancy.within(map, right).eq([two]));
        assert!(occupancy.is_free(map, Cell::new(1, 0), two_by_two));
        assert!(!occupancy.is_free(map, Cell::new(2, 0), two_by_two));
        assert!(
            !occupancy.is_free(map, Cell::new(2, 2), Footprint::ONE),
            "a wall"
        );
        let near = occupancy.nearest_free(map, Cell::new(3, 1), Footprint::ONE, 3);
        assert_eq!(near, Some(Cell::new(2, 0)));
        assert_eq!(
            occupancy.nearest_free(map, Cell::new(3, 0), Footprint::ONE, 0),
            None
        );
        assert_eq!(occupancy.may_step(one, Cell::new(1, 1)), Ok(()));
        let far = occupancy.may_step(one, Cell::new(2, 0));
        assert!(matches!(far, Err(StepRefusal::Ground { .. })));
        assert_eq!(
            occupancy.may_step(map, Cell::new(1, 1)),
            Err(StepRefusal::NoAgent)
        );
        assert_eq!(occupancy.may_step(target, Cell::new(4, 3)), Ok(()));
    });
}
