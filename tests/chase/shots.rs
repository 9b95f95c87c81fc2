//! "Archers do not shoot over water or a fence": what a chaser that stops in sight reaches, and
//! where it goes for it.

use nav::{Body, ChaseState, Chaser};
use nav_grid::{
    Area, Cell,
    map::Sight,
    rules::{Class, ClassCosts},
};
use nav_tests::TestWorld;

/// A barrier across a map of 80×50, from row 0 to the gap in row 44.
#[derive(Clone, Copy, Debug)]
enum Barrier {
    Wall,
    /// A wall that can be seen through.
    Fence,
    /// Ground that the chaser may not enter.
    Water,
}

const GAP: u16 = 44;
const BARRIER: u16 = 40;

/// Lets archers that shoot 6 cells far go for a target three cells behind a barrier. Returns the
/// columns where they stand once they have had the time of a way, and how many are within reach.
fn columns(
    barrier: Barrier,
    has_gap: bool,
    from: u16,
    archers: usize,
    solid: bool,
) -> (Vec<u16>, usize) {
    let mut world = TestWorld::open(80, 50);
    let last = if has_gap { GAP - 1 } else { 49 };
    let cells = Area::new(Cell::new(BARRIER, 0), Cell::new(BARRIER, last));
    let mut map = world.nav_map();
    match barrier {
        Barrier::Wall => drop(map.set_walkable(cells, false).unwrap()),
        Barrier::Fence => {
            map.set_walkable(cells, false).unwrap();
            map.set_sight(cells, Sight::Clear).unwrap();
        }
        Barrier::Water => drop(map.set_class(cells, Class::new(1).unwrap()).unwrap()),
    }
    let mut archer = Chaser::ranged(6);
    archer.rules.classes = ClassCosts::ALL.without(Class::new(1).unwrap());
    let target = world.target((BARRIER + 3, 3));
    let pack: Vec<_> = (0..archers)
        .map(|n| {
            let at = (from, 1 + n as u16);
            let npc = world.chaser_with(archer, at, target);
            if solid {
                world.insert(npc, Body::default());
            }
            npc
        })
        .collect();
    // A step takes a quarter of a second. Around by the gap it is 80 steps more.
    let way = u64::from(BARRIER - from) / 4 + 5;
    world.seconds(if matches!(barrier, Barrier::Wall) {
        way + 30
    } else {
        way
    });
    let there = pack
        .iter()
        .filter(|&&npc| world.cursor(npc).state() == ChaseState::Reached);
    let there = there.count();
    (pack.iter().map(|&npc| world.cell(npc).x).collect(), there)
}

#[test]
fn over_a_fence_and_over_water() {
    for barrier in [Barrier::Fence, Barrier::Water] {
        for has_gap in [true, false] {
            for from in [38, 30, 5] {
                for (archers, solid) in [(1, false), (1, true), (2, false), (8, true)] {
                    let (columns, there) = columns(barrier, has_gap, from, archers, solid);
                    let case = format!(
                        "{barrier:?}, gap {has_gap}, from {from}, {archers} {solid}: {columns:?}"
                    );
                    assert_eq!(there, archers, "{case}");
                    assert!(columns.iter().all(|&x| x < BARRIER), "{case}");
                }
            }
        }
    }
}

#[test]
fn not_through_a_wall() {
    for (archers, solid) in [(1, false), (1, true), (8, true)] {
        let (columns, there) = columns(Barrier::Wall, true, 30, archers, solid);
        assert_eq!(there, archers, "{columns:?}");
        assert!(columns.iter().all(|&x| x >= BARRIER), "{columns:?}");
    }
}
