//! Temporary.
use nav_grid::Cell;
use nav_tests::{TestWorld, apart::Bodies};
#[test]
fn ring() {
    let mut bodies = Bodies::on(TestWorld::open(60, 60));
    let target = bodies.world.target((30, 30));
    let mut ground = (0..30).flat_map(|y| (0..30).map(move |x| (15 + x, 15 + y)));
    let cells: Vec<(u16, u16)> = ground.by_ref().filter(|&(x, y): &(u16, u16)| x.abs_diff(30).max(y.abs_diff(30)) > 6).take(200).collect();
    for at in cells { bodies.solid(at, target); }
    for n in 0..40 {
        let before = bodies.world.diagnostics().total;
        bodies.tick(20);
        let after = bodies.world.diagnostics().total;
        println!("{n} s: steps {} searches {} found {} unreachable {} toofar {} fields {} expanded {}", after.steps-before.steps, after.searches()-before.searches(), after.found-before.found, after.unreachable-before.unreachable, after.too_far-before.too_far, after.fields-before.fields, after.expanded-before.expanded);
    }
}
#[test]
fn leader() {
        let mut bodies = Bodies::on(TestWorld::on(nav_grid::Grid::open(40, 21).unwrap()));
        let idle = bodies.world.target((20,10));
        bodies.world.insert(idle, nav::Body::default());
        let end = bodies.world.target((30, 10));
        bodies.world.insert(end, nav::Destination);
        let leader = bodies.solid((12, 10), end);
        let mut chases = vec![(leader, end)];
        for n in 0..8 { chases.push((bodies.solid((8 + n % 3, 8 + n / 3), leader), leader)); }
        for n in 0..60 {
            bodies.tick(10);
            let t: Vec<String> = chases.iter().map(|(c,_)| format!("{} {:?}{:?} w{}", bodies.world.cell(*c), bodies.world.cursor(*c).state(), bodies.world.cursor(*c).guidance(), bodies.world.get::<nav::Crowding>(*c).waits)).collect();
            if n % 4 == 0 { println!("{n}: {}", t.join(" | ")); }
        }
        let _ = Cell::new(0,0);
}
#[test]
fn corridor() {
    let mut bodies = crate::solid::corridor_bodies(0);
    for n in 0..60 {
        bodies.tick(100);
        let far = bodies.agents.iter().filter(|&&a| bodies.world.cursor(a).state() != nav::ChaseState::Reached).count();
        let mut w = [0; 9]; let mut looks=[0;9]; let mut np=0; let mut det=0;
        for &a in &bodies.agents { let c = bodies.world.get::<nav::Crowding>(a); w[usize::from(c.waits.min(8))]+=1; looks[usize::from(c.looks.min(8))]+=1; np+=usize::from(c.no_place); det+=usize::from(bodies.world.cursor(a).guidance()==Some(nav::Guidance::Detour)); }
        if n % 4 == 0 { println!("{n} far {far} waits {w:?} looks {looks:?} no_place {np} detours {det} steps {}", bodies.world.diagnostics().total.steps); }
        if n == 20 { let cells=bodies.cells(); for y in 0..11 { let l: String=(0..70).map(|x| if cells.contains_key(&(0,y,x)) {'o'} else {'.'}).collect(); println!("{l}"); } }
    }
}
